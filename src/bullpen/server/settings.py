"""Settings: every field of the configuration by flag, by environment and by file, in this order of weight.

`--bot-workers 2`, `BULLPEN_BOT_WORKERS=2` and `bot-workers = 2` in a TOML file mean the same. What may be
given several times is separated by commas in the environment and a list in the file. A limit is
`--limit-tables 20/0.2` (twenty at once, one in five seconds in the long run), `BULLPEN_LIMIT_TABLES`, or
`tables = "20/0.2"` below `[limit]`.
"""

import argparse
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from bullpen.engine import BullpenError
from bullpen.server.config import Config
from bullpen.server.limits import Limits, Rate

FILE = "BULLPEN_CONFIG"
SHORT = {"host_names": "host-name", "trusted_proxies": "proxy", "open_browser": "open"}
"""Fields whose setting has another name than the field."""


class BadSetting(BullpenError):
    """A setting that cannot be used, with where it stands."""


class Setting(Struct, frozen=True):
    """One thing that a host can decide: its name everywhere, its field, its type and what it means."""

    name: str
    field: str
    type: Any
    default: Any
    says: str
    limit: bool = False

    @property
    def flag(self) -> str:
        """What it is called on the command line."""
        return f"--{self.name}"

    @property
    def variable(self) -> str:
        """What it is called in the environment.

        >>> Setting("bot-workers", "bot_workers", int, 0, "").variable
        'BULLPEN_BOT_WORKERS'
        """
        return "BULLPEN_" + self.name.upper().replace("-", "_")

    @property
    def several(self) -> bool:
        """Whether it may be given more than once."""
        return get_origin(self.type) is tuple

    @property
    def shown(self) -> str:
        """The default as a person reads it."""
        if isinstance(self.default, Rate):
            return f"{self.default.burst:g}/{self.default.per_second:g}"
        if isinstance(self.default, bool):
            return "on" if self.default else "off"
        return "" if self.default in (None, ()) else str(self.default)

    def read(self, value: Any, where: str) -> Any:
        """Return a value of the right type, or say what is wrong with it and where."""
        if self.type is Rate and isinstance(value, str):
            burst, _, rate = value.partition("/")
            value = {"burst": burst, "per_second": rate}
        if self.several and isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if self.type is bool and isinstance(value, str):
            value = {"on": "true", "off": "false", "yes": "true", "no": "false"}.get(value, value)
        try:
            return msgspec.convert(value, self.hint, strict=False, dec_hook=lambda kind, given: kind(given))
        except msgspec.ValidationError as error:
            raise BadSetting(f"{where}: {_plain(error)}.") from None

    @property
    def hint(self) -> Any:
        """The type with its bounds."""
        owner: Any = Limits if self.limit else Config
        return get_type_hints(owner, include_extras=True)[self.field]


def _plain(error: msgspec.ValidationError) -> str:
    says = str(error).split(" - at ")[0]
    return says[0].lower() + says[1:].replace("`", "").rstrip(".")


def _settings(owner: Any, prefix: str = "") -> Iterable[Setting]:
    defaults = owner()
    for field, hint in get_type_hints(owner, include_extras=True).items():
        meta = [extra for extra in get_args(hint)[1:] if isinstance(extra, Meta)]
        kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        if kind is Limits:
            continue
        name = prefix + SHORT.get(field, field).replace("_", "-")
        says = meta[0].description or "" if meta else ""
        yield Setting(name, field, kind, getattr(defaults, field), says, bool(prefix))


SETTINGS = (*_settings(Config), *_settings(Limits, "limit-"))
"""Every setting there is."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describe the settings as flags; what is not given stays away from the result."""
    command.add_argument("--config", metavar="FILE", help=f"a TOML file with settings; also {FILE}")
    for setting in SETTINGS:
        says = setting.says + (f" (default: {setting.shown})" if setting.shown else "")
        more: dict[str, Any] = {"help": says.replace("%", "%%"), "default": argparse.SUPPRESS}
        if setting.type is bool:
            command.add_argument(setting.flag, action=argparse.BooleanOptionalAction, **more)
        else:
            more["action"] = "append" if setting.several else "store"
            word = "N/PER-SECOND" if setting.type is Rate else setting.name.split("-")[-1].upper()
            command.add_argument(setting.flag, metavar=word, **more)


def config_from(given: Mapping[str, Any], environment: Mapping[str, str]) -> Config:
    """Return the configuration from flags (as parsed), environment and file."""
    path = given.get("config") or environment.get(FILE)
    file = _file(Path(path)) if path else {}
    found: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    for setting in SETTINGS:
        flag = setting.name.replace("-", "_")
        if flag in given:
            value, where = given[flag], setting.flag
        elif setting.variable in environment:
            value, where = environment[setting.variable], setting.variable
        elif setting.name in file:
            value, where = file[setting.name], f"{path}, {setting.name}"
        else:
            continue
        (limits if setting.limit else found)[setting.field] = setting.read(value, where)
    return Config(**found, limits=Limits(**limits))


def _file(path: Path) -> dict[str, Any]:
    """Return the settings of a file; a section `[limit]` holds the limits."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(f"{path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} is not a TOML file: {error}.") from None
    limits = content.pop("limit", {})
    if not isinstance(limits, dict):
        raise BadSetting(f"{path}: [limit] is a section.")
    found = {**content, **{f"limit-{name}": value for name, value in limits.items()}}
    unknown = sorted(found.keys() - {setting.name for setting in SETTINGS})
    if unknown:
        raise BadSetting(f"{path}: there is no setting {unknown[0]!r}.")
    return found

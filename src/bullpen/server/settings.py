"""Settings: every field of the configuration by flag, by environment and by file, in this order of weight.

`--bot-workers 2`, `BULLPEN_BOT_WORKERS=2` and `bot-workers = 2` in a TOML file mean the same. What may be
given several times is separated by commas in the environment and a list in the file. `--limits` names a set
of limits; single ones stand in the file only, below `[limit]`: `tables = "20/0.2"` for twenty at once and one
in five seconds in the long run.
"""

import argparse
import difflib
import ipaddress
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from bullpen.engine import BullpenError
from bullpen.engine.misread import misread
from bullpen.server.config import Config
from bullpen.server.limits import PRESETS, Limits, Preset, Rate

PREFIX = "BULLPEN_"
FILE = "BULLPEN_CONFIG"
HOST_NAME = re.compile(r"[^\s/:@\[\]*]{1,253}\Z")
OTHERS = ("BULLPEN_BOT_STDERR", "BULLPEN_ENGINES", "BULLPEN_SOAK", "BULLPEN_TEST_STORE", "BULLPEN_VECTORS")
"""Variables that are no settings: the arena reads the first one, the tests read the others."""
SHORT = {"host_names": "host-name", "trusted_proxies": "proxy", "open_browser": "open"}
"""Fields whose setting has another name than the field."""


def _no_proxy(given: str) -> str:
    """Return what is wrong with the address of a proxy."""
    try:
        ipaddress.ip_network(given)
    except ValueError as error:
        if given == "*":
            return ""
        if "host bits" in str(error):
            return f"is no network; did you mean {ipaddress.ip_network(given, strict=False)}?"
        return "is no address of numbers, such as 127.0.0.1, and no network, such as 10.0.0.0/8."
    return ""


def _no_name(given: str) -> str:
    """Return what is wrong with a host name."""
    if HOST_NAME.match(given):
        return ""
    inside = re.search(r"([a-z0-9-]+\.)+[a-z0-9-]+", given, re.IGNORECASE)
    instead = f"; did you mean {inside[0]}?" if inside else "."
    return f"is no host name without scheme and port{instead}"


CHECKED: Mapping[str, Callable[[str], str]] = {"trusted_proxies": _no_proxy, "host_names": _no_name}
"""By field, what is wrong with one of several values."""


class BadSetting(BullpenError):
    """A setting that cannot be used, with where it stands."""


class Setting(Struct, frozen=True):
    """One thing that a host can decide: its name everywhere, its field, its type and what it means."""

    name: str
    field: str
    type: Any
    default: Any
    says: str
    bounded: Any = None
    """The type with its bounds."""

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
        return PREFIX + self.name.upper().replace("-", "_")

    @property
    def several(self) -> bool:
        """Whether it may be given more than once."""
        return get_origin(self.type) is tuple

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it can be, if there are only so many."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()

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
        given = value
        if self.type is Rate and isinstance(value, str):
            burst, _, rate = value.partition("/")
            value = {"burst": burst, "per_second": rate}
        if self.several and isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if self.type is bool and isinstance(value, str):
            value = {"on": "true", "off": "false", "yes": "true", "no": "false"}.get(value, value)
        try:
            hint = self.bounded or self.type
            read = msgspec.convert(value, hint, strict=False, dec_hook=lambda kind, given: kind(given))
        except msgspec.ValidationError as error:
            if self.type is Rate:
                raise BadSetting(f"{where} should be like 20/0.2, not {given!r}.") from None
            one_of = f"; it can be {', '.join(self.choices)}" if self.choices else ""
            raise BadSetting(f"{misread(error, where, repr(given))}{one_of}.") from None
        for one in read if self.field in CHECKED else ():
            if why := CHECKED[self.field](one):
                raise BadSetting(f"{where}: {one!r} {why}")
        return read


def _settings(owner: Any) -> Iterable[Setting]:
    defaults = owner()
    for field, hint in get_type_hints(owner, include_extras=True).items():
        meta = [extra for extra in get_args(hint)[1:] if isinstance(extra, Meta)]
        kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        says = meta[0].description or "" if meta else ""
        if kind is Limits:
            yield Setting(field, field, Preset, "public", says)
        else:
            name = SHORT.get(field, field).replace("_", "-")
            bounded = Annotated[kind, Meta(gt=0)] if owner is Limits and kind in (int, float) else hint
            yield Setting(name, field, kind, getattr(defaults, field), says, bounded)


SETTINGS = tuple(_settings(Config))
"""Every setting there is."""
LIMITS = tuple(_settings(Limits))
"""The limits, which are set in a file only."""


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
            metavar = "|".join(setting.choices) or setting.name.split("-")[-1].upper()
            command.add_argument(setting.flag, metavar=metavar, **more)


def config_from(given: Mapping[str, Any], environment: Mapping[str, str]) -> Config:
    """Return the configuration from flags (as parsed), environment and file."""
    _check_variables(environment)
    path = given.get("config") or environment.get(FILE)
    file, limits = _file(Path(path)) if path else ({}, {})
    found: dict[str, Any] = {}
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
        found[setting.field] = setting.read(value, where)
    changed = {
        limit.field: limit.read(limits[limit.name], f"{path}, [limit] {limit.name}")
        for limit in LIMITS
        if limit.name in limits
    }
    found["limits"] = msgspec.structs.replace(PRESETS[found.get("limits", "public")], **changed)
    return Config(**found)


def _check_variables(environment: Mapping[str, str]) -> None:
    """Refuse a variable that was meant for us and that nobody reads."""
    known = {FILE, *OTHERS, *(setting.variable for setting in SETTINGS)}
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            near = _near(name.removeprefix(PREFIX), {one.removeprefix(PREFIX) for one in known}, PREFIX)
            raise BadSetting(f"There is no setting {name}{near}")


def _near(name: str, known: Collection[str], prefix: str = "") -> str:
    """Return how a sentence about an unknown name ends: with the name that was meant, if one is like it."""
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {prefix}{near[0]}?" if near else "."


def _file(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of a file, and the limits of its section `[limit]`."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(f"{path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} is not a TOML file: {error}.") from None
    limits = content.pop("limit", {})
    if not isinstance(limits, dict):
        raise BadSetting(f"{path}: [limit] is a section.")
    limits = {name.replace("_", "-"): value for name, value in limits.items()}
    for what, given, known in (("setting", content, SETTINGS), ("limit", limits, LIMITS)):
        names = [one.name for one in known]
        for name in sorted(given.keys() - set(names)):
            raise BadSetting(f"{path}: there is no {what} {name!r}{_near(name, names)}")
    return content, limits

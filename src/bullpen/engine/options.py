"""Options: what a table may agree on before a game."""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from bullpen.engine.errors import BadOption

OptionValue: TypeAlias = bool | int | str


class Instead(Struct, frozen=True):
    """Another default, which holds where the option `key` has that value."""

    key: str
    value: OptionValue
    default: OptionValue


class Option(Struct, frozen=True):
    """One thing to agree on: its key, default, what it takes and a sentence about it.

    An option takes either one of `allowed`, or any whole number from `least` up, or (with neither) any text.
    """

    key: str
    default: OptionValue
    says: str
    allowed: tuple[OptionValue, ...] = ()
    least: int | None = None
    file: bool = False
    """Whether a text may also be the path of a file that holds it."""
    seat: bool = False
    """Whether a number is a seat, which must exist at the table."""
    instead: Instead | None = None

    @property
    def type(self) -> str:
        """The kind of value in a word: `bool`, `int`, `text` or `choice`."""
        if isinstance(self.default, bool):
            return "bool"
        if self.least is not None:
            return "int"
        return "choice" if self.allowed else "text"

    @property
    def takes(self) -> str:
        """What the option takes, for people."""
        if self.type == "bool":
            return "true or false"
        if self.least is not None:
            return f"a whole number from {self.least} up"
        return " or ".join(str(value) for value in self.allowed) if self.allowed else "a text"

    def check(self, value: OptionValue) -> OptionValue:
        """Return the value if it is allowed, else say what is."""
        if self.least is not None:
            fits = type(value) is int and value >= self.least
        elif self.allowed:
            fits = any(type(value) is type(other) and value == other for other in self.allowed)
        else:
            fits = type(value) is type(self.default)
        if not fits:
            raise BadOption(f"{self.key} takes {self.takes}, not {str(value)[:40]!r}.")
        return value

    def read(self, text: str) -> OptionValue:
        """Return the value that a typed text stands for.

        >>> Option("end.value", 66, "", least=1).read("100")
        100
        """
        for value in (*self.allowed, self.default):
            if text.lower() == str(value).lower():
                return value
        return self.check(
            int(text) if self.least is not None and text.isdecimal() and len(text) <= 9 else text
        )


def refuse_files(declared: tuple[Option, ...], given: Mapping[str, OptionValue]) -> None:
    """Refuse options that name a file: what comes from elsewhere must not make us read our files."""
    for option in declared:
        value = given.get(option.key, option.default)
        if option.file and value != option.default and not str(value).lstrip().startswith("{"):
            raise BadOption(f"{option.key} must hold the data themselves here, not the name of a file.")


YES_NO: tuple[OptionValue, ...] = (True, False)


def settle(
    declared: tuple[Option, ...], given: Mapping[str, OptionValue], game: str
) -> dict[str, OptionValue]:
    """Return every declared option with its given or default value."""
    by_key = {option.key: option for option in declared}
    for key in given:
        if key not in by_key:
            known = ", ".join(by_key) or "none"
            raise BadOption(f"{game} has no option {str(key)[:40]!r}; it has: {known}.")
    return {key: option.check(given.get(key, _default(option, given))) for key, option in by_key.items()}


def _default(option: Option, given: Mapping[str, OptionValue]) -> OptionValue:
    instead = option.instead
    if instead is not None and given.get(instead.key) == instead.value:
        return instead.default
    return option.default

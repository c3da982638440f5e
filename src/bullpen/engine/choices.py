"""Choices: what a seat can answer, each with a short notation that parses back.

Rows are counted from 0 inside the program and from 1 in notation, as people count.
"""

from typing import ClassVar, Self

from msgspec import Struct

from bullpen.engine.cards import HIGHEST, Card
from bullpen.engine.errors import BadNotation


class Choice(Struct, frozen=True, gc=False):
    """The parent of all choices; a subclass says how it is written and read."""

    kinds: ClassVar[list[type["Choice"]]] = []

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        Choice.kinds.append(cls)

    @property
    def notation(self) -> str:
        """The choice as a short text."""
        raise NotImplementedError

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the choice that this text stands for, or None if it is not of this kind."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.notation


def number(text: str) -> int | None:
    """Read a plain decimal number of at most four digits.

    >>> number("44"), number("044"), number("-1"), number("٤")
    (44, None, None, None)
    """
    plain = text.isascii() and text.isdigit() and len(text) <= 4
    return int(text) if plain and (text == "0" or text[0] != "0") else None


def numbers(text: str) -> tuple[int, ...] | None:
    """Read numbers divided by commas; an empty text is no number at all."""
    if not text:
        return ()
    values = [number(part) for part in text.split(",")]
    return None if None in values else tuple(value for value in values if value is not None)


class PlayCard(Choice, frozen=True):
    """Play one hand card, turned by a flip card or not: `44`, `44*`."""

    card: Card
    flipped: bool = False

    @property
    def notation(self) -> str:
        """The number, with a star when it is flipped."""
        return f"{self.card}*" if self.flipped else str(self.card)

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read `44` or `44*`."""
        card = number(text.removesuffix("*"))
        return None if card is None else cls(card, text.endswith("*"))


class PlayPair(Choice, frozen=True):
    """Play two hand cards together, the lower one named first: `12+44`."""

    low: Card
    high: Card

    @property
    def notation(self) -> str:
        """Both numbers with a plus."""
        return f"{self.low}+{self.high}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read `12+44`."""
        low, plus, high = text.partition("+")
        first, second = number(low), number(high)
        if not plus or first is None or second is None:
            return None
        return cls(min(first, second), max(first, second))


class _OneNumber(Choice, frozen=True):
    """A choice that is one letter and one number."""

    letter: ClassVar[str] = ""
    shift: ClassVar[int] = 0

    def _value(self) -> int:
        (field,) = self.__struct_fields__
        value: int = getattr(self, field)
        return value

    @property
    def notation(self) -> str:
        """The letter and the number."""
        return f"{self.letter}{self._value() + self.shift}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read the letter and the number."""
        value = number(text[1:]) if cls.letter and text.startswith(cls.letter) else None
        return None if value is None or value < cls.shift else cls(value - cls.shift)


class TakeRow(_OneNumber, frozen=True):
    """Take a row with a card that fits nowhere: `r2`."""

    letter: ClassVar[str] = "r"
    shift: ClassVar[int] = 1
    row: int


class JoinRow(_OneNumber, frozen=True):
    """Put the card to one of two rows that are equally near: `j2`."""

    letter: ClassVar[str] = "j"
    shift: ClassVar[int] = 1
    row: int


class StartRow(_OneNumber, frozen=True):
    """Start an empty row: `s2`."""

    letter: ClassVar[str] = "s"
    shift: ClassVar[int] = 1
    row: int


class Draft(_OneNumber, frozen=True):
    """Pick a face-up card in a draft: `d44`."""

    letter: ClassVar[str] = "d"
    card: Card


class PlaceFirst(_OneNumber, frozen=True):
    """Place this one of two played cards first: `f12`."""

    letter: ClassVar[str] = "f"
    card: Card


class Keep(Choice, frozen=True):
    """Keep these of the taken cards in hand, the rest goes to the pile: `k12,15`, `k`."""

    cards: tuple[Card, ...]

    @property
    def notation(self) -> str:
        """A k and the cards."""
        return "k" + ",".join(map(str, self.cards))

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read `k12,15`."""
        cards = numbers(text[1:]) if text.startswith("k") else None
        return None if cards is None else cls(tuple(sorted(cards)))


class UseSpecial(Choice, frozen=True):
    """Use a special card on its targets, all written as people count: `stop:2`, `push:7,1`, `sort:`."""

    name: str
    targets: tuple[int, ...] = ()

    @property
    def notation(self) -> str:
        """The card's name, a colon and the targets."""
        return f"{self.name}:{','.join(map(str, self.targets))}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read `stop:2`."""
        name, colon, rest = text.partition(":")
        targets = numbers(rest) if colon and name.replace("-", "").isalnum() and name.isascii() else None
        return None if targets is None else cls(name, targets)


class Pass(Choice, frozen=True):
    """Do nothing: `-`."""

    @property
    def notation(self) -> str:
        """A dash."""
        return "-"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read `-`."""
        return cls() if text == "-" else None


PASS = Pass()
PLAY: tuple[PlayCard, ...] = tuple(PlayCard(card) for card in range(HIGHEST + 1))
"""The plain plays by card, made once: a round asks for hundreds of them."""

TAKE: tuple[TakeRow, ...] = tuple(TakeRow(row) for row in range(16))
"""The takes by row, made once."""


def parse(text: str) -> Choice:
    """Return the choice written in this notation.

    >>> parse("44"), parse("44*").flipped, parse("r2").row
    (PlayCard(card=44, flipped=False), True, 1)
    >>> parse("push:7,1")
    UseSpecial(name='push', targets=(7, 1))
    >>> parse("banana")
    Traceback (most recent call last):
    ...
    bullpen.engine.errors.BadNotation: 'banana' is not a choice: write a card as 44, a row as r2.
    """
    stripped = text.strip()
    for kind in Choice.kinds if len(stripped) <= 80 else ():
        choice = None if kind is _OneNumber else kind.read(stripped)
        if choice is not None:
            return choice
    raise BadNotation(f"{stripped[:20]!r} is not a choice: write a card as 44, a row as r2.")

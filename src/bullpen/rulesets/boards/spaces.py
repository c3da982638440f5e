"""The spaces of the boards: small objects that say what happens when a tile comes to lie on them.

A space answers with steps, done at once and before anything else.
"""

from functools import cache
from typing import ClassVar

from msgspec import Struct

from bullpen.engine import Card, Seat, Step, step


class Covered(Struct, frozen=True):
    """A space has just been covered: by whose placing, in which row, by which tile with how many oxen.

    `played` is the tile that was placed; another one may have slid onto the space (EXP-16).
    """

    seat: Seat
    row: int
    played: Card
    oxen: int


class Space(Struct, frozen=True):
    """A blank space: nothing happens."""

    name: str = "blank"

    def steps(self, covered: Covered) -> tuple[Step, ...]:
        """Return what follows when the space is covered."""
        return ()


class Double(Space, frozen=True):
    """A two-tile symbol: it counts while it is visible and does nothing when it is covered."""


class Oxen(Space, frozen=True):
    """Green or red oxen: points for each ox on the tile that covers them (BRD-17)."""

    factor: int = 1

    def steps(self, covered: Covered) -> tuple[Step, ...]:
        """Score the oxen of the tile, once or twice, plus or minus."""
        return (step("score", covered.seat, self.factor * covered.oxen, self.name),)


class Points(Space, frozen=True):
    """+X or -X: that many points."""

    points: int = 0

    def steps(self, covered: Covered) -> tuple[Step, ...]:
        """Score the printed number."""
        return (step("score", covered.seat, self.points, self.name),)


class Draw(Space, frozen=True):
    """Draw a tile or an action card: the space is named after the step that does it."""

    def steps(self, covered: Covered) -> tuple[Step, ...]:
        """Draw."""
        return (step(self.name, covered.seat),)


class Take(Space, frozen=True):
    """Take the row (ox): its other tiles count minus and leave the game (BRD-6, BRD-10)."""

    to_screen: ClassVar[bool] = False
    """Whether the taken tiles go behind the taker's screen."""

    def steps(self, covered: Covered) -> tuple[Step, ...]:
        """Take the row without any luck."""
        return (step("take_row", covered.seat, covered.row, covered.played),)

    def balance(self, oxen: int, lucky: int) -> int:
        """What the take scores, `lucky` of its oxen counting plus instead of minus (LUCK-5).

        >>> Take().balance(17, 0), Take().balance(17, 10)
        (-17, 3)
        """
        return 2 * lucky - oxen


class TakeTiles(Take, frozen=True):
    """Take the row (tiles): its other tiles go behind the taker's screen, and nobody loses points."""

    to_screen: ClassVar[bool] = True

    def balance(self, oxen: int, lucky: int) -> int:
        """Only the lucky oxen count, and they count plus (LUCK-10)."""
        return lucky


_BASIC: tuple[Space, ...] = (
    Space(),
    Double("double"),
    Oxen("green1", 1),
    Oxen("green2", 2),
    Oxen("red1", -1),
    Oxen("red2", -2),
    Take("take_ox"),
)
_EXPERT: tuple[Space, ...] = (*_BASIC, TakeTiles("take_tiles"), Draw("draw_tile"), Draw("draw_action"))
_BY_NAME = {space.name: space for space in _EXPERT}

BASIC_NAMES = frozenset(space.name for space in _BASIC)
EXPERT_NAMES = frozenset(_BY_NAME)
TAKE_NAMES = frozenset(space.name for space in _EXPERT if isinstance(space, Take))


def is_points(name: str) -> bool:
    """Whether a space is +X or -X, with X from 1 to 44.

    >>> is_points("-7"), is_points("+45"), is_points("7"), is_points("+07")
    (True, False, False, False)
    """
    sign, digits = name[:1], name[1:]
    plain = digits.isascii() and digits.isdigit() and len(digits) <= 2 and digits[0] != "0"
    return sign in ("+", "-") and plain and int(digits) <= 44


@cache
def space_named(name: str) -> Space:
    """Return the space of that name in a board file.

    >>> space_named("green2").steps(Covered(0, 3, 10, 3))
    (Step(name='score', args=(0, 6, 'green2')),)
    """
    return Points(name, int(name)) if is_points(name) else _BY_NAME[name]

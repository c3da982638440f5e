"""Playing a trick out lightly: of a row only what the cards to come meet, and no position is copied.

A window may offer a hundred ways to use a special card, and each is played out. `lookahead.end_of_trick`
does that by the whole rules, in ten times the time; what comes out here has to be the same.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left, insort
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

from bullpen.bots.heuristics.card_cost import price
from bullpen.engine import HEADS, Card, Seat

T = TypeVar("T")

Plays: TypeAlias = Sequence[tuple[Card, Seat]]
"""Cards to be placed and whose they are, the next one first."""

# Not a named tuple: thousands of them are made for one decision, and a plain one is made much faster.
LightRow: TypeAlias = tuple[Card, int, int, int, int]
"""A row: its end, how many cards lie in it, their bullheads, how many it holds, its place on the table."""


def light_row(cards: Sequence[Card], limit: int, place: int) -> LightRow:
    """Return what counts of a row; an empty one ends in 0."""
    return (cards[-1] if cards else 0, len(cards), price(cards), limit, place)


def with_card(row: LightRow, card: Card) -> LightRow:
    """Return a row that a card was put into where it keeps the order.

    >>> with_card((20, 2, 6, 5, 0), 15), with_card((20, 2, 6, 5, 0), 25)
    ((20, 3, 8, 5, 0), (25, 3, 8, 5, 0))
    """
    end, count, heads, limit, place = row
    last = card if card > end else end  # noqa: FURB136 a call of max takes longer
    return (last, count + 1, heads + HEADS[card], limit, place)


def without_card(row: LightRow, card: Card, cards: Sequence[Card]) -> LightRow:
    """Return a row that one of its cards has left.

    >>> without_card((20, 2, 6, 5, 0), 20, [10, 20]), without_card((20, 2, 6, 5, 0), 10, [10, 20])
    ((10, 1, 3, 5, 0), (20, 1, 3, 5, 0))
    """
    end, count, heads, limit, place = row
    if card == end:
        end = cards[-2] if count > 1 else 0
    return (end, count - 1, heads - HEADS[card], limit, place)


def with_room(row: LightRow) -> LightRow:
    """Return a row that holds one card more."""
    end, count, heads, limit, place = row
    return (end, count, heads, limit + 1, place)


def all_but(rows: Mapping[int, LightRow], place: int) -> list[LightRow]:
    """Return all rows but the one at that place."""
    return [row for other, row in rows.items() if other != place]


class LightTrick(ABC):
    """The open rows in the order of their ends, and what becomes of them; a game says what a take does."""

    rows: list[LightRow]

    def place(self, plays: Plays) -> None:
        """Place cards one after the other."""
        rows = self.rows
        for card, seat in plays:
            spot = bisect_left(rows, (card,)) - 1
            if spot >= 0:
                _, count, heads, limit, place = rows[spot]
                if count < limit:
                    # No end lies between the old one and the new one, so the rows stay in order.
                    rows[spot] = (card, count + 1, heads + HEADS[card], limit, place)
                    continue
            self.take(self.low_choice(seat) if spot < 0 else spot, card, seat)

    def is_low(self, card: Card) -> bool:
        """Whether a card fits no row."""
        return card < self.rows[0][0]

    def low_choice(self, seat: Seat) -> int:
        """Return which row is taken by a low card: as in `Heuristic.cost_choose_row`, the first of equals."""
        costs = [100 * heads - 10 * count + place for _, count, heads, _, place in self.rows]
        return costs.index(min(costs))

    def take(self, spot: int, card: Card, seat: Seat) -> None:
        """A row is taken by a card that comes after its end or is too low for all."""
        _, _, heads, _, place = self.rows.pop(spot)
        self.clear(place, heads + HEADS[card], card, seat)

    def lay(self, row: LightRow, seat: Seat) -> None:
        """Lay a row that a seat has put a card into; one that overflows is taken."""
        end, count, heads, limit, place = row
        if count > limit:
            self.clear(place, heads, end, seat)
        else:
            insort(self.rows, row)

    @abstractmethod
    def clear(self, place: int, heads: int, last: Card, seat: Seat) -> None:
        """A seat takes a row that has been lifted from the table, and its last card starts it afresh.

        `heads` are the bullheads of all its cards, the last one included.
        """


class Moves(Generic[T]):
    """What comes of moving a card from one row to another.

    Many cards of a row leave the same two rows behind, and those are played on with only once.
    """

    def __init__(
        self,
        rows: Mapping[int, LightRow],
        cards: Sequence[Sequence[Card]],
        play_on: Callable[[LightRow, LightRow], T],
    ) -> None:
        self._rows, self._play_on = rows, play_on
        self._left = {
            card: without_card(rows[place], card, cards[place]) for place in rows for card in cards[place]
        }
        self._known: dict[tuple[LightRow, LightRow], T] = {}

    def after(self, card: Card, number: int) -> T:
        """Return what comes of a card that goes to a row, which is counted from 1 as in targets."""
        pair = (self._left[card], with_card(self._rows[number - 1], card))
        found = self._known.get(pair)
        if found is None:
            found = self._known[pair] = self._play_on(*pair)
        return found

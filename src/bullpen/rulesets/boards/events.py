"""Events that only the board games have."""

from typing import ClassVar

from bullpen.engine import Event, Seat


class StopsRemoved(Event, frozen=True):
    """Somebody took a row, so the stop signs come off these rows (counted from 0)."""

    says: ClassVar[str] = "The stop signs are taken away."
    rows: tuple[int, ...]


class LuckDrawn(Event, frozen=True):
    """A seat passed a clover and took this luck card from its open pile."""

    says: ClassVar[str] = "{who} takes a luck card: {card}."
    seat: Seat
    card: str


class ActionsShuffled(Event, frozen=True):
    """So many discarded action cards are a new pile, face down."""

    says: ClassVar[str] = "The action cards are shuffled anew: {count}."
    count: int

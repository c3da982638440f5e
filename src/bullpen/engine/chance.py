"""Chance: the only randomness, passed in from outside."""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Protocol, TypeVar

from bullpen.engine.errors import NoMoreDeals, RecordError

T = TypeVar("T", int, str)


class Chance(Protocol):
    """Whatever can put a pile into a new order."""

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Return the cards in a new order; `pile` names the pile for the record."""


def stream(seed: int | str, purpose: str) -> random.Random:
    """Return a random generator of its own for a purpose, so that bots never disturb the deals.

    >>> stream(7, "deals").random() == stream(7, "deals").random() != stream(7, "bots").random()
    True
    """
    return random.Random(f"{seed}/{purpose}")


class Seeded:
    """Chance from a seed: the same seed gives the same deals."""

    def __init__(self, seed: int | str) -> None:
        self._random = stream(seed, "deals")

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Return the cards in random order: from the last place down, each gets one of those not placed yet.

        Written out, so that a seed means the same deals whatever Python's own shuffle does.
        """
        mixed, draw = cards[:], self._random.getrandbits
        for last in range(len(mixed) - 1, 0, -1):
            bits = (last + 1).bit_length()
            place = draw(bits)
            while place > last:
                place = draw(bits)
            mixed[last], mixed[place] = mixed[place], mixed[last]
        return mixed


class Scripted:
    """Chance that was written down: deals of a record or a test, used up one by one."""

    def __init__(self, deals: Iterable[tuple[str, tuple[int | str, ...]]]) -> None:
        self._deals = list(deals)
        self.used = 0

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Return the cards in the written order."""
        if self.used == len(self._deals):
            raise NoMoreDeals(f"deal {self.used + 1} ({pile}) is missing.")
        name, order = self._deals[self.used]
        self.used += 1
        if name != pile:
            raise RecordError(f"deal {self.used} is of {name[:20]!r}, but the game needs {pile!r} here.")
        if Counter(order) != Counter(cards):
            raise RecordError(f"deal {self.used} ({pile}) does not hold the right cards.")
        return list(order)  # type: ignore[arg-type]

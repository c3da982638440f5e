"""Perft: how many ways lead on from a position, and what they cost, counted one by one."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from bullpen.engine import Position, Ruleset, submit
from bullpen.engine.chance import T


class Perft(Struct, frozen=True):
    """So many ways, and what all of them together cost (on a board: bring) each seat.

    Two programs that count alike place, take and charge alike.
    """

    ways: int
    totals: tuple[int, ...]


class _Unmixed:
    """Chance that leaves a pile as it is, and tells that it was needed."""

    needed = False

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Return the cards as they lie."""
        self.needed = True
        return cards


def perft(rules: Ruleset[Any], position: Position, depth: int) -> Perft:
    """Count every way to answer the next `depth` questions; a way ends early with the game or at a shuffle.

    Simultaneous questions are answered in the order of `position.open_asks`, forced ones by themselves.

    >>> from bullpen.engine import Seeded, new_game
    >>> from bullpen.rulesets import make
    >>> rules = make("base", 2)
    >>> position, _ = new_game(rules, Seeded(1))
    >>> perft(rules, position, 2).ways
    100
    """
    ways, totals = 0, [0] * rules.players
    for last in leaves(rules, position, depth):
        ways += 1
        for seat, cost in enumerate(costs(rules, position, last)):
            totals[seat] += cost
    return Perft(ways, tuple(totals))


def leaves(rules: Ruleset[Any], position: Position, depth: int) -> Iterator[Position]:
    """Yield the position at the end of every way."""
    if not depth or position.result is not None:
        yield position
        return
    ask = position.open_asks[0]
    for choice in ask.options:
        chance = _Unmixed()
        after, _ = submit(rules, position, ask.seats[0], choice, chance)
        yield from leaves(rules, after, 0 if chance.needed else depth - 1)


def costs(rules: Ruleset[Any], start: Position, last: Position) -> tuple[int, ...]:
    """Return what a way cost: the round that it finished, or else what stands so far."""
    if rules.furniture.scoring.counts == "points":
        return tuple(last.scores)
    if len(last.score_sheet) > len(start.score_sheet):
        return last.score_sheet[len(start.score_sheet)]
    return tuple(last.points)

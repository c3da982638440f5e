"""Luck and skill: a result taken apart so that the parts add up to it exactly.

A seat's expectation of a round goes from what is usual (par) to what the cards dealt promise, then with every
decision from what the best choice promises to what the chosen one does, and with the others' cards on to the
next decision, until what is expected is what has happened. All amounts are whole thousandths.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bullpen.analysis.shapes import Share
from bullpen.engine import Seat


class Stage(NamedTuple):
    """A decision of a seat: what the whole round promised with the best choice, and with the one it made."""

    round: int
    trick: int
    seat: Seat
    best: int
    chosen: int


def shares_of(stages: Sequence[Stage], seat: Seat, results: Sequence[int], par: int) -> list[Share]:
    """Return what made a seat's results, trick by trick; `results` are those of the rounds, in order.

    >>> shares = shares_of([Stage(1, 1, 0, 9000, 9500), Stage(1, 2, 0, 7000, 7000)], 0, [12], 10_000)
    >>> [(share.deal, share.others, share.own) for share in shares]
    [(-1000, -2500, 500), (0, 5000, 0)]
    >>> 10_000 + sum(share.deal + share.others + share.own for share in shares)
    12000
    """
    found: list[Share] = []
    for number, result in enumerate(results, start=1):
        own = [stage for stage in stages if stage.round == number and stage.seat == seat]
        found += _of_round(own, seat, number, 1000 * result, par)
    return found


def _of_round(stages: Sequence[Stage], seat: Seat, number: int, result: int, par: int) -> list[Share]:
    if not stages:
        # Nothing to decide in the whole round: the deal is all there is.
        return [Share(number, 1, seat, result - par, 0, 0)]
    reached = [*(stage.best for stage in stages[1:]), result]
    tricks: dict[int, list[int]] = {}
    for place, (stage, then) in enumerate(zip(stages, reached, strict=True)):
        parts = tricks.setdefault(stage.trick, [0, 0, 0])
        parts[0] += stage.best - par if place == 0 else 0
        parts[1] += then - stage.chosen
        parts[2] += stage.chosen - stage.best
    return [Share(number, trick, seat, *parts) for trick, parts in tricks.items()]

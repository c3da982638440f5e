"""The risk of a card in a row: how many others land before it, given the cards that nobody has seen."""

from collections.abc import Iterable, Sequence
from functools import cache
from math import comb
from typing import NamedTuple

from bullpen.engine import Card, bullheads

STEPS = 64
"""Chances are looked up in a table with so many steps."""


class Row(NamedTuple):
    """A row as the next card meets it: its end, how many cards it still holds, and what taking it costs."""

    end: Card
    room: int
    heads: int


class Weights(NamedTuple):
    """What counts beside the take that threatens now; found by playing heuristics against each other."""

    joined: float = 2.0
    """What each card that joins a row before it is taken adds to its price."""
    undercut: float = 0.7
    """What it costs to play a low card that others may undercut: it goes who knows where."""
    crowd: float = 0.1
    """What unseen cards between the row's end and the card cost, if all were there."""
    outer: float = 0.7
    """What it is worth to play the lowest and the highest cards early."""


USUAL = Weights()


def bits(cards: Iterable[Card]) -> int:
    """Return a set of cards as a number."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def count_between(cards: int, low: Card, high: Card) -> int:
    """Return how many cards of a set lie strictly between two numbers.

    >>> count_between(bits([3, 5, 8]), 3, 8)
    1
    """
    return ((cards >> (low + 1)) & ((1 << max(0, high - low - 1)) - 1)).bit_count()


@cache
def exactly(players: int) -> tuple[tuple[float, ...], ...]:
    """Return the chance that exactly so many of the players hit, by how likely each of them is to.

    `exactly(m)[k][step]` is for k of m and a chance of step / STEPS.

    >>> exactly(2)[1][STEPS // 2]
    0.5
    """
    chances = [step / STEPS for step in range(STEPS + 1)]
    return tuple(
        tuple(comb(players, hits) * p**hits * (1 - p) ** (players - hits) for p in chances)
        for hits in range(players + 1)
    )


def chance(players: int, hits: int, share: float) -> float:
    """Return the chance that exactly so many of the players hit."""
    if hits > players:
        return 0.0
    return exactly(players)[hits][min(STEPS, int(share * STEPS + 0.5))]


def price(row: Sequence[Card]) -> int:
    """Return what taking a row costs."""
    return bullheads(*row)


def card_cost(
    card: Card, rows: Sequence[Row], unseen: int, others: int, left: float, weights: Weights = USUAL
) -> float:
    """Return what playing a card is expected to cost, in bullheads and what is like them.

    `rows` are sorted by their ends; `others` is how many cards are played beside this one; `left` is the
    share of the round that is left.
    """
    cost = -weights.outer * left * abs(card / 52 - 1)
    total = unseen.bit_count() or 1
    target = None
    for row in rows:
        if row.end > card:
            break
        target = row
    if target is None:
        cheapest = min([row.heads for row in rows])
        lowest = chance(others, 0, count_between(unseen, 0, card) / total)
        return cost + cheapest * lowest + weights.undercut * (1 - lowest)
    crowd = count_between(unseen, target.end, card) / total
    sixth = chance(others, target.room, crowd)
    return cost + sixth * (target.heads + weights.joined * target.room) + weights.crowd * crowd

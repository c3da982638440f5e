"""The last two tricks, in which nothing is worth remembering."""

import numpy as np

from bullpen.bots.compiled import piece, real
from bullpen.bots.search.endgame.position import ROWS, lowest, put, rows_below, take
from bullpen.bots.search.endgame.state import Endgame


@piece
def last_trick(e: Endgame, rows: int, first: int, second: int) -> float:
    """Return what the last trick is worth."""
    card, other = min(first, second), max(first, second)
    sign = -1 if first < second else 1
    if rows_below(rows, card):
        after, cost = put(rows, card, e.heads[card])
        _, more = put(after, other, e.heads[other])
        return real(sign * (cost - more))
    best = -1000
    for place in range(ROWS):
        after, cost = take(rows, place, card, e.heads[card])
        _, more = put(after, other, e.heads[other])
        best = max(best, more - cost)
    return real(-sign * best)


@piece
def last_but_one(e: Endgame, rows: int, cards: tuple[int, int], last: tuple[int, int]) -> float:
    """Return what it is worth to play these cards and then the last ones."""
    card, other = min(cards), max(cards)
    sign = -1 if cards[0] < cards[1] else 1
    if rows_below(rows, card):
        after, cost = put(rows, card, e.heads[card])
        after, more = put(after, other, e.heads[other])
        return real(sign * (cost - more)) + last_trick(e, after, last[0], last[1])
    best = -np.inf
    for place in range(ROWS):
        after, cost = take(rows, place, card, e.heads[card])
        after, more = put(after, other, e.heads[other])
        best = max(best, real(more - cost) - sign * last_trick(e, after, last[0], last[1]))
    return -sign * best


@piece
def two_tricks(e: Endgame, rows: int, mine: int, theirs: int) -> float:
    """Return what a position with two cards each is worth."""
    x, y = lowest(mine), lowest(theirs)
    u, v = lowest(mine & ~(1 << x)), lowest(theirs & ~(1 << y))
    a = last_but_one(e, rows, (x, y), (u, v))
    b = last_but_one(e, rows, (x, v), (u, y))
    c = last_but_one(e, rows, (u, y), (x, v))
    d = last_but_one(e, rows, (u, v), (x, y))
    lower, upper = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return lower if lower == upper else (a * d - b * c) / (a + d - b - c)


@piece
def few_tricks(e: Endgame, level: int, rows: int, hands: tuple[int, int]) -> float:
    """Return what a position with at most two cards each is worth."""
    if level == 0:
        return 0.0
    if level == 1:
        return last_trick(e, rows, lowest(hands[0]), lowest(hands[1]))
    return two_tricks(e, rows, hands[0], hands[1])

"""A trick: both cards are laid, a low one at one row after the other."""

import numpy as np

from bullpen.bots.compiled import piece, real, whole
from bullpen.bots.search.endgame.last_tricks import few_tricks
from bullpen.bots.search.endgame.met_before import recall
from bullpen.bots.search.endgame.mixing import Question, open_level
from bullpen.bots.search.endgame.position import ROWS, cheapest, put, rows_below, take
from bullpen.bots.search.endgame.state import Endgame, Tricks

ALL_ROWS = (1 << ROWS) - 1


@piece
def open_trick(e: Endgame, level: int, asked: Question) -> None:
    """Let both seats play their cards."""
    x, t = e.levels, e.tricks
    first, second = x.cards[level, 0, asked.first], x.cards[level, 1, asked.second]
    t.places[level, 0], t.places[level, 1] = asked.first, asked.second
    t.cards[level, 0], t.cards[level, 1] = min(first, second), max(first, second)
    t.sign[level] = -1 if first < second else 1
    t.window[level, 0], t.window[level, 1] = asked.low, asked.high
    t.tried[level] = 0
    t.best[level] = -np.inf


@piece
def go_on(e: Endgame, level: int) -> bool:
    """Try one row after the other; return whether the position of the level below must be looked at first."""
    t = e.tricks
    hands = (after_card(e, level, 0), after_card(e, level, 1))
    while t.tried[level] != ALL_ROWS and not is_cut(t, level):
        rows = lay_both(e, level)
        gain, (low, high) = t.gain[level], wanted(t, level)
        if level <= 3:
            note(t, level, gain + few_tricks(e, level - 1, rows, hands))
            continue
        least, most = recall(e, rows, hands)
        low, high = max(low - gain, least), min(high - gain, most)
        if least == most or low >= high:
            note(t, level, gain + (least if least >= high else most))
        else:
            open_level(e, level - 1, rows, hands, (low, high))
            return True
    return False


@piece
def after_card(e: Endgame, level: int, seat: int) -> int:
    """Return the hand of a seat without the card that it plays."""
    card = whole(e.levels.cards[level, seat, e.tricks.places[level, seat]])
    return whole(e.levels.hands[level, seat]) & ~(1 << card)


@piece
def is_cut(t: Tricks, level: int) -> bool:
    """Whether the owner of the lower card has a row that is better than was asked for."""
    best = real(t.best[level])
    return best >= real(t.window[level, 1]) if t.sign[level] < 0 else -best <= real(t.window[level, 0])


@piece
def wanted(t: Tricks, level: int) -> tuple[float, float]:
    """Return what the worth of the next row must lie between to be wanted exactly."""
    low, high = t.window[level, 0], t.window[level, 1]
    if t.sign[level] < 0:
        return max(low, t.best[level]), high
    return low, min(high, -t.best[level])


@piece
def note(t: Tricks, level: int, found: float) -> None:
    """Note what a row is worth to the owner of the lower card."""
    t.best[level] = max(t.best[level], -t.sign[level] * found)


@piece
def lay_both(e: Endgame, level: int) -> int:
    """Lay both cards, a low one at the cheapest row that was not tried; return the rows and note the gain."""
    t, rows = e.tricks, e.levels.rows[level]
    card, other = t.cards[level, 0], t.cards[level, 1]
    if rows_below(rows, card):
        t.tried[level] = ALL_ROWS
        rows, cost = put(rows, card, e.heads[card])
    else:
        place = cheapest(rows, t.tried[level])
        t.tried[level] |= 1 << place
        rows, cost = take(rows, place, card, e.heads[card])
    rows, more = put(rows, other, e.heads[other])
    t.gain[level] = t.sign[level] * (cost - more)
    return rows

"""A choice of both seats: cards are thought of one after the other, and mixed.

A position of a level asks for the worth of one pair of cards after the other (`next_question`), and is told
(`settle`), until its own worth is known.
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import piece
from bullpen.bots.search.endgame.position import lowest
from bullpen.bots.search.endgame.state import Endgame, Levels
from bullpen.bots.search.matrix import game_value

NOTHING = 1e-12
"""A card must do better by more than this to be thought of; a smaller share of a mix is rounding."""
FAR = 1000.0
"""More than any position is worth."""
KNOWN, THOUGHT_OF = -1, -2
"""Instead of a question: there is nothing to ask; or a better card was found."""


class Question(NamedTuple):
    """Which pair of places is asked for, and what its worth must lie between to be wanted exactly."""

    first: int
    second: int
    low: float
    high: float


@piece
def open_level(
    e: Endgame, level: int, rows: int, hands: tuple[int, int], window: tuple[float, float]
) -> None:
    """Begin with a position, each seat thinking of the card that did best at this level last."""
    x = e.levels
    x.rows[level] = rows
    x.mixed[level] = False
    for seat in range(2):
        x.hands[level, seat] = hands[seat]
        x.window[level, seat] = window[seat]
        x.sizes[level, seat] = 1
        x.thought[level, seat, 0] = 0
        left = hands[seat]
        for place in range(level):
            card = lowest(left)
            left &= left - 1
            x.cards[level, seat, place] = card
            if card == e.usual[level, seat]:
                x.thought[level, seat, 0] = place
    for i in range(level):
        for j in range(level):
            x.least[level, i, j], x.most[level, i, j] = -FAR, FAR


@piece
def next_question(e: Endgame, level: int) -> Question:
    """Return the pair of cards whose worth must be known next; KNOWN once the position's own is."""
    x = e.levels
    while True:
        if not x.mixed[level]:
            asked = unknown_pair(x, level)
            if asked.first >= 0:
                return asked
            mix(e, level)
        value, low, high = x.value[level], x.window[level, 0], x.window[level, 1]
        too_much = value >= high
        asked = better_card(x, level, 1, high) if too_much else better_card(x, level, 0, max(value, low))
        if asked.first == KNOWN and (too_much or value <= low):
            x.value[level] = high if too_much else low
            return asked
        if asked.first == KNOWN:
            asked = better_card(x, level, 1, value)
            if asked.first == KNOWN:
                return asked
        if asked.first >= 0:
            return asked


@piece
def unknown_pair(x: Levels, level: int) -> Question:
    """Return a pair of the cards thought of that is not known exactly, if there is one."""
    for k in range(x.sizes[level, 0]):
        i = x.thought[level, 0, k]
        for n in range(x.sizes[level, 1]):
            j = x.thought[level, 1, n]
            if x.least[level, i, j] < x.most[level, i, j]:
                return Question(i, j, -np.inf, np.inf)
    return Question(KNOWN, KNOWN, 0.0, 0.0)


@piece
def mix(e: Endgame, level: int) -> None:
    """Solve the game in which only the cards thought of can be played."""
    x = e.levels
    m, n = x.sizes[level, 0], x.sizes[level, 1]
    for k in range(m):
        for other in range(n):
            e.small[k, other] = x.least[level, x.thought[level, 0, k], x.thought[level, 1, other]]
    x.value[level] = game_value(e.small, m, n, e.paper, e.weights)
    x.mixed[level] = True
    for seat in range(2):
        for place in range(level):
            x.mixes[level, seat, place] = 0.0
        for k in range(x.sizes[level, seat]):
            share = e.weights[seat, k]
            x.mixes[level, seat, x.thought[level, seat, k]] = share if share > NOTHING else 0.0


@piece
def better_card(x: Levels, level: int, seat: int, bar: float) -> Question:
    """Look for a card that beats the bar against the other's mix.

    Returns KNOWN if there is none, THOUGHT_OF if there was one, else the pair that must be known to tell.
    """
    for place in range(level):
        if is_thought_of(x, level, seat, place):
            continue
        asked = beats(x, level, seat, place, bar)
        if asked.first != KNOWN:
            if asked.first == THOUGHT_OF:
                x.thought[level, seat, x.sizes[level, seat]] = place
                x.sizes[level, seat] += 1
                x.mixed[level] = False
            return asked
    return Question(KNOWN, KNOWN, 0.0, 0.0)


@piece
def is_thought_of(x: Levels, level: int, seat: int, place: int) -> bool:
    """Whether a card is among those that a seat mixes."""
    found = False
    for k in range(x.sizes[level, seat]):
        found |= x.thought[level, seat, k] == place
    return found


@piece
def beats(x: Levels, level: int, seat: int, place: int, bar: float) -> Question:
    """Tell whether a card beats the bar, as `better_card` does.

    All but the last card of the other's mix must be known exactly; of the last one a bound is enough.
    """
    sign = 1.0 - 2.0 * seat
    last = -1
    for other in range(level):
        weight = x.mixes[level, 1 - seat, other]
        if weight > 0.0:
            if last >= 0:
                i, j = (place, last) if seat == 0 else (last, place)
                if x.least[level, i, j] < x.most[level, i, j]:
                    return Question(i, j, -np.inf, np.inf)
                bar -= x.mixes[level, 1 - seat, last] * x.least[level, i, j]
            last = other
    weight = x.mixes[level, 1 - seat, last]
    need = max(-FAR, min(FAR, bar / weight))
    i, j = (place, last) if seat == 0 else (last, place)
    least, most = x.least[level, i, j], x.most[level, i, j]
    hoped = most if seat == 0 else least
    if sign * (hoped - need) * weight <= NOTHING:
        return Question(KNOWN, KNOWN, 0.0, 0.0)
    if least == most:
        return Question(THOUGHT_OF, THOUGHT_OF, 0.0, 0.0)
    return Question(i, j, need, np.inf) if seat == 0 else Question(i, j, -np.inf, need)


@piece
def settle(x: Levels, level: int, asked: Question, found: float) -> None:
    """Note what a pair of cards is worth."""
    # Sums and differences on the way there round, so a bound may come back a little beyond itself.
    if found > asked.low + NOTHING:
        x.least[level, asked.first, asked.second] = found
    if found < asked.high - NOTHING:
        x.most[level, asked.first, asked.second] = found


@piece
def keep_usual(e: Endgame, level: int) -> None:
    """Remember the card that each seat plays most: likely good in the next position of this level."""
    x = e.levels
    for seat in range(2):
        best = 0
        for place in range(1, level):
            if x.mixes[level, seat, place] > x.mixes[level, seat, best]:
                best = place
        e.usual[level, seat] = x.cards[level, seat, best]

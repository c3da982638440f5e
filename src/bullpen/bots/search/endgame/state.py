"""What an endgame is worked out on: the positions and tricks on the way down, and all that is remembered."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array
from bullpen.bots.search.matrix import Paper, new_paper

MOST = 10
"""The largest hands that can be written down; what can be solved in time is fewer."""
REMEMBERED = (0, 0, 0, 0, 8, 12, 16, 20, 21, 21, 21)
"""How many positions are kept in memory, as a power of two, by cards in a hand."""


class Levels(NamedTuple):
    """The positions on the way to the one being looked at, by level: the number of cards in each hand."""

    rows: Array
    """int64 [level]"""
    hands: Array
    """int64 [level, 2]: the cards of both seats, a bit each."""
    cards: Array
    """int64 [level, 2, MOST]: the same as lists, the lowest first; a card's *place* is its place there."""
    window: Array
    """float64 [level, 2]: what the worth must lie between to be wanted exactly."""
    value: Array
    """float64 [level]: what it is worth with the cards thought of, and in the end."""
    least: Array
    """float64 [level, MOST, MOST]: what each pair of places is worth at least."""
    most: Array
    """float64 [level, MOST, MOST]: and at most."""
    thought: Array
    """int64 [level, 2, MOST]: the places of the cards thought of."""
    sizes: Array
    """int64 [level, 2]: how many those are."""
    mixes: Array
    """float64 [level, 2, MOST]: both mixes, by place."""
    mixed: Array
    """bool [level]: whether the mixes are those of the cards thought of."""


class Tricks(NamedTuple):
    """The tricks between those positions, by the level that they begin at."""

    places: Array
    """int64 [level, 2]: the places of both cards."""
    cards: Array
    """int64 [level, 2]: the lower card and the higher one."""
    sign: Array
    """int64 [level]: 1 if the lower card is seat 1's, else -1."""
    window: Array
    """float64 [level, 2]: what the worth must lie between to be wanted exactly."""
    tried: Array
    """int64 [level]: the rows that were tried for a low card, a bit each; all if it is not low."""
    best: Array
    """float64 [level]: the best so far for the owner of the lower card."""
    gain: Array
    """float64 [level]: what seat 0 gains in the trick itself."""


class Endgame(NamedTuple):
    """An endgame: what is the same in all of it, and working memory."""

    heads: Array
    """int64 [32]: bullheads by number."""
    levels: Levels
    tricks: Tricks
    usual: Array
    """int64 [level, 2]: the card most played where this level was solved last."""
    small: Array
    """float64 [MOST, MOST]: the matrix of the cards thought of."""
    weights: Array
    """float64 [2, MOST]: its mixes."""
    paper: Paper
    keys: Array
    """uint64 [2^n, 2]: positions met before."""
    bounds: Array
    """float64 [2^n, 2]: between what their worth lies."""


def new_endgame(top: int, heads: Sequence[int]) -> Endgame:
    """Return memory for an endgame with so many cards in each hand, of these bullheads by number."""
    n, size = top + 1, 1 << REMEMBERED[top]
    return Endgame(
        heads=np.array([*heads, *[0] * (32 - len(heads))], np.int64),
        levels=Levels(
            rows=np.zeros(n, np.int64),
            hands=np.zeros((n, 2), np.int64),
            cards=np.zeros((n, 2, MOST), np.int64),
            window=np.zeros((n, 2)),
            value=np.zeros(n),
            least=np.zeros((n, MOST, MOST)),
            most=np.zeros((n, MOST, MOST)),
            thought=np.zeros((n, 2, MOST), np.int64),
            sizes=np.zeros((n, 2), np.int64),
            mixes=np.zeros((n, 2, MOST)),
            mixed=np.zeros(n, np.bool_),
        ),
        tricks=Tricks(
            places=np.zeros((n, 2), np.int64),
            cards=np.zeros((n, 2), np.int64),
            sign=np.zeros(n, np.int64),
            window=np.zeros((n, 2)),
            tried=np.zeros(n, np.int64),
            best=np.zeros(n),
            gain=np.zeros(n),
        ),
        usual=np.zeros((n, 2), np.int64),
        small=np.zeros((MOST, MOST)),
        weights=np.zeros((2, MOST)),
        paper=new_paper(MOST),
        keys=np.zeros((size, 2), np.uint64),
        bounds=np.zeros((size, 2)),
    )

"""Positions met before, as two words each (rows and hands), and between what their worth is known to lie."""

import numpy as np

from bullpen.bots.compiled import piece, whole
from bullpen.bots.search.endgame.position import U, shape
from bullpen.bots.search.endgame.state import Endgame

ODD = (U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F), U(0xBF58476D1CE4E5B9))


@piece
def slot(e: Endgame, key: np.uint64, more: np.uint64) -> int:
    """Return where a position would be kept."""
    mixed = key * ODD[0] ^ more * ODD[1]
    mixed = (mixed ^ mixed >> U(29)) * ODD[2]
    return whole((mixed ^ mixed >> U(32)) & U(e.keys.shape[0] - 1))


@piece
def recall(e: Endgame, rows: int, hands: tuple[int, int]) -> tuple[float, float]:
    """Return between what the worth of a position is known to lie."""
    key, more = U(shape(rows, hands[0] | hands[1])), U(hands[0] | hands[1] << 32)
    place = slot(e, key, more)
    if e.keys[place, 0] == key and e.keys[place, 1] == more:
        return e.bounds[place, 0], e.bounds[place, 1]
    return -np.inf, np.inf


@piece
def remember(e: Endgame, level: int) -> None:
    """Keep what has been found out about the position of a level."""
    x = e.levels
    rows, mine, theirs, value = x.rows[level], x.hands[level, 0], x.hands[level, 1], x.value[level]
    least, most = recall(e, rows, (mine, theirs))
    if value > x.window[level, 0]:
        least = max(least, value)
    if value < x.window[level, 1]:
        most = min(most, value)
    key, more = U(shape(rows, mine | theirs)), U(mine | theirs << 32)
    place = slot(e, key, more)
    e.keys[place, 0], e.keys[place, 1] = key, more
    e.bounds[place, 0], e.bounds[place, 1] = least, most

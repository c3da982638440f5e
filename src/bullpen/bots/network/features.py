"""What the network is told: 63 numbers about the scene, and 24 about every play that is possible.

Training is told by the same functions (`training.features`), which a CUDA device can run as well: what a
network was trained on it must be shown in play.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from bullpen.bots.card_sets import count, single, under
from bullpen.bots.compiled import Array, piece, rule, whole
from bullpen.bots.estimates.compiled_view import (
    MOST_PLAYS,
    OUT,
    Eyes,
    Hand,
    catch_rows,
    caught_by,
    fewest_heads,
    list_plays,
    room_of,
    split,
)
from bullpen.fast.rules import EVEN_ODD, HEADS, JUMPING_COW, MOUNTAIN, PROFESSIONAL, Table

PLAY, SCENE = 24, 63
"""Numbers that describe a possible play, and those of the scene around it."""
WILD = SCENE - 1
"""The place in the scene of the share of others that is thought to play any card alike."""
GRID = 256


def _binomials() -> tuple[Array, Array]:
    """Return P(exactly s of m) and P(more than s of m) as [m, s, q] with chance q / GRID."""
    exact, more = np.zeros((10, 6, GRID + 1)), np.zeros((10, 6, GRID + 1))
    q = np.arange(GRID + 1) / GRID
    for m in range(10):
        for k in range(m + 1):
            chance = comb(m, k) * q**k * (1 - q) ** (m - k)
            for s in range(6):
                if k == s:
                    exact[m, s] = chance
                elif k > s:
                    more[m, s] += chance
    return exact.astype(np.float32), more.astype(np.float32)


EXACT, MORE = _binomials()


class Inputs(NamedTuple):
    """What the network is told, and the chances that it is worked out with."""

    plays: Array
    """float32 [MOST_PLAYS, PLAY]."""
    scene: Array
    """float32 [SCENE]."""
    exact: Array
    """EXACT, which a device must be given."""
    more: Array


def new_inputs() -> Inputs:
    """Return working memory for one thread."""
    return Inputs(np.zeros((MOST_PLAYS, PLAY), np.float32), np.zeros(SCENE, np.float32), EXACT, MORE)


@rule
def unseen_by(me: Hand) -> int:
    """Return how many cards a seat has not seen, to be divided by."""
    return max(count(me.unseen_low, me.unseen_high), 1)


@piece
def describe_row(code: int, t: Table, b: int, x: Array, row: int, value: int) -> tuple[int, int]:
    """Write down the numbers of the row that a value goes to; return its room and its bullheads."""
    cheapest = fewest_heads(t, b)
    if row == OUT:
        x[2] = 1.0
        x[23] = cheapest / 10.0
        return 0, cheapest
    room = room_of(code, t, b, row)
    x[3 + room] = 1.0
    x[16] = 1.0 if code in (EVEN_ODD, MOUNTAIN, JUMPING_COW) and t.mark[b, 0] == row else 0.0
    x[17] = 1.0 if code & 7 == PROFESSIONAL and value < t.rows[b, row, 0] else 0.0
    x[20] = abs(value - whole(t.ends[b, row])) / 104.0
    return room, whole(t.heads[b, row])


@piece
def describe_play(code: int, t: Table, b: int, eyes: Eyes, me: Hand, i: int, told: Inputs) -> None:
    """Write down the numbers of one play."""
    card, value, m, x = eyes.cards[i], eyes.values[i], me.players - 1, told.plays[i]
    unseen = unseen_by(me)
    for k in range(PLAY):
        x[k] = 0.0
    row = caught_by(eyes.catch, value)
    room, heads = describe_row(code, t, b, x, row, value)
    same, above = split(me.unseen_low, me.unseen_high, eyes, row, value)
    gone_low, gone_high = single(card)
    own_below, own_above = split(me.low & ~gone_low, me.high & ~gone_high, eyes, row, value)
    under_low, under_high = under(value)
    lower = count(me.unseen_low & under_low, me.unseen_high & under_high)
    q = same * GRID // unseen
    x[0] = value / 104.0
    x[1] = HEADS[card] / 7.0
    x[8] = heads / 10.0
    x[9] = same / unseen
    x[10] = above / unseen
    x[11] = told.exact[m, room, q]
    x[12] = told.more[m, room, q]
    x[13] = x[11] * (heads + 1.7 * room) / 10.0
    x[14] = own_below / 4.0
    x[15] = own_above / 4.0
    x[18] = value & 1
    x[19] = 1.0 if value != card else 0.0
    x[21] = lower / unseen
    x[22] = told.exact[m, 0, lower * GRID // unseen]


@piece
def describe_scene(code: int, t: Table, b: int, eyes: Eyes, me: Hand, x: Array) -> None:
    """Write down the numbers of the scene, the rows ordered by their ends."""
    size, unseen = count(me.low, me.high), unseen_by(me)
    for k in range(SCENE):
        x[k] = 0.0
    x[min(size, 10)] = 1.0
    x[11 + me.players - 2] = 1.0
    x[20] = count(me.unseen_low, me.unseen_high) / 100.0
    x[21] = (me.players - 1) * size / unseen
    x[22] = fewest_heads(t, b) / 10.0
    x[23] = count(eyes.catch[OUT, 0] & me.unseen_low, eyes.catch[OUT, 1] & me.unseen_high) / unseen
    x[24] = count(eyes.catch[OUT, 0] & me.low, eyes.catch[OUT, 1] & me.high) / 4.0
    x[25] = t.mark[b, 1] if code in (EVEN_ODD, MOUNTAIN) else 0.0
    x[26] = 1.0 if me.flip else 0.0
    x[27] = me.others_flips / (me.players - 1)
    x[28] = me.later / 10.0
    x[29] = size / 10.0
    for r in range(4):
        place = 0
        for other in range(4):
            if t.ends[b, other] < t.ends[b, r]:
                place += 1
        at = 30 + 8 * place
        room = room_of(code, t, b, r)
        marked = code in (EVEN_ODD, MOUNTAIN, JUMPING_COW) and t.mark[b, 0] == r
        x[at] = t.ends[b, r] / 104.0
        x[at + 1] = 1.0 if room == 0 else 0.0
        x[at + 2] = room / 5.0
        x[at + 3] = t.heads[b, r] / 10.0
        x[at + 4] = 1.0 if marked else 0.0
        x[at + 5] = count(eyes.catch[r, 0] & me.unseen_low, eyes.catch[r, 1] & me.unseen_high) / unseen
        x[at + 6] = count(eyes.catch[r, 0] & me.low, eyes.catch[r, 1] & me.high) / 4.0
        x[at + 7] = t.rows[b, r, 0] / 104.0
    x[WILD] = me.wild


@piece
def describe_listed(code: int, t: Table, b: int, eyes: Eyes, me: Hand, size: int, told: Inputs) -> None:
    """Describe table b as a seat sees it, with as many plays as have been listed."""
    catch_rows(code, t, b, eyes.catch)
    for i in range(size):
        describe_play(code, t, b, eyes, me, i, told)
    describe_scene(code, t, b, eyes, me, told.scene)


@piece
def describe(code: int, t: Table, b: int, eyes: Eyes, me: Hand, told: Inputs) -> int:
    """Describe table b as a seat sees it; return how many plays it has."""
    size = list_plays(eyes, me)
    describe_listed(code, t, b, eyes, me, size, told)
    return size

"""What a seat makes of a table, in numbers: which row catches which card, and the network's input.

The same numbers as `training.features`: what a network was trained on it must be shown in play.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, U, count, has, piece, rule, single, under, whole
from bullpen.fast.rules import (
    BASE,
    EVEN_ODD,
    HEADS,
    JUMPING_COW,
    MOUNTAIN,
    NOWHERE,
    PROFESSIONAL,
    TIE,
    Table,
    cheapest,
    spot_for,
)
from bullpen.fast.trick import can_flip, swapped

ITEM, SCENE, ITEMS = 24, 63, 50
"""Numbers that describe a possible play, those of the scene around it, and the most plays there are."""
GRID = 256
OUT = 4
"""Stands for "no row"."""


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


class Eyes(NamedTuple):
    """Working memory for looking at a table."""

    catch: Array
    """uint64 [5, 2]: the numbers that each row catches, and those that fit nowhere."""
    items: Array
    """float32 [ITEMS, ITEM]: the plays."""
    scene: Array
    """float32 [SCENE]."""
    cards: Array
    """int64 [ITEMS]: the card of each play."""
    values: Array
    """int64 [ITEMS]: its value, with digits swapped or not."""


def new_eyes() -> Eyes:
    """Return working memory for one thread."""
    return Eyes(
        np.zeros((5, 2), np.uint64),
        np.zeros((ITEMS, ITEM), np.float32),
        np.zeros(SCENE, np.float32),
        np.zeros(ITEMS, np.int64),
        np.zeros(ITEMS, np.int64),
    )


@rule
def catch_ascending(t: Table, b: int, catch: Array) -> None:
    """Each row catches the numbers above its end up to the next higher end."""
    for r in range(4):
        end = whole(t.ends[b, r])
        high = 104
        for other in range(4):
            end2 = whole(t.ends[b, other])
            if end < end2 <= high:
                high = end2
        low_a, high_a = under(high + 1)
        low_b, high_b = under(end + 1)
        catch[r, 0] = low_a & ~low_b
        catch[r, 1] = high_a & ~high_b
    lowest = min(t.ends[b, 0], t.ends[b, 1], t.ends[b, 2], t.ends[b, 3])
    low_a, high_a = under(whole(lowest) + 1)
    catch[OUT, 0] = low_a
    catch[OUT, 1] = high_a


@piece
def catch_rows(code: int, t: Table, b: int, catch: Array) -> None:
    """Note which row catches which number; of two that are equally near, what costs less now."""
    if code in (BASE, JUMPING_COW):
        catch_ascending(t, b, catch)
        return
    for r in range(5):
        catch[r, 0] = catch[r, 1] = U(0)
    for value in range(1, 105):
        spot = spot_for(code, t, b, value)
        if spot >= TIE:
            spot = cheapest(t, b, spot)
        row = OUT if spot == NOWHERE else spot & 3
        catch[row, value >> 6] |= U(1) << U(value & 63)


@rule
def caught_by(catch: Array, value: int) -> int:
    """Return the row that catches a number, or OUT."""
    for r in range(4):
        if has(catch[r, 0], catch[r, 1], value):
            return r
    return OUT


@rule
def room_of(code: int, t: Table, b: int, row: int) -> int:
    """Return how many cards a row takes before it is full; the Cow counts as one."""
    cow = code == JUMPING_COW and t.mark[b, 0] == row
    return 5 - whole(t.counts[b, row]) - (1 if cow else 0)


@rule
def fewest_heads(t: Table, b: int) -> int:
    """Return the bullheads of the cheapest row."""
    return whole(min(t.heads[b, 0], t.heads[b, 1], t.heads[b, 2], t.heads[b, 3]))


class Hand(NamedTuple):
    """A seat's cards and what it has not seen, as sets, and where it stands in the round."""

    low: np.uint64
    high: np.uint64
    unseen_low: np.uint64
    unseen_high: np.uint64
    players: int
    flip: bool
    others_flips: int
    later: int
    digits: int
    wild: float
    """The share of the others that is thought to play any card alike."""


@rule
def list_plays(eyes: Eyes, me: Hand) -> int:
    """List the cards that can be played, then those worth playing with the flip card; return how many."""
    size = 0
    for turned in range(2 if me.flip else 1):
        for word in range(2):
            left = me.low if word == 0 else me.high
            while left != U(0):
                card = count((left & (~left + U(1))) - U(1), U(0)) + 64 * word
                left &= left - U(1)
                value = swapped(card, me.digits) if turned else card
                if turned == 0 or (can_flip(card, me.digits) and value != card):
                    eyes.cards[size] = card
                    eyes.values[size] = value
                    size += 1
    return size


@rule
def split(low: np.uint64, high: np.uint64, eyes: Eyes, row: int, value: int) -> tuple[int, int]:
    """Return how many cards of a set go to a row below a value, and above it."""
    here_low, here_high = low & eyes.catch[row, 0], high & eyes.catch[row, 1]
    under_low, under_high = under(value)
    lower = count(here_low & under_low, here_high & under_high)
    equal = 1 if has(here_low, here_high, value) else 0
    return lower, count(here_low, here_high) - lower - equal


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
def describe_play(code: int, t: Table, b: int, eyes: Eyes, me: Hand, i: int, unseen: int) -> None:
    """Write down the numbers of one play."""
    x = eyes.items[i]
    card, value, m = eyes.cards[i], eyes.values[i], me.players - 1
    for k in range(ITEM):
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
    x[11] = EXACT[m, room, q]
    x[12] = MORE[m, room, q]
    x[13] = x[11] * (heads + 1.7 * room) / 10.0
    x[14] = own_below / 4.0
    x[15] = own_above / 4.0
    x[18] = value & 1
    x[19] = 1.0 if value != card else 0.0
    x[21] = lower / unseen
    x[22] = EXACT[m, 0, lower * GRID // unseen]


@piece
def describe_scene(code: int, t: Table, b: int, eyes: Eyes, me: Hand, unseen: int) -> None:
    """Write down the numbers of the scene, the rows ordered by their ends."""
    x = eyes.scene
    size = count(me.low, me.high)
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
    x[62] = me.wild


@piece
def describe(code: int, t: Table, b: int, eyes: Eyes, me: Hand) -> int:
    """Describe table b as a seat sees it; return how many plays it has."""
    unseen = max(count(me.unseen_low, me.unseen_high), 1)
    catch_rows(code, t, b, eyes.catch)
    size = list_plays(eyes, me)
    for i in range(size):
        describe_play(code, t, b, eyes, me, i, unseen)
    describe_scene(code, t, b, eyes, me, unseen)
    return size

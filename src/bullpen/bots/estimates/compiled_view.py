"""What a seat sees of a table in compiled code: which row catches which card, and what it can play.

The compiled counterpart of `catchment`.
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.card_sets import U, count, has, under
from bullpen.bots.compiled import Array, piece, rule, whole
from bullpen.fast.rules import BASE, JUMPING_COW, NOWHERE, TIE, Table, cheapest, spot_for
from bullpen.fast.trick import can_flip, swapped

MOST_PLAYS = 50
"""The most plays there are: 25 cards, each as it is or with the flip card."""
OUT = 4
"""Stands for "no row"."""


class Eyes(NamedTuple):
    """Working memory for looking at a table."""

    catch: Array
    """uint64 [5, 2]: the numbers that each row catches, and those that fit nowhere."""
    cards: Array
    """int64 [MOST_PLAYS]: the card of each play."""
    values: Array
    """int64 [MOST_PLAYS]: its value, with digits swapped or not."""


def new_eyes() -> Eyes:
    """Return working memory for one thread."""
    return Eyes(
        np.zeros((5, 2), np.uint64),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(MOST_PLAYS, np.int64),
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

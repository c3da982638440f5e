"""The rules of placing, one function per rulebook verb, compiled for the CPU and for CUDA alike.

`t` is a `Table` of arrays and `b` the game's place in them. `code` says which placement rule is
played. Rows are numbered from 0, the top one. A *spot* is where a card goes: 0…3 the right end of
that row, LEFT + row its left end, TAKE + row the place of a row that is taken for it. Two spots leave
a choice to the card's owner: NOWHERE if it fits no row, and TIE + 4 * right + left if a right end and
a left end are equally near (PRO-1).
"""

from typing import NamedTuple

import numpy as np

from bullpen.engine import HEADS as PRINTED
from bullpen.fast.compiled import Array, Int, rule

BASE, PROFESSIONAL, EVEN_ODD, MOUNTAIN, JUMPING_COW = range(5)
RIGHT_ON_TIE, LEFT_ON_TIE = 8, 16
"""Added to PROFESSIONAL when the option `pro.tie` decides instead of the owner."""

NOWHERE = -1
LEFT = 4
TIE = 8
TAKE = 32
FULL = 5
FAR = 1000
NONE, LAST = np.int64(0), np.int64(1)
"""What a take leaves in its row. With plain constants Numba would compile it once for each."""

HEADS = np.zeros(128, np.uint8)
"""Bullheads by printed number, for numbers of seven bits; zero where there is no card."""
HEADS[: len(PRINTED)] = PRINTED


class Table(NamedTuple):
    """What lies on the tables of many games; every array has the game as its first axis."""

    rows: Array
    """uint8 [B, 4, 5]: the cards of each row from left to right."""
    ends: Array
    """uint8 [B, 4]: the last card of each row."""
    counts: Array
    """uint8 [B, 4]: the number of cards in each row."""
    heads: Array
    """uint8 [B, 4]: the bullheads in each row."""
    mark: Array
    """int8 [B, 2]: the marked row, and the shown parity (even-odd) or the arrow (mountain)."""
    points: Array
    """int16 [B, n]: the bullheads each seat has taken in this round."""
    taken: Array
    """uint8 [B, 104]: the cards taken, in order; [B, 0] where nobody wants to know."""
    takers: Array
    """uint8 [B, 104]: the seat that took each of them."""
    logged: Array
    """uint8 [B]: how many cards have been taken."""


@rule
def lowest_end(t: Table, b: Int, but: Int) -> Int:
    """Return the row with the lowest end, leaving out the row `but`."""
    best = NOWHERE
    lowest = FAR
    for r in range(4):
        if r != but and t.ends[b, r] < lowest:
            best = r
            lowest = t.ends[b, r]
    return best


@rule
def cheapest_row(t: Table, b: Int) -> Int:
    """Return the row with the fewest bullheads, the topmost of equals."""
    best = 0
    for r in range(1, 4):
        if t.heads[b, r] < t.heads[b, best]:
            best = r
    return best


@rule
def row_for(t: Table, b: Int, value: Int) -> Int:
    """Return the row with the highest end below the value (base rules)."""
    best = NOWHERE
    nearest: Int = 0
    for r in range(4):
        end = np.int64(t.ends[b, r])
        if nearest < end < value:
            best = r
            nearest = end
    return best


@rule
def row_for_professional(t: Table, b: Int, value: Int, code: Int) -> Int:
    """Return the nearest spot at either end of a row; a tie has one of each (PRO-1, PRO-7, PRO-11)."""
    right = left = NOWHERE
    right_gap = left_gap = FAR
    for r in range(4):
        gap = value - np.int64(t.ends[b, r])
        if 0 < gap < right_gap:
            right = r
            right_gap = gap
        gap = np.int64(t.rows[b, r, 0]) - value
        if 0 < gap < left_gap:
            left = r
            left_gap = gap
    if right_gap == FAR and left_gap == FAR:
        return NOWHERE
    if right_gap < left_gap or (right_gap == left_gap and code & RIGHT_ON_TIE):
        return right
    if left_gap < right_gap or code & LEFT_ON_TIE:
        return LEFT + left
    return TIE + 4 * right + left


@rule
def row_for_even_odd(t: Table, b: Int, value: Int) -> Int:
    """Return the base row, the marked row being shut to the other parity (EVEN-1)."""
    shut = np.int64(t.mark[b, 0]) if (value & 1) != t.mark[b, 1] else NOWHERE
    best = NOWHERE
    nearest: Int = 0
    for r in range(4):
        end = np.int64(t.ends[b, r])
        if r != shut and nearest < end < value:
            best = r
            nearest = end
    return best


@rule
def row_for_mountain(t: Table, b: Int, value: Int) -> Int:
    """Return the nearest row, counting downward on the marked one, which wins a tie (MTN-1, MTN-2)."""
    marked = np.int64(t.mark[b, 0])
    best: Int = NOWHERE
    nearest: Int = np.int64(t.ends[b, marked]) - value
    if nearest > 0:
        best = marked
    else:
        nearest = FAR
    for r in range(4):
        gap = value - np.int64(t.ends[b, r])
        if r != marked and 0 < gap < nearest:
            best = r
            nearest = gap
    return best


@rule
def spot_for(code: Int, t: Table, b: Int, value: Int) -> Int:
    """Return the spot where a card of this value goes."""
    if code == EVEN_ODD:
        return row_for_even_odd(t, b, value)
    if code == MOUNTAIN:
        return row_for_mountain(t, b, value)
    if code & 7 == PROFESSIONAL:
        return row_for_professional(t, b, value, code)
    return row_for(t, b, value)


@rule
def take(t: Table, b: Int, seat: Int, row: Int, leave: Int) -> None:
    """Move a row's cards, but the last `leave` of them, to the seat's bull pile."""
    gone = np.int64(t.counts[b, row]) - leave
    worth = np.int64(t.heads[b, row])
    if leave:
        worth -= np.int64(HEADS[t.ends[b, row]])
    t.points[b, seat] += worth
    if t.taken.shape[1]:
        at = np.int64(t.logged[b])
        for i in range(gone):
            t.taken[b, at + i] = t.rows[b, row, i]
            t.takers[b, at + i] = seat
        t.logged[b] = at + gone


@rule
def restart(t: Table, b: Int, row: Int, card: Int) -> None:
    """Leave this card alone in the row."""
    t.rows[b, row, 0] = card
    t.ends[b, row] = card
    t.counts[b, row] = 1
    t.heads[b, row] = HEADS[card]


@rule
def append(t: Table, b: Int, row: Int, card: Int) -> None:
    """Put the card behind the row's end."""
    t.rows[b, row, t.counts[b, row]] = card
    t.ends[b, row] = card
    t.counts[b, row] += 1
    t.heads[b, row] += HEADS[card]


@rule
def prepend(t: Table, b: Int, row: Int, card: Int) -> None:
    """Put the card before the row's first card (Professional)."""
    for i in range(t.counts[b, row], 0, -1):
        t.rows[b, row, i] = t.rows[b, row, i - 1]
    t.rows[b, row, 0] = card
    t.counts[b, row] += 1
    t.heads[b, row] += HEADS[card]


@rule
def set_marker(code: Int, t: Table, b: Int) -> None:
    """Put the marker where a round starts (sheets 8.11–8.13)."""
    t.mark[b, 0] = 3 if code == MOUNTAIN else lowest_end(t, b, NOWHERE)
    t.mark[b, 1] = -1 if code == MOUNTAIN else t.ends[b, t.mark[b, 0]] & 1


@rule
def jump(t: Table, b: Int, seat: Int) -> None:
    """Let the Cow go to the lowest other row, and on while it lands on five numbers (COW-2, COW-8)."""
    while True:
        row = lowest_end(t, b, t.mark[b, 0])
        t.mark[b, 0] = row
        if t.counts[b, row] < FULL:
            return
        take(t, b, seat, row, LAST)
        restart(t, b, row, np.int64(t.ends[b, row]))


@rule
def move_marker(code: Int, t: Table, b: Int) -> None:
    """Move the marker after a take (EVEN-3, EVEN-4, MTN-3, MTN-4)."""
    if code == EVEN_ODD:
        row = lowest_end(t, b, t.mark[b, 0])
        t.mark[b, 0] = row
        t.mark[b, 1] = t.ends[b, row] & 1
    elif code == MOUNTAIN:
        row = t.mark[b, 0] + t.mark[b, 1]
        t.mark[b, 0] = row
        if row == 0:
            t.mark[b, 1] = 1
        elif row == 3:
            t.mark[b, 1] = -1


@rule
def lay(code: Int, t: Table, b: Int, seat: Int, card: Int, spot: Int) -> None:
    """Lay the card at a spot; a row that it takes, or finds full (the Cow fills a place), is taken."""
    row = spot & 3
    cow = code == JUMPING_COW and t.mark[b, 0] == row
    full = spot >= TAKE or t.counts[b, row] + cow >= FULL
    if full:
        take(t, b, seat, row, NONE)
        restart(t, b, row, card)
    elif spot >= LEFT:
        prepend(t, b, row, card)
    else:
        append(t, b, row, card)
    if cow:
        jump(t, b, seat)
    elif full:
        move_marker(code, t, b)


@rule
def is_choice(spot: Int) -> Int:
    """Whether the owner of the card has to name a row."""
    return spot == NOWHERE or spot >= TIE


@rule
def may_choose(spot: Int, row: Int) -> Int:
    """Whether the owner may name this row: any for a card that fits nowhere, else one of the two of a tie."""
    if spot == NOWHERE:
        return 0 <= row < 4
    return row in ((spot - TIE) >> 2, (spot - TIE) & 3)


@rule
def chosen(spot: Int, row: Int) -> Int:
    """Return the spot that naming this row leads to."""
    if spot == NOWHERE:
        return TAKE + row
    return row if row == (spot - TIE) >> 2 else LEFT + row


@rule
def cheapest(t: Table, b: Int, spot: Int) -> Int:
    """Return the spot that costs the owner least now, the topmost row of equals."""
    if spot == NOWHERE:
        return TAKE + cheapest_row(t, b)
    right = (spot - TIE) >> 2
    left = (spot - TIE) & 3
    right_cost = np.int64(t.heads[b, right]) if t.counts[b, right] == FULL else 0
    left_cost = np.int64(t.heads[b, left]) if t.counts[b, left] == FULL else 0
    if right_cost < left_cost or (right_cost == left_cost and right < left):
        return right
    return LEFT + left

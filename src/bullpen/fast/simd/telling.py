"""What seats may know and do under base placement, PER_VECTOR games at a time: `observed` from planes.

The bytes that say how the rows lie, and what is said of the seats, are put together as planes, one number
of every game each, and then turned: a game's bytes come to lie side by side and are copied to its viewers.
"""

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.chance import U
from bullpen.fast.compiled import Array, Int, kernel, rule
from bullpen.fast.games import Plan
from bullpen.fast.observed import CHOOSE_ROW, COMMIT, DRAFT, HAND, MOST, SEEN, WAITING
from bullpen.fast.simd.checked import BLOCK
from bullpen.fast.simd.lanes import Lane, add, below, both, equal, like, lower, minus, pick, right
from bullpen.fast.simd.planes import COUNTS, HEADS, ROWS, STAGE, Planes
from bullpen.fast.simd.unfolding import copy_bytes, store_choices, unfold
from bullpen.fast.simd.vectors import PER_VECTOR, load, store, turn_16, turn_32, turn_64
from bullpen.fast.tables import ASKED, HALF, TO_PLAY
from bullpen.fast.trick import CHOICES

OWNERS, TURNED, SEATS = U(64 * PER_VECTOR), U(74 * PER_VECTOR), U(106 * PER_VECTOR)
"""Where a desk has the owners of the waiting cards, what is turned of the rows, and of the seats as each
viewer is told it; the planes that are yet to be turned come first."""
NOBODY = 128
ALL_ROWS = U(15 << 60)
"""The last four of 64 choices."""


def new_desk(players: int) -> NDArray[np.uint8]:
    """Return room to put observations together."""
    return np.zeros(int(SEATS) + players * 64 * PER_VECTOR, np.uint8)


@rule
def per_seat(players: Int) -> Int:
    """Return into how many bytes that is turned which is said of the seats."""
    return U(16 if players < 3 else 32 if players < 5 else 64)


@rule
def turn_seats(desk: Array, to: Int, players: Int) -> None:
    """Turn what is said of the seats."""
    if players < 3:
        turn_16(desk, U(0), to)
    elif players < 5:
        turn_32(desk, U(0), to)
    else:
        turn_64(desk, U(0), to)


@rule
def lay_out_rows(p: Planes, width: Int, at: Int, desk: Array) -> None:
    """Put the rows together, 0 behind their ends, and how many and how dear their cards are."""
    for row in range(U(4)):
        count = load(p.bytes, (COUNTS + row) * width + at)
        for place in range(U(5)):
            card = load(p.bytes, (ROWS + U(5) * row + place) * width + at)
            lies = below(like(place, count), count)
            store(desk, (U(5) * row + place) * BLOCK, pick(lies, card, like(0, card)))
        store(desk, (U(20) + row) * BLOCK, count)
        store(desk, (U(24) + row) * BLOCK, load(p.bytes, (HEADS + row) * width + at))
    turn_32(desk, U(0), TURNED)


@rule
def lay_out_waiting(p: Planes, width: Int, at: Int, players: Int, asking: Lane, desk: Array) -> None:
    """Put the cards that wait together, and what they are placed by, which is the same; note their owners."""
    for i in range(players):
        play = load(p.plays, i * width + at)
        none = like(0, load(p.bytes, at))
        card = pick(asking, like(both(right(play, like(4, play)), like(127, play)), none), none)
        store(desk, i * BLOCK, card)
        store(desk, (players + i) * BLOCK, card)
        store(desk, OWNERS + i * BLOCK, like(both(play, like(15, play)), none))


@rule
def lay_out_question(
    p: Planes, width: Int, at: Int, players: Int, plan: Plan, asking: Lane, desk: Array
) -> None:
    """Put together what is asked now, and the number of the trick."""
    tricks = load(p.bytes, (STAGE + U(TO_PLAY)) * width + at)
    half = load(p.bytes, (STAGE + U(HALF)) * width + at)
    none, one = like(0, tricks), like(1, tricks)
    card = pick(asking, load(desk, U(0)), none)
    commits = pick(below(none, tricks), like(COMMIT, none), none)
    store(desk, U(3) * players * BLOCK, card)
    store(desk, (U(3) * players + U(1)) * BLOCK, pick(asking, like(CHOOSE_ROW, none), commits))
    dealt = pick(equal(half, none), like(plan.first, half), like(plan.first + plan.second, half))
    trick = lower(add(minus(dealt, tricks), one), dealt)
    store(desk, (U(6) * players + U(2)) * BLOCK, trick)


@rule
def lay_out_seats(
    p: Planes, width: Int, at: Int, players: Int, viewer: Int, asking: Lane, desk: Array
) -> None:
    """Put together what is said of each seat, the viewer first."""
    asked = load(p.bytes, (STAGE + U(ASKED)) * width + at)
    tricks = load(p.bytes, (STAGE + U(TO_PLAY)) * width + at)
    none, one, all_seats = like(0, asked), like(1, asked), like(players, asked)
    everybody = pick(below(none, tricks), one, none)
    for i in range(players):
        seat = viewer + i if viewer + i < players else viewer + i - players
        place = add(load(desk, OWNERS + i * BLOCK), like(players - viewer, asked))
        place = pick(below(place, all_seats), place, minus(place, all_seats))
        store(desk, (U(2) * players + i) * BLOCK, pick(asking, add(place, one), none))
        is_it = pick(equal(asked, like(seat, asked)), one, none)
        store(desk, (U(3) * players + U(2) + i) * BLOCK, pick(asking, is_it, everybody))
        points, scores = load(p.points, seat * width + at), load(p.scores, seat * width + at)
        at_points = U(4) * players + U(2) + i
        store(desk, at_points * BLOCK, like(lower(points, like(MOST, points)), none))
        store(desk, (at_points + players) * BLOCK, like(lower(scores, like(MOST, scores)), none))


@rule
def lay_out(
    p: Planes, width: Int, at: Int, plan: Plan, players: Int, viewers: tuple[int, int], desk: Array
) -> None:
    """Put together what is said of PER_VECTOR games, but for sets of cards."""
    asked = load(p.bytes, (STAGE + U(ASKED)) * width + at)
    asking = below(asked, like(NOBODY, asked))
    lay_out_rows(p, width, at, desk)
    lay_out_waiting(p, width, at, players, asking, desk)
    lay_out_question(p, width, at, players, plan, asking, desk)
    for k in range(U(viewers[1])):
        lay_out_seats(p, width, at, players, U(viewers[0]) + k, asking, desk)
        turn_seats(desk, SEATS + k * per_seat(players) * BLOCK, players)


@rule
def tell(desk: Array, game: Int, viewer: Int, players: Int, out: Array, to: Int) -> None:
    """Copy what was put together of a game for a viewer, counted from the first of them."""
    said = SEATS + (viewer * BLOCK + game) * per_seat(players)
    copy_bytes(desk, TURNED + game * U(32), out, to, U(HAND))
    copy_bytes(desk, said, out, to + U(WAITING), U(6) * players + U(3))


@rule
def tell_cards(p: Planes, width: Int, b: Int, players: Int, viewer: Int, out: Array, to: Int) -> None:
    """Write the viewer's hand, and which cards have been face up."""
    hand, shown = U(2) * viewer * width + b, U(2) * players * width + b
    unfold(p.sets[hand], p.sets[hand + width], out, to + U(HAND))
    unfold(p.sets[shown], p.sets[shown + width], out, to + U(SEEN))


@kernel
def describe_abreast(
    plan: Plan,
    p: Planes,
    order: tuple[int, ...],
    viewers: tuple[int, int],
    where: Array,
    desk: Array,
    out: Array,
) -> None:
    """Write what viewers (the first, and how many) may know of the games named by the mask."""
    players, count = U(len(order)), U(viewers[1])
    width = U(p.sets.size) // (U(2) * players + U(2))
    size = U(WAITING) + U(6) * players + U(3) + U(DRAFT) * U(plan.ascending)
    for at in range(U(0), U(where.size), BLOCK):
        lay_out(p, width, at, plan, players, viewers, desk)
        for b in range(at, min(at + BLOCK, U(where.size))):
            if where[b]:
                for k in range(count):
                    to = (b * count + k) * size
                    tell(desk, b - at, k, players, out, to)
                    tell_cards(p, width, b, players, U(viewers[0]) + k, out, to)
                    if plan.ascending:
                        out[to + size - U(DRAFT) : to + size] = 0


@rule
def may_now(p: Planes, width: Int, b: Int, seat: Int) -> tuple[Int, Int]:
    """Return a seat's legal choices below 128, as two words of bits: none if it may choose among rows."""
    asked = p.bytes[(STAGE + U(ASKED)) * width + b]
    goes_on = p.bytes[(STAGE + U(TO_PLAY)) * width + b] != 0
    plays = goes_on and asked >= NOBODY
    waits = not goes_on or (asked < NOBODY and asked != seat)
    hand = U(2) * seat * width + b
    return p.sets[hand] if plays else U(waits), p.sets[hand + width] if plays else U(0)


@kernel
def mask_abreast(p: Planes, width: int, viewers: tuple[int, int], where: Array, out: Array) -> None:
    """Write what viewers (the first, and how many) may do in the games named by the mask."""
    count = U(viewers[1])
    for b in range(U(where.size)):
        if where[b]:
            for k in range(count):
                low, high = may_now(p, U(width), b, U(viewers[0]) + k)
                to = (b * count + k) * U(CHOICES)
                store_choices(out, to, low, high, U(0) if low | high else ALL_ROWS)

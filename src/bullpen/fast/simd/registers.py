# ruff: noqa: ARG001, ARG005  what is compiled by types must take every argument of its stub
"""A round of random seats under base placement in the registers of one thread, as a CUDA device wants it.

Such a thread has 32 bits at a time and is slow wherever it needs memory or a second instruction. So a card
is half a *cell* of 32 bits, a row one register, and what the seats have taken lies in a cell a seat:

    card   card << 9 | heads                                        16 bits, two in a cell
    play   card << 25 | 1 << 21 | the cell of its owner << 2
    row    end << 25 | count << 21 | heads << 16 | ... | number     the number of the row, from 0

Two things save half the work. Rows are kept sorted by their ends: a card that fits goes to the last row below
it and leaves the order as it is. And only the lowest card of a trick can fit nowhere, since every later one
fits at least the row where that card lies.

The cells of a thread are THREADS apart, so that threads which stand at different cards never wait for each
other. `tests/differential` plays all of this on the CPU and holds it against the plain loop.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.chance import GAMMA, U, high_draw, low_draw, mixed
from bullpen.fast.compiled import Array, Int, by_types, rule
from bullpen.fast.games import Plan
from bullpen.fast.rules import HEADS
from bullpen.fast.simd.lanes import (
    Lane,
    Words,
    add,
    below,
    both,
    either,
    equal,
    higher,
    in_order,
    lower,
    pick,
)

THREADS = 128
"""Threads of a block, a game each: they share memory."""
FIVE = np.uint32(5 << 21)
COUNT = np.uint32(15 << 21)
WORTH = np.uint32(31 << 16)
ONE = np.uint32(1 << 21)
OWNER = np.uint32(0xFFFC)
NUMBER = np.uint32(3)
ALL = np.uint32(COUNT | WORTH | NUMBER)
ZERO = np.uint32(0)
SHIFT = np.uint32(16)
TWO = np.uint32(2)

CARDS = (np.arange(128, dtype=np.uint16) << 9) | HEADS
"""The sixteen bits of each card."""


def fresh_cells(size: int) -> NDArray[np.uint32]:
    """Return the cells of a deck of that many cards, in order."""
    cards = np.zeros(size + size % 2, np.uint32)
    cards[:size] = CARDS[1 : size + 1]
    return cards[::2] | cards[1::2] << np.uint32(16)


@rule
def place_of(i: Int, thread: Int) -> Int:
    """Return where card i of a thread's deck lies among all half cells."""
    return i * U(THREADS) - (i & U(1)) * U(THREADS - 1) + thread * U(2)


@rule
def draw(cards: Array, thread: Int, i: Int, by: Int) -> None:
    """Exchange card i of the deck for the card that many places on."""
    here, there = place_of(i, thread), place_of(i + by, thread)
    card = cards[there]
    cards[there] = cards[here]
    cards[here] = card


@rule
def deal_cells(plan: Plan, cells: Array, cards: Array, thread: Int, deck: Array, state: Int) -> None:
    """Draw all cards of a round to the front of a fresh deck, in the same random order as `chance.deal`."""
    i = U(0)
    while i < U(deck.size):
        cells[i * U(THREADS) + thread] = deck[i]
        i += U(1)
    count = U(plan.players * (plan.first + plan.second) + 4)
    i = U(0)
    while i < count:
        state += GAMMA
        word = mixed(state)
        draw(cards, thread, i, low_draw(word, U(plan.size) - i))
        if i + U(1) < count:
            draw(cards, thread, i + U(1), high_draw(word, U(plan.size) - i - U(1)))
        i += U(2)


@rule
def widened(cards: Array, thread: Lane, i: Int) -> Lane:
    """Return card i of the deck as a row or a play begins: one card, nothing else known."""
    return np.uint32(np.uint32(cards[place_of(U(i), thread)]) << SHIFT | ONE)


@rule
def begun_rows(plan: Plan, cards: Array, thread: Int) -> Words:
    """Return the rows that start with the four cards behind those of the seats."""
    at = U(plan.players * (plan.first + plan.second))
    a, b = widened(cards, thread, at), widened(cards, thread, at + U(1))
    c, d = widened(cards, thread, at + U(2)), widened(cards, thread, at + U(3))
    if plan.ascending:
        a, b, c, d = in_order((a, b, c, d))
    return in_order((a, either(b, np.uint32(1)), either(c, np.uint32(2)), either(d, np.uint32(3))))


@rule
def lay(play: Lane, row: Lane, low: Int) -> tuple[Lane, Lane]:
    """Return the row as this card leaves it, and the heads it takes (<< 16)."""
    taken = either(low, equal(both(row, COUNT), FIVE))
    stays = both(row, pick(taken, NUMBER, ALL))
    return add(play, stays), pick(taken, both(row, WORTH), ZERO)


@rule
def place_lowest(play: Lane, rows: Words) -> tuple[Words, Lane]:
    """Place the lowest card of a trick; if it fits nowhere in the cheapest row, the topmost of equals."""
    r0, r1, r2, r3 = rows
    price = np.uint32(WORTH | NUMBER)
    low = below(play, r0)
    cheapest = lower(lower(both(r0, price), both(r1, price)), lower(both(r2, price), both(r3, price)))
    fits = pick(below(r3, play), r3, pick(below(r2, play), r2, pick(below(r1, play), r1, r0)))
    row = pick(low, cheapest, fits)
    new, heads = lay(play, row, low)
    number = both(row, NUMBER)
    r0 = pick(equal(both(r0, NUMBER), number), new, r0)
    r1 = pick(equal(both(r1, NUMBER), number), new, r1)
    r2 = pick(equal(both(r2, NUMBER), number), new, r2)
    r3 = pick(equal(both(r3, NUMBER), number), new, r3)
    # A row that was taken begins with the lowest end of all: it goes to the front.
    r2, r3 = lower(r2, r3), higher(r2, r3)
    r1, r2 = lower(r1, r2), higher(r1, r2)
    r0, r1 = lower(r0, r1), higher(r0, r1)
    return (r0, r1, r2, r3), heads


@rule
def place_later(play: Lane, rows: Words) -> tuple[Words, Lane]:
    """Place a later card of a trick, which fits somewhere."""
    r0, r1, r2, r3 = rows
    above1, above2, above3 = below(r1, play), below(r2, play), below(r3, play)
    row = pick(above3, r3, pick(above2, r2, pick(above1, r1, r0)))
    new, heads = lay(play, row, False)
    r0 = pick(above1, r0, new)
    r1 = pick(above2, r1, pick(above1, new, r1))
    r2 = pick(above3, r2, pick(above2, new, r2))
    r3 = pick(above3, new, r3)
    return (r0, r1, r2, r3), heads


def bills_of(seats: tuple[int, ...], first: Lane, thread: Lane) -> Words:
    """Return the cells of a thread in which its seats' bills lie, behind its deck."""
    raise NotImplementedError


@by_types(bills_of)
def _bills_of(seats: Any, first: Any, thread: Any) -> Any:
    if len(seats) == 0:
        return lambda seats, first, thread: ()
    return lambda seats, first, thread: (
        first * U(THREADS) + thread,
        *bills_of(seats[1:], first + U(1), thread),
    )


def plays_from(cards: Array, thread: Lane, at: Int, bills: tuple[Lane, ...]) -> Words:
    """Return the cards from place `at` on as plays, each with the cell of its owner."""
    raise NotImplementedError


@by_types(plays_from)
def _plays_from(cards: Any, thread: Any, at: Any, bills: Any) -> Any:
    if len(bills) == 0:
        return lambda cards, thread, at, bills: ()
    return lambda cards, thread, at, bills: (
        either(widened(cards, thread, at), np.uint32(np.uint32(bills[0]) << TWO)),
        *plays_from(cards, thread, at + U(1), bills[1:]),
    )


def place_all(cells: Array, plays: Words, rows: Words) -> Words:
    """Place the later cards of a trick, charge their owners, and return the rows."""
    raise NotImplementedError


@by_types(place_all)
def _place_all(cells: Any, plays: Any, rows: Any) -> Any:
    if len(plays) == 0:
        return lambda cells, plays, rows: rows

    def place_first(cells: Any, plays: Any, rows: Any) -> Any:
        rows, heads = place_later(plays[0], rows)
        charge(cells, plays[0], heads)
        return place_all(cells, plays[1:], rows)

    return place_first


@rule
def charge(cells: Array, play: Lane, heads: Lane) -> None:
    """Add heads to what the owner of a play has taken."""
    cell = U(both(play, OWNER)) >> U(2)
    cells[cell] = add(cells[cell], heads)


@rule
def play_trick(cells: Array, plays: Words, rows: Words) -> Words:
    """Place the cards of a trick, charge their owners, and return the rows."""
    plays = in_order(plays)
    rows, heads = place_lowest(plays[0], rows)
    charge(cells, plays[0], heads)
    return place_all(cells, plays[1:], rows)


@rule
def play_cells(
    plan: Plan, deck: Array, cells: Array, cards: Array, thread: Int, bills: Words, state: Int
) -> None:
    """Deal and play a round, `cells` and `cards` being one memory; add to the bills what seats take."""
    deal_cells(plan, cells, cards, thread, deck, state)
    rows = begun_rows(plan, cards, thread)
    at, end = U(0), U(plan.players * (plan.first + plan.second))
    while at < end:
        rows = play_trick(cells, plays_from(cards, thread, at, bills), rows)
        at += U(plan.players)

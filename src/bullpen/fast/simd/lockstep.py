"""Random play of base rules in lockstep: LANES games at a time, each step done for all of them.

The loops over the lanes are what LLVM turns into vector instructions. For that they run over one
flat buffer with its parts at constant offsets (so that LLVM sees they don't overlap), with unsigned
counters. Word layouts are those of `lanes`; what is played is what `rollout` plays for random seats.
"""

from typing import NamedTuple

import numpy as np

from bullpen.fast.chance import GAMMA, U, high_draw, low_draw, mixed, stream
from bullpen.fast.compiled import Array, Int, kernel, rule
from bullpen.fast.games import Plan
from bullpen.fast.rollout import Job, Sums
from bullpen.fast.rules import HEADS, Table
from bullpen.fast.simd.lanes import (
    Rows,
    charge,
    higher,
    in_order,
    like,
    lower,
    place_in_turn,
    played,
    right,
    start_word,
)

LANES = U(128)
"""Games at a time: enough of them that a pass over the lanes hides the latency of the one before."""
GROUP = U(32)
"""Lanes dealt at a time: their decks stay in the fastest cache."""
ENDS = U(0) * LANES
WORDS = U(4) * LANES
POINTS = U(8) * LANES
U16 = np.uint16(0)

CARD_WORDS = (np.arange(128, dtype=np.uint16) << 7) | (HEADS.astype(np.uint16) << 4)
"""The card word of each card, without a seat."""


class Lot(NamedTuple):
    """What is dealt to whom: draws go to *slots*; slot trick * n + seat is that seat's card of the trick."""

    pool: Array
    """uint16 [P]: the words of the cards that nobody has seen, drawn anew for every round."""
    pool_slots: Array
    """int64 [k]: where the k cards drawn from the pool go."""
    piles: Array
    """uint16 [C, K, MOST]: hands that are known but for their order, for each of C candidates."""
    pile_slots: Array
    """int64 [C, K, MOST]: where their cards go."""
    pile_sizes: Array
    """int64 [C, K]: how many cards they hold."""
    fixed: Array
    """uint16 [C, n]: the word of a seat's card of the first trick where it is settled, else 0."""
    tables: Table
    """The rows to start from, one table a candidate; none if start cards are drawn, to the last slots."""
    tricks: int


class Lanes(NamedTuple):
    """Working memory, made once and used again."""

    buffer: Array
    """uint8 [18 * LANES]: four ends, four row words, and the points of up to ten seats."""
    states: Array
    """uint64 [2 * LANES]: the random streams, and where they stood after the pool was drawn."""
    targets: Array
    """uint8 [106 * LANES]: which card comes next."""
    decks: Array
    """uint16 [GROUP * 104]: cards to draw from."""
    cards: Array
    """uint16 [106 * LANES]: the card word in each slot."""


def new_lanes() -> Lanes:
    """Return working memory for one thread."""
    size = int(LANES)
    return Lanes(
        np.zeros(18 * size, np.uint8),
        np.zeros(2 * size, np.uint64),
        np.zeros(106 * size, np.uint8),
        np.zeros(104 * int(GROUP), np.uint16),
        np.zeros(106 * size, np.uint16),
    )


@kernel
def draw_targets(targets: Array, states: Array, count: Int, size: Int) -> None:
    """For every lane draw which card comes next, `count` times (see `chance.deal`)."""
    for i in range(U(0), count, U(2)):
        for g in range(LANES):
            states[g] += GAMMA
            word = mixed(states[g])
            targets[i * LANES + g] = i + U(low_draw(word, size - i))
            targets[(i + U(1)) * LANES + g] = i + U(1) + U(high_draw(word, size - i - U(1)))


@kernel
def hand_out(x: Lanes, fresh: Array, slots: Array, count: Int) -> None:
    """Deal the drawn cards of fresh decks to their slots."""
    size = U(fresh.size)
    for group in range(U(0), LANES, GROUP):
        for g in range(GROUP):
            for i in range(size):
                x.decks[g * U(104) + i] = fresh[i]
        for i in range(count):
            slot = U(slots[i]) * LANES + group
            target = i * LANES + group
            for g in range(GROUP):
                at = g * U(104)
                j = U(x.targets[target + g])
                card = x.decks[at + j]
                x.decks[at + j] = x.decks[at + i]
                x.cards[slot + g] = card


@rule
def order_pair(buffer: Array, a: Int, b: Int) -> None:
    """Sort two words of every lane."""
    for g in range(LANES):
        x = buffer[a + g]
        y = buffer[b + g]
        buffer[a + g] = lower(x, y)
        buffer[b + g] = higher(x, y)


@rule
def rows_at(buffer: Array, g: Int) -> Rows:
    """Return the rows of a lane."""
    ends = buffer[g], buffer[LANES + g], buffer[U(2) * LANES + g], buffer[U(3) * LANES + g]
    words = buffer[WORDS + g], buffer[U(5) * LANES + g], buffer[U(6) * LANES + g], buffer[U(7) * LANES + g]
    return ends + words


@rule
def put_rows(buffer: Array, g: Int, rows: Rows) -> None:
    """Write the rows of a lane back."""
    buffer[g], buffer[LANES + g], buffer[U(2) * LANES + g], buffer[U(3) * LANES + g] = rows[:4]
    buffer[WORDS + g], buffer[U(5) * LANES + g], buffer[U(6) * LANES + g], buffer[U(7) * LANES + g] = rows[4:]


@rule
def play_tricks(buffer: Array, cards: Array, seats: tuple[int, ...], tricks: Int) -> None:
    """Play out all tricks; seat p plays the card in slot trick * players + p."""
    for k in range(tricks):
        at = k * U(len(seats)) * LANES
        for g in range(LANES):
            words = in_order(played(cards, at + g, LANES, seats, U16))
            rows, costs = place_in_turn(words, rows_at(buffer, g))
            put_rows(buffer, g, rows)
            charge(buffer, POINTS + g, LANES, seats, words, costs)


@kernel
def lay_starts(x: Lanes, slot: Int, ascending: Int) -> None:
    """Start the four rows with the cards of four slots, as they come or ascending."""
    if ascending:
        for i in range(slot + U(1), slot + U(4)):
            for j in range(slot, i):
                order_pair(x.cards, j * LANES, i * LANES)
    for r in range(U(4)):
        for g in range(LANES):
            card = x.cards[(slot + r) * LANES + g]
            x.buffer[ENDS + r * LANES + g] = right(card, like(7, card))
            x.buffer[WORDS + r * LANES + g] = start_word(card)


@kernel
def lay_rows(x: Lanes, t: Table, c: Int) -> None:
    """Start from the rows of a table, and the points taken there."""
    for r in range(U(4)):
        end = t.ends[c, r]
        word = U(t.heads[c, r]) << U(3) | U(t.counts[c, r])
        for g in range(LANES):
            x.buffer[ENDS + r * LANES + g] = end
            x.buffer[WORDS + r * LANES + g] = word
    for seat in range(U(t.points.shape[1])):
        for g in range(LANES):
            x.buffer[POINTS + seat * LANES + g] = t.points[c, seat]


@kernel
def deal_piles(x: Lanes, lot: Lot, c: Int) -> None:
    """Put the known hands into random order, and settled cards to their slots."""
    for g in range(LANES):
        x.states[g] = x.states[LANES + g]
    for pile in range(lot.piles.shape[1]):
        size = lot.pile_sizes[c, pile]
        draw_targets(x.targets, x.states, U(size), U(size))
        hand_out(x, lot.piles[c, pile, :size], lot.pile_slots[c, pile], U(size))
    for seat in range(lot.fixed.shape[1]):
        if lot.fixed[c, seat]:
            for g in range(LANES):
                x.cards[U(seat) * LANES + g] = lot.fixed[c, seat]


@kernel
def add_lanes(x: Lanes, players: Int, used: Int, sums: Sums, c: Int) -> None:
    """Add the rounds of the used lanes to the sums."""
    for seat in range(U(players)):
        total = U(0)
        squares = U(0)
        for g in range(used):
            points = U(x.buffer[POINTS + seat * LANES + g])
            total += points
            squares += points * points
        sums.total[c, seat] += np.int64(total)
        sums.squares[c, seat] += np.int64(squares)


@kernel
def roll_lockstep(plan: Plan, seats: tuple[int, ...], lot: Lot, job: Job, x: Lanes, sums: Sums) -> None:
    """Play a number of rounds for every candidate, the unseen cards lying alike for all of them.

    `seats` is 0, 1, … n - 1: there is one compiled version for each number of players.
    """
    n = U(plan.players)
    drawn = U(lot.pool_slots.size)
    for done in range(U(0), U(job.rounds), LANES):
        for g in range(LANES):
            x.states[g] = stream(job.seed, U(job.first) + done + g)
        draw_targets(x.targets, x.states, drawn, U(lot.pool.size))
        hand_out(x, lot.pool, lot.pool_slots, drawn)
        for g in range(LANES):
            x.states[LANES + g] = x.states[g]
        for c in range(lot.fixed.shape[0]):
            deal_piles(x, lot, c)
            for at in range(POINTS, POINTS + n * LANES):
                x.buffer[at] = 0
            if lot.tables.ends.shape[0]:
                lay_rows(x, lot.tables, c)
            else:
                lay_starts(x, n * U(lot.tricks), plan.ascending != 0)
            play_tricks(x.buffer, x.cards, seats, U(lot.tricks))
            add_lanes(x, plan.players, min(LANES, U(job.rounds) - done), sums, c)

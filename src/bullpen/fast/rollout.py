"""Playing rounds out by policies, one after the other: the plain loop that all others are held against."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bullpen.fast.chance import U, deal, fresh_deck, sort_four, stream
from bullpen.fast.compiled import Array, Int, kernel, rule
from bullpen.fast.games import Plan
from bullpen.fast.policies import (
    HIGHEST,
    LOWEST,
    RANDOM,
    WEIGHTED,
    WITH_FLIP,
    Minds,
    extreme_play,
    next_word,
    random_play,
    weighted_play,
)
from bullpen.fast.rules import Table, restart, set_marker
from bullpen.fast.trick import FLIP, as_play, insert, place_play

MOST = 25
"""The largest hand: what two players get in each deal of two-halves."""


class Scratch(NamedTuple):
    """Working memory of a playout, made once and used again: nothing is allocated while playing."""

    table: Table
    """One table without a log."""
    hands: Array
    """uint8 [2, n, MOST]: the hands of both deals of the round; cards are played from the back."""
    left: Array
    """int64 [2, n]: the cards left in them."""
    flips: Array
    """uint8 [n]: who holds a flip card."""
    plays: Array
    """int32 [1, n]: the plays of the trick."""
    deck: Array
    """uint8 [104]: cards to draw from."""
    drawn: Array
    """uint8 [104]: cards drawn."""
    shown: Array
    """uint64 [2]: the cards that have been face up."""
    states: Array
    """uint64 [1]: the random stream."""


class Job(NamedTuple):
    """Which rounds to play."""

    first: int
    """The number of the first round: it alone, with the seed, decides what chance does there."""
    rounds: int
    seed: np.uint64


class Sums(NamedTuple):
    """What the rounds cost, summed up."""

    total: Array
    """int64 [C, n]: bullheads."""
    squares: Array
    """int64 [C, n]: squares of the bullheads of a round."""


def new_sums(candidates: int, players: int) -> Sums:
    """Return sums that are zero."""
    return Sums(np.zeros((candidates, players), np.int64), np.zeros((candidates, players), np.int64))


@rule
def choose(
    plan: Plan, minds: Minds, policy: Callable[..., int], x: Scratch, at: tuple[int, int, bool]
) -> Int:
    """Return the place in the hand of the card that a seat plays, plus WITH_FLIP if flipped."""
    seat, half, first = at
    hand = x.hands[half, seat]
    left = x.left[half, seat]
    kind = minds.kinds[0 if first else 1, seat]
    if kind == RANDOM:
        if x.flips[seat]:
            return random_play(hand, left, True, plan.digits, next_word(x.states))
        return left - 1
    if kind == LOWEST:
        return extreme_play(hand, left, 1)
    if kind == HIGHEST:
        return extreme_play(hand, left, -1)
    if kind == WEIGHTED:
        return weighted_play(hand, left, minds.weights[seat], next_word(x.states))
    word = next_word(x.states)
    return policy(x.table, 0, hand, left, seat, x.shown, minds.weights[seat], word)


@rule
def leave_hand(x: Scratch, half: Int, seat: Int, place: Int) -> Int:
    """Take the chosen card out of the hand and return the choice."""
    left = x.left[half, seat] - 1
    index = place & (WITH_FLIP - 1)
    card = np.int64(x.hands[half, seat, index])
    x.hands[half, seat, index] = x.hands[half, seat, left]
    x.left[half, seat] = left
    if place >= WITH_FLIP:
        x.flips[seat] = 0
        return FLIP + card
    return card


@rule
def play_round(
    plan: Plan, minds: Minds, policy: Callable[..., int], x: Scratch, half: Int, tricks: Int, fixed: Array
) -> None:
    """Play a round to its end, from a deal of which that many tricks are left.

    `fixed` holds choices made already for the first of them, else 0.
    """
    first = True
    for now in range(half, 2):
        for _ in range(tricks if now == half else plan.second):
            for seat in range(plan.players):
                choice = np.int64(fixed[seat]) if first else 0
                if choice == 0:
                    place = choose(plan, minds, policy, x, (seat, now, first))
                    choice = leave_hand(x, now, seat, place)
                elif choice >= FLIP:
                    x.flips[seat] = 0
                insert(x.plays, 0, seat, as_play(choice, seat, plan.digits))
            first = False
            for i in range(plan.players):
                play = np.int64(x.plays[0, i])
                card = play >> 4 & 127
                x.shown[card >> 6] |= U(1) << U(card & 63)
                place_play(plan.code, x.table, 0, play, -1, False)


@rule
def deal_round(plan: Plan, x: Scratch) -> None:
    """Deal a whole round: the hands trick by trick, then the start cards."""
    n = plan.players
    fresh_deck(x.deck, U(plan.size))
    x.states[0] = deal(x.deck, U(plan.size), x.drawn, U(n * (plan.first + plan.second) + 4), x.states[0])
    i = 0
    for half in range(2):
        size = plan.second if half else plan.first
        for k in range(size):
            for seat in range(n):
                x.hands[half, seat, size - 1 - k] = x.drawn[i]
                i += 1
        for seat in range(n):
            x.left[half, seat] = size
    if plan.ascending:
        sort_four(x.drawn, i)
    x.shown[0] = x.shown[1] = U(0)
    for row in range(4):
        card = np.int64(x.drawn[i + row])
        restart(x.table, 0, row, card)
        x.shown[card >> 6] |= U(1) << U(card & 63)
    set_marker(plan.code, x.table, 0)


@rule
def add_up(x: Scratch, players: Int, sums: Sums, c: Int) -> None:
    """Add a finished round to the sums."""
    for seat in range(players):
        points = np.int64(x.table.points[0, seat])
        sums.total[c, seat] += points
        sums.squares[c, seat] += points * points


@kernel
def simulate_plain(
    plan: Plan, minds: Minds, policy: Callable[..., int], x: Scratch, job: Job, fixed: Array, sums: Sums
) -> None:
    """Deal and play whole rounds; `fixed` is n zeros."""
    for i in range(job.rounds):
        x.states[0] = stream(job.seed, U(job.first + i))
        deal_round(plan, x)
        for seat in range(plan.players):
            x.table.points[0, seat] = 0
            x.flips[seat] = plan.digits >= 0
        play_round(plan, minds, policy, x, 0, plan.first, fixed)
        add_up(x, plan.players, sums, 0)


class Roots(NamedTuple):
    """Where playouts begin, for each of C candidates."""

    tables: Table
    """[C, …]: the rows, with nobody having points yet."""
    hands: Array
    """uint8 [2, n, MOST]: the hands now and those of half-time; 0 is a card to draw from the pool."""
    sizes: Array
    """int64 [2, n]: the cards in them."""
    pool: Array
    """uint8 [P]: the cards that nobody has seen."""
    flips: Array
    """uint8 [C, n]: who holds a flip card."""
    fixed: Array
    """uint8 [C, n]: choices made already for the first trick, else 0."""
    shown: Array
    """uint64 [2]: the cards that have been face up."""
    seat: int
    """The seat whose candidates these are, or -1."""
    half: int
    tricks: int
    """Tricks until the hands are empty."""


@rule
def put_down(roots: Roots, c: Int, x: Scratch) -> None:
    """Lay out the table of a candidate."""
    for row in range(4):
        x.table.ends[0, row] = roots.tables.ends[c, row]
        x.table.counts[0, row] = roots.tables.counts[c, row]
        x.table.heads[0, row] = roots.tables.heads[c, row]
        for place in range(5):
            x.table.rows[0, row, place] = roots.tables.rows[c, row, place]
    for i in range(2):
        x.table.mark[0, i] = roots.tables.mark[c, i]
        x.shown[i] = roots.shown[i]
    for seat in range(roots.flips.shape[1]):
        x.flips[seat] = roots.flips[c, seat]
        x.table.points[0, seat] = roots.tables.points[c, seat]


@rule
def draw_unknown(plan: Plan, roots: Roots, x: Scratch) -> None:
    """Deal cards of the pool to the hands that are not known, trick by trick."""
    need = 0
    most = 0
    for half in range(2):
        for seat in range(plan.players):
            if roots.sizes[half, seat] and roots.hands[half, seat, 0] == 0:
                need += roots.sizes[half, seat]
                most = max(most, roots.sizes[half, seat])
    for i in range(roots.pool.size):
        x.deck[i] = roots.pool[i]
    x.states[0] = deal(x.deck, U(roots.pool.size), x.drawn, U(need), x.states[0])
    i = 0
    for half in range(2):
        for k in range(most):
            for seat in range(plan.players):
                size = roots.sizes[half, seat]
                if k < size and roots.hands[half, seat, 0] == 0:
                    x.hands[half, seat, size - 1 - k] = x.drawn[i]
                    x.left[half, seat] = size
                    i += 1


@rule
def mix_known(roots: Roots, c: Int, x: Scratch, half: Int, seat: Int) -> None:
    """Put a known hand, less the card that is chosen already, into random order."""
    gone = roots.fixed[c, seat] & 127
    size = 0
    for i in range(roots.sizes[half, seat]):
        if roots.hands[half, seat, i] != gone:
            x.deck[size] = roots.hands[half, seat, i]
            size += 1
    x.states[0] = deal(x.deck, U(size), x.drawn, U(size), x.states[0])
    for k in range(size):
        x.hands[half, seat, size - 1 - k] = x.drawn[k]
    x.left[half, seat] = size


@rule
def deal_roots(plan: Plan, roots: Roots, c: Int, x: Scratch) -> None:
    """Deal what is unknown; then mix the known hands, the candidates' seat last so that all else is alike."""
    draw_unknown(plan, roots, x)
    for half in range(2):
        for seat in range(plan.players):
            if seat != roots.seat and roots.sizes[half, seat] and roots.hands[half, seat, 0]:
                mix_known(roots, c, x, half, seat)
    if roots.seat >= 0:
        for half in range(2):
            if roots.sizes[half, roots.seat] and roots.hands[half, roots.seat, 0]:
                mix_known(roots, c, x, half, roots.seat)


@kernel
def roll_plain(
    plan: Plan, minds: Minds, policy: Callable[..., int], x: Scratch, roots: Roots, job: Job, sums: Sums
) -> None:
    """Play a number of rounds to their end for every candidate, with the same chance for all of them."""
    for c in range(roots.fixed.shape[0]):
        for i in range(job.rounds):
            x.states[0] = stream(job.seed, U(job.first + i))
            put_down(roots, c, x)
            deal_roots(plan, roots, c, x)
            play_round(plan, minds, policy, x, roots.half, roots.tricks, roots.fixed[c])
            add_up(x, plan.players, sums, c)

"""Random play of base rules in lockstep: LANES games at a time, each step done for all of them.

One flat buffer holds everything (its parts at constant offsets), because that is what lets LLVM
prove that a loop over the lanes may be vectorised. Word layouts are those of `lanes`.
"""

import numpy as np

from bullpen.fast.chance import GAMMA, high_draw, low_draw, mixed, stream
from bullpen.fast.compiled import Array, kernel, rule
from bullpen.fast.lanes import add, both, either, equal, higher, like, lower, pick, place_lane, start_word
from bullpen.fast.rules import HEADS

U = np.uint64
LANES = U(64)
ENDS = U(0) * LANES
WORDS = U(4) * LANES
COST = U(8) * LANES
POINTS = U(9) * LANES
PLAYS = U(19) * LANES
BUFFER = 29 * 64

CARD_WORDS = (np.arange(128, dtype=np.uint16) << 7) | (HEADS.astype(np.uint16) << 4)


@rule
def draw_targets(targets: Array, states: Array, count: np.uint64, size: np.uint64) -> None:
    """For every lane draw which card comes next, `count` times (see `chance.shuffle_front`)."""
    for i in range(U(0), count, U(2)):
        for g in range(LANES):
            states[g] += GAMMA
            word = mixed(states[g])
            targets[i * LANES + g] = i + U(low_draw(word, size - i))
            targets[(i + U(1)) * LANES + g] = i + U(1) + U(high_draw(word, size - i - U(1)))


@rule
def hand_out(targets: Array, decks: Array, fresh: Array, cards: Array, count: np.uint64) -> None:
    """Deal the drawn cards from fresh decks: cards[i, lane]."""
    size = U(fresh.size)
    for g in range(LANES):
        for i in range(size):
            decks[g * U(104) + i] = fresh[i]
    for i in range(count):
        for g in range(LANES):
            at = g * U(104)
            j = U(targets[i * LANES + g])
            cards[i * LANES + g] = decks[at + j]
            decks[at + j] = decks[at + i]


@rule
def order_pair(buffer: Array, a: np.uint64, b: np.uint64) -> None:
    """Sort two words of every lane."""
    for g in range(LANES):
        x = buffer[a + g]
        y = buffer[b + g]
        buffer[a + g] = lower(x, y)
        buffer[b + g] = higher(x, y)


@rule
def place_all(buffer: Array, play: np.uint64) -> None:
    """Place one card in every lane."""
    for g in range(LANES):
        e0, e1, e2, e3, w0, w1, w2, w3, cost = place_lane(
            buffer[play + g],
            buffer[ENDS + g],
            buffer[ENDS + LANES + g],
            buffer[ENDS + U(2) * LANES + g],
            buffer[ENDS + U(3) * LANES + g],
            buffer[WORDS + g],
            buffer[WORDS + LANES + g],
            buffer[WORDS + U(2) * LANES + g],
            buffer[WORDS + U(3) * LANES + g],
        )
        buffer[ENDS + g] = e0
        buffer[ENDS + LANES + g] = e1
        buffer[ENDS + U(2) * LANES + g] = e2
        buffer[ENDS + U(3) * LANES + g] = e3
        buffer[WORDS + g] = w0
        buffer[WORDS + LANES + g] = w1
        buffer[WORDS + U(2) * LANES + g] = w2
        buffer[WORDS + U(3) * LANES + g] = w3
        buffer[COST + g] = cost


@rule
def charge(buffer: Array, play: np.uint64, players: np.uint64) -> None:
    """Add what the placement cost to the points of the seat that rides in the card word."""
    for p in range(players):
        at = POINTS + p * LANES
        for g in range(LANES):
            cost = buffer[COST + g]
            seat = both(buffer[play + g], like(15, cost))
            owed = pick(equal(seat, like(p, cost)), cost, like(0, cost))
            buffer[at + g] = add(buffer[at + g], owed)


@rule
def play_tricks(buffer: Array, cards: Array, players: np.uint64, tricks: np.uint64) -> None:
    """Play out all tricks; seat p plays cards[trick * players + p]."""
    for k in range(tricks):
        for p in range(players):
            at = (k * players + p) * LANES
            for g in range(LANES):
                card = cards[at + g]
                buffer[PLAYS + p * LANES + g] = either(card, like(p, card))
            for q in range(p):
                order_pair(buffer, PLAYS + q * LANES, PLAYS + p * LANES)
        for q in range(players):
            place_all(buffer, PLAYS + q * LANES)
            charge(buffer, PLAYS + q * LANES, players)


@rule
def lay_starts(buffer: Array, cards: Array, at: np.uint64) -> None:
    """Start the four rows with the dealt cards from place `at` on."""
    for r in range(U(4)):
        for g in range(LANES):
            card = cards[(at + r) * LANES + g]
            buffer[ENDS + r * LANES + g] = both(card, like(0xFF80, card))
            buffer[WORDS + r * LANES + g] = start_word(card)


@kernel
def run_lockstep(
    players: int, tricks: int, first: int, blocks: int, seed: np.uint64, fresh: Array,
    buffer: Array, states: Array, targets: Array, decks: Array, cards: Array, total: Array
) -> None:
    """Play `blocks` times LANES rounds, from round `first` on."""
    n = U(players)
    count = n * U(tricks) + U(4)
    for block in range(blocks):
        for g in range(LANES):
            states[g] = stream(seed, U(first) + U(block) * LANES + g)
        draw_targets(targets, states, count, U(fresh.size))
        hand_out(targets, decks, fresh, cards, count)
        lay_starts(buffer, cards, count - U(4))
        for p in range(n):
            for g in range(LANES):
                buffer[POINTS + p * LANES + g] = 0
        play_tricks(buffer, cards, n, U(tricks))
        for p in range(n):
            for g in range(LANES):
                total[p] += buffer[POINTS + p * LANES + g]

"""What the network of the board games is told of the tiles in a hand: in play, and in training.

A seat is told what it sees and nothing else, so it is told the same of every world that it can imagine. What
is printed on a board is told by what it brings, so that any board can be played on.
"""

from typing import Any

import numpy as np

from bullpen.bots.card_sets import count, single, under
from bullpen.bots.compiled import Array, piece, real, whole
from bullpen.bots.heuristics.boards import MEAN_OXEN
from bullpen.bots.heuristics.card_cost import STEPS
from bullpen.bots.heuristics.compiled_boards import Eyes, space_gain, taking
from bullpen.fast.compiled import Int
from bullpen.fast.twins.board_cards import row_for_tile, unplanned
from bullpen.fast.twins.board_state import DEALS, KINDS, LUCK, NO_ROW, TILES, last_tile
from bullpen.fast.twins.boards import tiles_due

LOOK = 4
"""How many tiles of others are thought of that may land first."""
ROOM = 6
"""How many spaces before the last one of a row are told apart."""
SORTS = 8
"""The sorts of space."""

PLAYERS, HELD, DUE, DECK, SCORE, LEAD, DEALT, EXPERT, LUCKY, CARDS, LUCK_CARDS = range(11)
"""What is the same for all tiles of a hand."""
NUMBER, OX, LOW, SHARE, OWN_BELOW, OWN_ABOVE, ABOVE, GAIN, TAKES, PRICE, BEST, MEAN = range(11, 23)
"""What is told of a tile: GAIN is what the heuristic says, in fives of points."""
GAINS = 23
"""What it brings if so many others land first; then how likely that is."""
CHANCES = GAINS + LOOK
ROOMS = CHANCES + LOOK
FIRST_SORT = ROOMS + ROOM
NEXT_SORT = FIRST_SORT + SORTS
INPUTS = NEXT_SORT + SORTS
"""How many numbers are told of a tile."""
FIVE = 5.0


def new_told() -> Array:
    """Return memory for what is told of a hand: float32 [TILES, INPUTS], a tile a row."""
    return np.zeros((TILES, INPUTS), np.float32)


@piece
def describe_hand(plan: Any, s: Any, seat: Int, x: Array) -> None:
    """Write down what is the same for all tiles, in memory that is zero."""
    printed = plan.printed[0]
    others = 0.0
    for other in range(plan.players):
        others += 0.0 if other == seat else real(s.scores[0, other])
    x[PLAYERS] = plan.players / 6.0
    x[HELD] = s.held[0, seat] / 12.0
    x[DUE] = real(tiles_due(s, 0, seat) - 1)
    x[DECK] = (s.deck.shape[1] - whole(s.drawn[0])) / 60.0
    x[SCORE] = s.scores[0, seat] / 44.0
    x[LEAD] = (real(s.scores[0, seat]) - others / (plan.players - 1)) / 20.0
    x[DEALT] = real(printed.deals - whole(s.own[0, DEALS]))
    x[EXPERT], x[LUCKY] = real(printed.expert), real(printed.luck)
    for card in range(KINDS):
        x[LUCK_CARDS if card >= LUCK else CARDS] += s.cards[0, seat, card] / 4.0


@piece
def next_end(s: Any, tile: Int) -> Int:
    """Return the lowest end of a row above a tile."""
    found = whole(TILES + 1)
    for row in range(s.counts.shape[1]):
        if s.counts[0, row]:
            end = last_tile(s, 0, row)
            if tile < end < found:
                found = end
    return found


@piece
def in_between(tiles: Any, low: Int, high: Int) -> Int:
    """Return how many tiles of a set lie strictly between two numbers."""
    a, b = under(low + 1)
    c, d = under(high)
    return count(tiles[0] & c & ~a, tiles[1] & d & ~b)


@piece
def describe_landing(plan: Any, s: Any, eyes: Eyes, tile: Int, row: Int, x: Array) -> None:
    """Write down what a tile brings if so many others land before it in its row, and how likely that is."""
    printed = plan.printed[0]
    space = whole(s.spaces[0, row, whole(s.counts[0, row]) - 1]) + 1
    last = whole(printed.lengths[row]) - 1
    others = (plan.players - 1) * (1 + whole(x[DUE]))
    step = min(STEPS, whole(x[SHARE] * STEPS + 0.5))
    price = taking(printed, s, row, False)
    gain = 0.0
    for before in range(min(others, last - space) + 1):
        likely = eyes.exactly[others, before, step]
        if space + before == last:
            brings = price - MEAN_OXEN * before
            x[TAKES] = likely
        else:
            brings = space_gain(printed, row, space + before, whole(printed.oxen[tile]))
        gain += likely * brings
        if before < LOOK:
            x[GAINS + before] = brings / FIVE
            x[CHANCES + before] = likely
    x[GAIN] = gain / FIVE
    x[PRICE] = price / 10.0
    x[ROOMS + min(ROOM - 1, last - space)] = 1.0
    x[FIRST_SORT + whole(printed.sorts[row, space])] = 1.0
    if space < last:
        x[NEXT_SORT + whole(printed.sorts[row, space + 1])] = 1.0


@piece
def describe_tile(plan: Any, s: Any, eyes: Eyes, tile: Int, hand: Any, unseen: Any, x: Array) -> None:
    """Write down where a tile goes and what may come before it; hand and unseen tiles are sets."""
    row = row_for_tile(s, 0, unplanned(tile, NO_ROW))
    end, following = last_tile(s, 0, row), next_end(s, tile)
    if end > tile:
        x[LOW] = 1.0
        end = whole(0)
    total = max(whole(1), count(unseen[0], unseen[1]))
    x[NUMBER] = tile / 100.0
    x[OX] = plan.printed[0].oxen[tile] / FIVE
    x[SHARE] = in_between(unseen, end, tile) / total
    x[ABOVE] = in_between(unseen, tile, following) / total
    x[OWN_BELOW] = in_between(hand, end, tile) / 4.0
    x[OWN_ABOVE] = in_between(hand, tile, following) / 4.0
    describe_landing(plan, s, eyes, tile, row, x)


@piece
def compare_tiles(told: Array, held: Int) -> None:
    """Write down by how much the best of the other tiles is better, and all on average."""
    total, best, second, which = 0.0, -1e9, -1e9, 0
    for i in range(held):
        gain = real(told[i, GAIN])
        total += gain
        if gain > best:
            best, second, which = gain, best, i
        else:
            second = max(second, gain)
    for i in range(held):
        if held > 1:
            told[i, BEST] = (second if i == which else best) - told[i, GAIN]
        told[i, MEAN] = total / held - told[i, GAIN]


@piece
def describe_tiles(plan: Any, s: Any, seat: Int, eyes: Eyes, told: Array) -> None:
    """Describe all tiles of a hand, in its order; the hidden tiles must have been noted."""
    held = whole(s.held[0, seat])
    low = high = np.uint64(0)
    for i in range(held):
        one, other = single(whole(s.hands[0, seat, i]))
        low, high = low | one, high | other
    unseen = eyes.hidden[0] & ~low, eyes.hidden[1] & ~high
    for i in range(held):
        for k in range(INPUTS):
            told[i, k] = 0.0
        describe_hand(plan, s, seat, told[i])
        describe_tile(plan, s, eyes, whole(s.hands[0, seat, i]), (low, high), unseen, told[i])
    compare_tiles(told, held)

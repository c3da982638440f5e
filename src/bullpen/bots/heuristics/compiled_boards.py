"""What the heuristic of the board games says, in compiled code: the answers of everybody within playouts.

A tile brings what `heuristics.boards` says it does, and so does a card before a tile is placed. A test asks
both.
"""

from typing import Any, NamedTuple

import numpy as np

from bullpen.bots.card_sets import count, hidden_cards, single, under
from bullpen.bots.compiled import Array, piece, real, rule, whole
from bullpen.bots.heuristics.boards import ACTION, LUCKY, MEAN_OXEN, TILE
from bullpen.bots.heuristics.card_cost import STEPS
from bullpen.bots.heuristics.compiled_chances import chance_table
from bullpen.fast.chance import U, high_draw, low_draw
from bullpen.fast.compiled import Int
from bullpen.fast.twins.board_cards import current_turn, landing, meant, row_for_tile, turn_with, unplanned
from bullpen.fast.twins.board_state import (
    CHOOSE_EMPTY_ROW,
    CHOOSE_LUCK,
    CHOOSE_TWO_TILES,
    DRAW_ACTION,
    DRAW_TILE,
    LUCK,
    NO_ROW,
    OXEN,
    PLUS_FIVE,
    POINTS,
    POSITIVE_OX,
    SEATS,
    TAKE_TILES,
    TILE_TAKING,
    TILES,
    last_tile,
)
from bullpen.fast.twins.boards import tiles_due
from bullpen.fast.twins.course import list_options
from bullpen.fast.twins.state import PASS, ROW

MOST_BEFORE = 2 * (SEATS - 1)
"""The most tiles of others in a trick."""
UNLIKELY = 0.005
"""What is less likely than this is not thought of."""


class Eyes(NamedTuple):
    """What a seat of a playout looks things up in, and notes down."""

    exactly: Array
    """The chances of `card_cost.exactly`, of up to MOST_BEFORE cards."""
    hidden: Array
    """uint64 [2]: the tiles that lie in hands and in the deck, as a set."""
    gains: Array
    """float64 [TILES]: what the tiles of the hand bring, in its order."""


def new_eyes() -> Eyes:
    """Return the chances, and paper."""
    return Eyes(chance_table(MOST_BEFORE), np.zeros(2, np.uint64), np.zeros(TILES))


# Choosing tiles.


@piece
def note_hidden(plan: Any, s: Any, eyes: Eyes) -> None:
    """Note which tiles lie in hands and in the deck."""
    eyes.hidden[0], eyes.hidden[1] = hidden_cards(plan, s)


@rule
def space_gain(printed: Any, row: Int, space: Int, oxen: Int) -> float:
    """Return what a space brings that is no take, if a tile with so many oxen lies on it."""
    sort, worth = printed.sorts[row, space], real(printed.worths[row, space])
    if sort == OXEN:
        return real(worth * oxen)
    if sort == POINTS:
        return worth
    if sort == DRAW_ACTION:
        return ACTION
    return TILE if sort == DRAW_TILE else 0.0


@piece
def taking(printed: Any, s: Any, row: Int, lucky: Int) -> float:
    """Return what taking a row brings; tiles behind the screen are a loss that can be mended."""
    tiles = whole(s.counts[0, row])
    total = most = second = whole(0)
    for i in range(tiles):
        oxen = whole(printed.oxen[s.rows[0, row, i]])
        total += oxen
        second = max(second, min(most, oxen))
        most = max(most, oxen)
    plus = most + second if lucky else whole(0)
    if printed.sorts[row, whole(printed.lengths[row]) - 1] == TAKE_TILES:
        return real(plus + TILE * tiles)
    return real(2 * plus - total)


@piece
def tile_gain(printed: Any, s: Any, eyes: Eyes, tile: Int, others: Int, unseen: Any) -> float:
    """Return what a tile brings on average, over how many others land before it in its row."""
    row = row_for_tile(s, 0, unplanned(tile, NO_ROW))
    end = last_tile(s, 0, row)
    low, high = under(end + 1 if end < tile else whole(0))
    first, second = under(tile)
    between = count(unseen[0] & first & ~low, unseen[1] & second & ~high)
    total = max(whole(1), count(unseen[0], unseen[1]))
    step = min(STEPS, whole(between / total * STEPS + 0.5))
    space = whole(s.spaces[0, row, whole(s.counts[0, row]) - 1]) + 1
    last = whole(printed.lengths[row]) - 1
    oxen = whole(printed.oxen[tile])
    gain = 0.0
    for before in range(min(others, last - space) + 1):
        likely = eyes.exactly[others, before, step]
        if likely > UNLIKELY:
            if space + before == last:
                gain += likely * (taking(printed, s, row, False) - MEAN_OXEN * before)
            else:
                gain += likely * space_gain(printed, row, space + before, oxen)
    return gain


@piece
def weigh_tiles(plan: Any, s: Any, seat: Int, eyes: Eyes) -> None:
    """Note what each tile of a hand brings; the hidden tiles must have been noted."""
    others = (plan.players - 1) * tiles_due(s, 0, seat)
    low, high = eyes.hidden[0], eyes.hidden[1]
    held = whole(s.held[0, seat])
    for i in range(held):
        one, other = single(whole(s.hands[0, seat, i]))
        low, high = low & ~one, high & ~other
    for i in range(held):
        tile = whole(s.hands[0, seat, i])
        eyes.gains[i] = tile_gain(plan.printed[0], s, eyes, tile, others, (low, high))


@piece
def pick_tiles(s: Any, seat: Int, eyes: Eyes) -> Int:
    """Return the tile that brings most, or the two; what each brings must have been noted."""
    best, second = 0, -1
    for i in range(1, whole(s.held[0, seat])):
        if eyes.gains[i] > eyes.gains[best]:
            best, second = i, best
        elif second < 0 or eyes.gains[i] > eyes.gains[second]:
            second = i
    return as_choice(s, seat, best, second if tiles_due(s, 0, seat) == 2 else -1)


@piece
def any_tiles(s: Any, seat: Int, word: Int) -> Int:
    """Return any tile, or any two."""
    held = whole(s.held[0, seat])
    one = whole(high_draw(word, U(held)))
    if tiles_due(s, 0, seat) == 1:
        return as_choice(s, seat, one, -1)
    other = whole(low_draw(word, U(held - 1)))
    return as_choice(s, seat, one, other + (other >= one))


@rule
def as_choice(s: Any, seat: Int, one: Int, other: Int) -> Int:
    """Return the choice of one or (unless it is -1) two places of a hand."""
    if other < 0:
        return whole(s.hands[0, seat, one])
    low, high = min(one, other), max(one, other)
    return whole(s.hands[0, seat, low]) << 7 | whole(s.hands[0, seat, high])


# Before a tile is placed, and smaller questions.


@piece
def placing(printed: Any, s: Any, turn: Any) -> float:
    """Return what placing a tile brings at once."""
    place = landing(printed, s, 0, turn)
    row, space = place >> 8, place & 255
    if turn.luck == PLUS_FIVE:
        return 5.0
    if space == whole(printed.lengths[row]) - 1:
        return taking(printed, s, row, turn.luck == POSITIVE_OX)
    tile = turn.tile
    if turn.at_start != NO_ROW and space:
        tile = whole(s.rows[0, row, space - 1])
    return space_gain(printed, row, space, whole(printed.oxen[tile]))


@piece
def window_gain(printed: Any, s: Any, seat: Int, choice: Int) -> float:
    """Return what the placement brings with a card, less what the card is worth if it is kept."""
    turn = current_turn(s, 0)
    if choice == PASS:
        return placing(printed, s, turn)
    card = (choice >> 7) & 7
    turn = turn_with(s, 0, seat, turn, card, meant(choice))
    return placing(printed, s, turn) - (LUCKY if card >= LUCK else ACTION)


@piece
def choice_gain(plan: Any, s: Any, seat: Int, choice: Int) -> float:
    """Return what an answer to a question brings that is not about the tiles of a trick."""
    printed, kind = plan.printed[0], s.kind[0]
    if kind == CHOOSE_EMPTY_ROW:
        row = choice - ROW
        oxen = whole(printed.oxen[s.own[0, TILE_TAKING]])
        return space_gain(printed, row, 0, oxen) + 0.05 * real(printed.lengths[row])
    if kind == CHOOSE_LUCK:
        card = (choice >> 7) & 7
        return real(-whole(s.cards[0, seat, card]) - 0.5 * (card == PLUS_FIVE))
    if kind == CHOOSE_TWO_TILES:
        return real(printed.oxen[choice & 127]) + real(printed.oxen[(choice >> 7) & 127])
    return window_gain(printed, s, seat, choice)


@piece
def best_answer(plan: Any, s: Any, seat: Int, options: Array) -> Int:
    """Return the answer that brings most."""
    many = list_options(plan, s, 0, seat, options)
    best, most = 0, -1e9
    for i in range(many):
        gain = choice_gain(plan, s, seat, whole(options[i])) if many > 1 else 0.0
        if gain > most:
            best, most = i, gain
    return whole(options[best])


@piece
def any_answer(plan: Any, s: Any, seat: Int, options: Array, word: Int) -> Int:
    """Return any answer."""
    return whole(options[whole(high_draw(word, U(list_options(plan, s, 0, seat, options))))])

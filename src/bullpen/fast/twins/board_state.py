"""What lies on the boards of many games: tiles, spaces, signs, plans, action cards and luck cards.

Besides the arrays of a `State` a record has those of `board_fields`, and what is printed is a record too.
"""

from typing import Any, NamedTuple

import numpy as np

from bullpen.fast.compiled import Array, Int, rule
from bullpen.fast.twins.state import OTHERS, Fields, State

BLANK, DOUBLE, DRAW_TILE, DRAW_ACTION, TAKE_OX, TAKE_TILES, OXEN, POINTS = range(8)
"""The sorts of space; OXEN and POINTS come with a number."""

STOP, EXCHANGE, SKIP, AT_START, ASCENDING, ANOTHER, PLUS_FIVE, POSITIVE_OX = range(8)
"""The cards, the luck cards last."""
LUCK = PLUS_FIVE

PLAY_ACTIONS, PLAY_LUCK, CHOOSE_LUCK, CHOOSE_TWO_TILES, CHOOSE_EMPTY_ROW = range(OTHERS, OTHERS + 5)
"""The kinds of question besides the tiles of a trick."""

SPECIAL = 1 << 14
"""Added to card << 7 | target for the use of a card; a target is a tile, or a row counted from 1."""

DEALS, DUE, ACTOR, CLOVERS, ROW_TAKEN, TILE_TAKING, VEILED = range(7)
"""Places in `own`: how many hands have been dealt; how many tiles are due in this trick; whose tile acts;
how many clovers still bring a luck card; the row that is being taken, or NO_ROW, and the tile that took it;
whether action cards are unknown."""
OWN = 7

TILES, SEATS, KINDS, ACTIONS, SIGNS = 100, 6, 8, 24, 2
"""The tiles; the most players; the kinds of card; the action cards; the stop signs."""
ROWS, SPACES, LARGEST = 10, 8, 100
"""The rows and spaces that there is room for; a larger board, up to a limit, gets more, and machine code of
its own."""
NO_ROW = -1
TRACK_END = 44


class BoardPlan(NamedTuple):
    """A board game for a number of players, and what is printed on its parts."""

    players: int
    printed: Array
    """[1]: a record of the fields of `printed_type`."""


def printed_type(rows: int, spaces: int) -> np.dtype[Any]:
    """Return what compiled code knows of a game and its board."""
    return np.dtype(
        [
            ("players", np.int64),
            ("expert", np.int64),
            ("luck", np.int64),
            ("deals", np.int64),  # how many hands everybody gets
            ("first_row", np.int64),  # the topmost of the four rows that are started
            ("tricks", np.int64),  # after so many the game is stopped (EXP-21); 0 for no limit
            ("rows", np.int64),
            ("lengths", np.uint8, (rows,)),  # the spaces of each row
            ("sorts", np.uint8, (rows, spaces)),  # the sort of each space
            ("worths", np.int8, (rows, spaces)),  # the number that comes with it
            ("oxen", np.uint8, (TILES + 1,)),
            ("clovers", np.uint8, (2 * TRACK_END + 1,)),  # how many lie below each place of the track
            ("cards", np.uint8, (KINDS,)),  # how many there are of each
        ]
    )


def board_fields(rows: int, spaces: int) -> Fields:
    """Return the arrays that only boards have, in their records."""
    return {
        "spaces": (np.uint8, (rows, spaces)),  # the space of each tile of a row
        "stops": (np.uint8, (SIGNS,)),  # the rows with a stop sign
        "stopped": (np.uint8, ()),
        "plans": (np.int8, (TILES, 5)),  # cards played for tiles: tile, skips, ascending, at the start, luck
        "planned": (np.uint8, ()),
        "cards": (np.uint8, (SEATS, KINDS)),  # how many of each card a seat holds
        "veiled": (np.uint8, (SEATS,)),  # how many action cards of a seat are not known
        "actions": (np.uint8, (ACTIONS,)),  # the shuffled action card pile
        "acted": (np.uint8, ()),  # how many of them have been drawn
        "piled": (np.uint8, ()),  # how many cards the pile had
        "discard": (np.uint8, (ACTIONS,)),
        "discarded": (np.uint8, ()),
        "coming": (np.uint8, (ACTIONS,)),  # 1 + cards of the next shuffled pile, if known beforehand; else 0
        "piles": (np.uint8, (KINDS,)),  # the luck cards of each kind that nobody holds
    }


def record_of(s: State, b: int) -> Any:
    """Return a game as Python reads and writes it: with arrays of that one game as attributes."""
    return s.games.view(np.recarray)[b]


@rule
def is_stopped(s: Any, b: Int, row: Int) -> Int:
    """Whether a row has a stop sign."""
    found: Int = False
    for i in range(np.int64(s.stopped[b])):
        found |= s.stops[b, i] == row
    return found


@rule
def first_tile(s: Any, b: Int, row: Int) -> Int:
    """Return the first tile of a row that has one."""
    return np.int64(s.rows[b, row, 0])


@rule
def last_tile(s: Any, b: Int, row: Int) -> Int:
    """Return the last tile of a row that has one."""
    return np.int64(s.rows[b, row, np.int64(s.counts[b, row]) - 1])


@rule
def is_covered(s: Any, b: Int, row: Int, space: Int) -> Int:
    """Whether a tile lies on a space."""
    found: Int = False
    for i in range(np.int64(s.counts[b, row])):
        found |= s.spaces[b, row, i] == space
    return found

"""Where the numbers of a batch lie: in planes, each of which holds one number of every game.

Callers see arrays with the game as their first axis. In memory it is the last one, so that the same
number of many games can be loaded as a vector (`abreast`), or by the threads of a device together.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from bullpen.fast.chance import U
from bullpen.fast.compiled import Array
from bullpen.fast.rules import Table
from bullpen.fast.simd.vectors import PER_VECTOR
from bullpen.fast.tables import Seats

ROWS, ENDS, COUNTS, HEADS, STAGE = U(0), U(20), U(24), U(28), U(32)
TODO, CHOSEN, GIVEN = U(36), U(37), U(38)
"""The planes of bytes: the rows' cards, their ends, counts and heads, and the columns of `Seats.stage`;
then, for the step at hand, what is to be done with a game, the row that is chosen, and the cards that
are, a plane a seat."""


class Planes(NamedTuple):
    """The planes that a step in lockstep works on, as flat arrays: number k of game b is at k * width + b."""

    bytes: Array
    """uint8 [(38 + n) * width]."""
    points: Array
    """int16 [n * width]: the bullheads of this round."""
    plays: Array
    """int32 [n * width]: the plays that wait while a row is to be chosen."""
    scores: Array
    """int32 [n * width]: the bullheads of the finished rounds."""
    sets: Array
    """uint64 [(2 * n + 2) * width]: the hands, two planes a seat, then the cards that have been shown."""


def width_for(size: int) -> int:
    """Return how long the planes of that many games are: whole vectors, with room to spare.

    It is an odd number of vectors, so that the planes don't all compete for the same lines of the cache.
    """
    return (size // PER_VECTOR + 1 | 1) * PER_VECTOR


def new_planes(size: int, players: int) -> Planes:
    """Return planes for that many games."""
    width = width_for(size)
    return Planes(
        bytes=np.zeros((int(GIVEN) + players) * width, np.uint8),
        points=np.zeros(players * width, np.int16),
        plays=np.zeros(players * width, np.int32),
        scores=np.zeros(players * width, np.int32),
        sets=np.zeros((2 * players + 2) * width, np.uint64),
    )


def _games_first(flat: NDArray[Any], size: int, first: int, *shape: int) -> NDArray[Any]:
    """Return planes of a flat array as [B, *shape]."""
    width = width_for(size)
    part = flat[first * width : (first + int(np.prod(shape))) * width]
    return np.moveaxis(part.reshape(*shape, width), -1, 0)[:size]


def _new(size: int, kind: DTypeLike, *shape: int) -> NDArray[Any]:
    """Return new planes as [B, *shape]."""
    return _games_first(np.zeros(int(np.prod(shape)) * width_for(size), kind), size, 0, *shape)


def table_over(p: Planes, size: int, players: int, log: int) -> Table:
    """Return the tables of a batch, which live in its planes; the log is read and written game by game."""
    return Table(
        rows=_games_first(p.bytes, size, int(ROWS), 4, 5),
        ends=_games_first(p.bytes, size, int(ENDS), 4),
        counts=_games_first(p.bytes, size, int(COUNTS), 4),
        heads=_games_first(p.bytes, size, int(HEADS), 4),
        mark=_new(size, np.int8, 2),
        points=_games_first(p.points, size, 0, players),
        taken=np.zeros((size, log), np.uint8),
        takers=np.zeros((size, log), np.uint8),
        logged=np.zeros(size, np.uint8),
    )


def seats_over(p: Planes, size: int, players: int) -> Seats:
    """Return the seats of a batch, which live in its planes; the deal is read and written game by game."""
    return Seats(
        hands=_games_first(p.sets, size, 0, players, 2),
        flips=_new(size, np.uint8, players),
        plays=_games_first(p.plays, size, 0, players),
        stage=_games_first(p.bytes.view(np.int8), size, int(STAGE), 4),
        deck=np.zeros((size, 104), np.uint8),
        shown=_games_first(p.sets, size, 2 * players, 2),
        scores=_games_first(p.scores, size, 0, players),
        states=np.zeros(size, np.uint64),
    )


def todo_of(p: Planes, size: int) -> NDArray[np.uint8]:
    """Return [B]: what is to be done with each game (see `checked`)."""
    todo: NDArray[np.uint8] = p.bytes[int(TODO) * width_for(size) :][:size]
    return todo

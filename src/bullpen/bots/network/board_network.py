"""What a tile brings in the board games, and how likely it is chosen: small networks, compiled and plain."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.compiled import Array, piece, plain, whole
from bullpen.bots.heuristics.compiled_boards import Eyes
from bullpen.bots.network.board_features import FIVE, GAIN, INPUTS, describe_tiles, new_told
from bullpen.bots.network.network import WEIGHTS, add_inputs, copy_to, rectify
from bullpen.fast.compiled import Int

WIDE, DEEP = 48, 16
START = plain(0)


class Weights(NamedTuple):
    """Weights, inputs first: two layers lead to a mark for a tile.

    That is what it brings, in points, or for habits the logarithm of its chance but for a constant.
    """

    wide_weight: Array
    wide_bias: Array
    deep_weight: Array
    deep_bias: Array
    mark_weight: Array


class Page(NamedTuple):
    """What the network is told, and its working memory."""

    told: Array
    wide: Array
    deep: Array


@cache
def load() -> tuple[Weights, Weights]:
    """Return the networks of the board games: what tiles bring, and habits."""
    gains, habits = (WEIGHTS.joinpath(name).open("rb") for name in ("boards.npz", "boards.habits.npz"))
    with gains, habits:
        return read(gains), read(habits)


def read(file: Any) -> Weights:
    """Return the weights that `training.boards` has written."""
    with np.load(file) as arrays:
        return Weights(*(np.ascontiguousarray(arrays[field], np.float32) for field in Weights._fields))


def untaught() -> Weights:
    """Return a network that has learned nothing, and says of a tile what the heuristic does."""
    net = Weights(
        np.zeros((INPUTS, WIDE), np.float32),
        np.zeros(WIDE, np.float32),
        np.zeros((WIDE, DEEP), np.float32),
        np.zeros(DEEP, np.float32),
        np.zeros((DEEP, 1), np.float32),
    )
    for unit, sign in enumerate((1, -1)):
        net.wide_weight[GAIN, unit] = net.mark_weight[unit, 0] = sign
        net.deep_weight[unit, unit] = FIVE
    return net


def new_page() -> Page:
    """Return a page to be written on."""
    return Page(new_told(), np.zeros(WIDE, np.float32), np.zeros(DEEP, np.float32))


@piece
def mark_of_told(net: Weights, page: Page, i: Int) -> float:
    """Return the mark of a described tile."""
    copy_to(net.wide_bias, page.wide)
    add_inputs(page.told[i], net.wide_weight, START, page.wide)
    rectify(page.wide)
    copy_to(net.deep_bias, page.deep)
    add_inputs(page.wide, net.deep_weight, START, page.deep)
    rectify(page.deep)
    total = 0.0
    for o in range(page.deep.size):
        total += page.deep[o] * net.mark_weight[o, 0]
    return total


@piece
def judge_tiles(plan: Any, s: Any, seat: Int, eyes: Eyes, net: Weights, page: Page) -> None:
    """Note the mark of each tile of a hand; the hidden tiles must have been noted."""
    describe_tiles(plan, s, seat, eyes, page.told)
    for i in range(whole(s.held[0, seat])):
        eyes.gains[i] = mark_of_told(net, page, i)


def plain_marks(net: Weights, told: NDArray[Any]) -> NDArray[Any]:
    """Return the marks of described tiles, by plain NumPy: inference is held against it."""
    wide = np.maximum(told @ net.wide_weight + net.wide_bias, 0)
    deep = np.maximum(wide @ net.deep_weight + net.deep_bias, 0)
    found: NDArray[Any] = (deep @ net.mark_weight)[:, 0]
    return found

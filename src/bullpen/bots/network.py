"""The expert's network: what a position will cost a seat. Compiled, and plainly for comparison."""

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.compiled import Array, piece
from bullpen.bots.sight import ITEMS, Eyes

EMBED, WIDE, DEEP = 64, 128, 64
SCALE = np.float32(10.0)
POOL = np.float32(0.25)


class Network(NamedTuple):
    """Weights, inputs first: plays are embedded one by one and summed up, then two layers follow."""

    item_weight: Array
    item_bias: Array
    wide_weight: Array
    wide_bias: Array
    deep_weight: Array
    deep_bias: Array
    value_weight: Array
    value_bias: Array
    head_weight: Array
    head_bias: Array
    play_weight: Array
    play_bias: Array


class Layers(NamedTuple):
    """Working memory of the network."""

    embedded: Array
    """float32 [ITEMS, EMBED]."""
    pooled: Array
    wide: Array
    deep: Array


NETWORKS = {"tactics": "base", "logic": "base"}
"""Games that are played with the network of another game."""


@cache
def load(game: str) -> Network:
    """Return the network of a game."""
    name = NETWORKS.get(game, game)
    with files("bullpen.bots").joinpath("weights", f"{name}.npz").open("rb") as file, np.load(file) as arrays:
        parts = [np.ascontiguousarray(arrays[field], np.float32) for field in Network._fields]
    return Network(*parts)


def new_layers() -> Layers:
    """Return working memory for one thread."""
    return Layers(
        np.zeros((ITEMS, EMBED), np.float32),
        np.zeros(EMBED, np.float32),
        np.zeros(WIDE, np.float32),
        np.zeros(DEEP, np.float32),
    )


@piece
def add_inputs(inputs: Array, weights: Array, first: int, out: Array) -> None:
    """Add inputs times weights (from row `first` on); inputs that are zero cost nothing."""
    for k in range(inputs.size):
        x = inputs[k]
        if x != np.float32(0):
            row = weights[first + k]
            for o in range(out.size):
                out[o] += x * row[o]


@piece
def copy_to(values: Array, out: Array) -> None:
    """Copy a row of numbers."""
    for o in range(out.size):
        out[o] = values[o]


@piece
def rectify(values: Array) -> None:
    """Turn what is negative to zero."""
    for o in range(values.size):
        values[o] = max(values[o], np.float32(0))


@piece
def digest(net: Network, eyes: Eyes, size: int, a: Layers) -> None:
    """Run what has been described through the layers."""
    for o in range(EMBED):
        a.pooled[o] = 0
    for i in range(size):
        e = a.embedded[i]
        copy_to(net.item_bias, e)
        add_inputs(eyes.items[i], net.item_weight, 0, e)
        rectify(e)
        for o in range(EMBED):
            a.pooled[o] += POOL * e[o]
    copy_to(net.wide_bias, a.wide)
    add_inputs(a.pooled, net.wide_weight, 0, a.wide)
    add_inputs(eyes.scene, net.wide_weight, EMBED, a.wide)
    rectify(a.wide)
    copy_to(net.deep_bias, a.deep)
    add_inputs(a.wide, net.deep_weight, 0, a.deep)
    rectify(a.deep)


@piece
def worth(net: Network, eyes: Eyes, size: int, a: Layers) -> float:
    """Return what the rest of the round costs the seat whose sight has been described, in bullheads."""
    digest(net, eyes, size, a)
    total = net.value_bias[0]
    for o in range(DEEP):
        total += a.deep[o] * net.value_weight[o, 0]
    return float(total * SCALE)


def plain_worth(net: Network, items: NDArray[Any], scene: NDArray[Any]) -> float:
    """Return the same by plain NumPy in double precision: the reference that inference is held against."""
    wide = [np.asarray(part, np.float64) for part in net]
    embedded = np.maximum(items @ wide[0] + wide[1], 0)
    pooled = embedded.sum(0) / 4
    hidden = np.maximum(np.concatenate([pooled, scene]) @ wide[2] + wide[3], 0)
    deep = np.maximum(hidden @ wide[4] + wide[5], 0)
    return float((deep @ wide[6] + wide[7])[0] * 10)

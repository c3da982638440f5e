"""The expert's network: what a position will cost a seat. Compiled, and plainly for comparison."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.compiled import Array, piece, plain
from bullpen.bots.estimates.compiled_view import MOST_PLAYS
from bullpen.bots.network.features import Inputs, new_inputs

START = plain(0)
"""Where the weights of the first inputs begin; those of others lie behind the embedded plays."""
SCALE = np.float32(10.0)
POOL = np.float32(0.25)


class Network(NamedTuple):
    """Weights, inputs first: plays are embedded one by one and summed up, then two layers follow.

    They lead to the value of the position, and with each play to what that will cost.
    """

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
    """Working memory of the network, and what it is told."""

    inputs: Inputs
    embedded: Array
    """float32 [MOST_PLAYS, the embedded size]."""
    pooled: Array
    wide: Array
    deep: Array
    context: Array
    head: Array


NETWORKS, HABITS = {"tactics": "logic"}, {"tactics": "base", "logic": "base"}
"""Games that are played with the network of another game, and whose players have its habits."""
WEIGHTS = files("bullpen.bots.network").joinpath("weights")


@cache
def load(game: str) -> Network:
    """Return the network of a game."""
    return read(WEIGHTS.joinpath(f"{NETWORKS.get(game, game)}.npz"))


@cache
def load_habits(game: str) -> Network:
    """Return the network that plays a game as the levels are used to."""
    return read(WEIGHTS.joinpath(f"{HABITS.get(game, game)}.habits.npz"))


def read(weights: Traversable) -> Network:
    """Return the network of a file of weights."""
    with weights.open("rb") as file, np.load(file) as arrays:
        parts = [np.ascontiguousarray(arrays[field], np.float32) for field in Network._fields]
    return Network(*parts)


def new_layers(net: Network) -> Layers:
    """Return working memory for one thread, for a network and any of its shape."""
    return Layers(
        new_inputs(),
        np.zeros((MOST_PLAYS, net.item_bias.size), np.float32),
        np.zeros(net.item_bias.size, np.float32),
        np.zeros(net.wide_bias.size, np.float32),
        np.zeros(net.deep_bias.size, np.float32),
        np.zeros(net.head_bias.size, np.float32),
        np.zeros(net.head_bias.size, np.float32),
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
def digest(net: Network, size: int, a: Layers) -> None:
    """Run what has been described through the layers."""
    for o in range(a.pooled.size):
        a.pooled[o] = 0
    for i in range(size):
        e = a.embedded[i]
        copy_to(net.item_bias, e)
        add_inputs(a.inputs.plays[i], net.item_weight, START, e)
        rectify(e)
        for o in range(a.pooled.size):
            a.pooled[o] += POOL * e[o]
    copy_to(net.wide_bias, a.wide)
    add_inputs(a.pooled, net.wide_weight, START, a.wide)
    add_inputs(a.inputs.scene, net.wide_weight, a.pooled.size, a.wide)
    rectify(a.wide)
    copy_to(net.deep_bias, a.deep)
    add_inputs(a.wide, net.deep_weight, START, a.deep)
    rectify(a.deep)


@piece
def worth(net: Network, size: int, a: Layers) -> float:
    """Return what the rest of the round costs the seat that the inputs describe, in bullheads."""
    digest(net, size, a)
    total = net.value_bias[0]
    for o in range(a.deep.size):
        total += a.deep[o] * net.value_weight[o, 0]
    return float(total * SCALE)


@piece
def judge_plays(net: Network, size: int, a: Layers, costs: Array) -> None:
    """Write down what each play will cost the seat that the inputs describe, in bullheads."""
    digest(net, size, a)
    copy_to(net.head_bias, a.context)
    add_inputs(a.deep, net.head_weight, a.pooled.size, a.context)
    for i in range(size):
        copy_to(a.context, a.head)
        add_inputs(a.embedded[i], net.head_weight, START, a.head)
        rectify(a.head)
        total = net.play_bias[0]
        for o in range(a.head.size):
            total += a.head[o] * net.play_weight[o, 0]
        costs[i] = float(total * SCALE)


def plain_worth(net: Network, items: NDArray[Any], scene: NDArray[Any]) -> tuple[float, NDArray[Any]]:
    """Return position and plays valued by plain NumPy in double precision: inference is held against it."""
    n = Network(*(np.asarray(part, np.float64) for part in net))
    embedded = np.maximum(items @ n.item_weight + n.item_bias, 0)
    seen = np.concatenate([embedded.sum(0) / 4, scene])
    deep = np.maximum(np.maximum(seen @ n.wide_weight + n.wide_bias, 0) @ n.deep_weight + n.deep_bias, 0)
    behind = n.item_bias.size
    context = deep @ n.head_weight[behind:] + n.head_bias
    hidden = np.maximum(embedded @ n.head_weight[:behind] + context, 0)
    value = (deep @ n.value_weight + n.value_bias)[0]
    return float(value * 10), (hidden @ n.play_weight + n.play_bias)[:, 0] * 10

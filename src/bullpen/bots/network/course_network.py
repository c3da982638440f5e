"""What an answer will cost in a game with a course of its own: compiled, and plainly for comparison."""

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.compiled import Array, piece, plain, whole
from bullpen.bots.network.course_features import (
    Told,
    count_unseen,
    describe_option,
    describe_scene,
    new_told,
)
from bullpen.bots.network.network import add_inputs, copy_to
from bullpen.fast.twins.state import State

WIDE, DEEP = 256, 64
SCALE = 10.0
"""Costs are learned in tens of points, so that they are about one."""
ABREAST = 4
"""Numbers that are multiplied into the deep layer at a time."""
START = plain(0)
DESCRIPTION = 5
"""How many answers could be valued in the time that the description of a scene takes."""


class Weights(NamedTuple):
    """Weights, inputs first: scene and answer are added up in one layer, two more lead to a cost."""

    scene_weight: Array
    scene_bias: Array
    option_weight: Array
    card_weight: Array
    """[NUMBERS, WIDE], the first row zero."""
    deep_weight: Array
    deep_bias: Array
    cost_weight: Array
    cost_bias: Array


@cache
def load_for(game: str) -> Weights:
    """Return the network of a game."""
    with files("bullpen.bots.network").joinpath("weights", f"{game}.npz").open("rb") as file:
        return load(file)


def load(file: Any) -> Weights:
    """Return the weights that `training.courses` has written."""
    with np.load(file) as arrays:
        return Weights(*(np.ascontiguousarray(arrays[field], np.float32) for field in Weights._fields))


class Page(NamedTuple):
    """Working memory of the network, and what it is told."""

    told: Told
    """Of one answer at a time."""
    numbers: Array
    """uint16 [most]: the answers of a question, as the twin counts them."""
    costs: Array
    """float64 [most]: what each will cost its seat from here to the end of the round, in points."""
    base: Array
    """float32 [WIDE]: what the scene adds to the first layer, for all answers alike."""
    wide: Array
    deep: Array
    active: Array
    """int64 [WIDE]: the numbers of the first layer that are not zero."""
    valued: Array
    """int64 [1]: how many answers have been valued so far; a description counts for some."""


def new_page(answers: int) -> Page:
    """Return working memory for questions with at most so many answers."""
    wide, deep = np.zeros((2, WIDE), np.float32), np.zeros(DEEP, np.float32)
    told = new_told(1)
    numbers, costs = np.zeros(answers, np.uint16), np.zeros(answers)
    active, valued = np.zeros(WIDE, np.int64), np.zeros(1, np.int64)
    return Page(told, numbers, costs, wide[0], wide[1], deep, active, valued)


@piece
def clear(values: Array) -> None:
    """Turn all numbers to zero."""
    for k in range(values.size):
        values[k] = 0


@piece
def find_active(wide: Array, active: Array) -> int:
    """List the numbers that are above zero, and return how many there are; the others cost nothing."""
    count = 0
    for k in range(WIDE):
        active[count] = k
        count += 1 if wide[k] > np.float32(0) else 0
    return count


@piece
def deepen(net: Weights, page: Page) -> None:
    """Run the first layer through the second; four numbers at a time spare many ways to memory."""
    wide, weights, deep, active = page.wide, net.deep_weight, page.deep, page.active
    count = find_active(wide, active)
    copy_to(net.deep_bias, deep)
    paired = count - count % ABREAST
    for i in range(0, paired, ABREAST):
        a, b, c, d = active[i], active[i + 1], active[i + 2], active[i + 3]
        p, q, r, s = wide[a], wide[b], wide[c], wide[d]
        for o in range(DEEP):
            one = p * weights[a, o] + q * weights[b, o]
            deep[o] += one + (r * weights[c, o] + s * weights[d, o])
    for i in range(paired, count):
        a = active[i]
        for o in range(DEEP):
            deep[o] += wide[a] * weights[a, o]


@piece
def cost_of_told(net: Weights, page: Page) -> float:
    """Return what the described answer will cost, in points."""
    copy_to(page.base, page.wide)
    add_inputs(page.told.options[0], net.option_weight, START, page.wide)
    for i in range(2):
        card = net.card_weight[page.told.cards[0, i]]
        for o in range(WIDE):
            page.wide[o] += card[o]
    deepen(net, page)
    total = net.cost_bias[0]
    for o in range(DEEP):
        total += max(page.deep[o], np.float32(0)) * net.cost_weight[o, 0]
    return float(total) * SCALE


@piece
def judge_answers(plan: Any, s: State, b: int, seat: int, net: Weights, page: Page, count: int) -> None:
    """Write down what each of the listed answers will cost a seat, in a game of which every card is known."""
    told = page.told
    page.valued[0] += DESCRIPTION + count
    clear(told.scene)
    count_unseen(plan, s, b, seat, told.scene)
    describe_scene(plan, s, b, seat, told.scene)
    copy_to(net.scene_bias, page.base)
    add_inputs(told.scene, net.scene_weight, START, page.base)
    for k in range(count):
        clear(told.options[0])
        clear(told.cards[0])
        describe_option(s, b, told.scene, whole(page.numbers[k]), told.options[0], told.cards[0])
        page.costs[k] = cost_of_told(net, page)


def plain_costs(net: Weights, told: Told) -> NDArray[np.float32]:
    """Return what each described answer will cost, by plain NumPy: inference is held against it."""
    wide = told.scene @ net.scene_weight + net.scene_bias + told.options @ net.option_weight
    wide = np.maximum(wide + net.card_weight[told.cards].sum(1), 0)
    deep = np.maximum(wide @ net.deep_weight + net.deep_bias, 0)
    found: NDArray[np.float32] = (deep @ net.cost_weight + net.cost_bias)[:, 0] * np.float32(SCALE)
    return found

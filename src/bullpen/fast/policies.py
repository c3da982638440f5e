"""How seats choose cards in playouts and simulations.

Rows are chosen alike by all: the one with the fewest bullheads, the topmost of equals.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from bullpen.fast.chance import GAMMA, U, high_draw, mixed
from bullpen.fast.compiled import Array, Int, rule
from bullpen.fast.errors import FastError
from bullpen.fast.rules import Table
from bullpen.fast.trick import can_flip

RANDOM, LOWEST, HIGHEST, WEIGHTED, OWN = range(5)
NAMED = {"random": RANDOM, "lowest": LOWEST, "highest": HIGHEST}

WITH_FLIP = 64
"""Added to the place of a card in the hand to play it with the flip card."""


@dataclass(frozen=True)
class Weighted:
    """Choose a card with a chance proportional to its weight, `weights[card]`; without weight, any card.

    With `later` the weights hold for the first trick only and that policy for all others: what a
    search needs that has a model of the opponents' next card and none of their later ones.
    """

    weights: ArrayLike
    later: str | None = None


Policy: TypeAlias = str | Weighted | Callable[..., int]
"""A name ("random", "lowest", "highest"), a `Weighted`, or a compiled function of your own.

The function is decorated with `bullpen.fast.rule` and called as
`policy(table, b, hand, left, seat, shown, weights, word)`: the rows lie in `table` at place b (see
`rules.Table`), the seat's cards are hand[:left], in no order; `shown` is the set of cards that have
been face up (bit c & 63 of shown[c >> 6]); `weights` are the seat's (105 zeros); `word` is a random
64-bit number. It returns the place of the chosen card in the hand, plus WITH_FLIP to flip it.
"""


class Minds(NamedTuple):
    """The policies of all seats as numbers."""

    kinds: Array
    """uint8 [2, n]: the kind of policy in the first trick, and in the later ones."""
    weights: Array
    """float64 [n, 105]: the weights of the cards."""


@rule
def no_policy(  # noqa: PLR0913, PLR0917  the signature of a policy
    table: Table,  # noqa: ARG001
    b: Int,  # noqa: ARG001
    hand: Array,  # noqa: ARG001
    left: Int,
    seat: Int,  # noqa: ARG001
    shown: Array,  # noqa: ARG001
    weights: Array,  # noqa: ARG001
    word: Int,  # noqa: ARG001
) -> Int:
    """Stand in where no seat has a function of its own."""
    return left - 1


def minds_of(policies: Policy | Sequence[Policy], players: int) -> tuple[Minds, Callable[..., int]]:
    """Return the policies of all seats (one for all, or one a seat) and the function among them, if any."""
    single = isinstance(policies, (str, Weighted)) or callable(policies)
    each: list[Any] = [policies] * players if single else list(policies)  # type: ignore[arg-type]
    if len(each) != players:
        raise FastError(f"There are {len(each)} policies for {players} players.")
    minds = Minds(np.zeros((2, players), np.uint8), np.zeros((players, 105)))
    functions = {policy for policy in each if callable(policy)}
    if len(functions) > 1:
        raise FastError("Only one function of your own can play at a table; let it look at its seat.")
    for seat, policy in enumerate(each):
        _settle(minds, seat, policy)
    return minds, next(iter(functions), no_policy)


def _settle(minds: Minds, seat: int, policy: Policy) -> None:
    if isinstance(policy, Weighted):
        weights = np.asarray(policy.weights, np.float64)
        if weights.shape != (105,) or not (weights >= 0).all():
            raise FastError("Weights are 105 numbers by card, none of them negative.")
        minds.weights[seat] = weights
        minds.kinds[0, seat] = WEIGHTED
        minds.kinds[1, seat] = WEIGHTED if policy.later is None else _kind(policy.later)
    else:
        minds.kinds[:, seat] = OWN if callable(policy) else _kind(policy)


def _kind(name: str) -> int:
    if name not in NAMED:
        raise FastError(f"There is no policy {name[:40]!r}; there are {', '.join(NAMED)}.")
    return NAMED[name]


@rule
def random_play(hand: Array, left: Int, flip: Int, digits: Int, word: Int) -> Int:
    """Choose uniformly among all legal plays; the hand lies in random order, so its last card will do."""
    if not flip:
        return left - 1
    flippable = 0
    for i in range(left):
        flippable += can_flip(np.int64(hand[i]), digits)
    pick = np.int64(high_draw(word, U(left + flippable))) - left
    for i in range(left):
        if can_flip(np.int64(hand[i]), digits):
            if pick == 0:
                return i + WITH_FLIP
            pick -= 1
    return left - 1


@rule
def extreme_play(hand: Array, left: Int, sign: Int) -> Int:
    """Choose the lowest card (sign 1) or the highest (sign -1)."""
    best = 0
    for i in range(1, left):
        if sign * np.int64(hand[i]) < sign * np.int64(hand[best]):
            best = i
    return best


@rule
def weighted_play(hand: Array, left: Int, weights: Array, word: Int) -> Int:
    """Choose a card with a chance proportional to its weight."""
    total = 0.0
    for i in range(left):
        total += weights[hand[i]]
    reach = total * (np.float64(word >> U(11)) * 2.0**-53)
    for i in range(left - 1):
        reach -= weights[hand[i]]
        if reach < 0.0:
            return i
    return left - 1


@rule
def next_word(states: Array) -> Int:
    """Move the stream on and return a random word."""
    states[0] += GAMMA
    return mixed(states[0])

"""The expert's search: regret matching over the network's values, for every seat at once.

All choose at the same time, so the best card hangs on what the others find best. In every iteration
the unseen cards are dealt anew, every seat draws a choice in proportion to its regrets, and the seat
(with some of the others in turn) learns what each of its other choices would have cost: the trick
itself, and then what the network says. Opponents whose cards are unknown share one table of regrets
by card. Played is what the seat chose most on average, later iterations counting more.
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, kernel, piece
from bullpen.bots.network import Layers, Network, worth
from bullpen.bots.search import (
    TRIAL,
    Case,
    Desk,
    hand_after,
    imagine_hands,
    list_options,
    try_trick,
    uniform,
)
from bullpen.bots.sight import Eyes, describe
from bullpen.fast.chance import U, stream
from bullpen.fast.games import Plan

CHOICES = 256
SHARED = 10
"""The table of regrets of all opponents with unknown cards."""


class Regrets(NamedTuple):
    """What has been learned so far."""

    regrets: Array
    """float64 [11, CHOICES]: by seat, and for the opponents with unknown cards together."""
    chosen: Array
    """float64 [CHOICES]: how much the seat chose what."""
    costs: Array
    """float64 [CHOICES]: what its choices cost, weighted sums."""


def new_regrets() -> Regrets:
    """Return regrets of nothing."""
    return Regrets(np.zeros((SHARED + 1, CHOICES)), np.zeros(CHOICES), np.zeros(CHOICES))


class Brain(NamedTuple):
    """The network with its working memory."""

    net: Network
    layers: Layers
    eyes: Eyes


@piece
def set_chances(case: Case, desk: Desk, r: Regrets, seat: int) -> None:
    """Turn a seat's regrets into the chances of its options."""
    row = r.regrets[seat if case.known[seat] else SHARED]
    size = desk.counts[seat]
    total = 0.0
    for i in range(size):
        total += row[desk.options[seat, i]]
    for i in range(size):
        desk.chances[i] = row[desk.options[seat, i]] / total if total > 0 else 1.0 / size


@piece
def draw_choice(case: Case, desk: Desk, r: Regrets, seat: int) -> None:
    """Let a seat choose by its regrets."""
    set_chances(case, desk, r, seat)
    reach = uniform(desk.states)
    size = desk.counts[seat]
    pick = size - 1
    for i in range(size - 1):
        reach -= desk.chances[i]
        if reach < 0:
            pick = i
            break
    desk.chosen[seat] = desk.options[seat, pick]


@piece
def cost_of_trial(plan: Plan, case: Case, desk: Desk, brain: Brain, seat: int) -> float:
    """Return what the chosen cards cost a seat, now and (as the network says) later."""
    try_trick(plan, case, desk)
    cost = float(case.table.points[TRIAL, seat])
    after = hand_after(plan, case, desk, seat)
    if after.low | after.high:
        size = describe(plan.code, case.table, TRIAL, brain.eyes, after)
        cost += worth(brain.net, brain.eyes, size, brain.layers)
    return cost


@piece
def learn(plan: Plan, case: Case, desk: Desk, brain: Brain, r: Regrets, at: tuple[int, float]) -> None:
    """Try all options of a seat against what the others chose, and note its regrets."""
    seat, weight = at
    kept = desk.chosen[seat]
    size = desk.counts[seat]
    for i in range(size):
        desk.chosen[seat] = desk.options[seat, i]
        desk.costs[i] = cost_of_trial(plan, case, desk, brain, seat)
    desk.chosen[seat] = kept
    set_chances(case, desk, r, seat)
    mean = 0.0
    for i in range(size):
        mean += desk.chances[i] * desk.costs[i]
    row = r.regrets[seat if case.known[seat] else SHARED]
    for i in range(size):
        option = desk.options[seat, i]
        row[option] = max(row[option] + mean - desk.costs[i], 0.0)
        if seat == case.seat:
            r.chosen[option] += weight * desk.chances[i]
            r.costs[option] += weight * desk.costs[i]


class Span(NamedTuple):
    """Which iterations to go through, how many opponents learn in each, and the seed of all chance."""

    first: int
    last: int
    rivals: int
    seed: np.uint64


@kernel
def think(plan: Plan, case: Case, desk: Desk, brain: Brain, r: Regrets, span: Span) -> None:
    """Go through some iterations; in each, some of the opponents learn too."""
    n = plan.players
    for iteration in range(span.first, span.last):
        desk.states[0] = stream(span.seed, U(iteration))
        imagine_hands(plan, case, desk)
        for p in range(n):
            list_options(plan, case, desk, brain.eyes, p)
            draw_choice(case, desk, r, p)
        weight = float(iteration + 1)
        learn(plan, case, desk, brain, r, (case.seat, weight))
        for k in range(min(span.rivals, n - 1)):
            rival = (case.seat + 1 + (iteration * span.rivals + k) % (n - 1)) % n
            learn(plan, case, desk, brain, r, (rival, weight))

"""The expert's search: regret matching over the network's values, for every seat at once.

All choose at the same time, so the best card hangs on what the others find best. In every iteration
the unseen cards are dealt anew, every seat draws a choice in proportion to its regrets, and the seat
(with some of the others in turn) learns what each of its other choices would have cost: the trick
itself, and then what the network says. Opponents whose cards are unknown share one table of regrets
by card. Played is what the seat chose most on average, later iterations counting more.

Nobody plays like that in earnest, so an opponent goes by its regrets only at times: mostly it plays as the
levels are used to with its imagined hand (`Decision.habitual`), at times what the network would, or any card
(`Decision.wild`).
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, piece, slow_kernel, whole
from bullpen.bots.network.features import WILD, describe
from bullpen.bots.network.network import judge_plays, worth
from bullpen.bots.search.brain import Brain
from bullpen.bots.search.decision import ROOT, TRIAL, Decision
from bullpen.bots.search.trial import (
    Desk,
    below,
    hand_after,
    hand_of,
    imagine_hands,
    list_options,
    try_trick,
    uniform,
)
from bullpen.fast.chance import U, stream
from bullpen.fast.games import Plan

CHOICES = 256
SHARED = 10
"""The table of regrets of all opponents with unknown cards."""
NETWORK = 0.5
"""How often an opponent that neither plays any card nor by habit plays what the network would."""
HEAT = 0.3
"""How many bullheads two plays may differ by and still be nearly alike to the network."""
TINY = 1e-12


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


@piece
def set_chances(decision: Decision, desk: Desk, r: Regrets, seat: int) -> None:
    """Turn a seat's regrets into the chances of its options."""
    row = r.regrets[seat if decision.known[seat] else SHARED]
    size = desk.counts[seat]
    total = 0.0
    for i in range(size):
        total += row[desk.options[seat, i]]
    for i in range(size):
        desk.chances[i] = row[desk.options[seat, i]] / total if total > 0 else 1.0 / size


@piece
def draw_softly(desk: Desk, size: int, heat: float) -> int:
    """Return the place of a play by what plays cost; of plays nearly alike, any."""
    best, least = 0, np.inf
    for i in range(size):
        # The least of costs with this noise (Gumbel's) is drawn with the chances of a softmax.
        cost = desk.costs[i] + heat * np.log(-np.log(uniform(desk.states) + TINY))
        if cost < least:
            best, least = i, cost
    return best


@piece
def play_by_habit(plan: Plan, decision: Decision, desk: Desk, brain: Brain, seat: int) -> int:
    """Return the place of what the levels are used to play."""
    me = hand_of(plan, decision, desk, seat)
    size = describe(plan.code, decision.table, ROOT, brain.eyes, me, brain.habit_layers.inputs)
    brain.habit_layers.inputs.scene[WILD] = 0.0
    judge_plays(brain.habits, size, brain.habit_layers, desk.costs)
    return draw_softly(desk, size, HEAT)


@piece
def play_by_network(plan: Plan, decision: Decision, desk: Desk, brain: Brain, seat: int) -> int:
    """Return the place of what the network would play."""
    me = hand_of(plan, decision, desk, seat)
    size = describe(plan.code, decision.table, ROOT, brain.eyes, me, brain.layers.inputs)
    judge_plays(brain.net, size, brain.layers, desk.costs)
    return draw_softly(desk, size, HEAT)


@piece
def draw_by_regrets(decision: Decision, desk: Desk, r: Regrets, seat: int) -> int:
    """Return the place of an option drawn in proportion to the seat's regrets."""
    set_chances(decision, desk, r, seat)
    reach = uniform(desk.states)
    size = whole(desk.counts[seat])
    pick = size - 1
    for i in range(size - 1):
        reach -= desk.chances[i]
        if reach < 0:
            pick = i
            break
    return pick


@piece
def draw_choice(plan: Plan, decision: Decision, desk: Desk, brain: Brain, r: Regrets, seat: int) -> None:
    """Let a seat choose: our own by its regrets, an opponent by any of the four ways."""
    if uniform(desk.states) < decision.wild[seat]:
        pick = below(desk.states, desk.counts[seat])
    elif seat != decision.seat and uniform(desk.states) < decision.habitual:
        pick = play_by_habit(plan, decision, desk, brain, seat)
    elif seat != decision.seat and uniform(desk.states) < NETWORK:
        pick = play_by_network(plan, decision, desk, brain, seat)
    else:
        pick = draw_by_regrets(decision, desk, r, seat)
    desk.chosen[seat] = desk.options[seat, pick]


@piece
def cost_of_trial(plan: Plan, decision: Decision, desk: Desk, brain: Brain, seat: int) -> float:
    """Return what the chosen cards cost a seat, now and (as the network says) later."""
    try_trick(plan, decision, desk)
    cost = float(decision.table.points[TRIAL, seat])
    after = hand_after(plan, decision, desk, seat)
    if after.low | after.high:
        size = describe(plan.code, decision.table, TRIAL, brain.eyes, after, brain.layers.inputs)
        cost += worth(brain.net, size, brain.layers)
    return cost


@piece
def learn(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, r: Regrets, at: tuple[int, float]
) -> None:
    """Try all options of a seat against what the others chose, and note its regrets."""
    seat, weight = at
    kept = desk.chosen[seat]
    size = desk.counts[seat]
    for i in range(size):
        desk.chosen[seat] = desk.options[seat, i]
        desk.costs[i] = cost_of_trial(plan, decision, desk, brain, seat)
    desk.chosen[seat] = kept
    set_chances(decision, desk, r, seat)
    mean = 0.0
    for i in range(size):
        mean += desk.chances[i] * desk.costs[i]
    row = r.regrets[seat if decision.known[seat] else SHARED]
    for i in range(size):
        option = desk.options[seat, i]
        row[option] = max(row[option] + mean - desk.costs[i], 0.0)
        if seat == decision.seat:
            r.chosen[option] += weight * desk.chances[i]
            r.costs[option] += weight * desk.costs[i]


class Span(NamedTuple):
    """Which iterations to go through, how many opponents learn in each, and the seed of all chance."""

    first: int
    last: int
    rivals: int
    seed: np.uint64


@piece
def choose_and_learn(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, r: Regrets, at: tuple[int, int]
) -> None:
    """Let all choose in the world that is imagined, and the seat and some of its rivals learn from it."""
    iteration, rivals = at
    n = plan.players
    for p in range(n):
        list_options(plan, decision, desk, brain.eyes, p)
        draw_choice(plan, decision, desk, brain, r, p)
    weight = float(iteration + 1)
    learn(plan, decision, desk, brain, r, (decision.seat, weight))
    for k in range(min(rivals, n - 1)):
        rival = (decision.seat + 1 + (iteration * rivals + k) % (n - 1)) % n
        learn(plan, decision, desk, brain, r, (rival, weight))


@slow_kernel(10)
def think(plan: Plan, decision: Decision, desk: Desk, brain: Brain, r: Regrets, span: Span) -> None:
    """Go through some iterations; in each, some of the opponents learn too."""
    for iteration in range(span.first, span.last):
        desk.states[0] = stream(span.seed, U(iteration))
        imagine_hands(plan, decision, desk)
        choose_and_learn(plan, decision, desk, brain, r, (iteration, span.rivals))

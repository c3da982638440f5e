"""The network as a search takes it along: with working memory, and what it says of rows as they lie."""

from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, kernel
from bullpen.bots.estimates.compiled_view import Eyes, new_eyes
from bullpen.bots.estimates.risk import weights
from bullpen.bots.network.features import describe
from bullpen.bots.network.network import Layers, Network, judge_plays, load, load_habits, new_layers, worth
from bullpen.bots.search.decision import ROOT, Decision, Question
from bullpen.bots.search.trial import Desk, hand_of, imagine_hands, list_options, new_desk
from bullpen.fast.games import Plan


class Brain(NamedTuple):
    """The network with its working memory, and the weights of the risk estimate."""

    net: Network
    habits: Network
    """How the levels are used to play."""
    layers: Layers
    habit_layers: Layers
    """The working memory of the habits, whose network may be a smaller one."""
    eyes: Eyes
    risk: Array


def brain_for(game: str, players: int) -> Brain:
    """Return the networks and the risk estimate of a game, with working memory."""
    net, habits = load(game), load_habits(game)
    risk = np.array(weights(game, players))
    return Brain(net, habits, new_layers(net), new_layers(habits), new_eyes(), risk)


@kernel
def value_at_root(plan: Plan, decision: Decision, desk: Desk, brain: Brain) -> float:
    """Return what the network says of the rows as they are, for the seat with its known hand."""
    imagine_hands(plan, decision, desk)
    me = hand_of(plan, decision, desk, decision.seat)
    size = describe(plan.code, decision.table, ROOT, brain.eyes, me, brain.layers.inputs)
    return worth(brain.net, size, brain.layers)


@kernel
def judge_at_root(plan: Plan, decision: Decision, desk: Desk, brain: Brain) -> None:
    """Write down, in the order of the seat's options, what the network says that each of its plays costs."""
    imagine_hands(plan, decision, desk)
    list_options(plan, decision, desk, brain.eyes, decision.seat)
    me = hand_of(plan, decision, desk, decision.seat)
    size = describe(plan.code, decision.table, ROOT, brain.eyes, me, brain.layers.inputs)
    judge_plays(brain.net, size, brain.layers, desk.costs)


def opinion_of_plays(asked: Question, brain: Brain) -> dict[int, float]:
    """Return what the network says, without any search, that each play of the seat will cost it."""
    desk, seat = new_desk(asked.plan.players), asked.decision.seat
    judge_at_root(asked.plan, asked.decision, desk, brain)
    size = int(desk.counts[seat])
    return dict(zip(desk.options[seat, :size].tolist(), desk.costs[:size].tolist(), strict=True))

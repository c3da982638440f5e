"""The network as a search takes it along: with working memory, and what it says of rows as they lie."""

from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, kernel
from bullpen.bots.estimates.compiled_view import Eyes, new_eyes
from bullpen.bots.estimates.risk import weights
from bullpen.bots.network.features import describe
from bullpen.bots.network.network import Layers, Network, load, load_habits, new_layers, worth
from bullpen.bots.search.decision import ROOT, Decision
from bullpen.bots.search.trial import Desk, hand_of, imagine_hands
from bullpen.fast.games import Plan


class Brain(NamedTuple):
    """The network with its working memory, and the weights of the risk estimate."""

    net: Network
    habits: Network
    """How the levels are used to play."""
    layers: Layers
    eyes: Eyes
    risk: Array


def brain_for(game: str, players: int) -> Brain:
    """Return the network and the risk estimate of a game, with working memory."""
    return Brain(load(game), load_habits(game), new_layers(), new_eyes(), np.array(weights(game, players)))


@kernel
def value_at_root(plan: Plan, decision: Decision, desk: Desk, brain: Brain) -> float:
    """Return what the network says of the rows as they are, for the seat with its known hand."""
    imagine_hands(plan, decision, desk)
    me = hand_of(plan, decision, desk, decision.seat)
    size = describe(plan.code, decision.table, ROOT, brain.eyes, me, brain.layers.inputs)
    return worth(brain.net, size, brain.layers)

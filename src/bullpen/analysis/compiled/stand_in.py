"""Who stands in for `expert` in playouts, and what it believes of the others.

The correction of the analysis was fitted with these networks and this doubt. `expert` has learned more since
and plays with other ones; to take them here, too, the correction would have to be fitted anew.
"""

from functools import cache
from importlib.resources import files

import numpy as np

from bullpen.bots.network.network import Network, load, new_layers, read
from bullpen.bots.search.brain import Brain, brain_for
from bullpen.bots.search.decision import Decision

FITTED = {"base": "base", "tactics": "base", "logic": "base", "professional": "professional"}
"""The networks that a correction was fitted with; other games take those that are played with."""


@cache
def _network(game: str) -> Network:
    if game not in FITTED:
        return load(game)
    return read(files("bullpen.analysis").joinpath("weights", f"{FITTED[game]}.npz"))


def stand_in(game: str, players: int) -> Brain:
    """Return the brain of who stands in for `expert`."""
    net = _network(game)
    return brain_for(game, players)._replace(net=net, layers=new_layers(net))


def doubt(players: int) -> float:
    """Return how likely it takes another seat to play any card alike: less at tables of more than four.

    >>> [round(doubt(players), 2) for players in (2, 4, 5, 6, 10)]
    [0.5, 0.5, 0.32, 0.15, 0.15]
    """
    return max(0.15, min(0.5, 1.2 - 0.175 * players))


def doubting(decision: Decision) -> Decision:
    """Return the decision of a seat with that doubt of the others."""
    seats = np.arange(len(decision.wild))
    return decision._replace(wild=np.where(seats == decision.seat, 0.0, doubt(len(seats))))

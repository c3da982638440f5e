"""`expert`: regret matching over the values of a self-taught network, and known endgames exactly."""

import numpy as np

from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for, value_at_root
from bullpen.bots.search.decision import Question, question, with_row
from bullpen.bots.search.draft import valued_pick
from bullpen.bots.search.exact import REACH, perfect_choice
from bullpen.bots.search.regret import Regrets, Span, new_regrets, think
from bullpen.bots.search.trial import new_desk
from bullpen.engine import Choice, JoinRow, TakeRow, View

VALUES = 2400
"""Positions that the network values for one decision."""
MOST_ITERATIONS = 240
"""Enough where there is little to choose from."""
CHUNK = 16
"""Iterations between two looks at the clock."""
RIVALS = 1
"""Opponents that learn in each iteration."""


def iterations(asked: Question, values: int) -> int:
    """Return how many iterations value about that many positions."""
    each = len(asked.options) * (1 + min(RIVALS, asked.plan.players - 1))
    return min(MOST_ITERATIONS, max(64, values // each))


def think_about(view: View, options: tuple[Choice, ...], mind: Mind, values: int) -> tuple[Question, Regrets]:
    """Search, and return what was asked and learned."""
    asked = question(view, options)
    return asked, search(asked, view.game, mind, values)


def search(asked: Question, game: str, mind: Mind, values: int) -> Regrets:
    """Go through the iterations of a question, until it is told to stop."""
    players = asked.plan.players
    learned, desk, brain = new_regrets(), new_desk(players), brain_for(game, players)
    total = iterations(asked, values)
    for first in range(0, total, CHUNK):
        part = Span(first, min(first + CHUNK, total), RIVALS, np.uint64(mind.seed))
        think(asked.plan, asked.decision, desk, brain, learned, part)
        if mind.stop():
            break
    return learned


def best_card(view: View, options: tuple[Choice, ...], mind: Mind, reach: int = REACH) -> Choice:
    """Play a known endgame perfectly, and search otherwise."""
    return perfect_choice(view, options, mind, reach) or searched_card(view, options, mind)


def searched_card(view: View, options: tuple[Choice, ...], mind: Mind, values: int = VALUES) -> Choice:
    """Return what the seat chose most while it searched."""
    asked, learned = think_about(view, options, mind, values)
    return asked.options[max(asked.options, key=lambda number: (learned.chosen[number], -number))]


def best_row(view: View, options: tuple[Choice, ...], mind: Mind, reach: int = REACH) -> Choice:
    """Play a known endgame perfectly; else go by the network."""
    return perfect_choice(view, options, mind, reach) or valued_row(view, options)


def valued_row(view: View, options: tuple[Choice, ...]) -> Choice:
    """Return the row that costs least, now and as the network sees what follows."""
    costs: dict[Choice, float] = {}
    brain, desk = brain_for(view.game, view.players), new_desk(view.players)
    for choice in options:
        assert isinstance(choice, (TakeRow, JoinRow))
        asked, cost = with_row(view, choice)
        if asked.decision.sizes[asked.decision.seat]:
            costs[choice] = cost + value_at_root(asked.plan, asked.decision, desk, brain)
        else:
            costs[choice] = float(cost)
    return min(options, key=lambda choice: costs[choice])


def best_pick(view: View, options: tuple[Choice, ...], mind: Mind) -> Choice:
    """Return the card of a draft that the network expects the cheapest round of."""
    return valued_pick(view, options, mind)

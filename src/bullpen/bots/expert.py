"""`expert`: regret matching over the values of a network that learned by self-play."""

import numpy as np

from bullpen.bots.cases import Question, question, with_row
from bullpen.bots.compiled import announce, kernel
from bullpen.bots.network import load, new_layers, worth
from bullpen.bots.registry import Mind
from bullpen.bots.regret import Brain, Regrets, Span, new_regrets, think
from bullpen.bots.risk import weights
from bullpen.bots.search import ROOT, Case, Desk, hand_of, imagine_hands, new_desk
from bullpen.bots.sight import describe, new_eyes
from bullpen.engine import Choice, JoinRow, TakeRow, View
from bullpen.fast.games import Plan

VALUES = 2400
"""Positions that the network values for one decision."""
MOST_ITERATIONS = 240
"""Enough where there is little to choose from."""
CHUNK = 16
"""Iterations between two looks at the clock."""
RIVALS = 1
"""Opponents that learn in each iteration."""


def brain_for(game: str, players: int) -> Brain:
    """Return the network and the risk estimate of a game, with working memory."""
    return Brain(load(game), new_layers(), new_eyes(), np.array(weights(game, players)))


def iterations(asked: Question, values: int) -> int:
    """Return how many iterations value about that many positions."""
    each = len(asked.options) * (1 + min(RIVALS, asked.plan.players - 1))
    return min(MOST_ITERATIONS, max(64, values // each))


def think_about(view: View, options: tuple[Choice, ...], mind: Mind, values: int) -> tuple[Question, Regrets]:
    """Search, and return what was learned."""
    asked = question(view, options)
    learned, desk, brain = new_regrets(), new_desk(view.players), brain_for(view.game, view.players)
    announce(think)
    total = iterations(asked, values)
    for first in range(0, total, CHUNK):
        part = Span(first, min(first + CHUNK, total), RIVALS, np.uint64(mind.seed))
        think(asked.plan, asked.case, desk, brain, learned, part)
        if mind.stop():
            break
    return asked, learned


def best_card(view: View, options: tuple[Choice, ...], mind: Mind, values: int = VALUES) -> Choice:
    """Return what the seat chose most while it searched."""
    asked, learned = think_about(view, options, mind, values)
    return asked.options[max(asked.options, key=lambda number: (learned.chosen[number], -number))]


@kernel
def value_at_root(plan: Plan, case: Case, desk: Desk, brain: Brain) -> float:
    """Return what the network says of the rows as they are, for the seat with its known hand."""
    imagine_hands(plan, case, desk)
    me = hand_of(plan, case, desk, case.seat)
    size = describe(plan.code, case.table, ROOT, brain.eyes, me)
    return worth(brain.net, brain.eyes, size, brain.layers)


def best_row(view: View, options: tuple[Choice, ...], _mind: Mind) -> Choice:
    """Return the row that costs least, now and as the network sees what follows."""
    costs: dict[Choice, float] = {}
    brain, desk = brain_for(view.game, view.players), new_desk(view.players)
    for choice in options:
        assert isinstance(choice, (TakeRow, JoinRow))
        asked, cost = with_row(view, choice)
        if asked.case.sizes[asked.case.seat]:
            announce(value_at_root)
            costs[choice] = cost + value_at_root(asked.plan, asked.case, desk, brain)
        else:
            costs[choice] = float(cost)
    return min(options, key=lambda choice: costs[choice])

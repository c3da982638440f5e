"""`expert`: regret matching over the values of a self-taught network, and known endgames exactly."""

from collections.abc import Callable

import numpy as np

from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for, opinion_of_plays, value_at_root
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
OPINION = 100
"""How many iterations the network's own opinion of the plays counts for, where it has a say."""
ASKED = {"base": range(2, 11), "two-halves": range(7, 11)}
"""Where it has one, by game and number of players."""


def iterations(asked: Question, values: int) -> int:
    """Return how many iterations value about that many positions."""
    each = len(asked.options) * (1 + min(RIVALS, asked.plan.players - 1))
    return min(MOST_ITERATIONS, max(64, values // each))


def think_about(view: View, options: tuple[Choice, ...], mind: Mind, values: int) -> tuple[Question, Regrets]:
    """Search, and return what was asked and learned."""
    asked = question(view, options)
    return asked, search(asked, view.game, mind, values)


def search(asked: Question, game: str, mind: Mind, values: int) -> Regrets:
    """Go through the iterations of a question in worlds of any hands, until it is told to stop."""
    plan, decision = asked.plan, asked.decision
    learned, desk, brain = new_regrets(), new_desk(plan.players), brain_for(game, plan.players)
    go_through(
        iterations(asked, values), mind, lambda part: think(plan, decision, desk, brain, learned, part)
    )
    return learned


def go_through(total: int, mind: Mind, think_on: Callable[[Span], None]) -> None:
    """Think part by part, until all is done or it is told to stop."""
    for first in range(0, total, CHUNK):
        think_on(Span(first, min(first + CHUNK, total), RIVALS, np.uint64(mind.seed)))
        if mind.stop():
            break


def conclude(asked: Question, game: str, learned: Regrets) -> Choice:
    """Return what the seat chose most, or (if the network has a say at this table) what costs it least."""
    if asked.plan.players not in ASKED.get(game, ()):
        best = max(asked.options, key=lambda number: (learned.chosen[number], -number))
        return asked.options[best]
    costs = costs_with_opinion(asked, game, learned)
    return asked.options[min(asked.options, key=lambda number: (costs[number], number))]


def costs_with_opinion(asked: Question, game: str, learned: Regrets) -> dict[int, float]:
    """Return what each option costs, by the search and by the network's own opinion together."""
    told = opinion_of_plays(asked, brain_for(game, asked.plan.players))
    # Iterations weigh 1, 2, 3 and so on, which is what all that was chosen comes to.
    weight = float(learned.chosen.sum())
    done = (np.sqrt(8 * weight + 1) - 1) / 2
    return {
        number: float((done * learned.costs[number] / weight + OPINION * told[number]) / (done + OPINION))
        for number in asked.options
    }


def best_card(view: View, options: tuple[Choice, ...], mind: Mind, reach: int = REACH) -> Choice:
    """Play a known endgame perfectly, and search otherwise."""
    return perfect_choice(view, options, mind, reach) or searched_card(view, options, mind)


def searched_card(view: View, options: tuple[Choice, ...], mind: Mind, values: int = VALUES) -> Choice:
    """Return what a search finds best."""
    asked, learned = think_about(view, options, mind, values)
    return conclude(asked, view.game, learned)


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

"""`deep`: `expert` with a memory: what the others have played in this round says what they may hold."""

import numpy as np

from bullpen.bots.levels import expert
from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for
from bullpen.bots.search.decision import Question, question
from bullpen.bots.search.memory import guess_hands, new_guesses, past_of, think_back
from bullpen.bots.search.regret import Regrets, Span, new_regrets
from bullpen.bots.search.trial import new_desk
from bullpen.engine import Choice, View

LOOKS = 6000
"""How many decisions of the others are looked at again, each with a hand that its owner may have had."""
MOST_GUESSES = 2000
"""Enough guesses of a hand where there is little to look at."""


def best_card(view: View, options: tuple[Choice, ...], mind: Mind) -> Choice:
    """Return what the seat chose most while it searched, remembering the tricks of this round."""
    asked = question(view, options)
    learned = search(asked, view, mind)
    return asked.options[max(asked.options, key=lambda number: (learned.chosen[number], -number))]


def search(asked: Question, view: View, mind: Mind) -> Regrets:
    """Weigh guesses of the hands that are not known, then go through the iterations of a question."""
    plan, decision = asked.plan, asked.decision
    looks = len(view.position.past) * int(np.count_nonzero(~decision.known))
    if not looks:
        return expert.search(asked, view.game, mind, expert.VALUES)
    learned, desk, brain = new_regrets(), new_desk(plan.players), brain_for(view.game, plan.players)
    guesses, seed = new_guesses(plan.players, min(MOST_GUESSES, LOOKS // looks)), np.uint64(mind.seed)
    guess_hands(plan, decision, past_of(view, decision.hidden), desk, brain, guesses, seed)
    total = expert.iterations(asked, expert.VALUES)
    for first in range(0, total, expert.CHUNK):
        part = Span(first, min(first + expert.CHUNK, total), expert.RIVALS, seed)
        think_back(plan, decision, desk, brain, learned, part, guesses)
        if mind.stop():
            break
    return learned


best_row = expert.best_row
best_pick = expert.best_pick

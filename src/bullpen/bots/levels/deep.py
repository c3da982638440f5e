"""`deep`: `expert` with a memory: what the others have played says what they may hold, and how they play."""

import numpy as np

from bullpen.bots.levels import expert
from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for
from bullpen.bots.search.decision import Question, question
from bullpen.bots.search.memory import guess_hands, new_guesses, past_of, think_back
from bullpen.bots.search.regret import Regrets, new_regrets
from bullpen.bots.search.trial import new_desk
from bullpen.engine import Choice, View

VALUES, MOST_WORLDS = 4800, 960
"""Positions that the network values for one decision, and enough worlds where there is little choice."""
LOOKS = 6000
"""How many decisions of the others are looked at again, each with a hand that may have been theirs."""
MOST_GUESSES = 2000
"""Enough guesses of a hand where there is little to look at."""


def best_card(view: View, options: tuple[Choice, ...], mind: Mind) -> Choice:
    """Return what a search finds best that remembers the tricks of this round."""
    asked = question(view, options)
    return expert.conclude(asked, view.game, search(asked, view, mind))


def search(asked: Question, view: View, mind: Mind) -> Regrets:
    """Weigh guesses of the hands that are not known, then try all options in worlds made of them."""
    plan, decision = asked.plan, asked.decision
    looks = max(1, len(view.position.past) * int(np.count_nonzero(~decision.known)))
    learned, desk, brain = new_regrets(), new_desk(plan.players), brain_for(view.game, plan.players)
    guesses = new_guesses(plan.players, max(1, min(MOST_GUESSES, LOOKS // looks)))
    guess_hands(plan, decision, past_of(view, decision.hidden), desk, brain, guesses, np.uint64(mind.seed))
    # The network is told how many of the others play any card: of those who play as `expert` does, nobody.
    decision.wild[~decision.known] *= 1.0 - guesses.skilled[~decision.known]
    expert.go_through(
        min(MOST_WORLDS, VALUES // len(asked.options)),
        mind,
        lambda part: think_back(plan, decision, desk, brain, learned, part, guesses),
    )
    return learned


best_row = expert.best_row
best_pick = expert.best_pick

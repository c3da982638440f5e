"""`deep`: `expert` with a memory: what the others have played says what they may hold, and how they play."""

import numpy as np

from bullpen.bots.levels import expert
from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import Brain, brain_for
from bullpen.bots.search.decision import Question, question
from bullpen.bots.search.memory import Guesses, guess_hands, new_guesses, past_of, think_back
from bullpen.bots.search.onward import new_rest, play_on
from bullpen.bots.search.regret import Regrets, Span, new_regrets
from bullpen.bots.search.trial import Desk, new_desk
from bullpen.engine import Choice, View

VALUES, MOST_WORLDS = 2400, 480
"""Positions that the network values for one decision, and enough worlds where there is little choice."""
LOOKS = 6000
"""How many decisions of the others are looked at again, each with a hand that may have been theirs."""
MOST_GUESSES = 2000
"""Enough guesses of a hand where there is little to look at."""
CANDIDATES = 4
"""How many cards are played on with: those that seem to cost least."""
CHOICES, MOST_ROUNDS = 16_000, 1000
"""How many choices everybody makes in rounds that are played on; and enough rounds where few are left."""
FORESEEN = 100
"""How many rounds that are played on what the search and the network say counts for."""


class Thought:
    """One decision: the hands and manners that explain the past, and what cards cost in worlds of them."""

    def __init__(self, view: View, options: tuple[Choice, ...], mind: Mind) -> None:
        self.view, self.mind = view, mind
        self.asked: Question = question(view, options)
        players = self.asked.plan.players
        self.desk: Desk = new_desk(players)
        self.brain: Brain = brain_for(view.game, players)
        self.guesses: Guesses = self._guess()

    def _guess(self) -> Guesses:
        """Weigh guesses of the hands that are not known."""
        plan, decision = self.asked.plan, self.asked.decision
        looks = max(1, len(self.view.position.past) * int(np.count_nonzero(~decision.known)))
        guesses = new_guesses(plan.players, max(1, min(MOST_GUESSES, LOOKS // looks)))
        past = past_of(self.view, decision.hidden)
        guess_hands(plan, decision, past, self.desk, self.brain, guesses, np.uint64(self.mind.seed))
        # The network is told how many of the others play any card: of those who play as `expert`, nobody.
        decision.wild[~decision.known] *= 1.0 - guesses.skilled[~decision.known]
        return guesses

    def search(self) -> Regrets:
        """Try all options in one trick, in worlds made of the guesses."""
        plan, decision, learned = self.asked.plan, self.asked.decision, new_regrets()
        worlds = min(MOST_WORLDS, VALUES // len(self.asked.options))

        def think(part: Span) -> None:
            think_back(plan, decision, self.desk, self.brain, learned, part, self.guesses)

        expert.go_through(worlds, self.mind, think)
        return learned

    def play_on(self, cards: list[int]) -> tuple[dict[int, float], int]:
        """Play the round on with some cards; return what each costs on average, and in how many rounds."""
        plan, decision = self.asked.plan, self.asked.decision
        rest = new_rest(plan.players, cards)
        done = 0

        def play(part: Span) -> None:
            nonlocal done
            play_on(plan, decision, self.desk, self.brain, rest, self.guesses, part)
            done = part.last

        expert.go_through(self.rounds(len(cards)), self.mind, play)
        return dict(zip(cards, (rest.costs / done).tolist(), strict=True)), done

    def rounds(self, cards: int) -> int:
        """Return how many rounds can be played on with so many cards: last cards play themselves."""
        later = max(0, len(self.view.hand) - 2)
        return min(MOST_ROUNDS, CHOICES // (self.asked.plan.players * (1 + cards * later)))


def best_card(view: View, options: tuple[Choice, ...], mind: Mind) -> Choice:
    """Return what costs least, as the search and the network say and as rounds that are played on show."""
    thought = Thought(view, options, mind)
    foreseen = expert.costs_with_opinion(thought.asked, view.game, thought.search())
    cards = sorted(foreseen, key=lambda card: (foreseen[card], card))[:CANDIDATES]
    shown, rounds = thought.play_on(cards)
    return thought.asked.options[
        min(cards, key=lambda card: (FORESEEN * foreseen[card] + rounds * shown[card], card))
    ]


best_row = expert.best_row
best_pick = expert.best_pick

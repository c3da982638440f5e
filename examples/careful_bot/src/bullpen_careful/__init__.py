"""A bot that imagines what the others may hold, and plays what costs least if they play anything."""

import random
from typing import Any

from bullpen.engine import Ask, Choice, Ruleset, Seeded, View, apply, imagine
from bullpen.rulesets import make


class Careful:
    """Tries every option in some imagined worlds, to the end of the trick."""

    worlds = 12

    def __init__(self, seed: int | str) -> None:
        self._rng = random.Random(f"careful/{seed}")

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return the option after which the seat has taken least."""
        assert view.seat is not None
        rules = make(view.game, view.players, view.options)
        costs = dict.fromkeys(ask.options, 0.0)
        for _ in range(self.worlds):
            world, luck = imagine(rules, view, self._rng), self._rng.random()
            for option in ask.options:
                position = world.copy()
                self._finish(rules, position, view, (ask, option), luck)
                costs[option] += position.points[view.seat] if position.result is None else 0
        return min(ask.options, key=costs.__getitem__)

    def _finish(
        self, rules: Ruleset[Any], position: Any, view: View, first: tuple[Ask, Choice], luck: float
    ) -> None:
        rng, chance = random.Random(luck), Seeded(0)
        ask, option = first
        assert view.seat is not None
        apply(rules, position, ask, view.seat, option, chance)
        while position.result is None and position.trick == view.position.trick:
            question = position.open_asks[0]
            apply(rules, position, question, question.seats[0], rng.choice(question.options), chance)

"""A program for the arena that imagines: `arena match base "cmd:python examples/bot_imagining.py" easy`.

A question holds all that a seat may know, so a program in Python can have its `View` back and deal the
cards that it cannot see as often as it likes. This one plays every option out with everybody choosing at
random, and takes the one that leaves it with the fewest bullheads.
"""

import random
import sys

from bullpen.arena import read_question
from bullpen.engine import Seeded, apply, imagine
from bullpen.rulesets import make

WORLDS = 8


def choose(line: str) -> str:
    """Return the notation of the best option."""
    question = read_question(line)
    view, ask = question.view, question.ask
    rules = make(view.game, view.players, view.options)
    rng = random.Random(f"{question.seed}/{view.position.round}/{view.position.trick}/{ask.kind}")
    costs = dict.fromkeys(ask.options, 0.0)
    for _ in range(WORLDS):
        world, luck = imagine(rules, view, rng), rng.random()
        for option in ask.options:
            position, later, chance = world.copy(), random.Random(luck), Seeded(0)
            apply(rules, position, ask, view.seat, option, chance)
            while position.result is None and position.round == view.position.round:
                asked = position.open_asks[0]
                apply(rules, position, asked, asked.seats[0], later.choice(asked.options), chance)
            costs[option] += position.scores[view.seat]
    return min(ask.options, key=costs.__getitem__).notation


if __name__ == "__main__":
    for text in sys.stdin:
        print(choose(text), flush=True)

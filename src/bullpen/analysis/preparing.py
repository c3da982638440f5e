"""Compiling ahead of time what evaluations need; it is kept on disk, where every later process finds it."""

from bullpen.analysis.evaluating import evaluate
from bullpen.engine import Seeded, new_game, view
from bullpen.machine_code import note
from bullpen.rulesets import make

PLACE = ("analysis/compiled", "hints")
"""Where it is noted that all is compiled."""


def prepare() -> None:
    """Compile what hints and reviews need, so that nobody waits for it at a table."""
    rules = make("base", 2)
    position, _ = new_game(rules, Seeded(0))
    evaluate(view(rules, position, 0), "quick")
    note(*PLACE)

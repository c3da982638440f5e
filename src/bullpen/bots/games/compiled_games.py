"""The card games that the compiled twin plays, at every level."""

from importlib import import_module
from typing import Any

from bullpen.bots.estimates.row_choice import cheapest_row
from bullpen.bots.levels import easy, human, medium
from bullpen.bots.preparing import ROLLOUTS, SEARCH
from bullpen.bots.registry import Mind, Thinker, offer
from bullpen.engine import Ask, Choice, View

GAMES = (
    "base",
    "tactics",
    "logic",
    "two-halves",
    "professional",
    "even-odd",
    "mountain",
    "jumping-cow",
    "flippin-digits",
)
CARD, DRAFT = "commit", "draft_pick"
"""The kinds of question besides those about rows."""


@offer("random", *GAMES)
def by_chance(view: View, ask: Ask, mind: Mind) -> Choice:
    """Play any card, and take the cheapest row."""
    if ask.kind in (CARD, DRAFT):
        return mind.rng.choice(ask.options)
    return cheapest_row(view, ask.options)


@offer("easy", *GAMES)
def as_a_beginner(view: View, ask: Ask, mind: Mind) -> Choice:
    """Play close to a row that has room, and take the cheapest row."""
    if ask.kind == CARD:
        return easy.best_card(view, ask.options, mind)
    return by_chance(view, ask, mind)


@offer("human", *GAMES)
def like_people(view: View, ask: Ask, mind: Mind) -> Choice:
    """Play what looks cheapest at a glance, and take the cheapest row."""
    if ask.kind == CARD:
        return human.best_card(view, ask.options, mind)
    return by_chance(view, ask, mind)


@offer("medium", *GAMES)
def by_risk(view: View, ask: Ask, _mind: Mind) -> Choice:
    """Play what is least likely to cost something."""
    if ask.kind == CARD:
        return medium.best_card(view, ask.options)
    if ask.kind == DRAFT:
        return medium.best_pick(view, ask.options)
    return medium.best_row(view, ask.options)


def _searching(level: str) -> Thinker:
    """Return a thinker that searches; its module, which needs Numba, is imported when it first thinks."""

    def think(view: View, ask: Ask, mind: Mind) -> Choice:
        module: Any = import_module(f"bullpen.bots.levels.{level}")
        best = {CARD: module.best_card, DRAFT: module.best_pick}.get(ask.kind, module.best_row)
        choice: Choice = best(view, ask.options, mind)
        return choice

    return think


for searching, needs in (
    ("mcs", ("uniform",)),
    ("hard", ROLLOUTS),
    ("expert", SEARCH),
):
    offer(searching, *GAMES, needs=needs)(_searching(searching))
offer("deep", "base", needs=SEARCH)(_searching("deep"))

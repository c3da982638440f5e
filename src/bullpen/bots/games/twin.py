"""The card games that the compiled twin plays, at every level."""

from collections.abc import Callable

from bullpen.bots import beginner, risk, rows
from bullpen.bots.registry import Mind, register
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


@register("random", *GAMES)
def by_chance(view: View, ask: Ask, mind: Mind) -> Choice:
    """Play any card, and take the cheapest row."""
    if ask.kind in (CARD, DRAFT):
        return mind.rng.choice(ask.options)
    return rows.cheapest_row(view, ask.options)


@register("easy", *GAMES)
def as_a_beginner(view: View, ask: Ask, mind: Mind) -> Choice:
    """Play close to a row that has room, and take the cheapest row."""
    if ask.kind == CARD:
        return beginner.careful(view, ask.options, mind)
    return by_chance(view, ask, mind)


@register("medium", *GAMES)
def by_risk(view: View, ask: Ask, mind: Mind) -> Choice:
    """Play what is least likely to cost something."""
    if ask.kind == CARD:
        costs = risk.risks(view, ask.options)
        return ask.options[costs.index(min(costs))]
    if ask.kind == DRAFT:
        return by_chance(view, ask, mind)
    return rows.handy_row(view, ask.options)


def _searching(module: str) -> Callable[[View, Ask, Mind], Choice]:
    """Return a thinker that searches; its module, which needs Numba, is imported when it first thinks."""

    def think(view: View, ask: Ask, mind: Mind) -> Choice:
        from importlib import import_module

        search = import_module(f"bullpen.bots.{module}")
        if ask.kind == DRAFT:
            return by_risk(view, ask, mind)
        best = search.best_card if ask.kind == CARD else search.best_row
        choice: Choice = best(view, ask.options, mind)
        return choice

    return think


for _level in ("hard", "expert", "mcs"):
    register(_level, *GAMES)(_searching(_level))

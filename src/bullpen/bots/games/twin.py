"""The card games that the compiled twin plays, at every level."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from bullpen.bots import beginner, draft, risk, rows
from bullpen.bots.registry import Mind, NeedsFast, Thinker, register
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
def by_risk(view: View, ask: Ask, _mind: Mind) -> Choice:
    """Play what is least likely to cost something."""
    if ask.kind == CARD:
        costs = risk.risks(view, ask.options)
        return ask.options[costs.index(min(costs))]
    if ask.kind == DRAFT:
        return draft.spread_pick(view, ask.options)
    return rows.handy_row(view, ask.options)


def load(module: str) -> Any:
    """Import a module that searches, or say what is missing for it."""
    try:
        return import_module(f"bullpen.bots.{module}")
    except ImportError as missing:
        raise NeedsFast(
            f"The level {module} needs NumPy and Numba: install them with  pip install 'bullpen-games[fast]'"
        ) from missing


def _searching(module: str, pick: Callable[[View, tuple[Choice, ...], Mind], Choice]) -> Thinker:
    """Return a thinker that searches; its module, which needs Numba, is imported when it first thinks."""

    def think(view: View, ask: Ask, mind: Mind) -> Choice:
        search = load(module)
        if ask.kind == DRAFT:
            return pick(view, ask.options, mind)
        best = search.best_card if ask.kind == CARD else search.best_row
        choice: Choice = best(view, ask.options, mind)
        return choice

    return think


def _plain_pick(view: View, choices: tuple[Choice, ...], _mind: Mind) -> Choice:
    return draft.spread_pick(view, choices)


def _any_pick(_view: View, choices: tuple[Choice, ...], mind: Mind) -> Choice:
    return mind.rng.choice(choices)


register("mcs", *GAMES)(_searching("mcs", _any_pick))
register("hard", *GAMES)(_searching("hard", _plain_pick))
register("expert", *GAMES)(_searching("expert", draft.valued_pick))

"""`mcs`, for comparison: flat Monte Carlo with uniform opponents, as most published bots play."""

from bullpen.bots.estimates.row_choice import cheapest_row
from bullpen.bots.registry import Mind
from bullpen.engine import Choice, View
from bullpen.fast.convert import from_view, number_of
from bullpen.fast.playouts import Player

PLAYOUTS = 1000
"""Playouts a decision, shared alike by all candidates."""


def best_card(view: View, options: tuple[Choice, ...], mind: Mind) -> Choice:
    """Play each candidate out with everybody choosing at random, and take the lowest mean."""
    numbers = [number_of(choice) for choice in options]
    each = PLAYOUTS // len(options)
    outcomes = Player(from_view(view), numbers, "random").run(each, mind.seed)
    return options[int(outcomes.mean[:, view.seat].argmin())]


def best_row(view: View, options: tuple[Choice, ...], _mind: Mind) -> Choice:
    """Take the cheapest row, as the playouts do."""
    return cheapest_row(view, options)


def best_pick(_view: View, options: tuple[Choice, ...], mind: Mind) -> Choice:
    """Pick any card."""
    return mind.rng.choice(options)

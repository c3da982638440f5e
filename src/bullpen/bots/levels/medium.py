"""`medium`: whatever is least likely to cost something; in the base game the rest of the hand counts too."""

from bullpen.bots.estimates.draft import spread_pick
from bullpen.bots.estimates.foresight import CARDS, foresee
from bullpen.bots.estimates.risk import risks, size_of
from bullpen.bots.estimates.row_choice import handy_row
from bullpen.engine import Choice, View

FORESEEN = ("base",)
"""Games whose cards a network was taught to look ahead for."""


def best_card(view: View, options: tuple[Choice, ...]) -> Choice:
    """Return the card of the least cost."""
    known = view.game in FORESEEN and size_of(view) == CARDS
    costs = foresee(view, options) if known else risks(view, options)
    return options[costs.index(min(costs))]


best_row = handy_row
best_pick = spread_pick

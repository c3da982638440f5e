"""`medium`: whatever is least likely to cost something, by the risk estimate."""

from bullpen.bots.estimates.draft import spread_pick
from bullpen.bots.estimates.risk import risks
from bullpen.bots.estimates.row_choice import handy_row
from bullpen.engine import Choice, View


def best_card(view: View, options: tuple[Choice, ...]) -> Choice:
    """Return the card of the least risk."""
    costs = risks(view, options)
    return options[costs.index(min(costs))]


best_row = handy_row
best_pick = spread_pick

"""Double: a card equal to the end of a row is safe, and two copies of most cards may be about."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bullpen.bots.heuristics.card_cost import Row, price
from bullpen.bots.heuristics.heuristic import Heuristic
from bullpen.engine import Ask, PlayCard, Seat


class DoubleHeuristic(Heuristic):
    """Twins count as one position, and lie on each other for nothing."""

    def rows(self, rules: Any, position: Any) -> list[Row]:
        """Count positions, not cards."""
        limit = rules.row_limit
        return sorted([Row(row[-1], limit - len(set(row)), price(row)) for row in position.rows])

    def cost_commit(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """A twin of an end costs nothing now; of twins in hand one can follow the other safely."""
        costs = list(super().cost_commit(rules, position, seat, ask))
        ends = {row[-1] for row in position.rows}
        held = Counter(position.hands[seat])
        for place, option in enumerate(ask.options):
            assert isinstance(option, PlayCard)
            if option.card in ends:
                costs[place] = self.safe_twin
            elif held[option.card] > 1:
                costs[place] -= self.own_twin
        return costs

    safe_twin = 0.4
    """A safe card is worth keeping for a bad moment, but its row may soon end otherwise."""
    own_twin = 0.3

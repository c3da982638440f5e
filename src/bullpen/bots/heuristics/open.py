"""Open: what has been laid before is settled first, then the rest is risk."""

from collections.abc import Sequence
from typing import Any

from bullpen.bots.heuristics.card_cost import Row, card_cost, price
from bullpen.bots.heuristics.heuristic import Heuristic, low_choice
from bullpen.engine import Ask, Card, PlayCard, Seat


class OpenHeuristic(Heuristic):
    """Lay a card behind those that lie there, knowing where they will go."""

    def cost_open_play(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Place the lower cards that lie there in mind, then weigh the card against those still to come."""
        unseen, left = self.unseen(rules, position, seat), self.left(rules, position, seat)
        laid = sorted(played.card for played in position.table)
        to_come = rules.players - 1 - len(laid)
        rows = [row[:] for row in position.rows]
        costs, placed = [], 0
        for option in ask.options:
            assert isinstance(option, PlayCard)
            while placed < len(laid) and laid[placed] < option.card:
                settle(rows, laid[placed], rules.row_limit)
                placed += 1
            costs.append(self._behind(rows, option.card, rules.row_limit, unseen, to_come, left))
        return costs

    def _behind(
        self, rows: list[list[Card]], card: Card, limit: int, unseen: int, to_come: int, left: float
    ) -> float:
        """Return the cost of a card on rows that hold all lower cards laid so far."""
        seen = sorted([Row(row[-1], limit - len(row), price(row)) for row in rows])
        return card_cost(card, seen, unseen, to_come, left, self.weights)


def settle(rows: list[list[Card]], card: Card, limit: int) -> int:
    """Place a card in mind and return what it costs its owner."""
    fitting = [index for index, row in enumerate(rows) if row[-1] < card]
    index = max(fitting, key=lambda each: rows[each][-1]) if fitting else low_choice(rows)
    if fitting and len(rows[index]) < limit:
        rows[index].append(card)
        return 0
    cost = price(rows[index])
    rows[index] = [card]
    return cost

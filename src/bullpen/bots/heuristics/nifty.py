"""Nifty: two cards at once; whoever has the lowest card places both before anybody else."""

from collections.abc import Sequence
from typing import Any

from bullpen.bots.heuristics.card_cost import Row, chance, count_between
from bullpen.bots.heuristics.heuristic import Heuristic
from bullpen.bots.heuristics.open import settle
from bullpen.engine import Ask, Card, PlaceFirst, PlayPair, Seat

MIDDLE = 52
"""The card from which the outer ones are far."""


class NiftyHeuristic(Heuristic):
    """A low card brings its partner into place early; two cards must not meet in a row that is too full."""

    def cost_commit(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Weigh each pair: both cards' risks, which hang on how many others come before the lower one."""
        rows, unseen = self.rows(rules, position), self.unseen(rules, position, seat)
        left, others = self.left(rules, position, seat), rules.players - 1
        total = unseen.bit_count() or 1
        targets = {card: _target(rows, card) for card in position.hands[seat]}
        crowds = {
            card: 0.0 if row is None else count_between(unseen, row.end, card) / total
            for card, row in targets.items()
        }
        before = {card: 1 - (1 - count_between(unseen, 0, card) / total) ** 2 for card in targets}
        cheapest = min(row.heads for row in rows)
        costs = []
        for option in ask.options:
            assert isinstance(option, PlayPair)
            low, high = option.low, option.high
            cost = self._risk(targets[low], crowds[low], before[low], others, cheapest)
            cost += self._risk(targets[high], crowds[high], before[low], others, cheapest)
            if targets[low] is targets[high] and (row := targets[low]) is not None and row.room < 2:
                cost += row.heads * (1 - before[low]) ** others
            costs.append(cost - self.weights.outer * left * (abs(low - MIDDLE) + abs(high - MIDDLE)) / MIDDLE)
        return costs

    def _risk(self, row: Row | None, crowd: float, before: float, others: int, cheapest: int) -> float:
        """Return the risk of one card, if each other player comes first with this chance."""
        if row is None:
            first = (1 - before) ** others
            return cheapest * first + self.weights.undercut * (1 - first)
        sixth = chance(2 * others, row.room, crowd * before)
        return sixth * (row.heads + self.weights.joined * row.room)

    def cost_choose_order(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Place both in mind, either way round."""
        cards = [option.card for option in ask.options if isinstance(option, PlaceFirst)]
        return [self._placed(position.rows, order, rules.row_limit) for order in (cards, cards[::-1])]

    def _placed(self, rows: Sequence[Sequence[Card]], cards: Sequence[Card], limit: int) -> float:
        copy = [list(row) for row in rows]
        return sum(settle(copy, card, limit) for card in cards)


def _target(rows: Sequence[Row], card: Card) -> Row | None:
    """Return the row that a card would go to now."""
    below = [row for row in rows if row.end < card]
    return below[-1] if below else None

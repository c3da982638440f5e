"""Hand: every placement is certain, so what matters is getting rid of cards without taking a row."""

from collections.abc import Sequence
from typing import Any, ClassVar

from bullpen.bots.heuristics.card_cost import bits, count_between, price
from bullpen.bots.heuristics.heuristic import Heuristic, ahead_of_others, low_choice
from bullpen.bots.heuristics.open import settle
from bullpen.engine import HEADS, Ask, Card, Keep, PlayCard, Seat


class HandHeuristic(Heuristic):
    """A card in hand costs double at the end, so play as many as possible, the dear ones first."""

    tricks_ahead: ClassVar[int] = 2
    rid = 2.2
    """What getting rid of any card is worth beside its bullheads: turns are few."""
    kept = 1.3
    """What a bullhead in hand is expected to cost: it may still be played, or count double."""
    crowding = 0.3

    def worth(self, rules: Any, position: Any, seat: Seat, played: int) -> float:
        """Count the piles, and the hands at a price between nothing and double."""
        if position.score_sheet:
            return super().worth(rules, position, seat, played)
        costs = [
            float(points + self.kept * price(hand) + self.rid * len(hand) / 2)
            for points, hand in zip(position.points, position.hands, strict=True)
        ]
        return -ahead_of_others(costs, seat)

    def cost_hand_turn(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """A card that fits is a gain; one that takes a row costs it."""
        rows = self._rows_then(rules, position)
        return [
            self._card(rows, option.card, rules.row_limit, self.unseen(rules, position, seat))
            for option in ask.options
            if isinstance(option, PlayCard)
        ]

    def cost_second_card(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Passing is worth nothing: a second card is played if it gains anything."""
        rows, unseen = self._rows_then(rules, position), self.unseen(rules, position, seat)
        return [
            self._card(rows, option.card, rules.row_limit, unseen) if isinstance(option, PlayCard) else 0.0
            for option in ask.options
        ]

    def _rows_then(self, rules: Any, position: Any) -> list[list[Card]]:
        """Return the rows after the card that lies on the table, if any, has been placed."""
        rows = [row[:] for row in position.rows]
        for played in position.table:
            settle(rows, played.card, rules.row_limit)
        return rows

    def _card(self, rows: list[list[Card]], card: Card, limit: int, unseen: int) -> float:
        """Return what playing a card costs, less what being rid of it is worth."""
        gain = self.rid + self.kept * HEADS[card]
        fitting = [row for row in rows if row[-1] < card]
        if not fitting:
            return price(rows[low_choice(rows)]) - gain
        row = max(fitting, key=lambda each: each[-1])
        if len(row) >= limit:
            return price(row) - gain
        # A card far from its row leaves the near ones of the hand behind it without a place.
        return self.crowding * count_between(unseen, row[-1], card) / 10 - gain

    def cost_split_take(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """A kept card costs more than one in the pile, unless it can be laid again at once."""
        own = bits(position.hands[seat])
        easy = {
            card
            for card in position.taken
            if any(row[-1] < card < row[-1] + 6 and len(row) < rules.row_limit - 1 for row in position.rows)
            and not own >> card & 1
        }
        costs = []
        for option in ask.options:
            assert isinstance(option, Keep)
            costs.append(
                sum(
                    self.rid / 2 + (self.kept - 1 - (0.9 if card in easy else 0)) * HEADS[card]
                    for card in option.cards
                )
            )
        return costs

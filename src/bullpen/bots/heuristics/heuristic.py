"""What every heuristic offers, and the base game's share of it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from bullpen.bots.heuristics.card_cost import USUAL, Row, Weights, bits, card_cost, price
from bullpen.engine import Ask, Card, PlayCard, Position, Ruleset, Seat, TakeRow


class Heuristic:
    """The costs of options in games of rows, lower being better; a game overrides what it changes.

    A question of kind `k` is answered by `cost_k`, if there is one; otherwise all options cost the same.
    """

    weights: Weights = USUAL
    unsearched: ClassVar[frozenset[str]] = frozenset()
    """The kinds of question that looking ahead does not help with."""
    tricks_ahead: ClassVar[int] = 4
    """How many tricks a search plays on."""

    @property
    def swift(self) -> "Heuristic":
        """The one that answers within playouts, where there is less time for each question."""
        return self

    def costs(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Return what each option of a question costs."""
        cost = getattr(self, f"cost_{ask.kind}", None)
        return [0.0] * len(ask.options) if cost is None else cost(rules, position, seat, ask)

    def worth(self, rules: Any, position: Any, seat: Seat, played: int) -> float:
        """Return how a seat stands after looking ahead: more is better; `played` is the round it began in."""
        return -ahead_of_others(self.points(position, played), seat)

    def points(self, position: Position, played: int) -> Sequence[int]:
        """Return what a round has cost each seat, over or not."""
        over = len(position.score_sheet) >= played
        return position.score_sheet[played - 1] if over else position.points

    # The base game.

    def rows(self, rules: Any, position: Any) -> list[Row]:
        """Return the rows that a card can go to, sorted by their ends."""
        limit = rules.row_limit
        return sorted([Row(row[-1], limit - len(row), price(row)) for row in position.rows])

    def unseen(self, rules: Ruleset[Any], position: Any, seat: Seat) -> int:
        """Return the number cards that a seat has not seen: those of other hands and face-down piles."""
        hidden = bits(position.deck)
        for owner, hand in enumerate(position.hands):
            if owner != seat:
                hidden |= bits(hand)
        return hidden

    def left(self, rules: Any, position: Position, seat: Seat) -> float:
        """Return the share of the round that is left."""
        return len(position.hands[seat]) / int(rules.hand_size)

    def cost_commit(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Weigh each card of the hand by itself."""
        rows, unseen = self.rows(rules, position), self.unseen(rules, position, seat)
        left, others = self.left(rules, position, seat), self.others(rules)
        return [
            card_cost(option.card, rows, unseen, others, left, self.weights)
            for option in ask.options
            if isinstance(option, PlayCard)
        ]

    def others(self, rules: Any) -> int:
        """Return how many cards others play in a trick."""
        return int(rules.players) - 1

    def cost_choose_row(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Take few bullheads; among equals, many cards, so that the row is short for those to come."""
        return [
            price(position.rows[option.row]) - 0.1 * len(position.rows[option.row])
            for option in ask.options
            if isinstance(option, TakeRow)
        ]


def ahead_of_others(values: Sequence[float], seat: Seat) -> float:
    """Return a seat's value less what the others' mean counts: all of it for two, less at larger tables.

    >>> ahead_of_others([5, 3], 0), ahead_of_others([5, 0, 4, 4, 4], 0)
    (2.0, 3.5)
    """
    others = len(values) - 1
    own = float(values[seat])
    return own - (sum(values) - own) / others**1.5 if others else own


def low_choice(rows: Sequence[Sequence[Card]]) -> int:
    """Return the row that somebody with a low card will take: the one with the fewest bullheads."""
    prices = [price(row) for row in rows]
    return prices.index(min(prices))

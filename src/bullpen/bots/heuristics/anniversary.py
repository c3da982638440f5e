"""Anniversary: a special card is used when it saves more than it may save later."""

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from bullpen.bots.heuristics.anniversary_window import AnniversaryWindow
from bullpen.bots.heuristics.card_cost import Row, price
from bullpen.bots.heuristics.heuristic import Heuristic, ahead_of_others
from bullpen.bots.heuristics.lookahead import end_of_trick
from bullpen.engine import HEADS, PASS, Ask, Choice, Draft, Seat, UseSpecial
from bullpen.rulesets.anniversary_cards import cancelled_within
from bullpen.rulesets.base import PLACE_NEXT

WORTH = {
    "fifth-row": 3.0,
    "seven": 1.5,
    "insert": 2.5,
    "replace": 2.0,
    "shift": 2.5,
    "stop": 1.5,
    "negative-positive": 3.0,
}
"""What a special card is worth with the whole game ahead, in bullheads."""
POOR = 2.0
"""A special card that is worth less than this is better swapped."""


class AnniversaryHeuristic(Heuristic):
    """The placement of one's own card is played out with each special card.

    `patience` is by how much special cards are worth more to a seat that keeps them for better use, and
    `fading` how that worth goes with the share of the game that is ahead: a power of it.
    """

    unsearched: ClassVar[frozenset[str]] = frozenset({"use_special", "np_card", "np_cancel", "swap_special"})

    def __init__(self, patience: float = 1.0, thorough: bool = True, fading: float = 1.0) -> None:
        self._patience, self._thorough, self._fading = patience, thorough, fading
        self._swift = AnniversaryHeuristic(thorough=False) if thorough else self

    @property
    def swift(self) -> Heuristic:
        """Special cards are thought of only when things go wrong."""
        return self._swift

    tricks_ahead: ClassVar[int] = 4

    def worth(self, rules: Any, position: Any, seat: Seat, played: int) -> float:
        """The points, and the special cards in hand as long as they may be used."""
        held = 0.0
        if position.result is None:
            ahead = self._ahead(rules, position)
            held = ahead * sum(WORTH[name] for name in position.specials[seat])
        return super().worth(rules, position, seat, played) + held

    def rows(self, rules: Any, position: Any) -> list[Row]:
        """Stopped rows are not there, and 7 nimmt! makes room."""
        limit = rules.row_limit
        return sorted(
            [
                Row(cards[-1], limit + ("seven" in position.markers[row]) - len(cards), price(cards))
                for row in rules.open_rows(position)
                if (cards := position.rows[row])
            ]
        )

    def _ahead(self, rules: Any, position: Any) -> float:
        """Return the share of the game that is ahead."""
        tricks = rules.rounds * rules.hand_size
        return float(1 - ((position.round - 1) * rules.hand_size + position.trick) / tricks)

    # Special cards.

    def cost_use_special(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """What the placement costs with each special card, and what the card would have been worth later."""
        ahead = self._ahead(rules, position)
        if not self._thorough:
            return self._at_a_glance(rules, position, ask, ahead)
        keep = self._patience * max(0.0, ahead) ** self._fading
        window = AnniversaryWindow(rules, position, partial(self._loss, rules, position, seat, ask))
        return [
            window.loss(option) + (keep * WORTH[option.name] if isinstance(option, UseSpecial) else 0.0)
            for option in ask.options
        ]

    def _at_a_glance(self, rules: Any, position: Any, ask: Ask, ahead: float) -> Sequence[float]:
        """Think of special cards only if the card takes a row, and trust them to do what they are for."""
        played = position.table[0]
        row = rules.row_for(position, played.value)
        if row is not None and not rules.is_full(position, row):
            return [0.0] + [1.0] * (len(ask.options) - 1)
        open_rows = [position.rows[other] for other in rules.open_rows(position)]
        taken = position.rows[row] if row is not None else min(open_rows, key=price)
        loss = price(taken)
        saved = {
            "fifth-row": loss,
            "seven": 0 if row is None else loss,
            "insert": loss,
            "replace": loss - 1,
            "negative-positive": min(loss, 2 * max(HEADS[card] for card in taken)),
        }
        return [
            loss
            - saved.get(option.name, 0)
            + ahead * WORTH[option.name]
            + self._misused(rules, position, option, row)
            if isinstance(option, UseSpecial)
            else float(loss)
            for option in ask.options
        ]

    def _misused(self, rules: Any, position: Any, option: UseSpecial, row: int | None) -> float:
        """Return a penalty for a special card at a row where it does not help."""
        if option.name == "seven":
            return 0.0 if row is not None and option.targets == (row + 1,) else 10.0
        if option.name == "insert":
            return 10.0 if rules.is_full(position, option.targets[0] - 1) else 0.0
        return 0.0

    def _loss(self, rules: Any, position: Any, seat: Seat, ask: Ask, option: Choice) -> float:
        """Return what the rest of the trick costs the seat, less a part of what it costs the others."""
        after = end_of_trick(rules, position, ask, option, self._simply, place_without_specials)
        before, then = position.points, self.points(after, position.round)
        return ahead_of_others([after - before for after, before in zip(then, before, strict=True)], seat)

    def _simply(self, rules: Any, position: Any, ask: Ask) -> Choice:
        """Answer on the way: no further special cards and no swaps."""
        if ask.kind in ("use_special", "swap_special"):
            return PASS
        costs = self.costs(rules, position, ask.seats[0], ask)
        return ask.options[min(range(len(costs)), key=costs.__getitem__)]

    def cost_np_card(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Turn the card that has most to cancel."""
        row = position.rows[int(ask.about[0]) - 1]
        total = price(row)
        costs = []
        for option in ask.options:
            assert isinstance(option, UseSpecial)
            heads = HEADS[option.targets[0]]
            costs.append(-float(heads + min(heads, total - heads + position.points[seat])))
        return costs

    def cost_np_cancel(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Pick what the rules would take: the largest set, of the fewest cards."""
        turned, *picked = position.cancelling
        left = HEADS[turned] - price(picked)
        best = cancelled_within(left, list(position.cancellable))
        return [-1.0 if isinstance(option, Draft) and option.card in best else 0.0 for option in ask.options]

    def cost_swap_special(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Swap what is worth little."""
        return [WORTH[option.name] if isinstance(option, UseSpecial) else POOR for option in ask.options]


def place_without_specials(rules: Any, position: Any) -> None:
    """Place the next card, as if nobody wanted to use a special card."""
    position.using = ""
    position.next(PLACE_NEXT)
    rules.place_card(position)

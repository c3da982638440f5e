"""Beat the Buffalo: the team's windows are looked through to the end of the trick, for all cards lie open."""

from collections.abc import Sequence
from typing import Any, ClassVar

from bullpen.bots.heuristics.buffalo_window import BuffaloWindow, team_weight
from bullpen.bots.heuristics.card_cost import USUAL, Row, bits, price
from bullpen.bots.heuristics.heuristic import Heuristic
from bullpen.engine import PASS, Ask, PlaceFirst, PlayCard, Seat, TakeRow, UseSpecial
from bullpen.rulesets.buffalo import BUFFALO_PILE, LIFT, TEAM_PILE
from bullpen.rulesets.buffalo_cards import BUFFALO


class BuffaloHeuristic(Heuristic):
    """What counts is the margin: the buffalo's bullheads less the team's."""

    tricks_ahead: ClassVar[int] = 10
    unsearched: ClassVar[frozenset[str]] = frozenset(
        {"team_window", "team_break", "sort_pick", "replace_card"}
    )
    tricks = 10

    def __init__(
        self, thorough: bool = True, undercut: float = USUAL.undercut, keep_special: float = 3.0
    ) -> None:
        self._thorough = thorough
        self.weights = USUAL._replace(undercut=undercut)
        self.keep_special = keep_special
        """What a special card is worth at the beginning, if it is not used."""
        self._swift = BuffaloHeuristic(False, undercut, keep_special) if thorough else self

    @property
    def swift(self) -> Heuristic:
        """Special cards are thought of only when things go wrong."""
        return self._swift

    def worth(self, rules: Any, position: Any, seat: Seat, played: int) -> float:
        """The margin, and something for being ahead at the end."""
        margin = self.margin(rules, position)
        return margin + (10.0 if position.result is not None and position.result.won else 0.0)

    def margin(self, rules: Any, position: Any) -> float:
        """The buffalo's bullheads less the team's, which count twice for one or two players."""
        team = price(position.piles[TEAM_PILE]) * team_weight(rules)
        return float(price(position.piles[BUFFALO_PILE]) - team)

    def rows(self, rules: Any, position: Any) -> list[Row]:
        """Locked rows are not there, and a Take 7! makes room."""
        return sorted(
            [
                Row(cards[-1], rules.limit(position, row) - len(cards), price(cards))
                for row in rules.open_rows(position)
                if (cards := position.rows[row])
            ]
        )

    def unseen(self, rules: Any, position: Any, seat: Seat) -> int:
        """The buffalo's cards are unseen too."""
        return super().unseen(rules, position, seat) | bits(position.herd)

    def others(self, rules: Any) -> int:
        """The other members and the buffalo."""
        return int(rules.players)

    # Windows.

    def cost_team_window(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Play the trick out after each option; a special card must bring more than it is worth later."""
        if not self._thorough and not self._threatened(rules, position):
            return [0.0] + [1.0] * (len(ask.options) - 1)
        before, keep = self.margin(rules, position), self.keep_special * (1 - position.trick / self.tricks)
        window = BuffaloWindow(rules, position, before)
        return [
            before - window.after_using(option) + (0.1 if option.name == LIFT else keep)
            if isinstance(option, UseSpecial)
            else before - window.after_going_on()
            for option in ask.options
        ]

    def cost_team_break(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Between tricks no card threatens, so special cards are kept."""
        return [float(option != PASS) for option in ask.options]

    def _threatened(self, rules: Any, position: Any) -> bool:
        """Whether the next card is the team's and takes a row that costs something."""
        played = position.table[0]
        if played.seat == BUFFALO or position.must_fill:
            return False
        row = rules.row_for(position, played.value)
        if row is None:
            return bool(min(price(position.rows[other]) for other in rules.open_rows(position)) > 3)
        return bool(rules.is_full(position, row))

    def cost_choose_row(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Play the trick out with each row taken."""
        if not self._thorough:
            return super().cost_choose_row(rules, position, seat, ask)
        window = self._window(rules, position)
        return [-window.after_taking(option.row) for option in ask.options if isinstance(option, TakeRow)]

    def cost_replace_card(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Play the trick out with each card of the hand."""
        window = self._window(rules, position)
        return [
            -window.after_replacing(option.card, ask.seats[0])
            for option in ask.options
            if isinstance(option, PlayCard)
        ]

    def cost_sort_pick(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Play the trick out with each card next and the others as they lie."""
        window, number = self._window(rules, position), int(ask.about[0])
        return [
            -window.after_picking(option.card, number - 1)
            for option in ask.options
            if isinstance(option, PlaceFirst)
        ]

    def _window(self, rules: Any, position: Any) -> BuffaloWindow:
        return BuffaloWindow(rules, position, self.margin(rules, position))

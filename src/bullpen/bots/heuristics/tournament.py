"""Tournament: the hands are open, so the risk of a card is counted, not guessed."""

from collections.abc import Sequence
from typing import Any, ClassVar

from bullpen.bots.heuristics.card_cost import bits, count_between
from bullpen.bots.heuristics.heuristic import Heuristic
from bullpen.engine import Ask, PlayCard, Seat


class TournamentHeuristic(Heuristic):
    """Everybody plays every hand once, so it does not matter what is drafted: only how it is played."""

    unsearched: ClassVar[frozenset[str]] = frozenset({"draft_pick"})

    def left(self, rules: Any, position: Any, seat: Seat) -> float:
        """Hands have ten cards."""
        return len(position.hands[seat]) / 10

    def cost_commit(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Weigh each card against the hands of the others as they are."""
        rows = self.rows(rules, position)
        hands = [bits(hand) for owner, hand in enumerate(position.hands) if owner != seat]
        size, left = len(position.hands[seat]), self.left(rules, position, seat)
        costs = []
        for option in ask.options:
            assert isinstance(option, PlayCard)
            card = option.card
            below = [row for row in rows if row.end < card]
            if below:
                row = below[-1]
                shares = [count_between(hand, row.end, card) / size for hand in hands]
                cost = hits_exactly(shares, row.room) * (row.heads + self.weights.joined * row.room)
            else:
                lowest = hits_exactly([count_between(hand, 0, card) / size for hand in hands], 0)
                cost = self.weights.undercut * (1 - lowest) + min(row.heads for row in rows) * lowest
            costs.append(cost - self.weights.outer * left * abs(card / 52 - 1))
        return costs


def hits_exactly(shares: Sequence[float], hits: int) -> float:
    """Return the chance that exactly so many of independent events happen.

    >>> hits_exactly([0.5, 0.5], 1)
    0.5
    """
    chances = [1.0] + [0.0] * hits
    for share in shares:
        for count in range(hits, 0, -1):
            chances[count] = chances[count] * (1 - share) + chances[count - 1] * share
        chances[0] *= 1 - share
    return chances[hits]

"""Why an option is worth what it is: facts of the table, and what the playouts showed, as data."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from bullpen.analysis.shapes import Reason
from bullpen.engine import Choice, JoinRow, PlayCard, PlayPair, TakeRow, View, preview, unseen
from bullpen.engine.foresight import Foreseen
from bullpen.fast.convert import rules_of

LIKELY = 0.005
"""A chance of taking below this is not worth a word."""


class Shown(NamedTuple):
    """What the playouts of an option showed."""

    chance: float
    """Of taking in this trick."""
    heads: float
    """What a take costs on average."""
    wins: float
    """The chance of the best result of the round."""
    cost: float
    """By how much it is worse than the best option."""
    lead: float | None
    """By how much the best option is better than the next; None if there is no other."""


class Facts:
    """What a seat sees that speaks for or against its options."""

    def __init__(self, seen: View) -> None:
        self.seen, self.rules = seen, rules_of(seen)
        self.limits = self.rules.row_limits(seen.position)
        self.hidden = unseen(self.rules, seen)

    def reasons(self, choice: Choice, shown: Shown) -> tuple[Reason, ...]:
        """Return all reasons for or against an option; there is at least one."""
        found = self._of_row(choice) if isinstance(choice, TakeRow | JoinRow) else self._of_cards(choice)
        if not found:
            # Where nothing lies there yet (drafts, special cards), the end of the round speaks.
            found.append(Reason("winning", {"chance": round(shown.wins, 4)}))
        if shown.chance >= LIKELY and not isinstance(choice, TakeRow):
            numbers = {"chance": round(shown.chance, 4), "bullheads": round(shown.heads, 2)}
            found.append(Reason("taking", numbers))
        if shown.cost > 0:
            found.append(Reason("behind", {"amount": round(shown.cost, 3)}))
        elif shown.lead:
            found.append(Reason("ahead", {"amount": round(shown.lead, 3)}))
        return tuple(found)

    def _of_row(self, choice: TakeRow | JoinRow) -> list[Reason]:
        cards = self.seen.rows[choice.row]
        facts: dict[str, int | float] = {
            "row": choice.row + 1,
            "bullheads": self._cost(cards),
            "cards": len(cards),
        }
        return [Reason("costs", facts)]

    def _of_cards(self, choice: Choice) -> list[Reason]:
        found: list[Reason] = []
        for foreseen in preview(self.rules, self.seen, choice):
            if isinstance(choice, PlayCard | PlayPair) and self.limits is not None:
                found += self._of_placement(foreseen)
            elif foreseen.row is not None:
                found.append(_of_move(foreseen, foreseen.row + 1))
        return found

    def _of_placement(self, foreseen: Foreseen) -> list[Reason]:
        rows = self.seen.rows
        if foreseen.row is None:
            cheapest = min(map(self._cost, rows))
            return [Reason("lowest", {"card": foreseen.card, "bullheads": cheapest})]
        if foreseen.row >= len(rows):
            return []
        cards, row = rows[foreseen.row], foreseen.row + 1
        if foreseen.takes:
            return [Reason("full", {"row": row, "bullheads": foreseen.bullheads})]
        found = [Reason("room", {"row": row, "room": self._room(foreseen.row)})]
        if not cards:
            return found
        low, high = sorted((cards[-1], foreseen.card))
        between = sum(low < card < high for card in self.hidden)
        numbers: dict[str, int | float] = {
            "row": row,
            "end": cards[-1],
            "card": foreseen.card,
            "count": between,
        }
        return [*found, Reason("between", numbers)]

    def _room(self, row: int) -> int:
        """How many more cards a row takes before it is full; equal cards may share a place."""
        assert self.limits is not None
        cards: Any = self.seen.rows[row]
        return max(0, self.limits[row] - len(set(cards)))

    def _cost(self, cards: Iterable[int]) -> int:
        heads = self.rules.heads_in(self.seen.position)
        return sum(heads[card] for card in cards)


def _of_move(foreseen: Foreseen, row: int) -> Reason:
    """Return where a card would go on a board, or by a special card, and what that brings."""
    if foreseen.takes:
        return Reason("takes", {"card": foreseen.card, "row": row, "bullheads": foreseen.bullheads})
    if foreseen.points is not None:
        return Reason("scores", {"card": foreseen.card, "row": row, "points": foreseen.points})
    return Reason("goes", {"card": foreseen.card, "row": row})

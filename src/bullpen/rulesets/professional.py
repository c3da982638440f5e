"""Professional: rows grow at both ends."""

from typing import ClassVar

from bullpen.engine import (
    ROWS,
    YES_NO,
    Card,
    Choice,
    Furniture,
    JoinRow,
    Option,
    Position,
    Question,
    Seat,
    step,
)
from bullpen.engine.events import Placed
from bullpen.rulesets.base import END, PILES, PLACE_NEXT, Base

TIE = Option(
    "pro.tie", "owner", "Who decides when a card is equally near on the left and on the right.",
    ("owner", "right", "left"),
)  # fmt: skip
SHORT = Option("experimental.shortDeck", False, "Play with the short deck of Tactics and Logic.", YES_NO)


class Professional(Base[Position]):
    """A card goes right of a lower end or left of a higher start, wherever it is nearest."""

    id = "professional"
    number = 5
    name = "Professional"
    source = "Take 6! with eight variants (R6), variant 4"
    summary = "Rows grow to the left as well as to the right; the smallest difference decides."
    offers = (*END, PILES, TIE, SHORT)
    questions: ClassVar[dict[str, Question]] = {
        **Base.questions,
        "choose_side": Question("Your {0} is equally near to two rows: choose one.", (ROWS,), "join"),
    }
    furniture = Furniture(both_ends=True)

    def deck(self) -> list[Card]:
        """All 104, or the short deck as an experiment that no book describes (GEN-11)."""
        return list(range(1, 10 * self.players + 5)) if self.options[SHORT.key] else super().deck()

    def place_next(self, position: Position) -> None:
        """As in the base game, but two rows may be equally near."""
        rows = self.nearest(position, position.table[0].value) if position.table else []
        if len(rows) < 2:
            super().place_next(position)
            return
        position.next(step("join_chosen"), PLACE_NEXT)
        self.ask(position, "choose_side", position.table[0].seat, about=(position.table[0].card,))

    def nearest(self, position: Position, value: int) -> list[int]:
        """The rows with the smallest difference to their end or start, never to a card inside (PRO-11).

        At most two are equal, one to the right and one to the left of the card (PRO-7).
        """
        gaps = {}
        for index, row in enumerate(position.rows):
            if value > row[-1]:
                gaps[index] = value - row[-1]
            elif value < row[0]:
                gaps[index] = row[0] - value
        smallest = min(gaps.values(), default=0)
        return [index for index, gap in gaps.items() if gap == smallest]

    def row_for(self, position: Position, value: int) -> int | None:
        """The nearest row; None for a card inside the span of every row (PRO-4)."""
        rows = self.nearest(position, value)
        return rows[0] if rows else None

    def options_choose_side(self, position: Position, seat: Seat, card: Card) -> tuple[Choice, ...]:
        """Both rows, or the one on the agreed side (PRO-1)."""
        rows = self.nearest(position, card)
        side = self.options[TIE.key]
        if side != "owner":
            rows = [row for row in rows if (card > position.rows[row][-1]) == (side == "right")]
        return tuple(JoinRow(row) for row in rows)

    def join_chosen(self, position: Position) -> None:
        """The card goes to the chosen row."""
        choice = self.answer(position)
        assert isinstance(choice, JoinRow)
        self.add(position, choice.row)

    def put(self, position: Position, row: int) -> None:
        """Lay the card at the left or at the right, also of a single card (PRO-2).

        A row that was full, on whichever side the sixth card came, has been taken whole by now (PRO-3).
        """
        cards = position.rows[row]
        if not cards or position.table[0].value > cards[-1]:
            super().put(position, row)
            return
        played = position.table.pop(0)
        cards.insert(0, played.card)
        position.happened(Placed(played.seat, played.card, row, 0))

"""Even/Odd: a marker lets only even, or only odd, cards into one row."""

from bullpen.engine import Card, Furniture, Marker, Position
from bullpen.engine.events import MarkerMoved
from bullpen.rulesets.base import Base


class EvenOddPosition(Position):
    """The row that the marker lies at, and the side it shows: `even` or `odd`."""

    marked: int = 0
    side: str = "even"


class EvenOdd(Base[EvenOddPosition]):
    """The marked row takes cards of the shown parity only; whenever a row is taken the marker moves."""

    id = "even-odd"
    number = 11
    name = "Even/Odd"
    source = "30th anniversary edition (R30), fan card"
    summary = "One row is open to even cards only, or to odd ones; every take moves the marker."
    position_type = EvenOddPosition
    furniture = Furniture(
        markers=(
            Marker(
                "even-odd", "even or odd", "marked",
                says="This row takes only even cards, or only odd ones.",
                side="side", sides={"even": "even cards only", "odd": "odd cards only"},
            ),
        )
    )  # fmt: skip

    def start_rows(self, position: EvenOddPosition) -> None:
        """The marker starts at the row with the lowest start card, in every round anew (EVEN-8)."""
        super().start_rows(position)
        self.put_marker(position, list(range(self.row_count)))

    def put_marker(self, position: EvenOddPosition, candidates: list[int]) -> None:
        """Lay the marker at the lowest end of these rows; its side stays until the next move (EVEN-6)."""
        # EVEN-5: numbers are unique, so one end is the lowest.
        position.marked = min(candidates, key=lambda row: position.rows[row][-1])
        position.side = self.parity(position.rows[position.marked][-1])
        position.happened(MarkerMoved("even-odd", position.marked, position.side))

    def parity(self, card: Card) -> str:
        """Whether a number is even or odd."""
        return "odd" if card % 2 else "even"

    def row_for(self, position: EvenOddPosition, value: int) -> int | None:
        """As in the base game; only, the marked row is closed to the parity that its marker does not show."""
        nearest = super().row_for(position, value)
        if nearest != position.marked or self.parity(value) == position.side:
            return nearest
        # EVEN-1, GEN-2: shut out, the card goes to the next lower end; without one it fits nowhere.
        lower = [row for row, cards in enumerate(position.rows) if cards[-1] < value and row != nearest]
        return max(lower, key=lambda row: position.rows[row][-1], default=None)

    def take(self, position: EvenOddPosition, row: int, why: str) -> None:
        """After every take, whoever's, the marker moves before the next card is placed (EVEN-3).

        By then any card may have restarted the marked row, whatever its parity (EVEN-2). Nothing else moves
        the marker, even if another row has become the lowest (EVEN-7); it takes up no place (EVEN-9).
        """
        super().take(position, row, why)
        # EVEN-4, EVEN-10: every row but the one it leaves, the restarted one too unless it is that one.
        others = [other for other in range(self.row_count) if other != position.marked]
        self.put_marker(position, others)

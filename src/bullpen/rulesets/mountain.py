"""Mountain Climbing: one row goes downhill, and which one changes with every take."""

from bullpen.engine import Furniture, Marker, Position
from bullpen.engine.events import MarkerMoved
from bullpen.rulesets.base import Base


class MountainPosition(Position):
    """The row that the marker lies at, and where its arrows point: `up` or `down`."""

    marked: int = 0
    arrow: str = "up"


class Mountain(Base[MountainPosition]):
    """The marked row takes lower cards instead of higher ones; the marker climbs up and down the rows."""

    id = "mountain"
    number = 12
    name = "Mountain Climbing"
    source = "30th anniversary edition (R30), fan card"
    summary = "The marked row descends; every take moves the marker one row up or down."
    position_type = MountainPosition
    ascending = False
    furniture = Furniture(
        markers=(
            Marker(
                "mountain", "downhill row", "marked",
                says="This row takes lower cards instead of higher ones.",
                side="arrow", sides={"up": "downhill row, arrow up", "down": "downhill row, arrow down"},
            ),
        )
    )  # fmt: skip

    def start_rows(self, position: MountainPosition) -> None:
        """Each round the marker starts at the bottom row, arrows up (MTN-3, MTN-7, MTN-11)."""
        super().start_rows(position)
        self.put_marker(position, self.row_count - 1, "up")

    def put_marker(self, position: MountainPosition, row: int, arrow: str) -> None:
        """Lay the marker at a row; the cards there stay as they are, their last one counts (MTN-5)."""
        position.marked, position.arrow = row, arrow
        position.happened(MarkerMoved("mountain", row, arrow))

    def row_for(self, position: MountainPosition, value: int) -> int | None:
        """The smallest difference decides: up to the card, or down to it in the marked row.

        So a card below everything fits the marked row.
        """
        gaps = {}
        for row, cards in enumerate(position.rows):
            gap = cards[-1] - value if row == position.marked else value - cards[-1]
            if gap > 0:
                gaps[row] = gap
        if not gaps:
            # MTN-2, GEN-2: it lies between the marked end and all others. Any row may be taken (MTN-8).
            return None
        # MTN-1: on equal differences the marked row, even if it is full and has to be taken.
        return min(gaps, key=lambda row: (gaps[row], row != position.marked))

    def take(self, position: MountainPosition, row: int, why: str) -> None:
        """Take and restart; then, before the next card, the marker moves (MTN-4): once a take (MTN-10)."""
        super().take(position, row, why)
        self.climb(position)

    def climb(self, position: MountainPosition) -> None:
        """One row along the arrows; at the top and at the bottom they are turned at once (MTN-3)."""
        row = position.marked + (-1 if position.arrow == "up" else 1)
        turns = {0: "down", self.row_count - 1: "up"}
        self.put_marker(position, row, turns.get(row, position.arrow))

"""Shepherd: one row is guarded, and the shepherd follows every take."""

from bullpen.engine import TAKE, Choice, Furniture, Marker, Position, Seat
from bullpen.engine.events import MarkerMoved
from bullpen.rulesets.base import Base


class ShepherdPosition(Position):
    """The row that the shepherd stands at."""

    guarded: int = 0


class Shepherd(Base[ShepherdPosition]):
    """Low cards cannot take the row that the shepherd stands at; he goes wherever a row is taken."""

    id = "shepherd"
    name = "Shepherd"
    source = "an example"
    summary = "A shepherd guards one row against low cards, and walks to every row that is taken."
    position_type = ShepherdPosition
    furniture = Furniture(
        markers=(
            Marker("shepherd", "the shepherd", "guarded", says="Low cards cannot take the row he stands at."),
        )
    )

    def start_rows(self, position: ShepherdPosition) -> None:
        """Each round he starts at the top row."""
        super().start_rows(position)
        self.walk(position, 0)

    def walk(self, position: ShepherdPosition, row: int) -> None:
        """The shepherd goes to a row, for everybody to see."""
        position.guarded = row
        position.happened(MarkerMoved("shepherd", row))

    def options_choose_row(self, position: ShepherdPosition, seat: Seat, card: int) -> tuple[Choice, ...]:
        """Any row but the guarded one."""
        return tuple(take for take in TAKE[: len(position.rows)] if take.row != position.guarded)

    def take(self, position: ShepherdPosition, row: int, why: str) -> None:
        """A sixth card takes the guarded row like any other; then the shepherd comes."""
        super().take(position, row, why)
        self.walk(position, row)

"""The Jumping Cow: a card without a number takes up a place, and jumps away from company."""

from bullpen.engine import Furniture, Marker, Position, Seat
from bullpen.engine.events import MarkerMoved
from bullpen.rulesets.base import Base


class CowPosition(Position):
    """The row that the Cow stands in."""

    cow: int = 0


class JumpingCow(Base[CowPosition]):
    """The Cow fills a place of its row; a card laid there makes it jump to the lowest of the other rows."""

    id = "jumping-cow"
    number = 13
    name = "The Jumping Cow"
    source = "30th anniversary edition (R30), fan card"
    summary = "The Cow counts as a card of its row; disturbed, it jumps, and a row it overfills is taken."
    position_type = CowPosition
    furniture = Furniture(
        markers=(
            Marker(
                "cow", "the Cow", "cow",
                says="The Cow takes up a place of her row, and jumps when a card comes there.", fills=True,
            ),
        )
    )  # fmt: skip

    def start_rows(self, position: CowPosition) -> None:
        """Each round the Cow starts beside the lowest start card (COW-12)."""
        super().start_rows(position)
        self.move_cow(position, list(range(self.row_count)))

    def move_cow(self, position: CowPosition, candidates: list[int]) -> None:
        """The Cow goes to the lowest end of these rows, as they are after the placement (COW-8)."""
        position.cow = min(candidates, key=lambda row: position.rows[row][-1])
        position.happened(MarkerMoved("cow", position.cow))

    def is_full(self, position: CowPosition, row: int) -> bool:
        """Five cards, or four and the Cow: then the four are taken (COW-11)."""
        return len(position.rows[row]) + (row == position.cow) >= self.row_limit

    def put(self, position: CowPosition, row: int) -> None:
        """A card goes behind the last number, the Cow having none (COW-1); then the Cow leaves that row.

        So it does when its row was taken, by a low card too (COW-6). What happens in other rows,
        even a take, leaves it where it is (COW-5, COW-7).
        """
        seat = position.table[0].seat
        super().put(position, row)
        if row == position.cow:
            self.jump(position, seat)

    def jump(self, position: CowPosition, seat: Seat) -> None:
        """The Cow jumps to the lowest other row; it may land on four numbers, but not on five (COW-4)."""
        others = [row for row in range(self.row_count) if row != position.cow]
        self.move_cow(position, others)
        if len(position.rows[position.cow]) >= self.row_limit:
            self.overfill(position, seat)
            # COW-3: at most twice, for then the lowest other row is one that was just overfilled.
            self.jump(position, seat)

    def overfill(self, position: CowPosition, seat: Seat) -> None:
        """Whoever set the Cow jumping (COW-9) takes all numbers but the highest, the last (COW-2, COW-10)."""
        row = position.cow
        *taken, highest = position.rows[row]
        self.pick_up(position, row, seat, taken, "cow")
        position.rows[row] = [highest]

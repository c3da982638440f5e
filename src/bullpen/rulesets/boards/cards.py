"""What action cards and luck cards have in common: they are played just before a tile is placed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from bullpen.engine import Seat
from bullpen.engine.events import SpecialsGone, Used
from bullpen.rulesets.boards.position import BoardPosition, Landing, Turn
from bullpen.rulesets.special_cards import Special, Targets

if TYPE_CHECKING:
    from bullpen.rulesets.boards.game import Board


class BoardCard(Special):
    """A card that its holder may play just before one of their tiles is placed."""

    family: ClassVar[str]

    def ways(self, position: BoardPosition, seat: Seat, turn: Turn) -> Iterator[tuple[Targets, Turn]]:
        """Yield every way to play the card: its targets as in the notation, and the turn that it makes.

        The board leaves out the ways that would leave the tile without a space to go to.
        """
        raise NotImplementedError

    def admits(self, landing: Landing) -> bool:
        """Whether the card, once played, lets the tile go there."""
        return True

    def play(self, board: "Board", position: BoardPosition, seat: Seat, targets: Targets) -> None:
        """Spend the card and let it take effect."""
        turn = dict(self.ways(position, seat, position.turn))[targets]
        position.happened(Used(seat, self.name, targets))
        position.stops = turn.stops
        position.plan_for(turn.tile, turn.plan)
        self.spend(position, seat)
        self.take_effect(board, position, seat, targets)

    def spend(self, position: BoardPosition, seat: Seat) -> None:
        """Take the card out of the hand."""
        held: list[list[str]] = getattr(position, self.family)
        held[seat].remove(self.name)
        position.happened(SpecialsGone((self.name,), self.put_away(position)))

    def put_away(self, position: BoardPosition) -> str:
        """Put the card where played ones go, and say where that is."""
        raise NotImplementedError

    def take_effect(self, board: "Board", position: BoardPosition, seat: Seat, targets: Targets) -> None:
        """Do what goes beyond signs and plans."""

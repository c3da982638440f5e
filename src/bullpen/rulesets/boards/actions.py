"""The six action cards: any number of them, in any order, just before a tile is placed (EXP-7).

Stop!, Tile exchange and Play another tile go with everything. Skip goes with Place in ascending order;
Place at the start excludes both, because they all say where the tile goes (EXP-25).
"""

from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from bullpen.engine import HAND, ROWS, Aim, Seat
from bullpen.engine.events import Laid, ReturnedToHand, Revealed
from bullpen.rulesets.boards.cards import BoardCard
from bullpen.rulesets.boards.position import ACTIONS, NO_PLAN, BoardPosition, Turn
from bullpen.rulesets.special_cards import Targets

if TYPE_CHECKING:
    from bullpen.rulesets.boards.game import Board

SIGNS = 2
"""There are two stop signs."""


class ActionCard(BoardCard):
    """A card that is discarded face up when it is played."""

    family: ClassVar[str] = ACTIONS

    def put_away(self, position: BoardPosition) -> str:
        """The discard pile becomes the next action card pile."""
        position.action_discard.append(self.name)
        return "discarded"


class Stop(ActionCard):
    """Stop!: a sign at the end of a row, where nobody may put a tile; it covers no space (EXP-26)."""

    name, title = "stop", "Stop"
    says = "A row is closed until anybody takes a row."
    aims = (Aim(ROWS),)
    stays = True

    def ways(self, position: BoardPosition, seat: Seat, turn: Turn) -> Iterator[tuple[Targets, Turn]]:
        """Any active row without a sign, unless both signs are on the board (EXP-8)."""
        if len(turn.stops) < SIGNS:
            for row in position.active:
                if row not in turn.stops:
                    yield (row + 1,), replace(turn, stops=(*turn.stops, row))


class Exchange(ActionCard):
    """Tile exchange: take the tile back and place another one at once, whatever others have waiting."""

    name, title = "exchange", "Exchange"
    says = "Take your tile back and place another one of yours instead."
    aims = (Aim(HAND),)

    def ways(self, position: BoardPosition, seat: Seat, turn: Turn) -> Iterator[tuple[Targets, Turn]]:
        """Any other tile behind the screen; without one the card is of no use (EXP-11)."""
        for tile in position.hands[seat]:
            yield (tile,), replace(turn, tile=tile)

    def take_effect(self, board: "Board", position: BoardPosition, seat: Seat, targets: Targets) -> None:
        """Only the tile about to be placed is replaced, also when its owner has two (EXP-11)."""
        old = position.table[0].card
        position.plan_for(old, NO_PLAN)
        position.table[0] = board.from_hand(position, seat, targets[0])
        board.to_screen(position, seat, [old])
        position.happened(ReturnedToHand(seat, (old,)))
        position.happened(Laid(seat, targets[0]))
        position.happened(Revealed(tuple(position.table)))


class Skip(ActionCard):
    """Skip: leave the first free space empty and use the next one; Skips add up (EXP-12)."""

    name, title = "skip", "Skip"
    says = "The next free space stays empty, and your tile goes one further."

    def ways(self, position: BoardPosition, seat: Seat, turn: Turn) -> Iterator[tuple[Targets, Turn]]:
        """Unless the tile goes to the start of a row (EXP-25)."""
        if turn.plan.at_start is None:
            yield (), turn.planned(skips=turn.plan.skips + 1)


class AtStart(ActionCard):
    """Place at the start: before the first tile of a row, if that is higher."""

    name, title = "start", "At the start"
    says = "Your tile goes before the first one of a row that starts higher."
    aims = (Aim(ROWS),)

    def ways(self, position: BoardPosition, seat: Seat, turn: Turn) -> Iterator[tuple[Targets, Turn]]:
        """Any open active row, if nothing else says yet where the tile goes (EXP-14, EXP-25)."""
        plan = turn.plan
        if not plan.skips and plan.ascending is None and plan.at_start is None:
            for row in position.active:
                yield (row + 1,), turn.planned(at_start=row)


class Ascending(ActionCard):
    """Place in ascending order: any row with a lower end, not only the nearest."""

    name, title = "ascending", "Ascending"
    says = "Your tile goes to any row with a lower end, not only to the nearest."
    aims = (Aim(ROWS),)

    def ways(self, position: BoardPosition, seat: Seat, turn: Turn) -> Iterator[tuple[Targets, Turn]]:
        """Any open row with a lower end, so none for a tile that is too low (EXP-17, EXP-25)."""
        if turn.plan.at_start is None and turn.plan.ascending is None:
            for row in position.active:
                yield (row + 1,), turn.planned(ascending=row)


class Another(ActionCard):
    """Play another tile: add one and place all own tiles now, lowest first; it may be repeated (EXP-18)."""

    name, title = "another", "Another tile"
    says = "You play one more tile, and all of yours are placed now, lowest first."
    aims = (Aim(HAND),)

    def ways(self, position: BoardPosition, seat: Seat, turn: Turn) -> Iterator[tuple[Targets, Turn]]:
        """Any tile behind the screen, with whatever other card before or after it (EXP-25).

        A lower tile is placed first, without a plan; one that was made stays with its tile.
        """
        own = [played.card for played in position.table if played.seat == seat]
        for tile in position.hands[seat]:
            first = min(tile, *own)
            yield (tile,), turn if first == turn.tile else Turn(first, turn.stops)

    def take_effect(self, board: "Board", position: BoardPosition, seat: Seat, targets: Targets) -> None:
        """All own tiles that are still to be placed come first; then the others go on (EXP-18)."""
        own = [played for played in position.table if played.seat == seat]
        own.append(board.from_hand(position, seat, targets[0]))
        others = [played for played in position.table if played.seat != seat]
        position.table = [*sorted(own, key=attrgetter("value")), *others]
        position.happened(Laid(seat, targets[0]))
        position.happened(Revealed(tuple(position.table)))


ACTION_CARDS: tuple[ActionCard, ...] = (Stop(), Exchange(), Skip(), AtStart(), Ascending(), Another())

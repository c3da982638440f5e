"""Games that a package from outside could bring: with other bullheads, with more rows, and in a team."""

from typing import Any, ClassVar

from msgspec import field

from bullpen.engine import NOBODY, Card, Furniture, Holding, Played, Position, Scoring, Seat, Team, Zone
from bullpen.engine.events import Dealt, GameEnded, Revealed, Took
from bullpen.engine.result import Result
from bullpen.rulesets.base import Base

WOLF = -1


class Nines(Base[Position]):
    """Odd cards carry nine bullheads, even ones none."""

    id = "nines"
    name = "Nines"
    source = "a test"
    summary = "The base game with nine bullheads on every odd card, and none on the others."
    heads = tuple(9 if card % 2 else 0 for card in range(105))


class FiveRows(Base[Position]):
    """The base game with five rows."""

    id = "five-rows"
    name = "Five rows"
    source = "a test"
    summary = "The base game with five rows on the table."
    player_range = range(2, 10)
    row_count = 5


class WolfPosition(Position):
    """What the wolf holds."""

    pack: list[Card] = field(default_factory=list)

    def copy_lists(self) -> None:
        """The pack, too."""
        super().copy_lists()
        self.pack = self.pack[:]


class Wolves(Base[WolfPosition]):
    """All against a wolf that plays from the top of its pack."""

    id = "wolves"
    name = "Wolves"
    source = "a test"
    summary = "All against a wolf, which plays from the top of its pack."
    player_range = range(1, 7)
    position_type = WolfPosition
    zones = (*Base.zones, Zone("pack", NOBODY))
    furniture = Furniture(
        holdings=(Holding("pack", "The wolf's cards", "draw", counted=True),),
        team=Team("Wolf", WOLF, "pack", silent=False),
        scoring=Scoring(charges="team", piles="sides"),
    )
    offers: ClassVar[Any] = ()

    def clear_table(self, position: WolfPosition) -> None:
        """There are two bull piles."""
        super().clear_table(position)
        position.piles, position.pack = [[], []], []

    def deal(self, position: WolfPosition) -> None:
        """Ten cards are the wolf's."""
        super().deal(position)
        position.pack = position.deck[:10]
        del position.deck[:10]
        position.happened(Dealt(WOLF, tuple(position.pack)))

    def reveal(self, position: WolfPosition) -> None:
        """The wolf's top card is turned up with the others."""
        top = position.pack.pop(0)
        plays = [Played(top, WOLF, top)]
        for seat, choice in position.answers.items():
            plays += self.leave_hand(position, seat, choice)
        position.table = sorted(plays, key=self.order)
        position.happened(Revealed(tuple(position.table)))

    def choose_row(self, position: WolfPosition, played: Played) -> None:
        """The wolf takes the top row."""
        if played.seat == WOLF:
            self.take(position, 0, "low")
        else:
            super().choose_row(position, played)

    def pick_up(self, position: WolfPosition, row: int, seat: Seat, cards: list[Card], why: str) -> None:
        """A row goes to our pile or to the wolf's."""
        heads = self.bullheads(cards)
        position.piles[1 if seat == WOLF else 0] += cards
        if seat != WOLF:
            position.points = [points + heads for points in position.points]
        position.happened(Took(seat, row, tuple(cards), heads, why))

    def game_over(self, position: WolfPosition) -> str | None:
        """One round."""
        return "all cards were played"

    def finish(self, position: WolfPosition, reason: str) -> None:
        """We have won with fewer bullheads than the wolf."""
        ours, wolfs = position.scores[0], self.bullheads(position.piles[1])
        scores = tuple(position.scores)
        position.result = Result(scores, (1,) * self.players, reason, won=ours < wolfs, against=wolfs)
        position.happened(GameEnded(position.result))

    def hide_piles(self, position: WolfPosition, seat: Seat | None) -> None:
        """Everybody may look into both piles."""

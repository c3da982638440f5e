"""The two luck cards, which make plus out of minus: at most one for a tile (LUCK-7)."""

from collections.abc import Iterator
from typing import ClassVar

from bullpen.engine import ROW_CARDS, Aim, Seat, Step, step
from bullpen.rulesets.boards.cards import BoardCard
from bullpen.rulesets.boards.position import LUCK, BoardPosition, Landing, Turn
from bullpen.rulesets.boards.spaces import Covered
from bullpen.rulesets.special_cards import Targets


class LuckCard(BoardCard):
    """A card that changes what the space does, and goes back to its open pile when it is played."""

    family: ClassVar[str] = LUCK

    def ways(self, position: BoardPosition, seat: Seat, turn: Turn) -> Iterator[tuple[Targets, Turn]]:
        """Once for a tile; with two tiles, once for each (LUCK-7)."""
        if not turn.plan.luck:
            yield (), turn.planned(luck=self.name)

    def put_away(self, position: BoardPosition) -> str:
        """It lies on its pile before it takes effect, so it may be drawn again at once (LUCK-11)."""
        position.luck_piles.append(self.name)
        position.luck_piles.sort()
        return "back on its pile"

    def steps(self, covered: Covered) -> tuple[Step, ...]:
        """Return what follows instead of what the space says."""
        raise NotImplementedError


class PlusFive(LuckCard):
    """5 positive points: the newly covered space counts +5 and nothing else (LUCK-8, EXP-24)."""

    name, title = "plus-five", "Plus five"
    says = "The space that your tile covers counts plus five and nothing else."

    def admits(self, landing: Landing) -> bool:
        """Any space, blank ones too, but the last of a row (LUCK-8)."""
        return not landing.last

    def steps(self, covered: Covered) -> tuple[Step, ...]:
        """Score five."""
        return (step("score", covered.seat, 5, self.name),)


class PositiveOx(LuckCard):
    """Positive ox: two tiles of the taken row count plus."""

    name, title = "positive-ox", "Positive ox"
    says = "Two tiles of the row that you take count plus."
    aims = (Aim(ROW_CARDS), Aim(ROW_CARDS))

    def admits(self, landing: Landing) -> bool:
        """Only the last space of a row."""
        return landing.last

    def steps(self, covered: Covered) -> tuple[Step, ...]:
        """Choose the two tiles, then take the row."""
        return (step("choose_plus", covered.seat, covered.row, covered.played),)


LUCK_CARDS: tuple[LuckCard, ...] = (PlusFive(), PositiveOx())

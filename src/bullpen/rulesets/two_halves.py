"""Two halves: nearly the whole deck, dealt in two parts onto the same rows."""

from collections.abc import Mapping

from bullpen.engine import YES_NO, Option, OptionValue, Position
from bullpen.rulesets.base import PILES, Base

PRINTED = Option("half.printedOnly", False, "Allow only the printed player counts, 4 to 7.", YES_NO)


class HalvesPosition(Position):
    """Which half is being played."""

    half: int = 0


class TwoHalves(Base[HalvesPosition]):
    """Play the first hand out; rows and piles stay; then play the second."""

    id = "two-halves"
    number = 10
    name = "Two halves"
    source = "First edition, 1994 (R94), variant 2"
    summary = "Almost all cards are played, in two deals onto the same rows; one round is the game."
    offers = (PILES, PRINTED)
    position_type = HalvesPosition

    @classmethod
    def player_counts(cls, options: Mapping[str, OptionValue]) -> range:
        """Printed for four to seven, and the formula fits two to ten (HALF-2)."""
        return range(4, 8) if options.get(PRINTED.key) else cls.player_range

    def sizes(self) -> tuple[int, int]:
        """The cards a seat gets in each half (HALF-2).

        >>> TwoHalves(4).sizes(), TwoHalves(6).sizes()
        ((12, 13), (8, 8))
        """
        each = 100 // self.players
        return each // 2, each - each // 2

    def deal(self, position: HalvesPosition) -> None:
        """The first half, then the rows, once."""
        position.half = 1
        self.deal_hands(position, self.sizes()[0])
        self.start_rows(position)

    def play_trick(self, position: HalvesPosition) -> None:
        """At half-time the second hand is dealt; nothing is scored or moved (HALF-4, HALF-6)."""
        if position.half == 1 and not any(position.hands):
            position.half = 2
            self.deal_hands(position, self.sizes()[1])
        super().play_trick(position)

    def game_over(self, position: HalvesPosition) -> str | None:
        """There is no target; cards left over are not used (HALF-3, HALF-5)."""
        return "both halves were played"

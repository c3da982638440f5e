"""Tactics: the base game with just enough cards, so that everybody knows what is in play."""

from bullpen.engine import Card, P, Position
from bullpen.rulesets.base import Base


class ShortDeck(Base[P]):
    """A game in which every card is dealt or starts a row."""

    def deck(self) -> list[Card]:
        """Cards 1 to 10n+4, the same in every round (R6 Variant 1; TAC-2, TAC-3)."""
        return list(range(1, 10 * self.players + 5))


class Tactics(ShortDeck[Position]):
    """All cards of the deck are in play and known to be."""

    id = "tactics"
    number = 2
    name = "Tactics"
    source = "Take 6! with eight variants (R6), variant 1"
    summary = "Only the cards 1 to ten times the players plus four are used: what you don't hold, others do."
    player_range = range(2, 11)  # TAC-1: with ten it equals the base game

"""Nifty: two cards at a time, in the order you like."""

from itertools import combinations
from typing import Any, ClassVar

from bullpen.engine import (
    PLAYED,
    Choice,
    Furniture,
    PlaceFirst,
    Played,
    PlayPair,
    Position,
    Question,
    Seat,
    step,
)
from bullpen.engine.events import Revealed
from bullpen.rulesets.base import Base


class Nifty(Base[Position]):
    """Fourteen cards, seven tricks, a pair in each (NIF-6)."""

    id = "nifty"
    number = 7
    name = "Nifty"
    source = "Take 6! with eight variants (R6), variant 6"
    summary = "Everybody plays two cards at once and places both when their turn comes, in either order."
    player_range = range(2, 8)  # NIF-5
    hand_size = 14
    questions: ClassVar[dict[str, Question]] = {
        **Base.questions,
        "commit": Question("Choose two cards from your hand.", secret=True),
        "choose_order": Question("Place {0} or {1} first?", (PLAYED,), "first"),
    }
    furniture = Furniture(pairs=True)
    alone: ClassVar[dict[str, str]] = {"place_next": "place_one"}

    def options_commit(self, position: Position, seat: Seat) -> tuple[Choice, ...]:
        """Any pair of the hand (NIF-4)."""
        return tuple(PlayPair(low, high) for low, high in combinations(position.hands[seat], 2))

    def leave_hand(self, position: Position, seat: Seat, choice: Any) -> list[Played]:
        """Both cards go to the table."""
        return [self.from_hand(position, seat, card) for card in (choice.low, choice.high)]

    def reveal(self, position: Position) -> None:
        """Whoever played the lowest card places both, then the lowest of the others decides (NIF-1)."""
        pairs = [self.leave_hand(position, seat, choice) for seat, choice in position.answers.items()]
        pairs.sort(key=lambda pair: pair[0].card)
        position.table = [played for pair in pairs for played in pair]
        position.happened(Revealed(tuple(position.table)))

    def place_next(self, position: Position) -> None:
        """Ask for the order when a player's turn comes (NIF-2); each card is a full placement (NIF-7)."""
        both_cards_lie_there = bool(position.table) and len(position.table) % 2 == 0
        if not both_cards_lie_there:
            self.place_one(position)
            return
        first, second = position.table[:2]
        position.next(step("place_first"))
        self.ask(position, "choose_order", first.seat, about=(first.card, second.card))

    def options_choose_order(self, position: Position, seat: Seat, low: int, high: int) -> tuple[Choice, ...]:
        """Either card, the high one too (NIF-3)."""
        return (PlaceFirst(low), PlaceFirst(high))

    def place_first(self, position: Position) -> None:
        """Place the chosen card; the other one follows."""
        choice = self.answer(position)
        assert isinstance(choice, PlaceFirst)
        if position.table[0].card != choice.card:
            position.table[:2] = position.table[1::-1]
        self.place_one(position)

    def place_one(self, position: Position) -> None:
        """Place the card that is next, as in the base game."""
        super().place_next(position)

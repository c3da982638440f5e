"""Flippin' Digits: once a round a card may be played with its digits swapped."""

from typing import Any, ClassVar

from bullpen.engine import (
    PLAY,
    Card,
    Choice,
    Furniture,
    Marker,
    Option,
    PlayCard,
    Played,
    Position,
    Seat,
    SpecialCard,
)
from bullpen.engine.events import Event, Used
from bullpen.rulesets.base import END, PILES, Base

SINGLE = Option(
    "flip.singleDigit", "padded", "A flipped 5 counts as 50 (padded), stays 5 (identity), or is forbidden.",
    ("padded", "identity", "forbidden"),
)  # fmt: skip
SUPPLY = Option(
    "flip.supply", "round", "Each player gets a flip card every round or once a game.", ("round", "game")
)


class FlipPosition(Position):
    """Who still has the flip card, which everybody knows (FLIP-12)."""

    has_flip: tuple[bool, ...] = ()


class FlipsHeld(Event, frozen=True):
    """These seats hold a flip card now."""

    says: ClassVar[str] = "Still with a flip card: {who}."
    seats: tuple[Seat, ...]


class FlippinDigits(Base[FlipPosition]):
    """A card played with the flip card is ordered and placed by its swapped digits."""

    id = "flippin-digits"
    number = 14
    name = "Flippin' Digits"
    source = "30th anniversary edition (R30), fan card"
    summary = "Once a round you may swap the digits of the card you play: 24 is placed as 42."
    offers = (*END, PILES, SINGLE, SUPPLY)
    position_type = FlipPosition
    ascending = False
    open_fields = frozenset({"has_flip"})
    own_events = (FlipsHeld,)
    furniture = Furniture(
        specials=(
            SpecialCard("flip", "Flip", "The card you play is placed by its digits in the other order."),
        ),
        markers=(Marker("flip", "has a flip card", "has_flip", at="seat", holds="flags"),),
    )

    # The flip cards.

    def deal(self, position: FlipPosition) -> None:
        """With the hands comes a flip card each, in every round or in the first only (FLIP-9)."""
        super().deal(position)
        if position.round == 1 or self.options[SUPPLY.key] == "round":
            self.set_flips(position, (True,) * self.players)

    def set_flips(self, position: FlipPosition, has_flip: tuple[bool, ...]) -> None:
        """Say who holds a flip card from now on."""
        position.has_flip = has_flip
        position.happened(FlipsHeld(tuple(seat for seat, has in enumerate(has_flip) if has)))

    def can_flip(self, card: Card) -> bool:
        """One or two digits only (FLIP-2); a palindrome too, for nothing (FLIP-6)."""
        least = 10 if self.options[SINGLE.key] == "forbidden" else 1
        return least <= card <= 99

    def flipped(self, card: Card) -> int:
        """The number with its digits swapped; a 5 is read as 05, unless agreed otherwise (FLIP-1).

        >>> [FlippinDigits(2).flipped(card) for card in (31, 90, 5, 77)]
        [13, 9, 50, 77]
        """
        if card < 10 and self.options[SINGLE.key] == "identity":
            return card
        tens, ones = divmod(card, 10)
        return 10 * ones + tens

    # A trick.

    def options_commit(self, position: FlipPosition, seat: Seat) -> tuple[Choice, ...]:
        """Any card, alone or with the flip card, secretly (FLIP-10) and never a duty (FLIP-11)."""
        hand = position.hands[seat]
        flips = [
            PlayCard(card, flipped=True) for card in hand if position.has_flip[seat] and self.can_flip(card)
        ]
        return (*(PLAY[card] for card in hand), *flips)

    def reveal(self, position: FlipPosition) -> None:
        """Of two equal values the flipped one is placed first (FLIP-4).

        Two flipped ones are equal only where single digits stay: then the lower number goes first (FLIP-5).
        """

        def precedence(answer: tuple[Seat, Any]) -> tuple[bool, Card]:
            return not answer[1].flipped, answer[1].card

        # The cards are sorted by value next, which leaves equal values in this order.
        position.answers = dict(sorted(position.answers.items(), key=precedence))
        super().reveal(position)

    def leave_hand(self, position: FlipPosition, seat: Seat, choice: Any) -> list[Played]:
        """A flipped card is ordered and placed by its swapped value."""
        played = self.from_hand(position, seat, choice.card)
        if not choice.flipped:
            return [played]
        position.happened(Used(seat, "flip", (choice.card,)))
        left = tuple(has and other != seat for other, has in enumerate(position.has_flip))
        self.set_flips(position, left)
        # FLIP-3, GEN-3: a row that ends with that very value is closed to it.
        # FLIP-7, FLIP-8: once placed it shows its printed number again, so rows need not ascend.
        return [Played(played.card, seat, self.flipped(played.card))]

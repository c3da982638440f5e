"""Hand: what you must take you may take into your hand."""

from itertools import chain, combinations
from typing import ClassVar

from bullpen.engine import (
    PASS,
    PLAY,
    Card,
    Choice,
    Furniture,
    Holding,
    Keep,
    Option,
    PlayCard,
    Position,
    Question,
    Scoring,
    Seat,
    Step,
    Zone,
    neighbour,
    shuffle,
    step,
)
from bullpen.engine.events import Kept, Laid, RoundStarted, Took, TrickStarted
from bullpen.rulesets.base import DEAL, END, PILES, PLACE_NEXT, SCORE_ROUND, Base

FIRST = Option("hand.firstSeat", 0, "The seat that has the first turn.", least=0, seat=True)
SECOND = Option(
    "hand.secondCard", "committed", "A second card is announced with the first, or after it was placed.",
    ("committed", "sequential"),
)  # fmt: skip
LAPS = Option("hand.maxRounds", 200, "After so many turns each the game is stopped and scored.", least=1)
KIND = Option(
    "end.kind", "deal", "Play one deal, to a target score, or a fixed number of deals.",
    ("deal", "target", "rounds"),
)  # fmt: skip
LAP = step("lap")


class HandPosition(Position):
    """Cards that were taken and are still to be divided between hand and pile."""

    taken: tuple[Card, ...] = ()


class Hand(Base[HandPosition]):
    """In turn everybody plays one or two cards; taken cards go to the pile or back to the hand."""

    id = "hand"
    number = 8
    name = "Hand"
    source = "Take 6! with eight variants (R6), variant 7"
    summary = "One or two cards a turn; taken cards may go to your hand, but there they count double."
    player_range = range(2, 8)  # HAND-1
    offers = (KIND, END[1], PILES, FIRST, SECOND, LAPS)
    position_type = HandPosition
    zones = (*Base.zones, Zone("taken"))
    questions: ClassVar[dict[str, Question]] = {
        "choose_row": Base.questions["choose_row"],
        "hand_turn": Question("Play a card.", does="lay", secret=True),
        "second_card": Question(
            "Play a second card, or pass.", does="lay", secret=True, passing="No second card"
        ),
        "split_take": Question("Choose which of the taken cards go into your hand.", ("taken",), "keep"),
    }
    furniture = Furniture(
        holdings=(Holding("taken", "Taken", "taken"),),
        # What is kept in the hand costs nothing before the end.
        scoring=Scoring(charges="nobody"),
        in_turn=True,
    )
    hand_size = 14
    hand_limit: ClassVar[int] = 16
    pile_limit: ClassVar[int] = 20

    # Turns and laps (R6 calls a lap a round; GEN-1).

    def play_round(self, position: HandPosition) -> None:
        """One deal is the whole game unless otherwise agreed (HAND-13); unused cards stay out (HAND-14)."""
        self.clear_table(position)
        position.round += 1
        position.happened(RoundStarted(position.round))
        position.next(shuffle("deck"), DEAL, LAP)

    def lap(self, position: HandPosition) -> None:
        """Everybody has a turn; the end is looked at only when all had equally many (HAND-8)."""
        if position.trick and self.why_over(position):
            position.next(SCORE_ROUND)
            return
        position.trick += 1
        position.happened(TrickStarted(position.trick))
        first = int(self.options[FIRST.key])  # GEN-10: the youngest, as the table says
        seats = [neighbour(first, self.players, steps) for steps in range(self.players)]
        position.next(*(step("turn", seat) for seat in seats), LAP)

    def resume(self, position: HandPosition) -> None:
        """Go on with a lap."""
        position.next(LAP)

    def why_over(self, position: HandPosition) -> str | None:
        """A hand is empty or a pile has more than twenty cards; or it has gone on too long (HAND-10)."""
        if not all(position.hands):
            return "somebody has no card left"
        if max(len(pile) for pile in position.piles) > self.pile_limit:
            return f"a bull pile holds more than {self.pile_limit} cards"
        return (
            "the agreed number of turns was played" if position.trick >= int(self.options[LAPS.key]) else None
        )

    def turn(self, position: HandPosition, seat: Seat) -> None:
        """At least one card must be played (HAND-5)."""
        position.next(step("first_played", seat))
        self.ask(position, "hand_turn", seat)

    def options_hand_turn(self, position: HandPosition, seat: Seat) -> tuple[Choice, ...]:
        """Any card of the hand."""
        return tuple(PLAY[card] for card in position.hands[seat])

    def first_played(self, position: HandPosition, seat: Seat) -> None:
        """The second card is announced before the first is placed, or chosen after it (HAND-2, HAND-7)."""
        self.lay(position, seat)
        offer = step("offer_second", seat)
        position.next(*self.in_agreed_order(offer))

    def in_agreed_order(self, offer: Step) -> tuple[Step, ...]:
        """Offer, then place; or place, then offer, then place."""
        if self.options[SECOND.key] == "committed":
            return (offer, PLACE_NEXT)
        return (PLACE_NEXT, offer, PLACE_NEXT)

    def offer_second(self, position: HandPosition, seat: Seat) -> None:
        """One more card may be played, in the owner's order, not the lowest first (HAND-6)."""
        position.next(step("second_played", seat))
        self.ask(position, "second_card", seat)

    def options_second_card(self, position: HandPosition, seat: Seat) -> tuple[Choice, ...]:
        """Any card left, or none."""
        return (PASS, *self.options_hand_turn(position, seat))

    def second_played(self, position: HandPosition, seat: Seat) -> None:
        """A second card joins the first."""
        if self.answer(position) != PASS:
            self.lay(position, seat)

    def lay(self, position: HandPosition, seat: Seat) -> None:
        """Lay the chosen card face up; it is no longer in hand (HAND-4)."""
        choice = self.answer(position)
        assert isinstance(choice, PlayCard)
        position.table.append(self.from_hand(position, seat, choice.card))
        position.happened(Laid(seat, choice.card))

    # Taking.

    def take(self, position: HandPosition, row: int, why: str) -> None:
        """The card restarts the row and the taker divides what lay there, low card or not (HAND-12)."""
        seat = position.table[0].seat
        position.taken = tuple(position.rows[row])
        position.happened(Took(seat, row, position.taken, self.bullheads(position.taken), why))
        position.rows[row] = []
        self.put(position, row)
        position.next(step("divided", seat))
        self.ask(position, "split_take", seat)

    def options_split_take(self, position: HandPosition, seat: Seat) -> tuple[Choice, ...]:
        """Any of the taken cards, as long as the hand holds at most sixteen then (HAND-3)."""
        room = self.hand_limit - len(position.hands[seat])
        cards = position.taken
        sizes = range(min(room, len(cards)) + 1)
        return tuple(Keep(kept) for kept in chain.from_iterable(combinations(cards, size) for size in sizes))

    def divided(self, position: HandPosition, seat: Seat) -> None:
        """Everybody saw the cards, so everybody knows what is in the hand now (HAND-11)."""
        choice = self.answer(position)
        assert isinstance(choice, Keep)
        to_pile = [card for card in position.taken if card not in choice.cards]
        position.hands[seat] = sorted([*position.hands[seat], *choice.cards])
        position.known[seat] += choice.cards
        position.piles[seat] += to_pile
        position.points[seat] += self.bullheads(to_pile)
        position.taken = ()
        position.happened(Kept(seat, choice.cards, tuple(to_pile)))

    # Scoring.

    def score_round(self, position: HandPosition) -> None:
        """Bullheads in the pile count once, in the hand twice (HAND-9)."""
        position.points = [
            self.worth(pile, hand) for pile, hand in zip(position.piles, position.hands, strict=True)
        ]
        super().score_round(position)

    def worth(self, pile: list[Card], hand: list[Card]) -> int:
        """What a pile and a hand cost."""
        return self.bullheads(pile) + 2 * self.bullheads(hand)

    def game_over(self, position: HandPosition) -> str | None:
        """There is only one deal, or as many as the target takes, or as were agreed on (HAND-13)."""
        one_deal = self.options[KIND.key] == "deal"
        return self.why_over(position) if one_deal else super().game_over(position)

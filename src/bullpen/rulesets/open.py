"""Open: cards are laid face up one after another, and everybody sees what came before."""

from typing import ClassVar

from bullpen.engine import (
    PLAY,
    YES_NO,
    Card,
    Choice,
    Furniture,
    Marker,
    Option,
    PlayCard,
    Position,
    Question,
    Seat,
    neighbour,
    step,
)
from bullpen.engine.events import Laid, MarkerMoved, Revealed, TrickStarted
from bullpen.rulesets.base import END, PILES, PLACE_NEXT, SCORE_ROUND, TRICK, Base

FIRST = Option(
    "open.firstSeat", 0, "The seat that holds the first-player card at the start.", least=0, seat=True
)
ACROSS = Option(
    "open.rotateAcrossRounds", True, "The first-player card keeps travelling at a new deal.", YES_NO
)


class OpenPosition(Position):
    """Who lays first."""

    first: Seat = 0


class Open(Base[OpenPosition]):
    """The 1 is the first-player marker; the others follow clockwise, each seeing what was laid."""

    id = "open"
    number = 6
    name = "Open"
    source = "Take 6! with eight variants (R6), variant 5"
    summary = "Cards are laid face up in turn; who lays first changes every trick."
    player_range = range(2, 10)  # OPEN-1: ten would need one card more than there is
    offers = (*END, PILES, FIRST, ACROSS)
    position_type = OpenPosition
    questions: ClassVar[dict[str, Question]] = {
        "choose_row": Base.questions["choose_row"],
        "open_play": Question("Lay a card from your hand face up.", does="lay", secret=True),
    }
    furniture = Furniture(
        markers=(Marker("first", "goes first", "first", at="seat", says="Lays the first card."),),
        in_turn=True,
    )

    def deck(self) -> list[Card]:
        """The 1 is never dealt (OPEN-4)."""
        return list(range(2, 105))

    def start(self, position: OpenPosition) -> None:
        """The oldest player holds the marker; the table says who that is (GEN-10)."""
        super().start(position)
        self.give_marker(position, int(self.options[FIRST.key]))

    def give_marker(self, position: OpenPosition, seat: Seat) -> None:
        """Hand the marker to a seat."""
        position.first = seat
        position.happened(MarkerMoved("first", seat))

    def deal(self, position: OpenPosition) -> None:
        """The marker stays where it has got to, unless agreed otherwise (OPEN-3)."""
        super().deal(position)
        if not self.options[ACROSS.key]:
            self.give_marker(position, int(self.options[FIRST.key]))

    def play_trick(self, position: OpenPosition) -> None:
        """From the marker clockwise everybody lays a card; then all are placed."""
        if self.round_over(position):
            position.next(SCORE_ROUND)
            return
        position.trick += 1
        position.happened(TrickStarted(position.trick))
        seats = [neighbour(position.first, self.players, steps) for steps in range(self.players)]
        position.next(
            *(step("lay", seat) for seat in seats), step("line_up"), PLACE_NEXT, step("pass_marker"), TRICK
        )

    def lay(self, position: OpenPosition, seat: Seat) -> None:
        """It is this seat's turn to lay a card."""
        position.next(step("laid", seat))
        self.ask(position, "open_play", seat)

    def options_open_play(self, position: OpenPosition, seat: Seat) -> tuple[Choice, ...]:
        """Any card of the hand."""
        return tuple(PLAY[card] for card in position.hands[seat])

    def laid(self, position: OpenPosition, seat: Seat) -> None:
        """The card lies face up and stays (OPEN-5)."""
        choice = self.answer(position)
        assert isinstance(choice, PlayCard)
        position.table.append(self.from_hand(position, seat, choice.card))
        position.happened(Laid(seat, choice.card))

    def line_up(self, position: OpenPosition) -> None:
        """Cards are placed by number, not by seat (OPEN-6)."""
        position.table.sort(key=self.order)
        position.happened(Revealed(tuple(position.table)))

    def pass_marker(self, position: OpenPosition) -> None:
        """After every trick the marker goes to the left-hand neighbour (OPEN-2)."""
        self.give_marker(position, neighbour(position.first, self.players))

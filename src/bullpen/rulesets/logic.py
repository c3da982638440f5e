"""Logic, also called Pro: the hands are drafted from an open display."""

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from msgspec import field

from bullpen.engine import (
    YES_NO,
    Card,
    Choice,
    Draft,
    Furniture,
    Holding,
    Marker,
    Option,
    OptionValue,
    Position,
    Question,
    Seat,
    Step,
    Zone,
    neighbour,
    shuffle,
    step,
)
from bullpen.engine.events import Drafted, MarkerMoved, RoundStarted, RowsStarted
from bullpen.rulesets.base import END, PILES, TRICK, Base
from bullpen.rulesets.tactics import ShortDeck

FIRST_PICKER = Option(
    "logic.firstPicker", 0, "The seat that drafts first, or random.", (*range(10), "random"), seat=True
)  # fmt: skip
MAX_PLAYERS = Option("logic.maxPlayers", 6, "Up to how many may play.", (6, 10))
ROTATE = Option("logic.rotate", True, "The first pick moves on one seat each round.", YES_NO)
SHOW_PICKS = Option("logic.showPicks", True, "Everybody may look up who picked what.", YES_NO)

DRAFT, DRAFTED = step("draft"), step("drafted")


class LogicPosition(Position):
    """The display, who picked what, and the seats in the order that chance gave them."""

    display: tuple[Card, ...] = ()
    picks: tuple[tuple[Seat, Card], ...] = ()
    picker: Seat = 0
    """The seat whose pick it is."""
    seats: list[Seat] = field(default_factory=list)

    def copy_lists(self) -> None:
        """Copy the seats too."""
        super().copy_lists()
        self.seats = self.seats[:]


L = TypeVar("L", bound=LogicPosition)


class Drafting(ShortDeck[L]):
    """Cards lie face up and are picked one by one; the four that nobody took start the rows."""

    position_type = LogicPosition
    zones: ClassVar[tuple[Zone, ...]] = (*Base.zones, Zone("display"))
    open_fields: ClassVar[frozenset[str]] = frozenset({"seats", "picks"})
    questions: ClassVar[dict[str, Question]] = {
        **Base.questions,
        "draft_pick": Question("Pick a card for your hand.", ("display",), "pick"),
    }
    furniture = Furniture(
        markers=(
            Marker("first", "picks next", "picker", at="seat", says="Picks the next card.", during="display"),
        ),
        holdings=(Holding("display", "Cards to pick from", "display"),),
    )

    def start(self, position: L) -> None:
        """The seats may be mixed to find the first picker (LOG-2)."""
        super().start(position)
        position.seats = list(range(self.players))
        if self.options[FIRST_PICKER.key] == "random":
            position.next(shuffle("seats"))

    def play_round(self, position: L) -> None:
        """Lay the whole deck out face up and draft from it (LOG-6: each round anew)."""
        self.clear_table(position)
        position.round += 1
        position.happened(RoundStarted(position.round))
        position.display, position.deck, position.picks = tuple(position.deck), [], ()
        position.picker = self.first_picker(position)
        position.happened(MarkerMoved("first", position.picker))
        position.next(DRAFT, *self.after_draft())

    def resume(self, position: L) -> None:
        """Go on with the draft as long as cards lie there."""
        super().resume(position)
        if position.display:
            position.agenda = []
            position.next(DRAFT, *self.after_draft())

    def after_draft(self) -> tuple[Step, ...]:
        """Ten tricks follow."""
        return (TRICK,)

    def first_picker(self, position: L) -> Seat:
        """Seat 0 (or as agreed) in the first round, then one seat further each round (LOG-2)."""
        first = self.options[FIRST_PICKER.key]
        seat = position.seats[0] if first == "random" else int(first)
        moves_on = self.options.get(ROTATE.key, False)
        return neighbour(seat, self.players, position.round - 1 if moves_on else 0)

    def draft(self, position: L) -> None:
        """Clockwise, one card each (LOG-3), until four are left: nobody may decline (LOG-8)."""
        if len(position.display) == self.row_count:
            self.start_from_display(position)
            return
        position.next(DRAFTED, DRAFT)
        self.ask(position, "draft_pick", position.picker)

    def options_draft_pick(self, position: L, seat: Seat) -> tuple[Choice, ...]:
        """Any card that still lies there."""
        return tuple(Draft(card) for card in position.display)

    def drafted(self, position: L) -> None:
        """The card goes to the hand before everybody's eyes (LOG-4)."""
        choice, seat = self.answer(position), position.picker
        assert isinstance(choice, Draft)
        position.display = tuple(card for card in position.display if card != choice.card)
        position.hands[seat] = sorted([*position.hands[seat], choice.card])
        position.known[seat].append(choice.card)
        position.picks = (*position.picks, (seat, choice.card))
        position.picker = neighbour(seat, self.players)
        position.happened(Drafted(seat, choice.card))

    def start_from_display(self, position: L) -> None:
        """The four cards left over start the rows, ascending from the top (LOG-5)."""
        position.rows = [[card] for card in sorted(position.display)]
        position.display = ()
        position.happened(RowsStarted(tuple(tuple(row) for row in position.rows)))


class Logic(Drafting[LogicPosition]):
    """The base game with drafted hands."""

    id = "logic"
    number = 3
    name = "Logic"
    # LOG-7: "Pro" is this game; "Professional" is another one.
    aliases = ("pro",)
    source = "Take 6! with eight variants (R6), variant 2; Pro in R30 and R25; variant 1 in R94"
    summary = "Hands are drafted card by card from an open display; the four cards left over start the rows."
    player_range = range(2, 7)
    offers = (*END, PILES, MAX_PLAYERS, FIRST_PICKER, ROTATE, SHOW_PICKS)

    @classmethod
    def player_counts(cls, options: Mapping[str, OptionValue]) -> range:
        """Two to six, or up to ten by agreement (LOG-1)."""
        return range(2, 11) if options.get(MAX_PLAYERS.key) == 10 else cls.player_range

    def hide(self, position: LogicPosition, seat: Seat | None) -> None:
        """Hands are hidden, the picks public, unless the table hides the history (LOG-4)."""
        super().hide(position, seat)
        if not self.options[SHOW_PICKS.key]:
            position.picks = ()
            position.known = [[] for _ in position.known]


__all__ = ["Drafting", "Logic", "LogicPosition"]

"""The eight special cards of Beat the Buffalo, and what lies on its table.

Each card says what it may be used on in a window and what it does then; rows are counted from 1 in targets.
"""

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from msgspec import field

from bullpen.engine import (
    PLAYED,
    ROW_CARDS,
    ROWS,
    WORDS,
    Aim,
    Card,
    Option,
    Played,
    Position,
    Seat,
    Step,
    step,
)
from bullpen.engine.events import MarkerMoved, Moved, Placed, Reordered, ReturnedToHand
from bullpen.rulesets import special_cards
from bullpen.rulesets.base import PLACE_NEXT
from bullpen.rulesets.special_cards import Targets

if TYPE_CHECKING:
    from bullpen.rulesets.buffalo import Buffalo

BUFFALO: Seat = -1
"""Stands for the buffalo wherever an event or a played card names a seat: it has none."""

TAKE_7, STOP = "take-7", "stop"

REPLACE_TIMING = Option(
    "buffalo.replaceTiming", "ownTurn", "Replace! when the member's card is next, or before any placement.",
    ("ownTurn", "anyWindow"),
)  # fmt: skip
SORT_TIMING = Option(
    "buffalo.sortTiming", "anyWindow", "Sort before any placement, or only before the first of a trick.",
    ("anyWindow", "beforeFirst"),
)  # fmt: skip


class BuffaloPosition(Position):
    """Two bull piles (the team's, the buffalo's), the buffalo's cards, and where each special card is."""

    herd: list[Card] = field(default_factory=list)
    """The buffalo's cards, face down, the next one first."""
    special_deck: list[str] = field(default_factory=list)
    box: list[str] = field(default_factory=list)
    """Special cards that are not in play."""
    face_up: list[str] = field(default_factory=list)
    markers: list[list[str]] = field(default_factory=list)
    """The special cards beside each row."""
    spent: list[str] = field(default_factory=list)
    must_fill: tuple[int, ...] = ()
    """Emptied rows, in the order in which cards must fill them."""
    firsts: tuple[Card, ...] = ()
    """Cards to be placed that First Card has put forward."""
    lasts: tuple[Card, ...] = ()
    """Cards to be placed that Last Card has put back."""
    placed: int = 0
    """How many cards of the trick have been placed."""
    placed_first: int = 0
    """How many of those First Card had put forward."""

    def copy_lists(self) -> None:
        """Copy the special cards and the buffalo's cards too."""
        super().copy_lists()
        self.herd = self.herd[:]
        self.special_deck = self.special_deck[:]
        self.box = self.box[:]
        self.face_up = self.face_up[:]
        self.markers = [names[:] for names in self.markers]
        self.spent = self.spent[:]

    @property
    def team_cards(self) -> list[Card]:
        """The team's cards that are still to be placed, the next one first."""
        return [played.card for played in self.table if played.seat != BUFFALO]

    def pull(self, card: Card) -> Played:
        """Take a card out of the order of placing."""
        (played,) = [played for played in self.table if played.card == card]
        self.table.remove(played)
        self.firsts = tuple(other for other in self.firsts if other != card)
        self.lasts = tuple(other for other in self.lasts if other != card)
        return played

    def reorder(self, played: Played, place: int) -> None:
        """Put a card that was pulled at another place of the order."""
        self.table.insert(place, played)
        self.happened(Reordered(tuple(self.table)))


class Special(special_cards.Special):
    """A special card: what it may be used on before a placement, and what happens then."""

    then: ClassVar[tuple[Step, ...]] = (PLACE_NEXT,)
    """What follows its use: another window, unless it has steps of its own."""

    @abstractmethod
    def targets(self, rules: "Buffalo", position: BuffaloPosition) -> list[Targets]:
        """Return everything it may be used on now."""

    @abstractmethod
    def use(self, rules: "Buffalo", position: BuffaloPosition, seat: Seat, targets: Targets) -> None:
        """Do what the card says; `seat` is the member who spoke for the team."""


class Marker(Special):
    """A card that lies beside a row: Take 7! lets it hold six cards, Stop! locks it."""

    stays = True
    aims = (Aim(ROWS),)

    def __init__(self, name: str, title: str, says: str) -> None:
        self.name, self.title, self.says = name, title, says

    def targets(self, rules: "Buffalo", position: BuffaloPosition) -> list[Targets]:
        """Any row that has no such card yet (BUF-11, BUF-21) and is not empty (BUF-18).

        A Take 7! may lie beside a locked row: it is no card of the row (BUF-8).
        """
        rows = enumerate(position.rows)
        return [(row + 1,) for row, cards in rows if cards and self.name not in position.markers[row]]

    def use(self, rules: "Buffalo", position: BuffaloPosition, seat: Seat, targets: Targets) -> None:
        """Lay it beside the row."""
        (row,) = targets
        position.markers[row - 1].append(self.name)
        position.happened(MarkerMoved(self.name, row - 1))


class Replace(Special):
    """A member takes the played card back and places another one from the hand at once."""

    name, title = "replace", "Replace"
    says = "A member takes the played card back and another one from the same hand is placed at once."
    aims = (Aim(PLAYED),)
    then = ()

    def targets(self, rules: "Buffalo", position: BuffaloPosition) -> list[Targets]:
        """A team card that is next (BUF-23: or any, if agreed) and whose owner has another (BUF-24)."""
        any_window = rules.options[REPLACE_TIMING.key] == "anyWindow"
        plays = position.table if any_window else position.table[:1]
        return [(played.card,) for played in plays if played.seat != BUFFALO and position.hands[played.seat]]

    def use(self, rules: "Buffalo", position: BuffaloPosition, seat: Seat, targets: Targets) -> None:
        """Everybody sees which card goes back; which one comes is the owner's own business (BUF-1)."""
        (card,) = targets
        forward = card in position.firsts
        owner = position.pull(card).seat
        position.hands[owner] = sorted([*position.hands[owner], card])
        position.known[owner].append(card)
        position.happened(ReturnedToHand(owner, (card,)))
        position.next(step("replaced", owner, int(forward)))
        rules.ask(position, "replace_card", owner, about=(card,))


class Insert(Special):
    """A team card goes between two cards of a row or to its start instead of to an end."""

    name, title = "insert", "Insert"
    says = "A team card goes in between the cards of a row, where it keeps the order."
    aims = (Aim(ROWS),)

    def targets(self, rules: "Buffalo", position: BuffaloPosition) -> list[Targets]:
        """For the team card that is next (BUF-14): any open row with a higher end (BUF-12)."""
        # BUF-18: a row that waits to be filled comes first.
        if not position.table or position.table[0].seat == BUFFALO or position.must_fill:
            return []
        played = position.table[0]
        rows = rules.open_rows(position)
        return [(row + 1,) for row in rows if played.card < position.rows[row][-1]]

    def use(self, rules: "Buffalo", position: BuffaloPosition, seat: Seat, targets: Targets) -> None:
        """Put it in its ascending place; if the row was full, it is taken with the card."""
        row = targets[0] - 1
        played = rules.leave_table(position)
        place = rules.fit_in(position, row, played.card)
        position.happened(Placed(played.seat, played.card, row, place))
        rules.take_overflow(position, row, played.seat, self.name)


class Push(Special):
    """A card that lies in a row goes to another row, wherever it keeps the order ascending."""

    name, title = "push", "Push"
    says = "A card that lies in a row moves to another row, where it keeps the order."
    aims = (Aim(ROW_CARDS), Aim(ROWS))

    def targets(self, rules: "Buffalo", position: BuffaloPosition) -> list[Targets]:
        """Any card of an open row, to another open row (BUF-20) that is not empty (BUF-18).

        The buffalo's card may be the one that is placed next (BUF-15).
        """
        rows = [row for row in rules.open_rows(position) if position.rows[row]]
        # BUF-17: an emptied row needs a card, of this trick or the next (BUF-2), so one must be left.
        may_empty = len(position.must_fill) < rules.cards_to_place(position)
        return [
            (card, row + 1)
            for source in rows
            if may_empty or len(position.rows[source]) > 1
            for card in position.rows[source]
            for row in rows
            if row != source
        ]

    def use(self, rules: "Buffalo", position: BuffaloPosition, seat: Seat, targets: Targets) -> None:
        """Move the card; a row that was full is taken by the team."""
        card, row = targets[0], targets[1] - 1
        source = next(index for index, cards in enumerate(position.rows) if card in cards)
        position.rows[source].remove(card)
        place = rules.fit_in(position, row, card)
        position.happened(Moved(seat, card, source, row, place))
        rules.take_overflow(position, row, seat, self.name)
        if not position.rows[source]:
            # BUF-19: rows are filled in the order in which they were emptied.
            position.must_fill = (*position.must_fill, source)


class FirstCard(Special):
    """A team card is placed first, whatever its number."""

    name, title = "first-card", "First card"
    says = "A team card is placed before all others, whatever its number."
    aims = (Aim(PLAYED),)

    def targets(self, rules: "Buffalo", position: BuffaloPosition) -> list[Targets]:
        """Any team card, as long as nothing or only First Cards have been placed in this trick."""
        if position.placed > position.placed_first:
            # BUF-26: too late, a card was placed in its normal turn.
            return []
        return [(card,) for card in position.team_cards]

    def use(self, rules: "Buffalo", position: BuffaloPosition, seat: Seat, targets: Targets) -> None:
        """Two of them are placed in the order in which they were used (BUF-27)."""
        (card,) = targets
        played = position.pull(card)
        place = len(position.firsts)
        position.firsts = (*position.firsts, card)
        position.reorder(played, place)


class LastCard(Special):
    """A team card is placed last, whatever its number."""

    name, title = "last-card", "Last card"
    says = "A team card is placed after all others, whatever its number."
    aims = (Aim(PLAYED), Aim(WORDS, "behind the other one"))

    def targets(self, rules: "Buffalo", position: BuffaloPosition) -> list[Targets]:
        """Any team card that is not placed yet (BUF-28); `1` after it puts it behind an earlier Last Card."""
        cards = position.team_cards
        behind = [(card, 1) for card in cards if any(other != card for other in position.lasts)]
        return [*((card,) for card in cards), *behind]

    def use(self, rules: "Buffalo", position: BuffaloPosition, seat: Seat, targets: Targets) -> None:
        """The second one comes before the first one, unless the team wants it the other way (BUF-28)."""
        played = position.pull(targets[0])
        place = len(position.table) - (len(position.lasts) if len(targets) == 1 else 0)
        position.lasts = (*position.lasts, played.card)
        position.reorder(played, place)


class Sort(Special):
    """The team decides the order of all cards that are still to be placed, the buffalo's included."""

    name, title = "sort", "Sort"
    says = "The team decides the order of all cards that are left, the buffalo's too."

    def targets(self, rules: "Buffalo", position: BuffaloPosition) -> list[Targets]:
        """In any window, or only before the first placement of the trick if agreed (BUF-29)."""
        too_late = position.placed and rules.options[SORT_TIMING.key] == "beforeFirst"
        return [] if too_late or not rules.in_order(position) else [()]

    def use(self, rules: "Buffalo", position: BuffaloPosition, seat: Seat, targets: Targets) -> None:
        """What First Card and Last Card did before is forgotten (BUF-29); then pick card after card."""
        position.firsts = position.lasts = ()
        position.next(step("sort_from", 0))


SPECIALS: dict[str, Special] = {
    card.name: card
    for card in (
        Marker(TAKE_7, "Take 7", "A row holds six cards, and the seventh takes it."),
        Marker(STOP, "Stop", "A row is closed until the team lifts the Stop."),
        Replace(), Insert(), Push(), FirstCard(), LastCard(), Sort(),
    )
}  # fmt: skip
"""Every special card by its name, in the order of the rulebook."""

"""The seven special cards of the Anniversary game, and what lies on its table.

A card has two windows, in this order: before its owner's number card is placed (`targets` lists what it may
be used on, `use` does it), and when that number card takes a row (`on_take`). Targets count rows from 1.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec import field

from bullpen.engine import (
    HAND,
    HEADS,
    ROW_CARDS,
    ROWS,
    Aim,
    Card,
    Event,
    Option,
    Played,
    Position,
    Seat,
    step,
)
from bullpen.engine.events import Laid, Moved, Placed, ReturnedToHand
from bullpen.rulesets import special_cards
from bullpen.rulesets.special_cards import Targets

if TYPE_CHECKING:
    from bullpen.rulesets.anniversary import Anniversary

SEVEN_ROW = Option(
    "anniv.sevenRow", "any", "7 nimmt! at any open row, or only at the row that the played card goes to.",
    ("any", "own"),
)  # fmt: skip
FIFTH_ROW = Option(
    "anniv.fifthRow", "any", "5th Row at any time, or only by somebody who would have to take a row.",
    ("any", "insteadOfTake"),
)  # fmt: skip
SHIFT_INTO_FULL = Option(
    "anniv.shiftIntoFull", "take", "Whoever shifts a card into a full row takes it, or may not do so.",
    ("take", "forbidden"),
)  # fmt: skip
NEG_POS = Option(
    "anniv.negPos", "cards", "Negative = Positive cancels whole cards, or is subtracted from the points.",
    ("cards", "plain"),
)  # fmt: skip

CANCELLED = Option(
    "anniv.cancelled", "largest",
    "Negative = Positive cancels as many bullheads as it can, or its owner picks the cards.",
    ("largest", "chosen"),
)  # fmt: skip

PLACE = step("place_card")


class Cancelled(Event, frozen=True):
    """A turned card, and the cards that it cancels, left a bull pile; so much less is charged."""

    says: ClassVar[str] = "{who}'s {turned} counts for, not against: {cards} are put away, {bullheads} less."
    seat: Seat
    turned: Card
    cards: tuple[Card, ...]
    bullheads: int


class AnniversaryPosition(Position):
    """Where each special card is, and which one belongs to the card being placed."""

    specials: list[list[str]] = field(default_factory=list)
    """The special cards of each hand."""
    special_deck: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    markers: list[list[str]] = field(default_factory=list)
    """The special cards that lie at each row."""
    using: str = ""
    """The special card that was used with the card being placed."""
    cancelling: tuple[Card, ...] = ()
    """The card that is being turned, and what its owner has picked to be cancelled by it."""
    cancellable: tuple[Card, ...] = ()
    """The cards that may still be picked."""
    sunk: tuple[str, ...] = ()
    """Special cards that everybody saw going into the deck at its latest shuffle and has not seen since."""
    drew: tuple[int, ...] = ()
    """How many special cards each seat has drawn since that shuffle."""

    def copy_lists(self) -> None:
        """Copy the special cards too."""
        super().copy_lists()
        self.specials = [names[:] for names in self.specials]
        self.special_deck = self.special_deck[:]
        self.discards = self.discards[:]
        self.markers = [names[:] for names in self.markers]


class Special(special_cards.Special):
    """A special card; one object serves all four copies, and one that does not stay is discarded at once."""

    def targets(self, rules: "Anniversary", position: AnniversaryPosition, played: Played) -> list[Targets]:
        """Return everything it may be used on before that card is placed."""
        raise NotImplementedError

    def use(self, rules: "Anniversary", position: AnniversaryPosition, targets: Targets) -> None:
        """Do what the card says; the number card is placed by it or afterwards."""
        raise NotImplementedError

    def on_take(self, rules: "Anniversary", position: AnniversaryPosition, row: int, why: str) -> None:
        """Have a say when the card being placed takes a row; most have none."""
        rules.complete_take(position, row, why)


class FifthRow(Special):
    """The played card starts a fifth row."""

    name, title = "fifth-row", "5th row"
    says = "Your card starts a fifth row; the row that is taken next disappears."
    stays = True

    def targets(self, rules: "Anniversary", position: AnniversaryPosition, played: Played) -> list[Targets]:
        """With four rows at any time, needed or not (ANN-2), unless agreed otherwise; never with five."""
        if rules.has_fifth_row(position):
            return []
        only_if_needed = rules.options[FIFTH_ROW.key] == "insteadOfTake"
        return [()] if not only_if_needed or rules.would_take(position, played) else []

    def use(self, rules: "Anniversary", position: AnniversaryPosition, targets: Targets) -> None:
        """The special card lies beside its row until there are four again."""
        position.rows.append([])
        position.markers.append([])
        rules.lay_at(position, rules.row_count, self.name)
        rules.put(position, rules.row_count)


class Seven(Special):
    """7 nimmt!: a row holds six cards, and the seventh takes the six."""

    name, title = "seven", "7th card"
    says = "A row holds six cards, and the seventh takes it."
    aims = (Aim(ROWS),)
    stays = True

    def targets(self, rules: "Anniversary", position: AnniversaryPosition, played: Played) -> list[Targets]:
        """Any open row, also a short one (ANN-6), that has none yet (ANN-7)."""
        rows = rules.open_rows(position)
        if rules.options[SEVEN_ROW.key] == "own":
            # ANN-6: by agreement only where the card goes, and a low card goes nowhere.
            rows = [row for row in rows if row == rules.row_for(position, played.value)]
        return [(row + 1,) for row in rows if self.name not in position.markers[row]]

    def use(self, rules: "Anniversary", position: AnniversaryPosition, targets: Targets) -> None:
        """Lay it at the seventh place; the card is then placed as ever, so a low one still takes (ANN-29)."""
        rules.lay_at(position, targets[0] - 1, self.name)
        position.next(PLACE)


class Insert(Special):
    """The played card goes between two cards of a row or to its start instead of to an end."""

    name, title = "insert", "Insert"
    says = "Your card goes in between the cards of a row, where it keeps the order."
    aims = (Aim(ROWS),)

    def targets(self, rules: "Anniversary", position: AnniversaryPosition, played: Played) -> list[Targets]:
        """Any open row with a higher end: never at the end, never in a stopped row (ANN-10)."""
        rows = rules.open_rows(position)
        return [(row + 1,) for row in rows if played.card < position.rows[row][-1]]

    def use(self, rules: "Anniversary", position: AnniversaryPosition, targets: Targets) -> None:
        """Put it in its ascending place; a full row, of six with 7 nimmt! (ANN-10), has to be taken."""
        row = targets[0] - 1
        played = position.table.pop(0)
        overflows = rules.is_full(position, row)
        place = rules.fit_in(position, row, played.card)
        position.happened(Placed(played.seat, played.card, row, place))
        if overflows:
            # ANN-9: all but the last card, the inserted one included.
            rules.clear_row(position, played.seat, row, self.name)


class Replace(Special):
    """The played card goes back to the hand, and another one is placed in its turn."""

    name, title = "replace", "Replace"
    says = "Your card goes back to your hand, and another one is placed in its turn."
    aims = (Aim(HAND),)

    def targets(self, rules: "Anniversary", position: AnniversaryPosition, played: Played) -> list[Targets]:
        """Any other card of the hand; without one it cannot be used (ANN-19)."""
        return [(card,) for card in position.hands[played.seat]]

    def use(self, rules: "Anniversary", position: AnniversaryPosition, targets: Targets) -> None:
        """The new card is placed at once, with no further special card; nobody's turn changes (ANN-19)."""
        old = position.table[0]
        new = rules.from_hand(position, old.seat, targets[0])
        position.table[0] = new
        position.hands[old.seat] = sorted([*position.hands[old.seat], old.card])
        # Everybody has seen the old card, so everybody knows where it is.
        position.known[old.seat].append(old.card)
        position.happened(ReturnedToHand(old.seat, (old.card,)))
        position.happened(Laid(new.seat, new.card))
        position.next(PLACE)


class Shift(Special):
    """A card that lies in a row goes to another row; then the played card is placed."""

    name, title = "shift", "Shift"
    says = "A card that lies in a row moves to another row; then your card is placed."
    aims = (Aim(ROW_CARDS), Aim(ROWS))

    def targets(self, rules: "Anniversary", position: AnniversaryPosition, played: Played) -> list[Targets]:
        """Any card of an open row to any other open row, 7 nimmt! or not (ANN-15).

        A full row may be entered at a price, unless agreed otherwise (ANN-16).
        """
        sources = rules.open_rows(position)
        may_overflow = rules.options[SHIFT_INTO_FULL.key] == "take"
        goals = [row for row in sources if may_overflow or not rules.is_full(position, row)]
        return [
            (card, goal + 1)
            for source in sources
            for card in position.rows[source]
            for goal in goals
            if goal != source
        ]

    def use(self, rules: "Anniversary", position: AnniversaryPosition, targets: Targets) -> None:
        """Move the card to its ascending place: start, middle or end (ANN-15)."""
        card, row, seat = targets[0], targets[1] - 1, position.table[0].seat
        source = next(index for index, cards in enumerate(position.rows) if card in cards)
        overflows = rules.is_full(position, row)
        position.rows[source].remove(card)
        place = rules.fit_in(position, row, card)
        position.happened(Moved(seat, card, source, row, place))
        emptied = not position.rows[source]
        if not emptied:
            position.next(PLACE)
        if overflows:
            # ANN-16: whoever shifts takes all but the last card, and only then places the card played.
            # ANN-18: of five rows this one disappears, but the card played does not go along.
            rules.clear_row(position, seat, row, self.name)
        if emptied:
            # ANN-17: the played card must start the row, a fifth one too; nothing is taken for that.
            rules.put(position, position.rows.index([]))


class Stop(Special):
    """A row is blocked: nothing is added, removed or taken, until anybody takes a row."""

    name, title = "stop", "Stop"
    says = "A row is closed until anybody takes a row."
    aims = (Aim(ROWS),)
    stays = True
    limit: ClassVar[int] = 2

    def targets(self, rules: "Anniversary", position: AnniversaryPosition, played: Played) -> list[Targets]:
        """Any row that is not stopped, the fifth included; a third Stop cannot be used (ANN-11)."""
        rows = rules.open_rows(position)
        stops = len(position.rows) - len(rows)
        return [(row + 1,) for row in rows] if stops < self.limit else []

    def use(self, rules: "Anniversary", position: AnniversaryPosition, targets: Targets) -> None:
        """Then the card is placed, even if it has now become too low for every open row (ANN-13)."""
        rules.lay_at(position, targets[0] - 1, self.name)
        position.next(PLACE)


class NegativePositive(Special):
    """The bullheads of one card of a row that is taken cancel those of others."""

    name, title = "negative-positive", "Minus is plus"
    says = "One card of the row you take cancels others."
    aims = (Aim(ROW_CARDS),)

    def targets(self, rules: "Anniversary", position: AnniversaryPosition, played: Played) -> list[Targets]:
        """Only with a card that is about to take a row; no other special card goes with it (ANN-1)."""
        return [()] if rules.would_take(position, played) else []

    def use(self, rules: "Anniversary", position: AnniversaryPosition, targets: Targets) -> None:
        """Nothing happens before the take."""
        position.next(PLACE)

    def on_take(self, rules: "Anniversary", position: AnniversaryPosition, row: int, why: str) -> None:
        """Once the row is settled, its taker names the card to be turned."""
        position.next(step("turn_card", row, why))
        rules.ask(position, "np_card", position.table[0].seat, about=(row + 1,))


def cancelled_by(turned: Card, others: list[Card], printed: Sequence[int] = HEADS) -> tuple[Card, ...]:
    """Return the cards that a turned card cancels: together as many bullheads as possible, at most its own.

    Among equal sets it is one of the fewest cards, so that small ones are left for another time, and then
    the one whose cards come first in the list (ANN-20 leaves this open: the points are the same).

    >>> cancelled_by(11, [3, 5, 13, 17])
    (3, 5, 13, 17)
    >>> cancelled_by(11, [13, 20, 31, 48])
    (13, 20, 31)
    >>> cancelled_by(10, [55, 22, 15])
    (15,)
    """
    return cancelled_within(printed[turned], others, printed)


def cancelled_within(power: int, others: list[Card], printed: Sequence[int] = HEADS) -> tuple[Card, ...]:
    """Return the cards that so many bullheads cancel."""
    best: dict[int, tuple[Card, ...]] = {0: ()}
    for card in others:
        for heads, cards in list(best.items()):
            total = heads + printed[card]
            if total <= power and (total not in best or len(cards) + 1 < len(best[total])):
                best[total] = (*cards, card)
    return best[max(best)]


SPECIALS: dict[str, Special] = {
    card.name: card
    for card in (FifthRow(), Seven(), Insert(), Replace(), Shift(), Stop(), NegativePositive())
}
"""Every special card by its name, in the order of the rulebook."""

NO_SPECIAL = Special()
"""Stands for the special card of a placement that has none."""

"""Events: what happened, in order, with all that is needed to show it without knowing a rule."""

from typing import ClassVar

from msgspec import Struct

from bullpen.engine.cards import FACE_DOWN, FACE_DOWN_NAME, Card, Seat
from bullpen.engine.result import Result


class Event(Struct, frozen=True, tag=True, gc=False):
    """A fact; unless a subclass says otherwise, everybody may know it."""

    says: ClassVar[str] = ""
    """The fact as an English sentence, with the fields in braces ({who} for the seat's name)."""

    def seen_by(self, seat: Seat | None) -> "Event | None":
        """Return the event as that seat (None: a spectator) may know it, or None if it may not."""
        return self


class Played(Struct, frozen=True, gc=False):
    """A revealed card, its owner, and the value it is placed by (its number, unless flipped)."""

    card: Card
    seat: Seat
    value: int


class RoundStarted(Event, frozen=True):
    """A new deal begins."""

    says: ClassVar[str] = "Round {round}."
    round: int


class Dealt(Event, frozen=True):
    """A seat received cards; the others learn only how many."""

    says: ClassVar[str] = "{who} gets {cards}."
    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, seat: Seat | None) -> "Event | None":
        """Turn the cards face down for everybody else."""
        return self if seat == self.seat else Dealt(self.seat, (FACE_DOWN,) * len(self.cards))


class RowsStarted(Event, frozen=True):
    """The start cards lie on the table, top row first (in some games two alike in one place)."""

    says: ClassVar[str] = "The rows start with {rows}."
    rows: tuple[tuple[Card, ...], ...]


class TrickStarted(Event, frozen=True):
    """A trick begins."""

    says: ClassVar[str] = "Trick {trick}."
    trick: int


class Committed(Event, frozen=True):
    """A seat has answered a secret ask; what it chose stays hidden."""

    seat: Seat


class TookBack(Event, frozen=True):
    """A seat has taken its hidden answer back."""

    says: ClassVar[str] = "{who} takes the card back."
    seat: Seat


class Chose(Event, frozen=True):
    """A seat has answered a public ask, or the engine did because there was only one option."""

    seat: Seat
    kind: str
    notation: str
    forced: bool = False


class ForcedSecretly(Event, frozen=True):
    """The engine made a hidden answer that had no alternative; only its owner learns of it."""

    seat: Seat
    kind: str
    notation: str

    def seen_by(self, seat: Seat | None) -> "Event | None":
        """Show it to the owner alone."""
        return self if seat == self.seat else None


class Drafted(Event, frozen=True):
    """A seat picked a card from the open display."""

    says: ClassVar[str] = "{who} picks {card}."
    seat: Seat
    card: Card


class Laid(Event, frozen=True):
    """A seat laid a card face up, to be placed later."""

    says: ClassVar[str] = "{who} lays {card}."
    seat: Seat
    card: Card


class Revealed(Event, frozen=True):
    """All hidden cards are turned up, in the order in which they will be placed."""

    plays: tuple[Played, ...]


class Placed(Event, frozen=True):
    """A card lies in a row; row and place are counted from 0."""

    says: ClassVar[str] = "{who}'s {card} goes to row {row}, place {place}."
    seat: Seat
    card: Card
    row: int
    place: int


class Took(Event, frozen=True):
    """A seat took a row; `why` is `full`, `low` or the name of what caused it."""

    says: ClassVar[str] = "{who} takes row {row}: {cards}, {bullheads} ({why})."
    seat: Seat
    row: int
    cards: tuple[Card, ...]
    bullheads: int
    why: str


class Shared(Event, frozen=True):
    """Two seats took a row together and are charged that much each."""

    says: ClassVar[str] = "{who} take row {row} together: {cards}, {charged} each ({why})."
    seats: tuple[Seat, ...]
    row: int
    cards: tuple[Card, ...]
    bullheads: int
    charged: int
    why: str


class Kept(Event, frozen=True):
    """A seat put some of the taken cards into its hand and the others on its bull pile."""

    says: ClassVar[str] = "{who} takes {to_hand} into the hand; to the pile: {to_pile}."
    seat: Seat
    to_hand: tuple[Card, ...]
    to_pile: tuple[Card, ...]


class MarkerMoved(Event, frozen=True):
    """A marker (a fan card, a first-player card) has a new place: a row, or a seat, and shows that side."""

    marker: str
    place: int
    side: str = ""


class Used(Event, frozen=True):
    """A special card took effect; targets are written as in the choice's notation."""

    seat: Seat
    special: str
    targets: tuple[int, ...] = ()


class SpecialsDrawn(Event, frozen=True):
    """A seat received special cards; the others learn only how many."""

    says: ClassVar[str] = "{who} draws {drawn}."
    seat: Seat
    names: tuple[str, ...]

    def seen_by(self, seat: Seat | None) -> "Event | None":
        """Turn the cards face down for everybody else."""
        return self if seat == self.seat else SpecialsDrawn(self.seat, (FACE_DOWN_NAME,) * len(self.names))


class SpecialsShown(Event, frozen=True):
    """These special cards lie face up for everybody now."""

    says: ClassVar[str] = "Face up: {drawn}."
    names: tuple[str, ...]


class SpecialsGone(Event, frozen=True):
    """These special cards left the table or a hand face up, for that reason."""

    says: ClassVar[str] = "Gone: {drawn} ({why})."
    names: tuple[str, ...]
    why: str


class Moved(Event, frozen=True):
    """A card that lay in a row went to a place of another row."""

    says: ClassVar[str] = "{card} moves from row {source} to row {row}, place {place}."
    seat: Seat
    card: Card
    source: int
    row: int
    place: int


class ReturnedToHand(Event, frozen=True):
    """Cards went back into a hand before everybody's eyes."""

    says: ClassVar[str] = "{who} takes {cards} back into the hand."
    seat: Seat
    cards: tuple[Card, ...]


class RowRemoved(Event, frozen=True):
    """A row no longer exists; the rows below it move up."""

    says: ClassVar[str] = "Row {row} is gone."
    row: int


class Scored(Event, frozen=True):
    """A seat's points changed at once."""

    says: ClassVar[str] = "{who} {change:+d} ({why}), now {total}."
    seat: Seat
    change: int
    total: int
    why: str


class MarkerGone(Event, frozen=True):
    """A special card that lay beside a row left it, for that reason."""

    says: ClassVar[str] = "The {marker} marker leaves row {row} ({why})."
    marker: str
    row: int
    why: str


class Reordered(Event, frozen=True):
    """The cards that are still to be placed lie in a new order."""

    says: ClassVar[str] = "The order is now {plays}."
    plays: tuple[Played, ...]


class SheetsPassed(Event, frozen=True):
    """The hands have moved on; `owners[seat]` is whose drafted hand that seat plays now."""

    says: ClassVar[str] = "The sheets go round to the left."
    owners: tuple[Seat, ...]


class RoundEnded(Event, frozen=True):
    """The points of a round are written down."""

    round: int
    points: tuple[int, ...]
    totals: tuple[int, ...]


class GameEnded(Event, frozen=True):
    """The game is over."""

    result: Result

"""Positions: a game as plain data, and the agenda of what is still to be done in it."""

import copy as _copy
from typing import NamedTuple, Self, TypeVar

from msgspec import Struct, field

from bullpen.engine.asks import Ask
from bullpen.engine.cards import Card, Seat
from bullpen.engine.choices import Choice
from bullpen.engine.events import Event, Played
from bullpen.engine.result import Result

P = TypeVar("P", bound="Position")


class Step(NamedTuple):
    """One thing to do next: the name of a ruleset's method and public arguments for it."""

    name: str
    args: tuple[int | str, ...] = ()


def shuffle(pile: str) -> Step:
    """Return the step at which chance mixes a pile of the position: the only randomness there is."""
    return Step("shuffle", (pile,))


class Trick(Struct, frozen=True, gc=False):
    """A trick that everybody has seen: the rows before it, and who played what."""

    rows: tuple[tuple[Card, ...], ...]
    plays: tuple[Played, ...]


class Position(Struct):
    """A game at one moment.

    A ruleset with state of its own subclasses this; fields of a subclass hold immutable values
    (ints, strings, tuples), or `copy_lists` is extended, so that `copy` stays right.
    """

    players: int
    rows: list[list[Card]] = field(default_factory=list)
    hands: list[list[Card]] = field(default_factory=list)
    piles: list[list[Card]] = field(default_factory=list)
    table: list[Played] = field(default_factory=list)
    """Revealed cards that are still to be placed, the next one first."""
    deck: list[Card] = field(default_factory=list)
    aside: list[Card] = field(default_factory=list)
    """Cards that have left the round face up."""
    known: list[list[Card]] = field(default_factory=list)
    """The cards of each hand that everybody has seen go there."""
    past: list[Trick] = field(default_factory=list)
    """The tricks of the running round that have been revealed, in games that play one card a trick."""
    points: list[int] = field(default_factory=list)
    """What the running round has cost each seat so far (BASE-11: derivable, so no secret)."""
    scores: list[int] = field(default_factory=list)
    score_sheet: list[tuple[int, ...]] = field(default_factory=list)
    round: int = 0
    trick: int = 0
    agenda: list[Step] = field(default_factory=list)
    """What is still to be done, the next step last."""
    asks: tuple[Ask, ...] = ()
    answers: dict[Seat, Choice] = field(default_factory=dict)
    news: list[Event] = field(default_factory=list)
    """What the latest choice brought about."""
    result: Result | None = None

    def copy(self) -> Self:
        """Return a position that shares nothing with this one that either could change."""
        twin = _copy.copy(self)
        twin.copy_lists()
        return twin

    def copy_lists(self) -> None:
        """Replace every list by one of its own."""
        self.rows = [row[:] for row in self.rows]
        self.hands = [hand[:] for hand in self.hands]
        self.piles = [pile[:] for pile in self.piles]
        self.known = [cards[:] for cards in self.known]
        self.table = self.table[:]
        self.deck = self.deck[:]
        self.aside = self.aside[:]
        self.past = self.past[:]
        self.points = self.points[:]
        self.scores = self.scores[:]
        self.score_sheet = self.score_sheet[:]
        self.agenda = self.agenda[:]
        self.answers = self.answers.copy()
        self.news = self.news[:]

    def next(self, *steps: Step) -> None:
        """Put these steps before all others on the agenda, to be done in this order."""
        self.agenda.extend(steps[::-1])

    def happened(self, event: Event) -> None:
        """Note a fact."""
        self.news.append(event)

    @property
    def open_asks(self) -> tuple[Ask, ...]:
        """The asks that nobody has answered yet."""
        if not self.answers:
            return self.asks
        return tuple([ask for ask in self.asks if self.answer_to(ask) is None])

    def answer_to(self, ask: Ask) -> Choice | None:
        """Return the answer given to an open ask, by whichever of its seats."""
        for seat in ask.seats:
            if seat in self.answers:
                return self.answers[seat]
        return None

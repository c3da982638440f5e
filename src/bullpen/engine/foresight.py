"""Foresight: what a seat can work out from its own view: where cards would go, which ones are unseen.

Everything here is done in a copy of a `View`, so it can tell nobody more than they see already.
"""

from collections import Counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bullpen.engine.asks import Ask
from bullpen.engine.cards import FACE_DOWN, Card, Seat
from bullpen.engine.choices import Choice, PlayCard, PlayPair
from bullpen.engine.events import Event, Moved, Placed, Scored, Shared, Took
from bullpen.engine.play import NO_ASKS
from bullpen.engine.position import P, Step
from bullpen.engine.ruleset import NUMBERS, Ruleset
from bullpen.engine.views import View

PLACE_NEXT = Step("place_next")
"""Where the turn of the next card on the table begins."""


class Foreseen(Struct, frozen=True, kw_only=True):
    """What would become of one card if it were placed, or moved, now.

    Without a row its owner would have to choose one, to take it if `takes` says so. `bullheads` is what
    would be taken; `points` is what a board would score at once.
    """

    card: Card
    row: int | None
    place: int = 0
    takes: bool = False
    bullheads: int = 0
    points: int | None = None

    def after(self, event: Event) -> "Foreseen":
        """Return what is foreseen when this comes of it as well."""
        if isinstance(event, Took):
            return replace(self, takes=True, bullheads=self.bullheads + event.bullheads)
        if isinstance(event, Shared):
            return replace(self, takes=True, bullheads=self.bullheads + event.charged)
        if isinstance(event, Scored):
            return replace(self, points=(self.points or 0) + event.change)
        return self


def preview(rules: Ruleset[Any], seen: View, choice: Choice) -> tuple[Foreseen, ...]:
    """Return what an answer of the viewer would do at once, card by card, as if nobody else did anything.

    Of two cards both are told, in the order in which they would be placed; of a special card what it makes
    of the card about to be placed. An answer that places nothing is told with nothing.
    """
    ask = seen.ask
    if ask is None or seen.seat is None or choice not in ask.options:
        return ()
    trial = seen.position.copy()
    trial.asks, trial.answers = NO_ASKS, {}
    if isinstance(choice, PlayCard | PlayPair):
        own = [played for played in trial.table if played.seat == seen.seat]
        trial.table = [*own, *rules.leave_hand(trial, seen.seat, choice)]
        trial.agenda, trial.news = [PLACE_NEXT], []
    else:
        trial.answers = {seen.seat: choice}
    return _carried_out(rules, trial, ask)


def _carried_out(rules: Ruleset[P], trial: P, ask: Ask) -> tuple[Foreseen, ...]:
    """Do step after step until somebody has to decide, chance would have to help, or others come in."""
    found: tuple[Foreseen, ...] = ()
    owner: Seat | None = None
    while trial.agenda and not trial.asks:
        step = trial.agenda.pop()
        if step == PLACE_NEXT:
            owner = next((event.seat for event in trial.news if isinstance(event, Placed)), owner)
            found += _told(rules, trial)
            trial.news = []
            if not trial.table or not _concerned(trial.table[0].seat, owner, ask):
                break
        if step.name == "shuffle":
            break
        getattr(rules, rules.alone.get(step.name, step.name))(trial, *step.args)
        trial.answers = {}
    return found + _told(rules, trial)


def _concerned(next_owner: Seat, owner: Seat | None, ask: Ask) -> bool:
    """Whether the next card belongs to whoever placed the last one, or else to somebody who is asked."""
    if owner is not None:
        return next_owner == owner
    # A team acts before whatever card is next, its opponent's too.
    return next_owner in ask.seats or len(ask.seats) > 1


def _told(rules: Ruleset[P], trial: P) -> tuple[Foreseen, ...]:
    """Read from what happened where cards went and what that brought."""
    told: list[Foreseen] = []
    before: list[Event] = []
    for event in trial.news:
        if isinstance(event, Placed) or (isinstance(event, Moved) and event.source != event.row):
            told.append(_foresee(event, before))
            before = []
        elif told and (not isinstance(event, Took) or event.row == told[-1].row):
            told[-1] = told[-1].after(event)
        else:
            before.append(event)
    return (*_finished(told, before), *_undecided(rules, trial))


def _foresee(event: Placed | Moved, before: list[Event]) -> Foreseen:
    """Return where a card goes, and what it took to get there."""
    found = Foreseen(card=event.card, row=event.row, place=event.place)
    for cause in before:
        found = found.after(cause)
    return found


def _finished(told: list[Foreseen], rest: list[Event]) -> list[Foreseen]:
    """Put what followed later, in other rows, to the last card; a take alone took its card along."""
    takes = [event for event in rest if isinstance(event, Took)]
    if takes and not told:
        told = [Foreseen(card=takes[0].cards[-1], row=takes[0].row)]
    for event in rest if told else ():
        told[-1] = told[-1].after(event)
    return told


def _undecided(rules: Ruleset[P], trial: P) -> tuple[Foreseen, ...]:
    """A card that waits for its owner to choose a row."""
    for ask in trial.asks[:1] if trial.table else ():
        does = rules.questions[ask.kind].does
        if does in ("take", "join"):
            return (Foreseen(card=trial.table[0].card, row=None, takes=does == "take"),)
    return ()


def unseen(rules: Ruleset[Any], seen: View) -> tuple[Card, ...]:
    """Return the number cards of the round that the viewer has not seen and could not name the place of."""
    position = seen.position
    known: Counter[Card] = Counter()
    for zone in rules.zones:
        if zone.family == NUMBERS and zone.field != "piles":
            known.update(card for card in zone.cards(position) if card != FACE_DOWN)
    for pile in seen.piles:
        known.update(card for card in pile if card != FACE_DOWN)
    for hand, cards in zip(position.hands, position.known, strict=False):
        if FACE_DOWN in hand:
            known.update(cards)
    return tuple(sorted((Counter(rules.universe(NUMBERS)) - known).elements()))

"""Looks: what a player may ask about the own view, when it is wanted: where a card would go, what is unseen.

Everything here is worked out from a `View`, so it can tell nobody more than they see already.
"""

from collections import Counter
from typing import Any

from bullpen.engine import FACE_DOWN, NUMBERS, Card, PlayCard, Played, Position, Ruleset, Seat, View, view
from bullpen.engine.events import Placed, Scored, Shared, Took
from bullpen.server.doors.http import Call
from bullpen.server.protocol import Goes, Looks

MOST_IN_A_ROW = 12
LEAVES_THE_VIEW = frozenset({"shuffle", "play_trick", "lap"})
"""Steps at which a card has been placed with all that follows, or that chance would have to help with."""
WINDOWS = frozenset({"open_window"})
"""Steps that only ask whether somebody wants to act first."""


async def look(call: Call[None]) -> Looks:
    """What the caller's view tells; before a game that is nothing."""
    room = await call.room()
    await call.settled(room)
    game = room.table.game
    if game is None:
        return Looks({}, (), None)
    seat = room.table.seat_of(call.who)
    return looks(game.rules, view(game.rules, game.position, seat))


def looks(rules: Ruleset[Any], seen: View) -> Looks:
    """Return everything that can be worked out from a view."""
    options = seen.ask.options if seen.ask is not None else ()
    goes = {
        option.notation: destination(rules, seen.position, seen.seat, option)
        for option in options
        if isinstance(option, PlayCard) and seen.seat is not None
    }
    return Looks(goes, unseen(rules, seen), limits(rules, seen.position))


def destination(rules: Any, shown: Position, seat: Seat | None, choice: PlayCard) -> Goes:
    """Return where a card would go if it were placed now, alone: the rules do so in a copy of the view."""
    trial = shown.copy()
    trial.asks, trial.answers, trial.agenda, trial.news = (), {}, [], []
    value = rules.flipped(choice.card) if choice.flipped else choice.card
    trial.table = [Played(choice.card, seat or 0, value)]
    # Where special cards may be used first, `place_card` is what happens without one.
    getattr(rules, "place_card", rules.place_next)(trial)
    while trial.agenda and not trial.asks:
        step = trial.agenda.pop()
        if step.name in LEAVES_THE_VIEW:
            break
        if step.name not in WINDOWS:
            getattr(rules, step.name)(trial, *step.args)
    return _told(trial)


def _told(trial: Position) -> Goes:
    """Read from what happened in a trial where the card went and what that brought."""
    placed = next((event for event in trial.news if isinstance(event, Placed)), None)
    heads = sum(event.bullheads for event in trial.news if isinstance(event, Took))
    heads += sum(event.charged for event in trial.news if isinstance(event, Shared))
    takes = any(isinstance(event, Took | Shared) for event in trial.news)
    points = [event.change for event in trial.news if isinstance(event, Scored)]
    return Goes(
        row=None if placed is None else placed.row,
        place=0 if placed is None else placed.place,
        takes=takes,
        bullheads=heads,
        points=sum(points) if points else None,
    )


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


def limits(rules: Any, shown: Position) -> tuple[int, ...] | None:
    """Return how many places each row has before the next card takes it; a board shows its spaces instead."""
    if hasattr(rules, "layout"):
        return None
    return tuple(_limit(rules, shown.copy(), row) for row in range(len(shown.rows)))


def _limit(rules: Any, trial: Position, row: int) -> int:
    for count in range(1, MOST_IN_A_ROW):
        trial.rows[row] = list(range(1, count + 1))
        if rules.is_full(trial, row):
            return count
    return MOST_IN_A_ROW

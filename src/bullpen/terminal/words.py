"""Events in plain English, one line each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from bullpen.engine import Event, Furniture, Played, Seat, events

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hugo", "Ida", "Jon")
"""What seats are called when nobody says otherwise."""


class Names(NamedTuple):
    """What people call the seats, the opponent of a team, and the special cards."""

    seats: Mapping[Seat, str]
    specials: Mapping[str, str] = {}


def called(names: Sequence[str], furniture: Furniture) -> Names:
    """Return what to call everybody who acts in a game.

    >>> from bullpen.engine import Team
    >>> called(("Ann",), Furniture(team=Team("Wolf", opponent_seat=-1))).seats
    {0: 'Ann', -1: 'Wolf'}
    """
    seats, team = dict(enumerate(names)), furniture.team
    if team is not None:
        seats[team.opponent_seat] = team.opponent
    return Names(seats, {special.name: special.title for special in furniture.specials})


REASONS = {"full": "the row is full", "low": "the card fits nowhere"}


def cards(numbers: Sequence[int | str]) -> str:
    """Return cards as a list, or how many there are when they lie face down."""
    shown = [str(card) for card in numbers]
    if not shown:
        return "nothing"
    if set(shown) <= {"0", "?"}:
        return "1 card" if len(shown) == 1 else f"{len(shown)} cards"
    return ", ".join(shown)


def heads(number: int) -> str:
    """Return a number of bullheads in words.

    >>> heads(1), heads(7)
    ('1 bullhead', '7 bullheads')
    """
    return f"{number} bullhead{'' if number == 1 else 's'}"


def name(names: Names, seat: Seat) -> str:
    """Return what a seat is called, in letters that can be printed."""
    # A name may come from a file that somebody else wrote.
    return "".join(letter if letter.isprintable() else "?" for letter in names.seats.get(seat, "?"))


def special(names: Names, known: str) -> str:
    """Return the title of a special card by its name in notation."""
    return names.specials.get(known, known)


QUIET = (events.Committed, events.Chose, events.ForcedSecretly)
"""Facts that the line after them tells better."""


def tell(event: Event, names: Names) -> str | None:
    """Return an event as a sentence, or None if it needs none.

    >>> tell(events.Placed(seat=0, card=45, row=3, place=1), Names({0: "Ann"}))
    "Ann's 45 goes to row 4, place 2."
    """
    if isinstance(event, QUIET):
        return None
    if event.says:
        return event.says.format(**_facts(event, names))
    telling = LONGER.get(type(event))
    return telling(event, names) if telling else None


def _facts(event: Event, names: Names) -> dict[str, Any]:
    """Return the event's fields as people say them: seats by name, rows and places from 1."""
    facts: dict[str, Any] = {field: getattr(event, field) for field in event.__struct_fields__}
    for field in {"row", "place", "source"} & facts.keys():
        facts[field] += 1
    for field in {"cards", "to_hand", "to_pile"} & facts.keys():
        facts[field] = cards(facts[field])
    for field in {"bullheads", "charged"} & facts.keys():
        facts[field] = heads(facts[field])
    seats = facts.get("seats", (facts["seat"],) if "seat" in facts else ())
    facts["who"] = " and ".join(name(names, seat) for seat in seats)
    facts["why"] = REASONS.get(facts.get("why", ""), facts.get("why"))
    facts["drawn"] = cards([special(names, each) for each in facts.get("names", ())])
    if "marker" in facts:
        facts["marker"] = special(names, facts["marker"])
    for field, value in facts.items():
        if isinstance(value, tuple):
            facts[field] = _list(value, names)
    return facts


def _list(values: tuple[Any, ...], names: Names) -> str:
    """Return the start cards of rows, or cards with their owners."""
    if values and isinstance(values[0], tuple):
        return " | ".join(cards(row) for row in values)
    if values and isinstance(values[0], Played):
        return ", ".join(f"{name(names, play.seat)} {play.card}" for play in values)
    return ", ".join(map(str, values))


def _revealed(event: events.Revealed, names: Names) -> str:
    plays = [
        f"{name(names, play.seat)} {play.card}{f' as {play.value}' if play.value != play.card else ''}"
        for play in event.plays
    ]
    return "The cards: " + ", ".join(plays) + "."


def _used(event: events.Used, names: Names) -> str:
    targets = f" ({', '.join(map(str, event.targets))})" if event.targets else ""
    return f"{name(names, event.seat)} uses {special(names, event.special)}{targets}."


def _marker_moved(event: events.MarkerMoved, names: Names) -> str:
    place = name(names, event.place) if event.marker == "first" else f"row {event.place + 1}"
    shows = f" and shows {event.side}" if event.side else ""
    return f"The {special(names, event.marker)} marker is at {place}{shows}."


def _round_ended(event: events.RoundEnded, names: Names) -> str:
    lines = [
        f"{name(names, seat)} +{points} = {total}"
        for seat, (points, total) in enumerate(zip(event.points, event.totals, strict=True))
    ]
    return f"Round {event.round} is over: " + ", ".join(lines) + "."


def _game_ended(event: events.GameEnded, names: Names) -> str:
    result = event.result
    if result.won is not None:
        outcome = "won" if result.won else "lost"
        return f"The game is {outcome}, {result.scores[0]} against {result.against}: {result.reason}."
    winners = " and ".join(name(names, seat) for seat in result.winners)
    return f"{winners} won ({result.reason})."


LONGER: dict[type[Event], Callable[[Any, Names], str]] = {
    events.Revealed: _revealed,
    events.Used: _used,
    events.MarkerMoved: _marker_moved,
    events.RoundEnded: _round_ended,
    events.GameEnded: _game_ended,
}

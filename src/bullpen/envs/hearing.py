"""What a player has been told, as numbers: every event that it may know, in order and without loss."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec.structs import astuple

from bullpen.engine import NUMBERS, Event, Ruleset
from bullpen.rulesets import own_games

FOREIGN = 0
"""Stands before the name of an event that no game of ours has."""
A_CARD, A_ROUND = 76, 120
"""Numbers that a round can take: for each card that is in play, and besides."""


def room_for(rules: Ruleset[Any]) -> int:
    """Return how many numbers are enough for all that is told in a round."""
    return A_CARD * len(rules.universe(NUMBERS)) + A_ROUND


def numbers_of(event: Event) -> tuple[int, ...]:
    """Return an event as numbers: its kind, then its parts; texts and lists follow their lengths.

    Different events have different numbers, and none begins with all the numbers of another.

    >>> from bullpen.engine.events import Dealt
    >>> numbers_of(Dealt(1, (7, 9)))[1:]
    (1, 2, 7, 9)
    """
    kind = _kinds().get(type(event))
    name = (kind,) if kind is not None else (FOREIGN, *_numbers(type(event).__name__))
    return (*name, *(number for part in astuple(event) for number in _numbers(part)))


@cache
def _kinds() -> dict[type[Event], int]:
    """Number the events of our own games by their names, from 1 on."""
    own_games()
    ours = [kind for kind in _descendants(Event) if kind.__module__.startswith("bullpen.")]
    return {kind: number + 1 for number, kind in enumerate(sorted(ours, key=lambda kind: kind.__name__))}


def _descendants(kind: type[Event]) -> list[type[Event]]:
    return [found for child in kind.__subclasses__() for found in (child, *_descendants(child))]


def _numbers(part: Any) -> Iterator[int]:
    """Give the numbers of a part of an event."""
    if part is None:
        yield from (0,)
    elif isinstance(part, (int, float)):
        yield int(part)
    elif isinstance(part, str):
        text = part.encode()
        yield from (len(text), *text)
    elif isinstance(part, tuple):
        yield len(part)
        for inner in part:
            yield from _numbers(inner)
    else:
        for inner in astuple(part):
            yield from _numbers(inner)

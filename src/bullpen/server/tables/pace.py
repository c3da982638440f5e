"""Pace: how long the animation of events should take, so that clocks can wait for it."""

from collections.abc import Iterable

from bullpen.engine import Event

MILLISECONDS = {
    "Dealt": 150,
    "RowsStarted": 400,
    "RoundEnded": 2500,
    "Revealed": 900,
    "Laid": 500,
    "Placed": 500,
    "Took": 900,
    "Shared": 900,
    "Kept": 500,
    "Moved": 600,
    "MarkerMoved": 300,
    "Used": 700,
    "Drafted": 250,
    "ReturnedToHand": 400,
    "RowRemoved": 400,
    "Scored": 400,
    "SheetsPassed": 600,
    "SpecialsDrawn": 250,
    "SpecialsShown": 400,
    "SpecialsGone": 300,
    "GameEnded": 1000,
}


def animation(events: Iterable[Event]) -> int:
    """Return the stated length of these events in milliseconds; facts with nothing to show take none."""
    return sum(MILLISECONDS.get(type(event).__name__, 0) for event in events)

"""Pace: how long the animation of events takes at normal speed, so that clocks can wait for it.

The browser reads the same table: `python -m bullpen.server.schema` writes it to `web/src/core/pace.json`.
"""

from collections.abc import Iterable

from bullpen.engine import Event
from bullpen.engine.events import RoundEnded, Shared, Took

MILLISECONDS = {
    "Dealt": 450,
    "RowsStarted": 450,
    "Revealed": 600,
    "Reordered": 400,
    "Laid": 340,
    "Placed": 340,
    "Kept": 500,
    "Moved": 600,
    "MarkerMoved": 500,
    "MarkerGone": 300,
    "Used": 700,
    "Drafted": 300,
    "ReturnedToHand": 400,
    "RowRemoved": 400,
    "Scored": 400,
    "SheetsPassed": 600,
    "SpecialsDrawn": 250,
    "SpecialsShown": 400,
    "SpecialsGone": 300,
    "LuckDrawn": 400,
    "Cancelled": 600,
    "GameEnded": 1600,
}
TOGETHER = ("Dealt", "SpecialsDrawn")
"""Events that are shown at once for all seats, however many follow each other."""

BEFORE = 580
"""Until the first card of a taken row leaves: the new one lands on the gate, a beat, the gate breaks."""
AFTER = 420
"""What comes after the last one has arrived: the sum stays a moment."""
GRADES = (
    {"from": 0, "run": 700, "step": 90},
    {"from": 8, "run": 800, "step": 110},
    {"from": 13, "run": 950, "step": 140},
)
"""How a herd of so many bullheads runs: how long each card takes, and how long after the one before."""
ROUND_END = {"first": 600, "seat": 350}
"""The end of a round, and what the counting of each seat's pile adds to it."""


def animation(events: Iterable[Event]) -> int:
    """Return the stated length of these events in milliseconds; facts with nothing to show take none.

    >>> from bullpen.engine.events import Dealt, Took
    >>> animation([Dealt(0, (3, 44)), Dealt(1, (5, 60))])
    450
    >>> animation([Took(0, 2, (5, 6, 7, 8, 9), 6, "full")]), animation([Took(0, 2, (55, 66), 12, "low")])
    (2060, 1910)
    """
    total, before = 0, ""
    for event in events:
        kind = type(event).__name__
        if kind not in TOGETHER or kind != before:
            total += _alone(event, kind)
        before = kind
    return total


def _alone(event: Event, kind: str) -> int:
    if isinstance(event, Took | Shared):
        grade = [grade for grade in GRADES if grade["from"] <= event.bullheads][-1]
        return BEFORE + grade["run"] + grade["step"] * max(0, len(event.cards) - 1) + AFTER
    if isinstance(event, RoundEnded):
        return ROUND_END["first"] + ROUND_END["seat"] * len(event.points)
    return MILLISECONDS.get(kind, 0)


def table() -> dict[str, object]:
    """Return the whole table as the browser reads it."""
    return {
        "milliseconds": MILLISECONDS,
        "together": TOGETHER,
        "before": BEFORE,
        "after": AFTER,
        "grades": GRADES,
        "roundEnd": ROUND_END,
    }

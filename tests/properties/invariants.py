"""The invariants of the rule catalogue, section 11, as functions of a position."""

from collections import Counter
from itertools import pairwise
from typing import Any

from bullpen.engine import Event, Position, Ruleset, bullheads
from bullpen.engine.events import Placed, Took

ASCENDING = {
    "base", "tactics", "logic", "tournament", "professional", "open", "nifty", "hand", "two-halves",
    "even-odd", "jumping-cow", "anniversary", "buffalo",
}  # fmt: skip
FIVE_AT_MOST = ASCENDING - {"anniversary", "buffalo"} | {"mountain", "flippin-digits"}
HEADS_OF_PILES = FIVE_AT_MOST
ONE_TAKE_A_PLACEMENT = FIVE_AT_MOST - {"jumping-cow"} | {"double"}


def check_position(rules: Ruleset[Any], position: Position) -> None:
    """Check everything that can be seen from a position alone."""
    conserved(rules, position)
    rows_in_shape(rules, position)
    asks_in_shape(position)
    if rules.id in HEADS_OF_PILES and position.result is None:
        assert position.points == [bullheads(*pile) for pile in position.piles]  # invariant 6
    if rules.id == "double":
        assert sum(position.points) >= sum(bullheads(*pile) for pile in [*position.piles, position.aside])


def conserved(rules: Ruleset[Any], position: Position) -> None:
    """Invariants 1 and 12: every card of every family is in exactly one place."""
    for family in {zone.family for zone in rules.zones}:
        places = Counter(
            card for zone in rules.zones if zone.family == family for card in zone.cards(position)
        )
        assert places == Counter(rules.universe(family)), family
    for hand, known in zip(position.hands, position.known, strict=True):
        assert not Counter(known) - Counter(hand)


def rows_in_shape(rules: Ruleset[Any], position: Position) -> None:
    """Invariants 2 and 3: lengths and order of rows between placements."""
    for row in position.rows:
        if rules.id in FIVE_AT_MOST:
            assert 1 <= len(row) <= 5 or not position.trick
        if rules.id in ASCENDING:
            assert all(left < right for left, right in pairwise(row))
        if rules.id == "double":
            assert all(left <= right for left, right in pairwise(row))
            assert len(set(row)) <= 5


def asks_in_shape(position: Position) -> None:
    """Open questions have a choice, belong to seats, and a seat has one at most; no ask is unwieldy."""
    asked = [seat for ask in position.asks for seat in ask.seats]
    assert len(asked) == len(set(asked))
    assert set(asked) <= set(range(position.players))
    for ask in position.open_asks:
        assert 2 - ask.patient <= len(ask.options) <= 500
        assert len(set(ask.options)) == len(ask.options)
        assert len({option.notation for option in ask.options}) == len(ask.options)
    # Invariant 4: a low card is the only reason to choose a row to take.
    assert bool(position.open_asks) == (position.result is None)


def check_events(rules: Ruleset[Any], events: tuple[Event, ...]) -> None:
    """Invariant 7: how many rows one placement can take."""
    takes = 0
    for event in events:
        if isinstance(event, Took):
            takes += 1
        elif isinstance(event, Placed):
            if rules.id in ONE_TAKE_A_PLACEMENT:
                assert takes <= 1
            takes = 0
        assert takes <= 3

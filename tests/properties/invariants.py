"""The invariants of the rule catalogue, section 11, as functions of a position."""

from itertools import pairwise
from typing import Any

from bullpen.engine import Event, Position, Ruleset, bullheads
from bullpen.engine.events import Placed, Took
from bullpen.game import Game
from bullpen.testing import positions

ASCENDING = {
    "base", "tactics", "logic", "tournament", "professional", "open", "nifty", "hand", "two-halves",
    "even-odd", "jumping-cow", "anniversary", "buffalo",
}  # fmt: skip
FIVE_AT_MOST = ASCENDING - {"anniversary", "buffalo"} | {"mountain", "flippin-digits"}
HEADS_OF_PILES = FIVE_AT_MOST
ONE_TAKE_A_PLACEMENT = FIVE_AT_MOST - {"jumping-cow"} | {"double"}


def check_game_so_far(game: Game) -> None:
    """Check the latest position and what led to it."""
    check_position(game.rules, game.position)
    check_events(game.rules, game.events)


def check_position(rules: Ruleset[Any], position: Position) -> None:
    """Check everything that can be seen from a position alone, beyond what every game must keep."""
    positions.check_position(rules, position)  # invariants 1, 4 and 12
    rows_in_shape(rules, position)
    if rules.id in HEADS_OF_PILES and position.result is None:
        assert position.points == [bullheads(*pile) for pile in position.piles]  # invariant 6
    if rules.id == "double":
        assert sum(position.points) >= sum(bullheads(*pile) for pile in [*position.piles, position.aside])


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

"""What a game counts, and how much of it a seat has: of the running round, so far or once it is over."""

from typing import Any, Literal, NamedTuple

from bullpen.analysis.shapes import Unit
from bullpen.engine import Position, Ruleset, Seat


class Measure(NamedTuple):
    """What is counted, and whether less or more of it is better."""

    unit: Unit
    better: Literal["less", "more"]

    @property
    def sign(self) -> int:
        """Times this, less is better."""
        return 1 if self.better == "less" else -1


def measure_of(rules: Ruleset[Any] | type[Ruleset[Any]]) -> Measure:
    """Return what a game counts; a team counts by how much its opponent is ahead of it."""
    scoring = rules.furniture.scoring
    if rules.furniture.team is not None:
        return Measure("margin", "less")
    return Measure(scoring.counts, scoring.better)


def so_far(rules: Ruleset[Any], position: Position) -> list[int]:
    """Return what the running round has brought every seat; an opponent's pile is not known, so 0 there."""
    unit = measure_of(rules).unit
    if unit == "margin":
        return [0] * rules.players
    return list(position.points if unit == "bullheads" else position.scores)


def round_is_over(position: Position, number: int) -> bool:
    """Whether a round has been scored."""
    return position.result is not None or len(position.score_sheet) >= number


def of_round(rules: Ruleset[Any], position: Position, number: int) -> list[int]:
    """Return what a finished round brought every seat."""
    result = position.result
    if measure_of(rules).unit == "margin" and result is not None and result.against is not None:
        return [score - result.against for score in result.scores]
    if len(position.score_sheet) >= number:
        return list(position.score_sheet[number - 1])
    return list(position.scores if result is None else result.scores)


def result_of(rules: Ruleset[Any], position: Position, seat: Seat) -> int:
    """Return what a seat has in the end, of what the game counts."""
    if measure_of(rules).unit == "margin":
        return of_round(rules, position, position.round)[seat]
    return position.scores[seat]

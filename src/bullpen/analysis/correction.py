"""What playouts are known to get wrong, as a fitted correction (`correction.json`).

Playouts deal the unseen cards as if every deal were equally likely. Towards the end of a round that is not
so: what others still hold are cards that they did not want to play. `benchmarks/analysis.py fit` measures
what comes of it, on other rounds than those that the figures are checked with.
"""

import json
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any, NamedTuple

from bullpen.engine import View
from bullpen.fast import COVERED

EARLY, MIDDLE = 8, 5
"""With so many cards in hand or more a round is in its early, or its middle part."""
SURE = 1e-4
"""Chances nearer to 0 or 1 than this are left as they are."""
ALONE = ("medium", "expert")
"""Tables at which all play alike that have a correction of their own; all others share one."""


class Correction(NamedTuple):
    """A straight line for means, one for the log odds of a take, and the level of intervals."""

    shift: float = 0.0
    slope: float = 1.0
    odds_shift: float = 0.0
    odds_slope: float = 1.0
    level: float = 0.90
    """The share of playouts that an interval must hold to hold 90 % of what really happens."""

    def mean(self, mean: float) -> float:
        """Return what is really to be expected."""
        return self.shift + self.slope * mean

    def end(self, value: float) -> float:
        """Return the end of an interval, a whole number as results are."""
        return float(round(self.mean(value)))

    def chance(self, chance: float) -> float:
        """Return how likely a take really is."""
        if not SURE < chance < 1 - SURE:
            return chance
        return 1 / (1 + exp(-self.odds_shift - self.odds_slope * log(chance / (1 - chance))))


def correction_for(view: View, plays: tuple[str, ...]) -> Correction:
    """Return the correction for a view whose seats play like that; none where nothing was fitted."""
    fitted = _fitted()
    counts = fitted.get(view.game) or (fitted.get("base", {}) if view.game in COVERED else {})
    if not counts:
        return Correction()
    nearest = min(counts, key=lambda count: (abs(int(count) - view.players), int(count)))
    tables = counts[nearest]
    parts = tables.get(table_of(plays)) or tables.get("mixed") or {}
    return Correction(*parts.get(part_of(view), ()))


def table_of(plays: tuple[str, ...]) -> str:
    """Return what kind of table it is: of `medium`, of `expert`, or mixed."""
    return plays[0] if set(plays) == {plays[0]} and plays[0] in ALONE else "mixed"


def part_of(view: View) -> str:
    """Return the part of the round: early, middle or late, or that a row is to be chosen."""
    if view.ask is not None and view.ask.kind != "commit":
        return "rows"
    left = len(view.hand)
    return "early" if left >= EARLY else "middle" if left >= MIDDLE else "late"


@cache
def _fitted() -> dict[str, Any]:
    fitted: dict[str, Any] = json.loads(files("bullpen.analysis").joinpath("correction.json").read_text())
    return fitted

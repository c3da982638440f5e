"""What playouts are known to get wrong, as a fitted correction (`correction.json`).

`benchmarks/analysis.py fit` writes the file, from other rounds than those that the figures are checked with.
"""

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from bullpen.engine import View


class Correction(NamedTuple):
    """A straight line for means, and one for the ends of intervals."""

    shift: float = 0.0
    slope: float = 1.0

    def mean(self, mean: float) -> float:
        """Return what is really to be expected."""
        return self.shift + self.slope * mean

    def end(self, value: float) -> float:
        """Return the end of an interval, a whole number as results are."""
        return float(round(self.shift + self.slope * value))

    def chance(self, chance: float) -> float:
        """Return how likely a take really is."""
        return chance


def correction_for(view: View, plays: tuple[str, ...]) -> Correction:
    """Return the correction for a view whose seats play like that; none where nothing was fitted."""
    seat = view.seat or 0
    others = {name for other, name in enumerate(plays) if other != seat}
    table = plays[seat] if others <= {plays[seat]} else "mixed"
    fitted = _fitted().get(f"{view.game}/{view.players}/{table}")
    return Correction() if fitted is None else Correction(*fitted)


@cache
def _fitted() -> dict[str, list[float]]:
    fitted: dict[str, list[float]] = json.loads(
        files("bullpen.analysis").joinpath("correction.json").read_text()
    )
    return fitted

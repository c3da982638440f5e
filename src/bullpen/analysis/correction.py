"""What playouts are known to get wrong, as a fitted correction (`correction.json`).

Playouts deal the unseen cards as if every deal were equally likely. Towards the end of a round that is not
so: what others still hold are cards that they did not want to play. And an `expert` can only be stood in
for. `benchmarks/analysis.py fit` measures what comes of that, on other rounds than those that the figures
are checked with.
"""

from functools import cache
from importlib.resources import files

import msgspec
import numpy as np
from msgspec import Struct

from bullpen.engine import View
from bullpen.fast.games import CODES

EARLY, MIDDLE = 8, 5
"""With so many cards in hand or more a round is in its early, or its middle part."""
ALONE = ("medium", "expert")
"""Tables at which all play alike that have a correction of their own; all others share one."""


class Correction(Struct, frozen=True):
    """A straight line for means, a rising one with bends for chances, and the level of intervals."""

    shift: float = 0.0
    slope: float = 1.0
    level: float = 0.90
    """The share of playouts that an interval must hold to hold 90 % of what really happens."""
    said: tuple[float, ...] = (0.0, 1.0)
    """Chances of taking as playouts say them, ascending."""
    came: tuple[float, ...] = (0.0, 1.0)
    """How often that happened."""

    def mean(self, mean: float) -> float:
        """Return what is really to be expected."""
        return self.shift + self.slope * mean

    def ends(self, low: float, high: float, mean: float) -> tuple[float, float]:
        """Return an interval moved as the mean is, but at one end only: what is possible stays so."""
        moved = self.mean(mean) - mean
        return float(round(low + min(0.0, moved))), float(round(high + max(0.0, moved)))

    def chance(self, chance: float) -> float:
        """Return how likely a take really is.

        >>> Correction(said=(0.0, 0.5, 1.0), came=(0.0, 0.4, 1.0)).chance(0.25)
        0.2
        """
        return float(np.interp(chance, self.said, self.came))


Fitted = dict[str, dict[str, dict[str, dict[str, Correction]]]]
"""By game, number of players, kind of table and part of the round."""


def correction_for(view: View, plays: tuple[str, ...]) -> Correction:
    """Return the correction for a view whose seats play like that; none where nothing was fitted."""
    asked = "" if view.ask is None else view.ask.kind
    return fitted_for(view.game, plays).get(part_of(asked, len(view.hand)), Correction())


def fitted_for(game: str, plays: tuple[str, ...]) -> dict[str, Correction]:
    """Return the corrections of all parts of a round: fitted to the game, or to base where it plays alike."""
    kind, players = table_of(plays), len(plays)
    parts = _nearest(game, kind, players)
    if not parts and game in CODES:
        parts = _nearest("base", kind, players) or _nearest("base", "mixed", players)
    return parts


def _nearest(game: str, table: str, players: int) -> dict[str, Correction]:
    """Return the correction of a kind of table for the nearest number of players, or nothing."""
    counts = {
        int(count): tables[table] for count, tables in _fitted().get(game, {}).items() if table in tables
    }
    return counts[min(counts, key=lambda count: (abs(count - players), count))] if counts else {}


def table_of(plays: tuple[str, ...]) -> str:
    """Return what kind of table it is: of `medium`, of `expert`, or mixed."""
    return plays[0] if set(plays) == {plays[0]} and plays[0] in ALONE else "mixed"


def part_of(kind: str, cards: int) -> str:
    """Return the part of the round: early, middle or late, or that something else than a card is asked.

    >>> part_of("commit", 10), part_of("commit", 3), part_of("choose_row", 3)
    ('early', 'late', 'rows')
    """
    if kind != "commit":
        return "rows"
    return "early" if cards >= EARLY else "middle" if cards >= MIDDLE else "late"


@cache
def _fitted() -> Fitted:
    text = files("bullpen.analysis").joinpath("correction.json").read_bytes()
    return msgspec.json.decode(text, type=Fitted)

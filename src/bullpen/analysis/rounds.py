"""What a round usually brings a seat: measured once at tables of `medium`, kept in `rounds.json`.

`benchmarks/analysis.py rounds` writes the file.
"""

import json
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

USUAL_SPREAD = 6.5
"""The standard deviation of a seat's bullheads in a round of the base game with four players."""


@cache
def quantiles(game: str, players: int) -> NDArray[np.float64]:
    """Return what a round brings a seat at even steps of chance, for the nearest number of players."""
    measured = json.loads(files("bullpen.analysis").joinpath("rounds.json").read_text())
    counts = measured.get(game) or measured["base"]
    nearest = min(counts, key=lambda count: (abs(int(count) - players), int(count)))
    return np.array(counts[nearest], np.float64)


def par(game: str, players: int) -> int:
    """Return what a round brings a seat on average, in thousandths.

    >>> 8_000 < par("base", 4) < 14_000
    True
    """
    return round(1000 * float(quantiles(game, players).mean()))


def scale(game: str, players: int) -> float:
    """Return how much more results spread in a game than in the base game: what counts as little there."""
    return max(0.5, float(quantiles(game, players).std()) / USUAL_SPREAD)

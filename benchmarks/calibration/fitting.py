"""The correction: fitted to rounds of one set of deals, to be checked with rounds of another.

Cells teach each other. Chances are corrected by a curve for each part of the round, fitted to all cells
together, from which that of a number of players departs, and from that a cell's own, as far as the rounds
give reason to; means by a line whose slope is shared by the tables of one number of players.
"""

import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from benchmarks.calibration.predicting import MOST, Cell
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression, minimize  # type: ignore[import-untyped]
from scipy.special import expit, logit  # type: ignore[import-untyped]

from bullpen.analysis.correction import Correction, part_of
from bullpen.analysis.figures import around, interval

PARTS = ("early", "middle", "late", "rows")
KNOTS = (-4.0, -2.5, -1.0, 0.5, 2.0)
"""Where a curve may bend, in log-odds of the chance that playouts say."""
COMMON, ALIKE, OWN = 2.0, 1.0, 0.35
"""How far the common curve may lie from no correction, that of a number of players from the common one, and a
cell's own from that: standard deviations."""
SURE = 0.004
"""Playouts cannot tell chances apart that are nearer than this to none, or to certainty."""
SAID = (0.0, 0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
"""Chances for which a curve is written down."""
TRUST = 100.0
"""How many decisions speak for a slope of 1."""
WANTED = 0.90
"""The share of results that intervals are to hold."""
LEVELS = (750, 990)
"""Between which shares of the playouts the level of intervals is looked for, in thousandths."""
FEWEST = 40
"""A part of fewer decisions is left as it is."""

Cells = Mapping[str, Cell]


def parts_of(cell: Cell) -> NDArray[np.str_]:
    """Return the part of the round that each decision is in."""
    return np.array(
        [
            part_of("row" if row else "commit", int(cards))
            for row, cards in zip(cell["row"], cell["cards"], strict=True)
        ]
    )


def basis(take: NDArray[Any]) -> NDArray[np.float64]:
    """Return what a curve is made of: log-odds, and how far they lie beyond each knot."""
    odds = logit(np.clip(take, SURE, 1 - SURE))
    return np.stack([np.ones_like(odds), odds, *(np.maximum(0.0, odds - knot) for knot in KNOTS)], axis=1)


def curve_through(
    take: NDArray[Any], took: NDArray[Any], near: NDArray[np.float64], spread: float
) -> NDArray[np.float64]:
    """Return the curve that makes takes likeliest, drawn towards another one."""
    inputs = basis(take)

    def surprise(curve: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = inputs @ curve
        off = (curve - near) / spread
        value = float(np.logaddexp(0.0, odds).sum() - (odds * took).sum() + 0.5 * (off**2).sum())
        return value, inputs.T @ (expit(odds) - took) + off / spread

    found: NDArray[np.float64] = minimize(surprise, near, jac=True, method="L-BFGS-B").x
    return found


def written(curve: NDArray[np.float64]) -> tuple[float, ...]:
    """Return a curve at the chances it is written down for; it never falls."""
    rising = isotonic_regression(expit(basis(np.array(SAID)) @ curve)).x
    return tuple(round(float(each), 4) for each in rising)


def chances(parts: Mapping[str, Cell]) -> dict[str, tuple[float, ...]]:
    """Return the corrected chances of every cell in one part of the round."""
    identity = np.array([0.0, 1.0, *(0.0 for _ in KNOTS)])
    common = curve_of(parts.values(), identity, COMMON)
    found = {}
    for name, part in parts.items():
        alike = curve_of(tables_like(name, parts).values(), common, ALIKE)
        found[name] = written(curve_of([part], alike, OWN))
    return found


def curve_of(parts: Iterable[Cell], near: NDArray[np.float64], spread: float) -> NDArray[np.float64]:
    """Return the curve through the takes of some cells together."""
    several = list(parts)
    take, took = (np.concatenate([part[field] for part in several]) for field in ("take", "took"))
    return curve_through(take, took, near, spread)


def slope_of(parts: Mapping[str, Cell]) -> float:
    """Return the slope of what came over what was predicted, within each of these cells."""
    together, spread, size = 0.0, 0.0, 0
    for part in parts.values():
        apart = part["mean"] - part["mean"].mean()
        together += float((apart * (part["came"] - part["came"].mean())).sum())
        spread += float((apart**2).sum())
        size += len(part)
    trust = spread * TRUST / size
    return (together + trust) / (spread + trust) if spread else 1.0


def ends_of(cell: Cell, place: int, correct: Correction) -> tuple[float, float]:
    """Return the interval that evaluate would tell of a decision."""
    share = cell.shares[place]
    (places,) = np.nonzero(share)
    times = share[places].astype(np.float64)
    values = around(places - MOST, times, float(cell["mean"][place]))
    return interval(values, times / times.sum(), int(cell["playouts"][place]), correct)


def covered(cell: Cell, correct: Correction) -> float:
    """Return the share of results within their intervals."""
    ends = [ends_of(cell, place, correct) for place in range(len(cell))]
    return statistics.fmean(low <= came <= high for (low, high), came in zip(ends, cell["came"], strict=True))


def level_of(cell: Cell, line: Correction) -> Correction:
    """Return the correction with the level at which intervals hold nearest to 90 %: the higher, the more."""
    low, high = LEVELS
    while high - low > 1:
        middle = (low + high) // 2
        if covered(cell, replace(line, level=middle / 1000)) < WANTED:
            low = middle
        else:
            high = middle
    tried = [replace(line, level=level / 1000) for level in (low, high)]
    return min(tried, key=lambda each: abs(covered(cell, each) - WANTED))


def corrections(cells: Cells) -> dict[str, dict[str, Correction]]:
    """Return the corrections of all parts of a round, for every cell."""
    found: dict[str, dict[str, Correction]] = {name: {} for name in cells}
    for part in PARTS:
        own = {name: cell.where(parts_of(cell) == part) for name, cell in cells.items()}
        own = {name: cell for name, cell in own.items() if len(cell) >= FEWEST}
        came = chances(own) if part != "rows" else {}
        for name, cell in own.items():
            slope = slope_of(tables_like(name, own))
            shift = float(cell["came"].mean() - slope * cell["mean"].mean())
            line = Correction(round(shift, 4), round(slope, 4))
            if name in came:
                line = replace(line, said=SAID, came=came[name])
            found[name][part] = level_of(cell, line)
    return found


def tables_like(cell: str, cells: Cells) -> dict[str, Cell]:
    """Return the cells of the same game and number of players."""
    return {name: other for name, other in cells.items() if table_size(name) == table_size(cell)}


def table_size(cell: str) -> str:
    """Return the game and the number of players of a cell."""
    return cell.rsplit("-", 1)[0]


def load(folders: Iterable[Path], cells: tuple[str, ...] = ()) -> dict[str, Cell]:
    """Return the predictions of some folders, each cell's put together; of these cells or of all."""
    found: dict[str, list[Path]] = {}
    for folder in folders:
        for path in folder.glob("*.npz"):
            found.setdefault(path.stem, []).append(path)
    return {name: Cell.load(*found[name]) for name in sorted(found) if not cells or name in cells}


def fit(folders: Iterable[Path], target: Path) -> None:
    """Write the correction."""
    fitted: dict[str, Any] = {}
    cells = load(folders)
    for game in {name.rsplit("-", 2)[0] for name in cells}:
        of_game = {name: cell for name, cell in cells.items() if name.rsplit("-", 2)[0] == game}
        for name, parts in corrections(of_game).items():
            _, players, table = name.rsplit("-", 2)
            fitted.setdefault(game, {}).setdefault(players, {})[table] = parts
    text = msgspec.json.format(msgspec.json.encode(fitted, order="deterministic"), indent=1)
    target.write_bytes(text + b"\n")

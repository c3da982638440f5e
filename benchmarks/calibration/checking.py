"""The table and the plots of docs/analysis.md: what was told, and what came."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from benchmarks.calibration.fitting import ends_of, load, parts_of
from benchmarks.calibration.playing import levels
from benchmarks.calibration.predicting import Cell
from numpy.typing import NDArray

from bullpen.analysis.correction import Correction, fitted_for
from bullpen.analysis.plots import calibration

TRIES = 400
"""How often takes are drawn with exactly the chances told, to see what chance alone does."""
HEAD = """\
| cell | decisions | rounds | predicted | came | error | worst decile | by chance | 90 % intervals |
|---|---|---|---|---|---|---|---|---|"""


class Told:
    """What evaluate would have told of decisions."""

    def __init__(self, cell: Cell, fitted: Mapping[str, Correction]) -> None:
        correct = [fitted.get(str(name), Correction()) for name in parts_of(cell)]
        self.cell = cell
        self.mean = np.array([each.mean(value) for each, value in zip(correct, cell["mean"], strict=True)])
        self.take = np.array([each.chance(value) for each, value in zip(correct, cell["take"], strict=True)])
        ends = [ends_of(cell, place, each) for place, each in enumerate(correct)]
        self.held = np.array(
            [low <= came <= high for (low, high), came in zip(ends, cell["came"], strict=True)]
        )


def shipped(cell: str) -> dict[str, Correction]:
    """Return the correction that evaluate uses for a cell, whether it was fitted to this game or not."""
    game, players, table = cell.rsplit("-", 2)
    return fitted_for(game, levels(table, int(players)))


def check(folder: Path, cells: tuple[str, ...], images: Path | None) -> None:
    """Print what came true, and draw it."""
    print(HEAD)
    for name, cell in load([folder], cells).items():
        print(line_of(Told(cell, shipped(name)), name, images), flush=True)


def line_of(told: Told, name: str, images: Path | None) -> str:
    """Return a cell's line of the table."""
    came, number = told.cell["came"], told.cell["number"]
    error, doubt = clustered(came - told.mean, number)
    cards = told.cell["row"] == 0
    if not cards.any():
        # Where nobody lays a card face down, all questions are of one kind.
        cards = ~cards
    take, took = told.take[cards], told.cell["took"][cards]
    deciles = by_deciles(take, took)
    if images is not None:
        images.mkdir(exist_ok=True)
        drawn = calibration(name, by_deciles(told.mean, came), deciles)
        (images / f"calibration-{name}.svg").write_text(drawn + "\n")
    figures = f"{len(came)} | {len(set(number))} | {told.mean.mean():.2f} | {came.mean():.2f}"
    chance = f"{100 * worst(deciles):.1f} | {100 * by_chance(take):.1f}"
    return f"| {name} | {figures} | {error:+.2f} ± {doubt:.2f} | {chance} | {100 * told.held.mean():.1f} % |"


def worst(deciles: list[tuple[float, float]]) -> float:
    """Return by how much what was said and what came differ at most."""
    return max(abs(said - happened) for said, happened in deciles)


def by_chance(take: NDArray[np.float64]) -> float:
    """Return how far off the worst decile usually is (the median) if every chance told is exactly right."""
    rng = np.random.default_rng(1)
    drawn = [worst(by_deciles(take, (rng.random(take.size) < take).astype(float))) for _ in range(TRIES)]
    return float(np.median(drawn))


def clustered(missed: NDArray[np.float64], numbers: NDArray[np.float64]) -> tuple[float, float]:
    """Return a mean and its standard error, the decisions of a round hanging together."""
    mean = float(missed.mean())
    _, places = np.unique(numbers, return_inverse=True)
    sums = np.bincount(places, missed - mean)
    return mean, float(np.sqrt(np.square(sums).sum()) / missed.size)


def by_deciles(said: NDArray[np.float64], came: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Return what was said and what came, on average, in ten groups by what was said."""
    order = np.argsort(said, kind="stable")
    return [
        (float(said[group].mean()), float(came[group].mean()))
        for group in np.array_split(order, 10)
        if group.size
    ]

"""What the analysis says of the choices that were made, before any correction, and what came of them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.calibration.playing import levels, played
from msgspec.structs import replace
from numpy.typing import NDArray

from bullpen.analysis.effort import work_of
from bullpen.analysis.evaluating import sampler_for
from bullpen.analysis.figures import chances_of, filled, means_of
from bullpen.analysis.measure import measure_of, of_round, so_far
from bullpen.analysis.samples import Sample, no_progress
from bullpen.analysis.twin import world_work
from bullpen.bots.registry import never
from bullpen.engine import View, view
from bullpen.engine.events import RoundEnded, Shared, Took, TrickStarted
from bullpen.fast.convert import rules_of as rules_of_view
from bullpen.fast.games import CODES
from bullpen.records import replay, rules_of

MOST = 160
"""Results above this are not told apart; those below minus this neither."""
FIELDS = ("number", "seat", "trick", "cards", "row", "mean", "take", "came", "took", "playouts")


def asked_now(seen: View, choice: Any) -> View:
    """Return a view in which nobody else has answered; of the twin's questions one option alone is asked."""
    if not in_twin(seen):
        return replace(seen, answered=())
    position = seen.position.copy()
    position.asks = tuple(
        replace(ask, options=(choice,)) if seen.seat in ask.seats else ask for ask in position.asks
    )
    return replace(seen, position=position, answered=())


def in_twin(seen: View) -> bool:
    """Whether a question is played out by the compiled twin."""
    return seen.game in CODES and seen.ask is not None and seen.ask.kind != "draft_pick"


def takes_of(moments: Sequence[Any]) -> set[tuple[int, int, int]]:
    """Return at which moment, in which trick of the first round, who took something."""
    found: set[tuple[int, int, int]] = set()
    trick = 0
    for number, moment in enumerate(moments):
        for event in moment.events:
            if isinstance(event, RoundEnded):
                return found
            if isinstance(event, TrickStarted):
                trick = event.trick
            elif isinstance(event, Took):
                found.add((number, trick, event.seat))
            elif isinstance(event, Shared):
                found |= {(number, trick, seat) for seat in event.seats}
    return found


def predictions(
    folder: Path, cell: str, limit: int, each: int, worlds: int
) -> Iterator[tuple[list[float], NDArray[np.float64]]]:
    """Yield what was predicted and what came of it, and the shares of every result in the playouts."""
    _, players, table = cell.rsplit("-", 2)
    plays = levels(table, int(players))
    for number, record in played(folder, cell, limit):
        rules, moments = rules_of(record), list(replay(record))
        end, takes = of_round(rules, moments[-1].position, 1), takes_of(moments)
        tricks = max(2, *(moment.position.trick for moment in moments)) - 1
        wanted = {1 + (number + step * tricks // each) % tricks for step in range(min(each, tricks))}
        for place, (before, after) in enumerate(pairwise(moments), 1):
            position, seat = before.position, after.seat
            assert seat is not None
            ask = next(ask for ask in position.asks if seat in ask.seats)
            if position.round > 1 or position.trick not in wanted or len(ask.options) < 2:
                continue
            mean, chance, sample = sampled(view(rules, position, seat), after.choice, plays, number, worlds)
            points = sample.points[:, seat]
            came = end[seat] - so_far(rules, position)[seat]
            took = any((later, position.trick, seat) in takes for later in range(place, len(moments)))
            yield (
                [number, seat, position.trick, len(position.hands[seat]), ask.kind != "commit", mean,
                 chance, came, took, points.size],
                np.bincount(np.clip(points, -MOST, MOST) + MOST, minlength=2 * MOST + 1) / points.size,
            )  # fmt: skip


def sampled(
    seen: View, choice: Any, plays: tuple[str, ...], seed: int, worlds: int
) -> tuple[float, float, Sample]:
    """Return the mean and the chance of taking that are told of a choice before any correction; its playouts.

    In the twin's games there are `worlds` of them. Elsewhere all options are evaluated at `standard`, so
    that the choice has as many as it really gets.
    """
    seen = asked_now(seen, choice)
    assert seen.seat is not None
    assert seen.ask is not None
    work = worlds * world_work(seen, plays) if in_twin(seen) else work_of("standard")
    samples = sampler_for(seen)(seen, plays, seed, work, (no_progress, never))
    place = seen.ask.options.index(choice)
    means = means_of(samples, seen.seat, measure_of(rules_of_view(seen)))
    return means[place], chances_of(samples)[place], filled(samples)[place]


def predict(folder: Path, cell: str, limit: int, each: int, worlds: int) -> None:
    """Predict, and keep it beside the records."""
    found = list(predictions(folder, cell, limit, each, worlds))
    rows, shares = np.array([row for row, _ in found]), np.array([share for _, share in found], np.float32)
    np.savez_compressed(folder / f"{cell}.npz", rows=rows, shares=shares)
    print(cell, len(rows), "decisions", flush=True)


class Cell:
    """The predictions of a cell, or of some of its decisions."""

    def __init__(self, rows: NDArray[Any], shares: NDArray[Any]) -> None:
        self.rows, self.shares = rows, shares

    @classmethod
    def load(cls, *paths: Path) -> "Cell":
        """Return the predictions kept in files, together."""
        rows, shares = [], []
        for path in paths:
            with np.load(path) as kept:
                rows.append(kept["rows"])
                shares.append(kept["shares"])
        return cls(np.concatenate(rows), np.concatenate(shares))

    def where(self, which: NDArray[np.bool_]) -> "Cell":
        """Return some of the decisions."""
        return Cell(self.rows[which], self.shares[which])

    def __getitem__(self, field: str) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.rows[:, FIELDS.index(field)]
        return found

    def __len__(self) -> int:
        return len(self.rows)

"""What the analysis says of the choices that were made, before any correction, and what came of them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.calibration.playing import levels, played
from msgspec.structs import replace
from numpy.typing import NDArray

from bullpen.analysis.evaluating import sampler_for
from bullpen.analysis.measure import of_round, so_far
from bullpen.analysis.samples import no_progress
from bullpen.analysis.twin import world_work
from bullpen.bots.registry import never
from bullpen.engine import View, view
from bullpen.engine.events import RoundEnded, Shared, Took, TrickStarted
from bullpen.fast.games import CODES
from bullpen.records import replay, rules_of

MOST = 160
"""Results above this are not told apart; those below minus this neither."""
FIELDS = ("number", "seat", "trick", "cards", "row", "mean", "take", "came", "took")


def only(seen: View, choice: Any) -> View:
    """Return a view in which the seat is asked for one option alone, and nobody else has answered.

    Where the engine imagines worlds, another option is left: it imagines none in which nobody has a choice.
    """
    position = seen.position.copy()
    assert seen.ask is not None
    others = () if in_twin(seen) else tuple(option for option in seen.ask.options if option != choice)[:1]
    position.asks = tuple(
        replace(ask, options=(choice, *others)) if seen.seat in ask.seats else ask for ask in position.asks
    )
    return replace(seen, position=position, answered=())


def in_twin(seen: View) -> bool:
    """Whether a question is played out by the compiled twin."""
    return seen.game in CODES and seen.ask is not None and seen.ask.kind != "draft_pick"


def takes_of(moments: Sequence[Any]) -> set[tuple[int, int]]:
    """Return who took something in which trick of the first round."""
    found: set[tuple[int, int]] = set()
    trick = 0
    for moment in moments:
        for event in moment.events:
            if isinstance(event, RoundEnded):
                return found
            if isinstance(event, TrickStarted):
                trick = event.trick
            elif isinstance(event, Took):
                found.add((trick, event.seat))
            elif isinstance(event, Shared):
                found |= {(trick, seat) for seat in event.seats}
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
        for before, after in pairwise(moments):
            position, seat = before.position, after.seat
            assert seat is not None
            ask = next(ask for ask in position.asks if seat in ask.seats)
            if position.round > 1 or position.trick not in wanted or len(ask.options) < 2:
                continue
            seen = only(view(rules, position, seat), after.choice)
            points, took = sampled(seen, plays, number, worlds)
            came = end[seat] - so_far(rules, position)[seat]
            row = ask.kind != "commit"
            yield (
                [number, seat, position.trick, len(seen.hand), row, points.mean(), took.mean(), came,
                 (position.trick, seat) in takes],
                np.bincount(np.clip(points, -MOST, MOST) + MOST, minlength=2 * MOST + 1) / points.size,
            )  # fmt: skip


def sampled(
    seen: View, plays: tuple[str, ...], seed: int, worlds: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return what playouts of the first option count the seat, and whether it took; `worlds` of them."""
    assert seen.seat is not None
    each = world_work(seen, plays) if in_twin(seen) else 120.0 * len(seen.hand) * seen.players
    samples = sampler_for(seen)(seen, plays, seed, worlds * each, (no_progress, never))
    return samples.options[0].points[:, seen.seat], samples.options[0].took


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
    def load(cls, path: Path) -> "Cell":
        """Return the predictions kept in a file."""
        with np.load(path) as kept:
            return cls(kept["rows"], kept["shares"])

    def where(self, which: NDArray[np.bool_]) -> "Cell":
        """Return some of the decisions."""
        return Cell(self.rows[which], self.shares[which])

    def __getitem__(self, field: str) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.rows[:, FIELDS.index(field)]
        return found

    def __len__(self) -> int:
        return len(self.rows)

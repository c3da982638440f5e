"""Random play with the cheapest row, four players: 12.126 bullheads a round in every layer.

Ten million rounds pin the figure to 0.005 where rounds are independent. Layers that cost more are
given fewer rounds outside `make soak`, and a margin of four standard errors of their own.
"""

import numpy as np
import pytest

from bullpen.fast import Batch, Player, Start, plan_for, simulate
from bullpen.fast.batch import empty_table
from bullpen.fast.rollout import MOST
from bullpen.fast.rules import HEADS
from tests.conftest import SOAK

MEAN, MARGIN, ROUNDS = 12.126, 0.005, 10_000_000


@pytest.mark.parametrize("plain", [False, True])
def test_simulate(plain: bool) -> None:
    got = simulate("base", 4, "random", ROUNDS if SOAK or not plain else 2_000_000, seed=1, plain=plain)
    assert got.mean.mean() == pytest.approx(MEAN, abs=MARGIN if got.rounds == ROUNDS else 0.012)
    assert np.ptp(got.mean) < 5 * got.error.max(), "no seat is favoured"


def test_batch() -> None:
    size, repeats = 100_000, 100 if SOAK else 5
    total = 0
    for seed in range(repeats):
        batch = Batch("base", 4, size, seed=seed, low_card="cheapest")
        while not batch.over.all():
            batch.step(batch.random_choices())
        total += int(batch.points.sum(dtype=np.int64))
    mean = total / (4 * size * repeats)
    assert mean == pytest.approx(MEAN, abs=MARGIN if SOAK else 0.025)


def unseen_round(rng: np.random.Generator) -> Start:
    """Return a round of which nothing is known but the start cards."""
    plan, starts = plan_for("base", 4), rng.choice(np.arange(1, 105), 4, replace=False)
    table = empty_table(1, 4)
    table.rows[0, :, 0] = table.ends[0] = starts
    table.counts[0] = 1
    table.heads[0] = HEADS[starts]
    return Start(
        plan=plan,
        table=table,
        hands=np.zeros((2, 4, MOST), np.uint8),
        sizes=np.array([[10] * 4, [0] * 4]),
        pool=np.setdiff1d(np.arange(1, 105), starts).astype(np.uint8),
        flips=np.zeros(4, np.uint8),
        plays=(),
        committed=np.zeros(4, np.uint8),
        tricks=10,
        half=0,
        scores=np.zeros(4, np.int32),
        asked=-1,
        seat=-1,
    )


def test_playouts() -> None:
    rng = np.random.default_rng(1)
    deals, each = (78_125, 128) if SOAK else (4_000, 128)
    means = [Player(unseen_round(rng), (0,)).run(each, seed=deal).mean.mean() for deal in range(deals)]
    error = np.std(means) / deals**0.5
    assert np.mean(means) == pytest.approx(MEAN, abs=MARGIN if SOAK else 4 * error)
    assert error < 0.03

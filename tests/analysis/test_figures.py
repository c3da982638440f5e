"""From few playouts to figures: intervals that hold, and options that were dropped on the way."""

import numpy as np
import pytest

from bullpen.analysis.correction import Correction
from bullpen.analysis.figures import chances_of, interval, means_of
from bullpen.analysis.measure import Measure
from bullpen.analysis.samples import Sample, Samples

RESULTS = np.arange(0, 41)
CHANCES = np.where(RESULTS == 0, 12.0, 5.0) * 0.88**RESULTS
"""Many rounds bring nothing, and few bring very much."""


@pytest.mark.parametrize("playouts", [4, 8, 12, 40, 400])
def test_nine_of_ten_results_lie_within(playouts: int) -> None:
    rng, chances = np.random.default_rng(1), CHANCES / CHANCES.sum()
    held = []
    for _ in range(600):
        values, times = np.unique(rng.choice(RESULTS, playouts, p=chances), return_counts=True)
        low, high = interval(values, times / playouts, playouts, Correction())
        held.append(chances[(low <= RESULTS) & (high >= RESULTS)].sum())
    assert 0.87 <= np.mean(held) <= 0.93


def test_a_single_playout_promises_little_and_nothing_below_zero() -> None:
    low, high = interval(np.array([7]), np.array([1.0]), 1, Correction())
    assert low == 0
    assert high > 20


def test_where_less_than_nothing_can_come_it_may_be_expected() -> None:
    low, _ = interval(np.array([-6, 2]), np.array([0.5, 0.5]), 4, Correction())
    assert low < -6


BULLHEADS = Measure("bullheads", "less")


def sample(points: list[int], took: list[bool] | None = None) -> Sample:
    """Return what an option of a single player came to, world by world."""
    takes = np.array(took if took is not None else [False] * len(points), np.bool_)
    return Sample(np.array(points, np.int64).reshape(-1, 1), np.zeros(len(points), np.int64), takes)


def test_a_bad_start_for_all_is_not_the_fault_of_those_that_were_dropped_then() -> None:
    lasted, dropped = [20, 4, 6, 6], [21]
    one, other = means_of(Samples([sample(lasted), sample(dropped)], True, dropped=True), 0, BULLHEADS)
    assert one == 9.0
    assert one < other < 10.0


def test_whoever_was_dropped_is_told_no_better_than_those_that_lasted() -> None:
    samples = Samples([sample([5, 5]), sample([7, 7]), sample([9])], True, [3.0, 3.0, -50.0], dropped=True)
    best, second, dropped = means_of(samples, 0, BULLHEADS)
    assert best < second <= dropped


def test_a_take_of_a_single_playout_is_not_sure_where_playouts_disagree() -> None:
    lasted, dropped = sample([5] * 4, [True, False, False, False]), sample([9], [True])
    one, other = chances_of(Samples([lasted, dropped], True, dropped=True))
    assert 0.25 < one < 0.5
    assert one < other < 0.9
    assert chances_of(Samples([lasted, dropped], True)) == [0.25, 1.0]


def test_where_playouts_agree_takes_are_sure() -> None:
    samples = Samples([sample([5] * 2, [True] * 2), sample([0] * 3, [False] * 3)], True, dropped=True)
    assert chances_of(samples) == [1.0, 0.0]

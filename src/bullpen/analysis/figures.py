"""From playouts to figures: means, intervals, chances."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.analysis.correction import Correction, correction_for
from bullpen.analysis.measure import Measure, measure_of
from bullpen.analysis.outlook import Outlook
from bullpen.analysis.reasons import Facts, Shown
from bullpen.analysis.samples import Sample, Samples
from bullpen.analysis.shapes import OptionValue
from bullpen.engine import View
from bullpen.fast.convert import rules_of

PRIOR = 3.0
"""How many playouts the heuristic's opinion is worth where there is one."""


def figures(view: View, samples: Samples, plays: tuple[str, ...], seed: int) -> tuple[OptionValue, ...]:
    """Return the figures of all options, in the order of the question."""
    assert view.ask is not None
    assert view.seat is not None
    outlook, facts = Outlook(view, seed), Facts(view)
    measure = measure_of(rules_of(view))
    correct = correction_for(view, plays)
    means = [correct.mean(mean) for mean in _means(samples, view.seat, measure)]
    signed = [measure.sign * mean for mean in means]
    best, *others = sorted(signed)
    lead = others[0] - best if others else None
    found = []
    counts = [len(sample.took) for sample in samples.options]
    filled = _filled(samples)
    leader = filled[signed.index(best)].points[:, view.seat]
    for option, sample, mean, played in zip(view.ask.options, filled, means, counts, strict=True):
        values, times = np.unique(sample.points[:, view.seat], return_counts=True)
        low, high = interval(values, times / times.sum(), correct)
        took = float(sample.took.mean())
        chance = correct.chance(took)
        heads = float(sample.heads[sample.took].mean()) if sample.took.any() else 0.0
        cost = max(0.0, measure.sign * mean - best)
        wins = outlook.round_win_chance(sample.points)
        found.append(
            OptionValue(
                choice=option.notation,
                mean=mean,
                error=correct.slope * _error(sample.points[:, view.seat]),
                low=low,
                high=high,
                take_chance=chance,
                take_cost=heads,
                round_win_chance=wins,
                win_chance=outlook.win_chance(sample.points),
                cost=cost,
                playouts=played,
                cost_error=correct.slope * _apart(leader, sample.points[:, view.seat]) if cost > 0 else 0.0,
                reasons=facts.reasons(option, Shown(chance, heads, wins, cost, lead)),
            )
        )
    return tuple(found)


def _filled(samples: Samples) -> list[Sample]:
    """Return the samples; an option that was not played out is told by all others together."""
    played = [sample for sample in samples.options if sample.took.size]
    if len(played) == len(samples.options):
        return samples.options
    together = Sample(*(np.concatenate(part) for part in zip(*played, strict=True)))
    return [sample if sample.took.size else together for sample in samples.options]


def _means(samples: Samples, seat: int, measure: Measure) -> list[float]:
    """Return the mean of every option; where playouts are few, a heuristic's opinion has a say."""
    played = [place for place, sample in enumerate(samples.options) if sample.took.size]
    plain = {place: float(samples.options[place].points[:, seat].mean()) for place in played}
    middle = float(np.mean(list(plain.values())))
    if samples.prior is None:
        return [plain.get(place, middle) for place in range(len(samples.options))]
    usual = float(np.mean([samples.prior[place] for place in played]))
    found = []
    for place, opinion in enumerate(samples.prior):
        count = len(samples.options[place].took)
        supposed = middle + measure.sign * (opinion - usual)
        found.append((count * plain.get(place, 0.0) + PRIOR * supposed) / (count + PRIOR))
    return found


def _error(points: NDArray[np.int64]) -> float:
    """Return the standard error of a mean; of a single playout nothing is known, so its size."""
    if points.size < 2:
        return float(abs(points[0])) + 1.0
    return float(points.std(ddof=1) / np.sqrt(points.size))


def _apart(best: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return the standard error of a difference; the first playouts of all options are of the same worlds."""
    common = min(best.size, other.size)
    return _error(other[:common] - best[:common])


def interval(values: NDArray[Any], shares: NDArray[np.float64], correct: Correction) -> tuple[float, float]:
    """Return the interval that holds as nearly 90 % of the results as whole numbers allow.

    `values` are the results of the playouts in ascending order, `shares` how often they came. It begins where
    half of the rest at most is left out below, and ends where the share held is nearest.
    """
    reached = np.cumsum(shares)
    first = int(np.searchsorted(reached, (1 - correct.level) / 2, side="right"))
    held = reached[first:] - (reached[first - 1] if first else 0.0)
    last = first + int(np.abs(held - correct.level).argmin())
    mean = float((values * shares).sum())
    return correct.ends(float(values[first]), float(values[last]), mean)

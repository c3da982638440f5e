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

NORMAL = 1.645
"""What five of a hundred draws of the normal distribution exceed."""
PRIOR, DOUBT = 3.0, 20.0
"""How many playouts the heuristic's opinion is worth: of options that lasted, and of dropped ones."""


def figures(view: View, samples: Samples, plays: tuple[str, ...], seed: int) -> tuple[OptionValue, ...]:
    """Return the figures of all options, in the order of the question."""
    assert view.ask is not None
    assert view.seat is not None
    outlook, facts = Outlook(view, seed), Facts(view)
    measure = measure_of(rules_of(view))
    correct = correction_for(view, plays)
    plain, chances = means_of(samples, view.seat, measure), chances_of(samples)
    means = [correct.mean(mean) for mean in plain]
    signed = [measure.sign * mean for mean in means]
    best, *others = sorted(signed)
    lead = others[0] - best if others else None
    found = []
    counts = [len(sample.took) for sample in samples.options]
    known = filled(samples)
    leader = known[signed.index(best)].points[:, view.seat]
    for place, (option, sample) in enumerate(zip(view.ask.options, known, strict=True)):
        mean = means[place]
        values, times = np.unique(sample.points[:, view.seat], return_counts=True)
        low, high = interval(
            around(values, times, plain[place]), times / times.sum(), int(times.sum()), correct
        )
        chance = correct.chance(chances[place])
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
                playouts=counts[place],
                cost_error=correct.slope * _apart(leader, sample.points[:, view.seat]) if cost > 0 else 0.0,
                reasons=facts.reasons(option, Shown(chance, heads, wins, cost, lead)),
            )
        )
    return tuple(found)


def filled(samples: Samples) -> list[Sample]:
    """Return the samples; an option that was not played out is told by all others together."""
    played = [sample for sample in samples.options if sample.took.size]
    if len(played) == len(samples.options):
        return samples.options
    together = Sample(*(np.concatenate(part) for part in zip(*played, strict=True)))
    return [sample if sample.took.size else together for sample in samples.options]


def means_of(samples: Samples, seat: int, measure: Measure) -> list[float]:
    """Return the mean of every option; where options were dropped, a heuristic's opinion has a say.

    What a dropped option did in the worlds it saw is told by how those that lasted did in the same ones: a
    bad start for all of them is not its fault. It was dropped because it looked bad in a few, which is partly
    bad luck, so its difference counts little against the opinion; but it is never told as better than they.
    """
    results = [sample.points[:, seat] for sample in samples.options]
    if not samples.dropped:
        return [float(result.mean()) for result in results]
    most = max(result.size for result in results)
    lasted = [result.size == most for result in results]
    left = np.mean([result for result in results if result.size == most], axis=0)
    opinions = np.array(samples.prior or [0.0] * len(results))
    opinions -= opinions[lasted].mean()
    costs = []
    for result, opinion, here in zip(results, opinions, lasted, strict=True):
        trust = PRIOR if here else DOUBT
        apart = measure.sign * float((result - left[: result.size]).sum()) + trust * float(opinion)
        costs.append(apart / (result.size + trust))
    worst = max(cost for cost, here in zip(costs, lasted, strict=True) if here)
    return [
        float(left.mean()) + measure.sign * (cost if here else max(cost, worst))
        for cost, here in zip(costs, lasted, strict=True)
    ]


def chances_of(samples: Samples) -> list[float]:
    """Return how likely every option takes; what a few playouts say is not taken at their word.

    So far as playouts of one and the same option disagree, they count together with some of all options'.
    """
    known = filled(samples)
    plain = [float(sample.took.mean()) for sample in known]
    several = [chance for chance, sample in zip(plain, known, strict=True) if sample.took.size > 1]
    if not samples.dropped or not several:
        return plain
    trust = PRIOR * float(np.mean([0 < chance < 1 for chance in several]))
    usual = float(np.mean(plain))
    return [
        (sample.took.size * chance + trust * usual) / (sample.took.size + trust)
        for chance, sample in zip(plain, known, strict=True)
    ]


def _error(points: NDArray[np.int64]) -> float:
    """Return the standard error of a mean; of a single playout nothing is known, so its size."""
    if points.size < 2:
        return float(abs(points[0])) + 1.0
    return float(points.std(ddof=1) / np.sqrt(points.size))


def _apart(best: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Return the standard error of a difference; the first playouts of all options are of the same worlds."""
    common = min(best.size, other.size)
    return _error(other[:common] - best[:common])


def around(values: NDArray[Any], times: NDArray[Any], mean: float) -> NDArray[np.float64]:
    """Return results that came so often, moved so that their mean is what is told; none falls below zero.

    >>> around(np.array([0, 4]), np.array([1, 1]), 2.5).tolist()
    [0.5, 4.5]
    """
    moved: NDArray[np.float64] = values + (mean - float((values * times).sum() / times.sum()))
    return np.maximum(moved, 0.0) if values[0] >= 0 else moved


def interval(
    values: NDArray[Any], shares: NDArray[np.float64], playouts: int, correct: Correction
) -> tuple[float, float]:
    """Return the interval that holds as nearly 90 % of the results as whole numbers allow.

    `values` are the results of the playouts in ascending order, `shares` how often they came. It begins where
    half of the rest at most is left out below, and ends where the share held is nearest. What comes next lies
    beyond all that `playouts` of them have shown once in so many and one times, so more of them are held.
    """
    level = correct.level * (playouts + 1) / playouts
    mean = float((values * shares).sum())
    if level > 1:
        return correct.ends(*_beyond(values, shares, playouts), mean)
    reached = np.cumsum(shares)
    first = int(np.searchsorted(reached, (1 - level) / 2, side="right"))
    held = reached[first:] - (reached[first - 1] if first else 0.0)
    last = first + int(np.abs(held - level).argmin())
    return correct.ends(float(values[first]), float(values[last]), mean)


def _beyond(values: NDArray[Any], shares: NDArray[np.float64], playouts: int) -> tuple[float, float]:
    """Return an interval that is wider than a few playouts: Student's, as if results were normal.

    Where none of them is below zero nothing can be.
    """
    mean = float((values * shares).sum())
    spread = abs(mean) + 1.0
    if playouts > 1:
        spread = float(np.sqrt((shares * (values - mean) ** 2).sum() * playouts / (playouts - 1)))
    half = _student(max(1, playouts - 1)) * spread * np.sqrt(1 + 1 / playouts)
    least, most = float(values[0]), float(values[-1])
    low = min(mean - half, least)
    return max(low, 0.0) if least >= 0 else low, max(mean + half, most)


def _student(freedom: int) -> float:
    """Return what five of a hundred draws of Student's distribution exceed, by its expansion.

    >>> [round(_student(freedom), 2) for freedom in (2, 4, 8)]
    [2.76, 2.11, 1.86]
    """
    z = NORMAL
    return float(z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2))

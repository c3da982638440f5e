"""Means with intervals, and how many deals it takes to see a difference."""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

from msgspec import Struct

NORMAL = NormalDist()
CONFIDENCE = 0.95
FEWEST = 16
"""Deals before anything is concluded: the spread of fewer is not to be trusted."""


class Estimate(Struct, frozen=True):
    """A mean, half the width of its 95 % interval, and from how many deals it comes."""

    mean: float
    margin: float
    count: int

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.margin

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.margin

    @property
    def clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low > 0 or self.high < 0


def student(freedom: int) -> float:
    """Return the reach of a 95 % interval in standard errors, by an expansion around the normal one.

    Good to 0.1 % from five degrees of freedom up; below that it is a table.

    >>> round(student(20), 2), round(student(10_000), 2)
    (2.09, 1.96)
    """
    if freedom < 5:
        return (math.inf, 12.71, 4.31, 3.19, 2.78)[freedom]
    z = NORMAL.inv_cdf(0.5 + CONFIDENCE / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values with its 95 % interval.

    >>> estimate([1.0, 2.0, 3.0]).mean
    2.0
    """
    count = len(values)
    if count < 2:
        return Estimate(fmean(values) if values else math.nan, math.inf, count)
    return spread_estimate(fmean(values), stdev(values), count)


def spread_estimate(mean: float, spread: float, count: int) -> Estimate:
    """Return the mean of so many values with its 95 % interval, if they spread like this around it."""
    return Estimate(mean, student(count - 1) * spread / math.sqrt(count), count)


def deals_needed(spread: float, difference: float, power: float = 0.8) -> int:
    """Return how many deals show a true difference with this chance, if deals spread so much around it.

    >>> deals_needed(spread=10.0, difference=2.0)
    197
    """
    reach = NORMAL.inv_cdf(0.5 + CONFIDENCE / 2) + NORMAL.inv_cdf(power)
    return math.ceil((reach * spread / difference) ** 2)

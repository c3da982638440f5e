"""A sequential test: after every deal it says whether one bot is better, is not, or more deals are needed.

It is a generalised sequential probability ratio test, as chess engines are tested with, on what the upper
bot is ahead in each deal. Two claims are weighed against each other: that it is ahead by nothing, and that
it is ahead by `AHEAD` standard deviations of a single game. How much deals spread is not known, so each
claim is given the spread under which it explains the deals best. Where one claim holds, the other is
believed in at most `ERROR` of all tests.
"""

import math
from enum import Enum
from typing import Annotated

from msgspec import Meta, Struct

from bullpen.arena.statistics import FEWEST, Estimate, spread_estimate

ERROR = 0.05
"""The chance of either mistake."""
AHEAD = 0.07
"""What is to be found, in standard deviations of a game: some 0.6 bullheads a round of the base game."""
BOUND = math.log((1 - ERROR) / ERROR)
"""Where the logarithm of the ratio settles the matter, above zero or below."""


class Verdict(Enum):
    """What a test has come to."""

    BETTER = "better"
    NOT_BETTER = "not better"
    OPEN = "open"


class Finding(Struct, frozen=True):
    """A verdict, and the deals it comes from."""

    verdict: Verdict
    ratio: float
    """The logarithm of how much more likely the deals are if the upper bot is better."""
    points: Estimate
    """By how many points it was ahead, over the deals until it was settled."""
    effect: float
    """The same in standard deviations of a game."""
    games: int
    """How many games that took."""


def log_ratio(count: int, mean: float, square: float, effect: float) -> float:
    """Return how much more likely values are around `effect` spreads than around zero, as a logarithm.

    The values are known by their mean and the mean of their squares.

    >>> log_ratio(10, 1.0, 2.0, 0.5) > 0 > log_ratio(10, 0.0, 2.0, 0.5)
    True
    """
    if square == 0:
        return 0.0
    return count * (_likelihood(mean, square, effect) - _likelihood(mean, square, 0.0))


def _likelihood(mean: float, square: float, effect: float) -> float:
    """Return the log-likelihood of a value, at the spread that explains all of them best."""
    spread = (math.sqrt((effect * mean) ** 2 + 4 * square) - effect * mean) / 2
    off = square - 2 * mean * effect * spread + (effect * spread) ** 2
    return -math.log(spread) - off / (2 * spread * spread)


class Tally(Struct, frozen=True):
    """All that a test remembers of its deals: a trial can go on from here."""

    deals: Annotated[int, Meta(ge=0)] = 0
    sum: float = 0.0
    squares: float = 0.0
    ratio: float = 0.0
    """The logarithm of the ratio after the last of them."""
    verdict: Verdict = Verdict.OPEN

    @property
    def mean(self) -> float:
        """What the upper bot was ahead in a deal."""
        return self.sum / self.deals

    @property
    def variance(self) -> float:
        """How much deals spread around that, squared."""
        return max(0.0, self.squares / self.deals - self.mean**2)


class Trial:
    """Takes what one bot is ahead deal by deal, in their order, and knows when it is enough."""

    def __init__(self, games: int, most: int, tally: Tally | None = None) -> None:
        self._games = games
        self._most = max(1, most // games)
        self.tally = tally or Tally()

    @property
    def settled(self) -> bool:
        """Whether no more deals are wanted: there is a verdict, or as many deals as are allowed."""
        return self.tally.verdict is not Verdict.OPEN or self.tally.deals >= self._most

    def add(self, lead: float) -> None:
        """Take in a deal; what comes after the test is settled does not count."""
        if self.settled:
            return
        deals, total = self.tally.deals + 1, self.tally.sum + lead
        squares = self.tally.squares + lead * lead
        ratio, verdict = log_ratio(deals, total / deals, squares / deals, self._effect), Verdict.OPEN
        if deals >= FEWEST and abs(ratio) >= BOUND:
            verdict = Verdict.BETTER if ratio > 0 else Verdict.NOT_BETTER
        self.tally = Tally(deals, total, squares, ratio, verdict)

    @property
    def _effect(self) -> float:
        """What is to be found, in standard deviations of a deal: a mean spreads less than a game."""
        return AHEAD * math.sqrt(self._games)

    @property
    def finding(self) -> Finding:
        """What has been found so far."""
        tally, deals = self.tally, self.tally.deals
        if deals < 2:
            points = Estimate(tally.mean if deals else math.nan, math.inf, deals)
            return Finding(tally.verdict, tally.ratio, points, 0.0, deals * self._games)
        spread = math.sqrt(tally.variance)
        effect = tally.mean / spread / math.sqrt(self._games) if spread else 0.0
        points = spread_estimate(tally.mean, spread * math.sqrt(deals / (deals - 1)), deals)
        return Finding(tally.verdict, tally.ratio, points, effect, deals * self._games)

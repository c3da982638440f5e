"""Ratings: the strengths under which the results of a game are most likely (Bradley–Terry).

Two chairs of a game are a comparison: who came out ahead, ties counting half for either. A bot that is d
points stronger is expected to be ahead with chance 1 / (1 + 10^(-d / 400)), so a rating says the same as the
comparisons it is made from, in whatever order the games were played. The intervals come from drawing the
deals anew, again and again: the games of a deal hang together, deals do not.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from bullpen.arena.outcome import Outcome

POINTS = 400 / np.log(10)
"""Points of a rating for a step of the natural logarithm of the odds."""
RESAMPLES = 200
PRIOR = 0.5
"""Added to either side of every pair that met: a bot that never lost is not infinitely strong."""
CLOSE = 1e-9


class Rating(Struct, frozen=True):
    """How strong a bot is, the mean of all being 0, with a 95 % interval."""

    bot: str
    mean: float
    low: float
    high: float


def rate(outcomes: Iterable[Outcome]) -> list[Rating]:
    """Return the ratings of all bots of one game, strongest first.

    In a game that is won together the table is a player too, named after the game. A bot alone has no rating.
    """
    played = list(outcomes)
    names = list(dict.fromkeys(name for outcome in played for name in _field(outcome)[0]))
    if len(names) < 2:
        return []
    ahead = _ahead(played, names)
    found = _strengths(ahead.sum(0))
    draws = np.random.default_rng(0).multinomial(len(ahead), np.full(len(ahead), 1 / len(ahead)), RESAMPLES)
    others = np.array([_strengths(np.tensordot(draw, ahead, 1)) for draw in draws])
    low, high = np.percentile(others, [2.5, 97.5], 0)
    if len(ahead) == 1:
        # One deal drawn again and again is always the same, and tells nothing about others.
        low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    ratings = [
        Rating(name, float(found[i]), float(min(low[i], found[i])), float(max(high[i], found[i])))
        for i, name in enumerate(names)
    ]
    return sorted(ratings, key=lambda rating: -rating.mean)


def _field(outcome: Outcome) -> tuple[list[str], list[float]]:
    """Return who is rated by a game, with ranks."""
    if outcome.won is None:
        return list(outcome.seating), [float(rank) for rank in outcome.ranks]
    drawn = outcome.against == outcome.scores[0]
    ranks = [1.0, 1.0] if drawn else [1.0, 2.0] if outcome.won else [2.0, 1.0]
    return [outcome.seating[0], f"(the {outcome.game})"], ranks


def _ahead(played: Iterable[Outcome], names: list[str]) -> NDArray[Any]:
    """Return [D, n, n]: how often, in each deal, one came out ahead of another; a tie is half for either."""
    place = {name: number for number, name in enumerate(names)}
    deals: dict[tuple[str, int], NDArray[Any]] = defaultdict(lambda: np.zeros((len(names), len(names))))
    for outcome in played:
        bots, ranks = _field(outcome)
        for one, own in zip(bots, ranks, strict=True):
            for other, rank in zip(bots, ranks, strict=True):
                if one != other:
                    share = 1.0 if own < rank else 0.5 if own == rank else 0.0
                    deals[outcome.seed, outcome.deal][place[one], place[other]] += share
    return np.array(list(deals.values()))


def _strengths(ahead: NDArray[Any]) -> NDArray[Any]:
    """Return the most likely ratings for how often one was ahead of another, by Newton's method."""
    met = ahead + ahead.T > 0
    wins = ahead + PRIOR * met
    games, size = wins + wins.T, len(wins)
    strength = np.zeros(size)
    for _ in range(100):
        expected = 1 / (1 + np.exp(strength[None] - strength[:, None]))
        slope = (wins - games * expected).sum(1)
        bend = games * expected * (1 - expected)
        # Only differences count: the mean is held at zero, which also keeps strangers apart.
        step = np.linalg.solve(np.diag(bend.sum(1)) - bend + 1 / size + CLOSE * np.eye(size), slope)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < CLOSE:
            break
    rating: NDArray[Any] = POINTS * (strength - strength.mean())
    return rating

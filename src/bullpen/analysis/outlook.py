"""From the end of the round to the end of the game: how likely it is won."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.analysis.measure import measure_of, so_far
from bullpen.analysis.rounds import quantiles
from bullpen.engine import Position, Ruleset, View
from bullpen.fast.convert import rules_of

MOST_WORLDS = 500
"""How many of the playouts are followed to the end of the game."""
MOST_ROUNDS = 60
"""After so many rounds a game is taken to be over."""


class Outlook:
    """How a view's game stands, and what ends of the running round make of it."""

    def __init__(self, seen: View, seed: int) -> None:
        self.rules: Ruleset[Any] = rules_of(seen)
        self.position: Position = seen.position
        self.seat, self.measure = seen.seat, measure_of(self.rules)
        self.before = np.array(so_far(self.rules, seen.position), np.int64)
        self.left = rounds_left(self.rules, seen.position)
        self._draws = self._later_rounds(np.random.default_rng(seed))

    def _later_rounds(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return what later rounds bring, the same for all options: [W, rounds, n]."""
        count = 0 if self.left == 0 else (MOST_ROUNDS if self.left is None else self.left)
        usual = quantiles(self.rules.id, self.rules.players)
        return usual[rng.integers(0, usual.size, (MOST_WORLDS, count, self.rules.players))]

    def round_win_chance(self, points: NDArray[np.int64]) -> float:
        """Return the chance of the best result of the round, ties shared."""
        return float(self._shares(points + self.before).mean())

    def win_chance(self, points: NDArray[np.int64]) -> float:
        """Return the chance of winning the game, ties shared."""
        ends = (points + self.before)[:MOST_WORLDS]
        if self.measure.unit != "bullheads":
            return float(self._shares(ends).mean())
        totals = ends + np.array(self.position.scores, np.int64)
        return float(self._shares(self._played_on(totals.astype(np.float64))).mean())

    def _played_on(self, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the totals at the end of the game."""
        target = self.rules.options.get("end.value", 0) if self.left is None else None
        for number in range(self._draws.shape[1]):
            going = np.ones(len(totals), bool) if target is None else totals.max(axis=1) < target
            if not going.any():
                break
            totals = totals + self._draws[: len(totals), number] * going[:, None]
        return totals

    def _shares(self, ends: NDArray[Any]) -> NDArray[np.float64]:
        """Return the seat's share of every win: all of it alone, half of it with one other."""
        if self.measure.unit == "margin":
            return (ends[:, self.seat] < 0).astype(np.float64)
        signed = ends * self.measure.sign
        first = signed == signed.min(axis=1, keepdims=True)
        shares: NDArray[np.float64] = first[:, self.seat] / first.sum(axis=1)
        return shares


def rounds_left(rules: Ruleset[Any], position: Position) -> int | None:
    """Return how many rounds follow the running one; None if a target score decides.

    >>> import bullpen
    >>> rounds_left(bullpen.make("tournament", 3), bullpen.new_game("tournament", players=3).position)
    2
    """
    if rules.options.get("end.kind") == "target":
        return None
    if rules.options.get("end.kind") == "rounds":
        return max(0, int(rules.options["end.value"]) - position.round)
    if rules.id == "tournament":
        return rules.players - position.round
    return max(0, int(getattr(rules, "rounds", 1)) - position.round)

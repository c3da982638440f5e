"""An engine's game that gets the deals of the twin, as an environment of which every seat is played."""

from typing import Any, TypeVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, MultiDiscrete
from numpy.typing import NDArray

from bullpen.engine import Chance, Ruleset
from bullpen.envs.episode import Episode
from bullpen.envs.terms import Terms
from bullpen.fast import Batch
from bullpen.fast.twins.batch import TwinBatch

T = TypeVar("T")


class TwinDeals:
    """Chance that shuffles as a game of the twin does that has this seed, round after round."""

    def __init__(self, rules: Ruleset[Any], seed: int) -> None:
        options = {option.key: rules.options[option.key] for option in rules.offers}
        self._batch = Batch(rules.id, rules.players, 1, np.array([seed], np.uint64), options)
        self._used = False

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Return the deck of the next round: hands one after the other, rows, then the hands of half-time."""
        if self._used:
            self._batch.next_round()
        self._used = True
        if isinstance(self._batch, TwinBatch):
            dealt: list[Any] = self._batch.state.deck[0].tolist()
            return dealt
        plan, deck = self._batch.plan, self._batch.seats.deck[0].tolist()
        n, rows = plan.players, plan.players * plan.tricks
        first = [deck[k * n + seat] for seat in range(n) for k in range(plan.first)]
        second = [deck[k * n + seat] for seat in range(n) for k in range(plan.first, plan.tricks)]
        mixed: list[Any] = first + deck[rows : rows + 4] + second + deck[rows + 4 : plan.size]
        assert set(mixed) == set(cards)
        return mixed


class SameDeals(Episode):
    """An episode of the engine with the deals of a batch's game of the same seed."""

    _deals: TwinDeals

    def chance(self, seed: int | None) -> Chance:
        if seed is not None:
            self._deals = TwinDeals(self.rules, seed)
        return self._deals


class WholeTable(gymnasium.Env[NDArray[np.uint8], NDArray[Any]]):
    """One game, every seat of which is played; the rewards of the seats are in the info."""

    def __init__(self, terms: Terms) -> None:
        self.episode = SameDeals(terms)
        self.players = self.episode.players
        size = self.episode.observer.layout.size
        self.observation_space = Box(0, 255, (self.players, size), np.uint8)
        self.action_space = MultiDiscrete([self.episode.alphabet.size] * self.players)

    def _seen(self) -> NDArray[np.uint8]:
        return np.stack([self.episode.observe(seat) for seat in range(self.players)])

    def _masks(self) -> NDArray[np.int8]:
        return np.stack([self.episode.mask(seat) for seat in range(self.players)])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        self.episode.reset(seed)
        return self._seen(), {"action_mask": self._masks()}

    def step(self, action: NDArray[Any]) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        rewards = self.episode.step(dict(enumerate(action.tolist())))
        info = {"action_mask": self._masks(), "rewards": np.array(rewards, np.float32)}
        return self._seen(), float(sum(rewards)), self.episode.over, False, info

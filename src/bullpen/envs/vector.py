"""Many games at once for Gymnasium: a vector environment on the compiled twin, every seat yours."""

from typing import Any, TypeAlias, Unpack

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, MultiDiscrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bullpen.envs.episodes import Episodes, Seeds
from bullpen.envs.terms import BadTerms, Terms, Wishes
from bullpen.fast import CHOICES

Observations: TypeAlias = NDArray[np.uint8]
Infos: TypeAlias = dict[str, Any]
Stepped: TypeAlias = tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]


class VectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """`num_envs` games of a kind that the compiled twin plays, in each of which all seats are yours.

    Observations are uint8 [num_envs, players, layout.size], actions [num_envs, players]. The masks of legal
    actions are in `infos["action_mask"]`, int8 [num_envs, players, 244]. There is a reward for every seat:
    [num_envs, players]; an episode ends for all of them together. With `copy=False` observations and masks
    are written into the same memory in every step.

    >>> envs = VectorEnv("base", players=4, num_envs=8)
    >>> observations, infos = envs.reset(seed=7)
    >>> observations.shape, infos["action_mask"].sum(2).max()
    ((8, 4, 263), np.int64(10))
    >>> actions = infos["action_mask"].argmax(2)
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards.shape, terminations.shape
    ((8, 4), (8,))
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str = "base",
        players: int = 4,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **wishes: Unpack[Wishes],
    ) -> None:
        if type(num_envs) is not int or num_envs < 1:
            raise BadTerms(f"A vector environment holds one game or more, not {num_envs}.")
        self.num_envs = num_envs
        self.players = players
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.copy = copy
        self.episodes = Episodes(Terms(game=game, players=players, **wishes), num_envs)
        self.layout = self.episodes.layout
        self.single_observation_space = Box(0, 255, (players, self.layout.size), np.uint8)
        self.single_action_space = MultiDiscrete([CHOICES] * players)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._observations = np.zeros((num_envs, players, self.layout.size), np.uint8)
        self._mask = np.zeros((num_envs, players, CHOICES), np.int8)
        self._begun = False

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Start all games anew, or those of `options["reset_mask"]`; without a seed on the deals that follow.

        A number gives game k the seed `seed + k`; a list gives each its own, None for none.
        """
        where = None if options is None else options.get("reset_mask")
        if where is not None:
            self._check_mask(where)
        self.episodes.reset(seed, where)
        if isinstance(seed, int):
            super().reset(seed=seed)
        self._look(where)
        self._begun = True
        return self._shown(self._observations), self._infos()

    def _check_mask(self, where: Any) -> None:
        """Raise a sentence for what is no mask of games."""
        if not isinstance(where, np.ndarray) or where.dtype != np.bool_:
            raise TypeError("`options['reset_mask']` must be an array of bool.")
        if where.shape != (self.num_envs,):
            raise ValueError(
                f"`options['reset_mask']` must be of shape ({self.num_envs},), not {where.shape}."
            )
        if not where.any():
            raise ValueError("`options['reset_mask']` must name at least one game.")

    def step(self, actions: NDArray[Any]) -> Stepped:
        """Answer for every seat of every game; what is said where nobody is asked should be 0."""
        episodes = self.episodes
        ended = episodes.over.copy()
        if not self._begun:
            raise ResetNeeded("A vector environment must be reset before its first step.")
        if self.autoreset_mode == AutoresetMode.DISABLED and ended.any():
            raise ResetNeeded(f"Game {ended.argmax()} has ended: reset it with `options['reset_mask']`.")
        rewards = episodes.step(actions)
        terminations = episodes.over.copy()
        infos: Infos = {}
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            episodes.restart(ended)
            terminations[ended] = False
        elif self.autoreset_mode == AutoresetMode.SAME_STEP and terminations.any():
            infos = self._final(terminations)
            episodes.restart(terminations)
        self._look()
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._shown(self._observations), rewards, terminations, truncations, infos | self._infos()

    def _look(self, where: NDArray[np.bool_] | None = None) -> None:
        """Write down what the seats see and may do now."""
        self.episodes.observe_into(self._observations, where)
        self.episodes.legal_into(self._mask, where)

    def _shown(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _infos(self) -> Infos:
        return {"action_mask": self._shown(self._mask), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final(self, ended: NDArray[np.bool_]) -> Infos:
        """Return what the ended games looked like at their end, as Gymnasium's own vector environments do."""
        self._look(ended)
        final = np.full(self.num_envs, None, dtype=object)
        for b in np.flatnonzero(ended):
            final[b] = self._observations[b].copy()
        mask = np.where(ended[:, None, None], self._mask, np.int8(0))
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": {"action_mask": mask, "_action_mask": ended.copy()},
            "_final_info": ended.copy(),
        }

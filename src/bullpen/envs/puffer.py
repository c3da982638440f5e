"""Many games at once for PufferLib: every seat an agent, everything written into the buffers it is given.

PufferLib is not among our extras: version 3.0 asks for versions of NumPy and Gymnasium that are older than
those that we need, and `pufferlib-core`, the part of it that we need, for one version of PyTorch. That part
installed without its dependencies (`pip install --no-deps pufferlib-core`) works beside any PyTorch.
"""

from typing import Any, TypeAlias, Unpack

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from pufferlib import PufferEnv

from bullpen.envs.episodes import Episodes
from bullpen.envs.terms import Terms, Wishes
from bullpen.fast import CHOICES

Reports: TypeAlias = list[dict[str, float]]


class Puffer(PufferEnv):
    """`num_envs` games of a kind that the compiled twin plays.

    Agent k is seat k % players of game k // players. Ended episodes start anew in the same step, and their
    last rewards stand in the buffer. What is legal is not in PufferLib's buffers: `legal` holds it,
    [num_agents, 244] bytes; in the observation, `hand` is what may be played when `question` asks for a
    card. Illegal actions are replaced by the first legal one unless the terms say otherwise.
    """

    def __init__(
        self,
        game: str = "base",
        players: int = 4,
        num_envs: int = 1024,
        *,
        buf: Any = None,
        seed: int = 0,
        **wishes: Unpack[Wishes],
    ) -> None:
        self.episodes = Episodes(Terms(game=game, players=players, **wishes), num_envs)
        self.single_observation_space = Box(0, 255, (self.episodes.layout.size,), np.uint8)
        self.single_action_space = Discrete(CHOICES)
        self.num_agents = num_envs * players
        super().__init__(buf)
        self._seed = seed
        self._shape = (num_envs, players)
        self.legal = np.zeros((self.num_agents, CHOICES), np.int8)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], Reports]:
        """Start all games anew; game k gets the seed `seed + k`."""
        self.episodes.reset(self._seed if seed is None else seed)
        self.rewards[:] = 0.0
        self.terminals[:] = False
        self.truncations[:] = False
        self._look()
        return self.observations, []

    def step(self, actions: NDArray[Any]) -> tuple[Any, ...]:
        """Answer for every agent; return the buffers, and a report of the episodes that have ended."""
        episodes = self.episodes
        rewards = episodes.step(np.asarray(actions).reshape(self._shape))
        ended = episodes.over.copy()
        self.rewards.reshape(self._shape)[...] = rewards
        self.terminals.reshape(self._shape)[...] = ended[:, None]
        reports = self._report(ended)
        episodes.restart(ended)
        self._look()
        return self.observations, self.rewards, self.terminals, self.truncations, reports

    def _report(self, ended: NDArray[np.bool_]) -> Reports:
        if not ended.any():
            return []
        scores = self.episodes.batch.scores[ended]
        return [{"episodes": float(ended.sum()), "bullheads": float(scores.mean())}]

    def _look(self) -> None:
        """Write down what the agents see and may do now."""
        self.episodes.observe_into(self.observations.reshape(*self._shape, -1))
        self.episodes.legal_into(self.legal.reshape(*self._shape, -1))

    def close(self) -> None:
        """There is nothing to close."""

"""Many games at once for Gymnasium: a vector environment on the compiled twin, every seat yours."""

from typing import Any, TypeAlias, Unpack

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, MultiDiscrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bullpen.envs.drawing import RENDER_MODES, Renderer
from bullpen.envs.episodes import Seeds, seeds_of
from bullpen.envs.parts import Part, Parts
from bullpen.envs.positions import spectated
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
    are written into the same memory in every step. So many `threads` share the games; what happens in a game
    does not depend on their number.

    >>> envs = VectorEnv("base", players=4, num_envs=8)
    >>> observations, infos = envs.reset(seed=7)
    >>> observations.shape, infos["action_mask"].sum(2).max()
    ((8, 4, 263), np.int64(10))
    >>> actions = infos["action_mask"].argmax(2)
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards.shape, terminations.shape
    ((8, 4), (8,))
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: str = "base",
        players: int = 4,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
        render_mode: str | None = None,
        **wishes: Unpack[Wishes],
    ) -> None:
        if type(num_envs) is not int or num_envs < 1:
            raise BadTerms(f"A vector environment holds one game or more, not {num_envs}.")
        self.num_envs = num_envs
        self.players = players
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.copy = copy
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode)
        terms = Terms(game=game, players=players, **wishes)
        self.parts = Parts(terms, num_envs, threads, piles=render_mode is not None)
        self.layout = next(iter(self.parts)).episodes.layout
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
        seeds = seeds_of(seed, self.num_envs)

        def begin(part: Part) -> None:
            there = None if where is None else where[part.place]
            part.episodes.reset(seeds[part.place], there)
            self._look(part, there)

        self.parts.each(begin)
        if isinstance(seed, int):
            super().reset(seed=seed)
        self._begun = True
        self._show()
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
        if not self._begun:
            raise ResetNeeded("A vector environment must be reset before its first step.")
        given = np.asarray(actions)
        for part in self.parts:
            self._check(part, given)
        told = Told(self)
        self.parts.each(lambda part: self._step(part, given, told))
        self._show()
        truncations = np.zeros(self.num_envs, np.bool_)
        infos = told.endings() | self._infos()
        return self._shown(self._observations), told.rewards, told.ended, truncations, infos

    def _check(self, part: Part, actions: NDArray[Any]) -> None:
        """Raise a sentence for what cannot be done, before anything is."""
        over = part.episodes.over
        if self.autoreset_mode == AutoresetMode.DISABLED and over.any():
            number = part.place.start + over.argmax()
            raise ResetNeeded(f"Game {number} has ended: reset it with `options['reset_mask']`.")
        part.episodes.check(actions[part.place])

    def _step(self, part: Part, actions: NDArray[Any], told: "Told") -> None:
        """Step some of the games, and start those anew that have to."""
        place, episodes = part
        before = episodes.over.copy()
        told.rewards[place] = episodes.step(actions[place])
        ended = episodes.over.copy()
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            episodes.restart(before)
            ended &= ~before
        elif self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            self._look(part, ended)
            told.end(place, ended, self._observations[place], self._mask[place])
            episodes.restart(ended)
        told.ended[place] = ended
        self._look(part)

    def random_actions(self) -> NDArray[np.uint8]:
        """Return actions drawn uniformly from the legal ones, from streams apart from the deals'."""
        return np.concatenate(self.parts.each(lambda part: part.episodes.random_actions()))

    def _look(self, part: Part, where: NDArray[np.bool_] | None = None) -> None:
        """Write down what the seats of some games see and may do now."""
        part.episodes.observe_into(self._observations[part.place], where)
        part.episodes.legal_into(self._mask[part.place], where)

    def _shown(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _infos(self) -> Infos:
        return {"action_mask": self._shown(self._mask), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def render(self) -> tuple[Any, ...] | None:
        """Draw what a spectator sees of every game; the page of the `human` mode shows the first of them."""
        if self.render_mode is None:
            return None
        seen = (spectated(part.episodes, game) for part in self.parts for game in range(part.episodes.size))
        if self.render_mode == "human":
            self._renderer.render(next(seen))
            return None
        return tuple(self._renderer.render(view) for view in seen)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close_extras(self, **_kwargs: Any) -> None:
        """Close the page of the `human` mode, and let the threads go."""
        self._renderer.close()
        self.parts.close()


class Told:
    """What a step has brought, written part by part."""

    def __init__(self, envs: VectorEnv) -> None:
        size = envs.num_envs
        self.rewards = np.empty((size, envs.players), np.float32)
        self.ended = np.empty(size, np.bool_)
        self._final: NDArray[Any] | None = None
        self._mask: NDArray[np.int8] | None = None
        if envs.autoreset_mode == AutoresetMode.SAME_STEP:
            self._final = np.full(size, None, dtype=object)
            self._mask = np.zeros((size, envs.players, CHOICES), np.int8)

    def end(self, place: slice, ended: NDArray[np.bool_], seen: Observations, mask: NDArray[np.int8]) -> None:
        """Keep what ended games looked like at their end."""
        assert self._final is not None
        assert self._mask is not None
        final = self._final[place]
        for b in np.flatnonzero(ended):
            final[b] = seen[b].copy()
        self._mask[place][ended] = mask[ended]

    def endings(self) -> Infos:
        """Return that as Gymnasium's own vector environments do."""
        if self._final is None or not self.ended.any():
            return {}
        return {
            "final_obs": self._final,
            "_final_obs": self.ended.copy(),
            "final_info": {"action_mask": self._mask, "_action_mask": self.ended.copy()},
            "_final_info": self.ended.copy(),
        }

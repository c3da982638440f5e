"""PettingZoo: every game of the family, all seats at once (`parallel_env`) or one after the other (`env`).

An observation is one flat `Box` of bytes (`bullpen.envs.layout` says what it holds), an action a number
(`bullpen.envs.actions`), and `infos[agent]["action_mask"]` says which numbers are legal. In a cycle every
agent says one number; an agent that is not asked may only wait.

Both kinds take the `Wishes` of `bullpen.envs.terms`: `options` of the game, `episode` ("round", "game"),
`reward` ("bullheads", "rank", "win"), `illegal` ("first", "raise", "lose") and `forced` ("ask", "skip").
"""

from typing import Any, Final, Unpack

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from bullpen.engine import NoSeat, Seat
from bullpen.envs.actions import number_of
from bullpen.envs.drawing import RENDER_MODES, Renderer
from bullpen.envs.episode import Episode
from bullpen.envs.observing import Observation
from bullpen.envs.terms import BadTerms, Terms, Wishes

METADATA: Final = {"render_modes": list(RENDER_MODES), "is_parallelizable": True, "render_fps": 2}


class _Table:
    """What both kinds of environment have: an episode, names for its seats, spaces, a renderer."""

    def __init__(self, terms: Terms, max_cycles: int | None, render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadTerms(f"render_mode is one of {', '.join(RENDER_MODES)}, not {str(render_mode)[:40]!r}.")
        self.episode = Episode(terms)
        self.metadata: dict[str, Any] = {**METADATA, "name": f"bullpen_{self.episode.rules.id}_v0"}
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode)
        players, size = self.episode.players, self.episode.observer.layout.size
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: Box(0, 255, (size,), np.uint8) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.episode.alphabet.size) for agent in self.possible_agents}
        self.state_space = Box(0, 255, (size * players,), np.uint8)
        self._cycles = 0

    def observation_space(self, agent: str) -> Box:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def state(self) -> Observation:
        """Return the observations of all agents one after the other, for a centralised critic."""
        return self.episode.state()

    def render(self) -> NDArray[np.uint8] | str | None:
        """Draw what a spectator sees."""
        return self._renderer.render(self.episode.view(None))

    def close(self) -> None:
        """Close the page of the `human` mode."""
        self._renderer.close()

    def _seat(self, agent: str) -> Seat:
        if agent not in self._seats:
            raise NoSeat(
                f"There is no agent {str(agent)[:40]!r}; there are {', '.join(self.possible_agents)}."
            )
        return self._seats[agent]

    def _start(self, seed: int | None) -> None:
        self.episode.reset(seed)
        self.agents = self.possible_agents[:]
        self._cycles = 0
        self._show()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _info(self, agent: str) -> dict[str, Any]:
        seat = self._seats[agent]
        return {"action_mask": self.episode.mask(seat), "illegal": seat in self.episode.corrected}

    @property
    def _out_of_time(self) -> bool:
        return self.max_cycles is not None and self._cycles >= self.max_cycles and not self.episode.over


class ParallelTable(_Table, ParallelEnv):
    """All seats say a number at the same time."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start an episode; there is nothing to choose by `options`."""
        self._start(seed)
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let every agent say its number."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        got = self.episode.step({self._seat(agent): number_of(number) for agent, number in actions.items()})
        self._cycles += 1
        agents, over, late = self.agents, self.episode.over, self._out_of_time
        rewards = dict(zip(agents, got, strict=True))
        answer = self._observations(), rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, late)
        infos = self._infos()
        if over or late:
            self.agents = []
        self._show()
        return *answer, infos

    def _observations(self) -> dict[str, Observation]:
        observe = self.episode.observe
        return {agent: observe(seat) for seat, agent in enumerate(self.possible_agents)}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: self._info(agent) for agent in self.possible_agents}


class TurnTable(_Table, AECEnv):
    """The seats say their numbers one after the other; what they say stays hidden until the cycle is over.

    With `waits` every agent acts once in a cycle, those that are not asked by waiting. Without, only agents
    that are asked act, each until its answer is complete.
    """

    def __init__(self, terms: Terms, max_cycles: int | None, render_mode: str | None, *, waits: bool) -> None:
        AECEnv.__init__(self)
        _Table.__init__(self, terms, max_cycles, render_mode)
        self.waits = waits

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode; there is nothing to choose by `options`."""
        self._start(seed)
        agents = self.agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: self._info(agent) for agent in agents}
        self._skip_agent_selection = None
        self._begin_cycle()

    def _begin_cycle(self) -> None:
        waiting = [self.possible_agents[seat] for seat in self.episode.waiting]
        self._order = self.possible_agents[:] if self.waits else waiting
        self.agent_selection = self._order[0]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees."""
        return self.episode.observe(self._seats[agent])

    def step(self, action: Any) -> None:
        """Let the selected agent say its number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        self.episode.say(seat, number_of(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.waits or seat not in self.episode.waiting:
            self._order.pop(0)
        if self._order and self.episode.loser is None:
            self.infos[agent] = self._info(agent)
            self.agent_selection = self._order[0]
        else:
            self._end_cycle()

    def _end_cycle(self) -> None:
        got = self.episode.settle()
        self._cycles += 1
        self.rewards = dict(zip(self.agents, got, strict=True))
        self._accumulate_rewards()
        over, late = self.episode.over, self._out_of_time
        for agent in self.agents:
            self.terminations[agent], self.truncations[agent] = over, late
            self.infos[agent] = self._info(agent)
        if over or late:
            self.agent_selection = self.agents[0]
        else:
            self._begin_cycle()
        self._show()


def parallel_env(
    game: str = "base",
    players: int = 4,
    *,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    **wishes: Unpack[Wishes],
) -> ParallelTable:
    """Return a game as a parallel environment.

    >>> table = parallel_env("base", players=4)
    >>> observations, infos = table.reset(seed=7)
    >>> [int(number) for number in infos["player_0"]["action_mask"].nonzero()[0]]
    [18, 24, 28, 34, 38, 40, 44, 62, 71, 87]
    """
    return ParallelTable(Terms(game=game, players=players, **wishes), max_cycles, render_mode)


def env(
    game: str = "base",
    players: int = 4,
    *,
    waits: bool = True,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    **wishes: Unpack[Wishes],
) -> TurnTable:
    """Return a game as an environment whose agents act one after the other.

    >>> table = env("base", players=4, waits=False)
    >>> table.reset(seed=7)
    >>> table.agent_selection
    'player_0'
    """
    return TurnTable(Terms(game=game, players=players, **wishes), max_cycles, render_mode, waits=waits)

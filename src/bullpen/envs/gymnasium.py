"""Gymnasium: one seat of a game, the others being played by bots.

Importing this module registers an id for every game, `bullpen/Base-v0`, `bullpen/TwoHalves-v0` and so on:

    import bullpen.envs.gymnasium
    import gymnasium

    env = gymnasium.make("bullpen/Base-v0", players=4, opponents="medium")

Gymnasium imports it by itself in `gymnasium.make("bullpen.envs.gymnasium:bullpen/Base-v0")`. The observation
is one flat `Box` of bytes (`bullpen.envs.layout`), an action a number (`bullpen.envs.actions`), and
`info["action_mask"]` says which are legal. A step ends when the seat is asked again, so it never waits.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Unpack

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from bullpen.bots import Bot
from bullpen.bots.registry import check
from bullpen.engine import Seat
from bullpen.envs.actions import number_of
from bullpen.envs.drawing import RENDER_MODES, Renderer
from bullpen.envs.episode import Episode
from bullpen.envs.observing import Observation
from bullpen.envs.terms import BadTerms, Terms, Wishes
from bullpen.rulesets import own_games


class SeatEnv(gymnasium.Env):
    """One seat of a game against named bots: one name for all of them, or a name for each from the left on.

    >>> table = SeatEnv("base", players=3, opponents="random")
    >>> observation, info = table.reset(seed=7)
    >>> [int(number) for number in info["action_mask"].nonzero()[0]][:3]
    [18, 24, 28]
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str = "base",
        players: int = 4,
        *,
        seat: Seat = 0,
        opponents: str | Sequence[str] = "medium",
        render_mode: str | None = None,
        **wishes: Unpack[Wishes],
    ) -> None:
        self._episode = Episode(Terms(game=game, players=players, **wishes))
        if not 0 <= seat < players:
            raise BadTerms(f"There is no seat {seat}; the seats are 0 to {players - 1}.")
        names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != players - 1:
            raise BadTerms(f"There are {players - 1} opponents, but {len(names)} names for them.")
        for name in names:
            check(name, self._episode.rules.id)
        self._seat = seat
        self._names = {(seat + 1 + place) % players: name for place, name in enumerate(names)}
        self._bots: dict[Seat, Bot] = {}
        self.observation_space = Box(0, 255, (self._episode.observer.layout.size,), np.uint8)
        self.action_space = Discrete(self._episode.alphabet.size)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode; there is nothing to choose by `options`."""
        super().reset(seed=seed)
        self._episode.reset(seed)
        luck = int(self.np_random.integers(2**63))
        self._bots = {seat: Bot(name, f"{luck}/{seat}") for seat, name in self._names.items()}
        self._let_others_play()
        self._show()
        return self._episode.observe(self._seat), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Say a number, and let the others play until the seat is asked again."""
        self._episode.say(self._seat, number_of(action))
        reward = self._episode.settle()[self._seat] if self._episode.loser is not None else 0.0
        reward += self._let_others_play()
        self._show()
        return self._episode.observe(self._seat), reward, self._episode.over, False, self._info()

    def _let_others_play(self) -> float:
        episode, reward = self._episode, 0.0
        while not episode.over and self._seat not in episode.waiting:
            for other in episode.waiting:
                ask = episode.asking.asks[other]
                episode.asking.answer(other, self._bots[other].choose(episode.view(other), ask))
            reward += episode.settle()[self._seat]
        return reward

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self._episode.mask(self._seat),
            "illegal": self._seat in self._episode.corrected,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which numbers are legal, under the name that masked PPO implementations ask for."""
        return self._episode.mask(self._seat).astype(bool)

    def render(self) -> NDArray[np.uint8] | str | None:  # type: ignore[override,unused-ignore]
        """Draw what the seat sees."""
        return self._renderer.render(self._episode.view(self._seat))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the page of the `human` mode."""
        self._renderer.close()


def id_of(game: str) -> str:
    """Return the id under which a game is registered.

    >>> id_of("board-basic-luck")
    'bullpen/BoardBasicLuck-v0'
    """
    return f"bullpen/{''.join(word.capitalize() for word in game.split('-'))}-v0"


def register() -> None:
    """Register every game that is not registered yet, for as many players as it takes at least, or four."""
    for game, kind in own_games().items():
        if id_of(game) not in gymnasium.registry:
            counts = kind.player_range
            players = 4 if 4 in counts else counts[0]
            kwargs = {"game": game, "players": players}
            gymnasium.register(id_of(game), entry_point=f"{__name__}:SeatEnv", kwargs=kwargs)


register()

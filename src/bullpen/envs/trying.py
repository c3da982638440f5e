"""Whether a game can be played through the environments: what the conformance kit tries of them."""

import random
from importlib.util import find_spec
from typing import Any

from bullpen.engine import Ruleset
from bullpen.envs import pettingzoo


def try_game(kind: type[Ruleset[Any]], players: int, seed: int) -> str:
    """Play an episode through each environment that is installed, and return which these are."""
    _try_pettingzoo(kind, players, seed)
    if find_spec("pyspiel") is None:
        return "PettingZoo"
    _try_open_spiel(kind, players)
    return "PettingZoo and OpenSpiel"


def _try_pettingzoo(kind: type[Ruleset[Any]], players: int, seed: int) -> None:
    rng, env = random.Random(seed), pettingzoo.parallel_env(game=kind.id, players=players)
    observations, infos = env.reset(seed=seed)
    while env.agents:
        for agent in env.agents:
            space = env.observation_space(agent)
            assert observations[agent].shape == space.shape, (
                f"the observation has {observations[agent].size} bytes instead of {space.shape[0]}"
            )
        masks = {agent: infos[agent]["action_mask"] for agent in env.agents}
        chosen = {agent: rng.choice(mask.nonzero()[0].tolist()) for agent, mask in masks.items()}
        observations, _, _, _, infos = env.step(chosen)
    env.close()


def _try_open_spiel(kind: type[Ruleset[Any]], players: int) -> None:
    import pyspiel  # noqa: PLC0415 an extra of its own

    import bullpen.envs.open_spiel  # noqa: F401, PLC0415 registers the game

    loaded = pyspiel.load_game("python_bullpen", {"game": kind.id, "players": players})
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False, mask_test=True)

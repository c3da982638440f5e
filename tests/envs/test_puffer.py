"""The environment of PufferLib, where that is installed, beside the one of Gymnasium."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip(
    "pufferlib",
    reason="PufferLib needs PyTorch, which is not in the lock file: pip install torch psutil, then "
    "pip install --no-deps pufferlib-core",
)

from bullpen.envs.puffer import Puffer
from bullpen.envs.vector import VectorEnv


def test_the_callers_buffers_are_filled_with_what_the_vector_environment_says() -> None:
    games, players = 5, 3
    size = VectorEnv("mountain", players=players).layout.size
    agents = games * players
    buffers: dict[str, NDArray[Any]] = {
        "observations": np.full((agents, size), 77, np.uint8),
        "rewards": np.full(agents, 77, np.float32),
        "terminals": np.ones(agents, np.bool_),
        "truncations": np.ones(agents, np.bool_),
        "masks": np.ones(agents, np.bool_),
        "actions": np.zeros(agents, np.int32),
        "teacher_actions": np.zeros(agents, np.int32),
    }
    puffer = Puffer("mountain", players=players, num_envs=games, buf=buffers)
    envs = VectorEnv("mountain", players=players, num_envs=games, autoreset_mode="SameStep")
    puffer.reset(seed=3)
    seen, infos = envs.reset(seed=3)
    ends = 0
    for _ in range(30):
        assert np.array_equal(buffers["observations"], seen.reshape(agents, size))
        assert np.array_equal(puffer.legal, infos["action_mask"].reshape(agents, -1))
        actions = infos["action_mask"].argmax(2)
        *_, reports = puffer.step(actions.reshape(agents))
        seen, rewards, ended, _, infos = envs.step(actions)
        assert np.array_equal(buffers["rewards"], rewards.reshape(agents))
        assert np.array_equal(buffers["terminals"], np.repeat(ended, players))
        assert not buffers["truncations"].any()
        assert bool(reports) == bool(ended.any())
        ends += int(ended.sum())
    assert ends


def test_pufferlib_vectorizes_it() -> None:
    vector = pytest.importorskip("pufferlib.vector")
    envs = vector.make(Puffer, env_kwargs={"num_envs": 4, "players": 2}, num_envs=2, backend=vector.Serial)
    seen, _ = envs.reset(seed=1)
    assert seen.shape == (16, Puffer(players=2, num_envs=1).single_observation_space.shape[0])
    for _ in range(25):
        seen, *_ = envs.step(np.zeros(16, np.int32))
    envs.close()

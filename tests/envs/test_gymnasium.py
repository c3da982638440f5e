"""Gymnasium's own checker on every registered id; whatever it warns of is an error here."""

import pickle
import subprocess
import sys
import webbrowser

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from bullpen.bots import UnknownLevel
from bullpen.engine import IllegalChoice
from bullpen.envs.gymnasium import SeatEnv, id_of, register
from bullpen.envs.terms import BadTerms
from bullpen.rulesets import own_games


@pytest.fixture(autouse=True)
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "open", str)


@pytest.mark.parametrize("game", own_games())
def test_gymnasium_finds_nothing_wrong(game: str) -> None:
    check_env(gymnasium.make(id_of(game), opponents="random").unwrapped)


def test_gymnasium_imports_what_it_needs_by_itself() -> None:
    """It looks for no packages any more; the name of the module before the id takes the place of that."""
    made = "gymnasium.make('bullpen.envs.gymnasium:bullpen/Base-v0', players=3)"
    code = f"import gymnasium; print({made}.reset()[0].shape)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(257,)\n"


def test_registering_twice_changes_nothing() -> None:
    before = dict(gymnasium.registry)
    register()
    assert dict(gymnasium.registry) == before


@pytest.mark.parametrize("game", own_games())
def test_the_seat_is_always_asked_and_its_rewards_are_its_score(game: str) -> None:
    env = SeatEnv(game, players=3, opponents="random", seat=1, episode="game")
    _, info = env.reset(seed=4)
    total, over = 0.0, False
    while not over:
        assert not info["action_mask"][0]
        assert np.array_equal(env.action_masks(), info["action_mask"].astype(bool))
        action = int(info["action_mask"].nonzero()[0][-1])
        _, reward, over, late, info = env.step(action)
        assert not late
        total += reward
    result = env._episode.position.result
    assert result is not None
    assert abs(total) == abs(result.scores[1])
    assert info["action_mask"].nonzero()[0].tolist() == [0]


def test_stronger_bots_can_be_named_for_every_seat() -> None:
    env = gymnasium.make("bullpen/Base-v0", players=4, opponents=["easy", "medium", "random"], reward="win")
    _, info = env.reset(seed=1)
    rewards, over = [], False
    while not over:
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
        rewards.append(reward)
    assert not any(rewards[:-1])
    assert rewards[-1] in (0, 1, 1 / 2, 1 / 3, 1 / 4)


def test_the_same_seed_gives_the_same_opponents() -> None:
    def played() -> list[float]:
        env = gymnasium.make("bullpen/Open-v0", players=3, opponents="random")
        _, info = env.reset(seed=9)
        rewards, over = [], False
        while not over:
            _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
            rewards.append(reward)
        return rewards

    assert played() == played()


def test_a_pickled_environment_plays_on_alike() -> None:
    env = SeatEnv("base", players=2, opponents="random")
    _, info = env.reset(seed=2)
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(8):
        action = int(info["action_mask"].argmax())
        observation, reward, over, _, info = env.step(action)
        other = twin.step(action)
        assert np.array_equal(observation, other[0])
        assert (reward, over) == other[1:3]


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"seat": 4}, BadTerms, "There is no seat 4; the seats are 0 to 3."),
        ({"opponents": ["easy"]}, BadTerms, "There are 3 opponents, but 1 names for them."),
        ({"opponents": "nobody"}, UnknownLevel, "There is no bot 'nobody'"),
    ],
)
def test_bad_terms_get_a_sentence(wrong: dict[str, object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        SeatEnv("base", players=4, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("illegal", "cost"), [("lose", -171.0), ("raise", None)])
def test_illegal_actions_are_dealt_with_as_agreed(illegal: str, cost: float | None) -> None:
    env = SeatEnv("base", players=2, opponents="random", illegal=illegal)  # type: ignore[arg-type]
    env.reset(seed=1)
    if cost is None:
        with pytest.raises(IllegalChoice, match="Seat 0 cannot say 0 now"):
            env.step(0)
    else:
        assert env.step(0)[1:3] == (cost, True)

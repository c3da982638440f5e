"""PettingZoo's own tests, every game at three sizes; whatever they warn of is an error here."""

import pickle
import types
import webbrowser
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.state_test import state_test

from bullpen.engine import IllegalChoice, NoSeat, UnknownGame
from bullpen.envs import pettingzoo as zoo
from bullpen.envs.terms import BadTerms
from tests.envs.tables import SOAK, TABLES


@pytest.fixture(autouse=True)
def pages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    opened: list[str] = []

    def note(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    return opened


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_pettingzoo_finds_nothing_wrong(game: str, players: int) -> None:
    env: Callable[..., zoo.TurnTable] = partial(zoo.env, game, players=players)
    parallel_env = partial(zoo.parallel_env, game, players=players)
    api_test(env(), num_cycles=100 * SOAK)
    api_test(env(waits=False), num_cycles=100 * SOAK)
    parallel_api_test(parallel_env(), num_cycles=100 * SOAK)
    seed_test(env, num_cycles=50 * SOAK)
    parallel_seed_test(parallel_env, num_cycles=50 * SOAK)
    state_test(env(), parallel_env(), num_cycles=5 * SOAK)
    max_cycles_test(types.SimpleNamespace(env=env, parallel_env=parallel_env))
    render_test(env)


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("game", ["base", "nifty", "hand", "board-expert"])
def test_both_kinds_play_the_same_game(game: str, waits: bool) -> None:
    """The same seed and the same numbers lead to the same end, and the rewards add up to the same."""
    parallel = zoo.parallel_env(game, players=3)
    observations, infos = parallel.reset(seed=5)
    turns = zoo.env(game, players=3, waits=waits)
    turns.reset(seed=5)
    got, other = dict.fromkeys(parallel.possible_agents, 0.0), dict.fromkeys(parallel.possible_agents, 0.0)
    while parallel.agents:
        numbers = {agent: _last(info["action_mask"]) for agent, info in infos.items()}
        observations, rewards, _, _, infos = parallel.step(numbers)
        for agent, reward in rewards.items():
            got[agent] += reward
    for agent in turns.agent_iter():
        _, reward, over, late, info = turns.last()
        other[agent] += reward
        turns.step(None if over or late else _last(info["action_mask"]))
    assert got == other
    for agent, seen in observations.items():
        assert np.array_equal(seen, turns.observe(agent))


def _last(mask: np.ndarray) -> int:
    return int(mask.nonzero()[0][-1])


@pytest.mark.parametrize("make", [zoo.parallel_env, zoo.env])
def test_a_pickled_environment_plays_on_alike(make: Callable[..., zoo.ParallelTable]) -> None:
    table = make("anniversary", players=3, episode="game")
    table.reset(seed=3)
    twin = pickle.loads(pickle.dumps(table))
    assert np.array_equal(table.state(), twin.state())
    assert twin.episode.legal(0) == table.episode.legal(0)
    for episode in (table.episode, twin.episode):
        while not episode.over:
            episode.step({seat: episode.legal(seat)[-1] for seat in range(3)})
    assert twin.episode.position == table.episode.position


def test_without_a_seed_every_episode_is_another_one() -> None:
    table = zoo.parallel_env("base", players=2)
    first, second = table.reset(seed=7)[0], table.reset()[0]
    assert not np.array_equal(first["player_0"], second["player_0"])
    assert np.array_equal(first["player_0"], table.reset(seed=7)[0]["player_0"])
    assert np.array_equal(second["player_0"], table.reset()[0]["player_0"])


def test_an_illegal_number_is_replaced_and_told() -> None:
    table = zoo.parallel_env("base", players=2)
    _, infos = table.reset(seed=7)
    first = int(infos["player_0"]["action_mask"].argmax())
    *_, infos = table.step({"player_0": 243, "player_1": 200})
    assert infos["player_0"]["illegal"]
    assert first not in table.episode.position.hands[0]


@pytest.mark.parametrize("nonsense", [None, 3.5, "44", -1, 10**9, np.int64(-5)])
def test_nonsense_is_as_illegal_as_a_wrong_number(nonsense: object) -> None:
    table = zoo.parallel_env("base", players=2, illegal="raise")
    _, infos = table.reset(seed=7)
    with pytest.raises(IllegalChoice, match=r"Seat 0 cannot say -?[0-9]+ now"):
        table.step({"player_0": nonsense, "player_1": _last(infos["player_1"]["action_mask"])})
    with pytest.raises(NoSeat, match="There is no agent 'player_2'"):
        table.step({"player_2": 1})


def test_an_illegal_number_raises_and_changes_nothing() -> None:
    table = zoo.parallel_env("base", players=2, illegal="raise")
    _, infos = table.reset(seed=7)
    legal = int(infos["player_0"]["action_mask"].argmax())
    before = table.state()
    with pytest.raises(IllegalChoice, match="Seat 1 cannot say 0 now; it may say "):
        table.step({"player_0": legal, "player_1": 0})
    assert np.array_equal(before, table.state())
    assert table.episode.legal(0)[0] == legal


@pytest.mark.parametrize(("reward", "cost"), [("bullheads", -171.0), ("rank", -1.0), ("win", -1.0)])
def test_an_illegal_number_loses_where_that_is_agreed(reward: str, cost: float) -> None:
    table = zoo.env("base", players=3, illegal="lose", reward=reward)  # type: ignore[arg-type]
    table.reset(seed=7)
    table.step(_last(table.infos["player_0"]["action_mask"]))
    table.step(0)
    assert table.rewards == {"player_0": 0.0, "player_1": cost, "player_2": 0.0}
    assert all(table.terminations.values())
    assert all(info["action_mask"].nonzero()[0].tolist() == [0] for info in table.infos.values())


def test_the_human_mode_opens_one_page_and_takes_it_away(pages: list[str]) -> None:
    table = zoo.parallel_env("base", players=2, render_mode="human")
    table.reset(seed=7)
    table.step({})
    (page,) = pages
    assert 'src="table.svg"' in _read(page)
    assert "<svg" in _read(page.rsplit("/", 1)[0] + "/table.svg")
    table.close()
    with pytest.raises(FileNotFoundError):
        _read(page)


def _read(address: str) -> str:
    from pathlib import Path
    from urllib.parse import urlparse

    return Path(urlparse(address).path).read_text("utf-8")


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"reward": "money"}, BadTerms, "reward is one of bullheads, rank, win, not 'money'."),
        ({"illegal": 3}, BadTerms, "illegal is one of first, raise, lose, not '3'."),
        ({"render_mode": "3d"}, BadTerms, "render_mode is one of human, ansi, rgb_array, not '3d'."),
        ({"game": "chess"}, UnknownGame, "There is no game 'chess'"),
    ],
)
def test_bad_terms_get_a_sentence(wrong: dict[str, object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        zoo.parallel_env(**{"players": 3, **wrong})  # type: ignore[arg-type]

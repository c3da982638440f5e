"""Running on a cluster: the same portions of work, handed out by a stand-in and by a real Ray."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest

from bullpen.arena.cluster import on_cluster
from bullpen.arena.errors import ArenaError
from bullpen.arena.match import Match
from bullpen.arena.results import Results
from bullpen.arena.run import one_process, run
from tests.arena.tables import ONE_ROUND


class Task:
    """A function whose calls are noted and done when they are fetched."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def remote(self, *args: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.function, args


class Ray(ModuleType):
    """As much of Ray as a runner uses; the latest call ends first, as may happen on a real cluster."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.started: list[dict[str, Any]] = []
        self.stopped = 0
        self.most_open = 0

    def init(self, **settings: Any) -> None:
        self.started.append(settings)

    def shutdown(self) -> None:
        self.stopped += 1

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def remote(self, **settings: Any) -> type[Task]:
        return Task

    def wait(self, calls: list[Any]) -> tuple[list[Any], list[Any]]:
        self.most_open = max(self.most_open, len(calls))
        return calls[-1:], calls[:-1]

    def get(self, calls: list[Any]) -> list[Any]:
        return [function(*args) for function, args in calls]


def test_a_cluster_plays_the_same_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    match = Match(game="base", players=2, bots=("random", "random~0.5"), deals=20, options=dict(ONE_ROUND))
    here, there = Results(tmp_path / "here"), Results(tmp_path / "there")
    assert sum(run([match], here, one_process)) == sum(run([match], there, on_cluster("auto"))) == 40
    assert all(one.same_game(other) for one, other in zip(here.read(), there.read(), strict=True))
    assert ray.started[0]["address"] == "auto"
    assert ray.stopped == 1
    assert ray.most_open == 8


def test_without_ray_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ArenaError, match="A cluster needs Ray"):
        on_cluster()


def test_a_wrong_address_gets_a_sentence_at_once(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(ArenaError, match=f"There is no Ray cluster at {address}: "):
            sum(
                run(
                    [Match(game="base", players=2, bots=("easy",))],
                    Results(tmp_path / "r"),
                    on_cluster(address),
                )
            )


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (
            RuntimeError("Token authentication is enabled but no token was found.\nMore."),
            "the cluster at auto: Token authentication is enabled",
        ),
        (SystemExit(15), "the cluster at auto. A cluster that wants a token needs"),
    ],
)
def test_a_cluster_that_cannot_be_joined_gets_a_sentence(
    failure: BaseException, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = Ray()
    monkeypatch.setattr(ray, "init", Mock(side_effect=failure))
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(ArenaError, match=says):
        sum(run([Match(game="base", players=2, bots=("easy",))], Results(tmp_path / "r"), on_cluster("auto")))


def test_two_workers_of_a_real_ray_play_the_same_games(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray has no wheel for every platform and Python")
    match = Match(game="base", players=2, bots=("easy", "random"), deals=10, options=dict(ONE_ROUND))
    here, there = Results(tmp_path / "here"), Results(tmp_path / "there")
    assert sum(run([match], here, one_process)) == sum(run([match], there, on_cluster(workers=2))) == 20
    assert all(one.same_game(other) for one, other in zip(here.read(), there.read(), strict=True))

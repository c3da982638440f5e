"""What a network is told in training and in play is what it was told when it learned."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training.telling import Seen, tell

from bullpen.bots.compiled import piece
from bullpen.bots.estimates.compiled_view import Hand, new_eyes
from bullpen.bots.network.features import EXACT, MORE, PLAY, SCENE, Inputs, describe, new_inputs
from bullpen.fast.batch import empty_table
from bullpen.fast.convert import as_set
from bullpen.fast.games import plan_for
from bullpen.fast.rules import Table
from tests.bots.situations import GAMES

TOLD = Path(__file__).parent / "told.npz"


# Compiled anew in every run: a cache would not notice that what is called here has changed.
@piece
def look(code: Any, table: Any, eyes: Any, me: Any, told: Any) -> int:
    return describe(code, table, 0, eyes, me, told)


@pytest.fixture(scope="module")
def golden() -> Mapping[str, Any]:
    with np.load(TOLD) as parts:
        return dict(parts)


def told_in_play(one: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """The plays, and what play tells the network of them and of the scene."""
    players = int(one["players"])
    plan, table = plan_for(str(one["game"]), players), empty_table(1, players, log=0)
    table.ends[0], table.rows[0, :, 0] = one["ends"], one["firsts"]
    table.counts[0], table.heads[0], table.mark[0] = one["counts"], one["heads"], one["mark"]
    own, unseen = (as_set(np.flatnonzero(one[name]).tolist()) for name in ("hand", "unseen"))
    me = Hand(
        low=own[0],
        high=own[1],
        unseen_low=unseen[0],
        unseen_high=unseen[1],
        players=players,
        flip=bool(one["own_flip"]),
        others_flips=int(one["other_flips"]),
        later=int(one["later"]),
        digits=plan.digits,
        wild=float(one["wild"]),
    )
    eyes, told = new_eyes(), new_inputs()
    size = look(plan.code, table, eyes, me, told)
    return (eyes.cards[:size], eyes.values[:size]), told.plays[:size], told.scene


@pytest.mark.parametrize("game", GAMES)
def test_the_network_is_told_the_same_in_training_and_in_play(game: str, golden: Mapping[str, Any]) -> None:
    places = np.flatnonzero(golden["game"] == game)
    assert len(places) > 5
    for s in places:
        one = {name: part[s] for name, part in golden.items() if part.ndim}
        listed, plays, scene = told_in_play(one)
        size = int(one["plays_there"])
        assert (listed[0].tolist(), listed[1].tolist()) == (
            one["cards"][:size].tolist(),
            one["values"][:size].tolist(),
        )
        assert plays.shape == (size, PLAY)
        assert scene.shape == (SCENE,)
        assert plays == pytest.approx(one["plays"][:size], abs=1e-5)
        assert scene == pytest.approx(one["scenes"], abs=1e-5)


@pytest.mark.parametrize("game", GAMES)
def test_training_tells_the_same_of_many_positions_at_once(game: str, golden: Mapping[str, Any]) -> None:
    """The numbers that the shipped networks learned with, by the kernel that training calls."""
    places = np.flatnonzero(golden["game"] == game)
    for players in set(golden["players"][places].tolist()):
        some = {name: part[places[golden["players"][places] == players]] for name, part in golden.items()}
        plays, scenes = told_in_training(some, players)
        size = int(some["plays_there"].max())
        there = np.arange(size) < some["plays_there"][:, None]
        assert plays[there] == pytest.approx(some["plays"][:, :size][there], abs=1e-5)
        assert scenes == pytest.approx(some["scenes"], abs=1e-5)


def told_in_training(some: Mapping[str, Any], players: int) -> tuple[Any, Any]:
    """What training tells the network of all plays and scenes of situations with as many players."""
    plan, most = plan_for(str(some["game"][0]), players), int(some["plays_there"].max())
    table = empty_table(len(some["game"]), players, log=0)
    table.ends[:], table.rows[:, :, 0] = some["ends"], some["firsts"]
    table.counts[:], table.heads[:], table.mark[:] = some["counts"], some["heads"], some["mark"]
    hand = np.where(some["hand"], np.arange(105), 0)
    later = set(some["later"].tolist())
    plays, scenes = np.zeros((len(hand), most, PLAY), np.float32), np.zeros((len(hand), SCENE), np.float32)
    for value in later:
        same = some["later"] == value
        seen = Seen(
            hand[same], some["unseen"][same], some["own_flip"][same], some["other_flips"][same],
            some["wild"][same].astype(np.float32), players, value, plan.digits,
        )  # fmt: skip
        part = Table(*(array[same] for array in table))
        options = tuple(some[name][same, :most].astype(np.int64) for name in ("cards", "values"))
        told = Inputs(np.zeros_like(plays[same]), np.zeros_like(scenes[same]), EXACT, MORE)
        tell(plan.code, part, seen, (options[0], options[1]), told)
        plays[same], scenes[same] = told.plays, told.scene
    return plays, scenes


def test_training_says_what_was_written_down(golden: Mapping[str, Any]) -> None:
    pytest.importorskip("torch", reason="PyTorch is needed to train only")
    from training.golden import told

    plays, scenes = told(golden)
    assert plays == pytest.approx(golden["plays"], abs=1e-6)
    assert scenes == pytest.approx(golden["scenes"], abs=1e-6)

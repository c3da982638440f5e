"""The networks of the boards: what they are told, what they say, and what they learn from."""

import random
from pathlib import Path

import numpy as np
import pytest
from training import board_decisions

from bullpen.bots.games.heuristic_games import BOARDS
from bullpen.bots.network.board_features import (
    ABOVE,
    BEST,
    CHANCES,
    FIVE,
    GAIN,
    GAINS,
    INPUTS,
    LOW,
    NUMBER,
    OWN_ABOVE,
    OWN_BELOW,
    PRICE,
    ROOMS,
    SHARE,
)
from bullpen.bots.network.board_network import judge_tiles, load, plain_marks, untaught
from bullpen.bots.search import boards
from bullpen.bots.search.worlds import GUIDES
from bullpen.engine import Ask, PlayCard, View
from bullpen.fast.twins.board_state import BoardPlan
from tests.bots.board_situations import TOLD, inquiry, situations, told
from tests.bots.test_imagined import questions
from tests.bots.test_worlds import laid

WORLDS = 200


def test_what_is_told_is_what_was_told_when_the_network_learned() -> None:
    with np.load(TOLD) as written:
        then = dict(written)
    now = {name: told(inquiry(seen, ask)) for name, seen, ask in situations()}
    assert now.keys() == then.keys()
    for name, numbers in now.items():
        assert numbers == pytest.approx(then[name].astype(np.float32), abs=2e-3, rel=2e-3), name


@pytest.mark.parametrize("game", BOARDS)
def test_a_seat_is_told_the_same_of_every_world_and_the_network_says_what_plain_numpy_does(game: str) -> None:
    compared, (gains, habits) = 0, load()
    for seen, ask in questions(game, 3, seed=4, most=8):
        if ask.kind != "commit":
            continue
        one, other = inquiry(seen, ask, seed=1), inquiry(seen, ask, seed=2)
        hands = [each.desk.world.state.hands[0].tolist() for each in (one, other)]
        assert hands[0] != hands[1]
        assert told(one).tolist() == told(other).tolist()
        tiles = dict(zip(sorted(seen.hand), plain_marks(gains, told(one)).tolist(), strict=True))
        expected = [
            tiles[number & 127] + (tiles[number >> 7] if number >> 7 else 0.0)
            for number in one.numbers.tolist()
        ]
        assert one.gains.tolist() == pytest.approx(expected, rel=1e-3, abs=1e-3)
        eyes = one.desk.eyes
        judge_tiles(one.plan, one.desk.world.state.games[0], one.desk.seat, eyes.own, habits, eyes.page)
        likely = plain_marks(habits, told(one))
        assert eyes.own.gains[: len(likely)] == pytest.approx(likely, rel=1e-3, abs=1e-3)
        compared += 1
    assert compared > 1


def test_what_a_tile_is_told_by() -> None:
    """44 and 46 go to row 10 (43 lies there, a space short of the last), 4 is lower than all rows."""
    rows = {9: [40, 43], 4: [90], 3: [60], 0: [10]}
    game = laid("board-basic", rows, [[4, 44, 46, 70], [3, 6, 8, 12]], deals=2)
    seen = game.view(0)
    assert seen.ask is not None
    low, first, second, high = told(inquiry(seen, seen.ask))
    assert [tile[NUMBER] for tile in (low, first, second, high)] == pytest.approx([0.04, 0.44, 0.46, 0.7])
    assert [tile[LOW] for tile in (low, first, second, high)] == [1, 0, 0, 0]
    # 91 tiles have not been seen: three below 4, none between 43 and 44, one below 46 and nine below 70.
    assert [tile[SHARE] * 91 for tile in (low, first, second, high)] == pytest.approx([3, 0, 1, 9])
    assert [tile[OWN_BELOW] for tile in (first, second)] == [0, 0.25]
    assert [tile[OWN_ABOVE] for tile in (first, second)] == [0.25, 0]
    assert low[ABOVE] * 91 == pytest.approx(5)
    # Nobody can come before 44: it lands on a space that brings six points. A second tile would take the row.
    assert (first[GAINS], first[CHANCES], first[ROOMS + 1]) == pytest.approx((6 / FIVE, 1, 1))
    assert first[GAIN] == pytest.approx(6 / FIVE)
    assert first[PRICE] < 0
    assert high[BEST] == pytest.approx(first[GAIN] - high[GAIN])


def test_a_network_that_has_learned_nothing_says_what_the_heuristic_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GUIDES, BoardPlan, boards.guide_with(lambda: (untaught(), untaught())))
    for seen, ask in questions("board-expert-luck", 4, seed=3, most=6):
        if ask.kind == "commit":
            by_network = inquiry(seen, ask)
            tiles = dict(zip(sorted(seen.hand), (FIVE * told(by_network)[:, GAIN]).tolist(), strict=True))
            expected = [
                tiles[number & 127] + (tiles[number >> 7] if number >> 7 else 0.0)
                for number in by_network.numbers.tolist()
            ]
            assert by_network.gains.tolist() == pytest.approx(expected, abs=1e-4)


def test_decisions_hold_what_the_search_found_and_what_the_network_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(board_decisions, "STRAY", 0.0)
    seen, ask = next(each for each in questions("board-basic", 4, seed=3, most=3) if each[1].kind == "commit")
    choice, found = board_decisions.by_search(random.Random(2))(seen, ask)
    assert found.sizes.tolist() == [len(found.values)] == [min(12, len(ask.options))]
    assert found.tiles.shape == (len(found.values), 2, INPUTS)
    assert found.values.std() > 0
    hand, best = sorted(seen.hand), int(found.values.argmax())
    assert isinstance(choice, PlayCard)
    rows = told(inquiry(seen, ask)).astype(np.float16)
    assert found.tiles[best, 0].tolist() == rows[hand.index(choice.card)].tolist()
    assert not found.tiles[:, 1].any()


def two_tiles() -> tuple[View, Ask]:
    """Return the choice of two tiles of three."""
    rows = {8: [40], 4: [90], 3: [60], 0: [10]}
    seen = laid("board-basic", rows, [[44, 46, 70], [3, 6, 8]], deals=2).view(0)
    assert seen.ask is not None
    return seen, seen.ask


def test_decisions_about_pairs_hold_both_tiles() -> None:
    _, found = board_decisions.by_search(random.Random(1))(*two_tiles())
    assert found.sizes.tolist() == [3]
    assert found.tiles.any(-1).all()


def test_decisions_of_levels_hold_which_option_was_chosen() -> None:
    seen, ask = two_tiles()
    choice, found = board_decisions.by_level("medium", random.Random(1))(seen, ask)
    assert found.values.tolist() == [float(option == choice) for option in ask.options]
    assert found.values.sum() == 1


def test_games_of_levels_and_of_the_search_yield_their_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_decisions, "BOARDS", ("board-basic",))
    monkeypatch.setattr(board_decisions, "TABLES", (2,))
    monkeypatch.setattr(board_decisions, "LEVELS", ("medium", "easy", "medium"))
    monkeypatch.setattr(board_decisions, "WORLDS", 2)
    chosen = board_decisions.together([*board_decisions.play_game(True, random.Random(3))])
    tried = board_decisions.together([*board_decisions.play_game(False, random.Random(3))])
    assert chosen.values.sum() == len(chosen.sizes) > 20
    assert len(tried.sizes) > 20
    for found in (chosen, tried):
        assert found.sizes.sum() == len(found.values) == len(found.tiles)


def test_others_choose_by_habit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those used to low tiles choose the lowest far more often than those used to high ones."""

    def share_of_lowest(sign: float) -> float:
        habits = untaught()
        habits.wide_weight[:] = 0
        habits.wide_weight[NUMBER, 0], habits.deep_weight[0, 0], habits.mark_weight[0, 0] = 1, 20, sign
        monkeypatch.setitem(GUIDES, BoardPlan, boards.guide_with(lambda: (untaught(), habits)))
        seen, ask = two_tiles()
        asked = inquiry(seen, ask)
        lowest = 0
        for _ in range(WORLDS):
            asked.try_in_worlds(np.array([0]), 1)
            hand = asked.desk.world.state.hands[0, 1, :3].tolist()
            chosen = int(asked.desk.world.choices[0, 1])
            lowest += min(hand) in (chosen & 127, chosen >> 7)
        return lowest / WORLDS

    assert share_of_lowest(-5) > 0.8
    assert share_of_lowest(5) < 0.4


def test_networks_learn_what_is_chosen_and_what_it_brings(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="PyTorch is needed to train only")
    from training.boards import GAINS, HABITS, fit

    rng = np.random.default_rng(1)
    tiles = np.zeros((6000, 2, INPUTS), np.float16)
    tiles[:, 0] = rng.random((6000, INPUTS))
    worth = tiles[:, 0, NUMBER].astype(np.float32)
    chosen = worth.reshape(-1, 3) == worth.reshape(-1, 3).max(1, keepdims=True)
    sizes = np.full(2000, 3, np.int32)
    for lesson, values in ((HABITS, chosen.ravel().astype(np.float32)), (GAINS, 4 * worth)):
        learned = fit(lesson, board_decisions.Decisions(tiles, sizes, values), tmp_path)
        marks = plain_marks(learned, tiles[:, 0].astype(np.float32))
        assert np.corrcoef(marks, worth)[0, 1] > 0.9
        assert (tmp_path / f"{lesson.name}.csv").read_text().count("\n") == lesson.turns + 1

"""The compiled search of the boards and of Nifty: its playouts answer as the heuristic does."""

import random
from collections import Counter
from itertools import chain
from typing import Any

import pytest

import bullpen
from bullpen.bots import player
from bullpen.bots.games.heuristic_games import BOARDS, HEURISTICS
from bullpen.bots.registry import Mind
from bullpen.bots.search import boards, nifty, worlds
from bullpen.bots.search.any_game import weigh
from bullpen.engine import Choice, PlayPair, StartRow, UseSpecial, view
from bullpen.fast import NotCovered
from bullpen.fast.twins.board_state import BoardPlan
from bullpen.positions import position
from bullpen.rulesets import make
from bullpen.testing import eagerly, step
from bullpen.testing.secrecy import permuted
from tests.bots.test_imagined import questions

QUICK = boards.EFFORT._replace(playouts=60)
GAMES = (*BOARDS, "nifty")


def answer(game: Any, seat: int = 0) -> Choice:
    """Return what `expert` answers to the open question of a seat."""
    seen = game.view(seat)
    return player("expert", 1).choose(seen, seen.ask)


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every trick on the boards be a later one, in which everybody goes by the heuristic."""
    guide = worlds.GUIDES[BoardPlan]
    later = guide._replace(new_eyes=lambda start: guide.new_eyes(start)._replace(trick=-1))
    monkeypatch.setitem(worlds.GUIDES, BoardPlan, later)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("game", GAMES)
def test_what_options_bring_is_what_the_heuristic_says(game: str) -> None:
    kinds = set()
    for players in (2, 4, max(make(game, 2).player_counts({}))):
        for seen, ask in questions(game, players, seed=7 * players, most=6):
            mind = Mind(1, seen, ask)
            costs = weigh(seen, ask, mind, HEURISTICS[game])
            gains = worlds.Inquiry(seen, ask, mind, QUICK).gains
            assert gains.tolist() == pytest.approx([-cost for cost in costs]), (players, ask)
            kinds.add(ask.kind)
    assert "commit" in kinds
    expected = {"nifty": 3, "board-basic": 1, "board-basic-luck": 4, "board-expert": 3}
    assert len(kinds) == expected.get(game, 6)


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_played_at_the_smallest_and_the_largest_table(game: str) -> None:
    for players in (2, 6):
        running = bullpen.new_game(game, players, seed=players)
        kinds = set()
        while not running.over:
            ask = running.asks[0]
            seen = running.view(ask.seats[0])
            if ask.seats[0] == 0 and len(ask.options) > 1:
                kinds.add(ask.kind)
                choice = worlds.search(seen, ask, Mind(3, seen, ask), QUICK)
            else:
                choice = player("medium", 3).choose(seen, ask)
            running.choose(ask.seats[0], choice)
        assert "commit" in kinds


@pytest.mark.parametrize("game", GAMES)
def test_hidden_tiles_and_cards_change_no_choice(game: str) -> None:
    rng = random.Random(game)
    running = bullpen.new_game(game, 3, seed=5)
    for _ in range(6):
        ask = running.asks[0]
        seat = ask.seats[0]
        other = permuted(running.rules, running.position, seat, rng)
        assert other.hands != running.position.hands
        seen = [view(running.rules, one, seat) for one in (running.position, other)]
        searched = [worlds.Inquiry(each, ask, Mind(2, each, ask), QUICK) for each in seen]
        assert searched[0].best() == searched[1].best()
        assert searched[0].sums.tolist() == searched[1].sums.tolist()
        for _ in range(5):
            step(running, rng, eagerly)


def test_the_same_seed_gives_the_same_choice() -> None:
    seen, ask = questions("board-expert-luck", 4, seed=3, most=1)[0]
    sums = [worlds.Inquiry(seen, ask, Mind(seed, seen, ask), QUICK) for seed in (1, 1, 2)]
    assert len({inquiry.best() for inquiry in sums[:2]}) == 1
    sums[2].best()
    assert sums[0].sums.tolist() == sums[1].sums.tolist() != sums[2].sums.tolist()


def test_a_search_stops_when_it_is_told_to() -> None:
    seen, ask = questions("board-basic", 3, seed=2, most=1)[0]
    inquiry = worlds.Inquiry(seen, ask, Mind(1, seen, ask, stop=lambda: True), boards.EFFORT)
    assert inquiry.best() in range(len(ask.options))
    assert inquiry.tried == worlds.CHUNK


def test_what_the_twin_does_not_take_is_played_by_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: Any) -> Choice:
        raise NotCovered("The board is too large.")

    monkeypatch.setattr(worlds, "search", refuse)
    for game, level in (("board-basic", "expert"), ("nifty", "hard"), ("nifty", "expert")):
        seen, ask = questions(game, 2, seed=2, most=1)[0]
        assert player(level, 1, stop=lambda: True).choose(seen, ask) in ask.options


def test_where_there_is_little_to_choose_from_few_worlds_are_enough() -> None:
    effort = nifty.EFFORTS["expert"]
    for kind in ("choose_order", "commit"):
        seen, ask = next(each for each in questions("nifty", 4, seed=3, most=12) if each[1].kind == kind)
        inquiry = worlds.Inquiry(seen, ask, Mind(1, seen, ask), effort)
        inquiry.best()
        stages = max(1, (min(effort.candidates, len(ask.options)) - 1).bit_length())
        assert 0 < inquiry.tried <= stages * effort.worlds


def test_a_pair_does_not_fill_a_row_that_only_one_of_it_fits_into() -> None:
    """The first row is full: whoever adds to it takes it; 88 and 90 go where there is room."""
    rows = [[11, 22, 33, 35, 40], [87], [5], [20]]
    game = position("nifty", rows, [[41, 42, 88, 90], [1, 2, 3, 4]])
    for level in ("hard", "expert"):
        seen = game.view(0)
        assert seen.ask is not None
        assert player(level, 1).choose(seen, seen.ask) == PlayPair(88, 90)


# What is clearly right, game by game. The rows of our own boards are those of rulesets/boards/board.json.


def laid(game: str, rows: dict[int, list[int]], hands: list[list[int]], **fields: Any) -> Any:
    """Return a game with these rows, their tiles side by side from the first space on."""
    lying = [rows.get(row, []) for row in range(10)]
    spaces = tuple(tuple(range(len(tiles))) for tiles in lying)
    rules: Any = make(game, len(hands))
    for family, pile in (("actions", "action_deck"), ("luck", "luck_piles")):
        held = fields.setdefault(family, [[] for _ in hands])
        fields[pile] = list((Counter(rules.universe(family)) - Counter(chain(*held))).elements())
    return position(game, lying, hands, spaces=spaces, **fields)


def test_two_tiles_do_not_meet_where_there_is_room_for_one() -> None:
    """Each of 44 and 46 alone would bring six; the second one takes the row."""
    game = laid("board-basic", {9: [40, 43], 4: [90], 3: [60], 0: [10]}, [[44, 46, 70], [4, 6, 8]], deals=2)
    seen = game.view(0)
    assert player("medium", 1).choose(seen, seen.ask) == PlayPair(44, 46)
    assert answer(game) in (PlayPair(44, 70), PlayPair(46, 70))


def test_luck_is_used_where_it_helps_most() -> None:
    """Minus three becomes plus five, and this is the last tile."""
    rows = {3: [40, 41], 0: [10], 1: [60], 2: [80]}
    game = laid(
        "board-basic-luck", rows, [[], []], deals=2, table=[(44, 0), (70, 1)], luck=[["plus-five"], []]
    )
    assert answer(game) == UseSpecial("plus-five")


def test_a_tile_skips_the_space_that_hurts() -> None:
    """Minus seven is next, then plus five."""
    rows = {2: [40, 41], 0: [10], 1: [60], 3: [80]}
    game = laid("board-expert", rows, [[3], [5]], table=[(44, 0), (70, 1)], actions=[["skip"], []])
    assert answer(game) == UseSpecial("skip")


def test_a_tile_with_many_oxen_starts_where_oxen_count() -> None:
    """The tile 63, which has five oxen, takes the topmost row; three other rows count them at once."""
    rows = {0: [40, 41, 42], 1: [10], 3: [80], 6: [90]}
    game = laid("board-expert-luck", rows, [[3], [5]], table=[(63, 0), (95, 1)], scores=[-5, 0])
    choice = answer(game)
    assert isinstance(choice, StartRow)
    assert choice.row in (2, 4, 7)

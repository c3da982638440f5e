"""Games with a course of their own: what their network is told, what it says, and the search with it."""

import random

import numpy as np
import pytest

import bullpen
from bullpen import bots
from bullpen.bots import Mind
from bullpen.bots.network.course_features import HAND, SCENE, UNSEEN, Told, describe_game, new_told
from bullpen.bots.network.course_network import Weights, load_for, plain_costs
from bullpen.bots.search.course import Search
from bullpen.engine import Position, Seeded, imagine, new_game, submit, view
from bullpen.fast import NotCovered, from_position, from_view, number_of
from bullpen.fast.twins.starts import TwinStart
from bullpen.positions import position
from bullpen.rulesets import find, make
from tests.bots.tables import play_round
from tests.conftest import SOAK

GAMES = ("open", "hand")


def told_of(table: bullpen.Game, where: Position, seat: int, numbers: list[int]) -> Told:
    """What the network is told of a whole position."""
    start = from_position(table.rules, where, seat)
    assert isinstance(start, TwinStart)
    told = new_told(len(numbers))
    describe_game(start.plan, start.state, 0, seat, np.array(numbers, np.uint16), told)
    return told


@pytest.mark.parametrize("game", GAMES if SOAK else ("hand",))
def test_the_network_is_told_what_a_seat_sees_and_says_what_plain_numpy_does(game: str) -> None:
    luck = random.Random(game)
    table = bullpen.new_game(game, 3, seed=5)
    kinds, asked = set(), 0
    while not table.over and asked < 90:
        asked += 1
        ask = table.asks[0]
        seat = ask.seats[0]
        seen = table.view(seat)
        numbers = [number_of(option, seen.position, game) for option in ask.options]
        told = told_of(table, table.position, seat, numbers)
        in_mind = told_of(table, imagine(table.rules, seen, luck), seat, numbers)
        for field, real, imagined in zip(Told._fields, told, in_mind, strict=True):
            assert np.array_equal(real, imagined), (game, ask.kind, field)
        hand = np.bincount(np.array(seen.hand, np.int64), minlength=105)
        assert told.scene[HAND : HAND + 105].tolist() == hand.tolist()
        start = from_view(seen)
        assert isinstance(start, TwinStart)
        assert told.scene[UNSEEN : UNSEEN + 105].sum() == len(start.hidden.pool)
        search = Search(seen, ask, load_for(game), Mind(1, seen, ask))
        costs = dict(zip(numbers, plain_costs(load_for(game), told).tolist(), strict=True))
        expected = [costs[number] for number in search.inquiry.candidates.tolist()]
        assert search.opinion.tolist() == pytest.approx(expected, rel=1e-3, abs=1e-3)
        kinds.add(ask.kind)
        table.choose(seat, luck.choice(ask.options))
    assert asked > 40
    assert len(kinds) > 1


def test_an_answer_costs_what_the_layers_say() -> None:
    told = Told(np.ones(SCENE, np.float32), np.ones((2, 1), np.float32), np.array([[0, 0], [0, 3]]))
    cards = np.zeros((105, 2), np.float32)
    cards[3] = 4, -9
    net = Weights(
        scene_weight=np.full((SCENE, 2), 2 / SCENE, np.float32),
        scene_bias=np.zeros(2, np.float32),
        option_weight=np.ones((1, 2), np.float32),
        card_weight=cards,
        deep_weight=np.ones((2, 1), np.float32),
        deep_bias=np.array([-1], np.float32),
        cost_weight=np.array([[0.5]], np.float32),
        cost_bias=np.array([0.1], np.float32),
    )
    assert plain_costs(net, told).tolist() == pytest.approx([26, 31], rel=1e-4)


@pytest.mark.parametrize("game", GAMES)
def test_a_search_hangs_on_its_seed_and_on_nothing_that_is_hidden(game: str) -> None:
    rules, chance, luck = make(game, 3), Seeded(4), random.Random(game)
    now, _ = new_game(rules, chance)
    kinds = set()
    for _ in range(24):
        ask = now.open_asks[0]
        seat = ask.seats[0]
        seen = view(rules, now, seat)
        choice = luck.choice(ask.options)
        if ask.kind not in kinds or luck.random() < 0.1:
            kinds.add(ask.kind)
            choice = bots.player("expert", 2).choose(seen, ask)
            again = view(rules, imagine(rules, seen, luck), seat)
            assert again.ask is not None
            assert bots.player("expert", 2).choose(again, again.ask) == choice
        now, _ = submit(rules, now, seat, choice, chance)
    assert len(kinds) > 1


@pytest.mark.parametrize("game", GAMES)
def test_expert_plays_on_at_the_smallest_and_the_largest_table(game: str) -> None:
    counts = find(game).player_counts({})
    for players in (min(counts), max(counts)):
        seats = [bots.player("expert", 1), *(bots.player("random", seat) for seat in range(1, players))]
        assert len(play_round(game, seats, seed=players)) == players


def test_a_search_looks_at_the_clock_and_answers_with_what_it_has() -> None:
    table = bullpen.new_game("open", 4, seed=3)
    looks = []

    def stop() -> bool:
        looks.append(True)
        return len(looks) == 3

    seen = table.view(table.asks[0].seats[0])
    assert seen.ask is not None
    assert bots.player("expert", 1, stop).choose(seen, seen.ask) in seen.ask.options
    assert len(looks) == 3


def test_hands_that_the_twin_has_no_room_for_are_played_without_the_network() -> None:
    hands = [list(range(10, 22)), list(range(30, 42))]
    table = position("open", rows=[[2], [3], [4], [5]], hands=hands)
    seen = table.view(0)
    assert seen.ask is not None
    with pytest.raises(NotCovered, match="hands of at most 10 cards"):
        from_view(seen)
    assert bots.player("expert", 1).choose(seen, seen.ask) in seen.ask.options


def chosen(table: bullpen.Game) -> str:
    """What the expert answers to the open question."""
    ask = table.asks[0]
    return bots.player("expert", 1).choose(table.view(ask.seats[0]), ask).notation


def test_in_open_a_row_that_is_full_on_the_table_is_left_alone() -> None:
    rows = [[10], [31, 35, 44, 55], [70], [90]]
    table = position("open", rows=rows, hands=[[12, 60], [20, 57]], first=1)
    table.choose(1, "57")
    assert chosen(table) == "12"


def test_in_hand_dear_cards_are_laid_before_the_game_ends() -> None:
    table = position("hand", rows=[[50], [62], [70], [90]], hands=[[72], [54, 55, 63, 66, 91]])
    while table.asks[0].seats[0] == 0:
        table.choose(0, table.asks[0].options[0])
    first = chosen(table)
    table.choose(1, first)
    assert {first, chosen(table)} == {"55", "66"}

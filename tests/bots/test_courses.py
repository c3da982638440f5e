"""What a network of a game with a course of its own is told in training, it is told in play."""

import random

import numpy as np
import pytest
from training.course_telling import (
    HAND,
    SCENE,
    UNSEEN,
    Told,
    Weights,
    costs,
    describe_game,
    describe_view,
    new_told,
)

import bullpen
from bullpen.fast import from_position, from_view, number_of
from bullpen.fast.twins.starts import TwinStart
from tests.conftest import SOAK


@pytest.mark.parametrize("game", ("open", "nifty", "hand", "double") if SOAK else ("hand",))
def test_a_view_is_described_as_the_whole_game_is(game: str) -> None:
    luck = random.Random(game)
    table = bullpen.new_game(game, 3, seed=5)
    kinds = set()
    asked = 0
    while not table.over and asked < 90:
        asked += 1
        ask = table.asks[0]
        seat = ask.seats[0]
        view = table.view(seat)
        seen, known = from_view(view), from_position(table.rules, table.position, seat)
        assert isinstance(seen, TwinStart)
        assert isinstance(known, TwinStart)
        numbers = np.array([number_of(option, view.position, game) for option in ask.options], np.uint16)
        in_play, in_training = new_told(len(numbers)), new_told(len(numbers))
        describe_view(seen.plan, seen.state, seat, seen.hidden, numbers, in_play)
        describe_game(known.plan, known.state, 0, seat, numbers, in_training)
        for field, mine, theirs in zip(Told._fields, in_play, in_training, strict=True):
            assert np.array_equal(mine, theirs), (game, ask.kind, field)
        hand = np.bincount(np.array(view.hand, np.int64), minlength=105)
        assert in_play.scene[HAND : HAND + 105].tolist() == hand.tolist()
        assert in_play.scene[UNSEEN : UNSEEN + 105].sum() == len(seen.hidden.pool)
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
    assert costs(net, told).tolist() == pytest.approx([26, 31], rel=1e-4)

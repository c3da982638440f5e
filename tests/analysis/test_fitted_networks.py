"""Who stands in for `expert`: the networks that the correction was fitted with, and their doubt."""

import numpy as np
import pytest

import bullpen
from bullpen.analysis.compiled.stand_in import doubt, doubting, stand_in
from bullpen.bots.network.network import load
from bullpen.bots.search.decision import DOUBT, question


@pytest.mark.parametrize("game", ["base", "tactics", "logic", "professional"])
def test_games_with_a_correction_keep_the_network_it_was_fitted_with(game: str) -> None:
    there, now = stand_in(game, 4), load(game)
    assert not np.array_equal(there.net.wide_weight, now.wide_weight)
    assert len(there.net.item_weight) == len(now.item_weight)


@pytest.mark.parametrize("game", ["base", "logic", "mountain"])
def test_there_is_room_to_work_for_both_networks_whatever_their_shapes(game: str) -> None:
    brain = stand_in(game, 4)
    for net, layers in ((brain.net, brain.layers), (brain.habits, brain.habit_layers)):
        sizes = layers.pooled.size, layers.wide.size, layers.deep.size, layers.head.size
        assert sizes == (net.item_bias.size, net.wide_bias.size, net.deep_bias.size, net.head_bias.size)
        assert net.wide_weight.shape == (layers.pooled.size + layers.inputs.scene.size, layers.wide.size)


def test_other_games_take_the_network_that_is_played_with() -> None:
    assert stand_in("mountain", 4).net is load("mountain")


@pytest.mark.parametrize("players", [2, 4, 6])
def test_everybody_but_the_seat_is_doubted_as_when_it_was_fitted(players: int) -> None:
    seen = bullpen.new_game("base", players=players, seed=1).view(1)
    assert seen.ask is not None
    decision = question(seen, seen.ask.options).decision
    doubted = doubting(decision)
    assert doubted.wild.tolist() == [0.0 if seat == 1 else doubt(players) for seat in range(players)]
    assert decision.wild.tolist() == [0.0 if seat == 1 else DOUBT for seat in range(players)]

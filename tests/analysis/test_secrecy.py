"""Evaluations hang on the view alone: permuting what a seat cannot see changes nothing."""

import random

import pytest

import bullpen
from bullpen.analysis import effort, evaluate
from bullpen.engine import view
from bullpen.testing import eagerly, step
from bullpen.testing.secrecy import permuted


@pytest.mark.parametrize("game", bullpen.games())
def test_hidden_cards_change_no_figure(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(effort.WORK, "quick", 10.0)
    rng = random.Random(game)
    running = bullpen.new_game(game, players=max(2, bullpen.games()[game].player_range[0]), seed=5)
    for _ in range(4):
        if running.over:
            break
        seat = rng.choice(rng.choice(running.asks).seats)
        other = permuted(running.rules, running.position, seat, rng)
        one = evaluate(view(running.rules, running.position, seat), "quick", seed=2)
        two = evaluate(view(running.rules, other, seat), "quick", seed=2)
        assert one == two
        for _ in range(rng.randrange(3, 9)):
            if not running.over:
                step(running, rng, eagerly)

"""Every game ends, at every player count, however it is played."""

import random

import pytest

from bullpen.engine import Seeded
from bullpen.engine.events import GameEnded, RoundEnded
from bullpen.game import Game
from bullpen.records import check
from bullpen.rulesets import games, make
from tests.properties.invariants import check_events, check_position
from tests.strategies import GAMES, at_random, eagerly, step

TABLES = [(game, players) for game in GAMES for players in games()[game].player_range]


@pytest.mark.parametrize(("game", "players"), TABLES, ids=[f"{game}-{players}" for game, players in TABLES])
def test_a_game_ends_with_a_result(game: str, players: int) -> None:
    """Played eagerly or at random, with all invariants looked at on the way."""
    for seed, chooser in enumerate((at_random, eagerly)):
        running = Game(make(game, players), Seeded(seed))
        rng = random.Random(seed)
        while not running.over:
            step(running, rng, chooser)
            check_position(running.rules, running.position)
            check_events(running.rules, running.events)
        position, result = running.position, running.result
        assert result is not None
        assert isinstance(running.events[-1], GameEnded)
        assert any(isinstance(event, RoundEnded) for event in running.events) or game.startswith(
            ("board", "buffalo")
        )
        assert len(result.scores) == len(result.ranks) == players
        assert check(running.record).result == result
        if "end.kind" in running.rules.options:
            assert max(position.scores) >= 66
            assert position.round <= 65 * players + 1  # invariant 5
            assert [sum(column) for column in zip(*position.score_sheet, strict=True)] == position.scores


def test_hand_stops_after_the_agreed_laps() -> None:
    """HAND-10: players who keep everything would never end."""
    running = Game(make("hand", 2, {"hand.maxRounds": 30}), Seeded(5))
    while not running.over:
        (ask,) = running.asks
        last = max(ask.options, key=lambda option: len(getattr(option, "cards", ())))
        lowest = ask.options[0]
        running.choose(ask.seats[0], last if ask.kind == "split_take" else lowest)
    assert running.result is not None
    assert running.position.trick <= 30

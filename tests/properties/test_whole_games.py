"""Every game ends, with few and with many, however it is played."""

import pytest

from bullpen.engine import Seeded
from bullpen.engine.events import GameEnded, RoundEnded
from bullpen.game import Game
from bullpen.rulesets import games, make
from bullpen.testing import at_random, check_game, eagerly
from tests.conftest import SOAK
from tests.properties.invariants import check_game_so_far
from tests.strategies import GAMES


def counts(game: str) -> list[int]:
    """Return the smallest, a middle and the largest number of players; in the soak all of them."""
    every = list(games()[game].player_range)
    return every if SOAK else sorted({every[0], every[len(every) // 2], every[-1]})


TABLES = [(game, players) for game in GAMES for players in counts(game)]


@pytest.mark.parametrize(("game", "players"), TABLES, ids=[f"{game}-{players}" for game, players in TABLES])
def test_a_game_ends_with_a_result(game: str, players: int) -> None:
    """Played eagerly or at random, with everything looked at on the way."""
    chooser = eagerly if players % 2 else at_random
    running = check_game(make(game, players), players, chooser, also=check_game_so_far)
    position = running.position
    assert isinstance(running.events[-1], GameEnded)
    assert any(isinstance(event, RoundEnded) for event in running.events) or game.startswith(
        ("board", "buffalo")
    )
    if running.rules.options.get("end.kind") == "target":
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

"""The ladder, on few rounds and with wide margins; docs/bots-figures.md has the real figures."""

import pytest

from bullpen import bots
from tests.bots.tables import TWIN_GAMES, play_round


def advantage(better: str, worse: str, game: str, deals: int) -> float:
    """How many bullheads a round the better one saves, each deal played from every seat of four."""
    saved = 0.0
    for deal in range(deals):
        for seat in range(4):
            levels = [worse] * 4
            levels[seat] = better
            points = play_round(game, [bots.player(level, i) for i, level in enumerate(levels)], seed=deal)
            saved += (sum(points) - points[seat]) / 3 - points[seat]
    return saved / (4 * deals)


@pytest.mark.parametrize("game", TWIN_GAMES)
def test_medium_beats_chance_clearly(game: str) -> None:
    assert advantage("medium", "random", game, deals=12) > 1.5


def test_easy_stands_between_chance_and_medium() -> None:
    assert advantage("easy", "random", "base", deals=20) > 1
    assert advantage("medium", "easy", "base", deals=20) > 0.5


def test_search_beats_a_beginner() -> None:
    assert advantage("hard", "easy", "base", deals=6) > 1
    assert advantage("expert", "easy", "base", deals=6) > 1

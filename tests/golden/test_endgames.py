"""All ways through a small endgame of every game, counted one by one, stay as many and cost as much."""

import json

import pytest

from bullpen.testing import Perft
from tests.golden.endgames import COUNTS, count
from tests.strategies import GAMES

KEPT = json.loads(COUNTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_an_endgame_has_as_many_ways_as_it_had(game: str) -> None:
    assert count(game) == Perft(KEPT[game]["ways"], tuple(KEPT[game]["totals"]))


def test_every_game_has_an_endgame_with_something_to_count() -> None:
    assert set(KEPT) == set(GAMES)
    assert min(kept["ways"] for kept in KEPT.values()) > 1

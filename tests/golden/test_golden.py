"""Every registered game has golden playthroughs, and still plays them."""

import pytest

from tests.golden.playthrough import path, playthrough, tables


@pytest.mark.parametrize(
    ("game", "players"), tables(), ids=[f"{game}-{players}" for game, players in tables()]
)
def test_the_game_is_played_as_written(game: str, players: int) -> None:
    """A missing file is a failure: a new game brings its playthroughs along."""
    written = path(game, players)
    assert written.exists(), f"{game} has no golden playthrough; python -m tests.golden.playthrough writes it"
    assert playthrough(game, players) == written.read_text(encoding="utf-8")

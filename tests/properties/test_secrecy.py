"""What others are told of a deal and may see of bull piles; `test_conformance` permutes what is hidden."""

import random

import pytest

from bullpen.engine import FACE_DOWN, FACE_DOWN_NAME, OptionValue
from bullpen.game import new_game
from bullpen.rulesets import games
from bullpen.testing import step
from bullpen.testing.secrecy import told
from tests.strategies import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_tells_others_only_how_many(game: str) -> None:
    """The first events of two games with different hidden cards, seen by a spectator."""
    players = games()[game].player_range[-1]
    running = new_game(game, players, seed=3)
    public = {card for row in running.position.rows for card in row}
    for event in told(running.events, None):
        for card in getattr(event, "cards", ()):
            assert card in (FACE_DOWN, FACE_DOWN_NAME) or card in public


PILES: dict[OptionValue, list[bool]] = {"own": [True, False], "counts": [False, False], "all": [True, True]}


@pytest.mark.parametrize(("show", "visible"), PILES.items())
def test_bull_piles_are_shown_as_agreed_and_always_remembered(show: OptionValue, visible: list[bool]) -> None:
    """GEN-7: the option turns piles up or down; what was public stays in the memory of the view."""
    running = new_game("base", 2, seed=1, options={"show.bullPiles": show})
    rng = random.Random(1)
    while not all(running.position.piles):
        step(running, rng)
    seen = running.view(0)
    assert [FACE_DOWN not in pile for pile in seen.position.piles] == visible
    assert [len(pile) for pile in seen.position.piles] == [len(pile) for pile in running.position.piles]
    assert seen.piles == tuple(tuple(pile) for pile in running.position.piles)

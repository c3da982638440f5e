"""A game for people who script: what it says of itself, copies, and moments of records."""

import random

import pytest

from bullpen.engine import RecordError, Seeded
from bullpen.game import Game, new_game
from bullpen.testing import step
from tests.strategies import GAMES, short


def played(game: Game, choices: int, seed: int = 1) -> Game:
    rng = random.Random(seed)
    for _ in range(choices):
        if not game.over:
            step(game, rng)
    return game


def test_a_game_says_what_it_is_and_how_far_it_has_got() -> None:
    game = new_game("base", 3, seed=1, options={"end.kind": "rounds", "end.value": 1})
    assert repr(game) == "<Game base, 3 players, round 1, trick 1, waiting for 0, 1, 2>"
    game.choose(1, game.asks[1].options[0])
    assert repr(game) == "<Game base, 3 players, round 1, trick 1, waiting for 0, 2>"
    played(game, 500)
    assert repr(game) == "<Game base, 3 players, round 1, trick 10, over: 1 round was played>"


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_goes_its_own_way_and_would_get_the_same_deals(game: str) -> None:
    one = played(Game(short(game, 2 if game != "buffalo" else 3), Seeded(4)), 9)
    before, record = repr(one.position), one.record
    other = played(one.copy(), 30, seed=2)
    assert repr(one.position) == before
    assert one.record == record
    twin = played(one.copy(), 30, seed=2)
    assert (twin.position, twin.record) == (other.position, other.record)


def test_a_copy_with_other_chance_gets_other_deals() -> None:
    one = played(new_game("base", 2, seed=4), 15)
    dealt = [played(one.copy(chance), 12).position.hands for chance in (None, Seeded("other"))]
    assert dealt[0] != dealt[1] or one.position.round == 1


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_record_can_be_gone_to(game: str) -> None:
    running = Game(short(game, 3), Seeded(4))
    rng = random.Random(4)
    positions = [running.position.copy()]
    for _ in range(25):
        if not running.over:
            step(running, rng)
            positions.append(running.position.copy())
    for moment in (0, 7, len(positions) - 1):
        there = Game.at(running.record, moment)
        assert there.position == positions[moment]
    assert Game.from_record(running.record).position == positions[-1]


@pytest.mark.parametrize("moment", [-1, 4, True, 1.0])
def test_a_moment_that_the_record_has_not_got_is_refused(moment: int) -> None:
    game = played(new_game("base", 2, seed=1), 3)
    with pytest.raises(RecordError, match=r"^there is no moment .*: the record has 3 choices\.$"):
        Game.at(game.record, moment)

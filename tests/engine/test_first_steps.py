"""What somebody who scripts meets first: bad arguments, notation by heart, and a view on the screen."""

import pytest

import bullpen
from bullpen.engine import UseSpecial, WrongPlayers
from tests.strategies import GAMES, short


@pytest.mark.parametrize("players", ["4", 4.0, None, True])
def test_a_number_of_players_is_a_whole_number(players: object) -> None:
    with pytest.raises(WrongPlayers, match=f"^A number of players is a whole number, not '{players}'.$"):
        bullpen.new_game("base", players=players)  # type: ignore[arg-type]


def test_a_special_card_without_targets_needs_no_colon() -> None:
    game = bullpen.position(
        "anniversary",
        rows=[[10], [20], [30], [40]],
        hands=[[50, 60, 61], [70, 80, 81]],
        specials=[["fifth-row"], []],
    )
    game.choose(0, 50)
    game.choose(1, 70)
    asked = game.view(0).ask
    assert asked is not None
    assert UseSpecial("fifth-row") in asked.options
    game.choose(0, "fifth-row")
    assert [row[0] for row in game.position.rows] == [10, 20, 30, 40, 50]


def test_what_is_no_answer_is_refused_as_before() -> None:
    game = bullpen.new_game("base", players=2, seed=1)
    with pytest.raises(bullpen.BullpenError, match="'banana' is not a choice"):
        game.choose(0, "banana")


@pytest.mark.parametrize("game", GAMES)
def test_a_view_is_printed_as_a_table(game: str) -> None:
    running = bullpen.Game(short(game, 3), bullpen.Seeded(1))
    for seat in (None, 0):
        seen = running.view(seat)
        lines = str(seen).splitlines()
        assert lines[0].startswith(f"{running.rules.name}: round 1")
        assert sum(line.startswith("row ") for line in lines) == len(seen.rows)
        assert sum(line.startswith("seat ") for line in lines) == 3
        assert all(str(card) in str(seen) for card in seen.hand)
        assert not [sign for sign in ("=", "((", "[[", "None", "0, 0") if sign in str(seen)]
    assert seen.ask is None or lines[-1] == seen.ask.prompt

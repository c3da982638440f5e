"""Tactics: the rulings TAC-1 to TAC-3."""

import pytest

from bullpen.engine.events import RoundEnded
from bullpen.game import new_game
from bullpen.rulesets import make
from tests.games.stacked import of, play_on


@pytest.mark.parametrize("players", range(2, 11))
def test_tac_1_two_to_ten_play_with_ten_cards_each_and_four(players: int) -> None:
    assert make("tactics", players).universe("numbers") == list(range(1, 10 * players + 5))


def test_tac_1_with_ten_it_equals_the_base_game() -> None:
    short, base = (new_game(game, 10, seed=5) for game in ("tactics", "base"))
    while not short.over:
        ask = short.asks[0]
        for game in (short, base):
            game.choose(ask.seats[0], ask.options[0])
        assert short.events == base.events
    assert short.result == base.result


def test_tac_2_every_round_is_dealt_from_the_same_short_deck() -> None:
    game = new_game("tactics", 3, seed=2)
    rounds = 0
    while not game.over:
        position = game.position
        cards = sorted(card for group in [*position.hands, *position.rows] for card in group)
        assert cards == list(range(1, 35))
        rounds += len(of(play_on(game), RoundEnded))
    assert rounds >= 2


@pytest.mark.parametrize("players", [2, 7])
def test_tac_3_no_card_is_left_over(players: int) -> None:
    game = new_game("tactics", players, seed=3)
    assert game.position.deck == []
    assert [len(hand) for hand in game.position.hands] == [10] * players
    assert [len(row) for row in game.position.rows] == [1] * 4
    # So what a seat does not hold and does not see lies in the hands of the others.
    seen = game.view(0)
    unseen = set(game.rules.universe("numbers")) - set(seen.hand) - {row[0] for row in seen.rows}
    assert unseen == {card for hand in game.position.hands[1:] for card in hand}


def test_the_options_of_the_base_game_hold_here_too() -> None:
    game = new_game("tactics", 2, seed=1, options={"end.kind": "rounds", "end.value": 2})
    play_on(game)
    assert not game.over
    play_on(game)
    assert game.over

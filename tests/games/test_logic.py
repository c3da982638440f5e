"""Logic, also called Pro: the rulings LOG-1 to LOG-8."""

import random

import pytest

from bullpen.engine import BadOption, Draft, OptionValue, Pass, UnknownGame, WrongPlayers, imagine
from bullpen.engine.events import Dealt, Drafted, MarkerMoved, RoundEnded, RowsStarted
from bullpen.game import Game, new_game
from bullpen.rulesets import find, games, make
from tests.games.stacked import Orders, of, play, play_on


def pick_all(game: Game) -> list[Drafted]:
    """Pick the lowest card always, until the rows start; return the picks."""
    return of(play_on(game, until=RowsStarted), Drafted)


def test_log_1_two_to_six_and_up_to_ten_by_agreement() -> None:
    for players in range(2, 7):
        assert make("logic", players, {"logic.maxPlayers": 6}).players == players
    for players in range(2, 11):
        assert make("logic", players, {"logic.maxPlayers": 10}).players == players
    for players, most in ((7, 6), (10, 6), (11, 10), (1, 10)):
        with pytest.raises(WrongPlayers):
            make("logic", players, {"logic.maxPlayers": most})
    wrong: list[OptionValue] = [5, 7, 11, True, "10"]
    for value in wrong:
        with pytest.raises(BadOption):
            make("logic", 4, {"logic.maxPlayers": value})


def test_log_1_ten_can_really_play() -> None:
    game = new_game("logic", 10, seed=1, options={"logic.maxPlayers": 10, "logic.firstPicker": 9})
    assert game.asks[0].seats == (9,)
    play_on(game)
    assert len(game.position.score_sheet) == 1


def test_log_2_seat_0_picks_first_and_one_seat_further_each_round() -> None:
    game = new_game("logic", 2, seed=1, options={"end.value": 500})
    for first in (0, 1, 0):
        assert game.asks[0].seats == (first,)
        assert game.asks[0].kind == "draft_pick"
        play_on(game)


def test_log_2_another_seat_may_pick_first() -> None:
    game = new_game("logic", 3, options={"logic.firstPicker": 2, "end.value": 500})
    for first in (2, 0, 1):
        assert game.asks[0].seats == (first,)
        play_on(game)


def test_log_2_without_rotation_the_first_picker_stays() -> None:
    game = new_game("logic", 3, options={"logic.firstPicker": 1, "logic.rotate": False, "end.value": 500})
    for _ in range(3):
        assert game.asks[0].seats == (1,)
        play_on(game)


def test_log_2_chance_may_name_the_first_picker() -> None:
    rules = make("logic", 3, {"logic.firstPicker": "random", "end.value": 500})
    game = Game(rules, Orders([2, 0, 1]))
    assert of(game.events, MarkerMoved) == [MarkerMoved("first", 2)]
    for first in (2, 0, 1):
        assert game.asks[0].seats == (first,)
        play_on(game)
    first_seats = {
        new_game("logic", 3, seed, {"logic.firstPicker": "random"}).asks[0].seats[0] for seed in range(30)
    }
    assert first_seats == {0, 1, 2}


def test_log_3_the_order_is_plainly_clockwise() -> None:
    game = new_game("logic", 3, seed=1)
    picks = pick_all(game)
    assert [pick.seat for pick in picks] == [0, 1, 2] * 10


def test_log_4_hands_are_hidden_and_the_picks_are_public() -> None:
    game = new_game("logic", 3, seed=1)
    picks = pick_all(game)
    for seat in (None, 0, 1, 2):
        seen = game.view(seat).position
        assert seen.picks == tuple((pick.seat, pick.card) for pick in picks)  # type: ignore[attr-defined]
        for owner, hand in enumerate(seen.hands):
            assert hand == (game.position.hands[owner] if owner == seat else [0] * 10)
    assert imagine(game.rules, game.view(0), random.Random(1)).hands == game.position.hands


def test_log_4_the_history_may_be_hidden() -> None:
    game = new_game("logic", 3, seed=1, options={"logic.showPicks": False})
    pick_all(game)
    for seat in (None, 0):
        seen = game.view(seat).position
        assert seen.picks == ()  # type: ignore[attr-defined]
        assert seen.known == [[], [], []]
    hands = {tuple(imagine(game.rules, game.view(0), random.Random(seed)).hands[1]) for seed in range(5)}
    assert len(hands) > 1


def test_log_4_the_display_is_open_and_everybody_sees_a_pick() -> None:
    game = new_game("logic", 2, seed=1)
    (event,) = of(play(game, "0:d7"), Drafted)
    assert event.seen_by(None) == event.seen_by(1) == Drafted(0, 7)
    for seat in (None, 0, 1):
        assert game.view(seat).position.display == tuple(card for card in range(1, 25) if card != 7)  # type: ignore[attr-defined]
    assert game.position.asks[0].seen_by(None).options == tuple(Draft(c) for c in range(1, 25) if c != 7)


def test_log_5_the_four_leftovers_start_the_rows_ascending() -> None:
    game = new_game("logic", 2, seed=1)
    for _ in range(10):
        # From both ends, so that four in the middle stay.
        game.choose(0, game.asks[0].options[0])
        happened = game.choose(1, game.asks[0].options[-1])
    assert of(happened, RowsStarted) == [RowsStarted(((11,), (12,), (13,), (14,)))]
    assert game.position.rows == [[11], [12], [13], [14]]
    assert game.position.hands == [list(range(1, 11)), list(range(15, 25))]


def test_log_6_there_is_a_draft_in_every_round_and_no_deal() -> None:
    game = new_game("logic", 2, seed=1, options={"end.kind": "rounds", "end.value": 3})
    assert not of(game.events, Dealt)
    picks = rounds = 0
    while not game.over:
        happened = play_on(game)
        assert not of(happened, Dealt)
        picks += len(of(happened, Drafted))
        rounds += len(of(happened, RoundEnded))
    assert (picks, rounds) == (60, 3)


def test_log_7_pro_is_this_game_and_professional_is_another() -> None:
    assert find("pro") is find("logic") is games()["logic"]
    assert find("professional").id == "professional"
    assert [game for game, kind in games().items() if "pro" in kind.aliases] == ["logic"]
    with pytest.raises(UnknownGame):
        find("Pro Variant")


def test_log_8_the_last_picker_chooses_one_of_five_and_nobody_may_decline() -> None:
    game = new_game("logic", 2, seed=1)
    for left in range(24, 4, -1):
        (ask,) = game.asks
        assert len(ask.options) == left
        assert not any(isinstance(option, Pass) for option in ask.options)
        game.choose(ask.seats[0], ask.options[0])
    assert game.asks[0].kind == "commit"
    assert [len(hand) for hand in game.position.hands] == [10, 10]

"""Open: the rulings OPEN-1 to OPEN-6."""

import pytest

from bullpen.engine import NotAsked, WrongPlayers, bullheads
from bullpen.engine.events import Laid, MarkerMoved, Placed, Revealed, TrickStarted
from bullpen.game import new_game
from bullpen.rulesets import make
from tests.games.stacked import of, play, play_on, stacked

ROWS = [20, 40, 60, 80]


def test_open_1_two_to_nine_because_the_1_is_missing() -> None:
    assert make("open", 9).players == 9
    assert len(new_game("open", 9, seed=1).position.deck) == 103 - 94
    with pytest.raises(WrongPlayers):
        make("open", 10)


def test_open_2_the_marker_passes_to_the_left_after_every_trick() -> None:
    game = new_game("open", 3, seed=1, options={"open.firstSeat": 1})
    first_to_lay = []
    for _ in range(10):
        first_to_lay.append(game.asks[0].seats[0] if len(game.position.hands[0]) > 1 else None)
        if first_to_lay[-1] is not None:
            happened = play_on(game, until=TrickStarted)
            assert of(happened, MarkerMoved)[0] == MarkerMoved("first", (first_to_lay[-1] + 1) % 3)
            assert [event.seat for event in of(happened, Laid)][:3] == [
                (first_to_lay[-1] + steps) % 3 for steps in range(3)
            ]
    assert first_to_lay[:9] == [1, 2, 0, 1, 2, 0, 1, 2, 0]


def test_open_3_the_marker_keeps_travelling_at_a_new_deal() -> None:
    game = new_game("open", 3, seed=1)
    play_on(game)
    # Ten tricks with three players: the marker has gone ten seats.
    assert game.position.first == 1  # type: ignore[attr-defined]
    assert game.asks[0].seats == (1,)


def test_open_3_or_goes_back_as_agreed() -> None:
    game = new_game("open", 3, seed=1, options={"open.rotateAcrossRounds": False, "open.firstSeat": 2})
    play_on(game)
    assert game.asks[0].seats == (2,)


def test_open_4_the_1_is_never_dealt() -> None:
    rules = make("open", 4)
    assert rules.universe("numbers") == list(range(2, 105))
    assert bullheads(*rules.universe("numbers")) == 170


def test_open_5_a_laid_card_stays_and_everybody_sees_it() -> None:
    game = stacked("open", [[33], [44], [55]], ROWS)
    play(game, "0:33")
    for seat in (None, 1, 2):
        assert [played.card for played in game.view(seat).position.table] == [33]
    with pytest.raises(NotAsked):
        game.retract(0)
    with pytest.raises(NotAsked):
        play(game, "0:33")
    assert game.asks[0].seats == (1,)
    assert of(play(game, "1:44"), Laid) == [Laid(1, 44)]


def test_open_5_nobody_lays_out_of_turn() -> None:
    game = stacked("open", [[33], [44], [55]], ROWS)
    for seat, card in ((1, "44"), (2, "55")):
        with pytest.raises(NotAsked):
            game.choose(seat, card)


def test_open_6_cards_are_placed_by_number_not_by_seat() -> None:
    game = stacked("open", [[66], [44], [55]], ROWS)
    happened = play(game, "0:66", "1:44", "2:55")
    assert [event.card for event in of(happened, Laid)] == [66, 44, 55]
    assert [played.card for played in of(happened, Revealed)[0].plays] == [44, 55, 66]
    assert [event.card for event in of(happened, Placed)] == [44, 55, 66]
    assert game.position.rows == [[20], [40, 44, 55], [60, 66], [80]]


def test_a_low_card_takes_a_row_when_all_have_laid() -> None:
    game = stacked("open", [[9], [5]], ROWS)
    play(game, "0:9", "1:5")
    assert (game.asks[0].kind, game.asks[0].seats) == ("choose_row", (1,))
    play(game, "1:r4")
    assert game.position.rows == [[20], [40], [60], [5, 9]]


def test_hands_are_hidden_also_while_a_seat_thinks() -> None:
    game = stacked("open", [[33], [44]], ROWS)
    for seat in (None, 1):
        assert game.view(seat).position.asks[0].options == ()
        assert game.view(seat).position.hands[0] == [0] * 10
    assert len(game.view(0).position.asks[0].options) == 10

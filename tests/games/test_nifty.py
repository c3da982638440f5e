"""Nifty: the rulings NIF-1 to NIF-7."""

import pytest

from bullpen.engine import NotAsked, PlaceFirst, PlayPair, WrongPlayers
from bullpen.engine.events import Committed, Placed, Revealed, Took
from bullpen.game import Game, new_game
from bullpen.rulesets import make
from tests.games.stacked import of, play, play_on, stacked

ROWS = [20, 40, 60, 80]


def table(*hands: list[int], rows: list[int] = ROWS) -> Game:
    """Return a game with these cards in the hands."""
    return stacked("nifty", hands, rows, size=14)


def test_nif_1_players_go_by_their_lower_card() -> None:
    game = table([22, 90], [30, 31], [21, 104])
    happened = play(game, "0:22+90", "1:30+31", "2:21+104")
    (shown,) = of(happened, Revealed)
    assert [played.card for played in shown.plays] == [21, 104, 22, 90, 30, 31]
    turns = []
    while game.position.table:
        (ask,) = game.asks
        turns.append(ask.seats[0])
        play(game, f"{ask.seats[0]}:{ask.options[0].notation}")
    assert turns == [2, 0, 1]


def test_nif_2_the_order_is_chosen_at_the_turn_after_all_earlier_placements() -> None:
    game = table([22, 90], [21, 61])
    play(game, "0:22+90", "1:21+61")
    (ask,) = game.asks
    assert (ask.kind, ask.seats, ask.about) == ("choose_order", (1,), (21, 61))
    assert ask.options == (PlaceFirst(21), PlaceFirst(61))
    assert ask.seen_by(0) == ask.seen_by(None) == ask
    happened = play(game, "1:f61")
    assert [event.card for event in of(happened, Placed)] == [61, 21]
    assert game.position.rows == [[20, 21], [40], [60, 61], [80]]
    (ask,) = game.asks
    assert (ask.seats, ask.about) == ((0,), (22, 90))


def test_nif_2_the_first_card_is_fully_placed_before_the_second() -> None:
    game = table([5, 6], [90, 91])
    play(game, "0:5+6", "1:90+91", "0:f5")
    (ask,) = game.asks
    assert (ask.kind, ask.about) == ("choose_row", (5,))
    happened = play(game, "0:r3")
    assert [event.card for event in of(happened, Placed)] == [5, 6]
    assert game.position.rows[2] == [5, 6]


def test_nif_3_the_high_card_may_go_first_and_spare_the_low_one_nothing() -> None:
    game = table([5, 7], [90, 91])
    play(game, "0:5+7", "1:90+91", "0:f7", "0:r3")
    # The 7 has opened a row, but the 5 is below it: another row must be taken.
    (ask,) = game.asks
    assert (ask.kind, ask.about, ask.seats) == ("choose_row", (5,), (0,))


def test_nif_3_the_high_card_may_close_a_row_for_the_low_one() -> None:
    for first, rows in (("21", [[20, 21, 22], [40], [60], [80]]), ("22", [[20, 22], [21], [60], [80]])):
        game = table([21, 22], [90, 91])
        play(game, "0:21+22", "1:90+91", f"0:f{first}")
        if first == "22":
            play(game, "0:r2")
        assert game.position.rows == rows


def test_nif_4_a_pair_is_unordered_and_hidden() -> None:
    game = table([21, 22], [90, 91])
    (ask, _) = game.asks
    assert len(ask.options) == 14 * 13 // 2
    assert len({frozenset((pair.low, pair.high)) for pair in ask.options if isinstance(pair, PlayPair)}) == 91
    assert ask.seen_by(1).options == ()
    assert play(game, "0:22+21") == [Committed(0)]
    assert game.position.answers == {0: PlayPair(21, 22)}
    assert game.view(1).position.answers == {}
    assert game.view(1).position.hands[0] == [0] * 14
    game.retract(0)
    play(game, "0:21+22")


def test_nif_5_two_to_seven_and_with_seven_two_cards_stay_unseen() -> None:
    game = new_game("nifty", 7, seed=1)
    assert len(game.position.deck) == 2
    assert [len(hand) for hand in game.position.hands] == [14] * 7
    for players in (1, 8):
        with pytest.raises(WrongPlayers):
            make("nifty", players)


def test_nif_6_seven_tricks_and_the_usual_end() -> None:
    game = new_game("nifty", 3, seed=2)
    happened = play_on(game)
    assert len(of(happened, Revealed)) == 7
    assert {len(event.plays) for event in of(happened, Revealed)} == {6}
    while not game.over:
        play_on(game)
    assert max(game.position.scores) >= 66
    short = new_game("nifty", 3, seed=2, options={"end.kind": "rounds", "end.value": 1})
    play_on(short)
    assert short.over


def test_nif_7_both_cards_may_take_a_row_each_with_its_own_choice() -> None:
    game = table([5, 7], [90, 91])
    happened = play(game, "0:5+7", "1:90+91", "0:f7", "0:r4", "0:r1")
    assert of(happened, Took) == [Took(0, 3, (80,), 3, "low"), Took(0, 0, (20,), 3, "low")]
    assert game.position.rows == [[5], [40], [60], [7]]
    assert game.position.points == [6, 0]


def test_nobody_else_may_say_which_card_goes_first() -> None:
    game = table([21, 22], [90, 91])
    play(game, "0:21+22", "1:90+91")
    with pytest.raises(NotAsked):
        play(game, "1:f90")

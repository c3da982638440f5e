"""The base game: the rulings BASE-1 to BASE-14."""

import pytest

from bullpen.engine import BadOption, Seeded, TakeRow, bullheads
from bullpen.engine.events import (
    Dealt,
    GameEnded,
    Placed,
    Revealed,
    RoundEnded,
    RowsStarted,
    Took,
    TrickStarted,
)
from bullpen.game import Game, new_game
from bullpen.rulesets import make
from tests.games.fan import random_game, trick, waits_for_a_row
from tests.games.stacked import Orders, is_over, of, order, play, play_on, stacked
from tests.rulebook.tables import set_up


def test_base_1_two_bullheads_are_on_numbers_that_end_in_5() -> None:
    assert [card for card in range(1, 105) if bullheads(card) == 2] == [5, 15, 25, 35, 45, 65, 75, 85, 95]
    assert bullheads(50) == 3
    assert {bullheads(card) for card in (51, 52, 53, 54, 56, 57, 58, 59)} == {1}
    assert bullheads(55) == 7
    assert bullheads(*range(1, 105)) == 171


@pytest.mark.parametrize("last", [83, 93])
def test_base_2_the_third_example_is_the_same_with_83_or_93(last: int) -> None:
    table = trick("base", [[30, 36], [37], [43, 44], [58, 61]], "3", "9", "68", str(last))
    table.choose(0, TakeRow(1))
    assert table.position.rows == [[30, 36], [3, 9], [43, 44], [58, 61, 68, last]]
    assert table.happened(Took) == [Took(0, 1, (37,), 1, "low")]


def test_base_3_a_round_has_ten_tricks() -> None:
    game = new_game("base", 5, seed=4)
    happened = play_on(game)
    assert len(of(happened, Revealed)) == 10
    assert len(of(happened[: happened.index(of(happened, RoundEnded)[0])], TrickStarted)) == 9


def test_base_4_the_round_is_finished_before_the_end_is_looked_at() -> None:
    game = stacked("base", [[1], [51]], [55, 66, 77, 88], {"end.value": 5})
    play(game, "0:1", "1:51", "0:r2")
    assert game.position.points == [5, 0]
    assert game.position.scores == [0, 0]
    assert not is_over(game)
    happened = play_on(game)
    assert len(of(happened, Revealed)) == 9
    assert [type(event) for event in happened[-2:]] == [RoundEnded, GameEnded]
    assert is_over(game)
    assert game.position.scores == list(of(happened, RoundEnded)[0].totals) == game.position.points


def test_base_4_the_game_goes_on_below_the_target_and_ends_at_it() -> None:
    for total, over in ((65, False), (66, True), (67, True)):
        table = set_up(make("base", 2), [[10], [20], [30], [40]], [[41], [31]], spares=0, scores=[total, 3])
        assert (table.position.result is not None) == over
        assert (table.position.round == 2) == (not over)


def test_base_5_a_low_card_may_take_a_full_or_an_expensive_row() -> None:
    rows = [[20, 30, 40, 50, 60], [70], [55, 66, 77], [90]]
    for row, cost in enumerate((15, 3, 17, 3)):
        table = trick("base", rows, "3")
        assert waits_for_a_row(table, seat=0)
        table.choose(0, TakeRow(row))
        assert table.happened(Took) == [Took(0, row, tuple(rows[row]), cost, "low")]
        assert table.position.rows[row] == [3]
        assert table.position.piles[0] == rows[row]
        assert table.position.points == [cost, 0]


def test_base_6_ten_players_use_every_card() -> None:
    game = new_game("base", 10, seed=6)
    position = game.position
    assert position.deck == []
    assert sorted(card for group in [*position.hands, *position.rows] for card in group) == list(
        range(1, 105)
    )
    while not game.over:
        play_on(game)


def test_base_7_two_players_take_something_in_every_round() -> None:
    took = False
    rounds = 0
    for seed in range(3):
        for _, _, events in random_game("base", 2, seed=seed):
            for event in events:
                took = took or isinstance(event, Took)
                if isinstance(event, RoundEnded):
                    assert took
                    assert sum(event.points) > 0
                    took = False
                    rounds += 1
    assert rounds > 6


def test_base_8_the_rows_lie_as_they_are_turned_up() -> None:
    game = stacked("base", [[1], [2]], [58, 12, 43, 37])
    assert game.position.rows == [[58], [12], [43], [37]]
    assert of(game.events, RowsStarted) == [RowsStarted(((58,), (12,), (43,), (37,)))]


@pytest.mark.parametrize("rounds", [1, 3])
def test_base_9_a_number_of_rounds_instead_of_a_target(rounds: int) -> None:
    game = new_game("base", 10, seed=1, options={"end.kind": "rounds", "end.value": rounds})
    for number in range(1, rounds + 1):
        assert not game.over
        assert of(play_on(game), RoundEnded)[0].round == number
    assert game.over


def test_base_9_with_rounds_a_total_ends_nothing_and_with_a_target_rounds_do_not() -> None:
    rows, hands = [[10], [20], [30], [40]], [[41], [31]]
    agreed = make("base", 2, {"end.kind": "rounds", "end.value": 2})
    assert set_up(agreed, rows, hands, spares=0, scores=[100, 0]).position.result is None
    agreed = make("base", 2, {"end.kind": "target", "end.value": 30})
    assert set_up(agreed, rows, hands, spares=0, scores=[29, 0], round=40).position.result is None
    assert set_up(agreed, rows, hands, spares=0, scores=[30, 0]).position.result is not None


def test_base_10_the_smallest_target_is_1() -> None:
    game = new_game("base", 2, seed=1, options={"end.value": 1})
    play_on(game)
    assert game.over
    for kind in ("target", "rounds"):
        for value in (0, -1):
            with pytest.raises(BadOption):
                make("base", 2, {"end.kind": kind, "end.value": value})


def test_base_11_the_points_of_the_running_round_are_shown_to_all() -> None:
    game = stacked("base", [[1], [51]], [55, 66, 77, 88])
    play(game, "0:1", "1:51", "0:r1")
    for seat in (None, 0, 1):
        assert game.view(seat).position.points == [7, 0]
        assert game.view(seat).position.scores == [0, 0]


def test_base_12_hands_are_shown_sorted() -> None:
    game = stacked("base", [[9, 3, 7], [80, 2]], [55, 66, 77, 88])
    assert game.view(0).hand == sorted(game.view(0).hand)
    assert [list(event.cards) for event in of(game.events, Dealt)] == [
        sorted(hand) for hand in game.position.hands
    ]


def test_base_13_only_number_cards_are_shuffled() -> None:
    rules = make("base", 4)
    assert rules.universe("numbers") == list(range(1, 105))
    assert {zone.family for zone in rules.zones} == {"numbers"}


def test_base_14_the_deal_favours_no_seat() -> None:
    """The same hands one seat further lead to the same round one seat further."""
    rules = make("base", 3)
    hands = [list(range(start, 40, 4)) for start in (1, 2, 3)]
    rows = [40, 50, 60, 70]
    straight = Game(rules, Orders(order(rules, hands, rows, 10)))
    turned = Game(rules, Orders(order(rules, [hands[2], *hands[:2]], rows, 10)))
    for _ in range(300):
        if straight.position.round == 2:
            break
        ask = straight.asks[0]
        straight.choose(ask.seats[0], ask.options[0])
        turned.choose((ask.seats[0] + 1) % 3, ask.options[0])
    first, second = straight.position.score_sheet[0], turned.position.score_sheet[0]
    assert second == (first[2], *first[:2])
    assert sum(first) > 0


def test_cards_are_placed_lowest_first_each_behind_the_nearest_lower_end() -> None:
    table = trick("base", [[12], [37], [43], [58]], "61", "15", "44", "14")
    assert [(put.card, put.row, put.place) for put in table.happened(Placed)] == [
        (14, 0, 1), (15, 0, 2), (44, 2, 1), (61, 3, 1),
    ]  # fmt: skip


def test_the_sixth_card_takes_the_five() -> None:
    table = trick("base", [[12, 14, 15, 21, 26], [37], [43], [58]], "30", "36")
    assert table.happened(Took) == [Took(0, 0, (12, 14, 15, 21, 26), 6, "full")]
    assert table.position.rows == [[30, 36], [37], [43], [58]]
    assert table.position.piles == [[12, 14, 15, 21, 26], []]


def test_a_new_round_gathers_every_card_and_keeps_the_totals() -> None:
    game = Game(make("base", 3), Seeded(12))
    play_on(game)
    position = game.position
    assert position.piles == [[], [], []]
    assert position.points == [0, 0, 0]
    assert [len(hand) for hand in position.hands] == [10, 10, 10]
    assert tuple(position.scores) == position.score_sheet[0]

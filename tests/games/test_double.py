"""Double: the rulings DBL-1 to DBL-13."""

import random
from collections import Counter
from typing import Any

import pytest

from bullpen.engine import BadOption, PlayCard, TakeRow, WrongPlayers, bullheads, view
from bullpen.engine.events import Chose, Placed, Revealed, RowsStarted, Shared, Took
from bullpen.game import new_game
from bullpen.rulesets import make
from bullpen.rulesets.double import Double
from tests.games.fan import trick, waits_for_a_row
from tests.games.stacked import of, play, play_on, stacked
from tests.rulebook.tables import Table, set_up

LOW = [[10, 20], [80], [90, 91], [100]]


def low_pair(scores: list[int], options: Any = None, rows: list[list[int]] = LOW, **fields: Any) -> Table:
    """Return a table at which seats 1 and 2 of three have played a low pair."""
    table = set_up(make("double", 3, options), rows, [[95], [5], [5]], scores=scores, **fields)
    for seat, card in enumerate((95, 5, 5)):
        table.choose(seat, PlayCard(card))
    return table


def test_dbl_1_twins_of_one_trick_are_one_unit_at_their_turn() -> None:
    table = trick("double", [[10], [80], [90], [100]], "50", "20", "15", "20")
    assert table.position.rows[0] == [10, 15, 20, 20, 50]
    assert [(put.seat, put.card, put.place) for put in table.happened(Placed)] == [
        (2, 15, 1), (1, 20, 2), (3, 20, 2), (0, 50, 3),
    ]  # fmt: skip
    assert [played.card for played in table.happened(Revealed)[0].plays] == [15, 20, 20, 50]


def test_dbl_2_a_unit_as_fifth_position_takes_nothing() -> None:
    table = trick("double", [[10, 20, 30, 40], [80], [90], [100]], "50", "50")
    assert table.position.rows[0] == [10, 20, 30, 40, 50, 50]
    assert not table.happened(Took)
    assert not table.happened(Shared)


def test_dbl_2_heads_count_every_card_and_positions_the_length() -> None:
    table = trick("double", [[10, 10, 20, 20, 30, 40], [80], [90], [100]], "45", "46")
    # Four positions take a fifth; the sixth takes all seven cards.
    assert table.happened(Took) == [Took(1, 0, (10, 10, 20, 20, 30, 40, 45), 20, "full")]
    assert table.position.rows[0] == [46]


@pytest.mark.parametrize(
    ("row", "heads", "each"),
    [([10, 20, 30, 40, 50], 15, 8), ([1, 10, 20, 30, 40], 13, 7), ([5, 10, 20, 30, 40], 14, 7)],
)
def test_dbl_3_each_owner_is_charged_half_rounded_up(row: list[int], heads: int, each: int) -> None:
    table = trick("double", [row, [80], [90], [100]], "60", "60")
    assert table.happened(Shared) == [Shared((0, 1), 0, tuple(row), heads, each, "full")]
    assert table.position.points == [each, each]


def test_dbl_4_a_twin_of_the_end_of_a_full_row_is_no_sixth_card() -> None:
    table = trick("double", [[10, 20, 30, 40, 50], [80], [90], [100]], "50", "51")
    assert table.happened(Placed)[0].place == 4
    # The row kept five positions, so the 51 takes it, twin included.
    assert table.happened(Took) == [Took(1, 0, (10, 20, 30, 40, 50, 50), 18, "full")]


@pytest.mark.parametrize(
    ("scores", "options", "chooser"),
    [
        ([0, 9, 8], {}, 2),
        ([0, 8, 9], {}, 1),
        ([0, 8, 8], {}, 1),
        ([0, 9, 8], {"double.lowChooser": "lowerTotal"}, 2),
        ([0, 9, 8], {"double.lowChooser": "seat"}, 1),
    ],
)
def test_dbl_5_one_owner_chooses_for_a_low_pair(scores: list[int], options: Any, chooser: int) -> None:
    table = low_pair(scores, options)
    (ask,) = table.position.asks
    assert (ask.kind, ask.seats, ask.about) == ("choose_row", (chooser,), (5,))
    table.choose(chooser, TakeRow(0))
    assert table.happened(Shared) == [Shared((1, 2), 0, (10, 20), 6, 3, "low")]
    assert table.position.rows == [[5, 5], [80], [90, 91, 95], [100]]
    assert table.position.points == [0, 3, 3]


def test_dbl_5_what_the_running_round_has_cost_does_not_count() -> None:
    table = low_pair([0, 9, 8], {}, points=[0, 0, 50])
    (ask,) = table.position.asks
    assert ask.seats == (2,)


def test_dbl_5_or_the_cheapest_row_is_taken() -> None:
    table = low_pair([0, 0, 0], {"double.lowChooser": "cheapestRow"}, [[10, 20], [81, 82], [90, 91], [100]])
    (chose,) = table.happened(Chose)
    assert (chose.kind, chose.notation, chose.forced) == ("choose_row", "r2", True)
    assert table.happened(Shared) == [Shared((1, 2), 1, (81, 82), 2, 1, "low")]
    with pytest.raises(BadOption):
        make("double", 2, {"double.lowChooser": "dearestRow"})


def test_dbl_5_a_single_low_card_chooses_for_itself() -> None:
    for chooser in ("lowerTotal", "seat", "cheapestRow"):
        table = trick("double", LOW, "5", "6", options={"double.lowChooser": chooser})
        assert waits_for_a_row(table, seat=0)


def test_dbl_6_a_twin_inside_a_row_attracts_nothing() -> None:
    table = trick("double", [[10, 20, 30], [80], [90], [100]], "20")
    assert waits_for_a_row(table, seat=0)
    table.choose(0, TakeRow(1))
    assert table.position.rows == [[10, 20, 30], [20], [90], [100]]
    table = trick("double", [[10, 20, 30], [19], [90], [100]], "20")
    assert table.position.rows == [[10, 20, 30], [19, 20], [90], [100]]


def test_dbl_7_the_cards_of_a_shared_row_lie_in_no_pile() -> None:
    table = trick("double", [[10, 20, 30, 40, 50], [80], [90], [100]], "60", "60")
    assert table.position.piles == [[], []]
    assert table.position.aside == [10, 20, 30, 40, 50]
    (shared,) = table.happened(Shared)
    assert shared.seen_by(None) == shared
    assert view(table.rules, table.position, None).position.points == [8, 8]


def test_dbl_8_start_cards_are_turned_until_four_numbers_lie() -> None:
    game = stacked("double", [[1], [2]], [7, 31], then=[7, 20, 20, 31, 40])
    assert game.position.rows == [[7, 7], [31, 31], [20, 20], [40]]
    (started,) = of(game.events, RowsStarted)
    assert started.rows == ((7, 7), (31, 31), (20, 20), (40,))
    assert len(game.position.deck) == 208 - 20 - 7


def test_dbl_8_a_start_pair_is_one_position() -> None:
    table = trick("double", [[7, 7], [80], [90], [100]], "8", "9", "11", "12")
    assert table.position.rows[0] == [7, 7, 8, 9, 11, 12]
    assert not table.happened(Took)


def test_dbl_9_laying_on_a_twin_precedes_the_smallest_difference() -> None:
    table = trick("double", [[10, 50], [49], [90], [100]], "50")
    assert table.position.rows == [[10, 50, 50], [49], [90], [100]]


def test_dbl_10_the_small_version_has_113_cards() -> None:
    small, large = (make("double", 10, {"double.deck": size}).universe("numbers") for size in (113, 208))
    assert len(small) == 113
    assert bullheads(*small) == 218
    assert {card for card, copies in Counter(small).items() if copies == 2} == set(range(11, 100, 11))
    assert Counter(large) == Counter([*range(1, 105)] * 2)
    assert bullheads(*large) == 342
    for wrong in (104, "113", 113.0, True):
        with pytest.raises(BadOption):
            make("double", 4, {"double.deck": wrong})  # type: ignore[dict-item]


@pytest.mark.parametrize("size", [113, 208])
def test_dbl_10_ten_can_play_with_either_deck(size: int) -> None:
    game = new_game("double", 10, seed=1, options={"double.deck": size})
    while not game.over:
        play_on(game)
    assert max(game.position.scores) >= 66


def test_dbl_11_two_to_ten() -> None:
    for players in (1, 11, 20):
        with pytest.raises(WrongPlayers):
            make("double", players)


def test_dbl_12_both_copies_in_one_hand_are_played_in_different_tricks() -> None:
    game = stacked("double", [[20, 20], [60, 61]], [10, 30, 40, 50])
    (ask, _) = game.asks
    assert ask.options.count(PlayCard(20)) == 1
    play(game, "0:20", "1:60")
    assert game.position.hands[0].count(20) == 1
    play(game, "0:20", "1:61")
    # The second one lies on the first.
    assert game.position.rows[0] == [10, 20, 20]


def test_dbl_12_the_others_cannot_tell_that_a_hand_holds_twins() -> None:
    """A seat that holds two alike and nothing else has no choice: going on would tell its last card."""
    seen = []
    for hand in ([20, 20], [20, 21]):
        table = set_up(make("double", 2), [[10], [30], [40], [50]], [hand, [60, 61]], spares=0)
        table.choose(1, PlayCard(60))
        told = [told for event in table.events if (told := event.seen_by(1)) is not None]
        seen.append((told, view(table.rules, table.position, 1)))
    assert seen[0] == seen[1]


def test_dbl_13_a_row_restarted_by_a_pair_has_one_position() -> None:
    table = trick("double", [[10, 20, 30, 40, 50], [80], [90], [100]], "60", "60", "61")
    rules = table.rules
    assert isinstance(rules, Double)
    assert rules.positions(table.position.rows[0]) == [[60, 60], [61]]


def test_the_rows_of_random_games_hold_at_most_five_positions() -> None:
    game = new_game("double", 6, seed=3, options={"double.deck": 113})
    rng = random.Random(3)
    while not game.over:
        ask = rng.choice(game.asks)
        game.choose(ask.seats[0], rng.choice(ask.options))
        assert all(1 <= len(set(row)) <= 5 and row == sorted(row) for row in game.position.rows)

"""Even/Odd: the rulings EVEN-1 to EVEN-10."""

from itertools import pairwise

import pytest

from bullpen.engine.events import MarkerMoved, RowsStarted, Took
from tests.games.fan import fan_card, moves, random_game, trick, waits_for_a_row


def test_even_1_a_card_above_the_marked_end_alone_is_shut_out_by_its_parity() -> None:
    table = trick("even-odd", [[92], [95], [99], [71, 85]], "90", marked=3, side="odd")
    assert waits_for_a_row(table, seat=0)


def test_even_1_with_the_shown_parity_the_same_row_lets_a_card_in() -> None:
    table = trick("even-odd", [[92], [95], [99], [71, 85]], "91", marked=3, side="odd")
    assert table.position.rows[3] == [71, 85, 91]


def test_even_1_a_card_shut_out_goes_to_a_farther_row_that_is_open() -> None:
    table = trick("even-odd", [[40], [95], [99], [71, 85]], "90", marked=3, side="odd")
    assert table.position.rows == [[40, 90], [95], [99], [71, 85]]


def test_even_2_a_card_of_the_wrong_parity_may_take_the_marked_row() -> None:
    table = trick("even-odd", [[92], [95], [99], [71, 85]], "90", marked=3, side="odd")
    table.choose(0, table.position.asks[0].options[3])
    assert table.position.rows == [[92], [95], [99], [90]]
    assert table.takes(["A"]) == [{"player": "A", "row": 4, "cards": [71, 85], "points": 3}]
    assert moves(table) == [(0, "even")]


def test_even_3_the_marker_moves_before_the_next_card_of_the_trick() -> None:
    # 25 takes row 2; the marker goes to its end, 25, and shuts out the 30, which came here to join it.
    rows = [[40], [10, 14, 16, 18, 24], [60], [7]]
    table = trick("even-odd", rows, "25", "30", marked=3, side="odd")
    assert moves(table) == [(1, "odd")]
    assert table.position.rows == [[40], [25], [60], [7, 30]]


def test_even_4_the_restarted_row_is_compared_unless_the_marker_leaves_it() -> None:
    table = trick("even-odd", [[40], [50], [60], [70]], "5", marked=0, side="even")
    table.choose(0, table.position.asks[0].options[2])
    assert moves(table) == [(2, "odd")]


def test_even_4_the_row_that_the_marker_leaves_is_never_chosen_again() -> None:
    table = trick("even-odd", [[40], [50], [60], [70]], "5", marked=0, side="even")
    table.choose(0, table.position.asks[0].options[0])
    assert table.position.rows[0] == [5]
    assert moves(table) == [(1, "even")]


def test_even_6_the_side_stays_until_the_next_move() -> None:
    table = trick("even-odd", [[10], [50], [60], [70]], "12", "51", marked=0, side="even")
    assert (fan_card(table, "marked"), fan_card(table, "side")) == (0, "even")
    assert moves(table) == []


def test_even_7_another_row_becoming_the_lowest_does_not_attract_the_marker() -> None:
    table = trick("even-odd", [[10], [20], [60], [70]], "18", "30", marked=0, side="even")
    assert table.position.rows == [[10, 18], [20, 30], [60], [70]]
    table = trick("even-odd", [[10, 48], [20], [60], [70]], "50", "80", marked=0, side="even")
    assert min(row[-1] for row in table.position.rows) == 20
    assert fan_card(table, "marked") == 0


def test_even_9_the_marker_takes_up_no_place() -> None:
    table = trick("even-odd", [[2, 4, 6, 8], [50], [60], [70]], "10", marked=0, side="even")
    assert table.position.rows[0] == [2, 4, 6, 8, 10]
    assert table.happened(Took) == []


def test_even_10_a_full_marked_row_is_taken_as_ever_and_the_marker_goes_to_another() -> None:
    table = trick("even-odd", [[2, 4, 6, 8, 10], [50], [61], [70]], "12", marked=0, side="even")
    assert table.position.rows[0] == [12]
    assert moves(table) == [(1, "even")]


@pytest.mark.parametrize("players", [2, 5, 10])
def test_even_5_and_8_every_round_starts_at_the_lowest_start_card(players: int) -> None:
    starts = 0
    for _, _, events in random_game("even-odd", players, seed=players):
        for started, moved in pairwise(events):
            if isinstance(started, RowsStarted):
                cards = [row[0] for row in started.rows]
                lowest = cards.index(min(cards))
                assert moved == MarkerMoved("even-odd", lowest, "odd" if min(cards) % 2 else "even")
                starts += 1
    assert starts >= 2


@pytest.mark.parametrize("players", [2, 10])
def test_the_marked_end_always_has_the_shown_parity_and_only_takes_move_the_marker(players: int) -> None:
    for _, position, events in random_game("even-odd", players, seed=players):
        assert position.rows[position.marked][-1] % 2 == (position.side == "odd")
        taken = sum(isinstance(event, Took) for event in events)
        dealt = sum(isinstance(event, RowsStarted) for event in events)
        assert sum(isinstance(event, MarkerMoved) for event in events) == taken + dealt

"""Mountain Climbing: the rulings MTN-1 to MTN-11."""

from itertools import pairwise

import pytest

from bullpen.engine import TakeRow
from bullpen.engine.events import MarkerMoved, Placed, RowsStarted, Took
from tests.games.fan import moves, random_game, trick, waits_for_a_row


def test_mtn_1_on_equal_differences_the_marked_row_wins() -> None:
    table = trick("mountain", [[35], [6, 12], [48], [60, 30]], "21", marked=3, arrow="up")
    assert table.position.rows[3] == [60, 30, 21]


def test_mtn_1_even_when_it_is_full_and_must_be_taken() -> None:
    table = trick("mountain", [[35], [6, 12], [48], [60, 50, 45, 40, 30]], "21", marked=3, arrow="up")
    assert table.position.rows == [[35], [6, 12], [48], [21]]
    assert [took.why for took in table.happened(Took)] == ["full"]


def test_mtn_1_a_smaller_difference_upward_beats_the_marked_row() -> None:
    table = trick("mountain", [[35], [6, 13], [48], [60, 30]], "21", marked=3, arrow="up")
    assert table.position.rows[1] == [6, 13, 21]


def test_mtn_2_a_card_below_everything_goes_to_the_marked_row() -> None:
    table = trick("mountain", [[35], [12], [48], [30]], "2", marked=3, arrow="up")
    assert table.position.rows[3] == [30, 2]


def test_mtn_2_a_card_above_the_marked_end_and_below_all_others_fits_nowhere() -> None:
    table = trick("mountain", [[35], [22], [48], [10]], "21", marked=3, arrow="up")
    assert waits_for_a_row(table, seat=0)


def test_mtn_3_the_marker_goes_up_turns_at_the_top_and_turns_again_at_the_bottom() -> None:
    row, arrow, path = 3, "up", []
    for _ in range(8):
        table = trick("mountain", [[80], [81], [82], [83]], "100", "1", marked=row, arrow=arrow)
        assert moves(table) == []
        # Above the marked end, below the others: it fits nowhere, and a take moves the marker.
        rows = [[80], [81], [82], [83]]
        rows[row] = [50]
        table = trick("mountain", rows, "60", marked=row, arrow=arrow)
        table.choose(0, TakeRow(0))
        ((row, arrow),) = moves(table)
        path.append((row, arrow))
    assert path == [
        (2, "up"), (1, "up"), (0, "down"), (1, "down"), (2, "down"), (3, "up"), (2, "up"), (1, "up"),
    ]  # fmt: skip


def test_mtn_4_the_marker_moves_before_the_next_card() -> None:
    # After the take row 3 descends: the 47 is now one below its end, not one above the 46.
    rows = [[90], [46], [48], [70, 66, 64, 63, 62]]
    table = trick("mountain", rows, "61", "47", marked=3, arrow="up")
    assert [placed.card for placed in table.happened(Placed)] == [47, 61]
    assert table.position.rows[1] == [46, 47]
    table = trick("mountain", rows, "30", "47", marked=3, arrow="up")
    assert table.position.rows == [[90], [46], [48, 47], [30]]


def test_mtn_5_a_row_that_loses_the_marker_grows_upward_from_its_last_card() -> None:
    table = trick("mountain", [[90, 80, 70], [20], [60], [40]], "75", marked=2, arrow="up")
    assert table.position.rows[0] == [90, 80, 70, 75]


def test_mtn_5_a_row_that_gains_the_marker_grows_downward_from_its_last_card() -> None:
    table = trick("mountain", [[20, 30, 40], [95], [90], [80]], "35", marked=0, arrow="down")
    assert table.position.rows[0] == [20, 30, 40, 35]


def test_mtn_8_a_card_that_fits_nowhere_may_take_the_marked_row() -> None:
    table = trick("mountain", [[35], [22], [48], [10]], "21", marked=3, arrow="up")
    table.choose(0, TakeRow(3))
    assert table.position.rows == [[35], [22], [48], [21]]
    assert moves(table) == [(2, "up")]


def test_mtn_9_cards_are_placed_lowest_first() -> None:
    table = trick("mountain", [[35], [22], [48], [30]], "60", "29", "28", marked=3, arrow="up")
    assert [placed.card for placed in table.happened(Placed)] == [28, 29, 60]


def test_mtn_10_two_takes_in_a_trick_move_the_marker_twice() -> None:
    rows = [[90], [70, 66, 64, 63, 62], [80, 81, 82, 83, 84], [20]]
    table = trick("mountain", rows, "57", "85", marked=1, arrow="up")
    assert moves(table) == [(0, "down"), (1, "down")]


@pytest.mark.parametrize("players", [2, 6, 10])
def test_mtn_7_and_11_every_round_starts_at_the_bottom_row_arrows_up(players: int) -> None:
    starts = 0
    for _, _, events in random_game("mountain", players, seed=players):
        for started, moved in pairwise(events):
            if isinstance(started, RowsStarted):
                assert moved == MarkerMoved("mountain", 3, "up")
                starts += 1
    assert starts >= 2


@pytest.mark.parametrize("players", [2, 10])
def test_every_take_and_nothing_else_moves_the_marker_by_one_row(players: int) -> None:
    at = 3
    for _, position, events in random_game("mountain", players, seed=players):
        for before, event in pairwise(events):
            if isinstance(event, MarkerMoved):
                assert isinstance(before, RowsStarted) or abs(event.place - at) == 1
                at = event.place
        taken = sum(isinstance(event, Took) for event in events)
        dealt = sum(isinstance(event, RowsStarted) for event in events)
        assert sum(isinstance(event, MarkerMoved) for event in events) == taken + dealt
        assert position.marked == at

"""The Jumping Cow: the rulings COW-1 to COW-12."""

from itertools import pairwise

import pytest

from bullpen.engine import TakeRow
from bullpen.engine.events import MarkerMoved, Placed, RowsStarted, Took
from tests.games.fan import fan_card, moves, random_game, trick
from tests.rulebook.tables import Table


def places(table: Table) -> list[int]:
    """Return the rows that the Cow landed in."""
    return [place for place, _ in moves(table)]


def test_cow_1_a_card_goes_behind_the_number_beside_the_cow() -> None:
    table = trick("jumping-cow", [[10], [50], [60], [70]], "15", cow=0)
    assert table.position.rows[0] == [10, 15]
    assert places(table) == [1]


def test_cow_2_a_chain_takes_four_cards_and_the_highest_stays() -> None:
    table = trick("jumping-cow", [[10], [20, 21, 22, 23, 24], [50], [60]], "15", cow=0)
    assert table.position.rows == [[10, 15], [24], [50], [60]]
    assert table.takes(["A"]) == [{"player": "A", "row": 2, "cards": [20, 21, 22, 23], "points": 10}]
    assert table.position.piles[0] == [20, 21, 22, 23]
    assert places(table) == [1, 0]


def test_cow_3_a_full_row_and_a_chain_of_two_make_three_rows_at_most() -> None:
    rows = [[1, 2, 3, 4], [11, 12, 13, 14, 15], [21, 22, 23, 24, 25], [60]]
    table = trick("jumping-cow", rows, "9", cow=0)
    assert table.position.rows == [[9], [15], [21, 22, 23, 24, 25], [60]]
    assert places(table) == [1, 0]
    rows = [[1, 2, 3, 50], [11, 12, 13, 14, 15], [21, 22, 23, 24, 25], [90]]
    table = trick("jumping-cow", rows, "60", cow=0)
    assert table.position.rows == [[60], [15], [25], [90]]
    assert [took.row for took in table.happened(Took)] == [0, 1, 2]
    assert places(table) == [1, 2, 1]


@pytest.mark.parametrize("players", [2, 6, 10])
def test_cow_3_no_placement_ever_takes_more_than_three_rows(players: int) -> None:
    chains = 0
    for seed in range(12):
        for _, position, events in random_game("jumping-cow", players, seed):
            for placed in (event for event in events if isinstance(event, Placed)):
                after = events[events.index(placed) + 1 :]
                upto = next((at for at, event in enumerate(after) if isinstance(event, Placed)), len(after))
                chain = [event for event in after[:upto] if isinstance(event, Took) and event.why == "cow"]
                assert len(chain) <= 2
                chains += bool(chain)
            assert all(len(row) + (index == position.cow) <= 5 for index, row in enumerate(position.rows))
    assert chains


def test_cow_4_on_four_numbers_the_row_is_just_full_and_the_next_card_takes() -> None:
    table = trick("jumping-cow", [[10], [20, 21, 22, 23], [50], [60]], "15", "24", cow=0)
    assert [took.row for took in table.happened(Took)] == [1]
    assert table.takes(["A", "B"]) == [{"player": "B", "row": 2, "cards": [20, 21, 22, 23], "points": 10}]
    assert table.position.rows[1] == [24]


def test_cow_4_on_four_numbers_nothing_is_taken_yet() -> None:
    table = trick("jumping-cow", [[10], [20, 21, 22, 23], [50], [60]], "15", cow=0)
    assert table.happened(Took) == []
    assert fan_card(table, "cow") == 1


def test_cow_5_a_low_card_that_takes_another_row_leaves_the_cow() -> None:
    table = trick("jumping-cow", [[30], [40], [50], [60, 61]], "3", cow=0)
    table.choose(0, TakeRow(3))
    assert table.position.rows == [[30], [40], [50], [3]]
    assert places(table) == []


def test_cow_6_a_low_card_that_takes_the_cows_row_makes_it_jump_and_may_start_a_chain() -> None:
    rows = [[30, 31], [40, 41, 42, 43, 44], [50], [60]]
    table = trick("jumping-cow", rows, "3", cow=0)
    table.choose(0, TakeRow(0))
    assert table.position.rows == [[3], [44], [50], [60]]
    assert [took.cards for took in table.happened(Took)] == [(30, 31), (40, 41, 42, 43)]
    assert places(table) == [1, 0]


def test_cow_7_a_card_in_another_row_leaves_the_cow() -> None:
    table = trick("jumping-cow", [[30], [40], [50], [1, 2, 3, 4, 60]], "45", "70", cow=0)
    assert table.position.rows == [[30], [40, 45], [50], [70]]
    assert places(table) == []


def test_cow_8_the_ends_after_the_placement_are_compared_without_the_row_left() -> None:
    table = trick("jumping-cow", [[10, 30], [40], [50], [60]], "35", cow=0)
    assert places(table) == [1]


def test_cow_9_the_placer_takes_every_row_of_a_chain() -> None:
    rows = [[1, 2, 3, 50], [11, 12, 13, 14, 15], [21, 22, 23, 24, 25], [90]]
    table = trick("jumping-cow", rows, "100", "60", cow=0)
    assert [took.seat for took in table.happened(Took)] == [1, 1, 1]
    assert table.position.points[0] == 0
    assert table.position.points[1] == sum(took.bullheads for took in table.happened(Took))


def test_cow_10_rows_ascend_so_the_last_card_is_the_highest() -> None:
    for _, position, _ in random_game("jumping-cow", 6, seed=1):
        assert all(row == sorted(row) for row in position.rows)


def test_cow_11_four_numbers_and_the_cow_are_a_full_row() -> None:
    table = trick("jumping-cow", [[2, 5, 9, 13], [64, 78], [97, 104], [49, 53]], "43", cow=0)
    assert table.takes(["A"]) == [{"player": "A", "row": 1, "cards": [2, 5, 9, 13], "points": 5}]
    assert table.position.rows[0] == [43]
    assert places(table) == [3]


@pytest.mark.parametrize("players", [2, 10])
def test_cow_12_every_round_starts_beside_the_lowest_start_card(players: int) -> None:
    starts = 0
    for _, _, events in random_game("jumping-cow", players, seed=players):
        for started, moved in pairwise(events):
            if isinstance(started, RowsStarted):
                cards = [row[0] for row in started.rows]
                assert moved == MarkerMoved("cow", cards.index(min(cards)))
                starts += 1
    assert starts >= 2

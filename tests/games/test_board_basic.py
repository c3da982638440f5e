"""The basic board game: a test for each ruling."""

from typing import Any

import pytest

from bullpen.engine import BadOption, IllegalChoice, WrongPlayers
from bullpen.engine.events import Dealt, Moved, Placed, Took
from bullpen.game import new_game
from bullpen.rulesets import make
from tests.games.board_tables import START, board

GAME = "board-basic"


def test_brd_2_a_board_may_have_any_number_of_rows_above_four() -> None:
    table = board(GAME, [11, 90], [12, 91])
    table.rules.data = table.rules.data.__class__(
        table.rules.data.oxen, table.rules.layout[:6], table.rules.layout[:6]
    )
    table.rules.play_round(table.position)
    assert len(table.position.rows) == 6


def test_brd_3_oxen_are_those_of_the_tile_file_not_of_the_cards() -> None:
    rows = {1: ("blank", "green1", "take_ox")}
    table = board(GAME, [22, 90], [91, 92], rows=rows, oxen={22: 3}).play("22", "91")
    assert table.scored == [(0, 3)]  # the card 22 has five bullheads


def test_brd_4_a_tile_too_low_goes_behind_the_highest_end_and_its_space_acts() -> None:
    rows = {4: ("blank", "-5", "blank", "take_ox")}
    table = board(GAME, [3, 90], [11, 91], rows=rows).play("3", "11")
    assert table.tiles(4) == {1: 70, 2: 3}
    assert table.scored == [(0, -5)]
    assert not table.happened(Took)


def test_brd_4_the_row_may_fall_and_the_next_tile_meets_its_new_end() -> None:
    table = board(GAME, [3, 90, 92], [60, 91, 93]).play("3", "60")
    assert table.tiles(4) == {1: 70, 2: 3}
    assert table.tiles(3) == {1: 50, 2: 60}


def test_brd_5_and_brd_6_the_last_space_takes_all_but_the_tile_played() -> None:
    rows = {1: ("blank", "blank", "take_ox")}
    tiles = {**START, 1: {1: 10, 2: 15}}
    table = board(GAME, [18, 90], [91, 92], rows=rows, tiles=tiles, oxen={10: 1, 15: 2, 18: 5}).play(
        "18", "91"
    )
    (took,) = table.happened(Took)
    assert (took.seat, took.row, took.cards, took.bullheads) == (0, 0, (10, 15), 3)
    assert table.scored == [(0, -3)]


def test_brd_7_the_first_space_of_the_new_row_acts() -> None:
    rows = {1: ("blank", "take_ox"), 5: ("green2", "blank", "take_ox")}
    table = board(GAME, [18, 90], [91, 92], rows=rows, oxen={18: 3}).play("18", "91")
    assert table.scored == [(0, -1), (0, 6)]
    assert table.tiles(5) == {1: 18}


@pytest.mark.parametrize(
    ("active", "row", "target"),
    [
        ((1, 2, 3, 4), 1, 5),  # below all active rows
        ((1, 3, 4, 6), 1, 2),  # a gap between them
        ((4, 5, 6, 10), 5, 7),  # the nearest below, though rows 1 to 3 are empty
        ((2, 8, 9, 10), 10, 1),  # nothing below: the topmost
        ((1, 2, 3, 10), 10, 4),
    ],
)
def test_brd_8_the_next_empty_row_below_else_the_topmost(
    active: tuple[int, ...], row: int, target: int
) -> None:
    ends = iter((60, 70, 80))
    tiles = {each: {1: 40 if each == row else next(ends)} for each in active}
    table = board(GAME, [41, 98], [99, 100], rows={row: ("blank", "take_ox")}, tiles=tiles).play("41", "99")
    assert table.tiles(target) == {1: 41}
    assert table.tiles(row) == {}


def test_brd_8_the_taken_row_itself_is_empty_in_the_search_from_the_top() -> None:
    tiles = {7: {1: 40}, 8: {1: 50}, 9: {1: 60}, 10: {1: 70}}
    table = board(GAME, [41, 98], [99, 100], rows={7: ("blank", "take_ox")}, tiles=tiles)
    table.rules.data = table.rules.data.__class__(
        table.rules.data.oxen, table.rules.layout[6:], table.rules.layout[6:]
    )
    table.position.rows = table.position.rows[6:]
    table.position.spaces = table.position.spaces[6:]
    table.play("41", "99")
    assert table.tiles(1) == {1: 41}


def test_brd_9_and_invariant_13_four_rows_stay_active() -> None:
    table = board(GAME, [41, 98], [99, 100], rows={2: ("blank", "take_ox")}).play("41", "99")
    assert len(table.position.active) == 4


def test_brd_10_tiles_of_a_take_leave_the_game() -> None:
    table = board(GAME, [41, 98], [99, 100], rows={2: ("blank", "take_ox")}).play("41", "99")
    assert table.position.aside == [30]


@pytest.mark.parametrize(
    ("score", "space", "after"), [(-40, "-8", -44), (42, "+5", 44), (44, "-3", 41), (-44, "+1", -43)]
)
def test_brd_11_surplus_at_the_end_of_the_track_is_forgotten(score: int, space: str, after: int) -> None:
    rows = {1: ("blank", space, "take_ox")}
    table = board(GAME, [11, 98], [99, 100], rows=rows, scores=[score, 0]).play("11", "99")
    assert table.position.scores == [after, 0]


DOUBLE = ("blank", "double", "double", "take_ox")


def test_brd_12_two_tiles_are_due_while_an_active_row_shows_a_symbol() -> None:
    table = board(GAME, [11, 97, 98], [96, 99, 100], rows={1: DOUBLE})
    assert table.options == ["11+97", "11+98", "97+98"]


def test_brd_12_several_such_rows_still_mean_two() -> None:
    table = board(GAME, [11, 97, 98], [96, 99, 100], rows={1: DOUBLE, 2: DOUBLE})
    assert table.options == ["11+97", "11+98", "97+98"]


def test_brd_12_it_is_looked_at_once_before_the_choice() -> None:
    # The take moves a tile into the two-tile row: that counts from the next trick on.
    rows = {1: ("blank", "take_ox"), 5: DOUBLE}
    table = board(GAME, [11, 80, 90, 91], [92, 93, 94, 95], rows=rows)
    assert table.options == ["11", "80", "90", "91"]
    table.play("11", "92")
    assert table.tiles(5) == {1: 11}
    assert table.options == ["80+90", "80+91", "90+91"]


def test_brd_12_and_brd_14_covering_the_symbols_ends_the_duty_from_the_next_trick() -> None:
    table = board(GAME, [11, 12, 90, 91], [92, 93, 94, 95], rows={1: DOUBLE}).play("11+12", "92+93")
    assert table.tiles(1) == {1: 10, 2: 11, 3: 12}
    assert table.scored == []  # covering a symbol does nothing
    assert table.options == ["90", "91"]


def test_brd_13_with_one_tile_left_one_is_played() -> None:
    table = board(GAME, [11], [12], rows={1: DOUBLE})
    assert table.position.result is not None
    assert table.tiles(1) == {1: 10, 2: 11, 3: 12}


def test_brd_14_all_tiles_of_a_trick_are_one_ascending_sequence() -> None:
    table = board(GAME, [11, 80, 90], [12, 81, 91], rows={1: DOUBLE}).play("11+80", "12+81")
    assert [(placed.seat, placed.card) for placed in table.happened(Placed)][:4] == [
        (0, 11),
        (1, 12),
        (0, 80),
        (1, 81),
    ]


@pytest.mark.parametrize("players", [2, 3])
def test_brd_15_with_two_or_three_players_a_second_hand_comes_before_the_next_choice(players: int) -> None:
    hands = [[11 + seat] for seat in range(players)]
    table = board(GAME, *hands, deals=1)
    assert [len(hand) for hand in table.position.hands] == [12] * players
    assert [dealt.seat for dealt in table.happened(Dealt)] == list(range(players))
    assert table.kind == "commit"


@pytest.mark.parametrize(("players", "deals"), [(2, 2), (3, 2), (4, 1), (6, 1)])
def test_brd_15_the_game_ends_when_the_last_hand_is_played(players: int, deals: int) -> None:
    table = board(GAME, *[[11 + seat] for seat in range(players)], deals=deals)
    assert table.position.result is not None
    assert table.position.result.reason == "all tiles were placed"


def test_brd_16_start_tiles_trigger_nothing_and_lie_in_the_top_rows() -> None:
    position: Any = new_game(GAME, 4, seed=1).position
    assert position.active == [0, 1, 2, 3]
    assert position.spaces[:5] == ((0,), (0,), (0,), (0,), ())
    assert position.scores == [0, 0, 0, 0]


@pytest.mark.parametrize(("space", "points"), [("green1", 3), ("green2", 6), ("red1", -3), ("red2", -6)])
def test_brd_17_oxen_spaces_count_the_tile_placed(space: str, points: int) -> None:
    rows = {1: ("blank", space, "take_ox")}
    table = board(GAME, [22, 98], [99, 100], rows=rows, oxen={10: 5, 22: 3}).play("22", "99")
    assert table.scored == [(0, points)]


def test_brd_18_leftover_tiles_are_seen_by_nobody() -> None:
    game = new_game(GAME, 6, seed=2)
    assert len(game.position.deck) == 100 - 6 * 12 - 4
    assert all(set(game.view(seat).position.deck) == {0} for seat in (None, 0, 5))


def test_brd_19_a_cleared_row_is_silent_until_it_is_started_again() -> None:
    rows = {1: ("blank", "double", "take_ox"), 6: ("blank", "take_ox")}
    tiles = {1: {1: 10, 2: 11}, 6: {1: 30}, 7: {1: 50}, 8: {1: 70}}
    table = board(GAME, [12, 31, 90, 91], [71, 92, 93, 94], rows=rows, tiles=tiles)
    assert table.position.asks[0].about == (1,)
    table.play("12", "71")  # takes row 1, which is empty now
    assert table.tiles(1) == {}
    assert table.position.asks[0].about == (1,)
    table.play("31", "92")  # takes row 6 and starts row 9: row 1 is still silent
    assert table.position.asks[0].about == (1,)


def test_gen_12_and_gen_16_the_highest_score_wins_and_equal_ones_share() -> None:
    table = board(GAME, [11], [12], [71], scores=[-3, 7, 7])
    assert table.position.result is not None
    assert table.position.result.ranks == (3, 1, 1)
    assert table.position.result.winners == (1, 2)


@pytest.mark.parametrize("game", ["board-basic", "board-basic-luck", "board-expert", "board-expert-luck"])
def test_gen_15_neither_a_target_nor_rounds_can_be_agreed_on(game: str) -> None:
    with pytest.raises(BadOption, match=r"no option 'end\.kind'"):
        make(game, 3, {"end.kind": "rounds"})


@pytest.mark.parametrize("players", [1, 7])
def test_gen_14_two_to_six_players(players: int) -> None:
    with pytest.raises(WrongPlayers, match="2 to 6"):
        make(GAME, players)


def test_events_show_a_take_without_knowing_a_rule() -> None:
    table = board(GAME, [41, 98], [99, 100], rows={2: ("blank", "take_ox")}).play("41", "99")
    events: list[Any] = [event for event in table.events if isinstance(event, Placed | Took | Moved)]
    placed, took, moved = events[:3]
    assert (placed.row, placed.place) == (1, 1)
    assert took.row == 1
    assert (moved.card, moved.source, moved.row, moved.place) == (41, 1, 4, 0)


def test_a_tile_that_is_not_behind_the_screen_is_refused_and_changes_nothing() -> None:
    table = board(GAME, [11, 98], [99, 100])
    before = table.position.copy()
    with pytest.raises(IllegalChoice, match="12 is no answer to this"):
        table.play("12")
    assert table.position == before

"""The expert board game: a test for each ruling."""

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from bullpen.engine import FACE_DOWN_NAME, IllegalChoice, parse, preview, view
from bullpen.engine.events import Dealt, Moved, Placed, SpecialsDrawn, Took
from bullpen.game import new_game
from bullpen.rulesets import make
from bullpen.rulesets.boards.events import ActionsShuffled, StopsRemoved
from tests.games.board_tables import START, BoardTable, Tiles, board

GAME = "board-expert"
OTHERS = [92, 93, 94]
"""The tiles of a second player who does not matter: they go to row 4."""
SHORT = ("blank", "blank", "blank", "take_ox")
TILES = ("blank", "blank", "blank", "take_tiles")
ALMOST_FULL: Tiles = {**START, 1: {1: 10, 2: 12, 3: 14}}


def with_cards(*names: str, hand: list[int], **fields: object) -> BoardTable:
    """Return a board at which seat 0 holds these action cards and is about to choose."""
    return board(GAME, hand, OTHERS, actions=(names,), **fields)  # type: ignore[arg-type]


def test_exp_1_there_are_as_many_action_cards_as_the_data_say() -> None:
    rules: Any = make(GAME, 4)
    counts = Counter(rules.universe("actions"))
    assert sum(counts.values()) == 24
    assert counts == {name: rules.data.counts[name] for name in counts}
    assert len(counts) == 6


@pytest.mark.parametrize("players", range(2, 7))
def test_exp_2_start_rows_and_two_action_cards(players: int) -> None:
    position: Any = new_game(GAME, players, seed=players).position
    rows = len(position.rows)
    assert position.active == (list(range(4)) if players <= 3 else list(range(rows - 4, rows)))
    assert [len(cards) for cards in position.actions] == [2] * players
    assert [len(hand) for hand in position.hands] == [12] * players
    assert len(position.deck) == 100 - 12 * players - 4


@pytest.mark.parametrize("rows", [SHORT, TILES])
def test_exp_3_any_other_empty_row_but_not_the_one_just_taken(rows: tuple[str, ...]) -> None:
    table = board(GAME, [15, 90, 91], OTHERS, rows={1: rows}, tiles=ALMOST_FULL).play("15", "92")
    assert table.kind == "choose_empty_row"
    assert table.options == ["s5", "s6", "s7", "s8", "s9", "s10"]
    table.play("s9")
    assert (table.tiles(1), table.tiles(9)) == ({}, {1: 15})


@pytest.mark.parametrize(("space", "points"), [("+4", 4), ("-2", -2), ("green2", 6), ("red1", -3)])
def test_exp_4_the_first_space_of_the_chosen_row_acts_on_the_taker(space: str, points: int) -> None:
    rows = {1: TILES, 7: (space, "blank", "take_ox")}
    table = board(GAME, [15, 90, 91], OTHERS, rows=rows, tiles=ALMOST_FULL, oxen={15: 3})
    table.play("15", "92", "s7")
    assert table.scored == [(0, points)]


def test_exp_5_a_tile_is_drawn_behind_the_screen_unless_the_pile_is_empty() -> None:
    rows = {1: ("blank", "draw_tile", "take_ox")}
    table = board(GAME, [15, 90, 91], OTHERS, rows=rows)
    top = table.position.deck[0]
    table.play("15", "92")
    assert table.position.hands[0] == sorted([90, 91, top])
    assert table.happened(Dealt)[-1].seen_by(1) == Dealt(0, (0,))
    table = board(GAME, [15, 90, 91], OTHERS, rows=rows)
    table.position.aside, table.position.deck = table.position.deck, []
    table.play("15", "92")
    assert table.position.hands[0] == [90, 91]


def test_exp_6_an_empty_action_pile_is_made_anew_from_the_discards() -> None:
    rows = {1: ("blank", "draw_action", "take_ox")}
    table = board(GAME, [15, 90, 91], OTHERS, rows=rows)
    table.position.action_discard, table.position.action_deck = table.position.action_deck, []
    table.play("15", "92")
    assert table.happened(ActionsShuffled) == [ActionsShuffled(24)]
    assert (len(table.position.action_deck), table.position.action_discard) == (23, [])
    (drawn,) = table.happened(SpecialsDrawn)
    assert table.position.actions[0] == list(drawn.names)
    assert drawn.seen_by(1) == SpecialsDrawn(0, (FACE_DOWN_NAME,))


def test_exp_6_without_discards_nothing_is_drawn() -> None:
    rows = {1: ("blank", "draw_action", "take_ox")}
    everything = make(GAME, 2).universe("actions")
    table = board(GAME, [15, 90, 91], OTHERS, rows=rows, actions=((), tuple(everything)))
    table.play("15", "92", "-")
    assert table.position.actions[0] == []
    assert not table.happened(ActionsShuffled)


def test_exp_7_any_number_of_cards_in_any_order() -> None:
    for order in permutations(["stop:2", "ascending:1", "skip:"]):
        table = with_cards("stop", "ascending", "skip", hand=[31, 90, 91]).play("31", "92", *order)
        assert table.tiles(1) == {1: 10, 3: 31}
        assert table.position.stops == (1,)
        assert sorted(table.position.action_discard) == ["ascending", "skip", "stop"]


def test_exp_7_a_card_serves_one_tile_only() -> None:
    rows = {1: ("blank", "double", "blank", "blank", "blank", "take_ox")}
    table = board(GAME, [11, 12, 90, 91], [92, 93, 94, 95], rows=rows, actions=(("skip",),))
    table.play("11+12", "92+93", "skip:")
    assert table.tiles(1) == {1: 10, 3: 11, 4: 12}


def test_exp_8_stop_goes_to_an_active_row_without_a_sign() -> None:
    table = with_cards("stop", "stop", "stop", hand=[31, 90, 91]).play("31", "92")
    assert table.options == ["-", "stop:1", "stop:2", "stop:3", "stop:4"]
    table.play("stop:2")
    assert table.options == ["-", "stop:1", "stop:3", "stop:4"]
    table.play("stop:1")
    assert table.options == ["-"]  # both signs are out
    with pytest.raises(IllegalChoice):
        table.play("stop:3")


def test_exp_9_a_stopped_row_is_closed_to_fitting_tiles() -> None:
    table = with_cards("stop", hand=[31, 90, 91]).play("31", "92", "stop:2")
    assert table.tiles(1) == {1: 10, 2: 31}


def test_exp_9_a_tile_too_low_goes_behind_the_highest_end_of_the_open_rows() -> None:
    table = with_cards("stop", hand=[3, 90, 91]).play("3", "92", "stop:4")
    assert table.tiles(3)[2] == 3


@pytest.mark.parametrize("rows", [SHORT, TILES])
def test_exp_10_all_signs_fall_with_any_take_before_the_new_row_is_started(rows: tuple[str, ...]) -> None:
    table = board(GAME, [15, 90, 91], OTHERS, rows={1: rows}, tiles=ALMOST_FULL, stops=(1, 3)).play(
        "15", "92"
    )
    assert table.kind == "choose_empty_row"
    assert table.position.stops == ()
    assert table.happened(StopsRemoved) == [StopsRemoved((1, 3))]


def test_exp_10_signs_stay_when_nobody_takes() -> None:
    table = with_cards("stop", hand=[31, 90, 91]).play("31", "92", "stop:2")
    assert table.position.stops == (1,)
    assert table.kind == "commit"


def test_exp_11_the_exchanged_tile_is_placed_at_once_and_the_old_one_is_known_behind_the_screen() -> None:
    table = board(GAME, [4, 72, 90], [20, 92, 93], actions=(("exchange",),))
    table.play("4", "20")
    assert table.options == ["-", "exchange:72", "exchange:90"]
    table.play("exchange:72")
    assert [placed.card for placed in table.happened(Placed)] == [72, 20]
    assert table.position.hands[0] == [4, 90]
    assert table.position.known[0] == [4]


def test_exp_11_it_needs_another_tile_and_replaces_one_of_two() -> None:
    rows = {1: ("blank", "double", "blank", "blank", "blank", "take_ox")}
    table = board(GAME, [11, 12], [92, 93, 94], rows=rows, actions=(("exchange",),)).play("92+93")
    assert table.options == ["-"]
    table = board(GAME, [11, 12, 75], [92, 93, 94], rows=rows, actions=(("exchange",),)).play(
        "11+12", "92+93"
    )
    table.play("exchange:75")
    assert [placed.card for placed in table.happened(Placed)][:2] == [75, 12]


def test_exp_11_the_plan_stays_with_the_tile_that_is_placed_and_the_old_one_goes_back_without_it() -> None:
    table = board(GAME, [31, 60, 90], OTHERS, actions=(("skip", "exchange"),))
    table.play("31", "92", "skip:", "exchange:60")
    assert table.tiles(3) == {1: 50, 3: 60}
    assert table.position.plans == ()
    table.play("31", "93")
    # In its next trick the tile goes to the first free space like any other.
    assert table.tiles(2) == {1: 30, 2: 31}


def test_exp_12_the_last_space_may_be_landed_on_but_never_skipped() -> None:
    tiles: Tiles = {**START, 1: {1: 10, 2: 12}}
    table = with_cards("skip", "skip", hand=[15, 90, 91], rows={1: SHORT}, tiles=tiles).play("15", "92")
    assert table.options == ["-", "skip:"]
    table.play("skip:")
    assert table.options == ["-"]
    table.play("-", "s5")
    assert [took.cards for took in table.happened(Took)] == [(10, 12)]


def test_exp_12_skips_add_up() -> None:
    table = with_cards("skip", "skip", hand=[15, 90, 91]).play("15", "92", "skip:", "skip:")
    assert table.tiles(1) == {1: 10, 4: 15}


def test_exp_13_a_skipped_symbol_stays_visible_until_the_row_is_cleared() -> None:
    rows = {1: ("blank", "double", "blank", "take_ox")}
    table = board(GAME, [11, 20, 32, 52, 77, 78], [33, 53, 72, 92, 96, 97], rows=rows, actions=(("skip",),))
    table.play("11+32", "33+53", "skip:")
    assert table.tiles(1) == {1: 10, 3: 11}
    assert table.position.asks[0].about == (2,)
    table.play("20+52", "72+92", "s10")  # the 20 takes the row
    assert table.position.asks[0].about == (1,)


def test_exp_14_tiles_slide_into_the_first_gap_and_those_beyond_stay() -> None:
    rows = {1: ("red2", "blank", "-7", "blank", "blank", "take_ox")}
    tiles: Tiles = {**START, 1: {1: 10, 2: 12, 4: 14}}
    table = with_cards("start", hand=[5, 90, 91], rows=rows, tiles=tiles).play("5", "92", "start:1")
    assert table.tiles(1) == {1: 5, 2: 10, 3: 12, 4: 14}
    assert table.scored == [(0, -7)]
    slides = [(moved.card, moved.place) for moved in table.happened(Moved)]
    assert slides == [(12, 2), (10, 1)]


def test_exp_14_only_open_active_rows_that_start_higher() -> None:
    table = with_cards("start", hand=[40, 90, 91], stops=(3,)).play("40", "92")
    assert table.options == ["-", "start:3"]


@pytest.mark.parametrize(("rows", "points", "hand"), [(SHORT, [(0, -3)], []), (TILES, [], [10, 12, 14])])
def test_exp_15_a_slide_onto_the_last_space_takes_all_but_the_tile_played(
    rows: tuple[str, ...], points: list[tuple[int, int]], hand: list[int]
) -> None:
    table = with_cards("start", hand=[5, 90, 91], rows={1: rows}, tiles=ALMOST_FULL)
    table.play("5", "92", "start:1", "s6")
    assert [took.cards for took in table.happened(Took)] == [(10, 12, 14)]
    assert table.scored == points
    assert table.position.hands[0] == [*hand, 90, 91]
    assert (table.tiles(1), table.tiles(6)) == ({}, {1: 5})


def test_exp_16_the_oxen_of_the_tile_that_slid_onto_the_space_count() -> None:
    rows = {1: ("blank", "blank", "green2", "take_ox")}
    tiles: Tiles = {**START, 1: {1: 12, 2: 22}}
    table = with_cards("start", hand=[5, 90, 91], rows=rows, tiles=tiles, oxen={5: 1, 22: 3})
    table.play("5", "92", "start:1")
    assert table.scored == [(0, 6)]


def test_exp_17_ascending_opens_every_open_row_with_a_lower_end() -> None:
    table = with_cards("ascending", hand=[60, 90, 91], stops=(1,)).play("60", "92")
    assert table.options == ["-", "ascending:1", "ascending:3"]


def test_exp_17_not_for_a_tile_that_is_too_low() -> None:
    table = with_cards("ascending", hand=[3, 90, 91]).play("3", "92")
    assert table.options == ["-"]


def test_exp_18_all_own_unplaced_tiles_come_now_lowest_first_then_the_others() -> None:
    rows = {1: ("blank", "double", "blank", "blank", "blank", "take_ox")}
    table = board(GAME, [31, 60, 35, 90], [40, 42, 93, 94], rows=rows, actions=(("another",),))
    table.play("31+60", "40+42", "another:35")
    assert [placed.card for placed in table.happened(Placed)][:5] == [31, 35, 60, 40, 42]


def test_exp_18_a_lower_tile_goes_before_the_one_that_was_due() -> None:
    table = board(GAME, [31, 12, 90], OTHERS, actions=(("another",),)).play("31", "92", "another:12")
    assert [placed.card for placed in table.happened(Placed)][:2] == [12, 31]


def test_exp_18_it_needs_a_tile_and_may_be_repeated() -> None:
    table = board(GAME, [31, 32, 33], OTHERS, actions=(("another",) * 3,)).play("31", "92")
    assert table.options == ["-", "another:32", "another:33"]
    table.play("another:32", "another:33")
    assert table.options == ["-"]
    table.play("-", "-", "-")
    assert [placed.card for placed in table.happened(Placed)][:3] == [31, 32, 33]


def test_exp_18_cards_may_be_played_before_each_tile() -> None:
    table = board(GAME, [31, 33, 90], OTHERS, actions=(("another", "skip"),))
    table.play("31", "92", "another:33", "-", "skip:")
    assert table.tiles(2) == {1: 30, 2: 31, 4: 33}


def test_exp_25_another_tile_goes_with_any_plan_which_stays_with_its_tile() -> None:
    table = board(GAME, [31, 12, 33, 90], OTHERS, actions=(("another", "skip"),)).play("31", "92", "skip:")
    assert table.options == ["-", "another:12", "another:33", "another:90"]
    table.play("another:12")
    assert [placed.card for placed in table.happened(Placed)][:2] == [12, 31]
    # The Skip was for the 31, so the 12 has gone to the next space and the 31 one further.
    assert table.tiles(1) == {1: 10, 2: 12}
    assert table.tiles(2) == {1: 30, 3: 31}


def test_exp_25_a_plan_that_another_tile_has_made_impossible_lapses() -> None:
    table = with_cards("another", "start", "start", hand=[20, 15, 90, 91])
    table.play("20", "92", "start:2", "another:15", "start:2")
    # Row 2 starts with 15 now, so the 20 cannot go before it and takes its usual way.
    assert table.tiles(2) == {1: 15, 2: 30}
    assert table.tiles(1) == {1: 10, 2: 20}


def test_exp_25_a_preview_knows_that_the_plan_will_lapse() -> None:
    table = with_cards("another", "start", "start", hand=[20, 15, 90, 91])
    table.play("20", "92", "start:2", "another:15")
    told = preview(table.rules, view(table.rules, table.position, 0), parse("start:2"))
    assert [(tile.card, tile.row, tile.place) for tile in told] == [(15, 1, 0), (20, 0, 1)]


def test_exp_19_the_end_is_looked_at_after_the_trick() -> None:
    table = board(GAME, [15], OTHERS).play("92")
    assert table.position.result is not None
    assert table.position.result.reason == "somebody has no tile left"


@pytest.mark.parametrize("space", ["draw_tile", "take_tiles"])
def test_exp_19_drawing_or_taking_tiles_in_time_averts_it(space: str) -> None:
    rows = {1: ("blank", space, "take_ox")[: 3 if space == "draw_tile" else 2]}
    table = board(GAME, [15], OTHERS, rows=rows).play("92")
    if space == "take_tiles":
        table.play("s5")
    assert table.position.result is None
    assert table.position.trick == 2


def test_exp_20_minus_oxen_left_then_plus_action_cards_each_cut_at_the_end() -> None:
    cards = (("skip", "skip"), ("stop", "skip", "start"))
    table = board(GAME, [15], [90, 91], oxen={91: 5}, actions=cards, scores=[43, -42]).play("90", "-", "-")
    assert table.position.result is not None
    # 43 + 2 is cut at the end of the track; -42 - 5 is cut before the 3 are added.
    assert table.position.result.scores == (44, -41)


def test_exp_21_the_game_is_stopped_after_the_agreed_number_of_tricks() -> None:
    options = {"expert.maxTricks": 2}
    table = board(GAME, [15, 16, 17, 18], [92, 93, 94, 95], options=options).play("15", "92", "16", "93")
    assert table.position.result is not None
    assert table.position.result.reason == "2 tricks were played"
    assert table.position.result.scores == (-2, -2)


@pytest.mark.parametrize("players", [2, 3])
def test_exp_22_there_is_no_second_hand(players: int) -> None:
    table = board(GAME, *[[11 + seat] for seat in range(players)], deals=1)
    assert table.position.result is not None


def test_exp_23_taken_tiles_can_be_played_from_then_on() -> None:
    table = board(GAME, [15, 90, 91], OTHERS, rows={1: TILES}, tiles=ALMOST_FULL).play("15", "92", "s5")
    assert table.options == ["10", "12", "14", "90", "91"]
    assert table.position.known[0] == [10, 12, 14]


def test_exp_23_within_the_same_trick_for_an_exchange() -> None:
    rows = {1: ("blank", "blank", "take_tiles"), 5: ("blank", "double", "blank", "take_ox")}
    tiles: Tiles = {1: {1: 10, 2: 12}, 5: {1: 30}, 6: {1: 50}, 7: {1: 70}}
    table = board(GAME, [15, 55, 98], [92, 93, 94], rows=rows, tiles=tiles, actions=(("exchange",),))
    table.play("15+55", "92+93", "-", "s8")
    assert table.options == ["-", "exchange:10", "exchange:12", "exchange:98"]


def test_exp_25_start_excludes_skip_and_ascending() -> None:
    table = with_cards("start", "skip", "ascending", "stop", hand=[40, 90, 91]).play("40", "92")
    assert {option.partition(":")[0] for option in table.options} == {
        "-",
        "start",
        "skip",
        "ascending",
        "stop",
    }
    table.play("start:3")
    assert {option.partition(":")[0] for option in table.options} == {"-", "stop"}
    for first in ("skip:", "ascending:1"):
        table = with_cards("start", "skip", "ascending", hand=[40, 90, 91]).play("40", "92", first)
        assert not [option for option in table.options if option.startswith("start")]


def test_exp_25_skip_goes_with_ascending() -> None:
    table = with_cards("skip", "ascending", hand=[40, 90, 91]).play("40", "92", "skip:", "ascending:1")
    assert table.tiles(1) == {1: 10, 3: 40}


def test_exp_25_stop_may_not_close_the_row_that_was_chosen() -> None:
    table = with_cards("stop", "ascending", hand=[40, 90, 91]).play("40", "92", "ascending:1")
    assert table.options == ["-", "stop:2", "stop:3", "stop:4"]


def test_exp_25_an_exchange_keeps_to_what_was_planned() -> None:
    table = with_cards("exchange", "ascending", hand=[40, 20, 90], stops=()).play("40", "92", "ascending:2")
    assert table.options == ["-", "exchange:90"]  # the 20 does not fit row 2
    table.play("exchange:90")
    assert [placed.row for placed in table.happened(Placed) if placed.card == 90] == [1]


def test_exp_26_a_sign_covers_no_space() -> None:
    table = with_cards("stop", hand=[31, 90, 91], rows={1: ("blank", "-7", "blank", "take_ox")})
    table.play("31", "92", "stop:1")
    assert table.tiles(1) == {1: 10}
    assert table.scored == []


def test_exp_27_no_action_card_helps_on_the_first_space_of_the_new_row() -> None:
    rows = {1: TILES, 5: ("-7", "blank", "take_ox")}
    table = with_cards("skip", "stop", hand=[15, 90, 91], rows=rows, tiles=ALMOST_FULL)
    table.play("15", "92", "-", "s5")
    assert table.scored == [(0, -7)]
    assert table.tiles(5) == {1: 15}
    assert table.kind == "commit"


def test_exp_28_two_tiles_are_due_from_those_who_have_two() -> None:
    rows = {1: ("blank", "double", "double", "take_ox")}
    table = board(GAME, [15], OTHERS, rows=rows)
    assert [ask.about for ask in table.position.asks] == [(1,), (2,)]


def test_action_cards_are_hidden_and_even_unplayable_ones_are_asked_about() -> None:
    # Neither Stop! (both signs are out) nor Place at the start (too high) can be played: still a question.
    for cards in (("stop", "start"), ("skip", "skip")):
        table = with_cards(*cards, hand=[80, 90, 91], stops=(0, 1)).play("80", "92")
        assert table.kind == "play_actions"
        seen: Any = view(table.rules, table.position, 1)
        assert seen.position.asks[0].options == ()
        assert seen.position.actions[0] == [FACE_DOWN_NAME] * 2
        assert seen.waiting == (0,)

"""Luck cards, on both boards: a test for each ruling."""

from typing import Any

import pytest

from bullpen.engine import IllegalChoice
from bullpen.engine.events import Took, Used
from bullpen.rulesets import make
from bullpen.rulesets.boards.events import LuckDrawn
from tests.games.board_tables import START, Tiles, board

GAME, EXPERT = "board-basic-luck", "board-expert-luck"
FIVE, OX = "plus-five:", "positive-ox:"
PLUS_FIVE, POSITIVE_OX = ("plus-five",), ("positive-ox",)
SHORT = ("blank", "blank", "blank", "take_ox")
ALMOST_FULL: Tiles = {**START, 1: {1: 10, 2: 12, 3: 14}}


def test_luck_1_the_data_say_how_many_cards_there_are() -> None:
    rules: Any = make(GAME, 2)
    assert len(rules.universe("luck")) == 12
    assert {name: rules.universe("luck").count(name) for name in ("plus-five", "positive-ox")} == {
        name: rules.data.counts[name] for name in ("plus-five", "positive-ox")
    }


@pytest.mark.parametrize(
    ("score", "loss", "clovers", "cards"),
    [
        (0, "-5", (-5,), 1),  # landed on
        (0, "-7", (-5,), 1),  # jumped over
        (0, "-4", (-5,), 0),  # not reached
        (-5, "-3", (-5,), 0),  # where the counter stood does not count again
        (3, "-9", (2, -1, -6, -7), 3),  # plus-side clovers too
        (0, "+5", (3, 5), 0),  # nothing for gains
    ],
)
def test_luck_2_and_luck_3_clovers_landed_on_or_passed_on_the_way_down(
    score: int, loss: str, clovers: tuple[int, ...], cards: int
) -> None:
    rows = {1: ("blank", loss, "take_ox")}
    table = board(GAME, [11, 90, 91], [92, 93, 94], rows=rows, clovers=clovers, scores=[score, 0])
    table.play("11", "92", *[FIVE] * cards)
    assert table.position.luck == [["plus-five"] * cards, []]
    assert len(table.happened(LuckDrawn)) == cards
    assert table.kind == "commit"


def test_luck_4_only_clovers_really_passed_count_at_the_end_of_the_track() -> None:
    rows = {1: ("blank", "-9", "take_ox")}
    table = board(GAME, [11, 90, 91], [92, 93, 94], rows=rows, clovers=(-44,), scores=[-40, -44])
    table.play("11", "92", OX)
    assert table.position.scores[0] == -44
    assert table.position.luck[0] == ["positive-ox"]
    table = board(GAME, [11, 90, 91], [92, 93, 94], rows=rows, clovers=(-44,), scores=[-44, 0]).play(
        "11", "92"
    )
    assert table.position.luck[0] == []


def test_luck_5_positive_ox_is_one_move_by_the_balance() -> None:
    rows, oxen = {1: SHORT}, {10: 5, 12: 2, 14: 3}
    hands = [[15, 90, 91], [92, 93, 94]]
    table = board(
        GAME, *hands, rows=rows, tiles=ALMOST_FULL, oxen=oxen, luck=(POSITIVE_OX,), clovers=(-1, -2)
    ).play("15", "92", OX, "positive-ox:10,14")
    assert table.scored == [(0, 5 + 3 - 2)]
    assert table.position.luck == [[], []]  # the clovers below 0 were never passed


def test_luck_5_a_negative_balance_passes_clovers() -> None:
    rows, oxen = {1: SHORT}, {10: 5, 12: 1, 14: 1}
    table = board(
        GAME,
        [15, 90, 91],
        [92, 93, 94],
        rows=rows,
        tiles=ALMOST_FULL,
        oxen=oxen,
        luck=(POSITIVE_OX,),
        clovers=(-2, -4),
    ).play("15", "92", OX, "positive-ox:12,14", FIVE)
    assert table.scored == [(0, -3)]
    assert table.position.luck == [["plus-five"], []]


def test_luck_6_an_empty_pile_leaves_the_other_and_both_empty_nothing() -> None:
    rows = {1: ("blank", "-9", "take_ox")}
    table = board(
        GAME, [11, 90, 91], [92, 93, 94], rows=rows, clovers=(-1, -2, -3), luck=((), ("plus-five",) * 6)
    )
    everything = table.position.luck_piles
    table.position.luck[1] += everything[:4]
    table.position.luck_piles = everything[4:]
    table.play("11")
    table.choose(1, table.position.open_asks[0].options[0])
    # Two cards for three clovers, both forced, and no claim on a third.
    assert table.position.luck_piles == []
    assert table.position.luck[0] == ["positive-ox", "positive-ox"]


def test_luck_7_one_luck_card_for_a_tile_and_one_for_each_of_two_tiles() -> None:
    rows = {1: ("blank", "double", "blank", "blank", "take_ox")}
    cards = ("plus-five", "plus-five", "plus-five")
    table = board(GAME, [11, 12, 90, 91], [92, 93, 94, 95], rows=rows, luck=(cards,)).play("11+12", "92+93")
    assert table.options == ["-", FIVE]
    table.play(FIVE)  # only going on is left for the first tile, so the second is asked about
    assert table.position.table[0].card == 12
    assert table.options == ["-", FIVE]
    table.play(FIVE)
    assert table.scored == [(0, 5), (0, 5)]


@pytest.mark.parametrize("space", ["blank", "red2", "-7", "double", "green2"])
def test_luck_8_plus_five_replaces_any_space_but_the_last(space: str) -> None:
    rows = {1: ("blank", space, "blank", "take_ox")}
    hands = [[11, 90, 91, 96], [92, 93, 94, 95]]
    table = board(GAME, *hands, rows=rows, luck=(PLUS_FIVE,), oxen={11: 5})
    first = ("11+96", "92+93") if space == "double" else ("11", "92")
    table.play(*first, FIVE)
    assert table.scored == [(0, 5)]


def test_luck_8_plus_five_is_refused_on_the_last_space() -> None:
    table = board(GAME, [15, 90, 91], [92, 93, 94], rows={1: SHORT}, tiles=ALMOST_FULL, luck=(PLUS_FIVE,))
    table.play("15", "92")
    # It could not be played, so nobody was asked.
    assert table.scored == [(0, -3)]
    assert table.position.luck[0] == ["plus-five"]


def test_positive_ox_is_refused_before_the_last_space() -> None:
    cards = ("plus-five", "positive-ox")
    table = board(GAME, [11, 90, 91], [92, 93, 94], rows={1: SHORT}, luck=(cards,)).play("11", "92")
    assert table.options == ["-", FIVE]
    with pytest.raises(IllegalChoice, match="positive-ox"):
        table.play(OX)


def test_luck_9_positive_ox_takes_as_many_tiles_as_there_are() -> None:
    rows = {1: ("blank", "take_ox")}
    table = board(GAME, [15, 90, 91], [92, 93, 94], rows=rows, luck=(POSITIVE_OX,), oxen={10: 5})
    table.play("15", "92", OX)
    assert table.scored == [(0, 5)]


def test_luck_10_positive_ox_on_take_the_row_tiles_counts_plus_only() -> None:
    rows = {1: ("blank", "blank", "blank", "take_tiles")}
    oxen = {10: 5, 12: 2, 14: 3}
    table = board(
        EXPERT, [15, 90, 91], [92, 93, 94], rows=rows, tiles=ALMOST_FULL, oxen=oxen, luck=(POSITIVE_OX,)
    ).play("15", "92", OX, "positive-ox:10,14")
    assert table.scored == [(0, 8)]
    assert table.position.hands[0] == [10, 12, 14, 90, 91]
    assert table.kind == "choose_empty_row"


def test_luck_11_a_played_card_is_back_on_its_pile_before_its_effect() -> None:
    # Both piles are empty but for the card that is played: it comes back for the clover it could not avert.
    rows, oxen = {1: SHORT}, {10: 5, 12: 1, 14: 1}
    table = board(
        GAME,
        [15, 90, 91],
        [92, 93, 94],
        rows=rows,
        tiles=ALMOST_FULL,
        oxen=oxen,
        luck=(POSITIVE_OX, ("plus-five",) * 6),
        clovers=(-2,),
    )
    table.position.luck[1] += ["positive-ox"] * 5
    table.position.luck_piles = []
    table.play("15", "92", OX, "positive-ox:12,14")
    assert table.position.luck[0] == ["positive-ox"]


def test_luck_12_held_cards_are_public_and_worthless() -> None:
    table = board(GAME, [11], [12], luck=(PLUS_FIVE, POSITIVE_OX), clovers=(-1,))
    assert table.kind == "play_luck"
    assert not table.position.asks[0].secret
    table.play("-")
    assert table.position.result is not None
    assert table.position.result.scores == (0, 0)


def test_luck_12_no_clovers_in_the_final_count_of_the_expert_game() -> None:
    table = board(EXPERT, [11], [90, 91, 92], clovers=(-1,), oxen={91: 5, 92: 5}).play("90")
    assert table.position.result is not None
    assert table.position.result.scores == (0, -10)
    assert table.position.luck == [[], []]


def test_luck_13_a_card_just_gained_cannot_serve_the_same_tile() -> None:
    rows = {1: ("blank", "-5", "take_ox")}
    table = board(GAME, [11, 90, 91], [92, 93, 94], rows=rows, clovers=(-5,)).play("11", "92", FIVE)
    assert table.scored == [(0, -5)]
    assert table.kind == "commit"
    assert not table.happened(Used)


def test_exp_24_plus_five_with_place_at_the_start_counts_on_the_newly_covered_space() -> None:
    rows = {1: ("red2", "blank", "-7", "take_ox")}
    tiles: Tiles = {**START, 1: {1: 10, 2: 12}}
    table = board(
        EXPERT, [5, 90, 91], [92, 93, 94], rows=rows, tiles=tiles, actions=(("start",),), luck=(PLUS_FIVE,)
    ).play("5", "92", "start:1", FIVE)
    assert table.tiles(1) == {1: 5, 2: 10, 3: 12}
    assert table.scored == [(0, 5)]


def test_exp_24_not_if_the_newly_covered_space_is_the_last() -> None:
    cards = ("plus-five", "positive-ox")
    table = board(
        EXPERT,
        [5, 90, 91],
        [92, 93, 94],
        rows={1: SHORT},
        tiles=ALMOST_FULL,
        actions=(("start",),),
        luck=(cards,),
    ).play("5", "92", "start:1")
    assert table.options == ["-", OX]
    table.play(OX, "positive-ox:10,12")
    assert table.scored == [(0, 1)]
    assert [took.cards for took in table.happened(Took)] == [(10, 12, 14)]


def test_exp_7_an_action_may_follow_a_luck_card_only_if_the_luck_card_stays_playable() -> None:
    tiles: Tiles = {**START, 1: {1: 10, 2: 12}}
    table = board(
        EXPERT,
        [15, 90, 91],
        [92, 93, 94],
        rows={1: SHORT},
        tiles=tiles,
        actions=(("skip",),),
        luck=(PLUS_FIVE,),
    ).play("15", "92")
    assert table.options == ["-", "skip:", FIVE]
    table.play(FIVE)
    assert table.options == ["-"]  # a Skip would land on the last space, but others need not know


def test_exp_27_no_luck_card_helps_on_the_first_space_of_the_new_row() -> None:
    rows = {1: ("blank", "take_ox"), 5: ("-7", "blank", "take_ox")}
    table = board(EXPERT, [15, 90, 91], [92, 93, 94], rows=rows, luck=(PLUS_FIVE,)).play("15", "92", "s5")
    assert table.scored == [(0, -1), (0, -7)]

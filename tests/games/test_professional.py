"""Professional: the rulings PRO-1 to PRO-11."""

import random

import pytest

from bullpen.engine import BadOption, JoinRow, TakeRow
from bullpen.engine.events import Chose, Placed, Took
from bullpen.game import new_game
from bullpen.rulesets import make
from tests.games.fan import trick, waits_for_a_row

TIED = [[10, 25], [35, 50], [60, 80], [90, 95]]
"""30 is five above the end of the first row and five below the start of the second."""


@pytest.mark.parametrize(("row", "after"), [(0, [10, 25, 30]), (1, [30, 35, 50])])
def test_pro_1_on_a_tie_the_owner_chooses_between_the_two_rows(row: int, after: list[int]) -> None:
    table = trick("professional", TIED, "30")
    (ask,) = table.position.asks
    assert (ask.kind, ask.seats, ask.about) == ("choose_side", (0,), (30,))
    assert ask.options == (JoinRow(0), JoinRow(1))
    assert ask.seen_by(1) == ask.seen_by(None) == ask
    table.choose(0, JoinRow(row))
    assert table.position.rows[row] == after
    assert table.position.rows[1 - row] == TIED[1 - row]


@pytest.mark.parametrize(("side", "row"), [("right", 0), ("left", 1)])
@pytest.mark.parametrize("turned", [False, True])
def test_pro_1_the_table_may_agree_on_a_side(side: str, row: int, turned: bool) -> None:
    rows = [TIED[1], TIED[0], *TIED[2:]] if turned else TIED
    row = 1 - row if turned else row
    table = trick("professional", rows, "30", options={"pro.tie": side})
    assert 30 in table.position.rows[row]
    assert table.happened(Chose) == [Chose(0, "choose_side", f"j{row + 1}", forced=True)]


def test_pro_1_the_tie_option_takes_three_words() -> None:
    assert make("professional", 2).options["pro.tie"] == "owner"
    for wrong in ("both", "Owner", True, 1):
        with pytest.raises(BadOption):
            make("professional", 2, {"pro.tie": wrong})


def test_pro_1_a_tied_full_row_is_taken_if_it_is_chosen() -> None:
    rows = [[10, 12, 15, 20, 25], *TIED[1:]]
    table = trick("professional", rows, "30")
    table.choose(0, JoinRow(0))
    assert table.position.rows[0] == [30]
    assert table.happened(Took) == [Took(0, 0, (10, 12, 15, 20, 25), 11, "full")]


def test_pro_2_a_single_card_grows_on_both_sides() -> None:
    table = trick("professional", [[50], [70], [80], [90]], "45", "52")
    assert table.position.rows[0] == [45, 50, 52]
    assert [(put.card, put.place) for put in table.happened(Placed)] == [(45, 0), (52, 2)]


@pytest.mark.parametrize("card", [30, 56])
def test_pro_3_a_sixth_card_on_either_side_takes_all_five(card: int) -> None:
    table = trick("professional", [[40, 43, 46, 50, 54], [2, 3], [99, 101], [102, 104]], str(card))
    assert table.happened(Took) == [Took(0, 0, (40, 43, 46, 50, 54), 9, "full")]
    assert table.position.rows[0] == [card]


@pytest.mark.parametrize("card", [59, 60])
def test_pro_4_a_card_inside_the_span_of_every_row_takes_one_of_choice(card: int) -> None:
    table = trick("professional", [[52, 63], [41, 70], [58, 61], [33, 88]], str(card))
    assert waits_for_a_row(table, seat=0)


def test_pro_5_any_row_may_then_be_taken() -> None:
    rows = [[52, 63], [41, 50, 55, 66, 70], [58, 61], [33, 88]]
    for row in range(4):
        table = trick("professional", rows, "59")
        table.choose(0, TakeRow(row))
        assert table.position.rows[row] == [59]
        assert table.position.piles[0] == rows[row]


def test_pro_6_the_card_restarts_the_row_in_its_place() -> None:
    table = trick(
        "professional", [[40, 43, 46, 50, 54], [12, 33, 60], [59, 65], [71, 80]], "5", "17", "58", "62"
    )
    assert table.position.rows == [[17], [5, 12, 33, 60, 62], [58, 59, 65], [71, 80]]


def test_pro_7_a_tie_is_always_between_an_end_and_a_start_of_two_rows() -> None:
    ties = 0
    for seed in range(12):
        game = new_game("professional", 4, seed=seed)
        rng = random.Random(seed)
        while not game.over:
            ask = rng.choice(game.asks)
            if ask.kind == "choose_side":
                ties += 1
                card = int(ask.about[0])
                rows = [
                    game.position.rows[option.row] for option in ask.options if isinstance(option, JoinRow)
                ]
                assert len(rows) == len(ask.options) == 2
                gaps = sorted([card - row[-1] if card > row[-1] else card - row[0] for row in rows])
                assert gaps[0] == -gaps[1] < 0
            game.choose(ask.seats[0], rng.choice(ask.options))
    assert ties > 5


@pytest.mark.parametrize("card", [59, 60])
def test_pro_8_beside_a_lone_17_the_cards_of_example_2_would_fit(card: int) -> None:
    table = trick("professional", [[17], [41, 70], [58, 61], [33, 88]], str(card))
    assert table.position.rows[0] == [17, card]


@pytest.mark.parametrize(
    ("card", "takes"), [(1, 1), (4, 1), (63, 1), (64, 1), (66, None), (16, None), (70, None)]
)
def test_pro_9_the_cards_that_take_the_second_row_of_example_1(card: int, takes: int | None) -> None:
    table = trick("professional", [[17], [5, 12, 33, 60, 62], [58, 59, 65], [71, 80]], str(card))
    assert [took.row for took in table.happened(Took)] == ([] if takes is None else [takes])


def test_pro_10_cards_are_placed_lowest_first() -> None:
    table = trick("professional", [[50], [70], [80], [90]], "60", "44", "49")
    assert [put.card for put in table.happened(Placed)] == [44, 49, 60]
    # The 49 was one below the 50, but the 44 lies there now: it fits nowhere near and goes below the 70.
    assert table.position.rows == [[44, 50, 60], [49, 70], [80], [90]]


def test_pro_11_only_the_ends_count_never_a_card_inside() -> None:
    # 31 is next to the 30 inside the first row, but that row's span holds it.
    table = trick("professional", [[10, 30, 60], [80], [90], [100]], "31")
    assert table.position.rows == [[10, 30, 60], [31, 80], [90], [100]]


def test_gen_11_the_short_deck_is_an_experiment() -> None:
    game = new_game("professional", 2, seed=1, options={"experimental.shortDeck": True})
    assert game.position.deck == []
    rng = random.Random(1)
    while not game.over:
        ask = rng.choice(game.asks)
        game.choose(ask.seats[0], rng.choice(ask.options))
    assert max(game.position.scores) >= 66

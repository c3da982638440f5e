"""Anniversary: the rulings ANN-1 to ANN-31, what others may know, and whole games."""

import random
from collections import Counter
from itertools import chain, pairwise, product
from typing import Any

import pytest

from bullpen.engine import (
    Ask,
    BadOption,
    Choice,
    IllegalChoice,
    Pass,
    Position,
    Ruleset,
    Scripted,
    Seeded,
    UseSpecial,
    WrongPlayers,
    bullheads,
    imagine,
    new_game,
    parse,
    submit,
    view,
)
from bullpen.engine.events import (
    Committed,
    Dealt,
    Event,
    ForcedSecretly,
    MarkerGone,
    Moved,
    Placed,
    ReturnedToHand,
    Revealed,
    RoundStarted,
    RowRemoved,
    SpecialsDrawn,
    SpecialsGone,
    Took,
    Used,
)
from bullpen.rulesets import make
from bullpen.rulesets.anniversary_cards import SPECIALS, Cancelled, cancelled_by
from bullpen.rulesets.base import SCORE_ROUND
from tests.rulebook.tables import Table, set_up

FULL = [3, 6, 11, 15, 20]
ROWS = [FULL, [9, 18], [50], [80]]
FIVE = [*ROWS, [60]]
ALL = [name for name in SPECIALS for _ in range(4)]
CHOICES = {
    "anniv.sevenRow": ("any", "own"),
    "anniv.fifthRow": ("any", "insteadOfTake"),
    "anniv.shiftIntoFull": ("take", "forbidden"),
    "anniv.negPos": ("cards", "plain"),
    "anniv.cancelled": ("largest", "chosen"),
}


# Tables from a picture.


def trick(
    rows: list[list[int]],
    *plays: int,
    held: dict[int, list[str]] | None = None,
    at: dict[int, list[str]] | None = None,
    piles: dict[int, list[int]] | None = None,
    options: Any = None,
    spares: int = 2,
    **fields: Any,
) -> Table:
    """Return a table at which seat 0, 1 … have played these cards, up to the next question.

    `held` are special cards by seat, `at` those that lie at a row, counted from 1; a fifth row has its own.
    With one card alone, the second seat plays nothing in this trick. With no spares nobody has a choice.
    """
    rules = make("anniversary", max(2, len(plays)), options)
    specials = [list((held or {}).get(seat, [])) for seat in range(rules.players)]
    markers = [list((at or {}).get(row + 1, [])) for row in range(len(rows))]
    for names in markers[4:]:
        names.append("fifth-row")
    out = Counter(name for names in (*specials, *markers) for name in names)
    bull_piles = [list((piles or {}).get(seat, [])) for seat in range(rules.players)]
    pictured = {
        "specials": specials,
        "markers": markers,
        "special_deck": sorted((Counter(ALL) - out).elements()),
        "drew": (0,) * rules.players,
        "piles": bull_piles,
        "points": [bullheads(*pile) for pile in bull_piles],
        **fields,
    }
    hands = [[card] for card in plays] + [[]] * (rules.players - len(plays))
    table = set_up(rules, rows, hands, spares, **pictured)
    if spares:
        table.position.asks = table.position.asks[: len(plays)]
        for seat, card in enumerate(plays):
            table.choose(seat, parse(str(card)))
    return table


def say(table: Table, *notations: str) -> Table:
    """Answer the open question, and those that follow."""
    for notation in notations:
        table.choose(table.position.asks[0].seats[0], parse(notation))
    return table


def asked(table: Table) -> tuple[str, int]:
    """Return the kind of the open question and whom it is for (the first one, if there are several)."""
    ask = table.position.asks[0]
    return ask.kind, ask.seats[0]


def offered(table: Table) -> list[str]:
    """Return the answers to the open question."""
    return [option.notation for option in table.position.asks[0].options]


def taken(table: Table) -> list[tuple[int, ...]]:
    """Return the cards of each take."""
    return [took.cards for took in table.happened(Took)]


def lying(table: Table) -> list[list[str]]:
    """Return the special cards at each row."""
    markers: list[list[str]] = table.position.markers  # type: ignore[attr-defined]
    return markers


def discards(table: Table) -> list[str]:
    """Return the special cards that were used up, in order."""
    names: list[str] = table.position.discards  # type: ignore[attr-defined]
    return names


# One special card at one's own placement.


def test_ann_1_one_special_card_goes_with_a_placement() -> None:
    table = say(trick(ROWS, 22, held={0: ["stop", "shift"]}), "stop:1")
    assert asked(table)[0] == "commit"
    assert table.position.rows[1] == [9, 18, 22]


def test_ann_1_negative_positive_is_that_one_card_too() -> None:
    table = say(trick(ROWS, 10, held={0: ["insert", "negative-positive"]}), "insert:1")
    assert taken(table) == [(3, 6, 10, 11, 15)]
    assert asked(table) == ("swap_special", 0)
    assert say(table, "-").position.aside == []


def test_ann_28_only_the_owner_of_the_card_is_asked() -> None:
    table = trick(ROWS, 22, 85, held={1: ["stop"]})
    assert asked(table) == ("use_special", 1)
    assert taken(table) == [tuple(FULL)]
    with pytest.raises(IllegalChoice):
        table.choose(0, parse("stop:1"))


def test_special_cards_are_used_card_by_card_in_the_order_of_placing() -> None:
    table = trick(ROWS, 85, 22, held={0: ["stop"], 1: ["stop"]})
    assert asked(table) == ("use_special", 1)
    say(table, "stop:1")
    assert asked(table) == ("use_special", 0)
    say(table, "stop:4")
    assert table.position.rows == [FULL, [9, 18, 22], [50, 85], [80]]


# 5th Row.


def test_ann_2_a_fifth_row_may_be_started_without_need() -> None:
    table = trick(ROWS, 51, held={0: ["fifth-row"]})
    assert offered(table) == ["-", "fifth-row:"]
    say(table, "fifth-row:")
    assert table.position.rows == [*ROWS, [51]]
    assert lying(table) == [[], [], [], [], ["fifth-row"]]
    assert discards(table) == []


def test_ann_2_by_agreement_only_instead_of_a_take() -> None:
    options = {"anniv.fifthRow": "insteadOfTake"}
    assert offered(trick(ROWS, 51, held={0: ["fifth-row"]}, options=options)) == ["-"]
    assert offered(trick(ROWS, 22, held={0: ["fifth-row"]}, options=options)) == ["-", "fifth-row:"]
    assert offered(trick(ROWS, 2, held={0: ["fifth-row"]}, options=options)) == ["-", "fifth-row:"]


def test_ann_2_there_is_no_sixth_row() -> None:
    assert offered(trick(FIVE, 22, held={0: ["fifth-row"]})) == ["-"]


@pytest.mark.parametrize(("card", "row"), [(22, 0), (61, 4)])
def test_ann_3_with_five_rows_the_card_is_taken_too_and_that_row_is_gone(card: int, row: int) -> None:
    rows = [*ROWS[:4], [60]] if card == 22 else [*ROWS[:4], [56, 57, 58, 59, 60]]
    table = trick(rows, card)
    assert taken(table) == [(*rows[row], card)]
    assert table.position.rows == [cards for index, cards in enumerate(rows) if index != row]
    assert [event.row for event in table.happened(RowRemoved)] == [row]
    assert table.happened(Placed) == []
    assert discards(table) == ["fifth-row"]


def test_ann_3_an_insert_that_overflows_costs_all_six() -> None:
    table = say(trick(FIVE, 10, held={0: ["insert"]}), "insert:1")
    assert taken(table) == [(3, 6, 10, 11, 15, 20)]
    assert table.position.rows == FIVE[1:]


def test_ann_4_the_rows_left_close_up_with_what_lies_at_them() -> None:
    table = trick(FIVE, 22, at={3: ["seven"]})
    assert table.position.rows == FIVE[1:]
    assert lying(table) == [[], ["seven"], [], []]
    assert discards(table) == ["fifth-row"]


def test_ann_5_a_low_card_with_five_rows_takes_an_open_row_and_itself() -> None:
    table = trick(FIVE, 2, at={2: ["stop"]})
    assert offered(table) == ["r1", "r3", "r4", "r5"]
    say(table, "r4")
    assert taken(table) == [(80, 2)]
    assert table.position.rows == [FULL, [9, 18], [50], [60]]


# 7 nimmt!.


def test_ann_6_seven_goes_to_any_open_row_and_the_card_is_placed_normally() -> None:
    table = trick(ROWS, 22, held={0: ["seven"]}, at={2: ["stop"]})
    assert offered(table) == ["-", "seven:1", "seven:3", "seven:4"]
    say(table, "seven:3")
    assert lying(table) == [[], [], ["seven"], []]
    assert taken(table) == [tuple(FULL)]


def test_ann_6_the_sixth_card_stays_and_the_seventh_takes_six() -> None:
    table = say(trick(ROWS, 22, 23, held={0: ["seven"]}), "seven:1")
    assert taken(table) == [(*FULL, 22)]
    assert table.position.rows[0] == [23]
    assert discards(table) == ["seven"]


def test_ann_6_by_agreement_only_at_the_row_of_the_card() -> None:
    options = {"anniv.sevenRow": "own"}
    assert offered(trick(ROWS, 22, held={0: ["seven"]}, options=options)) == ["-", "seven:1"]
    assert offered(trick(ROWS, 52, held={0: ["seven"]}, options=options)) == ["-", "seven:3"]
    assert offered(trick(ROWS, 2, held={0: ["seven"]}, options=options)) == ["-"]


def test_ann_7_never_two_at_one_row() -> None:
    table = trick(ROWS, 22, held={0: ["seven"]}, at={1: ["seven"], 3: ["seven"]})
    assert offered(table) == ["-", "seven:2", "seven:4"]


def test_ann_7_it_goes_when_the_row_is_taken_in_any_way() -> None:
    rows = [[3, 6, 11, 15, 20, 21], *ROWS[1:]]
    table = say(trick(rows, 10, held={0: ["insert"]}, at={1: ["seven"]}), "insert:1")
    assert taken(table) == [(3, 6, 10, 11, 15, 20)]
    assert table.position.rows[0] == [21]
    assert discards(table) == ["insert", "seven"]
    table = say(trick(rows, 90, held={0: ["shift"]}, at={1: ["seven"]}), "shift:9,1")
    assert taken(table) == [(3, 6, 9, 11, 15, 20)]
    assert discards(table) == ["shift", "seven"]


def test_ann_8_a_low_card_takes_such_a_row_early() -> None:
    table = say(trick(ROWS, 2, at={2: ["seven"]}), "r2")
    assert taken(table) == [(9, 18)]
    assert lying(table) == [[], [], [], []]
    assert [(gone.marker, gone.row) for gone in table.happened(MarkerGone)] == [("seven", 1)]


def test_ann_29_seven_does_not_help_a_low_card() -> None:
    table = say(trick(ROWS, 2, held={0: ["seven"]}), "seven:1")
    assert asked(table) == ("choose_row", 0)
    assert offered(table) == ["r1", "r2", "r3", "r4"]


def test_ann_30_fifth_row_stops_and_seven_together() -> None:
    rows = [[3, 6, 11, 15, 20, 21], *FIVE[1:]]
    table = trick(rows, 22, at={1: ["seven"], 3: ["stop"], 4: ["stop"]})
    assert taken(table) == [(3, 6, 11, 15, 20, 21, 22)]
    assert table.position.rows == FIVE[1:]
    assert lying(table) == [[], [], [], []]
    assert Counter(discards(table)) == {"stop": 2, "seven": 1, "fifth-row": 1}


# Insert.


def test_ann_9_insert_into_a_full_row_takes_all_but_the_last_card() -> None:
    table = say(trick(ROWS, 10, held={0: ["insert"]}), "insert:1")
    assert taken(table) == [(3, 6, 10, 11, 15)]
    assert table.position.rows == [[20], *ROWS[1:]]
    assert [(placed.row, placed.place) for placed in table.happened(Placed)] == [(0, 2)]


def test_ann_10_insert_goes_to_the_start_or_the_middle_never_to_the_end_or_a_stopped_row() -> None:
    table = trick(ROWS, 19, held={0: ["insert"]}, at={3: ["stop"]})
    assert offered(table) == ["-", "insert:1", "insert:4"]
    say(table, "insert:4")
    assert table.position.rows[3] == [19, 80]


def test_ann_10_five_cards_with_seven_are_not_full() -> None:
    table = say(trick(ROWS, 10, held={0: ["insert"]}, at={1: ["seven"]}), "insert:1")
    assert taken(table) == []
    assert table.position.rows[0] == [3, 6, 10, 11, 15, 20]


# Stop.


def test_ann_11_any_row_may_be_stopped_the_fifth_and_one_with_seven_too() -> None:
    table = trick(FIVE, 51, held={0: ["stop"]}, at={1: ["seven"], 2: ["stop"]})
    assert offered(table) == ["-", "stop:1", "stop:3", "stop:4", "stop:5"]
    assert lying(say(table, "stop:1"))[0] == ["seven", "stop"]


def test_ann_11_there_is_no_third_stop() -> None:
    assert offered(trick(FIVE, 51, held={0: ["stop"]}, at={1: ["stop"], 2: ["stop"]})) == ["-"]


def test_ann_12_all_stops_fall_at_the_next_take_before_the_next_card() -> None:
    rows = [[30, 31, 32, 33, 34], [9, 18], [50], [80]]
    table = trick(rows, 35, 81, at={3: ["stop"], 4: ["stop"]})
    assert taken(table) == [tuple(rows[0])]
    assert table.position.rows == [[35], [9, 18], [50], [80, 81]]
    assert discards(table) == ["stop", "stop"]


def test_ann_12_also_one_that_the_taker_has_just_used() -> None:
    table = say(trick(ROWS, 22, held={0: ["stop"]}, at={2: ["stop"]}), "stop:3")
    assert taken(table) == [tuple(FULL)]
    assert lying(table) == [[], [], [], []]


def test_ann_13_ones_own_stop_may_make_ones_card_low() -> None:
    rows = [[5], [40], [50], [80]]
    table = say(trick(rows, 8, held={0: ["stop"]}), "stop:1")
    assert asked(table) == ("choose_row", 0)
    assert offered(table) == ["r2", "r3", "r4"]
    say(table, "r2")
    assert table.position.rows == [[5], [8], [50], [80]]
    assert lying(table) == [[], [], [], []]


def test_ann_14_stopped_rows_are_not_looked_at() -> None:
    assert trick(ROWS, 52, at={3: ["stop"]}).position.rows == [[52], *ROWS[1:]]
    table = trick(ROWS, 4, at={1: ["stop"]})
    assert offered(table) == ["r2", "r3", "r4"]


# Shift.


def test_ann_15_shift_moves_any_card_between_open_rows_to_its_ascending_place() -> None:
    rows = [[8, 13], [10, 17], [40], [66]]
    table = trick(rows, 70, held={0: ["shift"]}, at={2: ["seven"], 4: ["stop"]})
    assert set(offered(table)) == {
        "-", "shift:8,2", "shift:8,3", "shift:13,2", "shift:13,3", "shift:10,1", "shift:10,3", "shift:17,1",
        "shift:17,3", "shift:40,1", "shift:40,2",
    }  # fmt: skip
    after = {
        "shift:8,2": [[13], [8, 10, 17], [40, 70], [66]],
        "shift:13,2": [[8], [10, 13, 17], [40, 70], [66]],
        "shift:17,1": [[8, 13, 17], [10], [40, 70], [66]],
    }
    for notation, expected in after.items():
        again = trick(rows, 70, held={0: ["shift"]}, at={2: ["seven"], 4: ["stop"]})
        assert say(again, notation).position.rows == expected


def test_ann_16_shift_into_a_full_row_takes_and_then_the_card_is_placed() -> None:
    table = say(trick(ROWS, 21, held={0: ["shift"]}), "shift:18,1")
    assert taken(table) == [(3, 6, 11, 15, 18)]
    assert table.position.rows == [[20, 21], [9], [50], [80]]


def test_ann_16_a_card_shifted_to_the_end_stays() -> None:
    table = say(trick(ROWS, 90, held={0: ["shift"]}), "shift:50,1")
    assert taken(table) == [tuple(FULL)]
    assert table.position.rows == [[50], [9, 18], [90], [80]]


def test_ann_16_by_agreement_a_full_row_is_closed() -> None:
    options = {"anniv.shiftIntoFull": "forbidden"}
    names = offered(trick(ROWS, 90, held={0: ["shift"]}, options=options))
    assert not [name for name in names if name.endswith(",1")]
    assert "shift:20,2" in names


def test_ann_16_a_shift_and_the_placement_may_both_take_and_both_swap() -> None:
    rows = [FULL, [40, 41, 42, 43, 44], [9, 50], [80]]
    table = say(trick(rows, 45, held={0: ["shift", "stop"]}), "shift:9,1")
    assert asked(table) == ("swap_special", 0)
    say(table, "-")
    assert taken(table) == [(3, 6, 9, 11, 15), (40, 41, 42, 43, 44)]
    assert asked(table) == ("swap_special", 0)
    say(table, "-")
    assert table.position.rows == [[20], [45], [50], [80]]


def test_ann_17_the_card_must_start_a_row_that_shift_has_emptied() -> None:
    table = say(trick(ROWS, 85, held={0: ["shift"]}), "shift:50,2")
    assert table.position.rows == [FULL, [9, 18, 50], [85], [80]]
    assert taken(table) == []
    table = say(trick(ROWS, 2, held={0: ["shift"]}), "shift:50,2")
    assert table.position.rows == [FULL, [9, 18, 50], [2], [80]]


def test_ann_17_an_emptied_fifth_row_stays_a_fifth_row() -> None:
    table = say(trick(FIVE, 85, held={0: ["shift"]}), "shift:60,3")
    assert table.position.rows == [FULL, [9, 18], [50, 60], [80], [85]]
    assert lying(table)[4] == ["fifth-row"]


def test_ann_18_shift_overflow_with_five_rows_removes_the_row_and_spares_the_card() -> None:
    table = say(trick(FIVE, 81, held={0: ["shift"]}), "shift:18,1")
    assert taken(table) == [(3, 6, 11, 15, 18, 20)]
    assert table.position.rows == [[9], [50], [80, 81], [60]]
    assert lying(table) == [[], [], [], []]


@pytest.mark.parametrize(
    ("rows", "after"), [(ROWS, [[20], [9, 18], [85], [80]]), (FIVE, [[9, 18], [85], [80], [60]])]
)
def test_ann_17_and_18_a_row_is_emptied_and_another_overflows(
    rows: list[list[int]], after: list[list[int]]
) -> None:
    rows = [cards if cards != [50] else [10] for cards in rows]
    table = say(trick(rows, 85, held={0: ["shift", "stop"]}), "shift:10,1")
    assert asked(table) == ("swap_special", 0)
    assert table.position.rows == after
    assert len(taken(table)) == 1


# Replace.


def test_ann_19_replace_places_another_card_of_the_hand_in_the_same_turn() -> None:
    table = trick(ROWS, 22, 23, held={0: ["replace", "stop"]})
    spare = table.position.hands[0][-1]
    say(table, f"replace:{spare}")
    assert asked(table)[0] == "commit"
    assert table.position.rows == [[23], [9, 18], [50], [80, spare]]
    assert 22 in table.position.hands[0]
    assert [back.cards for back in table.happened(ReturnedToHand)] == [(22,)]
    assert [placed.card for placed in table.happened(Placed)] == [spare, 23]


def test_ann_19_replace_is_illegal_with_the_last_card() -> None:
    assert offered(trick(ROWS, 22, 90, held={0: ["replace"]}, spares=0)) == ["-"]
    assert len(offered(trick(ROWS, 22, held={0: ["replace"]}, spares=1))) == 2


def test_replace_lets_everybody_know_the_card_that_went_back() -> None:
    table = trick(ROWS, 22, 51, held={0: ["replace"]})
    say(table, f"replace:{table.position.hands[0][0]}")
    assert table.position.known[0] == [22]
    seen = view(table.rules, table.position, 1)
    assert seen.position.hands[0] == [0, 0]
    assert all(22 in imagine(table.rules, seen, random.Random(seed)).hands[0] for seed in range(10))
    table.choose(0, parse("22"))
    table.choose(1, parse(str(table.position.hands[1][0])))
    assert table.position.known[0] == []


# Negative = Positive.


def test_ann_20_whole_cards_leave_of_the_row_and_of_the_pile() -> None:
    table = trick(ROWS, 22, held={0: ["negative-positive"]}, piles={0: [30, 1]})
    say(table, "negative-positive:")
    assert asked(table) == ("np_card", 0)
    assert offered(table) == [f"negative-positive:{card}" for card in FULL]
    say(table, "negative-positive:11")
    # The 11 is worth five: the 15 (2) and the 20 (3) are the fewest cards that make it up, and of the row.
    assert sorted(table.position.aside) == [11, 15, 20]
    assert sorted(table.position.piles[0]) == [1, 3, 6, 30]
    assert table.position.points[0] == bullheads(1, 3, 6, 30)
    assert [(event.turned, event.bullheads) for event in table.happened(Cancelled)] == [(11, 10)]


def test_ann_20_a_card_worth_too_much_stays_and_the_surplus_is_lost() -> None:
    rows = [[10], [55], [60], [70]]
    table = trick(rows, 3, held={0: ["negative-positive"]}, piles={0: [22, 15]})
    say(table, "negative-positive:", "r1")
    # The only card of the row: nothing to decide.
    assert sorted(table.position.aside) == [10, 15]
    assert table.position.piles[0] == [22]
    assert table.position.points[0] == 5


def test_ann_20_the_set_is_as_large_as_can_be() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        turned, *others = rng.sample(range(1, 105), rng.randint(1, 10))
        power = bullheads(turned)
        sums = {0}
        for card in others:
            sums |= {total + bullheads(card) for total in sums if total + bullheads(card) <= power}
        cards = cancelled_by(turned, others)
        assert set(cards) <= set(others)
        assert len(set(cards)) == len(cards)
        assert bullheads(*cards) == max(sums)


def test_ann_20_plain_subtraction_by_agreement() -> None:
    options = {"anniv.negPos": "plain"}
    held = {0: ["negative-positive"]}
    table = trick(ROWS, 22, held=held, piles={0: [44]}, options=options)
    say(table, "negative-positive:", "negative-positive:11")
    assert table.position.points[0] == bullheads(44, 3, 6, 15, 20) - 5
    assert table.position.aside == [11]
    table = say(
        trick([[55, 56], [60], [70], [80]], 3, held=held, options=options), "negative-positive:", "r1"
    )
    say(table, "negative-positive:55")
    assert table.position.points[0] == 0


CHOSEN = {"anniv.cancelled": "chosen"}


def test_ann_20_by_agreement_the_owner_picks_card_after_card() -> None:
    table = trick(ROWS, 22, held={0: ["negative-positive"]}, piles={0: [30, 1]}, options=CHOSEN)
    say(table, "negative-positive:", "negative-positive:11")
    assert asked(table) == ("np_cancel", 0)
    # The 11 is worth five, so everything of the row (3, 6, 15, 20) and of the pile (30, 1) may go.
    assert offered(table) == ["-", "d3", "d6", "d15", "d20", "d30", "d1"]
    say(table, "d20")
    assert offered(table) == ["-", "d3", "d6", "d15", "d1"]  # two are left, and the 30 is worth three
    say(table, "d1")
    assert offered(table) == ["-", "d3", "d6"]
    say(table, "d6")
    # Nothing is left: the take follows.
    (cancelled,) = table.happened(Cancelled)
    assert (cancelled.turned, cancelled.cards, cancelled.bullheads) == (11, (20, 1, 6), 10)
    assert sorted(table.position.aside) == [1, 6, 11, 20]
    assert sorted(table.position.piles[0]) == [3, 15, 30]
    assert table.position.points[0] == bullheads(3, 15, 30)
    position: Any = table.position
    assert (position.cancelling, position.cancellable) == ((), ())


def test_ann_20_the_owner_may_stop_picking_at_any_time() -> None:
    table = trick(ROWS, 22, held={0: ["negative-positive"]}, options=CHOSEN)
    say(table, "negative-positive:", "negative-positive:11", "-")
    (cancelled,) = table.happened(Cancelled)
    assert (cancelled.cards, cancelled.bullheads) == ((), 5)
    assert sorted(table.position.piles[0]) == [3, 6, 15, 20]


def test_ann_20_a_card_that_cancels_nothing_asks_nothing() -> None:
    table = trick([[10], [55], [60], [70]], 3, held={0: ["negative-positive"]}, options=CHOSEN)
    say(table, "negative-positive:", "r1")
    assert [event.cards for event in table.happened(Cancelled)] == [()]


def test_ann_21_with_five_rows_the_card_played_may_be_picked() -> None:
    table = trick(FIVE, 22, held={0: ["negative-positive"]}, options=CHOSEN)
    say(table, "negative-positive:", "negative-positive:11", "d22")
    assert sorted(table.position.aside) == [11, 22]


def test_negative_positive_needs_a_take() -> None:
    assert offered(trick(ROWS, 51, held={0: ["negative-positive"]})) == ["-"]
    assert offered(trick(ROWS, 2, held={0: ["negative-positive"]})) == ["-", "negative-positive:"]


def test_ann_21_the_card_played_cannot_be_turned_but_can_be_cancelled() -> None:
    rows = [[2, 7, 9, 14, 21], [50], [60], [70], [40]]
    table = say(trick(rows, 23, held={0: ["negative-positive"]}), "negative-positive:")
    assert offered(table) == [f"negative-positive:{card}" for card in rows[0]]
    rows = [[30], [50], [60], [70], [40]]
    table = say(trick(rows, 3, held={0: ["negative-positive"]}), "negative-positive:", "r1")
    assert sorted(table.position.aside) == [3, 30]
    assert table.position.points[0] == 0


# A take: its order, and swapping.


def test_ann_24_the_steps_of_a_take_come_in_order() -> None:
    held = {0: ["negative-positive", "shift"]}
    table = trick(ROWS, 22, held=held, at={1: ["seven"], 4: ["stop"]})
    assert taken(table) == []
    rows = [[*FULL, 21], *ROWS[1:]]
    table = trick(rows, 22, held=held, at={1: ["seven"], 4: ["stop"]})
    say(table, "negative-positive:", "negative-positive:11", "shift:")
    steps = (Took, MarkerGone, Cancelled, Placed, RowRemoved, SpecialsDrawn)
    kinds = [type(event) for event in table.events if isinstance(event, steps)]
    assert kinds == [Took, MarkerGone, MarkerGone, Cancelled, Placed, SpecialsDrawn]
    five = trick([*rows, [60]], 22, held=held, at={1: ["seven"], 4: ["stop"]})
    say(five, "negative-positive:", "negative-positive:11", "shift:")
    kinds = [type(event) for event in five.events if isinstance(event, steps)]
    assert kinds == [Took, MarkerGone, MarkerGone, Cancelled, MarkerGone, RowRemoved, SpecialsDrawn]


def test_ann_23_after_a_take_one_special_card_may_be_swapped() -> None:
    table = trick(ROWS, 22, held={0: ["stop", "stop", "shift"]}, special_deck=["insert", "seven"])
    say(table, "-")
    assert asked(table) == ("swap_special", 0)
    assert offered(table) == ["-", "stop:", "shift:"]
    say(table, "stop:")
    assert table.position.specials[0] == ["insert", "shift", "stop"]  # type: ignore[attr-defined]
    assert discards(table) == ["stop"]
    assert asked(table)[0] == "commit"


def test_ann_23_nobody_has_to_swap_and_nobody_without_a_special_card_is_asked() -> None:
    table = say(trick(ROWS, 22, held={0: ["stop"]}), "-", "-")
    assert table.position.specials[0] == ["stop"]  # type: ignore[attr-defined]
    table = say(trick(ROWS, 10, held={0: ["insert"]}), "insert:1")
    assert asked(table)[0] == "commit"
    assert asked(trick(ROWS, 22))[0] == "commit"


def test_ann_23_an_empty_deck_is_made_of_all_discards_the_latest_included() -> None:
    table = trick(ROWS, 22, held={0: ["stop"]}, special_deck=[], discards=["seven", "seven"])
    table.chance = Scripted([("special_deck", ("stop", "seven", "seven"))])  # type: ignore[assignment]
    say(table, "-", "stop:")
    assert table.position.specials[0] == ["stop"]  # type: ignore[attr-defined]
    assert table.position.special_deck == ["seven", "seven"]  # type: ignore[attr-defined]
    assert discards(table) == []


# Deals, rounds and the end.


def end_of_round(held: list[list[str]], **fields: Any) -> Table:
    """Return a table whose first round has just been written down and the second dealt."""
    rules = make("anniversary", len(held))
    position = rules.position_type(rules.players)
    rules.start(position)
    rules.clear_table(position)  # type: ignore[attr-defined]
    position.specials = held
    for name, value in fields.items():
        setattr(position, name, value)
    lying_out = [name for names in (*held, *position.markers, position.discards) for name in names]
    position.special_deck = list((Counter(ALL) - Counter(lying_out)).elements())
    position.round, position.agenda = 1, [SCORE_ROUND]
    table = Table(rules, position)
    table.go_on()
    return table


@pytest.mark.parametrize(
    ("players", "kept", "each"), [(8, 3, 0), (8, 2, 1), (8, 1, 2), (8, 0, 3), (6, 2, 2), (2, 3, 3), (7, 3, 1)]
)
def test_ann_22_the_second_deal_gives_everybody_as_many_as_there_are_for_all(
    players: int, kept: int, each: int
) -> None:
    names = iter(ALL)
    table = end_of_round([[next(names) for _ in range(kept)] for _ in range(players)])
    held = table.position.specials  # type: ignore[attr-defined]
    assert [len(names) for names in held] == [kept + each] * players
    assert [len(drawn.names) for drawn in table.happened(SpecialsDrawn)] == [each] * players * bool(each)


def test_ann_22_and_25_discards_and_cards_from_the_table_come_back() -> None:
    rows = [[1], [2], [3], [4], [5]]
    markers = [["stop"], ["seven"], [], ["stop", "seven"], ["fifth-row"]]
    names = iter(["insert"] * 4 + ["replace"] * 4 + ["shift"] * 4 + ["negative-positive"] * 4)
    held = [[next(names) for _ in range(2)] for _ in range(8)]
    table = end_of_round(held, rows=rows, markers=markers, discards=["stop", "stop", "seven", "seven"])
    position: Any = table.position
    new = Counter(name for drawn in table.happened(SpecialsDrawn) for name in drawn.names)
    assert new + Counter(position.special_deck) == {"stop": 4, "seven": 4, "fifth-row": 4}
    assert position.discards == []
    assert position.markers == [[], [], [], []]
    assert len(position.rows) == 4


def test_the_first_deal_gives_twelve_numbers_and_three_special_cards() -> None:
    for players in range(2, 9):
        position, events = new_game(make("anniversary", players), Seeded(1))
        assert [len(hand) for hand in position.hands] == [12] * players
        assert [len(names) for names in position.specials] == [3] * players
        assert len(position.special_deck) == 28 - 3 * players
        assert len([event for event in events if isinstance(event, Dealt)]) == players


def test_ann_26_cards_put_away_are_back_in_the_second_round() -> None:
    table = end_of_round([[], []], aside=[11, 13])
    position = table.position
    cards = [*position.deck, *(card for cards in (*position.hands, *position.rows) for card in cards)]
    assert sorted(cards) == list(range(1, 105))
    assert position.aside == []


def test_ann_27_and_31_two_rounds_are_the_game_and_special_cards_held_count_nothing() -> None:
    rules, chance = make("anniversary", 3), Seeded(4)
    position, _ = new_game(rules, chance)
    while position.result is None:
        ask = position.open_asks[0]
        position, _ = submit(rules, position, ask.seats[0], ask.options[0], chance)
    assert position.round == 2
    assert position.specials == [names for names in position.specials if len(names) == 6]
    assert position.result.scores == tuple(map(sum, zip(*position.score_sheet, strict=True)))
    assert min(position.result.scores) == position.result.scores[position.result.winners[0]]
    with pytest.raises(BadOption):
        make("anniversary", 3, {"end.value": 66})


@pytest.mark.parametrize("players", [1, 9])
def test_gen_14_other_player_counts_are_refused(players: int) -> None:
    with pytest.raises(WrongPlayers):
        make("anniversary", players)


# What others may know.


def test_a_seat_whose_special_cards_cannot_be_used_is_asked_all_the_same() -> None:
    table = trick(FIVE, 51, 61, held={0: ["fifth-row"], 1: ["fifth-row"]})
    assert asked(table) == ("use_special", 0)
    assert offered(table) == ["-"]
    say(table, "-")
    assert asked(table) == ("use_special", 1)
    assert table.happened(ForcedSecretly) == []


def told(events: tuple[Event, ...], seat: int | None) -> list[Event]:
    """Return the events as a seat is told them."""
    return [seen for event in events if (seen := event.seen_by(seat)) is not None]


@pytest.mark.parametrize("card", [51, 61, 2])
def test_what_is_told_does_not_depend_on_hidden_special_cards(card: int) -> None:
    """From the choice that reveals the trick until a special card is shown, all worlds look the same."""
    stops = {1: ["stop"], 2: ["stop"]}
    streams = []
    for held in ["stop", "insert"], ["fifth-row", "fifth-row"], ["negative-positive", "replace"]:
        table = trick(FIVE, card, 90, held={0: held, 1: ["shift"]}, at=stops)
        rules, position = table.rules, table.position
        events = tuple(table.events)
        stream: list[Any] = []
        for notation in ("-", "r3" if card == 2 else "", "-"):
            for viewer in (1, None):
                stream += [told(events, viewer), view(rules, position, viewer)]
            if notation:
                position, events = submit(
                    rules, position, position.asks[0].seats[0], parse(notation), Seeded(0)
                )
        streams.append(stream)
    assert streams[0] == streams[1] == streams[2]


def test_a_secret_answer_is_told_when_it_takes_effect() -> None:
    table = trick(ROWS, 22, 90, held={0: ["stop"]})
    _, events = submit(table.rules, table.position, 0, parse("stop:1"), Seeded(0))
    assert told(events, 1)[:2] == [Committed(0), Used(0, "stop", (1,))]
    assert [ask.seen_by(1).options for ask in table.position.asks] == [()]


def test_special_hands_and_the_deck_are_hidden_and_discards_are_not() -> None:
    table = trick(ROWS, 22, 90, held={0: ["stop"], 1: ["shift", "shift"]}, discards=["seven"])
    seen: Any = view(table.rules, table.position, 1).position
    assert seen.specials == [["?"], ["shift", "shift"]]
    assert set(seen.special_deck) == {"?"}
    assert seen.discards == ["seven"]


def test_a_drawn_special_card_is_told_to_its_drawer_alone() -> None:
    table = say(trick(ROWS, 22, held={0: ["stop"]}, special_deck=["insert"]), "-", "stop:")
    (drawn,) = table.happened(SpecialsDrawn)
    assert drawn.names == ("insert",)
    assert drawn.seen_by(1) == SpecialsDrawn(0, ("?",))


def test_cards_seen_going_into_the_deck_are_imagined_there() -> None:
    """ANN-23: after a rebuild everybody knows what the deck is made of."""
    held = {0: ["stop", "stop"], 1: ["shift", "replace", "insert"]}
    gone = sorted((Counter(ALL) - Counter([*held[0], *held[1]])).elements())
    table = trick(ROWS, 22, 90, held=held, special_deck=[], discards=gone)
    say(table, "-", "stop:")
    position: Any = table.position
    sunk = Counter([*gone, "stop"])
    for seed in range(20):
        for seat in (1, None):
            other: Any = imagine(table.rules, view(table.rules, position, seat), random.Random(seed))
            assert Counter(other.special_deck) <= sunk
            assert Counter(other.specials[1]) <= Counter([*held[1], "stop"])


# Whole games.


def eagerly(rng: random.Random, ask: Ask) -> Choice:
    """Use a special card whenever one can be used."""
    uses = [option for option in ask.options if isinstance(option, UseSpecial)]
    return rng.choice(
        uses or [option for option in ask.options if not isinstance(option, Pass)] or ask.options
    )


def at_random(rng: random.Random, ask: Ask) -> Choice:
    return rng.choice(ask.options)


def play(rules: Ruleset[Any], seed: int, choose: Any) -> Any:
    """Play a game; after every choice give the position and what has just happened."""
    chance, rng = Seeded(seed), random.Random(seed)
    position: Position
    position, events = new_game(rules, chance)
    yield position, events, rng
    while position.result is None:
        ask = rng.choice(position.open_asks)
        choice = choose(rng, ask)
        assert parse(choice.notation) == choice
        position, events = submit(rules, position, ask.seats[0], choice, chance)
        yield position, events, rng


def check_table(rules: Ruleset[Any], position: Any) -> None:
    """Check the invariants of the rule catalogue that concern this game."""
    for family in ("numbers", "specials"):
        places = [card for zone in rules.zones if zone.family == family for card in zone.cards(position)]
        assert Counter(places) == Counter(rules.universe(family))
    assert all(low < high for row in position.rows for low, high in pairwise(row))
    assert 4 <= len(position.rows) == len(position.markers) <= 5
    for row, names in zip(position.rows, position.markers, strict=True):
        assert 1 <= len(row) <= 5 + ("seven" in names) or position.result is not None
        assert len(set(names)) == len(names)
    laid = Counter(name for names in position.markers for name in names)
    assert laid["stop"] <= 2
    assert position.result is not None or laid["fifth-row"] == len(position.rows) - 4
    worth = [bullheads(*pile) for pile in position.piles]
    assert position.points == worth or rules.options["anniv.negPos"] == "plain"
    assert all(0 <= points <= most for points, most in zip(position.points, worth, strict=True))
    assert all(len(ask.options) <= 300 for ask in position.asks)


TABLES = [
    (players, dict(zip(CHOICES, values, strict=True)))
    for players, values in zip(
        [2, 3, 4, 5, 6, 7, 8] * 3, [*product(*CHOICES.values()), *product(*CHOICES.values())], strict=False
    )
]


@pytest.mark.parametrize("choose", [at_random, eagerly])
@pytest.mark.parametrize(("players", "options"), TABLES)
def test_whole_games(players: int, options: Any, choose: Any) -> None:
    rules = make("anniversary", players, options)
    for position, _, rng in play(rules, players, choose):
        check_table(rules, position)
        if rng.random() < 0.05:
            seat = rng.choice([None, *range(players)])
            seen = view(rules, position, seat)
            imagined = imagine(rules, seen, rng)
            assert view(rules, imagined, seat) == seen
            check_table(rules, imagined)
    assert position.result is not None
    assert position.round == 2


def before_reveal(events: list[Event]) -> list[Event]:
    """Return the events up to a new deal or the next reveal, which a last card brings about by itself."""
    shown = [at for at, event in enumerate(events) if isinstance(event, Revealed | RoundStarted)]
    return events[: min(shown, default=None)]


def permuted(rules: Ruleset[Any], position: Any, seat: int | None, rng: random.Random) -> Any:
    """Return the position with all cards that a seat cannot see dealt differently."""
    return imagine(rules, view(rules, position, seat), rng)


@pytest.mark.parametrize("players", [2, 5, 8])
def test_two_worlds_tell_a_seat_the_same_until_a_card_is_shown(players: int) -> None:
    """Whoever passes, or swaps nothing, tells nothing about the hidden cards, whichever they are."""
    rules = make("anniversary", players)
    compared = 0
    games = (play(rules, seed, choose) for seed, choose in enumerate((eagerly, at_random)))
    for position, _, rng in chain.from_iterable(games):
        if len(position.asks) != 1 or not position.asks[0].secret:
            continue
        (asked_seat,) = position.asks[0].seats
        seat = rng.choice([None, *(other for other in range(players) if other != asked_seat)])
        other = permuted(rules, position, seat, rng)
        assert view(rules, other, seat) == view(rules, position, seat)
        first, second = (
            submit(rules, world_position, asked_seat, Pass(), Seeded(0))
            for world_position in (position, other)
        )
        events = told(first[1], seat)
        assert before_reveal(events) == before_reveal(told(second[1], seat))
        if before_reveal(events) == events:
            assert view(rules, first[0], seat) == view(rules, second[0], seat)
            compared += 1
    assert compared > 20


def test_what_is_known_of_the_special_deck_is_true() -> None:
    """However the game goes, the cards said to be in the deck or drawn since are there."""
    rebuilt = 0
    for seed in range(6):
        rules: Any = make("anniversary", 8)
        for position, events, _ in play(rules, seed, eagerly):
            rebuilt += any(isinstance(event, SpecialsGone) for event in events) and bool(position.sunk)
            for seat in (None, *range(8)):
                for cards, places in rules.whereabouts(position, seat):
                    truth = Counter(position.special_deck)
                    for owner, names in enumerate(position.specials):
                        if owner != seat and position.drew[owner]:
                            truth += Counter(names)
                    assert Counter(cards) <= truth
                    assert len(cards) <= len(places)
    assert rebuilt


def test_moving_is_told_in_full() -> None:
    table = say(trick(ROWS, 85, held={0: ["shift"]}), "shift:11,2")
    assert table.happened(Moved) == [Moved(0, 11, 0, 1, 1)]
    assert table.happened(Used) == [Used(0, "shift", (11, 2))]
    assert table.happened(SpecialsGone) == [SpecialsGone(("shift",), "used")]


def test_the_fifth_row_says_that_it_is_not_the_one_that_goes() -> None:
    (marker,) = (each for each in make("anniversary", 2).furniture.markers if each.name == "fifth-row")
    assert marker.says.endswith("the row that is taken next disappears.")

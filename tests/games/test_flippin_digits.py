"""Flippin' Digits: the rulings FLIP-1 to FLIP-12."""

from random import Random

import pytest

from bullpen.engine import (
    BadOption,
    IllegalChoice,
    PlayCard,
    Seeded,
    TakeRow,
    imagine,
    new_game,
    parse,
    submit,
    view,
)
from bullpen.engine.events import Placed, Revealed, Used
from bullpen.rulesets import make
from bullpen.rulesets.flippin_digits import FlippinDigits, FlipsHeld
from tests.games.fan import fan_card, random_game, trick, waits_for_a_row
from tests.rulebook.tables import Table, set_up

HIGH_ROWS = [[70], [80], [90], [100]]
ALL = (True, True)


def order(table: Table) -> list[int]:
    """Return the printed numbers in the order in which they are placed."""
    (revealed,) = table.happened(Revealed)
    return [played.card for played in revealed.plays]


def flip_rules(single_digit: str) -> FlippinDigits:
    rules = make("flippin-digits", 2, {"flip.singleDigit": single_digit})
    assert isinstance(rules, FlippinDigits)
    return rules


def test_flip_1_read_with_two_digits_flipping_is_its_own_inverse_on_1_to_99() -> None:
    rules = flip_rules("padded")
    assert rules.flipped(5) == 50
    assert rules.flipped(90) == 9
    assert sorted(rules.flipped(card) for card in range(1, 100)) == list(range(1, 100))
    assert all(rules.flipped(rules.flipped(card)) == card for card in range(1, 100))


def test_flip_1_a_single_digit_may_stay_by_agreement() -> None:
    options = {"flip.singleDigit": "identity"}
    table = trick("flippin-digits", [[2], [30], [60], [70]], "5*", options=options, has_flip=ALL)
    assert table.position.rows[0] == [2, 5]
    assert fan_card(table, "has_flip") == (False, True)


def test_flip_1_a_single_digit_may_be_forbidden_by_agreement() -> None:
    options = {"flip.singleDigit": "forbidden"}
    with pytest.raises(IllegalChoice):
        trick("flippin-digits", [[2], [30], [60], [70]], "5*", options=options, has_flip=ALL)
    table = trick("flippin-digits", [[2], [30], [60], [70]], "10*", options=options, has_flip=ALL)
    assert waits_for_a_row(table, seat=0)


def test_flip_1_no_fourth_reading_is_offered() -> None:
    with pytest.raises(BadOption):
        make("flippin-digits", 4, {"flip.singleDigit": "reversed"})


@pytest.mark.parametrize("card", [100, 101, 104])
def test_flip_2_cards_of_three_digits_cannot_be_flipped(card: int) -> None:
    with pytest.raises(IllegalChoice):
        trick("flippin-digits", [[1], [2], [3], [4]], f"{card}*", has_flip=ALL)


def test_flip_3_an_equal_end_is_closed_and_the_next_lower_one_is_used() -> None:
    table = trick("flippin-digits", [[42], [33], [60], [70]], "24*", has_flip=ALL)
    assert table.position.rows[1] == [33, 24]


def test_flip_3_an_equal_end_alone_means_taking_a_row() -> None:
    table = trick("flippin-digits", [[42], [50], [60], [70]], "24*", has_flip=ALL)
    assert waits_for_a_row(table, seat=0)


def test_flip_4_the_flipped_card_goes_first_and_the_other_meets_its_printed_number() -> None:
    rows = [[40], [60], [80], [90]]
    table = trick("flippin-digits", rows, "42", "24*", has_flip=ALL)
    assert order(table) == [24, 42]
    assert table.position.rows[0] == [40, 24, 42]
    # Between 24 and 42 lies another end: there the unflipped card goes, away from the flipped one.
    table = trick("flippin-digits", [[40], [39], [80], [90]], "24*", "42", has_flip=ALL)
    assert table.position.rows == [[40, 24], [39, 42], [80], [90]]


def test_flip_5_with_single_digits_staying_the_lower_printed_number_goes_first() -> None:
    options = {"flip.singleDigit": "identity"}
    table = trick("flippin-digits", [[1], [30], [60], [70]], "50*", "5*", options=options, has_flip=ALL)
    assert order(table) == [5, 50]
    table = trick("flippin-digits", [[1], [30], [60], [70]], "50*", "5", options=options, has_flip=ALL)
    assert order(table) == [50, 5]


def test_flip_6_a_palindrome_spends_the_flip_card_without_effect() -> None:
    table = trick("flippin-digits", [[30], [60], [70], [80]], "33*", has_flip=ALL)
    assert table.position.rows[0] == [30, 33]
    assert table.happened(Used) == [Used(0, "flip", (33,))]
    assert fan_card(table, "has_flip") == (False, True)


def test_flip_7_a_flipped_card_that_restarts_a_row_shows_its_printed_number() -> None:
    table = trick("flippin-digits", HIGH_ROWS, "61*", "62", has_flip=ALL)
    assert order(table) == [61, 62]
    table.choose(0, TakeRow(1))
    assert table.position.rows[1] == [61, 62]


def test_flip_7_bullheads_are_those_of_the_printed_number() -> None:
    # 50 is played as 5 and taken later: it costs 3, not 2.
    table = trick("flippin-digits", HIGH_ROWS, "50*", "1", has_flip=ALL)
    assert order(table) == [1, 50]
    table.choose(1, TakeRow(0))
    assert table.position.rows[0] == [1, 50]
    rows = [[1, 2, 3, 4, 50], [80], [90], [100]]
    table = trick("flippin-digits", rows, "51", has_flip=ALL)
    assert table.position.points == [1 + 1 + 1 + 1 + 3, 0]


def test_flip_8_rows_need_not_ascend_and_the_last_card_counts() -> None:
    table = trick("flippin-digits", [[33, 40], [60], [70], [80]], "24*", "99", has_flip=ALL)
    assert table.position.rows[0] == [33, 40, 24]
    table = trick("flippin-digits", [[33, 40, 24], [60], [70], [80]], "30", has_flip=ALL)
    assert table.position.rows[0] == [33, 40, 24, 30]


@pytest.mark.parametrize(("supply", "again"), [("round", True), ("game", False)])
def test_flip_9_the_flip_card_comes_back_with_the_next_deal_or_never(supply: str, again: bool) -> None:
    options = {"flip.supply": supply, "end.kind": "rounds", "end.value": 3}
    used_before: set[tuple[int, int]] = set()
    second_uses = 0
    for _, position, events in random_game("flippin-digits", 4, seed=3, options=options):
        for event in events:
            if isinstance(event, Used):
                second_uses += any(seat == event.seat for _, seat in used_before)
                assert (position.round, event.seat) not in used_before
                used_before.add((position.round, event.seat))
    assert bool(second_uses) == again


def test_flip_9_nobody_can_flip_twice_in_a_round() -> None:
    with pytest.raises(IllegalChoice):
        trick("flippin-digits", HIGH_ROWS, "24*", "25", has_flip=(False, True))


def test_flip_10_the_use_is_hidden_until_the_reveal() -> None:
    rules = make("flippin-digits", 2)
    seen = []
    for choice in ("24", "24*"):
        table = set_up(rules, HIGH_ROWS, [[24], [30]], has_flip=ALL)
        table.choose(0, parse(choice))
        seen.append((view(rules, table.position, 1), view(rules, table.position, None), table.events[:]))
        assert fan_card(table, "has_flip") == ALL
        table.choose(1, PlayCard(30))
        assert fan_card(table, "has_flip") == (choice == "24", True)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("trick_of_use", [1, 5, 10])
def test_flip_11_it_may_be_used_in_any_trick(trick_of_use: int) -> None:
    rules = make("flippin-digits", 2, {"end.kind": "rounds", "end.value": 1})
    chance = Seeded(1)
    position, events = new_game(rules, chance)
    while not any(isinstance(event, Used) for event in events):
        ask = position.open_asks[0]
        # Alone while it is too early, then flipped: the flips come last.
        choice = ask.options[0 if position.trick < trick_of_use else -1]
        used_in = position.trick
        position, events = submit(rules, position, ask.seats[0], choice, chance)
    (revealed,) = [event for event in events if isinstance(event, Revealed)]
    assert used_in == trick_of_use
    assert any(played.value != played.card for played in revealed.plays)


def test_flip_11_a_number_may_always_be_played_alone() -> None:
    for _, position, _ in random_game("flippin-digits", 3, seed=5):
        for ask in position.asks:
            if ask.kind == "commit":
                (seat,) = ask.seats
                assert {PlayCard(card) for card in position.hands[seat]} <= set(ask.options)


def test_flip_12_everybody_sees_who_still_has_one() -> None:
    table = trick("flippin-digits", HIGH_ROWS, "98*", "99", has_flip=ALL)
    assert view(table.rules, table.position, 1).position.has_flip == (False, True)  # type: ignore[attr-defined]
    assert table.happened(FlipsHeld) == [FlipsHeld((1,))]


def test_a_flipped_card_is_ordered_among_the_others_by_its_swapped_value() -> None:
    table = trick("flippin-digits", [[1], [2], [3], [4]], "13", "31*", "92*", "20", has_flip=(True,) * 4)
    assert order(table) == [31, 13, 20, 92]
    assert [placed.card for placed in table.happened(Placed)] == [31, 13, 20, 92]


@pytest.mark.parametrize("reading", ["padded", "identity", "forbidden"])
def test_imagination_knows_who_may_still_flip_in_the_last_trick(reading: str) -> None:
    random = Random(5)
    for seed in range(20):
        options = {"flip.singleDigit": reading, "end.kind": "rounds", "end.value": 1}
        for rules, position, _ in random_game("flippin-digits", 5, seed, options):
            if position.asks and len(position.hands[0]) == 1:
                for seat in (0, 4, None):
                    shown = view(rules, position, seat)
                    imagined = imagine(rules, shown, random)
                    assert view(rules, imagined, seat) == shown
                    assert imagined.open_asks

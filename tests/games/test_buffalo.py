"""Beat the Buffalo: a test for each ruling, and whole games."""

import random
from collections import Counter
from typing import Any

import pytest

from bullpen.engine import (
    PASS,
    BadOption,
    Choice,
    IllegalChoice,
    NotAsked,
    PlayCard,
    Played,
    Seeded,
    UseSpecial,
    WrongPlayers,
    bullheads,
    imagine,
    new_game,
    parse,
    stream,
    submit,
    view,
)
from bullpen.engine.events import Dealt, GameEnded, MarkerGone, Moved, Placed, Revealed, SpecialsShown, Took
from bullpen.game import new_game as start
from bullpen.rulesets import make
from bullpen.rulesets.base import PLACE_NEXT, TRICK
from bullpen.rulesets.buffalo import Buffalo
from bullpen.rulesets.buffalo_cards import BUFFALO, SPECIALS, STOP, TAKE_7, BuffaloPosition
from tests.rulebook.tables import Table

ROWS = [[10], [20], [30], [40]]
FULL = [5, 6, 7, 8, 9]


def lay(
    rows: list[list[int]],
    plays: list[int],
    buffalo: int = 104,
    *specials: str,
    hands: list[list[int]] | None = None,
    stop: tuple[int, ...] = (),
    take7: tuple[int, ...] = (),
    options: dict[str, Any] | None = None,
) -> Table:
    """Lay out a trick that was just revealed (rows counted from 1), with every card somewhere."""
    rules = make("buffalo", len(plays), options)
    position = BuffaloPosition(rules.players)
    position.rows = [row[:] for row in rows]
    position.markers = [[STOP] * (row in stop) + [TAKE_7] * (row in take7) for row in range(1, 5)]
    position.table = [Played(card, seat, card) for seat, card in enumerate(plays)]
    position.table.append(Played(buffalo, BUFFALO, buffalo))
    position.table.sort(key=lambda played: played.value)
    position.hands = [sorted(hand) for hand in hands] if hands else [[] for _ in plays]
    position.known, position.piles = [[] for _ in plays], [[], []]
    position.points = position.scores = [0] * rules.players
    position.round = position.trick = 1
    held = {card for row in rows for card in row} | {*plays, buffalo} | {c for h in position.hands for c in h}
    position.deck = [card for card in rules.universe("numbers") if card not in held]
    if any(position.hands):
        position.herd = [position.deck.pop() for _ in max(position.hands, key=len)]
    position.face_up, position.special_deck = list(specials[:2]), list(specials[2:])
    in_play = Counter(specials) + Counter(name for names in position.markers for name in names)
    position.box = list((Counter(rules.universe("specials")) - in_play).elements())
    position.agenda = [TRICK, PLACE_NEXT] if any(position.hands) else [PLACE_NEXT]
    table = Table(rules, position)
    table.go_on()
    conserve(table.rules, table.position)
    return table


def conserve(rules: Any, position: Any) -> None:
    """Every card is in exactly one place."""
    for family in ("numbers", "specials"):
        cards = Counter(
            card for zone in rules.zones if zone.family == family for card in zone.cards(position)
        )
        assert cards == Counter(rules.universe(family))


def say(table: Table, *notations: str, seat: int = 0) -> None:
    """Answer the open questions one after another; where only one seat may, it does."""
    for notation in notations:
        seats = table.position.open_asks[0].seats
        table.choose(seat if seat in seats else seats[0], parse(notation))
        conserve(table.rules, table.position)


def may(table: Table, *prefixes: str) -> list[str]:
    """Return the options of the open question whose notation starts with one of these."""
    (ask,) = table.position.open_asks
    return [choice.notation for choice in ask.options if choice.notation.startswith(prefixes)]


def prompt(table: Table) -> str:
    """Return the sentence of the open question."""
    (ask,) = table.position.open_asks
    return ask.prompt


def kind(table: Table) -> str | None:
    """Return the kind of the open question."""
    asks = table.position.open_asks
    return asks[0].kind if asks else None


def placed(table: Table) -> list[int]:
    return [event.card for event in table.happened(Placed)]


def took(table: Table) -> list[tuple[int, list[int]]]:
    return [(event.seat, list(event.cards)) for event in table.happened(Took)]


def position_of(table: Table) -> BuffaloPosition:
    position = table.position
    assert isinstance(position, BuffaloPosition)
    return position


# The team and its windows.


def test_buf_1_any_member_speaks_for_the_team() -> None:
    for seat in range(3):
        table = lay(ROWS, [11, 21, 31], 41, "stop")
        assert table.position.open_asks[0].seats == (0, 1, 2)
        say(table, "stop:1", seat=seat)
        assert position_of(table).markers[0] == [STOP]


def test_buf_1_the_new_card_of_replace_is_its_owners_secret() -> None:
    table = lay(ROWS, [11, 21], 31, "replace", hands=[[50, 60, 70], [51, 61, 71]])
    say(table, "replace:11", seat=1)
    (ask,) = table.position.open_asks
    assert ask.seats == (0,)
    assert ask.secret
    with pytest.raises(NotAsked):
        table.choose(1, parse("50"))
    for other in (1, None):
        seen = view(table.rules, table.position, other).position
        assert seen.asks[0].options == ()
        assert seen.hands[0] == [0] * 4


def test_buf_2_a_window_before_every_placement() -> None:
    table = lay(ROWS, [11, 21], 31, "stop")
    for number in range(3):
        assert kind(table) == "team_window"
        assert len(placed(table)) == number
        say(table, "-")
    assert placed(table) == [11, 21, 31]


def test_buf_10_the_question_offers_only_what_can_be_done() -> None:
    table = lay(ROWS, [11, 21], 31, "stop", "sort")
    assert prompt(table) == "Before 11 is placed: use a special card, or go on."
    say(table, "stop:4")
    assert prompt(table) == "Before 11 is placed: use a special card, lift a Stop!, or go on."
    say(table, "lift:4")
    assert prompt(table) == "Before 11 is placed: use a special card, or go on."
    table = lay(ROWS, [11, 21], 31, "stop")
    say(table, "stop:4")
    assert prompt(table) == "Before 11 is placed: lift a Stop!, or go on."


def test_buf_10_the_same_in_the_break() -> None:
    options = {"buffalo.anytime": True}
    for specials, closed, offered in (
        (("stop",), (), "use a special card, or go on"),
        ((), (4,), "lift a Stop!, or go on"),
        (("stop",), (4,), "use a special card, lift a Stop!, or go on"),
    ):
        table = lay(ROWS, [11], 12, *specials, stop=closed, hands=[[50]], options=options)
        say(table, "-", "-")
        assert prompt(table) == f"Before cards are chosen: {offered}."


def test_buf_2_several_specials_in_one_window() -> None:
    table = lay(ROWS, [11, 21], 31, "stop", "take-7")
    say(table, "stop:4", "take-7:2", "-")
    assert placed(table) == [11]


def test_buf_2_no_window_before_the_reveal() -> None:
    position, _ = new_game(make("buffalo", 4), Seeded(1))
    assert {ask.kind for ask in position.asks} == {"commit"}


def test_a_window_in_which_nothing_can_be_done_is_not_opened() -> None:
    table = lay(ROWS, [41], 11, "insert")
    assert kind(table) is None
    assert placed(table) == [11, 41]


def test_buf_3_the_buffalo_takes_the_cheapest_row_then_the_highest_end() -> None:
    table = lay([[20], [41, 42], [51], [61]], [100], 3)
    assert took(table) == [(BUFFALO, [61])]


def test_buf_3_the_rows_as_they_stand_at_that_moment() -> None:
    table = lay([[95], [60, 70], [55], [88]], [100], 3, "first-card")
    say(table, "first-card:100")
    assert took(table) == [(BUFFALO, [95, 100])]


def test_buf_4_the_buffalo_takes_no_locked_row() -> None:
    table = lay([[20], [41], [51], [61]], [100], 3, "stop", stop=(4,))
    say(table, "-", "-")
    assert took(table) == [(BUFFALO, [51])]


def test_buf_5_the_new_card_serves_in_the_same_window() -> None:
    table = lay(ROWS, [11], 21, "stop", "take-7", "push", "sort")
    say(table, "stop:2")
    assert position_of(table).face_up == ["take-7", "push"]
    say(table, "push:10,4")
    assert position_of(table).face_up == ["take-7", "sort"]
    assert [event.names for event in table.happened(SpecialsShown)] == [("push",), ("sort",)]
    assert not placed(table)


@pytest.mark.parametrize("players", range(1, 7))
def test_buf_6_and_7_and_36_special_cards_by_players(players: int) -> None:
    rules = make("buffalo", players)
    position, _ = new_game(rules, Seeded(players))
    in_play = {1: 0, 2: 2, 3: 4, 4: 6, 5: 11, 6: 16}[players]
    assert len(position.face_up) == min(2, in_play)
    assert len(position.special_deck) == max(0, in_play - 2)
    for seat in (None, *range(players)):
        seen = view(rules, position, seat).position
        assert isinstance(seen, BuffaloPosition)
        assert seen.box == ["?"] * (16 - in_play)
        assert seen.special_deck == ["?"] * len(position.special_deck)


# Stop! and Take 7!


def test_buf_8_a_lock_shuts_a_row_both_ways() -> None:
    table = lay([[10, 12], [20], [30], [40]], [11], 50, "insert", "push", stop=(1,))
    assert may(table, "insert") == ["insert:2", "insert:3", "insert:4"]
    pushes = [choice.partition(":")[2].split(",") for choice in may(table, "push")]
    assert pushes
    assert all(card not in ("10", "12") and row != "1" for card, row in pushes)
    say(table, "-")
    assert may(table, "r") == ["r2", "r3", "r4"]
    with pytest.raises(IllegalChoice):
        say(table, "r1")


def test_buf_8_take_7_may_lie_beside_a_locked_row() -> None:
    table = lay(ROWS, [11], 50, "take-7", stop=(1,))
    say(table, "take-7:1")
    assert position_of(table).markers[0] == [STOP, TAKE_7]


def test_buf_9_only_open_rows_are_looked_at() -> None:
    table = lay([[12], [50], [60], [70]], [20], 104, stop=(1,))
    say(table, "-")
    assert kind(table) == "choose_row"
    say(table, "r2", "-")
    assert took(table) == [(0, [50])]
    table = lay([[12], [18], [60], [70]], [20], 104, stop=(2,))
    say(table, "-")
    assert table.position.rows[0] == [12, 20]


def test_buf_10_a_lock_is_lifted_in_any_window_for_nothing() -> None:
    table = lay(ROWS, [21], 11, "stop", "sort", "push", stop=(1,))
    say(table, "stop:2", "lift:2")
    assert position_of(table).face_up == ["sort", "push"]
    say(table, "lift:1", "-")
    assert table.position.rows[0] == [10, 11]
    assert position_of(table).spent == [STOP, STOP]
    assert [(event.row, event.why) for event in table.happened(MarkerGone)] == [(1, "lifted"), (0, "lifted")]


def test_buf_10_a_lock_stays_until_it_is_lifted() -> None:
    table = lay(ROWS, [11], 21, stop=(1,), hands=[[50, 51]])
    say(table, "-", "r2", "-", "50")
    assert kind(table) == "team_window"
    assert may(table, "lift") == ["lift:1"]


def test_buf_11_no_second_lock_and_none_on_an_empty_row() -> None:
    table = lay(ROWS, [11], 50, "stop", "push", stop=(1,))
    assert may(table, "stop") == ["stop:2", "stop:3", "stop:4"]
    say(table, "push:20,3")
    assert may(table, "stop") == ["stop:3", "stop:4"]


def test_buf_11_full_open_rows_are_simply_taken() -> None:
    rows = [[10], [20], [30, 31, 32, 33, 34], [40, 41, 42, 43, 44]]
    table = lay(rows, [21], 35, stop=(1, 2))
    say(table, "-")
    assert may(table, "r") == ["r3", "r4"]
    say(table, "r4", "-")
    assert took(table) == [(0, rows[3]), (BUFFALO, rows[2])]


def test_buf_21_one_take_7_a_row() -> None:
    table = lay(ROWS, [11], 50, "take-7", take7=(1,))
    assert may(table, "take-7") == ["take-7:2", "take-7:3", "take-7:4"]


def test_buf_22_the_seventh_card_takes_six() -> None:
    table = lay([FULL, [20], [30], [40]], [10], 11, "take-7")
    say(table, "take-7:1")
    assert took(table) == [(BUFFALO, [*FULL, 10])]
    assert position_of(table).markers == [[], [], [], []]
    assert position_of(table).spent == [TAKE_7]


def test_buf_22_a_low_card_ends_a_take_7_early() -> None:
    table = lay(ROWS, [3], 50, take7=(2,))
    say(table, "r2")
    assert position_of(table).spent == [TAKE_7]
    assert [(event.row, event.why) for event in table.happened(MarkerGone)] == [(1, "taken")]


@pytest.mark.parametrize("use", ["insert:1", "push:30,1"])
def test_buf_22_overflow_ends_a_take_7(use: str) -> None:
    table = lay([[*FULL, 12], [20], [30], [40]], [4], 50, use.partition(":")[0], take7=(1,))
    say(table, use)
    assert position_of(table).markers[0] == []
    assert TAKE_7 in position_of(table).spent


# Insert! and Push!


def test_buf_12_insert_goes_never_to_an_end() -> None:
    table = lay([[10], [20, 30], [40], [50]], [25], 60, "insert")
    assert may(table, "insert") == ["insert:2", "insert:3", "insert:4"]
    say(table, "insert:3")
    assert table.position.rows[2] == [25, 40]
    table = lay([[10], [20, 30], [40], [50]], [55], 60, "insert", "stop")
    assert may(table, "insert") == []


def test_buf_13_insert_into_a_full_row() -> None:
    table = lay([FULL, [20], [30], [40]], [4], 50, "insert")
    say(table, "insert:1")
    assert took(table) == [(0, [4, 5, 6, 7, 8])]
    assert table.position.rows[0] == [9]
    assert table.position.piles == [[4, 5, 6, 7, 8], []]


def test_buf_13_insert_beside_a_take_7() -> None:
    table = lay([FULL, [20], [30], [40]], [4], 50, "insert", take7=(1,))
    say(table, "insert:1")
    assert took(table) == []
    assert table.position.rows[0] == [4, *FULL]
    table = lay([[*FULL, 12], [20], [30], [40]], [10], 50, "insert", take7=(1,))
    say(table, "insert:1")
    assert took(table) == [(0, [*FULL, 10])]
    assert table.position.rows[0] == [12]


def test_buf_14_insert_serves_the_team_card_that_is_next() -> None:
    table = lay([[10], [20], [30], [40]], [11, 15], 13, "insert", "stop")
    say(table, "insert:4")
    assert table.position.rows[3] == [11, 40]
    table = lay([[10], [20], [30], [40]], [11, 15], 3, "insert", "stop")
    assert may(table, "insert") == []  # the buffalo's card is next
    say(table, "-")
    assert may(table, "insert")


def test_buf_15_push_before_the_buffalos_card() -> None:
    table = lay([[3, 5, 9, 12], [7, 44], [60], [85]], [90], 15, "push")
    say(table, "push:7,1")
    assert took(table) == [(BUFFALO, [3, 5, 7, 9, 12])]
    (moved,) = table.happened(Moved)
    assert (moved.card, moved.source, moved.row, moved.place) == (7, 1, 0, 2)


def test_buf_15_any_card_may_be_pushed_to_any_other_row() -> None:
    table = lay([[10, 12], [20], [30], [40]], [100], 50, "push")
    assert len(may(table, "push")) == 5 * 3
    say(table, "push:10,2")
    assert table.position.rows[:2] == [[12], [10, 20]]


@pytest.mark.parametrize(("card", "taken", "stays"), [(4, [4, 5, 6, 7, 8], 9), (30, FULL, 30)])
def test_buf_16_the_team_takes_the_row_it_pushes_into(card: int, taken: list[int], stays: int) -> None:
    table = lay([FULL, [20], [4, 30], [40]], [100, 101], 15, "push")
    say(table, f"push:{card},1", seat=1)
    assert took(table)[0] == (1, taken)
    assert table.position.rows[0][0] == stays
    assert table.position.piles[0] == taken
    assert table.position.points == [bullheads(*taken)] * 2


def test_buf_17_the_next_card_fills_the_row_whosever_it_is() -> None:
    table = lay([[10], [20], [30], [40]], [50], 3, "push")
    say(table, "push:10,2")
    assert table.position.rows[0] == [3]
    assert took(table) == []
    table = lay([[10], [20], [30], [40]], [3], 50, "push")
    say(table, "push:40,3")
    assert table.position.rows[3] == [3]
    assert took(table) == []


def test_buf_17_a_replacing_card_fills_it_too() -> None:
    table = lay(ROWS, [11], 50, "push", "replace", hands=[[60, 70]])
    say(table, "push:20,1", "replace:11", "70")
    assert table.position.rows[1] == [70]
    assert placed(table)[0] == 70


def test_buf_18_an_empty_row_waits_for_its_card() -> None:
    table = lay([[10], [20], [30], [40]], [11], 50, "push", "stop", "insert", "take-7", "push")
    say(table, "push:20,1")
    assert may(table, "insert") == []
    assert "stop:2" not in may(table, "stop")
    say(table, "stop:4")
    assert may(table, "take-7") == ["take-7:1", "take-7:3", "take-7:4"]
    say(table, "take-7:1")
    assert [use for use in may(table, "push") if use.endswith(",2")] == []
    say(table, "-")
    assert table.position.rows[1] == [11]


def test_buf_19_two_emptied_rows_are_filled_in_order() -> None:
    table = lay(ROWS, [11, 50], 60, "push", "push")
    say(table, "push:40,1", "push:20,3")
    assert table.position.rows == [[10, 40], [50, 60], [20, 30], [11]]
    assert took(table) == []
    assert position_of(table).must_fill == ()


def test_buf_17_no_row_is_emptied_that_this_trick_could_not_fill() -> None:
    table = lay(ROWS, [11], 3, "push", "push")
    say(table, "-", "push:20,1")  # only the 11 is left to fill a row
    assert table.position.rows == [[10, 20], [], [30], [3]]
    assert may(table, "push") == ["push:10,3", "push:10,4", "push:20,3", "push:20,4"]
    say(table, "push:10,3")
    assert table.position.rows == [[20], [11], [10, 30], [3]]


def test_buf_20_push_minds_locks_and_leaves_take_7_where_it_is() -> None:
    table = lay(ROWS, [11], 50, "push", stop=(1,), take7=(2,))
    assert len(may(table, "push")) == 3 * 2
    say(table, "push:20,3")
    assert position_of(table).markers[1] == [TAKE_7]
    say(table, "-")
    assert table.position.rows[1] == [11]
    assert position_of(table).markers[1] == [TAKE_7]


# Replace!


def test_buf_23_replace_when_the_card_is_next() -> None:
    table = lay(ROWS, [11, 21], 15, "replace", hands=[[50, 51, 52], [60, 61, 62]])
    assert may(table, "replace") == ["replace:11"]
    say(table, "-")
    assert placed(table) == [11, 15]  # before the buffalo's card nothing could be done
    assert may(table, "replace") == ["replace:21"]


def test_buf_23_replace_in_any_window_if_agreed() -> None:
    options = {"buffalo.replaceTiming": "anyWindow"}
    hands = [[50, 51, 52], [60, 61, 62]]
    table = lay(ROWS, [11, 21], 15, "replace", "first-card", "stop", hands=hands, options=options)
    assert may(table, "replace") == ["replace:11", "replace:21"]
    say(table, "replace:21", "60")
    assert placed(table)[0] == 60  # placed at once, and the others keep their order
    assert may(table, "first-card") == []
    say(table, "-", "-")
    assert placed(table) == [60, 11, 15]


def test_buf_24_no_replace_with_an_empty_hand() -> None:
    table = lay(ROWS, [11], 50, "replace", "stop")
    assert may(table, "replace") == []


def test_buf_24_the_card_taken_back_is_no_other_card() -> None:
    table = lay(ROWS, [11], 50, "replace", hands=[[60, 70]])
    say(table, "replace:11")
    assert may(table, "") == ["60", "70"]


def test_buf_25_the_new_card_is_placed_without_a_window() -> None:
    table = lay([[10], [20], [30], FULL], [9 + 2], 50, "replace", "stop", hands=[[3, 60]], stop=(1,))
    say(table, "replace:11", "3")
    assert kind(table) == "choose_row"
    assert may(table, "r") == ["r2", "r3", "r4"]  # the lock on the table counts


def test_replace_with_one_other_card_needs_no_question() -> None:
    table = lay(ROWS, [11], 50, "replace", hands=[[60]])
    say(table, "replace:11")
    assert placed(table)[0] == 60


def test_imagine_knows_the_card_that_went_back() -> None:
    table = lay(ROWS, [11, 21], 31, "replace", hands=[[50, 60, 70], [51, 61, 71]])
    for step in ("replace:11", "50"):
        say(table, step)
        for seat in (1, None):
            seen = view(table.rules, table.position, seat)
            for number in range(20):
                assert 11 in imagine(table.rules, seen, random.Random(number)).hands[0]
    say(table, "11", "51", seat=0)
    assert table.position.known[0] == []


# The order of the cards.


def test_buf_26_first_card_before_anything_is_placed_normally() -> None:
    table = lay(ROWS, [11, 21], 31, "first-card", "stop")
    assert may(table, "first-card") == ["first-card:11", "first-card:21"]
    say(table, "-")
    assert may(table, "first-card") == []


def test_buf_26_first_card_directly_after_a_first_card() -> None:
    table = lay(ROWS, [11, 21, 41], 31, "first-card", "first-card", "stop")
    say(table, "first-card:41", "-")
    assert may(table, "first-card") == ["first-card:11", "first-card:21"]
    say(table, "first-card:21", "-")
    assert placed(table) == [41, 21]
    say(table, "-", "-")
    assert placed(table) == [41, 21, 11, 31]


def test_buf_26_every_trick_begins_anew() -> None:
    options = {"buffalo.sortTiming": "beforeFirst"}
    table = lay(ROWS, [11], 31, "first-card", "sort", hands=[[50, 51]], options=options)
    say(table, "-", "50")
    assert may(table, "first-card", "sort") == ["first-card:50", "sort:"]


def test_buf_26_the_turn_of_a_first_card_is_kept_by_replace() -> None:
    table = lay(ROWS, [11, 21], 31, "first-card", "replace", "first-card", hands=[[60, 61], [70, 71]])
    say(table, "first-card:21", "replace:21", "70")
    assert placed(table) == [70]
    assert may(table, "first-card") == ["first-card:11"]


def test_buf_27_two_first_cards_in_the_order_used() -> None:
    table = lay(ROWS, [11, 21, 41], 31, "first-card", "first-card")
    say(table, "first-card:41", "first-card:21")
    assert placed(table) == [41, 21, 11, 31]


def test_buf_28_last_card_in_any_window_while_it_is_pending() -> None:
    table = lay(ROWS, [11, 21], 31, "last-card")
    say(table, "-")
    assert may(table, "last-card") == ["last-card:21"]
    say(table, "last-card:21")
    assert placed(table) == [11, 31, 21]


def test_buf_28_two_last_cards() -> None:
    table = lay(ROWS, [11, 21, 41], 31, "last-card", "last-card")
    say(table, "last-card:11", "last-card:21")
    assert placed(table) == [31, 41, 21, 11]


def test_buf_28_unless_the_team_states_the_reverse() -> None:
    table = lay(ROWS, [11, 21, 41], 31, "last-card", "last-card")
    assert may(table, "last-card:11,") == []
    say(table, "last-card:11")
    assert may(table, "last-card") == [
        "last-card:21", "last-card:41", "last-card:11", "last-card:21,1", "last-card:41,1",
    ]  # fmt: skip
    say(table, "last-card:21,1")
    assert placed(table) == [31, 41, 11, 21]


def test_first_card_takes_a_card_back_from_the_end() -> None:
    table = lay(ROWS, [11, 21, 41], 31, "last-card", "first-card", "last-card")
    say(table, "last-card:11", "first-card:11", "last-card:21")
    assert placed(table) == [11, 31, 41, 21]


@pytest.mark.parametrize("name", ["first-card", "last-card", "replace", "insert"])
def test_not_for_the_buffalos_card(name: str) -> None:
    table = lay(ROWS, [41], 11, name, "stop", hands=[[50, 51]])
    assert [use for use in may(table, name) if "11" in use or name in ("replace", "insert")] == []


def test_buf_29_sort_takes_the_buffalos_card_too() -> None:
    table = lay(ROWS, [11, 21, 41], 31, "sort")
    say(table, "sort:")
    assert kind(table) == "sort_pick"
    assert table.position.open_asks[0].seats == (0, 1, 2)
    assert may(table, "") == ["f11", "f21", "f31", "f41"]
    say(table, "f31", "f41")
    assert may(table, "") == ["f11", "f21"]
    say(table, "f21")
    assert placed(table) == [31, 41, 21, 11]


def test_buf_29_sort_in_mid_trick() -> None:
    table = lay(ROWS, [11, 21, 41], 31, "sort")
    say(table, "-", "sort:", "f41", "f31")
    assert placed(table) == [11, 41, 31, 21]


def test_buf_29_sort_only_before_the_first_placement_if_agreed() -> None:
    table = lay(ROWS, [11, 21], 31, "sort", "stop", options={"buffalo.sortTiming": "beforeFirst"})
    assert may(table, "sort") == ["sort:"]
    say(table, "-")
    assert may(table, "sort") == []


def test_buf_29_sort_overrides_and_is_overridden() -> None:
    table = lay(ROWS, [11, 21, 41], 31, "first-card", "last-card", "sort", "first-card", "last-card")
    say(table, "first-card:41", "last-card:11", "sort:", "f31", "f11", "f21")
    assert [played.card for played in table.position.table] == [31, 11, 21, 41]
    say(table, "first-card:21", "last-card:11")
    assert placed(table) == [21, 31, 41, 11]


def test_buf_37_specials_without_effect_are_spent() -> None:
    table = lay(ROWS, [11], 31, "first-card", "sort", "last-card", "stop")
    say(table, "first-card:11", "sort:", "f11", "-", "-")
    assert position_of(table).spent == ["first-card", "sort"]
    assert placed(table) == [11, 31]
    table = lay(ROWS, [41], 31, "sort")
    say(table, "-", "sort:")
    assert position_of(table).spent == ["sort"]
    assert placed(table) == [31, 41]


def test_a_choice_that_is_not_offered_changes_nothing() -> None:
    table = lay(ROWS, [11], 31, "stop")
    before = table.position.copy()
    for notation in ("stop:5", "stop:0", "stop:", "push:10,2", "lift:1", "sort:", "11", "r1", "stop:1,1"):
        with pytest.raises(IllegalChoice):
            table.choose(0, parse(notation))
    assert table.position == before


# Secrecy, the end, whole games.


def test_buf_33_nobody_looks_into_the_buffalos_pile() -> None:
    for shown in (False, True):
        table = lay(
            [FULL, [20], [30], [40]], [50, 51], 15,
            hands=[[60, 61], [70, 71]], options={"buffalo.showBuffaloPile": shown},
        )  # fmt: skip
        assert took(table) == [(BUFFALO, FULL)]
        for seat in (0, 1, None):
            seen = view(table.rules, table.position, seat)
            expected = FULL if shown else [0] * 5
            assert seen.position.piles[1] == list(seen.piles[1]) == expected
            assert seen.position.points == [0, 0]


def test_gen_7_every_member_looks_into_the_teams_pile() -> None:
    table = lay([FULL, [20], [30], [40]], [10, 51], 55, hands=[[60, 61], [70, 71]])
    assert view(table.rules, table.position, 1).position.piles[0] == FULL
    assert view(table.rules, table.position, None).position.piles[0] == [0] * 5
    assert view(table.rules, table.position, None).piles[0] == tuple(FULL)


def test_buf_34_the_owner_of_a_low_card_chooses() -> None:
    table = lay(ROWS, [50, 3], 60)
    assert kind(table) == "choose_row"
    assert table.position.open_asks[0].seats == (1,)


@pytest.mark.parametrize(
    ("players", "team", "buffalo", "won", "score"),
    [(3, 20, 21, True, 20), (3, 20, 20, False, 20), (2, 10, 21, True, 20), (2, 10, 20, False, 20),
     (1, 11, 21, False, 22), (6, 30, 29, False, 30)],
)  # fmt: skip
def test_buf_30_doubling_then_strictly_fewer(
    players: int, team: int, buffalo: int, won: bool, score: int
) -> None:
    singles = [card for card in range(1, 105) if bullheads(card) == 1]
    rules = make("buffalo", players)
    position = BuffaloPosition(
        players, scores=[0] * players, hands=[[] for _ in range(players)], agenda=[TRICK]
    )
    position.piles = [singles[:team], singles[team : team + buffalo]]
    table = Table(rules, position)
    table.go_on()
    result = table.position.result
    assert result is not None
    assert (result.won, result.against, result.scores) == (won, buffalo, (score,) * players)
    assert result.winners == (tuple(range(players)) if won else ())


def test_the_game_has_its_own_end_and_players() -> None:
    for players in (0, 7):
        with pytest.raises(WrongPlayers):
            make("buffalo", players)
    for key in ("end.value", "show.bullPiles"):
        with pytest.raises(BadOption):
            make("buffalo", 3, {key: 66})


def greedy(rng: random.Random, options: tuple[Choice, ...]) -> Choice:
    """Use special cards whenever possible, each kind as likely as another."""
    uses: dict[str, list[Choice]] = {}
    for choice in options:
        uses.setdefault(choice.name if isinstance(choice, UseSpecial) else "", []).append(choice)
    names = [name for name in uses if name not in ("", "lift")] or list(uses)
    return rng.choice(uses[rng.choice(names)])


def hesitant(rng: random.Random, options: tuple[Choice, ...]) -> Choice:
    """Go on half of the time, otherwise do anything."""
    return PASS if PASS in options and rng.random() < 0.5 else rng.choice(options)


OPTIONS: list[dict[str, Any]] = [
    {},
    {
        "buffalo.replaceTiming": "anyWindow",
        "buffalo.sortTiming": "beforeFirst",
        "buffalo.showBuffaloPile": True,
    },
]


def shuffled_twin(
    rules: Buffalo, position: BuffaloPosition, seat: int | None, rng: random.Random
) -> BuffaloPosition:
    """Return the position with the cards that a seat cannot see exchanged among each other."""
    twin = position.copy()
    held: list[tuple[list[Any], int]] = []
    for owner, hand in enumerate(twin.hands):
        if owner != seat:
            held += [(hand, place) for place, card in enumerate(hand) if card not in twin.known[owner]]
    held += [(cards, place) for cards in (twin.herd, twin.deck) for place in range(len(cards))]
    if not rules.options["buffalo.showBuffaloPile"]:
        held += [(twin.piles[1], place) for place in range(len(twin.piles[1]))]
    # The top special card is about to be turned up by anything that uses one.
    specials: list[tuple[list[Any], int]] = [(twin.box, place) for place in range(len(twin.box))]
    specials += [(twin.special_deck, place) for place in range(1, len(twin.special_deck))]
    for places in (held, specials):
        cards = [cards[place] for cards, place in places]
        rng.shuffle(cards)
        for (zone, place), card in zip(places, cards, strict=True):
            zone[place] = card
    for hand in twin.hands:
        hand.sort()
    twin.asks = ()
    for ask in position.asks:
        rules.ask(twin, ask.kind, *ask.seats, about=ask.about)
    return twin


def check_secrecy(rules: Buffalo, position: BuffaloPosition, rng: random.Random) -> None:
    """Exchange what a seat cannot see: its view, and what it sees of a public choice, stay the same."""
    seat = rng.choice([None, *range(rules.players)])
    ask = position.open_asks[0]
    if position.answers and ask.secret:
        return
    twin = shuffled_twin(rules, position, seat, rng)
    assert view(rules, twin, seat) == view(rules, position, seat)
    if ask.secret and seat not in ask.seats:
        return
    if ask.kind == "commit" or position.trick >= 9:
        return
    choice = rng.choice(ask.options)
    after, events = submit(rules, position, ask.seats[0], choice, Seeded(0))
    after_twin, events_twin = submit(rules, twin, ask.seats[0], choice, Seeded(0))
    assert [event.seen_by(seat) for event in events] == [event.seen_by(seat) for event in events_twin]
    assert view(rules, after, seat) == view(rules, after_twin, seat)


def check_position(rules: Buffalo, position: BuffaloPosition, rng: random.Random) -> None:
    """What must hold at every question."""
    conserve(rules, position)
    assert sum(STOP in names for names in position.markers) <= 2
    for row, cards in enumerate(position.rows):
        assert cards == sorted(set(cards))
        assert len(cards) <= 5 + (TAKE_7 in position.markers[row])
        assert bool(cards) == (row not in position.must_fill)
    for ask in position.open_asks:
        assert 1 < len(ask.options) < 200
        assert len(set(ask.options)) == len(ask.options)
        assert all(parse(choice.notation) == choice for choice in ask.options)
    if rng.random() < 0.2:
        seat = rng.choice([None, *range(rules.players)])
        seen = view(rules, position, seat)
        imagined = imagine(rules, seen, rng)
        conserve(rules, imagined)
        assert view(rules, imagined, seat) == seen
        check_secrecy(rules, position, rng)


@pytest.mark.parametrize("options", OPTIONS, ids=["printed", "agreed"])
@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("style", [greedy, hesitant], ids=lambda style: style.__name__)
def test_buf_31_whole_games(players: int, options: dict[str, Any], style: Any) -> None:
    """One round of ten tricks, in which everything that must hold holds at every question."""
    used: set[str] = set()
    for seed in range(5):
        rules = make("buffalo", players, options)
        assert isinstance(rules, Buffalo)
        rng, chance = stream(seed, "bots"), Seeded(seed)
        position, events = new_game(rules, chance)
        placements = 0
        while position.result is None:
            check_position(rules, position, rng)
            ask = rng.choice(position.open_asks)
            choice = style(rng, ask.options)
            used |= {choice.name} if isinstance(choice, UseSpecial) else set()
            position, events = submit(rules, position, rng.choice(ask.seats), choice, chance)
            placements += sum(isinstance(event, Placed) for event in events)
        assert placements == 10 * (players + 1)
        assert (position.round, position.trick) == (1, 10)
        assert not position.must_fill
        conserve(rules, position)
        team, buffalo = (bullheads(*pile) for pile in position.piles)
        team *= 2 if players <= 2 else 1
        assert isinstance(events[-1], GameEnded)
        assert events[-1].result == position.result
        assert (position.result.won, position.result.against) == (team < buffalo, buffalo)
    if players == 6:
        assert used >= set(SPECIALS)
    if players == 1:
        assert not used


def test_buf_32_the_deal_tells_a_member_only_the_own_hand() -> None:
    rules = make("buffalo", 3)
    _, events = new_game(rules, Seeded(4))
    dealt = [event for event in events if isinstance(event, Dealt)]
    assert [event.seat for event in dealt] == [0, 1, 2, BUFFALO]
    for seat in (0, 1, 2, None):
        for event in dealt:
            seen = event.seen_by(seat)
            assert isinstance(seen, Dealt)
            assert (seen.cards == event.cards) == (seat == event.seat)
            assert len(seen.cards) == 10


def test_the_buffalos_card_is_revealed_with_the_others() -> None:
    rules = make("buffalo", 2)
    position, _ = new_game(rules, Seeded(9))
    top = position.herd[0]
    chance = Seeded(0)
    for seat in range(2):
        position, events = submit(rules, position, seat, position.asks[seat].options[0], chance)
    (revealed,) = [event for event in events if isinstance(event, Revealed)]
    assert Played(top, BUFFALO, top) in revealed.plays
    assert [played.card for played in revealed.plays] == sorted(played.card for played in revealed.plays)


@pytest.mark.parametrize("agreed", [False, True])
def test_buf_2_before_every_trick_the_first_one_too_if_agreed(agreed: bool) -> None:
    game = start("buffalo", 3, seed=0, options={"buffalo.anytime": agreed})
    breaks = []
    while not game.over:
        ask = game.asks[0]
        if ask.kind == "team_break":
            assert not game.position.table
            breaks.append(game.position.trick)
        game.choose(ask.seats[0], ask.options[0])
    assert breaks == (list(range(10)) if agreed else [])


def rest(*specials: str) -> Table:
    """Lay out the break before the last trick but one."""
    table = lay(ROWS, [95, 96], 99, *specials, hands=[[50, 61], [52, 63]], options={"buffalo.anytime": True})
    while kind(table) == "team_window":
        say(table, "-")
    return table


def test_buf_2_several_special_cards_may_be_used_in_one_break() -> None:
    table = rest("stop", "take-7", "push", "push")
    say(table, "stop:1", "take-7:2", "push:30,2")
    assert position_of(table).markers == [[STOP], [TAKE_7], [], []]
    assert table.position.rows == [[10], [20, 30], [], [40, 95, 96, 99]]
    assert kind(table) == "team_break"


@pytest.mark.parametrize("special", ["sort", "first-card", "last-card", "replace", "insert"])
def test_buf_2_no_card_that_needs_cards_on_the_table_is_offered_in_the_break(special: str) -> None:
    table = rest(special, "stop")
    assert kind(table) == "team_break"
    assert may(table, special) == []
    assert kind(rest(special)) == "commit"


def test_buf_2_a_row_emptied_in_the_break_is_started_by_the_first_card_of_the_next_trick() -> None:
    table = rest("push")
    say(table, "push:20,3")
    assert table.position.rows[1] == []
    assert kind(table) == "commit"
    table.choose(0, PlayCard(50))
    table.choose(1, PlayCard(52))
    lowest = table.happened(Revealed)[0].plays[0]
    assert table.position.rows[1][0] == lowest.card
    assert position_of(table).must_fill == ()


def test_buf_2_behaviour_1_breaks_after_tricks_only() -> None:
    game = start("buffalo", 3, seed=0, options={"buffalo.anytime": True}, behaviour=1)
    breaks = []
    while not game.over:
        ask = game.asks[0]
        breaks += [game.position.trick] if ask.kind == "team_break" else []
        game.choose(ask.seats[0], ask.options[0])
    assert breaks == list(range(1, 10))


def test_buf_2_what_is_used_in_the_break_holds_for_the_next_trick() -> None:
    game = start("buffalo", 3, seed=0, options={"buffalo.anytime": True})
    while not (game.asks[0].kind == "team_break" and UseSpecial(STOP, (1,)) in game.asks[0].options):
        ask = game.asks[0]
        game.choose(ask.seats[0], ask.options[0])
    game.choose(1, "stop:1")
    assert "stop" in game.position.markers[0]  # type: ignore[attr-defined]
    assert game.asks[0].kind == "team_break"
    game.choose(2, "-")
    assert {ask.kind for ask in game.asks} == {"commit"}

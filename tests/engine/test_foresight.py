"""What a view tells on second sight: where cards would go now, what is unseen, how long the rows are."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from bullpen.engine import (
    FACE_DOWN,
    NUMBERS,
    PASS,
    Pass,
    PlayCard,
    PlayPair,
    Ruleset,
    Seeded,
    UseSpecial,
    View,
    new_game,
    parse,
    preview,
    submit,
    unseen,
    view,
)
from bullpen.engine.events import Event, Placed, Took, Used
from bullpen.rulesets import games, make
from tests.conftest import SOAK

ALONE = ("base", "tactics", "professional", "even-odd", "mountain", "jumping-cow", "flippin-digits", "double")
"""Games in which the first card of a trick is placed before anybody can do anything else."""

DEALS = 30 if SOAK else 2


def play(rules: Ruleset[Any], seed: int) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    """Play at random, yielding every position before a choice and what the last of its answers brought."""
    rng, chance = random.Random(seed), Seeded(seed)
    position, _ = new_game(rules, chance)
    for _ in range(200):
        if not position.asks:
            return
        before = position
        events: tuple[Event, ...] = ()
        for ask in before.open_asks:
            position, events = submit(rules, position, ask.seats[0], rng.choice(ask.options), chance)
        yield before, events


@pytest.mark.parametrize("game", games())
def test_every_answer_can_be_looked_at_and_leaves_the_view_alone(game: str) -> None:
    rules = make(game, 3)
    for position, _ in (moment for seed in range(DEALS) for moment in play(rules, seed)):
        for seat in (*range(3), None):
            seen = view(rules, position, seat)
            kept = view(rules, position, seat)
            told = {option: preview(rules, seen, option) for option in (seen.ask.options if seen.ask else ())}
            assert seen == kept
            for option, foreseen in told.items():
                if isinstance(option, PlayCard | PlayPair):
                    assert foreseen
                assert all(card.card > 0 for card in foreseen)


@pytest.mark.parametrize("game", games())
def test_what_is_unseen_is_what_lies_face_down(game: str) -> None:
    rules = make(game, 3)
    numbers = [zone for zone in rules.zones if zone.family == NUMBERS]
    for position, _ in itertools.islice(play(rules, 2), 30):
        seen = view(rules, position, 1)
        hidden = sum(zone.cards(seen.position).count(FACE_DOWN) for zone in numbers)
        hands = zip(position.known, seen.position.hands, strict=False)
        known = sum(len(cards) for cards, hand in hands if FACE_DOWN in hand)
        piles = sum(pile.count(FACE_DOWN) for pile in seen.position.piles)
        remembered = piles - sum(pile.count(FACE_DOWN) for pile in seen.piles)
        assert len(unseen(rules, seen)) == hidden - known - remembered


@pytest.mark.parametrize("game", ALONE)
def test_the_first_card_of_a_trick_goes_where_it_was_said(game: str) -> None:
    rules = make(game, 3)
    checked = 0
    for position, events in (moment for seed in range(4) for moment in play(rules, seed)):
        first = next((event for event in events if isinstance(event, (Placed, Took))), None)
        if first is None or position.asks[0].kind != "commit":
            continue
        placed = next(event for event in events if isinstance(event, Placed))
        flipped = any(isinstance(event, Used) and event.seat == placed.seat for event in events)
        (told,) = preview(rules, view(rules, position, placed.seat), PlayCard(placed.card, flipped))
        after = events[events.index(placed) + 1 :]
        alone = (*events[: events.index(placed)], *itertools.takewhile(belongs_to_the_card_before, after))
        assert (told.row, told.takes) == (first.row, any(isinstance(event, Took) for event in alone))
        checked += 1
    assert checked > 20


def belongs_to_the_card_before(event: Event) -> bool:
    """Whether an event still belongs to the placement before it; a take comes before its card."""
    return not isinstance(event, Placed) and not (isinstance(event, Took) and event.why != "cow")


def seen_with(game: str, rows: list[list[int]], hand: list[int], **fields: Any) -> tuple[Ruleset[Any], View]:
    """Return a game with these rows and this hand at seat 0, asked for a card."""
    rules = make(game, 2)
    position, _ = new_game(rules, Seeded(1))
    position.rows, position.hands[0] = rows, hand
    for field, value in fields.items():
        setattr(position, field, value)
    position.asks = ()
    rules.ask_everybody(position, "commit")
    return rules, view(rules, position, 0)


def test_a_preview_names_the_row_the_place_and_the_price() -> None:
    rules, seen = seen_with("base", [[10, 12, 14, 16, 18], [30], [50, 55], [70]], [5, 19, 31, 60])
    told = {card: preview(rules, seen, PlayCard(card))[0] for card in (5, 19, 31, 60)}
    assert (told[5].row, told[5].takes) == (None, True)
    assert (told[19].row, told[19].takes, told[19].bullheads) == (0, True, 7)
    assert (told[31].row, told[31].place, told[31].takes) == (1, 1, False)
    assert (told[60].row, told[60].place) == (2, 2)


def test_of_two_cards_both_are_told_one_after_the_other() -> None:
    rules, seen = seen_with("nifty", [[10, 12, 14, 16], [30], [50], [70]], [17, 18, 60])
    first, second = preview(rules, seen, PlayPair(17, 18))
    assert (first.card, first.row, first.place, first.takes) == (17, 0, 4, False)
    assert (second.card, second.row, second.takes, second.bullheads) == (18, 0, True, 7)


def test_the_cow_that_is_set_jumping_is_told_with_its_price() -> None:
    rows = [[10, 12], [30, 31, 32, 33, 34], [50], [70]]
    rules, seen = seen_with("jumping-cow", rows, [13], cow=0)
    (told,) = preview(rules, seen, PlayCard(13))
    assert (told.row, told.place, told.takes, told.bullheads) == (0, 2, True, 10)


def test_a_special_card_is_told_like_a_number_card() -> None:
    rules = make("anniversary", 2)
    position = next(
        position
        for seed in range(40)
        for position, _ in play(rules, seed)
        if position.asks[0].kind == "use_special" and UseSpecial("fifth-row") in position.asks[0].options
    )
    ask = position.asks[0]
    seen = view(rules, position, ask.seats[0])
    (told,) = preview(rules, seen, UseSpecial("fifth-row"))
    assert (told.card, told.row, told.place, told.takes) == (position.table[0].card, 4, 0, False)
    (without,) = preview(rules, seen, PASS)
    assert without.card == told.card
    assert without.row != 4


def test_nothing_is_told_of_what_may_not_be_chosen_or_is_not_asked() -> None:
    rules, seen = seen_with("base", [[10], [30], [50], [70]], [5])
    assert preview(rules, seen, PlayCard(6)) == ()
    assert preview(rules, seen, Pass()) == ()
    watching = make("base", 2)
    position, _ = new_game(watching, Seeded(1))
    assert preview(watching, view(watching, position, None), parse("5")) == ()


def test_rows_say_how_many_places_they_have() -> None:
    cow = make("jumping-cow", 2)
    position, _ = new_game(cow, Seeded(1))
    limits = cow.row_limits(position)
    assert limits is not None
    assert sorted(limits) == [4, 5, 5, 5]
    assert limits[position.cow] == 4
    board = make("board-basic", 2)
    position, _ = new_game(board, Seeded(1))
    assert board.row_limits(position) is None


def test_own_cards_and_rows_are_not_unseen() -> None:
    rules = make("base", 4)
    position, _ = new_game(rules, Seeded(2))
    left = unseen(rules, view(rules, position, 1))
    assert len(left) == 104 - 10 - 4
    assert not set(left) & {*position.hands[1], *(row[0] for row in position.rows)}

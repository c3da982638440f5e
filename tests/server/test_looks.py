"""What a view tells on second sight: where a card would go now, what is unseen, how long the rows are."""

import itertools
import random
from typing import Any

import pytest

from bullpen.engine import FACE_DOWN, NUMBERS, PlayCard, Ruleset, Seeded, new_game, submit, view
from bullpen.engine.events import Event, Placed, Took, Used
from bullpen.rulesets import games, make
from bullpen.server.doors.looks import destination, looks, unseen

ALONE = ("base", "tactics", "professional", "even-odd", "mountain", "jumping-cow", "flippin-digits", "double")
"""Games in which the first card of a trick is placed before anybody can do anything else."""


def play(rules: Ruleset[Any], seed: int) -> Any:
    """Play at random, yielding every position before a choice and what the last of its answers brought."""
    rng, chance = random.Random(seed), Seeded(seed)
    position, _ = new_game(rules, chance)
    for _ in range(400):
        if not position.asks:
            return
        before = position
        events: tuple[Event, ...] = ()
        for ask in before.open_asks:
            position, events = submit(rules, position, ask.seats[0], rng.choice(ask.options), chance)
        yield before, events


@pytest.mark.parametrize("game", games())
def test_everybody_can_look_at_any_time(game: str) -> None:
    players = 3
    rules = make(game, players)
    for position, _ in play(rules, 1):
        for seat in (*range(players), None):
            seen = view(rules, position, seat)
            found = looks(rules, seen)
            asked = seen.ask.options if seen.ask else ()
            assert found.goes.keys() == {one.notation for one in asked if isinstance(one, PlayCard)}
            hidden = sum(zone.cards(seen.position).count(FACE_DOWN) for zone in number_zones(rules))
            hands = zip(position.known, seen.position.hands, strict=False)
            known = sum(len(cards) for cards, hand in hands if FACE_DOWN in hand)
            piles = sum(pile.count(FACE_DOWN) for pile in seen.position.piles)
            remembered = piles - sum(pile.count(FACE_DOWN) for pile in seen.piles)
            assert len(found.unseen) == hidden - known - remembered


def number_zones(rules: Ruleset[Any]) -> list[Any]:
    return [zone for zone in rules.zones if zone.family == NUMBERS]


@pytest.mark.parametrize("game", ALONE)
def test_the_first_card_of_a_trick_goes_where_the_look_said(game: str) -> None:
    rules = make(game, 3)
    checked = 0
    for position, events in (moment for seed in range(4) for moment in play(rules, seed)):
        first = next((event for event in events if isinstance(event, (Placed, Took))), None)
        if first is None or position.asks[0].kind != "commit":
            continue
        placed = next(event for event in events if isinstance(event, Placed))
        flipped = any(isinstance(event, Used) and event.seat == placed.seat for event in events)
        told = looks(rules, view(rules, position, placed.seat)).goes[f"{placed.card}{'*' if flipped else ''}"]
        alone = events[: events.index(placed)] + tuple(
            itertools.takewhile(is_no_placement, after(events, placed))
        )
        assert (told.row, told.takes) == (first.row, any(isinstance(event, Took) for event in alone))
        checked += 1
    assert checked > 20


def after(events: tuple[Event, ...], event: Event) -> tuple[Event, ...]:
    return events[events.index(event) + 1 :]


def is_no_placement(event: Event) -> bool:
    """Whether an event still belongs to the placement before it; a take comes before its card."""
    return not isinstance(event, Placed) and not (isinstance(event, Took) and event.why != "cow")


def test_a_look_names_the_row_the_place_and_the_price() -> None:
    rules = make("base", 2)
    position, _ = new_game(rules, Seeded(1))
    position.rows = [[10, 12, 14, 16, 18], [30], [50, 55], [70]]
    position.hands[0] = [5, 19, 31, 60]
    seen = view(rules, position, 0)
    told = {card: destination(rules, seen.position, 0, PlayCard(card)) for card in (5, 19, 31, 60)}
    assert told[5].row is None
    assert (told[19].row, told[19].takes, told[19].bullheads) == (0, True, 7)
    assert (told[31].row, told[31].place, told[31].takes) == (1, 1, False)
    assert (told[60].row, told[60].place) == (2, 2)


def test_rows_say_how_many_places_they_have() -> None:
    cow = make("jumping-cow", 2)
    position, _ = new_game(cow, Seeded(1))
    told = looks(cow, view(cow, position, 0)).limits
    assert told is not None
    assert sorted(told) == [4, 5, 5, 5]
    assert told[position.cow] == 4
    board = make("board-basic", 2)
    position, _ = new_game(board, Seeded(1))
    assert looks(board, view(board, position, 0)).limits is None


def test_own_cards_and_rows_are_not_unseen() -> None:
    rules = make("base", 4)
    position, _ = new_game(rules, Seeded(2))
    seen = view(rules, position, 1)
    left = unseen(rules, seen)
    assert len(left) == 104 - 10 - 4
    assert not set(left) & {*position.hands[1], *(row[0] for row in position.rows)}

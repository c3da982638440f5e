"""The foresight of `medium` in the base game: numbers that can be checked by hand, and what they lead to."""

import pytest

from bullpen.bots.estimates.foresight import NUMBERS, Scene, describe, foresee, network, scene_of
from bullpen.bots.levels import medium
from bullpen.engine import PlayCard, Seeded, View, new_game, view
from bullpen.rulesets import make

UNSEEN = 1 << 42 | 1 << 43 | 1 << 44 | 1 << 90
"""Four cards that others may hold; three of them lie between 41 and 45."""


def scene(*rows: list[int], players: int = 2) -> Scene:
    return scene_of(rows, UNSEEN, players)


def test_the_numbers_of_a_card_that_may_become_the_sixth() -> None:
    numbers = describe(scene([36, 37, 39, 41], [60], [70], [80]), [45], 45)
    assert len(numbers) == NUMBERS
    heads, room, hit, gap, filled = numbers[:5]
    # One opponent, three of four unseen cards in between, room for one: four single bullheads are at stake.
    assert (hit, heads, room) == (0.75, 3.0, 0.75)
    assert (gap, filled) == (0.75, 0.8)
    assert numbers[-11:-3] == [0.0] * 8


def test_the_rest_of_the_hand_is_seen_on_the_rows_as_the_card_leaves_them() -> None:
    rows = scene([36, 37, 39, 41], [60], [70], [80])
    after = rows.after(45, rows.row_for(45))
    assert (after.ends, after.rooms) == ([45, 60, 70, 80], [0, 4, 4, 4])
    full = describe(rows, [45, 46], 45)[-7]
    assert full == 1.0


def test_a_card_that_is_too_low_takes_the_cheapest_row() -> None:
    rows = scene([55, 56], [60], [71], [80])
    assert rows.row_for(3) == -1
    after = rows.after(3, -1)
    assert (after.ends, after.rooms, after.heads) == ([55 + 1, 60, 3, 80], [3, 4, 4, 4], [8, 3, 1, 3])


@pytest.mark.parametrize(("players", "like"), [(2, 2), (5, 4), (7, 6), (8, 10), (9, 10)])
def test_every_number_of_players_has_a_network(players: int, like: int) -> None:
    net = network(players)
    assert net == network(like)
    assert {len(row) for row in (*net.hidden, *net.hidden_left, net.skip, net.skip_left)} == {NUMBERS}
    assert len(net.hidden) == len(net.hidden_left) == len(net.bias) == len(net.out)


def seen_by(hand: list[int], rows: list[list[int]]) -> View:
    """A view of three players in which nothing but these cards is known."""
    rules = make("base", 3)
    position, _ = new_game(rules, Seeded(1))
    position.rows, position.hands[0] = rows, hand
    return view(rules, position, 0)


def test_medium_leaves_a_full_row_alone_and_plays_close() -> None:
    seen = seen_by([23, 41, 100], [[11, 22, 33, 35, 36], [40], [62], [80, 82]])
    choices = (PlayCard(37), PlayCard(41))
    full, close = foresee(seen, choices)
    assert close < full
    assert medium.best_card(seen, choices) == PlayCard(41)


def test_a_shorter_deck_is_none_that_the_network_knows() -> None:
    seen = seen_by([23, 41, 100], [[11], [40], [62], [80]])
    short = View(
        seen.game, {**seen.options, "experimental.shortDeck": True}, 0, seen.position, seen.piles, (), 1
    )
    assert medium.best_card(short, (PlayCard(23), PlayCard(41))) in (PlayCard(23), PlayCard(41))

"""`human`: the habits that are assumed of beginners show in what it plays."""

from collections import Counter

import pytest

from bullpen import bots
from bullpen.bots.levels import human
from bullpen.bots.registry import Mind
from bullpen.engine import Choice, PlayCard, Seeded, View, new_game, view
from bullpen.rulesets import games, make
from tests.bots.tables import play_round


def seen_by(hand: list[int], rows: list[list[int]]) -> View:
    rules = make("base", 4)
    position, _ = new_game(rules, Seeded(1))
    position.rows, position.hands[0] = rows, hand
    return view(rules, position, 0)


def played(hand: list[int], rows: list[list[int]], times: int = 200) -> Counter[Choice]:
    """Count what is played with these cards, by many beginners."""
    seen = seen_by(hand, rows)
    assert seen.ask is not None
    options = tuple(PlayCard(card) for card in hand)
    return Counter(human.best_card(seen, options, Mind(seed, seen, seen.ask)) for seed in range(times))


def test_a_small_gap_looks_safe() -> None:
    found = played([42, 58], [[40], [70], [80], [90]])
    assert found[PlayCard(42)] > 0.8 * found.total()


def test_the_sixth_card_of_a_row_is_seen() -> None:
    found = played([42, 75], [[11, 22, 33, 39, 41], [70], [80], [90]])
    assert found[PlayCard(75)] > 0.95 * found.total()


def test_the_highest_cards_are_saved() -> None:
    found = played([32, 50, 52, 62, 72, 73, 74, 82, 102, 103], [[30], [48], [60], [100]], times=400)
    assert found[PlayCard(102)] + found[PlayCard(103)] < found[PlayCard(32)]


def test_the_longer_the_hand_the_more_often_something_is_overlooked() -> None:
    rows = [[40], [60], [80], [90]]
    short = played([41, 59], rows)
    long = played([41, 59, 57, 56, 55, 79, 78, 77, 76, 75], rows)
    assert long[PlayCard(41)] < short[PlayCard(41)]


@pytest.mark.parametrize("game", games())
def test_every_game_can_be_played_like_people(game: str) -> None:
    assert "human" in bots.known(game)
    assert "human" not in bots.levels_for(game)


@pytest.mark.parametrize("game", ["logic", "flippin-digits", "nifty", "double"])
def test_people_finish_a_round(game: str) -> None:
    assert len(play_round(game, [bots.player("human", seat) for seat in range(2)], seed=1)) == 2

"""Imagination is uniform over what could be."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

from bullpen.engine import PlayCard, imagine, view
from bullpen.game import new_game
from bullpen.rulesets import make
from bullpen.testing import step
from tests.rulebook.tables import set_up


def chi_squared(counts: Counter[Any], cells: int) -> float:
    """Return the statistic for equal expectation in every cell."""
    expected = counts.total() / cells
    return sum((count - expected) ** 2 for count in counts.values()) / expected + expected * (
        cells - len(counts)
    )


def test_all_hands_are_equally_likely() -> None:
    """Three players with two cards each: the four unseen cards make six possible hands of a neighbour."""
    rules = make("tactics", 3)
    hands = [[1, 2], [11, 12], [21, 22]]
    used = {card for hand in hands for card in hand} | {5, 15, 25, 34}
    piles = [[card for card in rules.universe("numbers") if card not in used], [], []]
    table = set_up(rules, [[5], [15], [25], [34]], hands, spares=0, piles=piles)
    seen = view(rules, table.position, 0)
    rng = random.Random(2024)
    counts = Counter(tuple(imagine(rules, seen, rng).hands[1]) for _ in range(6000))
    assert set(counts) == set(combinations([11, 12, 21, 22], 2))
    assert chi_squared(counts, 6) < 20.5  # 99.9 % of fair samples with five degrees of freedom


def test_hidden_answers_are_equally_likely_too() -> None:
    """A seat that has chosen may have chosen any of its cards."""
    rules = make("tactics", 3)
    hands = [[1, 2], [11, 12], [21, 22]]
    table = set_up(rules, [[5], [15], [25], [34]], hands, spares=0)
    table.choose(1, PlayCard(12))
    table.position.known = [[], [11, 12], [21, 22]]
    rng = random.Random(7)
    seen = view(rules, table.position, 0)
    counts = Counter(imagine(rules, seen, rng).answers[1].notation for _ in range(2000))
    assert chi_squared(counts, 2) < 10.8


def test_cards_seen_going_into_a_hand_are_imagined_there() -> None:
    """HAND-11, LOG-4: what everybody saw, everybody knows."""
    game = new_game("hand", 3, seed=5)
    rng = random.Random(5)
    while not any(game.position.known[1:]):
        step(game, rng)
    seen = game.view(0)
    for _ in range(20):
        imagined = imagine(game.rules, seen, rng)
        for hand, known in zip(imagined.hands, game.position.known, strict=True):
            assert not Counter(known) - Counter(hand)


def test_after_a_draft_the_hands_are_certain() -> None:
    """In Logic every pick was public, so there is one possible position."""
    game = new_game("logic", 3, seed=5)
    rng = random.Random(5)
    while game.asks[0].kind == "draft_pick":
        step(game, rng)
    assert imagine(game.rules, game.view(0), rng).hands == game.position.hands

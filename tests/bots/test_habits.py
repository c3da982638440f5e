"""The decisions from which habits are learned: what was seen, and what was played."""

import random

import numpy as np
import pytest
from training.decisions import GAMES, LEVELS, MOST, play_round

FLIP = 128


@pytest.fixture(scope="module", params=[3, 8])
def decisions(request: pytest.FixtureRequest) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    return play_round(random.Random(request.param))


def cards_of(words: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> set[int]:
    """The cards of a set of two words."""
    both = int(words[0]) | int(words[1]) << 64
    return {card for card in range(1, 105) if both >> card & 1}


def test_what_was_played_was_in_hand_and_hidden(decisions: np.ndarray[tuple[int], np.dtype[np.void]]) -> None:
    for one in decisions:
        hand = {int(card) for card in one["hand"] if card}
        assert int(one["choice"]) & (FLIP - 1) in hand
        assert hand <= cards_of(one["hidden"])
        assert 2 <= len(hand) <= MOST
        assert not {int(end) for end in one["ends"]} & cards_of(one["hidden"])


def test_all_decisions_of_a_round_are_of_one_game_and_of_known_levels(
    decisions: np.ndarray[tuple[int], np.dtype[np.void]],
) -> None:
    assert len(np.unique(decisions[["game", "players"]])) == 1
    assert decisions["game"].max() < len(GAMES)
    assert decisions["level"].max() < len(LEVELS)
    assert len(decisions) >= 9 * int(decisions["players"][0])

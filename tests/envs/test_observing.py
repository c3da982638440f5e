"""Observations: what they say is true, and they tell nobody what it may not know."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from bullpen.engine import HEADS, NUMBERS, Seat, view
from bullpen.envs import layout
from bullpen.envs.actions import TWIN, Alphabet, Answering
from bullpen.envs.episode import Episode
from bullpen.envs.observing import Observation
from bullpen.envs.terms import Terms
from bullpen.rulesets import make, own_games
from bullpen.testing.secrecy import permuted
from tests.envs.tables import SOAK, TABLES, at_random, started, steps


def seen(episode: Episode, seat: int) -> dict[str, np.ndarray]:
    return episode.observer.layout.read(episode.observe(seat))


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_no_observation_and_no_mask_tells_what_is_hidden(game: str, players: int) -> None:
    """Deal the cards that a seat cannot see differently, and let the others say something else."""
    rng = random.Random(f"{game}/{players}")
    for seed in range(SOAK):
        assert differences(started(game, players, seed), rng) > 3


class Leaking(Episode):
    """An episode that tells a card of the next hand, if there is one that it should hide, in a byte."""

    def observe(self, seat: Seat) -> Observation:
        observation = super().observe(seat)
        observation[0] ^= sum(self.position.hands[(seat + 1) % self.players]) % 256
        return observation


class Blabbing(Episode):
    """An episode that tells by its masks what others have said so far."""

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        mask = super().mask(seat)
        others = [choice for other, choice in self.asking.choices.items() if other != seat]
        mask[-1] ^= sum(map(len, map(str, others))) % 2
        return mask


@pytest.mark.parametrize("game", ["base", "nifty", "buffalo", "board-basic"])
def test_a_leak_of_cards_is_noticed(game: str) -> None:
    assert leaks(Leaking(Terms(game=game, players=3)))


@pytest.mark.parametrize(("game", "players"), [("logic", 3), ("tournament", 4), ("tactics", 2), ("base", 2)])
def test_a_leak_of_what_was_said_is_noticed(game: str, players: int) -> None:
    assert leaks(Blabbing(Terms(game=game, players=players)))


def leaks(episode: Episode) -> bool:
    """Whether the check of secrecy finds something in one of a few rounds."""
    rng = random.Random(1)
    for seed in range(3):
        episode.reset(seed)
        try:
            differences(episode, rng)
        except AssertionError:
            return True
    return False


def differences(episode: Episode, rng: random.Random) -> int:
    """Play to the end beside episodes in which what a seat cannot know is different; return how many were.

    All that the seat is shown must be the same.
    """
    changed = 0
    while not episode.over:
        seat = rng.randrange(episode.players)
        whisper(episode, seat, rng)
        other = type(episode)(episode.terms)
        other.reset(0)
        other.position = permuted(episode.rules, episode.position, seat, rng)
        other._look()
        _say_again(other, episode, seat)
        whisper(other, seat, rng)
        assert np.array_equal(other.observe(seat), episode.observe(seat))
        assert np.array_equal(other.mask(seat), episode.mask(seat))
        assert other.legal(seat) == episode.legal(seat)
        changed += other.position != episode.position or other.asking.choices != episode.asking.choices
        episode.step(at_random(episode, rng))
    return changed


def whisper(episode: Episode, seat: Seat, rng: random.Random) -> None:
    """Let some of the others answer, or begin to: nothing of it counts before all have finished."""
    for other in episode.waiting:
        for _ in range(rng.randrange(4) if other != seat else 0):
            episode.say(other, rng.choice(episode.legal(other)))


def _say_again(other: Episode, episode: Episode, seat: Seat) -> None:
    """Bring a seat as far with its answer as it is in another episode."""
    if seat in episode.asking.choices:
        other.asking.answer(seat, episode.asking.choices[seat])
    for number in episode.asking.said(seat)[len(other.asking.said(seat)) :]:
        other.asking.say(seat, number)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_observations_say_what_the_view_says(game: str, players: int) -> None:
    rng = random.Random(game)
    episode = started(game, players)
    for _ in steps(episode, rng):
        seat = rng.randrange(players)
        parts, known = seen(episode, seat), view(episode.rules, episode.position, seat)
        position = known.position
        order = [(seat + place) % players for place in range(players)]
        assert [card for card in range(1, 105) for _ in range(parts["hand"][card - 1])] == known.hand
        assert parts["scores"].tolist() == [position.scores[other] for other in order]
        assert parts["points"].tolist() == [min(255, position.points[other]) for other in order]
        lying = [[int(card) for card in row if card] for row in parts["rows"]]
        assert lying[: len(position.rows)] == position.rows
        assert parts["table"].tolist()[: len(position.table)] == [played.card for played in position.table]
        for owner, played in zip(parts["owners"], position.table, strict=False):
            assert owner == (players + 1 if played.seat < 0 else order.index(played.seat) + 1)
        asked = [any(other in ask.seats for ask in position.asks) for other in order]
        assert parts["asked"].tolist() == asked
        if "known" in parts:
            for other in order:
                there = [card for card in range(1, 105) if parts["known"][card - 1] == order.index(other) + 1]
                assert there == sorted(position.known[other])


@pytest.mark.parametrize("game", own_games())
def test_every_card_is_held_or_seen_or_hidden_from_the_viewer(game: str) -> None:
    episode = started(game, own_games()[game].player_range[0])
    for _ in steps(episode, random.Random(game)):
        parts = seen(episode, 0)
        universe = episode.rules.universe(NUMBERS)
        both = parts["hand"] + parts["seen"]
        assert all(both[card - 1] <= universe.count(card) for card in set(universe))
        assert all(both[card - 1] == 0 for card in set(range(1, 105)) - set(universe))


def test_the_bullheads_of_rows_are_counted() -> None:
    episode = started("base", 4)
    for _ in steps(episode, random.Random(3)):
        parts = seen(episode, 2)
        assert parts["bullheads"].tolist() == [sum(HEADS[card] for card in row) for row in parts["rows"]]
        assert parts["counts"].tolist() == [int((row > 0).sum()) for row in parts["rows"]]


def test_the_markers_say_row_side_and_seat() -> None:
    mountain = started("mountain", 2)
    assert (
        seen(mountain, 1)["mark.mountain"].tolist(),
        seen(mountain, 1)["mark.mountain.side"].tolist(),
    ) == ([4], [1])
    flips = started("flippin-digits", 3)
    flips.step({0: flips.legal(0)[-1], 1: flips.legal(1)[0], 2: flips.legal(2)[0]})
    assert seen(flips, 2)["mark.flip"].tolist() == [1, 0, 1]
    logic = started("logic", 3)
    logic.step({0: 30})
    assert seen(logic, 0)["mark.first"].tolist() == [2]
    assert seen(logic, 1)["known"][29] == 3
    assert seen(logic, 1)["held.display"].sum() == 33


def test_special_cards_of_others_are_counted_face_down() -> None:
    episode = started("anniversary", 2)
    held = seen(episode, 0)["held.specials"]
    assert held[0].sum() == 3
    assert held[0][-1] == 0
    assert held[1].tolist() == [0] * 7 + [3]


def test_what_was_said_of_a_pair_is_seen_by_its_seat_alone() -> None:
    episode = started("nifty", 2)
    first = episode.legal(0)[0]
    before = episode.observe(1)
    episode.say(0, first)
    assert seen(episode, 0)["said"].tolist() == [first, *[0] * 7]
    assert np.array_equal(before, episode.observe(1))


def test_the_low_card_and_its_owner_are_seen() -> None:
    episode = started("base", 4)
    for _ in steps(episode, random.Random(1)):
        parts = seen(episode, 0)
        if parts["question"][0] == 2:
            assert parts["low_card"][0] == parts["table"][0]
            assert parts["asked"].sum() == 1
            assert parts["asked"][parts["owners"][0] - 1] == 1
            return
    pytest.fail("nobody had a low card")


def test_a_finished_episode_asks_nobody() -> None:
    episode = started("base", 3)
    for _ in steps(episode, random.Random(2)):
        pass
    parts = seen(episode, 1)
    assert not parts["question"].any()
    assert not parts["asked"].any()
    assert not parts["table"].any()
    assert parts["trick"].tolist() == [10]
    assert parts["points"].tolist() == parts["scores"].tolist()
    assert episode.legal(0) == (0,)


def test_the_twin_is_the_twin() -> None:
    from bullpen.fast.games import CODES

    assert set(CODES) == TWIN


def test_slices_lie_one_behind_the_other() -> None:
    for game, kind in own_games().items():
        parts = layout(game, kind.player_range[-1]).slices
        assert [part.offset for part in parts[1:]] == [part.offset + part.length for part in parts[:-1]]
        assert len({part.name for part in parts}) == len(parts)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_answer_can_be_said_and_no_two_alike(game: str, players: int) -> None:
    rng = random.Random(game)
    episode = Episode(Terms(game=game, players=players))
    episode.reset(2)
    alphabet = Alphabet(make(game, players))
    for _ in steps(episode, rng):
        for ask in episode.position.open_asks:
            spelt = [alphabet.spell(choice) for choice in ask.options]
            assert len(set(spelt)) == len(spelt)
            assert not any(
                one != other and other[: len(one)] == one
                for one in spelt
                for other in spelt
                if len(spelt) < 60
            )
            assert all(0 < number < alphabet.size for spelling in spelt for number in spelling)
            choice = rng.choice(ask.options)
            answering, left = Answering(alphabet, ask.options), None
            while left is None:
                left = answering.say(alphabet.spell(choice)[len(answering.said)])
            assert left == choice

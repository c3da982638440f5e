"""A step in lockstep held against the plain one: equal in every array after every step."""

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from bullpen.engine import OptionValue
from bullpen.fast import FLIP, ROW, BadChoice, Batch
from bullpen.fast.simd.planes import width_for
from bullpen.fast.simd.vectors import PER_VECTOR
from tests.conftest import SOAK
from tests.differential.shadow import LOCKSTEP_COUNTS, LOCKSTEP_GAMES, differing

SIZES = (1, PER_VECTOR - 1, PER_VECTOR, 3 * PER_VECTOR, 5 * PER_VECTOR + 7)
STEPS = 4000 if SOAK else 40


class Pair:
    """The same games twice: with piles, which are played plainly, and without, in lockstep."""

    def __init__(self, game: str, players: int, size: int, low_card: str, seed: int = 3) -> None:
        options: dict[str, OptionValue] = {"logic.maxPlayers": 10} if game == "logic" else {}
        plain, fast = (
            Batch(game, players, size, seed, options, low_card=low_card, piles=piles)  # type: ignore[arg-type]
            for piles in (True, False)
        )
        self.plain, self.fast = plain, fast
        self.luck = np.random.default_rng(seed)

    def step(self) -> None:
        """Step both with the same choices, with nonsense where nobody is asked."""
        choices = self.plain.random_choices()
        noise = self.luck.integers(0, 256, choices.shape, np.uint8)
        choices = np.where(choices == 0, noise, choices)
        self.plain.step(choices)
        self.fast.step(choices)
        assert differing(self.plain, self.fast) == []

    def deal_some(self, share: float) -> None:
        """Deal a new round to some games, wherever they stand."""
        mask = self.luck.random(self.plain.size) < share
        self.plain.next_round(mask)
        self.fast.next_round(mask)


@pytest.mark.parametrize("low_card", ["ask", "cheapest"])
@pytest.mark.parametrize("players", LOCKSTEP_COUNTS)
def test_steps_in_lockstep_equal_plain_steps(players: int, low_card: str) -> None:
    for game in LOCKSTEP_GAMES:
        for size in SIZES:
            pair = Pair(game, players, size, low_card, seed=size)
            while not pair.fast.over.all():
                pair.step()
            pair.step()
            assert pair.fast.points.any()


@pytest.mark.parametrize("low_card", ["ask", "cheapest"])
@pytest.mark.parametrize("players", LOCKSTEP_COUNTS)
def test_games_may_stand_at_different_tricks(players: int, low_card: str) -> None:
    """Some are dealt anew ahead of time and some stay over, so that most vectors hold games of all kinds."""
    pair = Pair("two-halves" if players == 2 else "base", players, 5 * PER_VECTOR + 7, low_card)
    mixed = 0
    for _ in range(STEPS):
        pair.step()
        mixed += len(np.unique(pair.fast.seats.stage[:PER_VECTOR, 2])) > 3
        pair.deal_some(0.05)
    assert mixed > STEPS // 2


def wrongs(batch: Batch, choices: NDArray[np.uint8], game: int, seat: int) -> list[int]:
    """Return choices that this seat may not make: no cards, cards of others, flips, rows."""
    legal = batch.legal()[game, seat]
    foreign = [
        int(card) for other in range(batch.plan.players) if other != seat for card in [choices[game, other]]
    ]
    gone = [card for card in range(1, 105) if not legal[card]]
    return [0, 105, 127, FLIP, FLIP + int(choices[game, seat]), ROW, 255, gone[0], gone[-1], *foreign]


@pytest.mark.parametrize("low_card", ["ask", "cheapest"])
def test_an_illegal_choice_anywhere_changes_nothing_in_any_game(low_card: str) -> None:
    pair = Pair("base", 4, 2 * PER_VECTOR + 7, low_card)
    refused = 0
    for _ in range(12):
        batch, luck = pair.fast, pair.luck
        choices = pair.plain.random_choices()
        before = [part.copy() for part in (*batch.table, *batch.seats)]
        for game in (0, PER_VECTOR - 1, PER_VECTOR, batch.size - 1, int(luck.integers(batch.size))):
            if batch.over[game] or batch.asked[game] >= 0:
                continue
            seat = int(luck.integers(4))
            for wrong in wrongs(batch, choices, game, seat):
                bad = choices.copy()
                bad[game, seat] = wrong
                with pytest.raises(BadChoice, match=f"Seat {seat} of game {game} cannot choose {wrong} now."):
                    batch.step(bad)
                now = (*batch.table, *batch.seats)
                assert all((old == new).all() for old, new in zip(before, now, strict=True))
                refused += 1
        pair.plain.step(choices)
        batch.step(choices)
        assert differing(pair.plain, batch) == []
        pair.deal_some(0.1)
    assert refused > 200


def test_an_illegal_row_is_refused_beside_games_in_lockstep() -> None:
    pair = Pair("base", 4, 2 * PER_VECTOR, "ask")
    pair.step()
    (game, *_) = np.flatnonzero(pair.fast.asked >= 0)
    choices = pair.plain.random_choices()
    choices[game, pair.fast.asked[game]] = ROW + 4
    before = [part.copy() for part in (*pair.fast.table, *pair.fast.seats)]
    with pytest.raises(BadChoice, match=f"of game {game} cannot choose 244"):
        pair.fast.step(choices)
    now = (*pair.fast.table, *pair.fast.seats)
    assert all((old == new).all() for old, new in zip(before, now, strict=True))


def test_numbers_that_do_not_fit_a_byte_are_refused_and_others_taken() -> None:
    pair = Pair("base", 4, 10, "cheapest")
    choices = pair.plain.random_choices().astype(np.int64)
    for batch in (pair.plain, pair.fast):
        for beyond in (256, -256, 128.5):
            with pytest.raises(BadChoice, match="Seat 2 of game 7 cannot choose"):
                batch.step(choices + beyond * (np.arange(40) == 30).reshape(10, 4))
    for given in (choices, np.asfortranarray(choices), choices.astype(np.uint8).repeat(2, axis=0)[::2]):
        fresh = Pair("base", 4, 10, "cheapest")
        fresh.plain.step(given)
        fresh.fast.step(given)
        assert differing(fresh.plain, fresh.fast) == []
    assert (fresh.fast.seats.stage[:, 2] == 9).all()


def test_numbers_of_seats_that_are_not_asked_may_be_anything() -> None:
    pair = Pair("base", 4, 10, "cheapest")
    while not pair.plain.over.all():
        pair.step()
    before = pair.plain.points.copy()
    for batch in (pair.plain, pair.fast):
        batch.step(np.full((10, 4), -1))
        assert (batch.points == before).all()


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))]
)
def test_a_copy_of_a_batch_goes_its_own_way(copied: Callable[[Batch], Batch]) -> None:
    batch = Batch("base", 4, 10, seed=4)
    for _ in range(5):
        batch.step(batch.random_choices())
    other = copied(batch)
    assert differing(batch, other) == []
    choices = batch.random_choices()
    assert (other.random_choices() == choices).all()
    other.step(choices)
    assert len(differing(batch, other)) > 5
    batch.step(choices)
    assert differing(batch, other) == []


class Foreign:
    """What another library sees of an array: its interface alone."""

    def __init__(self, array: NDArray[np.generic]) -> None:
        self.__array_interface__ = array.__array_interface__


@pytest.mark.parametrize("size", SIZES)
def test_the_game_is_the_first_axis_of_every_array_and_memory_is_shared(size: int) -> None:
    batch = Batch("base", 4, size, seed=1, low_card="cheapest")
    seen = [np.asarray(Foreign(part)) for part in (*batch.table, *batch.seats)]
    while not batch.over.all():
        batch.step(batch.random_choices())
    for mine, theirs in zip((*batch.table, *batch.seats), seen, strict=True):
        assert mine.shape[0] == size
        assert np.array_equal(mine, theirs)
        assert all(stride % mine.itemsize == 0 and stride >= 0 for stride in theirs.strides)
    assert width_for(size) > size

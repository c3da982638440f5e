"""The arrays of a state by themselves, as a device has them, against records: the same verbs take both."""

from typing import Any

import numpy as np
import pytest

from bullpen.fast.compiled import numba
from bullpen.fast.twins.batch import TwinBatch
from bullpen.fast.twins.course import is_legal, list_game, start_at, step_game
from bullpen.fast.twins.state import arrays_of, by_themselves
from bullpen.fast.twins.twin import add_up_here
from tests.conftest import SOAK

BOARDS = [
    (game, players)
    for game in ("board-basic", "board-basic-luck", "board-expert", "board-expert-luck")
    for players in (2, 6)
]
# Machine code for the arrays of a board takes a minute, for one of the others some seconds.
SEATINGS = [("open", 2), ("open", 5), *(BOARDS if SOAK else ())]


@numba.njit(error_model="numpy", _nrt=False)  # type: ignore[untyped-decorator]
def start_all(plan: Any, s: Any, size: int, game: bool) -> None:
    for b in range(size):
        start_at(plan, s, b, game)


@numba.njit(error_model="numpy", _nrt=False)  # type: ignore[untyped-decorator]
def list_all(plan: Any, s: Any, numbers: Any, counts: Any) -> None:
    for b in range(counts.shape[0]):
        list_game(plan, s, b, numbers, counts)


@numba.njit(error_model="numpy", _nrt=False)  # type: ignore[untyped-decorator]
def step_all(plan: Any, s: Any, choices: Any, room: Any, ask: bool) -> int:
    """Step all games, and return how many choices were illegal."""
    illegal = 0
    for b in range(choices.shape[0]):
        for seat in range(plan.players):
            if not is_legal(plan, s, b, seat, np.int64(choices[b, seat]), room):
                illegal += 1
        step_game(plan, s, b, choices, ask)
    return illegal


def differing(batch: TwinBatch, alone: Any) -> list[str]:
    return [
        name
        for name, array in arrays_of(batch.state).items()
        if (array[: batch.size] != getattr(alone, name)[: batch.size]).any()
    ]


@pytest.mark.parametrize(("game", "players"), SEATINGS)
def test_games_of_single_arrays_go_the_same_way(game: str, players: int) -> None:
    batch = TwinBatch(game, players, 40, seed=5)
    alone = by_themselves(batch.state, np.asfortranarray)
    room = np.zeros(batch.room.options, np.uint16)
    for _ in range(2):
        while not batch.over.all():
            choices = batch.random_choices()
            numbers, counts = batch.options()
            told, many = np.zeros_like(numbers), np.zeros_like(counts)
            list_all(batch.plan, alone, told, many)
            meant = np.arange(numbers.shape[2]) < counts[..., None]
            assert (many == counts).all()
            assert (told == numbers)[meant].all()
            assert step_all(batch.plan, alone, choices.copy(), room, True) == 0
            batch.step(choices)
            assert differing(batch, alone) == []
        batch.next_round()
        start_all(batch.plan, alone, batch.size, False)
        assert differing(batch, alone) == []


@pytest.mark.parametrize(("game", "players"), [("open", 3), *BOARDS])
def test_a_seat_is_shown_the_same_of_single_arrays(game: str, players: int) -> None:
    batch = TwinBatch(game, players, 5, seed=5)
    alone = by_themselves(batch.state, np.asfortranarray)
    for seat in range(players):
        ours, theirs = batch.observe(seat), batch.twin.seen(alone, seat, batch.size, add_up_here)
        assert ours.keys() == theirs.keys()
        assert all((ours[name] == theirs[name]).all() for name in ours)

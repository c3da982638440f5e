"""The loops that trade readability for speed, held against the plain ones: equal to the last bullhead."""

import random
from typing import Any

import numpy as np
import pytest
from numba import njit

import bullpen
from bullpen.fast import Player, from_position, from_view, number_of, simulate
from bullpen.fast.chance import U, stream
from bullpen.fast.games import CODES, Plan, plan_for
from bullpen.fast.simd.registers import SHIFT, THREADS, bills_of, fresh_cells, play_cells
from tests.conftest import SOAK

ROUNDS = 1_000_003 if SOAK else 20_003
"""No multiple of the lanes, so that a last block is half empty."""


@pytest.mark.parametrize("players", range(2, 11) if SOAK else (2, 4, 10))
def test_rounds_in_lockstep_equal_rounds_one_by_one(players: int) -> None:
    for game in ("base", "tactics", "logic", "two-halves"):
        options = {"logic.maxPlayers": 10} if game == "logic" else {}
        fast = simulate(game, players, "random", ROUNDS, seed=players, options=options)
        plain = simulate(game, players, "random", ROUNDS, seed=players, options=options, plain=True)
        assert fast.total.tolist() == plain.total.tolist(), game
        assert fast.squares.tolist() == plain.squares.tolist(), game


@njit
def in_registers(
    plan: Plan, seats: tuple[int, ...], deck: Any, cells: Any, cards: Any, rounds: int, seed: Any, total: Any
) -> None:
    """Play rounds as the threads of a device do, one thread after the other."""
    for number in range(rounds):
        thread = U(number % THREADS)
        bills = bills_of(seats, U(deck.size), thread)
        play_cells(plan, deck, cells, cards, thread, bills, stream(seed, U(number)))
        for seat in seats:
            points = cells[bills[seat]] >> SHIFT
            cells[bills[seat]] = 0
            total[0, seat] += points
            total[1, seat] += points * points


@pytest.mark.parametrize("players", range(2, 11) if SOAK else (2, 5))
def test_rounds_in_registers_equal_rounds_one_by_one(players: int) -> None:
    for game in ("base", "tactics", "logic", "two-halves"):
        options = {"logic.maxPlayers": 10} if game == "logic" else {}
        plan = plan_for(game, players, options)
        deck, total = fresh_cells(plan.size), np.zeros((2, players), np.int64)
        cells = np.zeros((deck.size + players) * THREADS, np.uint32)
        seats = tuple(range(players))
        in_registers(plan, seats, deck, cells, cells.view(np.uint16), ROUNDS, np.uint64(9), total)
        plain = simulate(game, players, "random", ROUNDS, seed=9, options=options, plain=True)
        assert total[0].tolist() == plain.total.tolist(), game
        assert total[1].tolist() == plain.squares.tolist(), game


def test_threads_change_nothing_but_the_time() -> None:
    one = simulate("base", 4, "random", 600_000, seed=3)
    two = simulate("base", 4, "random", 600_000, seed=3, threads=2)
    assert one.total.tolist() == two.total.tolist()


@pytest.mark.parametrize("game", [game for game in CODES if CODES[game] == 0])
def test_playouts_in_lockstep_equal_playouts_one_by_one(game: str) -> None:
    """From views and positions at every stage of a round: rows to be chosen, half-time, the last trick."""
    luck = random.Random(game)
    compared = 0
    for players in range(2, 7) if SOAK else (2, 4):
        table = bullpen.new_game(game, players, seed=players)
        while not table.over and compared < 25 * players:
            ask = table.asks[0]
            if ask.kind != "draft_pick" and luck.random() < 0.3:
                seat = ask.seats[0]
                view = table.view(seat)
                assert view.ask is not None
                numbers = [number_of(option) for option in view.ask.options]
                for start in (from_view(view), from_position(table.rules, table.position, seat)):
                    player = Player(start, numbers)
                    fast, plain = player.run(70, seed=compared), player.run_plain(70, seed=compared)
                    assert fast.total.tolist() == plain.total.tolist()
                    assert fast.squares.tolist() == plain.squares.tolist()
                compared += 1
            table.choose(ask.seats[0], luck.choice(ask.options))
    assert compared > 40

"""The twin on a CUDA device: the same rule functions, one game a thread.

Needs the package numba-cuda and a device; `is_available()` says whether both are there.
"""

import importlib
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import OptionValue
from bullpen.fast.batch import Batch
from bullpen.fast.chance import GAMMA, U, deal, mixed, sort_four, stream
from bullpen.fast.compiled import Array, Int
from bullpen.fast.errors import BadChoice, FastError, FastMissing
from bullpen.fast.games import CODES, Plan, not_covered, plan_for
from bullpen.fast.observed import describe, may_do, observation_size
from bullpen.fast.policies import Minds, minds_of, no_policy
from bullpen.fast.rollout import MOST, Scratch, Sums, add_up, deal_round, play_round
from bullpen.fast.rules import Table
from bullpen.fast.sharing import Shared
from bullpen.fast.simd.lanes import charge, in_order, place_in_turn, played, start_word
from bullpen.fast.simd.lockstep import CARD_WORDS
from bullpen.fast.simulate import Statistics, in_lockstep
from bullpen.fast.tables import (
    TO_PLAY,
    Seats,
    is_legal,
    random_choice,
    start_game,
    start_round,
    step_game,
)
from bullpen.fast.trick import CHOICES

try:
    cuda: Any = importlib.import_module("numba.cuda")
except ImportError as missing:
    raise FastMissing("bullpen.fast.cuda needs a CUDA device and  pip install numba-cuda") from missing

THREADS = 128
ROUNDS_A_THREAD = 32
MOST_BLOCKS = 1 << 16
WRITERS = 64
"""Threads of a block that writes observations: the longest of them fit into its shared memory."""
U32 = np.uint32(0)


_lane_kernels: dict[int, Any] = {}


def is_available() -> bool:
    """Whether there is a device to run on."""
    return bool(cuda.is_available())


def _kernel(function: Any) -> Any:
    return cuda.jit(fastmath=False, opt=True)(function)


def _lane_kernel(players: int) -> Any:
    """Return the kernel of base placement for a number of players: a game lives in registers."""

    def lane_rounds(
        plan: Plan, seats: tuple[int, ...], first: Int, count: Int, seed: Int, words: Array, total: Array
    ) -> None:
        decks = cuda.shared.array((104, THREADS), np.uint16)
        bills = cuda.shared.array((players, THREADS), np.uint32)
        sums = cuda.local.array((2, players), np.uint64)
        cards = decks[:, cuda.threadIdx.x]
        points = bills[:, cuda.threadIdx.x]
        tricks = plan.first + plan.second
        for seat in range(players):
            sums[0, seat] = sums[1, seat] = U(0)
        for number in range(cuda.grid(1), count, cuda.gridsize(1)):
            for i in range(plan.size):
                cards[i] = words[i + 1]
            deal(cards, U(plan.size), cards, U(players * tricks + 4), stream(seed, U(first + number)))
            start = players * tricks
            if plan.ascending:
                sort_four(cards, start)
            a, b = np.uint32(cards[start]), np.uint32(cards[start + 1])
            c, d = np.uint32(cards[start + 2]), np.uint32(cards[start + 3])
            ends = np.uint32(a >> 7), np.uint32(b >> 7), np.uint32(c >> 7), np.uint32(d >> 7)
            words_alone = start_word(a), start_word(b), start_word(c), start_word(d)
            rows = ends + words_alone
            for seat in range(players):
                points[seat] = 0
            for k in range(tricks):
                plays = in_order(played(cards, k * players, 1, seats, U32))
                rows, costs = place_in_turn(plays, rows)
                charge(points, 0, 1, seats, plays, costs)
            for seat in range(players):
                sums[0, seat] += U(points[seat])
                sums[1, seat] += U(points[seat]) * U(points[seat])
        for seat in range(players):
            cuda.atomic.add(total, (0, seat), sums[0, seat])
            cuda.atomic.add(total, (1, seat), sums[1, seat])

    return _kernel(lane_rounds)


@_kernel
def plain_rounds(plan: Plan, minds: Minds, first: int, count: int, seed: np.uint64, total: Array) -> None:
    """Play rounds of any covered game by the plain loop, a thread a round."""
    table = Table(
        cuda.local.array((1, 4, 5), np.uint8),
        cuda.local.array((1, 4), np.uint8),
        cuda.local.array((1, 4), np.uint8),
        cuda.local.array((1, 4), np.uint8),
        cuda.local.array((1, 2), np.int8),
        cuda.local.array((1, 10), np.int16),
        cuda.local.array((1, 1), np.uint8)[:, :0],
        cuda.local.array((1, 1), np.uint8)[:, :0],
        cuda.local.array(1, np.uint8),
    )
    x = Scratch(
        table,
        cuda.local.array((2, 10, MOST), np.uint8),
        cuda.local.array((2, 10), np.int64),
        cuda.local.array(10, np.uint8),
        cuda.local.array((1, 10), np.int32),
        cuda.local.array(104, np.uint8),
        cuda.local.array(104, np.uint8),
        cuda.local.array(2, np.uint64),
        cuda.local.array(1, np.uint64),
    )
    fixed = cuda.local.array(10, np.uint8)
    sums = Sums(cuda.local.array((1, 10), np.int64), cuda.local.array((1, 10), np.int64))
    for seat in range(plan.players):
        fixed[seat] = 0
        sums.total[0, seat] = sums.squares[0, seat] = 0
    for number in range(cuda.grid(1), count, cuda.gridsize(1)):
        x.states[0] = stream(seed, U(first + number))
        deal_round(plan, x)
        for seat in range(plan.players):
            table.points[0, seat] = 0
            x.flips[seat] = plan.digits >= 0
        play_round(plan, minds, no_policy, x, 0, plan.first, fixed)
        add_up(x, plan.players, sums, 0)
    for seat in range(plan.players):
        cuda.atomic.add(total, (0, seat), U(sums.total[0, seat]))
        cuda.atomic.add(total, (1, seat), U(sums.squares[0, seat]))


def simulate_on_device(
    game: str,
    players: int,
    rounds: int,
    *,
    seed: int = 0,
    options: Mapping[str, OptionValue] | None = None,
    plain: bool = False,
) -> Statistics:
    """Play many rounds of random seats on the device: the same figures as `simulate` with that seed.

    `plain` uses the loop that all games share where there is a faster one.
    """
    if rounds < 1:
        raise FastError("simulate needs at least one round.")
    plan = plan_for(game, players, options)
    minds, _ = minds_of("random", players)
    total = cuda.to_device(np.zeros((2, players), np.uint64))
    launch_rounds(plan, minds, rounds, seed, total, plain=plain)
    figures = cast(NDArray[np.uint64], total.copy_to_host()).astype(np.int64)
    return Statistics(rounds, figures[0], figures[1])


def launch_rounds(
    plan: Plan, minds: Minds, rounds: int, seed: int, total: Any, *, plain: bool = False
) -> None:
    """Start the kernel that plays these rounds and adds to `total` ([2, n]: sums and squares)."""
    blocks = min(1 + rounds // (THREADS * ROUNDS_A_THREAD), MOST_BLOCKS)
    if plain or not in_lockstep(plan, minds):
        ours = Minds(*(cuda.to_device(part) for part in minds))
        plain_rounds[blocks, THREADS](plan, ours, 0, rounds, np.uint64(seed), total)
        return
    if plan.players not in _lane_kernels:
        _lane_kernels[plan.players] = _lane_kernel(plan.players)
    words = cuda.to_device(CARD_WORDS)
    seats = tuple(range(plan.players))
    _lane_kernels[plan.players][blocks, THREADS](plan, seats, 0, rounds, np.uint64(seed), words, total)


@_kernel
def start_games_on_device(plan: Plan, t: Table, s: Seats, seeds: Array, where: Array, sow: bool) -> None:
    """Start the games named by the mask anew, each from its own seed, or going on in its stream."""
    b = cuda.grid(1)
    if b < where.size and where[b]:
        if sow:
            s.states[b] = stream(seeds[b], U(0))
        start_game(plan, t, s, b)


@_kernel
def sow_luck_on_device(seeds: Array, where: Array, luck: Array) -> None:
    """Give the games of a mask the stream that random choices come from."""
    b = cuda.grid(1)
    if b < where.size and where[b]:
        luck[b] = ~seeds[b]


@_kernel
def start_rounds_on_device(plan: Plan, t: Table, s: Seats, where: Array) -> None:
    """Start the next round of the games named by the mask."""
    b = cuda.grid(1)
    if b < where.size and where[b]:
        start_round(plan, t, s, b)


@_kernel
def find_illegal_on_device(plan: Plan, t: Table, s: Seats, choices: Array, worst: Array) -> None:
    """Lower worst[0] to game * players + seat of the first illegal choice."""
    b = cuda.grid(1)
    if b < choices.shape[0]:
        for seat in range(plan.players):
            if not is_legal(plan, t, s, b, seat, np.int64(choices[b, seat])):
                cuda.atomic.min(worst, 0, np.int64(b * plan.players + seat))


@_kernel
def step_games_on_device(plan: Plan, t: Table, s: Seats, choices: Array, ask: bool) -> None:
    """Move every game on."""
    b = cuda.grid(1)
    if b < choices.shape[0]:
        step_game(plan, t, s, b, choices, ask)


@_kernel
def choose_at_random_on_device(plan: Plan, t: Table, s: Seats, states: Array, choices: Array) -> None:
    """Choose uniformly among the legal choices of every seat; 0 where a seat is not asked."""
    b = cuda.grid(1)
    if b < choices.shape[0]:
        for seat in range(plan.players):
            states[b] += GAMMA
            choices[b, seat] = random_choice(plan, t, s, b, seat, mixed(states[b]))


@_kernel
def find_over_on_device(s: Seats, over: Array) -> None:
    """Note which rounds are played out."""
    b = cuda.grid(1)
    if b < over.size:
        over[b] = s.stage[b, TO_PLAY] == 0


@cuda.jit(device=True, inline=True)
def hand_over(rows: Array, size: Int, out: Array) -> None:
    """Copy what the threads of a block have written to where it belongs, side by side."""
    cuda.syncthreads()
    first = cuda.blockIdx.x * WRITERS * size
    for i in range(cuda.threadIdx.x, min(WRITERS * size, out.size - first), WRITERS):
        out[first + i] = rows[i]


@_kernel
def describe_on_device(plan: Plan, t: Table, s: Seats, size: int, out: Array) -> None:
    """Write what every seat may know, a thread a seat; `out` is flat."""
    rows = cuda.shared.array(0, np.uint8)
    at = cuda.threadIdx.x * size
    number = cuda.grid(1)
    if number * size < out.size:
        describe(plan, t, s, number // plan.players, number % plan.players, rows[at : at + size])
    hand_over(rows, size, out)


@_kernel
def mask_on_device(plan: Plan, t: Table, s: Seats, out: Array) -> None:
    """Write what every seat may do, a thread a seat; `out` is flat."""
    rows = cuda.shared.array(0, np.uint8)
    at = cuda.threadIdx.x * CHOICES
    number = cuda.grid(1)
    if number * CHOICES < out.size:
        may_do(plan, t, s, number // plan.players, number % plan.players, rows[at : at + CHOICES])
    hand_over(rows, CHOICES, out)


def _there(array: Any) -> Any:
    """Return an array on the device: as it is, if it lies there already."""
    if hasattr(array, "__cuda_array_interface__"):
        return cuda.as_cuda_array(array)
    return cuda.to_device(np.ascontiguousarray(array))


def _wait_for_us(stream: int) -> None:
    """Let another stream of the device go on only after what has been launched here."""
    done = cuda.event()
    done.record()
    done.wait(cuda.external_stream(stream))


class DeviceBatch:
    """B games on the device, in which nothing needs to leave it from one step to the next.

    What the methods return lies on the device, contiguous, and is the same memory in every step; torch,
    JAX and CuPy read it there through the CUDA array interface or DLPack (`Shared`). What they are given
    may be any array that speaks the CUDA array interface; arrays of NumPy are copied to the device first.
    The arrays of `table` and `seats` are those of `Batch`, as device arrays with the game as last axis in
    memory: `torch.as_tensor(batch.table.points, device="cuda")`.
    """

    def __init__(self, batch: Batch) -> None:
        if batch.game not in CODES:
            raise not_covered(batch.game)
        self.plan = batch.plan
        self.size = batch.size
        self.asks = batch.asks
        # The game is the last axis in memory here as well, so that threads read side by side.
        self.table = Table(*(cuda.to_device(np.asfortranarray(part)) for part in batch.table))
        self.seats = Seats(*(cuda.to_device(np.asfortranarray(part)) for part in batch.seats))
        self.observation_size = observation_size(batch.plan)
        """The bytes of an observation."""
        self._luck = cuda.to_device(batch._luck)
        self._all = cuda.to_device(np.ones(batch.size, np.bool_))
        self._blocks = (batch.size + THREADS - 1) // THREADS
        seats = batch.size, batch.plan.players
        self._over = Shared(cuda.device_array(batch.size, np.bool_), _wait_for_us)
        self._choices = Shared(cuda.device_array(seats, np.uint8), _wait_for_us)
        self._legal = Shared(cuda.device_array((*seats, CHOICES), np.uint8), _wait_for_us)
        self._seen = Shared(cuda.device_array((*seats, self.observation_size), np.uint8), _wait_for_us)

    def reset(self, seeds: Any = None, where: Any = None) -> None:
        """Start every game anew, or those of a mask (bool [B]), each from its own seed (uint64 [B]).

        Without seeds each game goes on in the stream that its deals have come from so far.
        """
        mask, sow = self._all if where is None else _there(where), seeds is not None
        given = _there(seeds) if sow else self._luck
        start_games_on_device[self._blocks, THREADS](self.plan, self.table, self.seats, given, mask, sow)
        if sow:
            sow_luck_on_device[self._blocks, THREADS](given, mask, self._luck)

    def next_round(self, where: Any = None) -> None:
        """Deal the next round to all games, or to those of a mask (bool [B]); scores stay."""
        mask = self._all if where is None else _there(where)
        start_rounds_on_device[self._blocks, THREADS](self.plan, self.table, self.seats, mask)

    def step(self, choices: Any, *, check: bool = True) -> None:
        """Answer every open question, as `Batch.step`; without `check` the choices must be legal.

        Checking is the one thing here that the host waits for: it reads one number back.
        """
        given = _there(choices)
        if check:
            worst = cuda.to_device(np.array([np.iinfo(np.int64).max]))
            find_illegal_on_device[self._blocks, THREADS](self.plan, self.table, self.seats, given, worst)
            first = int(worst.copy_to_host()[0])
            if first < self.size * self.plan.players:
                game, seat = divmod(first, self.plan.players)
                raise BadChoice(f"Seat {seat} of game {game} cannot make that choice now.")
        step_games_on_device[self._blocks, THREADS](self.plan, self.table, self.seats, given, self.asks)

    def observe(self) -> Shared:
        """Return uint8 [B, n, observation_size]: what every seat may know, as `Batch.observe_into`."""
        self.observe_into(self._seen)
        return self._seen

    def observe_into(self, buffer: Any) -> None:
        """Write what every seat may know into bytes on the device, of anybody's."""
        out, size = self._room(buffer, self.observation_size), self.observation_size
        blocks = (self.size * self.plan.players + WRITERS - 1) // WRITERS
        describe_on_device[blocks, WRITERS, 0, WRITERS * size](self.plan, self.table, self.seats, size, out)

    def legal(self) -> Shared:
        """Return uint8 [B, n, CHOICES]: what every seat may do, as `Batch.legal_into`."""
        self.legal_into(self._legal)
        return self._legal

    def legal_into(self, mask: Any) -> None:
        """Write what every seat may do into bytes on the device, of anybody's."""
        out = self._room(mask, CHOICES)
        blocks = (self.size * self.plan.players + WRITERS - 1) // WRITERS
        mask_on_device[blocks, WRITERS, 0, WRITERS * CHOICES](self.plan, self.table, self.seats, out)

    def _room(self, buffer: Any, size: int) -> Any:
        """Return a contiguous buffer on the device as flat bytes."""
        array = cuda.as_cuda_array(buffer)
        shape = (self.size, self.plan.players, size)
        if array.shape != shape or array.dtype.itemsize != 1 or not array.is_c_contiguous():
            raise FastError(f"The buffer must be {shape} bytes on the device, contiguous.")
        return array.view(np.uint8).reshape(array.size)

    def random_choices(self) -> Shared:
        """Return uint8 [B, n]: choices drawn from the legal ones, the same as a `Batch` would draw."""
        choose_at_random_on_device[self._blocks, THREADS](
            self.plan, self.table, self.seats, self._luck, self._choices.array
        )
        return self._choices

    @property
    def over(self) -> Shared:
        """[B] of bool: whether the round is played out; `reset(where=batch.over)` starts those games anew."""
        find_over_on_device[self._blocks, THREADS](self.seats, self._over.array)
        return self._over

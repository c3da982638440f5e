"""Many games at once on a device."""

from typing import Any, ClassVar, Self, cast

import numpy as np

from bullpen.fast.batch import Batch
from bullpen.fast.chance import GAMMA, U, mixed, stream
from bullpen.fast.compiled import Array, Int
from bullpen.fast.cuda.driver import blocks_for, cuda, kernel, side_by_side, there, wait_for_us
from bullpen.fast.errors import BadChoice, FastError
from bullpen.fast.games import Plan
from bullpen.fast.observed import describe, may_do, observation_size
from bullpen.fast.rules import Table
from bullpen.fast.sharing import Shared
from bullpen.fast.simd.registers import THREADS
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

WRITERS = 64
"""Threads of a block that writes observations: the longest of them fit into its shared memory."""


@kernel
def start_games_on_device(plan: Plan, t: Table, s: Seats, seeds: Array, where: Array, sow: bool) -> None:
    """Start the games named by the mask anew, each from its own seed, or going on in its stream."""
    b = cuda.grid(1)
    if b < where.size and where[b]:
        if sow:
            s.states[b] = stream(seeds[b], U(0))
        start_game(plan, t, s, b)


@kernel
def sow_luck_on_device(seeds: Array, where: Array, luck: Array) -> None:
    """Give the games of a mask the stream that random choices come from."""
    b = cuda.grid(1)
    if b < where.size and where[b]:
        luck[b] = ~seeds[b]


@kernel
def start_rounds_on_device(plan: Plan, t: Table, s: Seats, where: Array) -> None:
    """Start the next round of the games named by the mask."""
    b = cuda.grid(1)
    if b < where.size and where[b]:
        start_round(plan, t, s, b)


@kernel
def find_illegal_on_device(plan: Plan, t: Table, s: Seats, choices: Array, worst: Array) -> None:
    """Lower worst[0] to game * players + seat of the first illegal choice."""
    b = cuda.grid(1)
    if b < choices.shape[0]:
        for seat in range(plan.players):
            if not is_legal(plan, t, s, b, seat, np.int64(choices[b, seat])):
                cuda.atomic.min(worst, 0, np.int64(b * plan.players + seat))


@kernel
def step_games_on_device(plan: Plan, t: Table, s: Seats, choices: Array, ask: bool) -> None:
    """Move every game on."""
    b = cuda.grid(1)
    if b < choices.shape[0]:
        step_game(plan, t, s, b, choices, ask)


@kernel
def choose_at_random_on_device(plan: Plan, t: Table, s: Seats, states: Array, choices: Array) -> None:
    """Choose uniformly among the legal choices of every seat; 0 where a seat is not asked."""
    b = cuda.grid(1)
    if b < choices.shape[0]:
        for seat in range(plan.players):
            states[b] += GAMMA
            choices[b, seat] = random_choice(plan, t, s, b, seat, mixed(states[b]))


@kernel
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


@kernel
def describe_on_device(plan: Plan, t: Table, s: Seats, size: int, out: Array) -> None:
    """Write what every seat may know, a thread a seat; `out` is flat."""
    rows = cuda.shared.array(0, np.uint8)
    at = cuda.threadIdx.x * size
    number = cuda.grid(1)
    if number * size < out.size:
        describe(plan, t, s, number // plan.players, number % plan.players, rows[at : at + size])
    hand_over(rows, size, out)


@kernel
def mask_on_device(plan: Plan, t: Table, s: Seats, out: Array) -> None:
    """Write what every seat may do, a thread a seat; `out` is flat."""
    rows = cuda.shared.array(0, np.uint8)
    at = cuda.threadIdx.x * CHOICES
    number = cuda.grid(1)
    if number * CHOICES < out.size:
        may_do(plan, t, s, number // plan.players, number % plan.players, rows[at : at + CHOICES])
    hand_over(rows, CHOICES, out)


class DeviceBatch:
    """B games on the device, in which nothing needs to leave it from one step to the next.

    What the methods return lies on the device, contiguous, and is the same memory in every step; torch,
    JAX and CuPy read it there through the CUDA array interface or DLPack (`Shared`). What they are given
    may be any array that speaks the CUDA array interface; arrays of NumPy are copied to the device first.
    The arrays of `table` and `seats` are those of `Batch`, as device arrays with the game as last axis in
    memory: `torch.as_tensor(batch.table.points, device="cuda")`.
    """

    others: ClassVar[dict[type[Batch], type["DeviceBatch"]]] = {}
    """The batches of games with a course of their own, by what they are copies of."""

    def __new__(cls, batch: Batch) -> Self:
        """Return a batch of the kind that the game needs."""
        return cast(Self, super().__new__(cls.others.get(type(batch), cls)))

    def __init__(self, batch: Batch) -> None:
        self.plan = batch.plan
        self.size = batch.size
        self.asks = batch.asks
        self._luck = cuda.to_device(batch._luck)
        self._all = cuda.to_device(np.ones(batch.size, np.bool_))
        self._blocks = blocks_for(batch.size)
        self._over = self._shared(np.bool_)
        self._lay_out(batch)

    def _lay_out(self, batch: Any) -> None:
        """Copy the games, and make room for what is told of them."""
        self.table = Table(*map(side_by_side, batch.table))
        self.seats = Seats(*map(side_by_side, batch.seats))
        self.observation_size = observation_size(self.plan)
        """The bytes of an observation."""
        self._choices = self._shared(np.uint8, self.plan.players)
        self._legal = self._shared(np.uint8, self.plan.players, CHOICES)
        self._seen = self._shared(np.uint8, self.plan.players, self.observation_size)

    def _shared(self, kind: Any, *shape: int) -> Shared:
        return Shared(cuda.device_array((self.size, *shape), kind), wait_for_us)

    def reset(self, seeds: Any = None, where: Any = None) -> None:
        """Start every game anew, or those of a mask (bool [B]), each from its own seed (uint64 [B]).

        Without seeds each game goes on in the stream that its deals have come from so far.
        """
        mask, sow = self._all if where is None else there(where), seeds is not None
        given = there(seeds) if sow else self._luck
        self._start(given, mask, sow)
        if sow:
            sow_luck_on_device[self._blocks, THREADS](given, mask, self._luck)

    def _start(self, seeds: Any, mask: Any, sow: bool) -> None:
        start_games_on_device[self._blocks, THREADS](self.plan, self.table, self.seats, seeds, mask, sow)

    def next_round(self, where: Any = None) -> None:
        """Deal the next round to all games, or to those of a mask (bool [B]); scores stay."""
        self._deal(self._all if where is None else there(where))

    def _deal(self, mask: Any) -> None:
        start_rounds_on_device[self._blocks, THREADS](self.plan, self.table, self.seats, mask)

    def step(self, choices: Any, *, check: bool = True) -> None:
        """Answer every open question, as `Batch.step`; without `check` the choices must be legal.

        Checking is the one thing here that the host waits for: it reads one number back.
        """
        given = there(choices)
        if check:
            worst = cuda.to_device(np.array([np.iinfo(np.int64).max]))
            self._find_illegal(given, worst)
            first = int(worst.copy_to_host()[0])
            if first < self.size * self.plan.players:
                game, seat = divmod(first, self.plan.players)
                raise BadChoice(f"Seat {seat} of game {game} cannot make that choice now.")
        self._go_on(given)

    def _find_illegal(self, choices: Any, worst: Any) -> None:
        find_illegal_on_device[self._blocks, THREADS](self.plan, self.table, self.seats, choices, worst)

    def _go_on(self, choices: Any) -> None:
        step_games_on_device[self._blocks, THREADS](self.plan, self.table, self.seats, choices, self.asks)

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

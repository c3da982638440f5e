"""Games with a course of their own on a device: many at once, and whole rounds."""

from typing import Any

import numpy as np

from bullpen.fast.chance import U, stream
from bullpen.fast.compiled import Array
from bullpen.fast.cuda.batch import DeviceBatch
from bullpen.fast.cuda.driver import blocks_for, cuda, kernel, side_by_side
from bullpen.fast.errors import NotCovered
from bullpen.fast.games import CODES
from bullpen.fast.policies import Minds
from bullpen.fast.sharing import Shared
from bullpen.fast.simd.registers import THREADS
from bullpen.fast.twins.batch import TwinBatch
from bullpen.fast.twins.course import (
    answer,
    choose,
    is_legal,
    list_game,
    pick_in_game,
    start_at,
    step_game,
)
from bullpen.fast.twins.state import State, by_themselves, is_asked
from bullpen.fast.twins.twin import Twin

BOARDS = ("board-basic", "board-basic-luck", "board-expert", "board-expert-luck")
PLAYED = ("tournament", "open", "nifty", "hand", "double", *BOARDS)
"""The games that have been held against the CPU (`benchmarks/fast.py --only device`)."""
ABREAST = 1 << 16
"""Games that lie on the device while whole rounds are played."""


def check_played(game: str) -> None:
    """Refuse a game that is not played on a device."""
    if game not in PLAYED:
        raise NotCovered(f"{game!r} is not played on a device; there are {', '.join((*CODES, *PLAYED))}.")


@kernel
def start_twins(plan: Any, s: State, seeds: Array, where: Array, game: bool, sow: bool) -> None:
    """Start the games of a mask anew, each from its own seed or in its stream; or their next round."""
    b = cuda.grid(1)
    if b < where.size and where[b]:
        if sow:
            s.states[b] = stream(seeds[b], U(0))
        start_at(plan, s, b, game)


@kernel
def find_illegal_twins(plan: Any, s: State, choices: Array, options: Array, worst: Array) -> None:
    """Lower worst[0] to game * players + seat of the first illegal choice."""
    b = cuda.grid(1)
    if b < choices.shape[0]:
        for seat in range(plan.players):
            if not is_legal(plan, s, b, seat, np.int64(choices[b, seat]), options[b, seat]):
                cuda.atomic.min(worst, 0, np.int64(b * plan.players + seat))


@kernel
def step_twins(plan: Any, s: State, choices: Array, answers: Array, ask: bool) -> None:
    """Move every game on; `answers` is room for the choices, and for those that nobody was asked for."""
    b = cuda.grid(1)
    if b < choices.shape[0]:
        for seat in range(plan.players):
            answers[b, seat] = choices[b, seat]
        step_game(plan, s, b, answers, ask)


@kernel
def list_twins(plan: Any, s: State, numbers: Array, counts: Array) -> None:
    """List the answers of every seat of every game."""
    b = cuda.grid(1)
    if b < counts.shape[0]:
        list_game(plan, s, b, numbers, counts)


@kernel
def pick_twins(numbers: Array, counts: Array, states: Array, choices: Array) -> None:
    """Choose uniformly among the listed answers of every seat of every game."""
    b = cuda.grid(1)
    if b < counts.shape[0]:
        pick_in_game(b, numbers, counts, states, choices)


@kernel
def find_over_twins(s: State, over: Array) -> None:
    """Note which rounds are played out."""
    b = cuda.grid(1)
    if b < over.size:
        over[b] = s.asked[b] == 0


@kernel
def add_up_last(parts: Array, sums: Array) -> None:
    """Add up along the last of three axes."""
    b = cuda.grid(1)
    if b < sums.shape[0]:
        for seat in range(sums.shape[1]):
            total = U(0)
            for i in range(parts.shape[2]):
                total += U(parts[b, seat, i])
            sums[b, seat] = total


class TwinDeviceBatch(DeviceBatch):
    """B games with a course of their own on the device; `DeviceBatch(batch)` makes one where due.

    Its arrays are those of `state`, on boards also those of their records, and there is one game more in
    them than are played.
    """

    def _lay_out(self, batch: TwinBatch) -> None:
        check_played(batch.game)
        self.twin, self.room = batch.twin, batch.room
        self._plan, self.state = plan_on_device(batch.plan), on_device(batch.state)
        players = self.plan.players
        self._choices = self._shared(np.uint16, players)
        self._answers = cuda.device_array((self.size, players), np.uint16)
        self._numbers = self._shared(np.uint16, players, self.room.options)
        self._counts = self._shared(np.int64, players)

    def _start(self, seeds: Any, mask: Any, sow: bool) -> None:
        start_twins[self._blocks, THREADS](self._plan, self.state, seeds, mask, True, sow)

    def _deal(self, mask: Any) -> None:
        start_twins[self._blocks, THREADS](self._plan, self.state, self._luck, mask, False, False)

    def _find_illegal(self, choices: Any, worst: Any) -> None:
        options = self._numbers.array
        find_illegal_twins[self._blocks, THREADS](self._plan, self.state, choices, options, worst)

    def _go_on(self, choices: Any) -> None:
        step_twins[self._blocks, THREADS](self._plan, self.state, choices, self._answers, self.asks)

    def options(self) -> tuple[Shared, Shared]:
        """Return uint16 [B, n, most]: the choices that answer a question; and [B, n]: how many there are."""
        numbers, counts = self._numbers, self._counts
        list_twins[self._blocks, THREADS](self._plan, self.state, numbers.array, counts.array)
        return numbers, counts

    def random_choices(self) -> Shared:
        """Return uint16 [B, n]: choices drawn from the legal ones, the same as a `Batch` would draw."""
        numbers, counts = self.options()
        pick_twins[self._blocks, THREADS](numbers.array, counts.array, self._luck, self._choices.array)
        return self._choices

    def seen(self, seat: int) -> dict[str, Any]:
        """Return what a seat may know of every game, by name: the arrays of the state, and its own hand."""
        return self.twin.seen(self.state, seat, self.size, add_up_on_device)

    def observe(self) -> Shared:
        """Refuse: bytes are written for the games of one card a trick."""
        raise self._no_bytes()

    def observe_into(self, buffer: Any) -> None:
        """Refuse, as `observe`."""
        raise self._no_bytes()

    def legal(self) -> Shared:
        """Refuse: choices of sixteen bits are listed by `options`."""
        raise self._no_bytes()

    def legal_into(self, mask: Any) -> None:
        """Refuse, as `legal`."""
        raise self._no_bytes()

    def _no_bytes(self) -> NotCovered:
        game = self.twin.game
        return NotCovered(
            f"Observations and masks as bytes are not made for {game}; use `seen` and `options`."
        )

    @property
    def over(self) -> Shared:
        """[B] of bool: whether the round is played out."""
        find_over_twins[self._blocks, THREADS](self.state, self._over.array)
        return self._over


DeviceBatch.others[TwinBatch] = TwinDeviceBatch


def on_device(state: State) -> Any:
    """Return a state with its arrays on the device, each by itself."""
    return by_themselves(state, side_by_side)


def plan_on_device(plan: Any) -> Any:
    """Return a plan whose arrays, if it has any, lie on the device: else every launch would copy them."""
    return type(plan)(*(cuda.to_device(part) if isinstance(part, np.ndarray) else part for part in plan))


def add_up_on_device(parts: Any) -> Any:
    """Return the sums along the last of three axes, on the device."""
    games, seats, _ = parts.shape
    sums = cuda.device_array((games, seats), np.uint64)
    add_up_last[blocks_for(games), THREADS](parts, sums)
    return sums


# Whole rounds.


@kernel
def twin_rounds(  # noqa: PLR0913, PLR0917  a kernel is told everything at once
    plan: Any, minds: Minds, s: State, numbers: Array, choices: Array, count: int, seed: int, total: Array
) -> None:
    """Play rounds of random seats, a thread a round."""
    sums = cuda.local.array((2, 10), np.int64)
    b = cuda.grid(1)
    for seat in range(plan.players):
        sums[0, seat] = sums[1, seat] = 0
    for number in range(b, count, cuda.gridsize(1)):
        s.states[b] = stream(seed, U(number))
        start_at(plan, s, b, True)
        while s.asked[b]:
            for seat in range(plan.players):
                if is_asked(s, b, seat):
                    kind, weights = minds.kinds[0, seat], minds.weights[seat]
                    choices[b, seat] = choose(plan, s, b, seat, kind, weights, None, numbers[b])
            answer(plan, s, b, choices)
        for seat in range(plan.players):
            points = np.int64(s.points[b, seat])
            sums[0, seat] += points
            sums[1, seat] += points * points
    for seat in range(plan.players):
        cuda.atomic.add(total, (0, seat), U(sums[0, seat]))
        cuda.atomic.add(total, (1, seat), U(sums[1, seat]))


def launch_twin_rounds(twin: Twin, plan: Any, minds: Minds, rounds: int, seed: int, total: Any) -> None:
    """Start the kernel that plays these rounds and adds to `total` ([2, n]: sums and squares)."""
    check_played(twin.game)
    blocks = blocks_for(min(rounds, ABREAST))
    games = blocks * THREADS
    there, state = plan_on_device(plan), on_device(twin.new_state(plan, games))
    ours = Minds(*(cuda.to_device(part) for part in minds))
    numbers = cuda.device_array((games, twin.room(plan).options), np.uint16, order="F")
    choices = cuda.device_array((games, plan.players), np.uint16, order="F")
    twin_rounds[blocks, THREADS](there, ours, state, numbers, choices, rounds, np.uint64(seed), total)

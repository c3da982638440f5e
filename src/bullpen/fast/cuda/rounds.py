"""Many whole rounds on a device, for statistics."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import OptionValue
from bullpen.fast.chance import U, stream
from bullpen.fast.compiled import Array, Int
from bullpen.fast.cuda.driver import blocks_for, cuda, kernel
from bullpen.fast.cuda.twins import launch_twin_rounds
from bullpen.fast.errors import FastError
from bullpen.fast.games import Plan, plan_for
from bullpen.fast.policies import Minds, minds_of, no_policy
from bullpen.fast.rollout import MOST, Scratch, Sums, add_up, deal_round, play_round
from bullpen.fast.rules import Table
from bullpen.fast.simd.registers import SHIFT, THREADS, bills_of, fresh_cells, play_cells
from bullpen.fast.simulate import Statistics, in_lockstep
from bullpen.fast.twins.games import TWINS
from bullpen.rulesets import find, make

WAVES = 4
"""Blocks for each that fits on the device at a time: where one ends early another begins."""
MOST_A_THREAD = 1 << 17
"""Rounds of a thread in one launch: there are 171 bullheads, and so many squares fit into 32 bits."""
ROUNDS_A_THREAD = 32
MOST_BLOCKS = 1 << 16
SIGNATURE = "void(int64, int64, uint64, uint64[:, ::1])"


class Lanes(NamedTuple):
    """The kernel of base placement for a plan, and what fills the device with it."""

    kernel: Any
    blocks: int
    memory: int
    """The bytes that a block shares."""


@cache
def lanes_for(plan: Plan) -> Lanes:
    """Compile the kernel of base placement for a plan: a thread a round, which lives in its registers."""
    players, seats, deck = plan.players, tuple(range(plan.players)), fresh_cells(plan.size)

    def lane_rounds(first: Int, count: Int, seed: Int, total: Array) -> None:
        # Both are the same memory, whose size is told when the kernel is launched.
        cells = cuda.shared.array(0, np.uint32)
        cards = cuda.shared.array(0, np.uint16)
        sums = cuda.local.array((2, players), np.uint32)
        thread = U(cuda.threadIdx.x)
        bills = bills_of(seats, U(deck.size), thread)
        for seat in range(players):
            sums[0, seat] = sums[1, seat] = 0
            cells[bills[seat]] = 0
        for number in range(cuda.grid(1), count, cuda.gridsize(1)):
            play_cells(plan, deck, cells, cards, thread, bills, stream(seed, U(first + number)))
            for seat in range(players):
                points = cells[bills[seat]] >> SHIFT
                cells[bills[seat]] = 0
                sums[0, seat] += points
                sums[1, seat] += points * points
        for seat in range(players):
            cuda.atomic.add(total, (0, seat), U(sums[0, seat]))
            cuda.atomic.add(total, (1, seat), U(sums[1, seat]))

    compiled = cuda.jit(SIGNATURE)(lane_rounds)
    (overload,) = compiled.overloads.values()
    memory = 4 * THREADS * (deck.size + players)
    return Lanes(compiled, WAVES * overload.max_cooperative_grid_blocks(THREADS, memory), memory)


@kernel
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

    `plain` uses the loop that all games of one card a trick share where there is a faster one.
    """
    if rounds < 1:
        raise FastError("simulate needs at least one round.")
    minds, _ = minds_of("random", players)
    total = cuda.to_device(np.zeros((2, players), np.uint64))
    if find(game).id in TWINS:
        twin = TWINS[find(game).id]
        launch_twin_rounds(twin, twin.plan_of(make(game, players, options)), minds, rounds, seed, total)
    else:
        launch_rounds(plan_for(game, players, options), minds, rounds, seed, total, plain=plain)
    figures = cast(NDArray[np.uint64], total.copy_to_host()).astype(np.int64)
    return Statistics(rounds, figures[0], figures[1])


def launch_rounds(
    plan: Plan, minds: Minds, rounds: int, seed: int, total: Any, *, plain: bool = False
) -> None:
    """Start the kernel that plays these rounds and adds to `total` ([2, n]: sums and squares)."""
    if plain or not in_lockstep(plan, minds):
        ours = Minds(*(cuda.to_device(part) for part in minds))
        blocks = min(blocks_for(rounds // ROUNDS_A_THREAD + 1), MOST_BLOCKS)
        plain_rounds[blocks, THREADS](plan, ours, 0, rounds, np.uint64(seed), total)
        return
    lanes = lanes_for(plan)
    blocks = min(blocks_for(rounds), lanes.blocks)
    most = blocks * THREADS * MOST_A_THREAD
    for first in range(0, rounds, most):
        count = min(rounds - first, most)
        lanes.kernel[blocks, THREADS, 0, lanes.memory](first, count, np.uint64(seed), total)

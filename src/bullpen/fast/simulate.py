"""simulate: many whole rounds, for statistics."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.batch import empty_table
from bullpen.fast.errors import FastError
from bullpen.fast.games import Plan
from bullpen.fast.policies import RANDOM, Minds, Policy, minds_of
from bullpen.fast.rollout import MOST, Job, Scratch, Sums, new_sums, simulate_plain
from bullpen.fast.rules import BASE
from bullpen.fast.simd.lockstep import CARD_WORDS, LANES, Lot, new_lanes, roll_lockstep
from bullpen.fast.trick import NO_FLIP

CHUNK = 2048 * int(LANES)
"""Rounds that a thread plays before it takes the next job."""


@dataclass(frozen=True)
class Statistics:
    """What many rounds cost each seat."""

    rounds: int
    total: NDArray[np.int64]
    squares: NDArray[np.int64]

    @property
    def mean(self) -> NDArray[np.float64]:
        """Bullheads a round, by seat."""
        return self.total / self.rounds

    @property
    def error(self) -> NDArray[np.float64]:
        """Standard error of the mean, by seat."""
        variance = self.squares / self.rounds - self.mean**2
        return np.sqrt(variance / self.rounds)


def new_scratch(players: int) -> Scratch:
    """Return working memory for one thread."""
    return Scratch(
        table=empty_table(1, players, log=0),
        hands=np.zeros((2, players, MOST), np.uint8),
        left=np.zeros((2, players), np.int64),
        flips=np.zeros(players, np.uint8),
        plays=np.zeros((1, players), np.int32),
        deck=np.zeros(104, np.uint8),
        drawn=np.zeros(104, np.uint8),
        shown=np.zeros(2, np.uint64),
        states=np.zeros(1, np.uint64),
    )


def in_lockstep(plan: Plan, minds: Minds) -> bool:
    """Whether the vectorised loop plays this: base placement, no flip cards, every seat random."""
    return plan.code == BASE and plan.digits == NO_FLIP and bool((minds.kinds == RANDOM).all())


def whole_round(plan: Plan) -> Lot:
    """Return the lot that deals whole rounds."""
    n, cards = plan.players, plan.players * plan.tricks + 4
    return Lot(
        pool=CARD_WORDS[1 : plan.size + 1].copy(),
        pool_slots=np.arange(cards),
        piles=np.zeros((1, 0, MOST), np.uint16),
        pile_slots=np.zeros((1, 0, MOST), np.int64),
        pile_sizes=np.zeros((1, 0), np.int64),
        fixed=np.zeros((1, n), np.uint16),
        tables=empty_table(0, n, log=0),
        tricks=plan.tricks,
    )


def _worker(plan: Plan, minds: Minds, policy: Callable[..., int], plain: bool) -> Callable[[Job], Sums]:
    """Return a function that plays a job; every call has memory of its own."""
    if plain or not in_lockstep(plan, minds):

        def play(job: Job) -> Sums:
            sums = new_sums(1, plan.players)
            nothing = np.zeros(plan.players, np.uint8)
            simulate_plain(plan, minds, policy, new_scratch(plan.players), job, nothing, sums)
            return sums

        return play
    lot = whole_round(plan)

    def play_in_lockstep(job: Job) -> Sums:
        players = plan.players
        sums = new_sums(1, players)
        roll_lockstep(plan, tuple(range(players)), lot, job, new_lanes(), sums)
        return sums

    return play_in_lockstep


def whole_tricks(plan: Plan, policies: Policy | Sequence[Policy], plain: bool) -> Callable[[Job], Sums]:
    """Return a function that plays a job of a game of one card a trick."""
    minds, policy = minds_of(policies, plan.players)
    return _worker(plan, minds, policy, plain)


def play_jobs(play: Callable[[Job], Sums], rounds: int, seed: int, threads: int) -> Statistics:
    """Cut rounds into jobs, let them be played, and return what they cost each seat."""
    if rounds < 1 or threads < 1:
        raise FastError("simulate needs at least one round and one thread.")
    jobs = [Job(first, min(CHUNK, rounds - first), np.uint64(seed)) for first in range(0, rounds, CHUNK)]
    if threads == 1:
        parts = [play(job) for job in jobs]
    else:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(play, jobs))
    total = np.sum([part.total[0] for part in parts], axis=0)
    squares = np.sum([part.squares[0] for part in parts], axis=0)
    return Statistics(rounds, total, squares)

"""Playouts and whole rounds of a game with a course of its own."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.errors import BadChoice
from bullpen.fast.policies import Policy, minds_of, no_policy
from bullpen.fast.rollout import Job, Sums, new_sums
from bullpen.fast.twins.course import Hidden, Memory, list_games, roll
from bullpen.fast.twins.starts import TwinStart
from bullpen.fast.twins.twin import Twin


def twin_minds(policies: Policy | Sequence[Policy], players: int) -> tuple[Any, Callable[..., int] | None]:
    """Return the policies of all seats, and the function among them."""
    minds, policy = minds_of(policies, players)
    return minds, None if policy is no_policy else policy


def new_memory(twin: Twin, plan: Any, pool: int = 0) -> Memory:
    """Return working memory for one thread."""
    return Memory(
        state=twin.new_state(plan, 1),
        choices=np.zeros((2, plan.players), np.uint16),
        options=np.zeros(twin.room(plan).options, np.uint16),
        deck=np.zeros(pool, np.uint8),
    )


def whole_rounds(twin: Twin, plan: Any, policies: Policy | Sequence[Policy]) -> Callable[[Job], Sums]:
    """Return a function that deals and plays the rounds of a job; every call has memory of its own."""
    minds, policy = twin_minds(policies, plan.players)
    nothing = Hidden(np.zeros(0, np.uint8), np.zeros(plan.players, np.int64))
    fixed = np.zeros((0, plan.players), np.uint16)

    def play(job: Job) -> Sums:
        sums, memory = new_sums(1, plan.players), new_memory(twin, plan)
        roll(plan, minds, policy, memory, twin.new_state(plan, 1), nothing, fixed, job, sums)
        return sums

    return play


class Rolls:
    """Plays out from one start, for each of some choices; keeps its memory."""

    def __init__(self, start: TwinStart, choices: Sequence[int], policies: Policy | Sequence[Policy]) -> None:
        self.start = start
        self.minds, self.policy = twin_minds(policies, start.plan.players)
        self.fixed = _fixed(start, choices)
        self.memory = new_memory(start.twin, start.plan, start.hidden.pool.size)

    def run(self, job: Job, sums: Sums) -> None:
        """Play these rounds for every candidate and add them up."""
        start = self.start
        roll(
            start.plan, self.minds, self.policy, self.memory, start.state, start.hidden, self.fixed, job, sums
        )


def _fixed(start: TwinStart, choices: Sequence[int]) -> NDArray[np.uint16]:
    """Return the answers that are given for each candidate, or raise a sentence."""
    fixed = np.tile(start.committed, (len(choices), 1))
    legal = set(_legal(start))
    for c, choice in enumerate(choices):
        if choice == 0:
            continue
        if start.seat < 0:
            raise BadChoice("Choices can be compared for a seat only: name it when converting the position.")
        if choice not in legal:
            raise BadChoice(f"Seat {start.seat} cannot choose {choice} now.")
        fixed[c, start.seat] = choice
    return fixed


def _legal(start: TwinStart) -> list[int]:
    """Return what the seat may choose; nothing if it has chosen already."""
    if start.seat < 0 or start.committed[start.seat]:
        return []
    most = start.twin.room(start.plan).options
    numbers = np.zeros((1, start.plan.players, most), np.uint16)
    counts = np.zeros((1, start.plan.players), np.int64)
    list_games(start.plan, start.state, numbers, counts)
    legal: list[int] = numbers[0, start.seat, : counts[0, start.seat]].tolist()
    return legal

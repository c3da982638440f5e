# ruff: noqa: ARG001, PLW0108  what is compiled by types must take every argument of its stub
"""Compiled search by a heuristic or a network: imagine what is hidden, play on, compare.

All candidates are tried in the same imagined worlds, in which the others answer the open question alike,
and the worse half of them is dropped again and again. The number of playouts is fixed. What options bring and
how seats answer is said by a game's guide, which a kernel finds by the type of the game's plan.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, piece, slow_kernel
from bullpen.bots.registry import Mind
from bullpen.engine import Ask, Choice, View
from bullpen.fast import from_view, number_of
from bullpen.fast.chance import GAMMA, U, mixed, stream
from bullpen.fast.compiled import Int, piece_by_types
from bullpen.fast.twins.course import Hidden, Memory, answer, imagine
from bullpen.fast.twins.rounds import new_memory
from bullpen.fast.twins.starts import TwinStart
from bullpen.fast.twins.state import CARD, State, is_asked


class Effort(NamedTuple):
    """How hard to think."""

    candidates: int
    """How many options are looked at, those that the guide finds best."""
    playouts: int
    """How many games are played on in mind, over all candidates, if four players hold twelve cards each."""
    ahead: int
    """How many tricks are played on."""
    stray: float
    """How often anybody answers anything."""
    prior: float
    """How many playouts the guide's own opinion is worth."""
    rivals: float = 1.5
    """What the others' scores count: their sum is divided by their number to this power."""
    worlds: int = 3000
    """How many worlds are enough at each stage, where there is little to choose from."""


CHUNK = 16
"""Worlds between two looks at the clock."""


class Guide(NamedTuple):
    """What a game's heuristic or network says, in compiled code, and the working memory that it needs."""

    new_eyes: Callable[[TwinStart], Any]
    """Return what the seats look things up in, for a question."""
    note: Callable[..., None]
    """Note what all seats will look at, when cards are asked for: (plan, state, eyes)."""
    answer_of: Callable[..., int]
    """Return what a seat answers: (plan, state, seat, eyes, options, stray, word)."""
    weigh: Callable[..., None]
    """Note what each option brings: (plan, state, seat, eyes, options, gains)."""
    worth: Callable[..., float]
    """Return how a seat stands: (plan, state, seat, rivals)."""


GUIDES: dict[type, Guide] = {}
"""The guides by the type of the games' plans."""


def note(plan: Any, s: Any, eyes: Any) -> None:
    """Note what all seats will look at."""


def answer_of(plan: Any, s: Any, seat: Int, eyes: Any, options: Array, stray: float, word: Int) -> Int:
    """Return what a seat answers."""


def weigh(plan: Any, s: Any, seat: Int, eyes: Any, options: Array, gains: Array) -> None:
    """Note what each option brings by the heuristic alone."""


def worth(plan: Any, s: Any, seat: Int, rivals: float) -> float:  # type: ignore[empty-body]
    """Return how a seat stands."""


@piece_by_types(note)
def note_by(plan: Any, s: Any, eyes: Any) -> Any:
    """Return the function of the plan's game."""
    own = GUIDES[plan.instance_class].note
    return lambda plan, s, eyes: own(plan, s, eyes)


@piece_by_types(answer_of)
def answer_by(plan: Any, s: Any, seat: Any, eyes: Any, options: Any, stray: Any, word: Any) -> Any:
    """Return the function of the plan's game."""
    own = GUIDES[plan.instance_class].answer_of
    return lambda plan, s, seat, eyes, options, stray, word: own(plan, s, seat, eyes, options, stray, word)


@piece_by_types(weigh)
def weigh_by(plan: Any, s: Any, seat: Any, eyes: Any, options: Any, gains: Any) -> Any:
    """Return the function of the plan's game."""
    own = GUIDES[plan.instance_class].weigh
    return lambda plan, s, seat, eyes, options, gains: own(plan, s, seat, eyes, options, gains)


@piece_by_types(worth)
def worth_by(plan: Any, s: Any, seat: Any, rivals: Any) -> Any:
    """Return the function of the plan's game."""
    own = GUIDES[plan.instance_class].worth
    return lambda plan, s, seat, rivals: own(plan, s, seat, rivals)


class Desk(NamedTuple):
    """Where a decision is played out."""

    root: State
    hidden: Hidden
    world: Memory
    """The table with the hidden cards imagined."""
    trial: Memory
    """The same, to play on."""
    eyes: Any
    """What the game's guide looks things up in, and notes down."""
    seat: int


class Job(NamedTuple):
    """Which worlds to try, how far to play on, and how."""

    first: int
    last: int
    seed: np.uint64
    last_trick: int
    stray: float
    rivals: float


@piece
def copy_game(origin: State, copy: State) -> None:
    """Lay the same game out."""
    for word in range(origin.memory.shape[1]):
        copy.memory[0, word] = origin.memory[0, word]


@piece
def open_world(plan: Any, desk: Desk, seed: np.uint64, number: int) -> None:
    """Imagine what is hidden."""
    copy_game(desk.root, desk.world.state)
    desk.world.state.states[0] = stream(seed, U(number))
    imagine(plan, desk.hidden, desk.world)


@piece
def answer_alike(plan: Any, s: Any, desk: Desk, x: Memory, job: Job, chance: Int, besides: Int) -> None:
    """Let all seats that are asked answer, but one; chance hangs on the seat and the trick only."""
    if s.kind[0] == CARD:
        note(plan, s, desk.eyes)
    for seat in range(plan.players):
        if seat != besides and is_asked(s, 0, seat):
            word = mixed(chance + GAMMA * U(s.trick[0] << 3 | seat))
            x.choices[0, seat] = answer_of(plan, s, seat, desk.eyes, x.options, job.stray, word)


@piece
def play_on(plan: Any, desk: Desk, job: Job, chance: Int) -> None:
    """Go on with the choices that are laid out, then let everybody answer, for as many tricks as are due."""
    s, x = desk.trial.state.games[0], desk.trial
    going = True
    while going:
        answer(plan, s, 0, x.choices)
        going = s.asked[0] and s.trick[0] <= job.last_trick
        if going:
            answer_alike(plan, s, desk, x, job, chance, -1)


@slow_kernel(12)
def try_out(plan: Any, desk: Desk, candidates: Array, job: Job, sums: Array) -> None:
    """Add up what each candidate comes to in these worlds."""
    for number in range(job.first, job.last):
        open_world(plan, desk, job.seed, number)
        chance = stream(job.seed, U(number)) ^ GAMMA
        answer_alike(plan, desk.world.state.games[0], desk, desk.world, job, chance, desk.seat)
        for c in range(candidates.size):
            copy_game(desk.world.state, desk.trial.state)
            for seat in range(plan.players):
                desk.trial.choices[0, seat] = desk.world.choices[0, seat]
            desk.trial.choices[0, desk.seat] = candidates[c]
            play_on(plan, desk, job, chance)
            sums[c] += worth(plan, desk.trial.state.games[0], desk.seat, job.rivals)


@slow_kernel(3)
def weigh_options(plan: Any, desk: Desk, options: Array, seed: np.uint64, gains: Array) -> None:
    """Note what each option brings by the heuristic alone."""
    open_world(plan, desk, seed, 0)
    weigh(plan, desk.world.state.games[0], desk.seat, desk.eyes, options, gains)


class Inquiry:
    """A question under search."""

    def __init__(self, view: View, ask: Ask, mind: Mind, effort: Effort) -> None:
        start = from_view(view)
        assert isinstance(start, TwinStart)
        self.view, self.plan, self.mind, self.effort = view, start.plan, mind, effort
        world, trial = (new_memory(start.twin, start.plan, start.pool.size) for _ in range(2))
        eyes = GUIDES[type(start.plan)].new_eyes(start)
        self.desk = Desk(start.state, start.hidden, world, trial, eyes, start.seat)
        self.numbers = np.array(
            [number_of(option, view.position, view.game) for option in ask.options], np.uint16
        )
        self.gains = np.zeros(len(ask.options))
        weigh_options(self.plan, self.desk, self.numbers, np.uint64(mind.seed), self.gains)
        self.sums = np.zeros(len(ask.options))
        self.tried = 0

    @property
    def playouts(self) -> int:
        """How many games are played on in mind: about as long for every number of players and cards."""
        most = max(map(len, self.view.position.hands))
        return self.effort.playouts * 48 // (self.view.players * max(12, most))

    def best(self) -> int:
        """Return the place of the best option, the worse half of the candidates dropped again and again."""
        order = np.argsort(-self.gains, kind="stable")
        alive = order[: self.effort.candidates]
        stages = max(1, (len(alive) - 1).bit_length())
        for _ in range(stages):
            self.try_in_worlds(alive, min(self.effort.worlds, max(1, self.playouts // (stages * len(alive)))))
            marks = self.sums[alive] + self.effort.prior * self.gains[alive]
            alive = alive[np.argsort(-marks, kind="stable")]
            if self.mind.stop():
                break
            alive = alive[: (len(alive) + 1) // 2]
        return int(alive[0])

    def try_in_worlds(self, alive: Any, worlds: int) -> None:
        """Let candidates live through so many more worlds, fewer if there is no more time."""
        effort, players = self.effort, self.plan.players
        last_trick = int(self.desk.root.trick[0]) + effort.ahead - 1
        rivals = float((players - 1) ** effort.rivals)
        found = np.zeros(len(alive))
        end = self.tried + worlds
        while self.tried < end:
            last = min(self.tried + CHUNK, end)
            job = Job(self.tried, last, np.uint64(self.mind.seed), last_trick, effort.stray, rivals)
            try_out(self.plan, self.desk, self.numbers[alive], job, found)
            self.tried = last
            if self.mind.stop():
                break
        self.sums[alive] += found


def search(view: View, ask: Ask, mind: Mind, effort: Effort) -> Choice:
    """Return the option that does best in imagined worlds."""
    return ask.options[Inquiry(view, ask, mind, effort).best()]

"""Compiled search for the board games: imagine what is hidden, play on by the heuristic, compare.

All candidates are tried in the same imagined worlds, in which the others answer the open question alike,
and the worse half of them is dropped again and again. The number of playouts is fixed.
"""

from typing import Any, NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, piece, real, slow_kernel
from bullpen.bots.heuristics.boards import ACTION, LUCKY, TILE
from bullpen.bots.heuristics.compiled_boards import (
    Eyes,
    answer_of,
    choice_gain,
    new_eyes,
    note_hidden,
    weigh_tiles,
)
from bullpen.bots.registry import Mind
from bullpen.engine import Ask, Choice, View
from bullpen.fast import from_view, number_of
from bullpen.fast.chance import GAMMA, U, mixed, stream
from bullpen.fast.compiled import Int
from bullpen.fast.twins.board_state import LUCK, PLUS_FIVE, POSITIVE_OX
from bullpen.fast.twins.course import Hidden, Memory, answer, imagine
from bullpen.fast.twins.rounds import new_memory
from bullpen.fast.twins.starts import TwinStart
from bullpen.fast.twins.state import CARD, OVER, State, is_asked


class Effort(NamedTuple):
    """How hard to think."""

    candidates: int = 12
    """How many options are looked at, the best ones by the heuristic."""
    playouts: int = 3000
    """How many games are played on in mind, over all candidates, if four players have twelve tiles each."""
    ahead: int = 5
    """How many tricks are played on."""
    stray: float = 0.15
    """How often anybody answers anything."""
    prior: float = 3.0
    """How many playouts the heuristic's own opinion is worth."""
    rivals: float = 1.5
    """What the others' scores count: their sum is divided by their number to this power."""


EFFORT = Effort()
CHUNK = 16
"""Worlds between two looks at the clock."""


class Desk(NamedTuple):
    """Where a decision is played out."""

    root: State
    hidden: Hidden
    world: Memory
    """The table with the hidden cards imagined."""
    trial: Memory
    """The same, to play on."""
    eyes: Eyes
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
        note_hidden(plan, s, desk.eyes)
    for seat in range(plan.players):
        if seat != besides and is_asked(s, 0, seat):
            word = mixed(chance + GAMMA * U(s.trick[0] << 3 | seat))
            x.choices[0, seat] = answer_of(plan, s, seat, desk.eyes, x.options, job.stray, word)


@piece
def held_worth(s: Any, seat: Int, fewest: Int) -> float:
    """Return what the cards and tiles of a seat are worth while the game lasts."""
    actions = np.int64(0)
    for card in range(LUCK):
        actions += s.cards[0, seat, card]
    luck = np.int64(s.cards[0, seat, PLUS_FIVE]) + np.int64(s.cards[0, seat, POSITIVE_OX])
    return real(ACTION * actions + LUCKY * luck + TILE * (np.int64(s.held[0, seat]) - fewest))


@piece
def worth(plan: Any, s: Any, seat: Int, rivals: float) -> float:
    """Return how a seat stands: its score, less what the others' count."""
    fewest = np.int64(127)
    for other in range(plan.players):
        fewest = min(fewest, np.int64(s.held[0, other]))
    total = 0.0
    for other in range(plan.players):
        has = np.float64(s.scores[0, other])
        if s.kind[0] != OVER:
            has += held_worth(s, other, fewest)
        total += has if other == seat else -has / rivals
    return total


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
    s, seat = desk.world.state.games[0], desk.seat
    if s.kind[0] != CARD:
        for i in range(options.size):
            gains[i] = choice_gain(plan, s, seat, np.int64(options[i]))
        return
    note_hidden(plan, s, desk.eyes)
    weigh_tiles(plan, s, seat, desk.eyes)
    for i in range(options.size):
        low, high = np.int64(options[i]) >> 7, np.int64(options[i]) & 127
        gains[i] = 0.0
        for k in range(np.int64(s.held[0, seat])):
            if s.hands[0, seat, k] in (low, high):
                gains[i] += desk.eyes.gains[k]


class Inquiry:
    """A question of a board game under search."""

    def __init__(self, view: View, ask: Ask, mind: Mind, effort: Effort = EFFORT) -> None:
        start = from_view(view)
        assert isinstance(start, TwinStart)
        self.view, self.plan, self.mind, self.effort = view, start.plan, mind, effort
        world, trial = (new_memory(start.twin, start.plan, start.pool.size) for _ in range(2))
        self.desk = Desk(start.state, start.hidden, world, trial, new_eyes(), start.seat)
        self.numbers = np.array(
            [number_of(option, view.position, view.game) for option in ask.options], np.uint16
        )
        self.gains = np.zeros(len(ask.options))
        weigh_options(self.plan, self.desk, self.numbers, np.uint64(mind.seed), self.gains)
        self.sums = np.zeros(len(ask.options))
        self.tried = 0

    @property
    def playouts(self) -> int:
        """How many games are played on in mind: about as long for every number of players and tiles."""
        most = max(map(len, self.view.position.hands))
        return self.effort.playouts * 48 // (self.view.players * max(12, most))

    def best(self) -> int:
        """Return the place of the best option, the worse half of the candidates dropped again and again."""
        order = np.argsort(-self.gains, kind="stable")
        alive = order[: self.effort.candidates]
        stages = max(1, (len(alive) - 1).bit_length())
        for _ in range(stages):
            self._try(alive, max(1, self.playouts // (stages * len(alive))))
            marks = self.sums[alive] + self.effort.prior * self.gains[alive]
            alive = alive[np.argsort(-marks, kind="stable")]
            if self.mind.stop():
                break
            alive = alive[: (len(alive) + 1) // 2]
        return int(alive[0])

    def _try(self, alive: Any, worlds: int) -> None:
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


def search(view: View, ask: Ask, mind: Mind, effort: Effort = EFFORT) -> Choice:
    """Return the option that does best in imagined worlds."""
    return ask.options[Inquiry(view, ask, mind, effort).best()]

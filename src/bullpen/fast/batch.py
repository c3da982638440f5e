"""Batch: many games side by side, moved on together with arrays of choices."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bullpen.engine import OptionValue
from bullpen.fast.chance import GAMMA, U, mixed, stream
from bullpen.fast.compiled import Array, kernel
from bullpen.fast.errors import BadChoice, FastError
from bullpen.fast.games import Plan, plan_for
from bullpen.fast.observed import observation_size
from bullpen.fast.rules import BASE, Table
from bullpen.fast.simd.abreast import step_abreast
from bullpen.fast.simd.checked import HALF_TIME, are_silent, check_abreast
from bullpen.fast.simd.drawing import draw_abreast
from bullpen.fast.simd.planes import new_planes, seats_over, table_over, todo_of, width_for
from bullpen.fast.simd.telling import describe_abreast, mask_abreast, new_desk
from bullpen.fast.simd.unfolding import describe_games, mask_games
from bullpen.fast.tables import (
    ASKED,
    TO_PLAY,
    Seats,
    count_choices,
    end_trick,
    first_choice,
    is_asked,
    is_legal,
    list_legal,
    random_choice,
    start_game,
    start_round,
    step_game,
)
from bullpen.fast.trick import CHOICES, NO_FLIP

LOG = 104
"""Room for the cards that are taken in a round."""


class Observation(NamedTuple):
    """What one seat may know of every game of a batch; the game is the first axis."""

    rows: Array
    """uint8 [B, 4, 5]: the cards of each row from left to right; behind `counts` they mean nothing."""
    counts: Array
    """uint8 [B, 4]: the number of cards in each row."""
    heads: Array
    """uint8 [B, 4]: the bullheads in each row."""
    mark: Array
    """int8 [B, 2]: the marked row, and the shown parity or the arrow."""
    points: Array
    """int16 [B, n]: the bullheads taken in this round."""
    flips: Array
    """uint8 [B, n]: who holds a flip card."""
    hand: Array
    """bool [B, 105]: the cards in the seat's hand, by number."""
    shown: Array
    """bool [B, 105]: the cards that have been face up in this round."""
    waiting: Array
    """int32 [B, n]: the revealed plays still to be placed, the next first, 0 behind them (see `trick`)."""
    asked: Array
    """int8 [B]: the seat that must choose a row, or -1 when all choose cards."""
    to_play: Array
    """int8 [B]: the tricks until the hands are empty; 0 when the round is over."""


def empty_table(size: int, players: int, log: int = LOG) -> Table:
    """Return tables for that many games; `log` is LOG to keep the bull piles' cards, 0 to count only."""
    return Table(
        rows=np.zeros((size, 4, 5), np.uint8),
        ends=np.zeros((size, 4), np.uint8),
        counts=np.zeros((size, 4), np.uint8),
        heads=np.zeros((size, 4), np.uint8),
        mark=np.zeros((size, 2), np.int8),
        points=np.zeros((size, players), np.int16),
        taken=np.zeros((size, log), np.uint8),
        takers=np.zeros((size, log), np.uint8),
        logged=np.zeros(size, np.uint8),
    )


@kernel
def start_games(plan: Plan, t: Table, s: Seats, seeds: Array, where: Array, sow: bool) -> None:
    """Start the games named by the mask anew, each from its own seed, or going on in its stream."""
    for b in range(where.size):
        if where[b]:
            if sow:
                s.states[b] = stream(seeds[b], U(0))
            start_game(plan, t, s, b)


@kernel
def start_rounds(plan: Plan, t: Table, s: Seats, where: Array) -> None:
    """Start the next round of the games named by the mask."""
    for b in range(where.size):
        if where[b]:
            start_round(plan, t, s, b)


@kernel
def first_illegal(plan: Plan, t: Table, s: Seats, choices: Array) -> int:
    """Return game * players + seat of the first illegal choice, or -1."""
    for b in range(choices.shape[0]):
        for seat in range(plan.players):
            if not is_legal(plan, t, s, b, seat, np.int64(choices[b, seat])):
                return b * plan.players + seat
    return -1


@kernel
def step_games(plan: Plan, t: Table, s: Seats, choices: Array, ask: bool) -> None:
    """Move every game on."""
    for b in range(choices.shape[0]):
        step_game(plan, t, s, b, choices, ask)


@kernel
def deal_halves(plan: Plan, t: Table, s: Seats, todo: Array) -> None:
    """Deal the second half of the games that played the last trick of the first one in lockstep."""
    for b in range(todo.size):
        if todo[b] == HALF_TIME:
            end_trick(plan, t, s, b)


@kernel
def list_all_legal(plan: Plan, t: Table, s: Seats, legal: Array) -> None:
    """Mark the legal choices of every game."""
    for b in range(legal.shape[0]):
        list_legal(plan, t, s, b, legal)


@kernel
def choose_at_random(plan: Plan, t: Table, s: Seats, states: Array, choices: Array) -> None:
    """Choose uniformly among the legal choices of every seat; 0 where a seat is not asked."""
    for b in range(choices.shape[0]):
        for seat in range(plan.players):
            states[b] += GAMMA
            choices[b, seat] = random_choice(plan, t, s, b, seat, mixed(states[b]))


@kernel
def mend_choices(plan: Plan, t: Table, s: Seats, choices: Array, mended: Array) -> None:
    """Put the first legal choice wherever an illegal one stands, and note where."""
    for b in range(choices.shape[0]):
        for seat in range(plan.players):
            choice = np.int64(choices[b, seat])
            # Where there is nothing to answer, all choices but waiting count as illegal here.
            wrong = not is_legal(plan, t, s, b, seat, choice) if is_asked(s, b, seat) else choice != 0
            mended[b, seat] = wrong
            if wrong:
                choices[b, seat] = first_choice(plan, t, s, b, seat)


@kernel
def force_choices(plan: Plan, t: Table, s: Seats, choices: Array) -> None:
    """Write the choice of every seat that has one only; 0 where there are several, or none is asked for."""
    for b in range(choices.shape[0]):
        for seat in range(plan.players):
            one = count_choices(plan, t, s, b, seat) == 1
            choices[b, seat] = first_choice(plan, t, s, b, seat) if one else 0


def as_cards(sets: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Turn sets of cards ([..., 2] words of bits) into masks ([..., 105] by card number)."""
    cards = np.arange(105)
    words = sets[..., cards >> 6]
    return (words >> (cards & 63).astype(np.uint64) & np.uint64(1)).astype(bool)


class Batch:
    """B games of one kind that are moved on together.

    Every array has the game as its first axis and is the batch's own memory: read it through NumPy,
    `torch.from_numpy` or anything else that speaks the array interface, without a copy. With
    `low_card="ask"` the owner of a card that fits nowhere is asked for a row, as the rules say;
    with "cheapest" the row with the fewest bullheads is taken, the topmost of equals. The cards in
    the bull piles are kept only with `piles=True`, which plays every game by itself and therefore
    costs a multiple; bullheads are counted always.

    >>> batch = Batch("base", players=4, size=1000, seed=7, low_card="cheapest")
    >>> while not batch.over.all():
    ...     batch.step(batch.random_choices())
    >>> bool(11 < batch.points.mean() < 13)
    True
    """

    others: ClassVar[dict[str, type["Batch"]]] = {}
    """The batches of games with a course of their own, by game."""

    def __new__(cls, game: str = "", *_given: Any, **_named: Any) -> Self:
        """Return a batch of the kind that the game needs."""
        return cast(Self, super().__new__(cls.others.get(game, cls)))

    def __init__(
        self,
        game: str,
        players: int,
        size: int,
        seed: int | ArrayLike = 0,
        options: Mapping[str, OptionValue] | None = None,
        low_card: Literal["ask", "cheapest"] = "ask",
        *,
        piles: bool = False,
    ) -> None:
        if size < 1:
            raise FastError(f"A batch holds one game or more, not {size}.")
        self.plan = plan_for(game, players, options)
        self.game = game
        self.size = size
        self.asks = low_card == "ask"
        self.piles = piles
        self._abreast = not piles and self.plan.code == BASE and self.plan.digits == NO_FLIP
        self._width, self._order = width_for(size), tuple(range(players))
        self._lay_out()
        self.reset(seed)

    def _lay_out(self) -> None:
        """Make the memory of the games, and the arrays over it."""
        size, players = self.size, self.plan.players
        self._planes = new_planes(size, players)
        self._todo = todo_of(self._planes, size)
        self.table = table_over(self._planes, size, players, LOG if self.piles else 0)
        self.seats = seats_over(self._planes, size, players)
        self._choices = np.zeros((self._width, players), np.uint8)
        self._legal = np.zeros((size, players, CHOICES), np.bool_)
        self._desk = new_desk(players)
        self._streams = np.zeros(self._width, np.uint64)
        self._luck = self._streams[:size]
        self._all = np.ones(size, np.bool_)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make a copy (`copy`, `pickle`), whose arrays must lie over memory of its own."""
        self.__dict__.update(state)
        self._lay_out()
        for into, part in zip((*self.table, *self.seats), (*state["table"], *state["seats"]), strict=True):
            into[...] = part
        self._luck[:] = state["_luck"]

    def reset(self, seed: int | ArrayLike | None = 0, where: NDArray[np.bool_] | None = None) -> None:
        """Start every game anew, or those of a mask; an array gives each game its own seed.

        Without a seed (None) each game goes on in the stream that its deals have come from so far.
        """
        mask = self._mask(where)
        if seed is None:
            start_games(self.plan, self.table, self.seats, self._luck, mask, False)
            return
        seeds = self._seeds(seed)
        start_games(self.plan, self.table, self.seats, seeds, mask, True)
        self._luck[mask] = ~seeds[mask]

    def _seeds(self, seed: int | ArrayLike) -> NDArray[np.uint64]:
        """Return a seed for each game."""
        seeds = np.asarray(seed).astype(np.uint64)
        if seeds.ndim == 0:
            seeds = np.uint64(int(seeds)) + np.arange(self.size, dtype=np.uint64) * np.uint64(GAMMA)
        if seeds.shape != (self.size,):
            raise FastError(f"There are {self.size} games, but seeds of shape {seeds.shape}.")
        return seeds

    def _mask(self, where: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        """Return a mask of games, all of them if none is given."""
        mask = self._all if where is None else np.ascontiguousarray(where)
        if mask.dtype != np.bool_ or mask.shape != (self.size,):
            raise FastError(f"A mask of games is bool ({self.size},), not {mask.dtype} {mask.shape}.")
        return mask

    def next_round(self, where: NDArray[np.bool_] | None = None) -> None:
        """Deal the next round to all games, or to those of a mask; scores stay."""
        start_rounds(self.plan, self.table, self.seats, self._mask(where))

    def step(self, choices: NDArray[Any]) -> None:
        """Answer every open question; an illegal choice raises `BadChoice` and changes nothing.

        `choices[game, seat]` is a card, FLIP + card, or ROW + row for the one seat that is asked for
        a row; entries of seats that are not asked are ignored.
        """
        given = self._take(np.asarray(choices))
        if self._abreast:
            self._step_abreast()
            return
        self._check()
        step_games(self.plan, self.table, self.seats, given, self.asks)

    def step_as_said(self, choices: NDArray[Any]) -> bool:
        """Step if all is said just as `legal_into` allows it, and return whether; else nothing is changed."""
        given = self._take(np.asarray(choices))
        if not self._abreast:
            wrong = self.mend(given)[1].any()
            if not wrong:
                step_games(self.plan, self.table, self.seats, given, self.asks)
            return not wrong
        said = self._choices.reshape(-1)
        fine = are_silent(self._planes, self._width, self._order, said) and self._sort_out()
        if fine:
            self._go_on()
        return fine

    def _take(self, choices: NDArray[Any]) -> NDArray[np.uint8]:
        """Copy the choices to where compiled code reads them."""
        given = self._choices[: self.size]
        if choices.shape != given.shape:
            raise BadChoice(f"Choices come as {given.shape}, not {choices.shape}.")
        given[...] = choices
        if choices.dtype != given.dtype:
            # What does not fit a byte is no choice, and 0 is none either.
            given[given != choices] = 0
        return given

    def _check(self) -> None:
        """Raise `BadChoice` for the first illegal choice."""
        given = self._choices[: self.size]
        wrong = first_illegal(self.plan, self.table, self.seats, given)
        if wrong >= 0:
            game, seat = divmod(wrong, self.plan.players)
            raise BadChoice(f"Seat {seat} of game {game} cannot choose {given[game, seat]} now.")

    def _step_abreast(self) -> None:
        """Step in lockstep."""
        if not self._sort_out():
            self._check()
        self._go_on()

    def _sort_out(self) -> bool:
        """Prepare a step in lockstep; return whether every choice is legal."""
        said = self._choices.reshape(-1)
        fine: bool = check_abreast(self._planes, self._width, self._order, said, self.asks)
        return fine

    def _go_on(self) -> None:
        """Play what was prepared."""
        if step_abreast(self._planes, self._width, self._order, 2 if self.plan.second else 1):
            deal_halves(self.plan, self.table, self.seats, self._todo)

    def legal(self) -> NDArray[np.bool_]:
        """Return [B, n, CHOICES]: which choices answer an open question (the array is used again)."""
        list_all_legal(self.plan, self.table, self.seats, self._legal)
        return self._legal

    def mend(self, choices: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return choices with the lowest legal one wherever an illegal one stands, and where that was.

        What is legal is what `legal_into` says: a seat that is not asked may only wait.
        """
        given = self._take(np.asarray(choices)).copy()
        mended = np.zeros(given.shape, np.bool_)
        mend_choices(self.plan, self.table, self.seats, given, mended)
        return given, mended

    def only_choices(self) -> NDArray[np.uint8]:
        """Return the choices of seats that have one only; 0 for the others, and for those not asked."""
        choices = np.empty((self.size, self.plan.players), np.uint8)
        force_choices(self.plan, self.table, self.seats, choices)
        return choices

    def seats_asked(self) -> NDArray[np.bool_]:
        """Return [B, n]: who has something to answer."""
        all_play = (self.asked < 0) & ~self.over
        one_asked: NDArray[np.bool_] = self.asked[:, None] == np.arange(self.plan.players)
        return (one_asked & ~self.over[:, None]) | all_play[:, None]

    def random_choices(self) -> NDArray[np.uint8]:
        """Return choices drawn uniformly from the legal ones, from a stream apart from the deals'."""
        if self._abreast:
            drawn = np.empty((self._width, self.plan.players), np.uint8)
            draw_abreast(self._planes, self._width, self._order, self._streams, self._desk, drawn.reshape(-1))
            return drawn[: self.size]
        choices = np.empty((self.size, self.plan.players), np.uint8)
        choose_at_random(self.plan, self.table, self.seats, self._luck, choices)
        return choices

    def observe(self, seat: int) -> Observation:
        """Return what a seat may know of every game."""
        if not 0 <= seat < self.plan.players:
            raise FastError(f"There is no seat {seat}; the seats are 0 to {self.plan.players - 1}.")
        t, s = self.table, self.seats
        order = np.arange(self.plan.players) + s.stage[:, :1]
        still = order < self.plan.players
        waiting = np.take_along_axis(s.plays, np.where(still, order, 0), axis=1) * still
        return Observation(
            t.rows, t.counts, t.heads, t.mark, t.points, s.flips,
            as_cards(s.hands[:, seat]), as_cards(s.shown), waiting, s.stage[:, ASKED], s.stage[:, TO_PLAY],
        )  # fmt: skip

    @property
    def observation_size(self) -> int:
        """The bytes that `observe_into` writes for a seat."""
        return observation_size(self.plan)

    def observe_into(
        self, buffer: NDArray[np.uint8], seat: int | None = None, where: NDArray[np.bool_] | None = None
    ) -> None:
        """Write what every seat may know into uint8 [B, n, observation_size], as `envs.layout` lays it out.

        With a seat only what that one may know, into [B, observation_size]; with a mask only the games
        that it names, the others staying as they are.

        >>> batch = Batch("base", players=4, size=8, seed=7)
        >>> seen = np.zeros((8, 4, batch.observation_size), np.uint8)
        >>> batch.observe_into(seen)
        >>> seen[0, 0, 28:132].sum(), (seen[0, 0, 28:132] == batch.observe(0).hand[0, 1:]).all()
        (np.uint64(10), np.True_)
        """
        out, first = self._room(buffer, self.observation_size, seat)
        mask = self._mask(where)
        if self._abreast:
            who, flat = (first, out.shape[1]), out.reshape(-1)
            describe_abreast(self.plan, self._planes, self._order, who, mask, self._desk, flat)
        else:
            viewers = self._order if seat is None else (first,)
            describe_games(self.plan, self._order, viewers, self.table, self.seats, mask, out)

    def legal_into(
        self, mask: NDArray[Any], seat: int | None = None, where: NDArray[np.bool_] | None = None
    ) -> None:
        """Write what every seat may do into [B, n, CHOICES] of bytes: 1 for a legal choice, else 0.

        A seat that is not asked may do one thing, which is 0: wait. Seat and mask are as for `observe_into`.
        """
        out, first = self._room(mask, CHOICES, seat)
        if self._abreast:
            viewers = first, out.shape[1]
            mask_abreast(self._planes, self._width, viewers, self._mask(where), out.reshape(-1))
        else:
            mask_games(self.plan, self.table, self.seats, first, self._mask(where), out)

    def _room(self, buffer: NDArray[Any], size: int, seat: int | None) -> tuple[NDArray[np.uint8], int]:
        """Return a caller's buffer as bytes [B, seats, size], and the first of those seats."""
        if seat is not None and not 0 <= seat < self.plan.players:
            raise FastError(f"There is no seat {seat}; the seats are 0 to {self.plan.players - 1}.")
        shape = (self.size, size) if seat is not None else (self.size, self.plan.players, size)
        fits = buffer.shape == shape and buffer.dtype.itemsize == 1
        if not fits or not buffer.flags.c_contiguous or not buffer.flags.writeable:
            raise FastError(f"The buffer must be {shape} bytes, contiguous and writeable.")
        return buffer.view(np.uint8).reshape(self.size, -1, size), seat or 0

    @property
    def asked(self) -> NDArray[np.int8]:
        """[B]: the seat that must choose a row, or -1 when all choose cards."""
        asked: NDArray[np.int8] = self.seats.stage[:, ASKED]
        return asked

    @property
    def running(self) -> NDArray[Any]:
        """[B]: the tricks that are left; 0 where the round is over."""
        running: NDArray[np.int8] = self.seats.stage[:, TO_PLAY]
        return running

    @property
    def over(self) -> NDArray[np.bool_]:
        """[B]: whether the round is played out."""
        over: NDArray[np.bool_] = self.seats.stage[:, TO_PLAY] == 0
        return over

    @property
    def points(self) -> NDArray[np.int16]:
        """[B, n]: the bullheads of this round."""
        points: NDArray[np.int16] = self.table.points
        return points

    @property
    def scores(self) -> NDArray[np.int32]:
        """[B, n]: the bullheads of the finished rounds."""
        scores: NDArray[np.int32] = self.seats.scores
        return scores

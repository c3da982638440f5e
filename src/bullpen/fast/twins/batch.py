"""A batch of a game with a course of its own."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bullpen.engine import OptionValue
from bullpen.fast.batch import Batch
from bullpen.fast.errors import BadChoice, FastError, NotCovered
from bullpen.fast.trick import CHOICES
from bullpen.fast.twins.course import list_games, pick_at_random, start_games, step_games
from bullpen.fast.twins.games import TWINS
from bullpen.fast.twins.observed import tell_games
from bullpen.rulesets import make


class TwinBatch(Batch):
    """B games of one kind that are moved on together, as a `Batch`; `Batch(game, …)` makes one where due.

    Its arrays are those of `state`. A choice is a number of sixteen bits, and `options` lists those that
    answer an open question.

    >>> batch = Batch("open", players=4, size=100, seed=7)
    >>> while not batch.over.all():
    ...     batch.step(batch.random_choices())
    >>> bool(10 < batch.points.mean() < 20)
    True
    """

    def __init__(
        self,
        game: str,
        players: int,
        size: int,
        seed: int | ArrayLike = 0,
        options: Mapping[str, OptionValue] | None = None,
        low_card: Literal["ask", "cheapest"] = "ask",
        *,
        piles: bool = True,
    ) -> None:
        if size < 1:
            raise FastError(f"A batch holds one game or more, not {size}.")
        self.twin = TWINS[game]
        rules = make(game, players, options)
        self.plan = self.twin.plan_of(rules)
        kinds = ["", *rules.questions]
        known = (kind if kind in kinds else "" for kind in ("", *self.twin.kinds))
        self._kinds = np.array([kinds.index(kind) for kind in known], np.uint8)
        self.room = self.twin.room(self.plan)
        self.game, self.size, self.asks, self.piles = game, size, low_card == "ask", piles
        self._lay_out()
        self.reset(seed)

    def _lay_out(self) -> None:
        size, players = self.size, self.plan.players
        self.state = self.twin.new_state(self.plan, size)
        self._numbers: NDArray[np.uint16] | None = None
        self._counts = np.zeros((size, players), np.int64)
        self._choices = np.zeros((size, players), np.uint16)
        self._room_for_options = np.zeros(self.room.options, np.uint16)
        self._luck = np.zeros(size, np.uint64)
        self._all = np.ones(size, np.bool_)
        self.rounds = np.ones(size, np.int64)
        """[B]: the number of the round that is being played."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make a copy (`copy`, `pickle`), whose arrays must lie over memory of its own."""
        self.__dict__.update(state)
        self._lay_out()
        self.state.memory[...] = state["state"].memory
        self._luck[:] = state["_luck"]
        self.rounds[:] = state["rounds"]

    def reset(self, seed: int | ArrayLike | None = 0, where: NDArray[np.bool_] | None = None) -> None:
        """Start every game anew, or those of a mask, as `Batch.reset`."""
        mask = self._mask(where)
        self.rounds[mask] = 1
        if seed is None:
            start_games(self.plan, self.state, self._luck, mask, True, False)
            return
        seeds = self._seeds(seed)
        start_games(self.plan, self.state, seeds, mask, True, True)
        self._luck[mask] = ~seeds[mask]

    def next_round(self, where: NDArray[np.bool_] | None = None) -> None:
        """Deal the next round to all games, or to those of a mask; scores stay."""
        mask = self._mask(where)
        self.rounds[mask] += 1
        start_games(self.plan, self.state, self._luck, mask, False, False)

    def step(self, choices: NDArray[Any]) -> None:
        """Answer every open question; an illegal choice raises `BadChoice` and changes nothing."""
        given = self._take(np.asarray(choices))
        wrong = step_games(self.plan, self.state, given, self._room_for_options, self.asks)
        if wrong >= 0:
            game, seat = divmod(wrong, self.plan.players)
            raise BadChoice(f"Seat {seat} of game {game} cannot choose {given[game, seat]} now.")

    def step_as_said(self, choices: NDArray[Any]) -> bool:
        """Step if all is said just as `legal_into` allows it, and return whether; else nothing is changed."""
        given, wrong = self.mend(choices)
        if wrong.any():
            return False
        self.step(given)
        return True

    def _take(self, choices: NDArray[Any]) -> NDArray[Any]:
        given = self._choices
        if choices.shape != given.shape:
            raise BadChoice(f"Choices come as {given.shape}, not {choices.shape}.")
        given[...] = choices
        if choices.dtype != given.dtype:
            given[given != choices] = 0
        return given

    def options(self) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Return [B, n, most]: the choices that answer a seat's question; and [B, n]: how many there are.

        The first is also the engine's first. Both arrays are used again.
        """
        if self._numbers is None:
            self._numbers = np.zeros((self.size, self.plan.players, self.room.options), np.uint16)
        list_games(self.plan, self.state, self._numbers, self._counts)
        return self._numbers, self._counts

    def legal(self) -> NDArray[np.bool_]:
        """Return [B, n, numbers]: which choices answer an open question."""
        numbers, counts = self.options()
        legal = np.zeros((self.size, self.plan.players, self.room.numbers), np.bool_)
        games, seats, places = np.nonzero(np.arange(self.room.options) < counts[..., None])
        legal[games, seats, numbers[games, seats, places]] = True
        return legal

    def mend(self, choices: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return choices with the first legal one wherever an illegal one stands, and where that was."""
        given = self._take(np.asarray(choices)).copy()
        numbers, counts = self.options()
        meant = np.arange(self.room.options) < counts[..., None]
        right = ((numbers == given[..., None]) & meant).any(axis=2) | ((counts == 0) & (given == 0))
        first = np.where(counts > 0, numbers[..., 0], 0)
        return np.where(right, given, first).astype(np.uint16), ~right

    def only_choices(self) -> NDArray[Any]:
        """Return the choices of seats that have one only; 0 for the others, and for those not asked."""
        numbers, counts = self.options()
        return np.where(counts == 1, numbers[..., 0], 0).astype(np.uint16)

    def seats_asked(self) -> NDArray[np.bool_]:
        """Return [B, n]: who has something to answer."""
        asked: NDArray[np.bool_] = (self.asked[:, None] >> np.arange(self.plan.players)) & 1 != 0
        return asked

    def random_choices(self) -> NDArray[Any]:
        """Return choices drawn uniformly from the legal ones, from a stream apart from the deals'."""
        numbers, counts = self.options()
        choices = np.empty((self.size, self.plan.players), np.uint16)
        pick_at_random(numbers, counts, self._luck, choices)
        return choices

    def observe(self, seat: int) -> Any:
        """Return what a seat may know of every game, by name: the arrays of the state, and its own hand."""
        if not 0 <= seat < self.plan.players:
            raise FastError(f"There is no seat {seat}; the seats are 0 to {self.plan.players - 1}.")
        return self.twin.seen(self.state, seat, self.size)

    @property
    def observation_size(self) -> int:
        """The bytes that `observe_into` writes for a seat, in games whose answers are one card or one row."""
        if not self.twin.one_word:
            raise NotCovered(f"Observations and masks as bytes are not made for {self.game}; use `observe`.")
        return self.twin.frame(self.plan).size

    def observe_into(
        self, buffer: NDArray[np.uint8], seat: int | None = None, where: NDArray[np.bool_] | None = None
    ) -> None:
        """Write what every seat may know, or one, of all games or some, as `Batch.observe_into`."""
        out, first = self._room(buffer, self.observation_size, seat)
        frame, mask = self.twin.frame(self.plan), self._mask(where)
        tell_games(frame, self.state, first, self.rounds, self._kinds, mask, out)

    def legal_into(
        self, mask: NDArray[Any], seat: int | None = None, where: NDArray[np.bool_] | None = None
    ) -> None:
        """Write what every seat may do, or one, in all games or some, as `Batch.legal_into`."""
        out, first = self._room(mask, CHOICES if self.observation_size else 0, seat)
        legal = self.legal()[:, first : first + out.shape[1], :CHOICES]
        legal[..., 0] = ~legal.any(2)
        np.copyto(out, legal, where=self._mask(where)[:, None, None])

    @property
    def asked(self) -> NDArray[Any]:
        """[B]: the seats that must answer now, as bits; 0 when the round is over."""
        asked: NDArray[Any] = self.state.asked[: self.size]
        return asked

    @property
    def running(self) -> NDArray[Any]:
        """[B]: 0 where the round is over."""
        return self.asked

    @property
    def over(self) -> NDArray[np.bool_]:
        """[B]: whether the round is played out."""
        over: NDArray[np.bool_] = self.asked == 0
        return over

    @property
    def points(self) -> NDArray[np.int16]:
        """[B, n]: the points of this round."""
        points: NDArray[np.int16] = self.state.points[: self.size]
        return points

    @property
    def scores(self) -> NDArray[np.int32]:
        """[B, n]: the points of the finished rounds."""
        scores: NDArray[np.int32] = self.state.scores[: self.size]
        return scores


Batch.others |= dict.fromkeys(TWINS, TwinBatch)

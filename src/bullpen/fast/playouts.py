"""playouts: play on from a position or a view many times, for search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from bullpen.fast.compiled import kernel
from bullpen.fast.convert import Start, as_set, shown_in
from bullpen.fast.errors import BadChoice
from bullpen.fast.games import Plan
from bullpen.fast.policies import Policy, minds_of
from bullpen.fast.rollout import MOST, Job, Roots, Scratch, new_sums, roll_plain
from bullpen.fast.rules import Table
from bullpen.fast.simd.lockstep import CARD_WORDS, Lanes, Lot, new_lanes, roll_lockstep
from bullpen.fast.simulate import in_lockstep, new_scratch
from bullpen.fast.trick import FLIP, ROW, can_flip, place_play
from bullpen.fast.twins.rounds import Rolls
from bullpen.fast.twins.starts import TwinStart


@dataclass(frozen=True)
class Outcomes:
    """What the rest of the round cost each seat, for each candidate choice."""

    choices: tuple[int, ...]
    """The candidates as numbers (a card, FLIP + card, ROW + row); (0,) where nothing was to be chosen."""
    count: int
    """Playouts a candidate."""
    total: NDArray[np.int64]
    """[candidate, seat]: bullheads from here to the end of the round."""
    squares: NDArray[np.int64]
    """[candidate, seat]: the sum of their squares."""

    @property
    def mean(self) -> NDArray[np.float64]:
        """[candidate, seat]: bullheads a playout."""
        return self.total / self.count


@kernel
def finish_trick(plan: Plan, table: Table, c: int, plays: NDArray[np.int64], row: int) -> None:
    """Place the waiting cards, the first at a chosen row (or -1), the others at the cheapest in a choice."""
    for i in range(plays.size):
        place_play(plan.code, table, c, plays[i], row if i == 0 else -1, False)


class Player:
    """Plays out from one start; keeps its memory, so that a search may call `run` again and again."""

    def __new__(cls, start: Start | TwinStart, *_given: Any, **_named: Any) -> Self:
        """Return a player of the kind that the start needs."""
        return cast(Self, super().__new__(TwinPlayer if isinstance(start, TwinStart) else cls))

    def __init__(
        self, start: Start | TwinStart, choices: Sequence[int], policies: Policy | Sequence[Policy] = "random"
    ) -> None:
        assert isinstance(start, Start)
        self.plan = start.plan
        self.choices = tuple(choices)
        self.minds, self.policy = minds_of(policies, start.plan.players)
        self.roots = roots_of(start, self.choices)
        self.sums = new_sums(len(self.choices), start.plan.players)
        self.done = 0
        self._seats = tuple(range(start.plan.players))
        self._lot: Lot | None = None
        self._lanes: Lanes | None = None
        self._scratch: Scratch | None = None
        if in_lockstep(self.plan, self.minds):
            self._lot, self._lanes = lot_of(self.plan, self.roots), new_lanes()
        else:
            self._scratch = new_scratch(self.plan.players)

    def run(self, count: int, seed: int = 0) -> Outcomes:
        """Play that many more rounds for every candidate and return the outcomes of all so far."""
        job = Job(self.done, count, np.uint64(seed))
        if self._lot is not None and self._lanes is not None:
            roll_lockstep(self.plan, self._seats, self._lot, job, self._lanes, self.sums)
        elif self._scratch is not None:
            roll_plain(self.plan, self.minds, self.policy, self._scratch, self.roots, job, self.sums)
        self.done += count
        return Outcomes(self.choices, self.done, self.sums.total, self.sums.squares)

    def run_plain(self, count: int, seed: int = 0) -> Outcomes:
        """Play that many rounds from the beginning by the plain loop, whatever the policies."""
        sums = new_sums(len(self.choices), self.plan.players)
        job = Job(0, count, np.uint64(seed))
        roll_plain(self.plan, self.minds, self.policy, new_scratch(self.plan.players), self.roots, job, sums)
        return Outcomes(self.choices, count, sums.total, sums.squares)


class TwinPlayer(Player):
    """The same for a game with a course of its own."""

    def __init__(
        self, start: Start | TwinStart, choices: Sequence[int], policies: Policy | Sequence[Policy] = "random"
    ) -> None:
        assert isinstance(start, TwinStart)
        self.choices = tuple(choices)
        self.sums = new_sums(len(self.choices), start.plan.players)
        self.done = 0
        self._rolls = Rolls(start, self.choices, policies)

    def run(self, count: int, seed: int = 0) -> Outcomes:
        """Play that many more rounds for every candidate and return the outcomes of all so far."""
        self._rolls.run(Job(self.done, count, np.uint64(seed)), self.sums)
        self.done += count
        return Outcomes(self.choices, self.done, self.sums.total, self.sums.squares)

    def run_plain(self, count: int, seed: int = 0) -> Outcomes:
        """Play that many rounds from the beginning; there is one loop for all of these games."""
        sums = new_sums(*self.sums.total.shape)
        self._rolls.run(Job(0, count, np.uint64(seed)), sums)
        return Outcomes(self.choices, count, sums.total, sums.squares)


def roots_of(start: Start, choices: Sequence[int]) -> Roots:
    """Return where the playouts of each candidate begin; a row to be chosen is chosen, its trick finished."""
    size, n = len(choices), start.plan.players
    table = Table(*[np.repeat(part, size, axis=0) for part in start.table])
    tables = table._replace(points=np.zeros((size, n), np.int16), taken=np.zeros((size, 0), np.uint8))
    fixed = np.tile(start.committed, (size, 1))
    flips = np.tile(start.flips, (size, 1))
    for c, choice in enumerate(choices):
        if start.plays:
            _finish(start, tables, c, choice)
        elif choice:
            _check(start, choice)
            fixed[c, start.seat] = choice
    return Roots(
        tables=tables,
        hands=start.hands,
        sizes=start.sizes,
        pool=start.pool,
        flips=flips,
        fixed=fixed,
        shown=as_set(shown_in(start)),
        seat=start.seat,
        half=start.half,
        tricks=start.tricks - (1 if start.plays else 0),
    )


def _finish(start: Start, tables: Table, c: int, choice: int) -> None:
    """Choose a row for the first waiting card, and place the others."""
    if choice and not ROW <= choice < ROW + 4:
        raise BadChoice(f"A row is to be chosen, not {choice}.")
    finish_trick(start.plan, tables, c, np.array(start.plays, np.int64), choice - ROW if choice else -1)


def _check(start: Start, choice: int) -> None:
    """Raise a sentence if the seat cannot play this."""
    if start.seat < 0:
        raise BadChoice("Choices can be compared for a seat only: name it when converting the position.")
    held = start.hands[start.half, start.seat, : start.sizes[start.half, start.seat]]
    flip = choice < FLIP or (start.flips[start.seat] and can_flip(choice & 127, start.plan.digits))
    if choice & 127 not in held or not flip or start.committed[start.seat]:
        raise BadChoice(f"Seat {start.seat} cannot choose {choice} now.")


def lot_of(plan: Plan, roots: Roots) -> Lot:
    """Return what is drawn for whom when the playouts run in lockstep (see `rollout.deal_roots`)."""
    n = plan.players
    begins = {roots.half: 0, 1: roots.tricks if roots.half == 0 else 0}
    hands = [(half, seat) for half in sorted(begins) for seat in range(n) if roots.sizes[half, seat]]
    unknown = [hand for hand in hands if not roots.hands[(*hand, 0)]]
    known = sorted(
        (hand for hand in hands if roots.hands[(*hand, 0)]), key=lambda hand: hand[1] == roots.seat
    )
    slots = [
        (begins[half] + k) * n + seat
        for half in sorted(begins)
        for k in range(roots.sizes[half].max())
        for other, seat in unknown
        if other == half and k < roots.sizes[half, seat]
    ]
    size = len(roots.fixed)
    lot = Lot(
        pool=CARD_WORDS[roots.pool],
        pool_slots=np.array(slots, np.int64),
        piles=np.zeros((size, len(known), MOST), np.uint16),
        pile_slots=np.zeros((size, len(known), MOST), np.int64),
        pile_sizes=np.zeros((size, len(known)), np.int64),
        fixed=np.where(roots.fixed > 0, CARD_WORDS[roots.fixed], 0).astype(np.uint16),
        tables=roots.tables,
        tricks=roots.tricks + (plan.second if roots.half == 0 else 0),
    )
    for c in range(size):
        for pile, (half, seat) in enumerate(known):
            gone = roots.fixed[c, seat] & 127
            held = roots.hands[half, seat, : roots.sizes[half, seat]]
            cards = held[held != gone]
            late = 1 if gone and half == roots.half else 0
            lot.piles[c, pile, : cards.size] = CARD_WORDS[cards]
            lot.pile_slots[c, pile, : cards.size] = (begins[half] + late + np.arange(cards.size)) * n + seat
            lot.pile_sizes[c, pile] = cards.size
    return lot

"""Playouts of a question in the games of the compiled twin: cards and rows."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from bullpen.analysis.compiled.playouts import (
    KINDS,
    NETWORK,
    PEOPLE,
    Manners,
    Memory,
    Outcomes,
    Worlds,
    live,
    new_memory,
)
from bullpen.analysis.opponents import MIX
from bullpen.analysis.samples import Cancelled, Progress, Sample, Samples
from bullpen.bots.search.brain import Brain, brain_for
from bullpen.bots.search.decision import ROOT, Question, decision_of, question
from bullpen.bots.search.trial import Desk, new_desk
from bullpen.engine import Choice, View
from bullpen.fast.convert import from_view, number_of
from bullpen.fast.playouts import finish_trick
from bullpen.fast.trick import ROW

HEAT, STRAY = 0.35, 0.1
MIXED = np.array([KINDS[name] for name, _ in MIX], np.int64)
SHARES = np.cumsum([share for _, share in MIX])
LEAST_WORLDS = 24
CHUNK = 20_000.0
"""Work between two looks at whether to stop."""
NETWORK_WORK, PLAY_WORK, WORLD_WORK = 2.0, 0.06, 1.0
"""What a look of the network at one play, a card played and a world imagined cost in units of work."""


def sample_cards(
    view: View, expected: tuple[str, ...], seed: int, work: float, watch: tuple[Progress, Cancelled]
) -> Samples:
    """Play every card of the hand out in the same worlds."""
    assert view.ask is not None
    asked = question(view, view.ask.options)
    table = _Table(view, expected, seed)
    points, heads, complete = table.play(asked, list(asked.options), work, watch)
    found = [
        Sample(points[c].astype(np.int64), heads[c].astype(np.int64), heads[c] > 0)
        for c in range(len(points))
    ]
    return Samples(found, complete)


def sample_rows(
    view: View, expected: tuple[str, ...], seed: int, work: float, watch: tuple[Progress, Cancelled]
) -> Samples:
    """Name every row, finish the trick, and play on."""
    assert view.ask is not None
    assert view.seat is not None
    table, found, complete = _Table(view, expected, seed), [], True
    progress, cancelled = watch
    options = view.ask.options
    for place, choice in enumerate(options):
        asked, now = _after_row(view, choice)
        part = partial(_part, progress, place, len(options)), cancelled
        points, _, whole = table.play(asked, [0], work / len(options), part)
        heads = np.full(points.shape[1], now[view.seat], np.int64)
        found.append(Sample(points[0] + now, heads, heads > 0))
        complete = complete and whole
    return Samples(found, complete)


def _part(progress: Progress, done: int, of: int, share: float) -> None:
    progress((done + share) / of)


def _after_row(view: View, choice: Choice) -> tuple[Question, NDArray[np.int64]]:
    """Return how things stand when a row is named and the trick finished, and what that costs everybody."""
    start = from_view(view)
    decision = decision_of(start)
    plays: NDArray[np.int64] = np.array(start.plays, np.int64)
    finish_trick(start.plan, decision.table, ROOT, plays, number_of(choice) - ROW)
    costs = decision.table.points[ROOT].astype(np.int64)
    decision.table.points[ROOT] = 0
    return Question(start.plan, decision, {}), costs


class _Table:
    """The seats with their manners, and memory to play in."""

    def __init__(self, view: View, expected: tuple[str, ...], seed: int) -> None:
        players = view.players
        self.desk: Desk = new_desk(players)
        self.brain: Brain = brain_for(view.game, players)
        self.memory: Memory = new_memory(players)
        self.kinds = np.array([KINDS[name] for name in expected], np.int64)
        self.seed = np.uint64(seed)

    def play(
        self, asked: Question, choices: list[int], work: float, watch: tuple[Progress, Cancelled]
    ) -> tuple[NDArray[np.int16], NDArray[np.int16], bool]:
        """Live through as many worlds as the work allows."""
        progress, cancelled = watch
        each = self._work(asked, len(choices))
        worlds = max(LEAST_WORLDS, int(work / each))
        step = max(1, int(CHUNK / each))
        points = np.zeros((len(choices), worlds, asked.plan.players), np.int16)
        heads = np.zeros((len(choices), worlds), np.int16)
        manners = Manners(self.kinds, HEAT, STRAY, MIXED, SHARES)
        numbers = np.array(choices, np.uint8)
        for first in range(0, worlds, step):
            last = min(first + step, worlds)
            if first and cancelled():
                return points[:, :first], heads[:, :first], False
            job = (Worlds(first, last, numbers, self.seed), Outcomes(points, heads))
            live(asked.plan, asked.decision, self.desk, self.brain, manners, self.memory, job)
            progress(last / worlds)
        return points, heads, True

    def _work(self, asked: Question, candidates: int) -> float:
        """Return about how much work one world is."""
        decision, players = asked.decision, asked.plan.players
        cards = int(decision.sizes[decision.seat])
        later = int(decision.later)
        thinking = [kind for seat, kind in enumerate(self.kinds) if seat != decision.seat]
        looks = sum(1.0 if kind == NETWORK else 0.25 for kind in thinking if kind in (NETWORK, PEOPLE))
        cost = (cards * (cards + 1) + later * (later + 1)) / 2
        return WORLD_WORK + NETWORK_WORK * looks * max(cards, 2) + PLAY_WORK * candidates * players * cost

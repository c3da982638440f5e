"""Playouts of a question in the games of the compiled twin: cards and rows."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from bullpen.analysis.compiled.foresight import foresight_for
from bullpen.analysis.compiled.playouts import (
    KINDS,
    MEDIUM,
    NETWORK,
    PEOPLE,
    Manners,
    Memory,
    Outcomes,
    Worlds,
    live,
    new_memory,
)
from bullpen.analysis.compiled.stand_in import doubting, stand_in
from bullpen.analysis.opponents import MIX
from bullpen.analysis.samples import Cancelled, Progress, Sample, Samples
from bullpen.bots.search.brain import Brain
from bullpen.bots.search.decision import ROOT, Question, decision_of, question
from bullpen.bots.search.trial import Desk, new_desk
from bullpen.engine import Choice, View
from bullpen.fast.convert import from_view, number_of
from bullpen.fast.playouts import finish_trick
from bullpen.fast.rules import BASE, JUMPING_COW
from bullpen.fast.trick import ROW

HEAT, STRAY = 0.35, 0.1
MIXED = np.array([KINDS[name] for name, _ in MIX], np.int64)
SHARES = np.cumsum([share for _, share in MIX])
LEAST_WORLDS = 24
FINALISTS, FIRST_SHARE = 4, 0.45
"""How many of the cards go on after all have had this share of the work."""
SECOND = 0x5DEECE66D
"""Turns the seed into that of the second part."""
CHUNK = 20_000.0
"""Work between two looks at whether to stop."""
NETWORK_WORK, FORESIGHT_WORK, PLAY_WORK, WORLD_WORK = 2.0, 0.3, 0.06, 1.0
"""What a look of the network at a play, one of `medium`, a card played and a world imagined cost."""
LOOKS = {
    NETWORK: NETWORK_WORK,
    MEDIUM: FORESIGHT_WORK,
    PEOPLE: sum(
        share * {"expert": NETWORK_WORK, "medium": FORESIGHT_WORK}.get(name, 0.0) for name, share in MIX
    ),
}
"""What it costs to let a kind of player look at one card before the first trick."""
UNORDERED = 1.9
"""How much more work a world is where rows do not simply ascend, and every card is asked for its row."""


def sample_cards(
    view: View, expected: tuple[str, ...], seed: int, work: float, watch: tuple[Progress, Cancelled]
) -> Samples:
    """Play every card of the hand out in the same worlds, and the best ones in some more."""
    assert view.ask is not None
    assert view.seat is not None
    asked = question(view, view.ask.options)
    table, numbers = _Table(view, expected, seed), list(asked.options)
    progress, cancelled = watch
    if len(numbers) <= FINALISTS:
        return Samples(*table.play(asked, numbers, work, watch))
    early = partial(_part, progress, 0.0, FIRST_SHARE), cancelled
    found, complete = table.play(asked, numbers, work * FIRST_SHARE, early)
    if not complete:
        return Samples(found, complete)
    means = [sample.points[:, view.seat].mean() for sample in found]
    best = sorted(range(len(numbers)), key=lambda place: means[place])[:FINALISTS]
    late = partial(_part, progress, FIRST_SHARE, 1 - FIRST_SHARE), cancelled
    more, complete = _Table(view, expected, seed ^ SECOND).play(
        asked, [numbers[place] for place in best], work * (1 - FIRST_SHARE), late
    )
    for place, sample in zip(best, more, strict=True):
        found[place] = Sample(*(np.concatenate(parts) for parts in zip(found[place], sample, strict=True)))
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
        share = 1 / len(options)
        part = partial(_part, progress, place * share, share), cancelled
        (sample,), whole = table.play(asked, [0], work * share, part)
        heads = np.full(len(sample.points), now[view.seat], np.int64)
        found.append(Sample(sample.points + now, heads, heads > 0))
        complete = complete and whole
    return Samples(found, complete)


def _part(progress: Progress, before: float, part: float, share: float) -> None:
    """Tell the progress of a part of the work."""
    progress(before + part * share)


def _after_row(view: View, choice: Choice) -> tuple[Question, NDArray[np.int64]]:
    """Return how things stand when a row is named and the trick finished, and what that costs everybody."""
    start = from_view(view)
    decision = decision_of(start)
    plays: NDArray[np.int64] = np.array(start.plays, np.int64)
    finish_trick(start.plan, decision.table, ROOT, plays, number_of(choice) - ROW)
    costs = decision.table.points[ROOT].astype(np.int64)
    decision.table.points[ROOT] = 0
    return Question(start.plan, decision, {}), costs


def _samples(points: NDArray[np.int16], heads: NDArray[np.int16]) -> list[Sample]:
    return [
        Sample(each.astype(np.int64), taken.astype(np.int64), taken > 0)
        for each, taken in zip(points, heads, strict=True)
    ]


class _Table:
    """The seats with their manners, and memory to play in."""

    def __init__(self, view: View, expected: tuple[str, ...], seed: int) -> None:
        players = view.players
        self.desk: Desk = new_desk(players)
        self.brain: Brain = stand_in(view.game, players)
        self.memory: Memory = new_memory(players)
        self.kinds = np.array([KINDS[name] for name in expected], np.int64)
        self.seed = np.uint64(seed)
        self.view = view

    def play(
        self, asked: Question, choices: list[int], work: float, watch: tuple[Progress, Cancelled]
    ) -> tuple[list[Sample], bool]:
        """Live through as many worlds as the work allows; whether that was done to the end."""
        progress, cancelled = watch
        each = _work(asked, self.kinds, len(choices))
        worlds = max(LEAST_WORLDS, int(work / each))
        step = max(1, int(CHUNK / each))
        points = np.zeros((len(choices), worlds, asked.plan.players), np.int16)
        heads = np.zeros((len(choices), worlds), np.int16)
        foresight = foresight_for(self.view, int(asked.decision.sizes[asked.decision.seat]))
        manners = Manners(self.kinds, HEAT, STRAY, MIXED, SHARES, foresight)
        numbers, decision = np.array(choices, np.uint8), doubting(asked.decision)
        for first in range(0, worlds, step):
            last = min(first + step, worlds)
            if first and cancelled():
                return _samples(points[:, :first], heads[:, :first]), False
            job = (Worlds(first, last, numbers, self.seed), Outcomes(points, heads))
            live(asked.plan, decision, self.desk, self.brain, manners, self.memory, job)
            progress(last / worlds)
        return _samples(points, heads), True


def world_work(view: View, expected: tuple[str, ...]) -> float:
    """Return about how much work it is to let the options of a question live through one world."""
    assert view.ask is not None
    asked = question(view, view.ask.options)
    kinds = np.array([KINDS[name] for name in expected], np.int64)
    return _work(asked, kinds, len(view.ask.options))


def _work(asked: Question, kinds: NDArray[np.int64], candidates: int) -> float:
    """Return about how much work one world is."""
    decision, players = asked.decision, asked.plan.players
    cards = int(decision.sizes[decision.seat])
    later = int(decision.later)
    thinking = [kind for seat, kind in enumerate(kinds) if seat != decision.seat]
    looks = sum(LOOKS.get(int(kind), 0.0) for kind in thinking)
    cost = (cards * (cards + 1) + later * (later + 1)) / 2
    work = WORLD_WORK + looks * max(cards, 2) + PLAY_WORK * candidates * players * cost
    return work if asked.plan.code in (BASE, JUMPING_COW) else UNORDERED * work

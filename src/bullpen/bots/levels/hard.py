"""`hard`: playouts with modelled opponents, most of them spent on the choices that look best."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bullpen.bots.estimates.compiled_view import new_eyes
from bullpen.bots.estimates.draft import spread_pick
from bullpen.bots.estimates.risk import weights
from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for, opinion_of_plays
from bullpen.bots.search.decision import Question, question, with_row
from bullpen.bots.search.playouts import Habit, Job, new_memory, roll
from bullpen.bots.search.trial import new_desk
from bullpen.engine import Choice, JoinRow, TakeRow, View


class Effort(NamedTuple):
    """How much is played out, and how."""

    playouts: int
    """Playouts a decision, of four players with ten cards; fewer when each takes longer."""
    rows: int
    """Playouts for each row that could be named."""
    stray: float
    """How often a seat of a playout plays any card."""
    opinion: float = 0.0
    """What the small network's cost of a card counts, where the mean of all playouts counts one."""


USUAL = Effort(600, 40, 0.15)
DOUBTFUL = Effort(1500, 200, 0.5)
"""Others who play anything half of the time; the more is left to chance, the more playouts it takes."""
EFFORTS = {("base", 2): DOUBTFUL, ("base", 3): DOUBTFUL._replace(opinion=1.0)}
"""By game and number of players, where it was measured to be better (docs/bots-thinking.md)."""
ADVISER = "logic"
"""Whose network has an opinion: the small one, which the base game had too before `expert` got a larger."""


class Roller:
    """Plays a question out again and again."""

    def __init__(self, game: str, asked: Question, seed: int) -> None:
        self.asked, self.seed = asked, np.uint64(seed)
        players = asked.plan.players
        self._desk, self._memory = new_desk(players), new_memory(players)
        self.effort = EFFORTS.get((game, players), USUAL)
        self._habit = Habit(new_eyes(), np.array(weights(game, players)), self.effort.stray)

    def costs(self, choices: Sequence[int], rounds: range) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return what these choices cost the seat in all of these rounds together."""
        sums = np.zeros(len(choices))
        job = Job(rounds.start, rounds.stop, np.array(choices, np.uint8), self.seed)
        roll(self.asked.plan, self.asked.decision, self._desk, self._habit, self._memory, job, sums)
        return sums


def budget(asked: Question, playouts: int) -> int:
    """Return how many playouts a decision may take: about as long for every number of players and cards."""
    decision = asked.decision
    steps = asked.plan.players * int(decision.sizes[decision.seat])
    return max(40, min(4 * playouts, playouts * 40 // max(steps, 1)))


def best_card(view: View, options: tuple[Choice, ...], mind: Mind) -> Choice:
    """Halve the candidates again and again, the playouts of each stage shared by those that are left."""
    asked = question(view, options)
    roller = Roller(view.game, asked, mind.seed)
    alive = list(asked.options)
    told = opinions(asked, roller.effort.opinion)
    stages = max(1, (len(alive) - 1).bit_length())
    total = dict.fromkeys(alive, 0.0)
    done, each = 0, budget(asked, roller.effort.playouts) // stages
    while len(alive) > 1 and not mind.stop():
        more = max(4, each // len(alive))
        for choice, cost in zip(alive, roller.costs(alive, range(done, done + more)), strict=True):
            total[choice] += cost
        done += more
        # All that are left have seen the same rounds, so sums compare.
        alive.sort(key=lambda choice: (total[choice] + done * told[choice], choice))
        del alive[(len(alive) + 1) // 2 :]
    return asked.options[alive[0]]


def opinions(asked: Question, weight: float) -> dict[int, float]:
    """Return what the small network says that each option costs, as far as it counts."""
    if not weight:
        return dict.fromkeys(asked.options, 0.0)
    told = opinion_of_plays(asked, brain_for(ADVISER, asked.plan.players))
    return {choice: weight * float(told[choice]) for choice in asked.options}


def best_row(view: View, options: tuple[Choice, ...], mind: Mind) -> Choice:
    """Play on from every row that could be named."""
    costs: dict[Choice, float] = {}
    for choice in options:
        assert isinstance(choice, (TakeRow, JoinRow))
        asked, cost = with_row(view, choice)
        if asked.decision.sizes[asked.decision.seat]:
            roller = Roller(view.game, asked, mind.seed)
            rows = roller.effort.rows
            costs[choice] = cost + float(roller.costs([0], range(rows))[0]) / rows
        else:
            costs[choice] = float(cost)
    return min(options, key=lambda choice: costs[choice])


def best_pick(view: View, options: tuple[Choice, ...], _mind: Mind) -> Choice:
    """Pick as `medium` does: a draft is too far from the first trick for playouts."""
    return spread_pick(view, options)

"""The playouts of `hard`: the unseen cards dealt anew, everybody choosing by the risk estimate of `medium`.

Now and then a seat strays from it, since nobody plays exactly as we think.
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.card_sets import single
from bullpen.bots.compiled import Array, piece, slow_kernel, whole
from bullpen.bots.estimates.compiled_risk import least_risk
from bullpen.bots.estimates.compiled_view import Eyes, Hand, catch_rows, list_plays
from bullpen.bots.search.decision import NO_ROW, ROOT, TRIAL, Decision
from bullpen.bots.search.trial import Desk, below, copy_table, hand_of, imagine_hands, uniform
from bullpen.fast.chance import U, stream
from bullpen.fast.games import Plan
from bullpen.fast.trick import FLIP, as_play, insert, place_play


class Memory(NamedTuple):
    """What a playout needs besides the desk."""

    sets: Array
    """uint64 [n, 2]: the hands as they are emptied."""
    hidden: Array
    """uint64 [2]: the cards that have not been face up."""
    flips: Array
    """uint8 [n]."""
    first: Array
    """int64 [n]: what each opponent chooses in the first trick."""


class Habit(NamedTuple):
    """How everybody is thought to choose: by these weights, straying this often."""

    eyes: Eyes
    weights: Array
    stray: float


class Job(NamedTuple):
    """Which rounds to play out, for which candidates, and the seed of all chance."""

    first: int
    last: int
    choices: Array
    """uint8 [C]: a choice, or 0 to let the seat choose like everybody else."""
    seed: np.uint64


def new_memory(players: int) -> Memory:
    """Return working memory for one thread."""
    return Memory(
        np.zeros((players, 2), np.uint64),
        np.zeros(2, np.uint64),
        np.zeros(players, np.uint8),
        np.zeros(players, np.int64),
    )


@piece
def choose_by_risk(plan: Plan, decision: Decision, desk: Desk, habit: Habit, me: Hand, table: int) -> int:
    """Choose the least risky play on a table, or now and then any."""
    eyes = habit.eyes
    if uniform(desk.states) < habit.stray:
        i = below(desk.states, list_plays(eyes, me))
    else:
        i = least_risk(plan, decision.table, table, eyes, me, habit.weights)
    return whole(eyes.cards[i]) + (FLIP if eyes.values[i] != eyes.cards[i] else 0)


@piece
def play_on(plan: Plan, decision: Decision, desk: Desk, habit: Habit, x: Memory, mine: int) -> None:
    """Play all tricks on trial; `mine` is the seat's first choice, 0 if it chooses like the others."""
    copy_table(decision.table, ROOT, TRIAL)
    flips = 0
    for p in range(plan.players):
        x.sets[p, 0], x.sets[p, 1] = desk.sets[p, 0], desk.sets[p, 1]
        x.flips[p] = decision.flips[p]
        flips += x.flips[p]
    x.hidden[0], x.hidden[1] = decision.hidden[0], decision.hidden[1]
    for trick in range(decision.sizes[decision.seat]):
        catch_rows(plan.code, decision.table, TRIAL, habit.eyes.catch)
        seen_low = seen_high = U(0)
        for p in range(plan.players):
            choice = 0
            if trick == 0 and mine:
                choice = mine if p == decision.seat else x.first[p]
            if choice == 0:
                low, high = x.sets[p, 0], x.sets[p, 1]
                flip = x.flips[p] != 0
                me = Hand(
                    low,
                    high,
                    x.hidden[0] & ~low,
                    x.hidden[1] & ~high,
                    plan.players,
                    flip,
                    flips - (1 if flip else 0),
                    decision.later,
                    plan.digits,
                    0.0,
                )
                choice = choose_by_risk(plan, decision, desk, habit, me, TRIAL)
            low, high = single(choice & 127)
            x.sets[p, 0] &= ~low
            x.sets[p, 1] &= ~high
            seen_low |= low
            seen_high |= high
            if choice >= FLIP:
                x.flips[p] = 0
            insert(desk.plays, 0, p, as_play(choice, p, plan.digits))
        x.hidden[0] &= ~seen_low
        x.hidden[1] &= ~seen_high
        for p in range(plan.players):
            place_play(plan.code, decision.table, TRIAL, whole(desk.plays[0, p]), NO_ROW, False)


@slow_kernel(6)
def roll(plan: Plan, decision: Decision, desk: Desk, habit: Habit, x: Memory, job: Job, sums: Array) -> None:
    """Play rounds out for every candidate, all that is hidden alike for each."""
    for i in range(job.first, job.last):
        desk.states[0] = stream(job.seed, U(i))
        imagine_hands(plan, decision, desk)
        catch_rows(plan.code, decision.table, ROOT, habit.eyes.catch)
        for p in range(plan.players):
            if p != decision.seat:
                me = hand_of(plan, decision, desk, p)
                x.first[p] = choose_by_risk(plan, decision, desk, habit, me, ROOT)
        state = desk.states[0]
        for c in range(job.choices.size):
            desk.states[0] = state
            play_on(plan, decision, desk, habit, x, whole(job.choices[c]))
            sums[c] += decision.table.points[TRIAL, decision.seat]

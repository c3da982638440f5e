"""The playouts of `hard`: the unseen cards dealt anew, everybody choosing by the risk estimate of `medium`.

Now and then a seat strays from it, since nobody plays exactly as we think.
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, kernel, piece, single
from bullpen.bots.search import (
    ROOT,
    TRIAL,
    Case,
    Desk,
    below,
    copy_table,
    hand_of,
    imagine_hands,
    uniform,
)
from bullpen.bots.sight import Eyes, Hand, catch_rows, list_plays
from bullpen.bots.thumb import least_risk
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


def new_memory(players: int) -> Memory:
    """Return working memory for one thread."""
    return Memory(
        np.zeros((players, 2), np.uint64),
        np.zeros(2, np.uint64),
        np.zeros(players, np.uint8),
        np.zeros(players, np.int64),
    )


@piece
def choose_by_thumb(
    plan: Plan, case: Case, desk: Desk, eyes: Eyes, th: Array, me: Hand, at: tuple[int, float]
) -> int:
    """Choose the least risky play on table `at[0]`, or with chance `at[1]` any."""
    table, stray = at
    if uniform(desk.states) < stray:
        i = below(desk.states, list_plays(eyes, me))
    else:
        i = least_risk(plan.code, case.table, table, eyes, me, th)
    return eyes.cards[i] + (FLIP if eyes.values[i] != eyes.cards[i] else 0)


@piece
def play_on(plan: Plan, case: Case, desk: Desk, eyes: Eyes, th: Array, x: Memory, stray: float, mine: int) -> None:
    """Play all tricks on the trial table; `mine` is the seat's first choice, 0 if it too follows the thumb."""
    copy_table(case.table, ROOT, TRIAL)
    flips = 0
    for p in range(plan.players):
        x.sets[p, 0], x.sets[p, 1] = desk.sets[p, 0], desk.sets[p, 1]
        x.flips[p] = case.flips[p]
        flips += x.flips[p]
    x.hidden[0], x.hidden[1] = case.hidden[0], case.hidden[1]
    for trick in range(case.sizes[case.seat]):
        catch_rows(plan.code, case.table, TRIAL, eyes.catch)
        seen_low = seen_high = U(0)
        for p in range(plan.players):
            choice = 0
            if trick == 0 and mine:
                choice = mine if p == case.seat else x.first[p]
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
                    case.later,
                    plan.digits,
                )
                choice = choose_by_thumb(plan, case, desk, eyes, th, me, (TRIAL, stray))
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
            place_play(plan.code, case.table, TRIAL, np.int64(desk.plays[0, p]), -1, False)


@kernel
def roll(
    plan: Plan,
    case: Case,
    desk: Desk,
    eyes: Eyes,
    th: Array,
    x: Memory,
    choices: Array,
    span: tuple[int, int],
    seed: np.uint64,
    stray: float,
    sums: Array,
) -> None:
    """Play rounds span[0] to span[1] - 1 out for every candidate, all that is hidden alike for each."""
    for i in range(span[0], span[1]):
        desk.states[0] = stream(seed, U(i))
        imagine_hands(plan, case, desk)
        catch_rows(plan.code, case.table, ROOT, eyes.catch)
        for p in range(plan.players):
            if p != case.seat:
                me = hand_of(plan, case, desk, p)
                x.first[p] = choose_by_thumb(plan, case, desk, eyes, th, me, (ROOT, stray))
        state = desk.states[0]
        for c in range(choices.size):
            desk.states[0] = state
            play_on(plan, case, desk, eyes, th, x, stray, np.int64(choices[c]))
            sums[c] += case.table.points[TRIAL, case.seat]

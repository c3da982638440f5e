"""Trying things out in compiled code: hands imagined, options listed, tricks played on a copy."""

from typing import NamedTuple

import numpy as np

from bullpen.bots.card_sets import U, single
from bullpen.bots.compiled import Array, piece, rule, whole
from bullpen.bots.estimates.compiled_view import MOST_PLAYS, Eyes, Hand, list_plays
from bullpen.bots.search.decision import NO_ROW, ROOT, TRIAL, Decision
from bullpen.fast.chance import GAMMA, deal, high_draw, mixed
from bullpen.fast.games import Plan
from bullpen.fast.rules import Table
from bullpen.fast.trick import FLIP, as_play, insert, place_play


class Desk(NamedTuple):
    """Working memory of a search."""

    deck: Array
    """uint8 [104]."""
    drawn: Array
    """uint8 [104]."""
    sets: Array
    """uint64 [n, 2]: the imagined hands."""
    options: Array
    """uint8 [n, MOST_PLAYS]: what each seat could choose."""
    counts: Array
    """int64 [n]: how many options it has."""
    chosen: Array
    """int64 [n]: what each seat chooses in the trick that is tried."""
    plays: Array
    """int32 [1, n]: the same, sorted."""
    chances: Array
    """float64 [MOST_PLAYS]."""
    costs: Array
    """float64 [MOST_PLAYS]."""
    states: Array
    """uint64 [1]: the random stream."""


def new_desk(players: int) -> Desk:
    """Return working memory for one thread."""
    return Desk(
        np.zeros(104, np.uint8),
        np.zeros(104, np.uint8),
        np.zeros((players, 2), np.uint64),
        np.zeros((players, MOST_PLAYS), np.uint8),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
        np.zeros((1, players), np.int32),
        np.zeros(MOST_PLAYS),
        np.zeros(MOST_PLAYS),
        np.zeros(1, np.uint64),
    )


@rule
def uniform(states: Array) -> float:
    """Return a random number from 0 up to 1."""
    states[0] += GAMMA
    return np.float64(mixed(states[0]) >> U(11)) * 2.0**-53


@rule
def below(states: Array, limit: int) -> int:
    """Return a random number from 0 to limit - 1."""
    states[0] += GAMMA
    return whole(high_draw(mixed(states[0]), U(limit)))


@piece
def imagine_hands(plan: Plan, decision: Decision, desk: Desk) -> None:
    """Deal unseen cards to the hands that are not known; all hands then lie there as sets."""
    need = 0
    for p in range(plan.players):
        if not decision.known[p]:
            need += decision.sizes[p]
    for i in range(decision.pool.size):
        desk.deck[i] = decision.pool[i]
    if need:
        desk.states[0] = deal(desk.deck, U(decision.pool.size), desk.drawn, U(need), desk.states[0])
    at = 0
    for p in range(plan.players):
        desk.sets[p, 0] = desk.sets[p, 1] = U(0)
        for k in range(decision.sizes[p]):
            if decision.known[p]:
                card = whole(decision.hands[p, k])
            else:
                card = whole(desk.drawn[at])
                at += 1
            desk.sets[p, card >> 6] |= U(1) << U(card & 63)


@rule
def wild_others(plan: Plan, decision: Decision, seat: int) -> float:
    """Return the share of a seat's opponents that is thought to play any card alike."""
    total = 0.0
    for p in range(plan.players):
        if p != seat:
            total += decision.wild[p]
    return total / (plan.players - 1)


@rule
def hand_of(plan: Plan, decision: Decision, desk: Desk, seat: int) -> Hand:
    """Return what a seat would know with its imagined hand."""
    low, high = desk.sets[seat, 0], desk.sets[seat, 1]
    flips = 0
    for p in range(plan.players):
        flips += decision.flips[p]
    flip = decision.flips[seat] != 0
    return Hand(
        low,
        high,
        decision.hidden[0] & ~low,
        decision.hidden[1] & ~high,
        plan.players,
        flip,
        flips - (1 if flip else 0),
        decision.later,
        plan.digits,
        wild_others(plan, decision, seat),
    )


@piece
def list_options(plan: Plan, decision: Decision, desk: Desk, eyes: Eyes, seat: int) -> None:
    """List what a seat could choose."""
    size = list_plays(eyes, hand_of(plan, decision, desk, seat))
    desk.counts[seat] = size
    for i in range(size):
        desk.options[seat, i] = eyes.cards[i] + (FLIP if eyes.values[i] != eyes.cards[i] else 0)


@piece
def copy_table(t: Table, source: int, target: int) -> None:
    """Lay a table out like another, with nobody having points."""
    for r in range(4):
        t.ends[target, r] = t.ends[source, r]
        t.counts[target, r] = t.counts[source, r]
        t.heads[target, r] = t.heads[source, r]
        for k in range(5):
            t.rows[target, r, k] = t.rows[source, r, k]
    t.mark[target, 0] = t.mark[source, 0]
    t.mark[target, 1] = t.mark[source, 1]
    for p in range(t.points.shape[1]):
        t.points[target, p] = 0


@piece
def place_chosen(plan: Plan, decision: Decision, desk: Desk) -> None:
    """Place the chosen cards on the trial table as it lies."""
    for p in range(plan.players):
        insert(desk.plays, 0, p, as_play(desk.chosen[p], p, plan.digits))
    for p in range(plan.players):
        place_play(plan.code, decision.table, TRIAL, whole(desk.plays[0, p]), NO_ROW, False)


@piece
def try_trick(plan: Plan, decision: Decision, desk: Desk) -> None:
    """Play the chosen cards on the trial table, from the rows as they are."""
    copy_table(decision.table, ROOT, TRIAL)
    place_chosen(plan, decision, desk)


@piece
def hand_after(plan: Plan, decision: Decision, desk: Desk, seat: int) -> Hand:
    """Return what a seat knows once the chosen cards have been shown."""
    seen_low = seen_high = U(0)
    flips = 0
    for p in range(plan.players):
        low, high = single(desk.chosen[p] & 127)
        seen_low |= low
        seen_high |= high
        if decision.flips[p] and desk.chosen[p] < FLIP:
            flips += 1
    low, high = desk.sets[seat, 0] & ~seen_low, desk.sets[seat, 1] & ~seen_high
    flip = decision.flips[seat] != 0 and desk.chosen[seat] < FLIP
    return Hand(
        low,
        high,
        decision.hidden[0] & ~seen_low & ~low,
        decision.hidden[1] & ~seen_high & ~high,
        plan.players,
        flip,
        flips - (1 if flip else 0),
        decision.later,
        plan.digits,
        wild_others(plan, decision, seat),
    )

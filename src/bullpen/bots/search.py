"""What search needs in compiled code: a decision as arrays, imagined hands, and tricks played on a copy."""

from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, U, piece, rule, single, whole
from bullpen.bots.sight import ITEMS, Eyes, Hand, list_plays
from bullpen.fast.chance import GAMMA, deal, high_draw, mixed
from bullpen.fast.games import Plan
from bullpen.fast.rollout import MOST
from bullpen.fast.rules import Table
from bullpen.fast.trick import FLIP, as_play, insert, place_play

ROOT, TRIAL = 0, 1
"""The two tables of a search: as it is, and to try things on."""


class Case(NamedTuple):
    """A decision: what the seat knows of everybody's cards."""

    table: Table
    """Two tables: ROOT and TRIAL."""
    hands: Array
    """uint8 [n, MOST]: the hands; 0 where they are not known."""
    sizes: Array
    """int64 [n]: the cards in them."""
    known: Array
    """bool [n]: whether a hand is known; the seat's own is."""
    pool: Array
    """uint8 [P]: the cards that may be in the unknown hands."""
    flips: Array
    """uint8 [n]: who holds a flip card."""
    hidden: Array
    """uint64 [2]: all cards that have not been face up, as a set."""
    seat: int
    later: int
    """Cards that every seat will be dealt at half-time."""
    wild: Array
    """float64 [n]: how likely each seat is to play any card alike; the seat itself is not."""
    careful: float
    """How likely an opponent who does not is to go by the risk estimate of `medium`."""


class Desk(NamedTuple):
    """Working memory of a search."""

    deck: Array
    """uint8 [104]."""
    drawn: Array
    """uint8 [104]."""
    sets: Array
    """uint64 [n, 2]: the imagined hands."""
    options: Array
    """uint8 [n, ITEMS]: what each seat could choose."""
    counts: Array
    """int64 [n]: how many options it has."""
    chosen: Array
    """int64 [n]: what each seat chooses in the trick that is tried."""
    plays: Array
    """int32 [1, n]: the same, sorted."""
    chances: Array
    """float64 [ITEMS]."""
    costs: Array
    """float64 [ITEMS]."""
    states: Array
    """uint64 [1]: the random stream."""


def new_desk(players: int) -> Desk:
    """Return working memory for one thread."""
    return Desk(
        np.zeros(104, np.uint8),
        np.zeros(104, np.uint8),
        np.zeros((players, 2), np.uint64),
        np.zeros((players, ITEMS), np.uint8),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
        np.zeros((1, players), np.int32),
        np.zeros(ITEMS),
        np.zeros(ITEMS),
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
def imagine_hands(plan: Plan, case: Case, desk: Desk) -> None:
    """Deal unseen cards to the hands that are not known; all hands then lie there as sets."""
    need = 0
    for p in range(plan.players):
        if not case.known[p]:
            need += case.sizes[p]
    for i in range(case.pool.size):
        desk.deck[i] = case.pool[i]
    if need:
        desk.states[0] = deal(desk.deck, U(case.pool.size), desk.drawn, U(need), desk.states[0])
    at = 0
    for p in range(plan.players):
        desk.sets[p, 0] = desk.sets[p, 1] = U(0)
        for k in range(case.sizes[p]):
            if case.known[p]:
                card = whole(case.hands[p, k])
            else:
                card = whole(desk.drawn[at])
                at += 1
            desk.sets[p, card >> 6] |= U(1) << U(card & 63)


@rule
def wild_others(plan: Plan, case: Case, seat: int) -> float:
    """Return the share of a seat's opponents that is thought to play any card alike."""
    total = 0.0
    for p in range(plan.players):
        if p != seat:
            total += case.wild[p]
    return total / (plan.players - 1)


@rule
def hand_of(plan: Plan, case: Case, desk: Desk, seat: int) -> Hand:
    """Return what a seat would know with its imagined hand."""
    low, high = desk.sets[seat, 0], desk.sets[seat, 1]
    flips = 0
    for p in range(plan.players):
        flips += case.flips[p]
    flip = case.flips[seat] != 0
    return Hand(
        low,
        high,
        case.hidden[0] & ~low,
        case.hidden[1] & ~high,
        plan.players,
        flip,
        flips - (1 if flip else 0),
        case.later,
        plan.digits,
        wild_others(plan, case, seat),
    )


@piece
def list_options(plan: Plan, case: Case, desk: Desk, eyes: Eyes, seat: int) -> None:
    """List what a seat could choose."""
    size = list_plays(eyes, hand_of(plan, case, desk, seat))
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
def try_trick(plan: Plan, case: Case, desk: Desk) -> None:
    """Play the chosen cards on the trial table, from the rows as they are."""
    copy_table(case.table, ROOT, TRIAL)
    for p in range(plan.players):
        insert(desk.plays, 0, p, as_play(desk.chosen[p], p, plan.digits))
    for p in range(plan.players):
        place_play(plan.code, case.table, TRIAL, whole(desk.plays[0, p]), -1, False)


@piece
def hand_after(plan: Plan, case: Case, desk: Desk, seat: int) -> Hand:
    """Return what a seat knows once the chosen cards have been shown."""
    seen_low = seen_high = U(0)
    flips = 0
    for p in range(plan.players):
        low, high = single(desk.chosen[p] & 127)
        seen_low |= low
        seen_high |= high
        if case.flips[p] and desk.chosen[p] < FLIP:
            flips += 1
    low, high = desk.sets[seat, 0] & ~seen_low, desk.sets[seat, 1] & ~seen_high
    flip = case.flips[seat] != 0 and desk.chosen[seat] < FLIP
    return Hand(
        low,
        high,
        case.hidden[0] & ~seen_low & ~low,
        case.hidden[1] & ~seen_high & ~high,
        plan.players,
        flip,
        flips - (1 if flip else 0),
        case.later,
        plan.digits,
        wild_others(plan, case, seat),
    )


__all__ = [
    "MOST",
    "ROOT",
    "TRIAL",
    "Case",
    "Desk",
    "below",
    "copy_table",
    "hand_after",
    "hand_of",
    "imagine_hands",
    "list_options",
    "new_desk",
    "try_trick",
    "uniform",
]

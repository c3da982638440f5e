"""Compiled playouts in which every seat plays as is expected of it: `evaluate` in the twin's games.

In every world the unseen cards are dealt anew and all others choose their first card, alike for every
candidate. In the trick at hand `medium` chooses as it does at a table, and an `expert` is stood in for by
the network it searches with; later tricks, where nobody can tell the difference from here, go by the risk
estimate.
"""

from typing import NamedTuple

import numpy as np

from bullpen.analysis.compiled.foresight import Foresight, least_foreseen
from bullpen.bots.card_sets import count, single
from bullpen.bots.compiled import Array, piece, real, rule, slow_kernel, whole
from bullpen.bots.estimates.compiled_risk import least_risk
from bullpen.bots.estimates.compiled_view import (
    OUT,
    Eyes,
    Hand,
    catch_rows,
    caught_by,
    fewest_heads,
    list_plays,
    room_of,
)
from bullpen.bots.levels.easy import NEARNESS, SLIP
from bullpen.bots.levels.human import CARDS, HASTE, NEARLY_FULL, SAVED, STEP, TREASURED
from bullpen.bots.network.features import describe
from bullpen.bots.network.network import judge_plays
from bullpen.bots.search.brain import Brain
from bullpen.bots.search.decision import NO_ROW, ROOT, TRIAL, Decision
from bullpen.bots.search.trial import Desk, below, copy_table, hand_of, imagine_hands, uniform
from bullpen.fast.chance import U, deal, stream
from bullpen.fast.games import Plan
from bullpen.fast.rules import Table
from bullpen.fast.trick import FLIP, as_play, insert, place_play

RANDOM, EASY, MEDIUM, NETWORK, HUMAN, PEOPLE = range(6)
KINDS = {
    "random": RANDOM,
    "easy": EASY,
    "medium": MEDIUM,
    "hard": NETWORK,
    "expert": NETWORK,
    "human": HUMAN,
    "people": PEOPLE,
}
"""By what each level is stood in for."""
TINY = 1e-12


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
    kinds: Array
    """int64 [n]: as what each seat plays in this world."""


class Manners(NamedTuple):
    """How the seats play."""

    kinds: Array
    """int64 [n]: the kind of each seat."""
    heat: float
    """How many bullheads two plays may differ by and still be nearly alike to the network."""
    stray: float
    """How often a seat that goes on by the risk estimate in the network's stead plays any card."""
    mixed: Array
    """int64 [k]: the kinds of player that people are drawn from."""
    shares: Array
    """float64 [k]: the share of people that are of this kind or one before it."""
    foresight: Foresight
    """What `medium` chooses by in the trick at hand."""


class Worlds(NamedTuple):
    """Which worlds to live through, for which candidates, and the seed of all chance."""

    first: int
    last: int
    choices: Array
    """uint8 [C]: a choice, or 0 to let the seat choose like everybody else."""
    seed: np.uint64


class Outcomes(NamedTuple):
    """What came of every candidate in every world."""

    points: Array
    """int16 [C, W, n]: bullheads from now to the end of the round, by seat."""
    heads: Array
    """int16 [C, W]: what the seat took in the first trick; 0 for nothing."""


def new_memory(players: int) -> Memory:
    """Return working memory for one thread."""
    return Memory(
        np.zeros((players, 2), np.uint64),
        np.zeros(2, np.uint64),
        np.zeros(players, np.uint8),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
    )


@piece
def least_fear(code: int, t: Table, b: int, eyes: Eyes, me: Hand) -> int:
    """Return the place of the play that `easy` fears least; `eyes.catch` must be up to date."""
    best, least = 0, 1e9
    for i in range(list_plays(eyes, me)):
        value = eyes.values[i]
        row = caught_by(eyes.catch, value)
        if row == OUT:
            fear = 1.0 * min(t.heads[b, 0], t.heads[b, 1], t.heads[b, 2], t.heads[b, 3])
        else:
            heads, room = 1.0 * t.heads[b, row], room_of(code, t, b, row)
            steps = abs(value - whole(t.ends[b, row]))
            fear = heads if room <= 0 else min(heads, NEARNESS * steps * (5 - room))
            if room > 0 and value != eyes.cards[i]:
                fear += 1.0
        if fear < least:
            best, least = i, fear
    return best


@rule
def fear_of(code: int, t: Table, b: int, eyes: Eyes, i: int) -> float:
    """Return what `human` fears of a play, its own cards apart; `eyes.catch` must be up to date."""
    value = eyes.values[i]
    turned = 1.0 if value != eyes.cards[i] else 0.0
    row = caught_by(eyes.catch, value)
    if row == OUT:
        return turned + fewest_heads(t, b)
    room = room_of(code, t, b, row)
    if room <= 0:
        return turned + whole(t.heads[b, row])
    steps = abs(value - whole(t.ends[b, row]))
    return real(turned + STEP * steps * (5 - room) + (NEARLY_FULL if room == 1 else 0.0))


@piece
def tempting(code: int, t: Table, b: int, eyes: Eyes, me: Hand, states: Array) -> int:
    """Return the place of what `human` plays: cheap at a glance, and no card that it saves for later."""
    left = count(me.low, me.high) / 10
    best, least = 0, np.inf
    for i in range(list_plays(eyes, me)):
        value = eyes.values[i]
        edge = min(value, CARDS + 1 - value) <= TREASURED * CARDS
        cost = fear_of(code, t, b, eyes, i) + (SAVED * left if edge else 0.0)
        cost = hasty(cost, HASTE * left, states)
        if cost < least:
            best, least = i, cost
    return best


@rule
def hasty(cost: float, heat: float, states: Array) -> float:
    """Return a cost with noise (Gumbel's): the least of such costs is drawn with the chances of a softmax."""
    return real(cost + heat * np.log(-np.log(uniform(states) + TINY) + TINY))


@piece
def best_for_network(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, me: Hand, at: tuple[int, float]
) -> int:
    """Return the place of what the network would play; of plays nearly alike, any."""
    table, heat = at
    size = describe(plan.code, decision.table, table, brain.eyes, me, brain.layers.inputs)
    judge_plays(brain.net, size, brain.layers, desk.costs)
    best, least = 0, np.inf
    for i in range(size):
        cost = hasty(desk.costs[i], heat, desk.states)
        if cost < least:
            best, least = i, cost
    return best


@piece
def choose(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, manners: Manners, me: Hand, at: tuple[int, int]
) -> int:
    """Choose as a kind of player does on a table whose catchment is in the eyes."""
    table, kind = at
    eyes = brain.eyes
    if kind == RANDOM or (kind == EASY and uniform(desk.states) < SLIP):
        i = below(desk.states, list_plays(eyes, me))
    elif kind == EASY:
        i = least_fear(plan.code, decision.table, table, eyes, me)
    elif kind == HUMAN:
        i = tempting(plan.code, decision.table, table, eyes, me, desk.states)
    elif kind == MEDIUM and table == ROOT and manners.foresight.bias.size:
        i = least_foreseen(manners.foresight, decision.table, table, eyes, me)
    elif kind == NETWORK and table == ROOT:
        i = best_for_network(plan, decision, desk, brain, me, (table, manners.heat))
    elif kind == NETWORK and uniform(desk.states) < manners.stray:
        i = below(desk.states, list_plays(eyes, me))
    else:
        i = least_risk(plan, decision.table, table, eyes, me, brain.risk)
    return whole(eyes.cards[i]) + (FLIP if eyes.values[i] != eyes.cards[i] else 0)


@piece
def hand_in_play(plan: Plan, decision: Decision, x: Memory, seat: int) -> Hand:
    """Return what a seat knows in the middle of a playout."""
    low, high = x.sets[seat, 0], x.sets[seat, 1]
    flips = 0
    for p in range(plan.players):
        flips += x.flips[p]
    flip = x.flips[seat] != 0
    others = flips - (1 if flip else 0)
    return Hand(
        low,
        high,
        x.hidden[0] & ~low,
        x.hidden[1] & ~high,
        plan.players,
        flip,
        others,
        decision.later,
        plan.digits,
        0.0,
    )


@piece
def play_trick(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, manners: Manners, x: Memory, mine: int
) -> None:
    """Play a trick on trial; `mine` is the seat's choice in the first trick, else 0: all choose."""
    catch_rows(plan.code, decision.table, TRIAL, brain.eyes.catch)
    seen_low = seen_high = U(0)
    for p in range(plan.players):
        choice = 0
        if mine:
            choice = mine if p == decision.seat else x.first[p]
        if choice == 0:
            me = hand_in_play(plan, decision, x, p)
            choice = choose(plan, decision, desk, brain, manners, me, (TRIAL, x.kinds[p]))
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


@piece
def set_out(plan: Plan, decision: Decision, desk: Desk, x: Memory) -> None:
    """Lay everything out as the seat sees it, with the imagined hands."""
    copy_table(decision.table, ROOT, TRIAL)
    for p in range(plan.players):
        x.sets[p, 0], x.sets[p, 1] = desk.sets[p, 0], desk.sets[p, 1]
        x.flips[p] = decision.flips[p]
    x.hidden[0], x.hidden[1] = decision.hidden[0], decision.hidden[1]


@piece
def meet(plan: Plan, decision: Decision, desk: Desk, brain: Brain, manners: Manners, x: Memory) -> None:
    """Imagine a world: everybody's cards, what kind of player each is, and what the others play first."""
    imagine_hands(plan, decision, desk)
    for p in range(plan.players):
        kind = manners.kinds[p]
        if kind == PEOPLE:
            reach = uniform(desk.states)
            for k in range(manners.mixed.size - 1, -1, -1):
                if reach < manners.shares[k]:
                    kind = manners.mixed[k]
        x.kinds[p] = kind
    catch_rows(plan.code, decision.table, ROOT, brain.eyes.catch)
    for p in range(plan.players):
        if p != decision.seat:
            me = hand_of(plan, decision, desk, p)
            x.first[p] = choose(plan, decision, desk, brain, manners, me, (ROOT, x.kinds[p]))
            # The network looks at the rows with its own eyes.
            catch_rows(plan.code, decision.table, ROOT, brain.eyes.catch)


@piece
def deal_second_half(plan: Plan, decision: Decision, desk: Desk, x: Memory) -> None:
    """Deal the hands of half-time from the cards that nobody has shown."""
    size = 0
    for card in range(1, plan.size + 1):
        if (x.hidden[card >> 6] >> U(card & 63)) & U(1) != U(0):
            desk.deck[size] = card
            size += 1
    need = plan.players * decision.later
    desk.states[0] = deal(desk.deck, U(size), desk.drawn, U(need), desk.states[0])
    for i in range(need):
        card = whole(desk.drawn[i])
        x.sets[i % plan.players, card >> 6] |= U(1) << U(card & 63)


@slow_kernel(25)
def live(
    plan: Plan,
    decision: Decision,
    desk: Desk,
    brain: Brain,
    manners: Manners,
    x: Memory,
    job: tuple[Worlds, Outcomes],
) -> None:
    """Let every candidate live through the same worlds."""
    worlds, out = job
    seat = decision.seat
    for i in range(worlds.first, worlds.last):
        desk.states[0] = stream(worlds.seed, U(i))
        meet(plan, decision, desk, brain, manners, x)
        state = desk.states[0]
        for c in range(worlds.choices.size):
            desk.states[0] = state
            set_out(plan, decision, desk, x)
            mine = whole(worlds.choices[c])
            out.heads[c, i] = 0
            for trick in range(decision.sizes[seat] + decision.later):
                if trick == decision.sizes[seat]:
                    deal_second_half(plan, decision, desk, x)
                play_trick(plan, decision, desk, brain, manners, x, mine if trick == 0 else 0)
                if trick == 0:
                    out.heads[c, i] = decision.table.points[TRIAL, seat]
            for p in range(plan.players):
                out.points[c, i, p] = decision.table.points[TRIAL, p]

"""Playing on: a round is played to its end, card by card, in worlds that explain what has been played.

What the network says of the rest of a round it says of any hands that the others may hold. But what they have
played tells something of their hands, and that matters the more, the fewer cards are left. So every world is
played on with the hands that it has, everybody choosing in their manner and none seeing the others' cards.
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.card_sets import U, single
from bullpen.bots.compiled import Array, piece, slow_kernel, whole
from bullpen.bots.estimates.compiled_view import Hand, list_plays
from bullpen.bots.search.brain import Brain
from bullpen.bots.search.decision import TRIAL, Decision
from bullpen.bots.search.memory import (
    EXPERT,
    HEATS,
    ODDS,
    Guesses,
    choose_in_manner,
    judge_as,
    remember_hands,
)
from bullpen.bots.search.regret import Span, draw_softly
from bullpen.bots.search.trial import Desk, below, place_chosen, try_trick, uniform
from bullpen.fast.chance import stream
from bullpen.fast.games import Plan

STREAM = U(1) << U(41)
"""Where the random streams of these worlds begin, apart from those of other worlds."""


class Rest(NamedTuple):
    """The cards that are tried, and the rest of a round as it is played on."""

    cards: Array
    """int64 [C]: the cards that are tried."""
    costs: Array
    """float64 [C]: what they have cost the seat to the end of the round, in all worlds together."""
    chosen: Array
    """int64 [n]: what everybody plays in the trick at hand."""
    hands: Array
    """uint64 [n, 2]: what everybody still holds."""
    hidden: Array
    """uint64 [2]: the cards that have not been face up."""


def new_rest(players: int, cards: list[int]) -> Rest:
    """Return the rest of a round, not yet played, for cards to be tried."""
    return Rest(
        np.array(cards, np.int64),
        np.zeros(len(cards)),
        np.zeros(players, np.int64),
        np.zeros((players, 2), np.uint64),
        np.zeros(2, np.uint64),
    )


@piece
def put_out(plan: Plan, desk: Desk, rest: Rest) -> None:
    """Take the chosen cards out of the hands: everybody has seen them now."""
    for p in range(plan.players):
        low, high = single(desk.chosen[p])
        rest.hands[p, 0] &= ~low
        rest.hands[p, 1] &= ~high
        rest.hidden[0] &= ~low
        rest.hidden[1] &= ~high


@piece
def least(costs: Array, size: int) -> int:
    """Return the place of the least cost."""
    best = 0
    for i in range(size):
        if costs[i] < costs[best]:
            best = i
    return best


@piece
def choose_later(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, rest: Rest, at: tuple[int, int]
) -> int:
    """Return the card that a seat plays in a later trick: in its manner; the one that is asked, its best."""
    seat, manner = at
    low, high = rest.hands[seat, 0], rest.hands[seat, 1]
    unseen = rest.hidden[0] & ~low, rest.hidden[1] & ~high
    me = Hand(low, high, unseen[0], unseen[1], plan.players, False, 0, 0, plan.digits, 0.0)
    size = list_plays(brain.eyes, me)
    pick = 0
    if size > 1 and seat == decision.seat:
        judge_as(plan, decision.table, TRIAL, brain, me, EXPERT, desk.costs)
        pick = least(desk.costs, size)
    elif size > 1 and uniform(desk.states) < ODDS[manner]:
        pick = below(desk.states, size)
    elif size > 1:
        judge_as(plan, decision.table, TRIAL, brain, me, manner, desk.costs)
        pick = draw_softly(desk, size, HEATS[manner])
    return whole(brain.eyes.cards[pick])


@piece
def play_rest(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, rest: Rest, guesses: Guesses
) -> float:
    """Play the cards of the trick at hand and on to the end of the round; return what it costs the seat."""
    n, seat = plan.players, decision.seat
    rest.hidden[0], rest.hidden[1] = decision.hidden[0], decision.hidden[1]
    for p in range(n):
        rest.hands[p, 0], rest.hands[p, 1] = desk.sets[p, 0], desk.sets[p, 1]
        desk.chosen[p] = rest.chosen[p]
    try_trick(plan, decision, desk)
    put_out(plan, desk, rest)
    while rest.hands[seat, 0] | rest.hands[seat, 1]:
        for p in range(n):
            desk.chosen[p] = choose_later(plan, decision, desk, brain, rest, (p, guesses.manners[p]))
        place_chosen(plan, decision, desk)
        put_out(plan, desk, rest)
    return float(decision.table.points[TRIAL, seat])


@slow_kernel(12)
def play_on(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, rest: Rest, guesses: Guesses, span: Span
) -> None:
    """Add up what the cards cost that are tried, in some worlds more."""
    for world in range(span.first, span.last):
        desk.states[0] = stream(span.seed, STREAM + U(world))
        remember_hands(plan, decision, desk, guesses)
        for p in range(plan.players):
            if p != decision.seat:
                choose_in_manner(plan, decision, desk, brain, p, guesses.manners[p])
                rest.chosen[p] = desk.chosen[p]
        # The same chance for every card: they then differ by little else than what they do.
        then = desk.states[0]
        for i in range(rest.cards.size):
            rest.chosen[decision.seat] = rest.cards[i]
            desk.states[0] = then
            rest.costs[i] += play_rest(plan, decision, desk, brain, rest, guesses)

# ruff: noqa: ARG001  all courses are called alike
"""Nifty: two cards at a time, in the order you like."""

from typing import Any, NamedTuple

import numpy as np

from bullpen.engine import Position, Ruleset
from bullpen.fast.compiled import Array, Int, piece, rule
from bullpen.fast.twins.course import COURSES, Course
from bullpen.fast.twins.state import (
    CARD,
    CHOOSE_ROW,
    OTHERS,
    PAIRS,
    ROW,
    Room,
    State,
    ask,
    ask_everybody,
    clear_table,
    clear_waits,
    deal_hands,
    end_round,
    leave_hand,
    list_pairs,
    list_rows,
    place_one,
    shuffle,
    start_rows,
    take,
    the_asked,
)
from bullpen.fast.twins.twin import Twin
from bullpen.rulesets.base import TRICK

HAND, CARDS = 14, 104
CHOOSE_ORDER = OTHERS


class NiftyPlan(NamedTuple):
    """Nifty for a number of players."""

    players: int


@piece()
def start_game(plan: NiftyPlan, s: State, b: Int) -> None:
    """There is nothing but scores."""


@piece()
def start_round(plan: NiftyPlan, s: State, b: Int) -> None:
    """Fourteen cards each (NIF-6)."""
    clear_table(plan.players, s, b)
    for i in range(CARDS):
        s.deck[b, i] = i + 1
    shuffle(s, b, CARDS, HAND * plan.players + 4)
    deal_hands(plan.players, s, b, HAND)
    start_rows(s, b)
    ask_everybody(plan.players, s, b, CARD)


@piece()
def list_options(plan: NiftyPlan, s: State, b: Int, seat: Int, out: Array) -> Int:
    """Any pair of the hand (NIF-4); either card first, the high one too (NIF-3); any row for a low card."""
    if s.kind[b] == CHOOSE_ROW:
        return list_rows(4, out)
    if s.kind[b] == CHOOSE_ORDER:
        out[0] = s.waits[b, s.placed[b], 0]
        out[1] = s.waits[b, s.placed[b] + 1, 0]
        return 2
    return list_pairs(s, b, seat, out)


@piece()
def answer(plan: NiftyPlan, s: State, b: Int, choices: Array) -> None:
    """Everybody plays two cards; each is a full placement (NIF-7)."""
    choice = np.int64(choices[b, the_asked(s, b)])
    lies: Int = True
    if s.kind[b] == CHOOSE_ROW:
        take(s, b, choice - ROW)
    elif s.kind[b] == CHOOSE_ORDER:
        if s.waits[b, s.placed[b], 0] != choice:
            turn_round(s, b)
        lies = place_one(s, b)
    else:
        reveal(plan, s, b, choices)
    if lies and place_pairs(s, b):
        end_trick(plan, s, b)


@rule
def reveal(plan: NiftyPlan, s: State, b: Int, choices: Array) -> None:
    """Whoever played the lowest card places both, then the lowest of the others decides (NIF-1)."""
    for seat in range(plan.players):
        low, high = np.int64(choices[b, seat]) >> 7, np.int64(choices[b, seat]) & 127
        leave_hand(s, b, seat, low)
        leave_hand(s, b, seat, high)
        at = 2 * seat
        while at > 0 and s.waits[b, at - 2, 0] > low:
            for i in range(at, at + 2):
                s.waits[b, i, 0], s.waits[b, i, 1] = s.waits[b, i - 2, 0], s.waits[b, i - 2, 1]
            at -= 2
        s.waits[b, at, 0], s.waits[b, at, 1] = low, seat
        s.waits[b, at + 1, 0], s.waits[b, at + 1, 1] = high, seat
    s.laid[b] = 2 * plan.players


@rule
def turn_round(s: State, b: Int) -> None:
    """Let the second card of the pair be placed first."""
    at = np.int64(s.placed[b])
    s.waits[b, at, 0], s.waits[b, at + 1, 0] = s.waits[b, at + 1, 0], s.waits[b, at, 0]


@rule
def place_pairs(s: State, b: Int) -> Int:
    """Ask for the order when a player's turn comes (NIF-2), else place; False where somebody is asked."""
    while s.placed[b] < s.laid[b]:
        if (np.int64(s.laid[b]) - np.int64(s.placed[b])) % 2 == 0:
            ask(s, b, np.int64(s.waits[b, s.placed[b], 1]), CHOOSE_ORDER)
            return False
        if not place_one(s, b):
            return False
    clear_waits(s, b)
    return True


@rule
def end_trick(plan: NiftyPlan, s: State, b: Int) -> None:
    """The round ends when the hands are empty."""
    if s.held[b, 0] == 0:
        end_round(plan.players, s, b)
    else:
        s.trick[b] += 1
        ask_everybody(plan.players, s, b, CARD)


COURSES[NiftyPlan] = Course(start_game, start_round, list_options, answer, cards_due=2)


class NiftyTwin(Twin):
    """Nifty, between the engine and the arrays."""

    game = "nifty"
    kinds = ("commit", "choose_row", "choose_order")
    seats = 7

    def plan(self, rules: Ruleset[Any]) -> NiftyPlan:
        """Return the game's plan."""
        return NiftyPlan(rules.players)

    def room(self, plan: NiftyPlan) -> Room:
        """Return the room that a game needs."""
        pairs = HAND * (HAND - 1) // 2
        return Room(deck=CARDS, hand=HAND, waits=2 * self.seats, options=pairs, numbers=PAIRS)

    def write(self, plan: NiftyPlan, s: State, b: int, rules: Any, position: Position) -> None:
        """Let the rules ask again what is open."""
        if s.kind[b] == CHOOSE_ROW:
            position.agenda = [TRICK]
            rules.place_one(position)
        else:
            self.reopen(s, b, rules, position)

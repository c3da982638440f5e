"""Double: two of every card; twins lie on each other and count as one."""

from typing import Any, NamedTuple

import numpy as np

from bullpen.engine import Position, Ruleset
from bullpen.fast.compiled import Array, Int, piece, rule
from bullpen.fast.rules import NOWHERE
from bullpen.fast.twins.course import COURSES, Course
from bullpen.fast.twins.state import (
    ASIDE,
    CARD,
    CHOOSE_ROW,
    FULL,
    ROW,
    Room,
    State,
    append,
    ask,
    ask_everybody,
    cheapest_row,
    clear_table,
    clear_waits,
    deal_hands,
    end_round,
    heads_of,
    lay,
    leave_hand,
    line_up,
    list_rows,
    pick_up,
    row_end,
    row_for,
    shuffle,
    the_asked,
)
from bullpen.fast.twins.state import take as take_alone
from bullpen.fast.twins.twin import Twin
from bullpen.rulesets.double import CHOOSER, DECK

HAND = 10
CHOOSERS = ("lowerTotal", "seat", "cheapestRow")
LOWER_TOTAL, LOWER_SEAT, NOBODY = range(3)


class DoublePlan(NamedTuple):
    """Double for a number of players."""

    players: int
    size: int
    """The cards in the deck: 208, or 113 (DBL-10)."""
    chooser: int
    """Who chooses for a low pair (DBL-5)."""


@piece()
def start_game(plan: DoublePlan, s: State, b: Int) -> None:
    """There is nothing but scores."""


@piece()
def start_round(plan: DoublePlan, s: State, b: Int) -> None:
    """Two decks, or one with the twins of the multiples of eleven (DBL-10)."""
    clear_table(plan.players, s, b)
    for i in range(plan.size):
        twin = i - 103 if plan.size == 208 else 11 * (i - 103)
        s.deck[b, i] = i + 1 if i < 104 else twin
    shuffle(s, b, plan.size, min(HAND * plan.players + 8, plan.size))
    deal_hands(plan.players, s, b, HAND)
    start_rows(s, b)
    ask_everybody(plan.players, s, b, CARD)


@rule
def start_rows(s: State, b: Int) -> None:
    """A start card equal to one that lies there is laid on it; go on until four rows exist (DBL-8)."""
    rows = 0
    while rows < 4:
        card = np.int64(s.deck[b, s.drawn[b]])
        s.drawn[b] += 1
        row = 0
        while row < rows and s.rows[b, row, 0] != card:
            row += 1
        append(s, b, row, card)
        rows = max(rows, row + 1)


@piece()
def list_options(plan: DoublePlan, s: State, b: Int, seat: Int, out: Array) -> Int:
    """Any number of the hand (DBL-12); any row, but a low pair may be bound to the cheapest one (DBL-5)."""
    if s.kind[b] == CHOOSE_ROW:
        if plan.chooser == NOBODY and unit(s, b) == 2:
            out[0] = ROW + cheapest_row(s, b)
            return 1
        return list_rows(4, out)
    count = 0
    for i in range(np.int64(s.held[b, seat])):
        if i == 0 or s.hands[b, seat, i] != s.hands[b, seat, i - 1]:
            out[count] = s.hands[b, seat, i]
            count += 1
    return count


@piece()
def answer(plan: DoublePlan, s: State, b: Int, choices: Array) -> None:
    """Everybody plays a card; the twins of a trick are placed together (DBL-1)."""
    if s.kind[b] == CHOOSE_ROW:
        take(s, b, choices[b, the_asked(s, b)] - ROW)
    else:
        for seat in range(plan.players):
            leave_hand(s, b, seat, choices[b, seat])
            lay(s, b, seat, choices[b, seat])
        line_up(s, b)
    while s.placed[b] < s.laid[b]:
        if not place_next(plan, s, b):
            return
    clear_waits(s, b)
    if s.held[b, 0] == 0:
        end_round(plan.players, s, b)
    else:
        s.trick[b] += 1
        ask_everybody(plan.players, s, b, CARD)


@rule
def unit(s: State, b: Int) -> Int:
    """Return how many cards are placed next: two if the next one's twin was played as well."""
    at = np.int64(s.placed[b])
    return 2 if at + 1 < s.laid[b] and s.waits[b, at, 0] == s.waits[b, at + 1, 0] else 1


@rule
def place_next(plan: DoublePlan, s: State, b: Int) -> Int:
    """On top of an equal end, whatever the length of the row (DBL-4, DBL-9); else as ever."""
    card = np.int64(s.waits[b, s.placed[b], 0])
    for row in range(4):
        if row_end(s, b, row) == card:
            put(s, b, row)
            return True
    row = row_for(s, b, card)
    if row == NOWHERE:
        ask(s, b, chooser(plan, s, b), CHOOSE_ROW)
        return False
    if is_full(s, b, row):
        take(s, b, row)
    else:
        put(s, b, row)
    return True


@rule
def is_full(s: State, b: Int, row: Int) -> Int:
    """Five positions, however many cards (DBL-2)."""
    positions = 1
    for i in range(1, np.int64(s.counts[b, row])):
        positions += s.rows[b, row, i] != s.rows[b, row, i - 1]
    return positions >= FULL


@rule
def put(s: State, b: Int, row: Int) -> None:
    """Lay the whole unit into one position (DBL-13)."""
    for _ in range(unit(s, b)):
        append(s, b, row, s.waits[b, s.placed[b], 0])
        s.placed[b] += 1


@rule
def take(s: State, b: Int, row: Int) -> None:
    """Two owners take together: each is charged half the bullheads, rounded up (DBL-3, DBL-7)."""
    if unit(s, b) == 1:
        take_alone(s, b, row)
        return
    charged = (heads_of(s, b, row) + 1) // 2
    for i in range(2):
        s.points[b, s.waits[b, np.int64(s.placed[b]) + i, 1]] += charged
    pick_up(s, b, row, ASIDE)
    put(s, b, row)


@rule
def chooser(plan: DoublePlan, s: State, b: Int) -> Int:
    """The owner; of a pair the one with the lower total before the round, if equal the lower seat (DBL-5)."""
    at = np.int64(s.placed[b])
    one = np.int64(s.waits[b, at, 1])
    if unit(s, b) == 1:
        return one
    other = np.int64(s.waits[b, at + 1, 1])
    if plan.chooser == LOWER_TOTAL and s.scores[b, one] != s.scores[b, other]:
        return one if s.scores[b, one] < s.scores[b, other] else other
    return min(one, other)


COURSES[DoublePlan] = Course(start_game, start_round, list_options, answer)


class DoubleTwin(Twin):
    """Double, between the engine and the arrays."""

    game = "double"
    kinds = ("commit", "choose_row")
    one_word = True
    cards = 208

    def plan(self, rules: Ruleset[Any]) -> DoublePlan:
        """Return the game's plan."""
        chooser = CHOOSERS.index(str(rules.options[CHOOSER.key]))
        return DoublePlan(rules.players, int(rules.options[DECK.key]), chooser)

    def room(self, plan: DoublePlan) -> Room:
        """Return the room that a game needs."""
        return Room(deck=plan.size, places=2 * FULL)

    def write(self, plan: DoublePlan, s: State, b: int, rules: Any, position: Position) -> None:
        """Let the rules ask again what is open."""
        self.reopen(s, b, rules, position)

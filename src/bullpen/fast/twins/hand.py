# ruff: noqa: ARG001  all courses are called alike
"""Hand: what you must take you may take into your hand."""

from typing import Any, NamedTuple

import numpy as np

from bullpen.engine import Choice, Keep, Ruleset, neighbour, step
from bullpen.fast.compiled import Array, Int, piece, rule
from bullpen.fast.errors import FastError
from bullpen.fast.rules import HEADS, NOWHERE
from bullpen.fast.twins.course import COURSES, Course
from bullpen.fast.twins.state import (
    CARD,
    CHOOSE_ROW,
    FULL,
    OTHERS,
    PASS,
    ROW,
    Room,
    State,
    append,
    ask,
    clear_table,
    clear_waits,
    deal_hands,
    end_round,
    forget,
    holds,
    insert_card,
    know,
    lay,
    leave_hand,
    list_hand,
    list_rows,
    row_for,
    shuffle,
    start_rows,
    the_asked,
)
from bullpen.fast.twins.twin import Twin
from bullpen.rulesets.base import PLACE_NEXT, TAKE_CHOSEN
from bullpen.rulesets.hand import FIRST, LAP, LAPS, SECOND, HandPosition

DEALT, CARDS, HAND_LIMIT, PILE_LIMIT = 14, 104, 16, 20
SECOND_CARD, SPLIT_TAKE = OTHERS, OTHERS + 1
KEEP = 128
"""Added to a set of the taken cards, as bits in the order of the row, for what is kept in hand."""

OFFERED, TAKEN_COUNT, TAKEN = 0, 1, 2
"""Places in `own`: whether the second card of this turn has been offered; how many cards are taken and not
divided yet, and from here on which; behind them the number of cards in each pile."""
PILED = TAKEN + FULL


class HandPlan(NamedTuple):
    """Hand for a number of players."""

    players: int
    first: int
    """The seat that has the first turn."""
    committed: int
    """Whether a second card is announced before the first is placed (HAND-2)."""
    laps: int
    """After so many turns each the game is stopped (HAND-10)."""


@piece()
def start_game(plan: HandPlan, s: State, b: Int) -> None:
    """One deal is the whole game (HAND-13)."""


@piece()
def start_round(plan: HandPlan, s: State, b: Int) -> None:
    """Fourteen cards each."""
    clear_table(plan.players, s, b)
    for i in range(s.own.shape[1]):
        s.own[b, i] = 0
    for i in range(CARDS):
        s.deck[b, i] = i + 1
    shuffle(s, b, CARDS, DEALT * plan.players + 4)
    deal_hands(plan.players, s, b, DEALT)
    start_rows(s, b)
    turn(s, b, plan.first)


@piece()
def list_options(plan: HandPlan, s: State, b: Int, seat: Int, out: Array) -> Int:
    """Any card; a second one or none; any row; any of the taken cards, while there is room in the hand."""
    if s.kind[b] == CHOOSE_ROW:
        return list_rows(4, out)
    if s.kind[b] == SPLIT_TAKE:
        return list_splits(s, b, seat, out)
    if s.kind[b] == SECOND_CARD:
        out[0] = PASS
        return 1 + list_hand(s, b, seat, out[1:])
    return list_hand(s, b, seat, out)


@rule
def list_splits(s: State, b: Int, seat: Int, out: Array) -> Int:
    """Any of the taken cards that there is room for."""
    count = 0
    for kept in range(1 << np.int64(s.own[b, TAKEN_COUNT])):
        if has_room(s, b, seat, kept):
            out[count] = KEEP + kept
            count += 1
    return count


@piece()
def allows(plan: HandPlan, s: State, b: Int, seat: Int, choice: Int, options: Array) -> Int:
    """Whether a choice is among those listed, without a list."""
    if s.kind[b] == CHOOSE_ROW:
        return ROW <= choice < ROW + 4
    if s.kind[b] == SECOND_CARD:
        return choice == PASS or holds(s, b, seat, choice)
    kept = choice - KEEP
    return 0 <= kept < 1 << s.own[b, TAKEN_COUNT] and has_room(s, b, seat, kept)


@rule
def has_room(s: State, b: Int, seat: Int, kept: Int) -> Int:
    """Whether the hand holds at most sixteen cards with those that are kept (HAND-3)."""
    cards = np.int64(s.held[b, seat])
    for i in range(FULL):
        cards += (kept >> i) & 1
    return cards <= HAND_LIMIT


@piece()
def answer(plan: HandPlan, s: State, b: Int, choices: Array) -> None:
    """A turn: one card or two, each placed with all that it brings about."""
    seat = the_asked(s, b)
    choice = np.int64(choices[b, seat])
    kind = s.kind[b]
    if kind == CHOOSE_ROW:
        take(s, b, choice - ROW)
        return
    if kind == SPLIT_TAKE:
        divide(s, b, seat, choice - KEEP)
    elif choice != PASS:
        leave_hand(s, b, seat, choice)
        forget(s, b, seat, choice)
        lay(s, b, seat, choice)
    if kind == CARD and plan.committed:
        offer_second(s, b, seat)
        return
    if place_all(s, b):
        if s.own[b, OFFERED]:
            end_turn(plan, s, b, seat)
        else:
            offer_second(s, b, seat)


@rule
def turn(s: State, b: Int, seat: Int) -> None:
    """At least one card must be played (HAND-5)."""
    s.own[b, OFFERED] = 0
    ask(s, b, seat, CARD)


@rule
def offer_second(s: State, b: Int, seat: Int) -> None:
    """One more card may be played (HAND-6)."""
    s.own[b, OFFERED] = 1
    ask(s, b, seat, SECOND_CARD)


@rule
def place_all(s: State, b: Int) -> Int:
    """Place the cards on the table in the owner's order; False where there is something to decide first."""
    while s.placed[b] < s.laid[b]:
        card = np.int64(s.waits[b, s.placed[b], 0])
        row = row_for(s, b, card)
        if row == NOWHERE:
            ask(s, b, np.int64(s.waits[b, s.placed[b], 1]), CHOOSE_ROW)
            return False
        if s.counts[b, row] >= FULL:
            take(s, b, row)
            return False
        append(s, b, row, card)
        s.placed[b] += 1
    clear_waits(s, b)
    return True


@rule
def take(s: State, b: Int, row: Int) -> None:
    """The card restarts the row and the taker divides what lay there (HAND-12)."""
    count = np.int64(s.counts[b, row])
    for i in range(count):
        s.own[b, TAKEN + i] = s.rows[b, row, i]
    s.own[b, TAKEN_COUNT] = count
    s.counts[b, row] = 0
    append(s, b, row, s.waits[b, s.placed[b], 0])
    s.placed[b] += 1
    ask(s, b, np.int64(s.waits[b, np.int64(s.placed[b]) - 1, 1]), SPLIT_TAKE)


@rule
def divide(s: State, b: Int, seat: Int, kept: Int) -> None:
    """What is kept goes into the hand before everybody's eyes (HAND-11), the rest to the pile."""
    for i in range(np.int64(s.own[b, TAKEN_COUNT])):
        card = np.int64(s.own[b, TAKEN + i])
        if (kept >> i) & 1:
            insert_card(s, b, seat, card)
            know(s, b, seat, card)
        else:
            s.taken[b, s.logged[b]] = card
            s.takers[b, s.logged[b]] = seat
            s.logged[b] += 1
            s.own[b, PILED + seat] += 1
            s.points[b, seat] += np.int64(HEADS[card])
    s.own[b, TAKEN_COUNT] = 0


@rule
def end_turn(plan: HandPlan, s: State, b: Int, seat: Int) -> None:
    """Everybody has a turn; the end is looked at only when all had equally many (HAND-8)."""
    following = (seat + 1) % plan.players
    if following == plan.first:
        if is_over(plan, s, b):
            count_hands(plan, s, b)
            end_round(plan.players, s, b)
            return
        s.trick[b] += 1
    turn(s, b, following)


@rule
def is_over(plan: HandPlan, s: State, b: Int) -> Int:
    """A hand is empty or a pile has more than twenty cards; or it has gone on too long (HAND-10)."""
    for seat in range(plan.players):
        if s.held[b, seat] == 0 or s.own[b, PILED + seat] > PILE_LIMIT:
            return True
    return s.trick[b] >= plan.laps


@rule
def count_hands(plan: HandPlan, s: State, b: Int) -> None:
    """Bullheads in the hand count twice (HAND-9)."""
    for seat in range(plan.players):
        for i in range(np.int64(s.held[b, seat])):
            s.points[b, seat] += 2 * np.int64(HEADS[s.hands[b, seat, i]])


COURSES[HandPlan] = Course(start_game, start_round, list_options, answer, allows=allows)


class HandTwin(Twin):
    """Hand, between the engine and the arrays."""

    game = "hand"
    kinds = ("hand_turn", "choose_row", "second_card", "split_take")
    seats = 7

    def plan(self, rules: Ruleset[Any]) -> HandPlan:
        """Return the game's plan."""
        options = rules.options
        committed = int(options[SECOND.key] == "committed")
        return HandPlan(rules.players, int(options[FIRST.key]), committed, int(options[LAPS.key]))

    def room(self, plan: HandPlan) -> Room:
        """Return the room that a game needs."""
        own = PILED + self.seats
        return Room(deck=CARDS, hand=HAND_LIMIT, known=HAND_LIMIT, own=own, options=1 << FULL)

    def number(self, choice: Choice, position: HandPosition | None) -> int:
        """Return a choice as a number: which of the taken cards are kept is a set of bits."""
        if isinstance(choice, Keep):
            if position is None:
                raise FastError("What is kept has a number only beside the position that the cards lie in.")
            return KEEP + sum(1 << at for at, card in enumerate(position.taken) if card in choice.cards)
        return super().number(choice, position)

    def read(self, plan: HandPlan, position: HandPosition, s: State) -> None:
        """Set what is taken, the piles, and whether the second card has been offered."""
        s.own[0, TAKEN_COUNT] = len(position.taken)
        s.own[0, TAKEN : TAKEN + len(position.taken)] = position.taken
        s.own[0, PILED : PILED + plan.players] = [len(pile) for pile in position.piles]
        to_come = {"offer_second", "first_played"} & {name for name, _ in position.agenda}
        s.own[0, OFFERED] = not to_come

    def write(self, plan: HandPlan, s: State, b: int, rules: Any, position: HandPosition) -> None:
        """Set what is taken, and ask again what is open."""
        seat, kind = int(s.asked[b]).bit_length() - 1, int(s.kind[b])
        position.taken = tuple(s.own[b, TAKEN : TAKEN + s.own[b, TAKEN_COUNT]].tolist())
        seats = [neighbour(plan.first, plan.players, steps) for steps in range(plan.players)]
        position.next(*(step("turn", other) for other in seats[seats.index(seat) + 1 :]), LAP)
        if kind in (CHOOSE_ROW, SPLIT_TAKE) and not s.own[b, OFFERED]:
            position.next(step("offer_second", seat), PLACE_NEXT)
        following = {
            CARD: (step("first_played", seat),),
            SECOND_CARD: (step("second_played", seat), PLACE_NEXT),
            CHOOSE_ROW: (TAKE_CHOSEN, PLACE_NEXT),
            SPLIT_TAKE: (step("divided", seat), PLACE_NEXT),
        }
        position.next(*following[kind])
        about = (position.table[0].card,) if kind == CHOOSE_ROW else ()
        rules.ask(position, self.kinds[kind - 1], seat, about=about)

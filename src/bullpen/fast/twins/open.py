# ruff: noqa: ARG001  all courses are called alike
"""Open: cards are laid face up one after another, and everybody sees what came before."""

from typing import Any, NamedTuple

from bullpen.engine import Ruleset, Seat, neighbour, step
from bullpen.fast.compiled import Array, Int, piece
from bullpen.fast.twins.course import COURSES, Course
from bullpen.fast.twins.state import (
    CARD,
    CHOOSE_ROW,
    ROW,
    Room,
    State,
    ask,
    clear_table,
    deal_hands,
    end_round,
    lay,
    leave_hand,
    line_up,
    list_hand,
    list_rows,
    place_waiting,
    shuffle,
    start_rows,
    take,
    the_asked,
)
from bullpen.fast.twins.twin import Twin
from bullpen.rulesets.base import PLACE_NEXT, TRICK
from bullpen.rulesets.open import ACROSS, FIRST, OpenPosition

HAND = 10
CARDS = 103
"""The 1 is never dealt (OPEN-4)."""
MARKER = 0
"""The place in `own` of the seat that lays first."""


class OpenPlan(NamedTuple):
    """Open for a number of players."""

    players: int
    first: int
    """The seat that holds the first-player card at the start."""
    across: int
    """Whether the card keeps travelling at a new deal (OPEN-3)."""


@piece()
def start_game(plan: OpenPlan, s: State, b: Int) -> None:
    """The oldest player holds the marker."""
    s.own[b, MARKER] = plan.first


@piece()
def start_round(plan: OpenPlan, s: State, b: Int) -> None:
    """Deal; the marker stays where it has got to, unless agreed otherwise (OPEN-3)."""
    clear_table(plan.players, s, b)
    for i in range(CARDS):
        s.deck[b, i] = i + 2
    shuffle(s, b, CARDS, HAND * plan.players + 4)
    deal_hands(plan.players, s, b, HAND)
    start_rows(s, b)
    if not plan.across:
        s.own[b, MARKER] = plan.first
    ask(s, b, s.own[b, MARKER], CARD)


@piece()
def list_options(plan: OpenPlan, s: State, b: Int, seat: Int, out: Array) -> Int:
    """Any card of the hand; any row for a low card."""
    if s.kind[b] == CHOOSE_ROW:
        return list_rows(4, out)
    return list_hand(s, b, seat, out)


@piece()
def answer(plan: OpenPlan, s: State, b: Int, choices: Array) -> None:
    """From the marker clockwise everybody lays a card; then all are placed by number (OPEN-5, OPEN-6)."""
    seat = the_asked(s, b)
    choice = choices[b, seat]
    if s.kind[b] == CHOOSE_ROW:
        take(s, b, choice - ROW)
    else:
        leave_hand(s, b, seat, choice)
        lay(s, b, seat, choice)
        if s.laid[b] < plan.players:
            ask(s, b, (seat + 1) % plan.players, CARD)
            return
        line_up(s, b)
    if place_waiting(s, b):
        end_trick(plan, s, b)


@piece()
def end_trick(plan: OpenPlan, s: State, b: Int) -> None:
    """After every trick the marker goes to the left-hand neighbour (OPEN-2)."""
    s.own[b, MARKER] = (s.own[b, MARKER] + 1) % plan.players
    if s.held[b, 0] == 0:
        end_round(plan.players, s, b)
    else:
        s.trick[b] += 1
        ask(s, b, s.own[b, MARKER], CARD)


COURSES[OpenPlan] = Course(start_game, start_round, list_options, answer)


class OpenTwin(Twin):
    """Open, between the engine and the arrays."""

    game = "open"
    kinds = ("open_play", "choose_row")
    one_word = True
    own_bytes = 1
    marker = MARKER

    def plan(self, rules: Ruleset[Any]) -> OpenPlan:
        """Return the game's plan."""
        return OpenPlan(rules.players, int(rules.options[FIRST.key]), int(rules.options[ACROSS.key]))

    def room(self, plan: Any) -> Room:
        """Return the room that a game needs."""
        return Room(deck=CARDS, own=1)

    def read(self, plan: OpenPlan, position: OpenPosition, s: State) -> None:
        """Set who lays first."""
        s.own[0, MARKER] = position.first

    def write(self, plan: OpenPlan, s: State, b: int, rules: Any, position: OpenPosition) -> None:
        """Set who lays first, and let the rules ask again what is open."""
        position.first = int(s.own[b, MARKER])
        position.agenda = [TRICK, step("pass_marker")]
        if s.kind[b] == CHOOSE_ROW:
            rules.place_next(position)
            return
        position.agenda += [PLACE_NEXT, step("line_up")]
        seats: list[Seat] = [neighbour(position.first, plan.players, steps) for steps in range(plan.players)]
        position.next(*(step("lay", seat) for seat in seats[len(position.table) + 1 :]))
        rules.lay(position, seats[len(position.table)])

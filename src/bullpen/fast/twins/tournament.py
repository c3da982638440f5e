# ruff: noqa: ARG001  all courses are called alike
"""Tournament: every player plays every drafted hand once, against the same start cards.

The twin plays it after the draft; a tournament that it deals itself has random hands.
"""

from typing import Any, NamedTuple

import numpy as np

from bullpen.engine import Ruleset
from bullpen.fast.chance import sort_four
from bullpen.fast.compiled import Array, Int, piece
from bullpen.fast.twins.course import COURSES, Course
from bullpen.fast.twins.state import (
    CARD,
    CHOOSE_ROW,
    ROW,
    Room,
    State,
    ask_everybody,
    clear_table,
    end_round,
    insert_card,
    lay,
    leave_hand,
    line_up,
    list_hand,
    list_rows,
    place_waiting,
    shuffle,
    take,
    the_asked,
)
from bullpen.fast.twins.twin import Twin
from bullpen.rulesets.tournament import TournamentPosition

HAND = 10
PLAYED = 0
"""The place in `own` of the number of games that have begun. The sheets lie in `deck`: the hands as drafted,
ten cards each, then the start cards."""


class TournamentPlan(NamedTuple):
    """Tournament for a number of players."""

    players: int


@piece()
def start_game(plan: TournamentPlan, s: State, b: Int) -> None:
    """A tournament begins with a draft."""
    s.own[b, PLAYED] = 0


@piece()
def draft(plan: TournamentPlan, s: State, b: Int) -> None:
    """Deal hands by chance; the four cards left over start the rows, ascending (LOG-5)."""
    size = HAND * plan.players + 4
    for i in range(size):
        s.deck[b, i] = i + 1
    shuffle(s, b, size, size)
    sort_four(s.deck[b], size - 4)


@piece()
def start_round(plan: TournamentPlan, s: State, b: Int) -> None:
    """Draft for the first game; for the others pass the sheets to the left-hand neighbour (TRN-2, TRN-3)."""
    clear_table(plan.players, s, b)
    game = np.int64(s.own[b, PLAYED]) % plan.players
    if game == 0:
        draft(plan, s, b)
    for seat in range(plan.players):
        owner = (seat - game + plan.players) % plan.players
        for k in range(HAND):
            insert_card(s, b, seat, s.deck[b, HAND * owner + k])
    for row in range(4):
        s.rows[b, row, 0] = s.deck[b, HAND * plan.players + row]
        s.counts[b, row] = 1
    s.drawn[b] = HAND * plan.players + 4
    s.own[b, PLAYED] = game + 1
    ask_everybody(plan.players, s, b, CARD)


@piece()
def list_options(plan: TournamentPlan, s: State, b: Int, seat: Int, out: Array) -> Int:
    """Any card of the hand; any row for a low card."""
    if s.kind[b] == CHOOSE_ROW:
        return list_rows(4, out)
    return list_hand(s, b, seat, out)


@piece()
def answer(plan: TournamentPlan, s: State, b: Int, choices: Array) -> None:
    """Everybody plays a card; they are placed as in the base game."""
    if s.kind[b] == CHOOSE_ROW:
        take(s, b, choices[b, the_asked(s, b)] - ROW)
    else:
        for seat in range(plan.players):
            leave_hand(s, b, seat, choices[b, seat])
            lay(s, b, seat, choices[b, seat])
        line_up(s, b)
    if place_waiting(s, b):
        if s.held[b, 0] == 0:
            end_round(plan.players, s, b)
        else:
            s.trick[b] += 1
            ask_everybody(plan.players, s, b, CARD)


COURSES[TournamentPlan] = Course(start_game, start_round, list_options, answer)


class TournamentTwin(Twin):
    """Tournament, between the engine and the arrays."""

    game = "tournament"
    kinds = ("commit", "choose_row")
    one_word = True
    own_bytes = 105  # of the draft: who picks, and the display
    nobody = ("memory", "games", "states")
    owner = ()

    def plan(self, rules: Ruleset[Any]) -> TournamentPlan:
        """Return the game's plan."""
        return TournamentPlan(rules.players)

    def room(self, plan: TournamentPlan) -> Room:
        """Return the room that a game needs."""
        return Room(deck=HAND * plan.players + 4, own=1)

    def read(self, plan: TournamentPlan, position: TournamentPosition, s: State) -> None:
        """Take over the sheets."""
        s.own[0, PLAYED] = position.round
        cards = [card for sheet in position.sheets for card in sheet]
        s.deck[0, : len(cards) + 4] = [*cards, *position.start]

    def write(self, plan: TournamentPlan, s: State, b: int, rules: Any, position: TournamentPosition) -> None:
        """Let the rules ask again what is open."""
        self.reopen(s, b, rules, position)

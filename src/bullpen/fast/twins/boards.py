# ruff: noqa: ARG001  all courses are called alike
"""The board games: tiles on a board whose spaces give and take points, with action cards and luck cards."""

from typing import Any

import numpy as np

from bullpen.fast.chance import U, deal
from bullpen.fast.compiled import Array, Int, piece, rule
from bullpen.fast.twins.board_cards import (
    allows_way,
    current_turn,
    forget_plan,
    landing,
    leave_screen,
    list_ways,
    play_card,
)
from bullpen.fast.twins.board_rows import (
    draw_action,
    move_to,
    next_empty,
    on_track,
    put_down,
    start_with,
    take_row,
)
from bullpen.fast.twins.board_state import (
    ACTOR,
    CHOOSE_EMPTY_ROW,
    CHOOSE_LUCK,
    CHOOSE_TWO_TILES,
    CLOVERS,
    DEALS,
    DOUBLE,
    DUE,
    LUCK,
    NO_ROW,
    PLAY_ACTIONS,
    PLAY_LUCK,
    PLUS_FIVE,
    POSITIVE_OX,
    ROW_TAKEN,
    SPECIAL,
    TILE_TAKING,
    TILES,
    VEILED,
    BoardPlan,
    is_covered,
)
from bullpen.fast.twins.course import COURSES, Course
from bullpen.fast.twins.state import (
    CARD,
    OVER,
    PASS,
    ROW,
    State,
    ask,
    ask_everybody,
    clear_table,
    clear_waits,
    deal_hands,
    is_among,
    lay,
    line_up,
    list_hand,
    list_pairs,
    shuffle,
    the_asked,
)

HAND, ACTION_HAND = 12, 2


# Set-up.


@piece()
def set_up(plan: Any, s: Any, b: Int) -> None:
    """The board is empty, and the cards lie beside it; twelve tiles each and four rows (BRD-16, EXP-2)."""
    clear_table(plan.players, s, b)
    clear_cards(plan, s, b)
    for i in range(TILES):
        s.deck[b, i] = i + 1
    shuffle(s, b, TILES, TILES)
    deal_hands(plan.players, s, b, HAND)
    for row in range(plan.first_row, plan.first_row + 4):
        start_with(s, b, row, np.int64(s.deck[b, s.drawn[b]]))
        s.drawn[b] += 1
    s.own[b, DEALS] = 1
    if plan.expert:
        for seat in range(plan.players):
            for _ in range(ACTION_HAND):
                draw_action(s, b, seat)
    ask_for_tiles(plan, s, b)


@piece()
def clear_cards(plan: Any, s: Any, b: Int) -> None:
    """Put all cards back, and shuffle the action cards."""
    for i in range(s.own.shape[1]):
        s.own[b, i] = 0
    s.own[b, ROW_TAKEN] = NO_ROW
    s.stopped[b] = s.planned[b] = s.acted[b] = s.discarded[b] = 0
    for seat in range(plan.players):
        s.scores[b, seat] = 0
        for card in range(8):
            s.cards[b, seat, card] = 0
    at = 0
    for card in range(8):
        s.piles[b, card] = plan.cards[card] if plan.luck and card >= LUCK else 0
        if plan.expert and card < LUCK:
            for _ in range(np.int64(plan.cards[card])):
                s.actions[b, at] = card
                at += 1
    s.piled[b] = at
    s.states[b] = deal(s.actions[b], U(at), s.actions[b], U(at), s.states[b])


@piece()
def ask_for_tiles(plan: Any, s: Any, b: Int) -> None:
    """Whether two tiles are due is looked at once, before anybody chooses (BRD-12)."""
    s.own[b, DUE] = 2 if two_tiles_due(plan, s, b) else 1
    ask_everybody(plan.players, s, b, CARD)


@rule
def tiles_due(s: Any, b: Int, seat: Int) -> Int:
    """Return how many tiles a seat plays: whoever has one tile left plays that one (BRD-13, EXP-28)."""
    return min(np.int64(s.own[b, DUE]), np.int64(s.held[b, seat]))


@piece()
def two_tiles_due(plan: Any, s: Any, b: Int) -> Int:
    """Whether an active row shows a two-tile symbol (BRD-19, EXP-13)."""
    for row in range(plan.rows):
        if s.counts[b, row]:
            for space in range(np.int64(plan.lengths[row])):
                if plan.sorts[row, space] == DOUBLE and not is_covered(s, b, row, space):
                    return True
    return False


# Questions.


@piece()
def list_answers(plan: Any, s: Any, b: Int, seat: Int, out: Array) -> Int:
    """Tiles, cards, rows: whatever answers the open question."""
    kind = s.kind[b]
    if kind == CARD:
        if tiles_due(s, b, seat) == 2:
            return list_pairs(s, b, seat, out)
        return list_hand(s, b, seat, out)
    if kind == CHOOSE_LUCK:
        return list_luck(s, b, out)
    if kind == CHOOSE_EMPTY_ROW:
        return list_empty_rows(plan, s, b, out)
    if kind == CHOOSE_TWO_TILES:
        return list_two_tiles(s, b, out)
    out[0] = PASS
    return list_ways(plan, s, b, seat, out, 1)


@piece()
def allows_answer(plan: Any, s: Any, b: Int, seat: Int, choice: Int, options: Array) -> Int:
    """Whether a choice answers a question that is not about the tiles of a trick."""
    if s.kind[b] in (PLAY_ACTIONS, PLAY_LUCK):
        return choice == PASS or allows_way(plan, s, b, seat, choice)
    return is_among(options, list_answers(plan, s, b, seat, options), choice)


@piece()
def list_luck(s: Any, b: Int, out: Array) -> Int:
    """Either pile that has cards (LUCK-6)."""
    count = 0
    for card in range(LUCK, LUCK + 2):
        if s.piles[b, card]:
            out[count] = SPECIAL | card << 7
            count += 1
    return count


@piece()
def list_empty_rows(plan: Any, s: Any, b: Int, out: Array) -> Int:
    """Any empty row but the one just taken, where the tile still lies (EXP-3)."""
    count = 0
    for row in range(plan.rows):
        if s.counts[b, row] == 0:
            out[count] = ROW + row
            count += 1
    return count


@piece()
def list_two_tiles(s: Any, b: Int, out: Array) -> Int:
    """Any two of the row's other tiles, or as many as there are (LUCK-9)."""
    row, played = np.int64(s.own[b, ROW_TAKEN]), np.int64(s.own[b, TILE_TAKING])
    tiles = np.int64(s.counts[b, row])
    count = 0
    for i in range(tiles):
        for j in range(i + 1, tiles):
            one, other = np.int64(s.rows[b, row, i]), np.int64(s.rows[b, row, j])
            if played not in (one, other):
                out[count] = min(one, other) << 7 | max(one, other)
                count += 1
    if count == 0:
        out[0] = PASS
        for i in range(tiles):
            if s.rows[b, row, i] != played:
                out[0] = s.rows[b, row, i]
        count = 1
    return count


# A trick.


@piece()
def take_answer(plan: Any, s: Any, b: Int, choices: Array) -> None:
    """Tiles are placed one by one, each with all that its space brings about."""
    seat = the_asked(s, b)
    choice = np.int64(choices[seat])
    kind = s.kind[b]
    if kind == CARD:
        reveal(plan, s, b, choices)
    elif kind == CHOOSE_LUCK:
        card = (choice >> 7) & 7
        s.piles[b, card] -= 1
        s.cards[b, seat, card] += 1
        s.own[b, CLOVERS] -= 1
    elif kind == CHOOSE_TWO_TILES:
        take_row(plan, s, b, choice)
    elif kind == CHOOSE_EMPTY_ROW:
        move_to(plan, s, b, choice - ROW)
    elif choice == PASS:
        put_down(plan, s, b)
    else:
        play_card(s, b, seat, choice)
    go_on(plan, s, b)


@piece()
def reveal(plan: Any, s: Any, b: Int, choices: Array) -> None:
    """All tiles of a trick form one ascending sequence, whoever played two (BRD-14)."""
    for seat in range(plan.players):
        low, high = np.int64(choices[seat]) >> 7, np.int64(choices[seat]) & 127
        if low:
            leave_screen(s, b, seat, low)
            lay(s, b, seat, low)
        leave_screen(s, b, seat, high)
        lay(s, b, seat, high)
    line_up(s, b)


@piece()
def go_on(plan: Any, s: Any, b: Int) -> None:
    """Do what is to be done, in the order of the rules, until somebody has to decide."""
    while True:
        seat = np.int64(s.own[b, ACTOR])
        if s.own[b, CLOVERS] > 0:
            # LUCK-6: no claim is kept.
            if s.piles[b, PLUS_FIVE] + s.piles[b, POSITIVE_OX] > 0:
                ask(s, b, seat, CHOOSE_LUCK)
                return
            s.own[b, CLOVERS] = 0
        elif s.own[b, ROW_TAKEN] != NO_ROW:
            if s.kind[b] == CHOOSE_TWO_TILES:
                return
            if plan.expert:
                ask(s, b, seat, CHOOSE_EMPTY_ROW)
                return
            move_to(plan, s, b, next_empty(plan, s, b))
        elif s.placed[b] == s.laid[b]:
            end_trick(plan, s, b)
            return
        else:
            if open_window(plan, s, b):
                return
            put_down(plan, s, b)


@piece()
def end_trick(plan: Any, s: Any, b: Int) -> None:
    """Deal again (BRD-15), end the game (EXP-19, EXP-21), or play the next trick."""
    clear_waits(s, b)
    empty = 0
    for seat in range(plan.players):
        empty += s.held[b, seat] == 0
    if empty == plan.players and s.own[b, DEALS] < plan.deals:
        deal_hands(plan.players, s, b, HAND)
        s.own[b, DEALS] += 1
        empty = 0
    if empty or (plan.expert and s.trick[b] >= plan.tricks):
        final_count(plan, s, b)
    else:
        s.trick[b] += 1
        ask_for_tiles(plan, s, b)


@piece()
def open_window(plan: Any, s: Any, b: Int) -> Int:
    """Whoever holds cards may play some before the tile lies; a plan that cannot be kept lapses (EXP-25)."""
    seat = np.int64(s.waits[b, s.placed[b], 1])
    turn = current_turn(s, b)
    if landing(plan, s, b, turn) < 0:
        forget_plan(s, b, turn.tile)
    actions = np.int64(s.veiled[b, seat])
    for card in range(LUCK):
        actions += s.cards[b, seat, card]
    luck = s.cards[b, seat, PLUS_FIVE] + s.cards[b, seat, POSITIVE_OX]
    if actions or luck:
        ask(s, b, seat, PLAY_ACTIONS if actions else PLAY_LUCK)
        return True
    return False


# The end.


@piece()
def final_count(plan: Any, s: Any, b: Int) -> None:
    """Minus the oxen of tiles left, then one for each action card, both cut at the track's end (EXP-20)."""
    for seat in range(plan.players):
        after = np.int64(s.scores[b, seat])
        if plan.expert:
            oxen = actions = np.int64(0)
            for i in range(np.int64(s.held[b, seat])):
                oxen += np.int64(plan.oxen[s.hands[b, seat, i]])
            for card in range(LUCK):
                actions += s.cards[b, seat, card]
            after = on_track(on_track(after - oxen) + actions)
        s.scores[b, seat] = after
        s.points[b, seat] = after
    s.asked[b] = 0
    s.kind[b] = OVER


@piece()
def deal_actions(plan: Any, s: Any, b: Int) -> None:
    """Deal the action cards that nobody has seen to those who hold them, and the rest to the pile."""
    if s.own[b, VEILED]:
        size = np.int64(s.piled[b])
        s.states[b] = deal(s.actions[b], U(size), s.actions[b], U(size), s.states[b])
        for seat in range(plan.players):
            for _ in range(np.int64(s.veiled[b, seat])):
                s.cards[b, seat, s.actions[b, s.acted[b]]] += 1
                s.acted[b] += 1
            s.veiled[b, seat] = 0
        s.own[b, VEILED] = 0


# The course.


@rule
def start_game(plan: BoardPlan, s: State, b: Int) -> None:
    """One deal is the whole game."""


@rule
def start_round(plan: BoardPlan, s: State, b: Int) -> None:
    """Set the board up and ask for the first tiles."""
    set_up(plan.printed[0], s, b)


@rule
def list_options(plan: BoardPlan, s: State, b: Int, seat: Int, out: Array) -> Int:
    """List the answers of a seat."""
    return list_answers(plan.printed[0], s, b, seat, out)


@rule
def answer(plan: BoardPlan, s: State, b: Int, choices: Array) -> None:
    """Go on with what was chosen."""
    take_answer(plan.printed[0], s, b, choices[b])


@rule
def deal_hidden(plan: BoardPlan, s: State, b: Int) -> None:
    """Deal the action cards that nobody has seen."""
    deal_actions(plan.printed[0], s, b)


@rule
def cards_due(plan: BoardPlan, s: State, b: Int, seat: Int) -> Int:
    """Return how many tiles a seat plays now."""
    return tiles_due(s, b, seat)


@rule
def allows(plan: BoardPlan, s: State, b: Int, seat: Int, choice: Int, options: Array) -> Int:
    """Whether a choice answers a question other than that for tiles."""
    return allows_answer(plan.printed[0], s, b, seat, choice, options)


COURSES[BoardPlan] = Course(start_game, start_round, list_options, answer, cards_due, allows, deal_hidden)

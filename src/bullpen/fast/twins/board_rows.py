"""The rows of the boards: where a tile comes to lie, what its space does then, and who takes a row."""

from typing import Any

import numpy as np

from bullpen.fast.chance import U, deal
from bullpen.fast.compiled import Int, piece, rule
from bullpen.fast.twins.board_cards import current_turn, forget_plan, landing, to_screen
from bullpen.fast.twins.board_state import (
    ACTOR,
    CHOOSE_TWO_TILES,
    CLOVERS,
    DRAW_ACTION,
    DRAW_TILE,
    NO_ROW,
    OXEN,
    PLUS_FIVE,
    POINTS,
    POSITIVE_OX,
    ROW_TAKEN,
    TAKE_OX,
    TAKE_TILES,
    TILE_TAKING,
    TILES,
    TRACK_END,
)
from bullpen.fast.twins.state import ASIDE, OVER, PASS, ask, insert_card

# Placing a tile.


@piece()
def put_down(plan: Any, s: Any, b: Int) -> None:
    """Lay the tile down; the space that is newly covered acts at once."""
    turn = current_turn(s, b)
    place = landing(plan, s, b, turn)
    row, space = place >> 8, place & 255
    s.own[b, ACTOR] = s.waits[b, s.placed[b], 1]
    s.placed[b] += 1
    forget_plan(s, b, turn.tile)
    tile = turn.tile
    if turn.at_start == NO_ROW:
        at = np.int64(s.counts[b, row])
        s.rows[b, row, at], s.spaces[b, row, at] = tile, space
        s.counts[b, row] = at + 1
    else:
        tile = slide_in(s, b, row, space, tile)
    if turn.luck == PLUS_FIVE:
        score(plan, s, b, 5)
    else:
        act(plan, s, b, row, space, turn.tile, tile, turn.luck)


@piece()
def slide_in(s: Any, b: Int, row: Int, gap: Int, tile: Int) -> Int:
    """Slide the tiles before the first gap one space on, put the tile first; return what covers the gap."""
    for i in range(np.int64(s.counts[b, row]), 0, -1):
        s.rows[b, row, i] = s.rows[b, row, i - 1]
        s.spaces[b, row, i] = s.spaces[b, row, i - 1]
    s.rows[b, row, 0] = tile
    for i in range(gap + 1):
        s.spaces[b, row, i] = i
    s.counts[b, row] += 1
    return np.int64(s.rows[b, row, gap])


@piece()
def act(  # noqa: PLR0913, PLR0917  who, where, and with what
    plan: Any, s: Any, b: Int, row: Int, space: Int, played: Int, tile: Int, luck: Int
) -> None:
    """What a space does when a tile covers it; the oxen are those of the tile on it (BRD-17, EXP-16)."""
    sort, worth = plan.sorts[row, space], np.int64(plan.worths[row, space])
    seat = np.int64(s.own[b, ACTOR])
    if sort == OXEN:
        score(plan, s, b, worth * np.int64(plan.oxen[tile]))
    elif sort == POINTS:
        score(plan, s, b, worth)
    elif sort == DRAW_TILE:
        if s.drawn[b] < TILES:
            insert_card(s, b, seat, s.deck[b, s.drawn[b]])
            s.drawn[b] += 1
    elif sort == DRAW_ACTION:
        draw_action(s, b, seat)
    elif sort in (TAKE_OX, TAKE_TILES):
        s.own[b, ROW_TAKEN] = row
        s.own[b, TILE_TAKING] = played
        if luck == POSITIVE_OX:
            ask(s, b, seat, CHOOSE_TWO_TILES)
        else:
            take_row(plan, s, b, PASS)


@piece()
def draw_action(s: Any, b: Int, seat: Int) -> None:
    """Draw an action card; an empty pile is made anew from the discards (EXP-6)."""
    if s.acted[b] == s.piled[b]:
        count = np.int64(s.discarded[b])
        for i in range(count):
            s.actions[b, i] = s.discard[b, i]
        if count and s.coming[b, 0]:
            for i in range(count):
                s.actions[b, i] = s.coming[b, i] - 1
                s.coming[b, i] = 0
        else:
            s.states[b] = deal(s.actions[b], U(count), s.actions[b], U(count), s.states[b])
        s.acted[b] = s.discarded[b] = 0
        s.piled[b] = count
    if s.acted[b] < s.piled[b]:
        s.cards[b, seat, s.actions[b, s.acted[b]]] += 1
        s.acted[b] += 1


# The score track.


@rule
def on_track(points: Int) -> Int:
    """Return the nearest place on the track (BRD-11)."""
    return max(-TRACK_END, min(TRACK_END, points))


@piece()
def score(plan: Any, s: Any, b: Int, change: Int) -> None:
    """Move the counter of whose tile acts; clovers on the way down bring luck cards (LUCK-3, LUCK-4)."""
    seat = np.int64(s.own[b, ACTOR])
    before = np.int64(s.scores[b, seat])
    after = on_track(before + change)
    s.scores[b, seat] = after
    if after < before:
        s.own[b, CLOVERS] += plan.clovers[before + TRACK_END] - plan.clovers[after + TRACK_END]


# Taking a row.


@piece()
def take_row(plan: Any, s: Any, b: Int, plus: Int) -> None:
    """Take all tiles of the row but the one played (BRD-6, EXP-15); `plus` are tiles that count plus."""
    row, played = np.int64(s.own[b, ROW_TAKEN]), np.int64(s.own[b, TILE_TAKING])
    seat = np.int64(s.own[b, ACTOR])
    behind = plan.sorts[row, np.int64(plan.lengths[row]) - 1] == TAKE_TILES
    s.stopped[b] = 0  # EXP-10
    s.kind[b] = OVER
    oxen: Int = 0
    for i in range(np.int64(s.counts[b, row])):
        tile = np.int64(s.rows[b, row, i])
        if tile == played:
            s.spaces[b, row, 0] = s.spaces[b, row, i]
            continue
        oxen += np.int64(plan.oxen[tile])
        if behind:
            to_screen(s, b, seat, tile)
        else:
            s.taken[b, s.logged[b]] = tile
            s.takers[b, s.logged[b]] = ASIDE
            s.logged[b] += 1
    s.rows[b, row, 0] = played
    s.counts[b, row] = 1
    lucky = np.int64(0)
    if plus != PASS:
        lucky = np.int64(plan.oxen[plus & 127]) + np.int64(plan.oxen[plus >> 7])
    points = lucky if behind else 2 * lucky - oxen
    if points:
        score(plan, s, b, points)


@piece()
def next_empty(plan: Any, s: Any, b: Int) -> Int:
    """The next empty row below, failing that the topmost one, the row just taken being empty (BRD-8)."""
    taken = np.int64(s.own[b, ROW_TAKEN])
    for row in range(taken + 1, plan.rows):
        if s.counts[b, row] == 0:
            return np.int64(row)
    for row in range(taken):
        if s.counts[b, row] == 0:
            return np.int64(row)
    return taken


@rule
def start_with(s: Any, b: Int, row: Int, tile: Int) -> None:
    """Lay a tile on the first space of a row."""
    s.rows[b, row, 0] = tile
    s.spaces[b, row, 0] = 0
    s.counts[b, row] = 1


@piece()
def move_to(plan: Any, s: Any, b: Int, target: Int) -> None:
    """Move the tile to the first space of its new row; that space acts as well (BRD-7, EXP-4)."""
    played = np.int64(s.own[b, TILE_TAKING])
    s.counts[b, np.int64(s.own[b, ROW_TAKEN])] = 0
    s.own[b, ROW_TAKEN] = NO_ROW
    start_with(s, b, target, played)
    act(plan, s, b, target, 0, played, played, 0)

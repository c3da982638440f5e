"""The cards of the boards: how each changes the plan for the next tile, and where that sends it."""

from typing import Any, NamedTuple

import numpy as np

from bullpen.fast.compiled import Array, Int, piece, rule
from bullpen.fast.twins.board_state import (
    ANOTHER,
    ASCENDING,
    AT_START,
    EXCHANGE,
    KINDS,
    LUCK,
    NO_ROW,
    PLUS_FIVE,
    SIGNS,
    SKIP,
    SPECIAL,
    STOP,
    first_tile,
    is_covered,
    is_stopped,
    last_tile,
)
from bullpen.fast.twins.state import forget, holds, insert_card, know, lay, leave_hand

NOT_LUCKY = 0


class Turn(NamedTuple):
    """All that decides where a tile goes, besides the stop signs that lie there."""

    tile: Int
    stop: Int
    """A row that is stopped by the card being tried, or NO_ROW."""
    skips: Int
    ascending: Int
    """The row chosen with Place in ascending order, or NO_ROW."""
    at_start: Int
    """The row chosen with Place at the start, or NO_ROW."""
    luck: Int
    """The luck card that was played, or NOT_LUCKY."""


@rule
def unplanned(tile: Int, stop: Int) -> Turn:
    """Return the turn of a tile for which no card was played."""
    return Turn(
        np.int64(tile), np.int64(stop), np.int64(0), np.int64(NO_ROW), np.int64(NO_ROW), np.int64(NOT_LUCKY)
    )


@piece()
def current_turn(s: Any, b: Int) -> Turn:
    """Return the turn of the next tile on the table."""
    tile = np.int64(s.waits[b, s.placed[b], 0])
    turn = unplanned(tile, NO_ROW)
    for i in range(np.int64(s.planned[b])):
        if s.plans[b, i, 0] == tile:
            turn = Turn(
                tile,
                np.int64(NO_ROW),
                np.int64(s.plans[b, i, 1]),
                np.int64(s.plans[b, i, 2]),
                np.int64(s.plans[b, i, 3]),
                np.int64(s.plans[b, i, 4]),
            )
    return turn


@piece()
def forget_plan(s: Any, b: Int, tile: Int) -> None:
    """Let a tile have no plan."""
    kept = 0
    for i in range(np.int64(s.planned[b])):
        if s.plans[b, i, 0] != tile:
            for k in range(5):
                s.plans[b, kept, k] = s.plans[b, i, k]
            kept += 1
    s.planned[b] = kept


@piece()
def plan_for(s: Any, b: Int, turn: Turn) -> None:
    """Let the plan of a turn be that of its tile from now on; one that says nothing is forgotten."""
    forget_plan(s, b, turn.tile)
    says_something = turn.skips or turn.luck or turn.ascending != NO_ROW or turn.at_start != NO_ROW
    if says_something:
        at = np.int64(s.planned[b])
        s.plans[b, at, 0], s.plans[b, at, 1] = turn.tile, turn.skips
        s.plans[b, at, 2], s.plans[b, at, 3], s.plans[b, at, 4] = turn.ascending, turn.at_start, turn.luck
        s.planned[b] = at + 1


# Where a tile goes.


@rule
def is_closed(s: Any, b: Int, turn: Turn, row: Int) -> Int:
    """Whether a row has a stop sign, or no tile."""
    return s.counts[b, row] == 0 or row == turn.stop or is_stopped(s, b, row)


@piece()
def row_for_tile(s: Any, b: Int, turn: Turn) -> Int:
    """The row with the nearest lower end, for a low tile that with the highest end (BRD-4, EXP-9)."""
    nearest = highest = NO_ROW
    lower = high = np.int64(0)
    for row in range(s.counts.shape[1]):
        if not is_closed(s, b, turn, row):
            end = last_tile(s, b, row)
            if lower < end < turn.tile:
                nearest, lower = row, end
            if end > high:
                highest, high = row, end
    return highest if nearest == NO_ROW else nearest


@piece()
def landing(plan: Any, s: Any, b: Int, turn: Turn) -> Int:
    """Return row << 8 | space where the tile goes, or -1 if the cards played leave it nowhere to go."""
    if turn.at_start != NO_ROW:
        row = turn.at_start
        if is_closed(s, b, turn, row) or first_tile(s, b, row) < turn.tile:
            return -1
        space = np.int64(0)
        while is_covered(s, b, row, space):
            space += 1
    else:
        row = turn.ascending
        if row == NO_ROW:
            row = row_for_tile(s, b, turn)
        elif is_closed(s, b, turn, row) or last_tile(s, b, row) > turn.tile:
            return -1
        space = np.int64(s.spaces[b, row, np.int64(s.counts[b, row]) - 1]) + 1 + turn.skips
    last = np.int64(plan.lengths[row]) - 1
    if space > last or (turn.luck and (turn.luck == PLUS_FIVE) == (space == last)):
        return -1
    return row << 8 | space


# What may be played.


@piece()
def own_lowest(s: Any, b: Int, seat: Int) -> Int:
    """Return the lowest tile of a seat that waits to be placed."""
    lowest = np.int64(127)
    for i in range(np.int64(s.placed[b]), np.int64(s.laid[b])):
        if s.waits[b, i, 1] == seat:
            lowest = min(lowest, np.int64(s.waits[b, i, 0]))
    return lowest


@piece()
def turn_with(s: Any, b: Int, seat: Int, turn: Turn, card: Int, target: Int) -> Turn:
    """Return the turn that a card makes of another, its target being a tile or a row counted from 0."""
    tile, stop, skips, ascending, at_start, luck = turn
    if card == STOP:
        stop = target
    elif card == EXCHANGE:
        tile = target
    elif card == SKIP:
        skips += 1
    elif card == AT_START:
        at_start = target
    elif card == ASCENDING:
        ascending = target
    elif card == ANOTHER:
        first = min(target, own_lowest(s, b, seat))
        if first != tile:
            return unplanned(first, stop)
    else:
        luck = card
    return Turn(tile, stop, skips, ascending, at_start, luck)


@rule
def fits(s: Any, b: Int, turn: Turn, card: Int) -> Int:
    """Whether a card goes with those played for the tile (EXP-8, EXP-25, LUCK-7)."""
    free = turn.at_start == NO_ROW
    if card == STOP:
        return s.stopped[b] < SIGNS
    if card == SKIP:
        return free
    if card == AT_START:
        return free and turn.skips == 0 and turn.ascending == NO_ROW
    if card == ASCENDING:
        return free and turn.ascending == NO_ROW
    return card < LUCK or turn.luck == NOT_LUCKY


@rule
def aims_at_tile(card: Int) -> Int:
    """Whether a card points at a tile behind its owner's screen."""
    return card in (EXCHANGE, ANOTHER)


@rule
def aims_at_row(card: Int) -> Int:
    """Whether a card points at a row."""
    return card in (STOP, AT_START, ASCENDING)


@piece()
def is_way(plan: Any, s: Any, b: Int, seat: Int, card: Int, target: Int) -> Int:
    """Whether a card may be played so: held, aimed well, and leaving the tile a space to go to (EXP-7)."""
    turn = current_turn(s, b)
    if not (s.cards[b, seat, card] and fits(s, b, turn, card)):
        return False
    if aims_at_row(card) and (s.counts[b, target] == 0 or (card == STOP and is_stopped(s, b, target))):
        return False
    return landing(plan, s, b, turn_with(s, b, seat, turn, card, target)) >= 0


@piece()
def list_ways(plan: Any, s: Any, b: Int, seat: Int, out: Array, count: Int) -> Int:
    """List every way to play a card, behind `count` others."""
    for card in range(KINDS):
        targets: Int = min(1, np.int64(s.cards[b, seat, card]))
        if targets and aims_at_tile(card):
            targets = np.int64(s.held[b, seat])
        elif targets and aims_at_row(card):
            targets = plan.rows
        for i in range(targets):
            target = np.int64(s.hands[b, seat, i]) if aims_at_tile(card) else np.int64(i)
            if is_way(plan, s, b, seat, card, target):
                out[count] = SPECIAL | card << 7 | said(card, target)
                count += 1
    return count


@piece()
def allows_way(plan: Any, s: Any, b: Int, seat: Int, choice: Int) -> Int:
    """Whether a choice is a way to play a card, without a list."""
    card, target = (choice >> 7) & 7, meant(choice)
    if choice >> 10 != SPECIAL >> 10:
        return False
    if aims_at_tile(card):
        aimed = holds(s, b, seat, target)
    elif aims_at_row(card):
        aimed = 0 <= target < plan.rows
    else:
        aimed = target == 0
    return aimed and is_way(plan, s, b, seat, card, target)


@rule
def said(card: Int, target: Int) -> Int:
    """Return a target as it is written: rows from 1, none as 0."""
    return target + 1 if aims_at_row(card) else target


@rule
def meant(choice: Int) -> Int:
    """Return the target of a choice: a tile, or a row counted from 0."""
    return (choice & 127) - 1 if aims_at_row((choice >> 7) & 7) else choice & 127


# Playing a card.


@piece()
def play_card(s: Any, b: Int, seat: Int, choice: Int) -> None:
    """Spend a card and let it take effect."""
    card, target = (choice >> 7) & 7, meant(choice)
    turn = turn_with(s, b, seat, current_turn(s, b), card, target)
    if card == STOP:
        s.stops[b, s.stopped[b]] = target
        s.stopped[b] += 1
    plan_for(s, b, turn)
    s.cards[b, seat, card] -= 1
    if card >= LUCK:
        s.piles[b, card] += 1
    else:
        s.discard[b, s.discarded[b]] = card
        s.discarded[b] += 1
    if card == EXCHANGE:
        exchange(s, b, seat, target)
    elif card == ANOTHER:
        add_tile(s, b, seat, target)


@piece()
def leave_screen(s: Any, b: Int, seat: Int, tile: Int) -> None:
    """Take a tile from behind a screen."""
    leave_hand(s, b, seat, tile)
    forget(s, b, seat, tile)


@piece()
def to_screen(s: Any, b: Int, seat: Int, tile: Int) -> None:
    """Put a tile behind a screen before everybody's eyes (EXP-23)."""
    insert_card(s, b, seat, tile)
    know(s, b, seat, tile)


@piece()
def exchange(s: Any, b: Int, seat: Int, tile: Int) -> None:
    """Only the tile about to be placed is replaced (EXP-11)."""
    old = np.int64(s.waits[b, s.placed[b], 0])
    forget_plan(s, b, old)
    leave_screen(s, b, seat, tile)
    s.waits[b, s.placed[b], 0] = tile
    to_screen(s, b, seat, old)


@piece()
def forget_placed(s: Any, b: Int) -> None:
    """Leave only tiles on the table that wait: one that was taken back may be added in the same trick."""
    first = np.int64(s.placed[b])
    for i in range(first, np.int64(s.laid[b])):
        s.waits[b, i - first, 0], s.waits[b, i - first, 1] = s.waits[b, i, 0], s.waits[b, i, 1]
    s.laid[b] -= first
    s.placed[b] = 0


@piece()
def add_tile(s: Any, b: Int, seat: Int, tile: Int) -> None:
    """All own tiles that are still to be placed come first, lowest first; then the others go on (EXP-18)."""
    leave_screen(s, b, seat, tile)
    forget_placed(s, b)
    lay(s, b, seat, tile)
    for i in range(np.int64(s.laid[b])):
        card, owner = np.int64(s.waits[b, i, 0]), np.int64(s.waits[b, i, 1])
        if owner != seat:
            continue
        at = i
        while at > 0 and (s.waits[b, at - 1, 1] != seat or s.waits[b, at - 1, 0] > card):
            s.waits[b, at, 0], s.waits[b, at, 1] = s.waits[b, at - 1, 0], s.waits[b, at - 1, 1]
            at -= 1
        s.waits[b, at, 0], s.waits[b, at, 1] = card, owner

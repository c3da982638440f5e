"""A trick: the chosen cards are sorted and placed one by one. Compiled for the CPU and for CUDA alike.

A *choice* is a number: a card (1…104), a card played with the flip card (FLIP + card), or a row to
take or to join (ROW + row). A *play* is a chosen card as it waits to be placed:

    value << 12 | (0 if flipped else 1) << 11 | card << 4 | seat

so that sorting plays sorts them by value, the flipped one of equals first (FLIP-4), then by printed
number (FLIP-5).
"""

import numpy as np

from bullpen.fast.compiled import Array, rule
from bullpen.fast.rules import (
    LEFT,
    NOWHERE,
    TIE,
    Table,
    cheaper_side,
    cheapest_row,
    lay,
    spot_for,
    take_row,
)

FLIP = 128
ROW = 240
CHOICES = 244

NO_FLIP, PADDED, IDENTITY, FORBIDDEN = range(-1, 3)


@rule
def can_flip(card: int, digits: int) -> bool:
    """Whether the card may be played with the flip card (FLIP-1, FLIP-2)."""
    return digits != NO_FLIP and card <= 99 and (card >= 10 or digits != FORBIDDEN)


@rule
def swapped(card: int, digits: int) -> int:
    """Return the card's value with its digits swapped (FLIP-1)."""
    if card < 10 and digits == IDENTITY:
        return card
    return (card % 10) * 10 + card // 10


@rule
def as_play(choice: int, seat: int, digits: int) -> int:
    """Return the play of a chosen card."""
    card = choice & 127
    if choice & FLIP:
        return swapped(card, digits) << 12 | card << 4 | seat
    return card << 12 | 1 << 11 | card << 4 | seat


@rule
def insert(plays: Array, b: int, count: int, play: int) -> None:
    """Sort a play in among the `count` that are there already."""
    for i in range(count):
        other = plays[b, i]
        plays[b, i] = min(other, play)
        play = max(other, play)
    plays[b, count] = play


@rule
def place_play(code: int, t: Table, b: int, play: int, ask: bool) -> bool:
    """Place a card; return False, with nothing done, if its owner must be asked for a row first."""
    seat = play & 15
    card = play >> 4 & 127
    spot = spot_for(code, t, b, play >> 12)
    if spot == NOWHERE:
        if ask:
            return False
        take_row(code, t, b, seat, card, cheapest_row(t, b))
        return True
    if spot >= TIE:
        if ask:
            return False
        spot = cheaper_side(t, b, spot)
    lay(code, t, b, seat, card, spot)
    return True


@rule
def may_choose_row(code: int, t: Table, b: int, play: int, row: int) -> bool:
    """Whether the owner of a waiting play may name this row: any, or one of two that are equally near."""
    spot = spot_for(code, t, b, play >> 12)
    if spot == NOWHERE:
        return 0 <= row < 4
    return row in ((spot - TIE) >> 2, (spot - TIE) & 3)


@rule
def place_at(code: int, t: Table, b: int, play: int, row: int) -> None:
    """Place a card whose owner was asked and named this row."""
    seat = play & 15
    card = play >> 4 & 127
    spot = spot_for(code, t, b, play >> 12)
    if spot == NOWHERE:
        take_row(code, t, b, seat, card, row)
    else:
        lay(code, t, b, seat, card, row if row == (spot - TIE) >> 2 else LEFT + row)

"""Rows and hands as numbers, and how cards are laid.

Cards and row ends are numbered in their order, 1 to 24. `rows` holds the rows by their ends, the lowest in
front: a card joins or restarts the row below it in its place, and only a low card changes the order. A hand
has a bit a card. The rules are those of the base game, told once more for speed: tests play both.
"""

import numpy as np

from bullpen.bots.compiled import piece, whole
from bullpen.fast.tables import ones

FULL = 5
ROWS = 4
ROW, END, COUNT = 13, 8, 5
"""Bits: of a row, before its end, before its count of cards; its bullheads are in front."""
ONE_ROW, LOW_HEADS, LOW_COUNT = (1 << ROW) - 1, (1 << COUNT) - 1, 7

U = np.uint64


@piece
def row_at(rows: int, place: int) -> int:
    """Return the row in this place."""
    return rows >> (ROW * place) & ONE_ROW


@piece
def rows_below(rows: int, card: int) -> int:
    """Return how many rows end below the card."""
    found = 0
    for place in range(ROWS):
        found += row_at(rows, place) >> END < card
    return found


@piece
def put(rows: int, card: int, heads: int) -> tuple[int, int]:
    """Lay a card that fits; return the rows and the bullheads that this takes."""
    shift = ROW * (rows_below(rows, card) - 1)
    row = rows >> shift & ONE_ROW
    rows &= ~(ONE_ROW << shift)
    cost = row & LOW_HEADS
    if row >> COUNT & LOW_COUNT == FULL:
        return rows | (card << END | 1 << COUNT | heads) << shift, cost
    return rows | ((card << END | (row & 255)) + (1 << COUNT) + heads) << shift, 0


@piece
def take(rows: int, place: int, card: int, heads: int) -> tuple[int, int]:
    """Take the row in this place for a low card, now the lowest row; return the rows and the cost."""
    cost = row_at(rows, place) & LOW_HEADS
    under = rows & ((1 << ROW * place) - 1)
    over = rows >> ROW * (place + 1) << ROW * (place + 1)
    return over | under << ROW | card << END | 1 << COUNT | heads, cost


@piece
def cheapest(rows: int, tried: int) -> int:
    """Return the place of the row with the fewest bullheads among those not tried."""
    found, least = 0, 1000
    for place in range(ROWS):
        heads = row_at(rows, place) & LOW_HEADS
        if not tried >> place & 1 and heads < least:
            found, least = place, heads
    return found


@piece
def shape(rows: int, left: int) -> int:
    """Return the rows with every end told by how many of the cards left are below it: no more matters."""
    found = 0
    for place in range(ROWS):
        row = rows >> ROW * place & ONE_ROW
        below = whole(ones(U(left & ((1 << (row >> END)) - 1))))
        found |= (below << END | row & 255) << ROW * place
    return found


@piece
def lowest(cards: int) -> int:
    """Return the lowest card of a hand."""
    return whole(ones(U((cards & -cards) - 1)))

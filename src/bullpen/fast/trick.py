"""A trick: the chosen cards are sorted and placed one by one. Compiled for the CPU and for CUDA alike.

A *choice* is a number: a card (1…104), a card played with the flip card (FLIP + card), or a row to
take or to join (ROW + row). A *play* is a chosen card as it waits to be placed:

    value << 12 | (0 if flipped else 1) << 11 | card << 4 | seat

so that sorting plays sorts them by value, the flipped one of equals first (FLIP-4), then by printed
number (FLIP-5).
"""

from bullpen.fast.compiled import Array, Int, rule
from bullpen.fast.rules import Table, cheapest, chosen, is_choice, lay, may_choose, spot_for

FLIP = 128
ROW = 240
CHOICES = 244

NO_FLIP, PADDED, IDENTITY, FORBIDDEN = range(-1, 3)


@rule
def can_flip(card: Int, digits: Int) -> Int:
    """Whether the card may be played with the flip card (FLIP-1, FLIP-2)."""
    return digits != NO_FLIP and card <= 99 and (card >= 10 or digits != FORBIDDEN)


@rule
def swapped(card: Int, digits: Int) -> Int:
    """Return the card's value with its digits swapped (FLIP-1)."""
    if card < 10 and digits == IDENTITY:
        return card
    return (card % 10) * 10 + card // 10


@rule
def as_play(choice: Int, seat: Int, digits: Int) -> Int:
    """Return the play of a chosen card."""
    card = choice & 127
    if choice & FLIP:
        return swapped(card, digits) << 12 | card << 4 | seat
    return card << 12 | 1 << 11 | card << 4 | seat


@rule
def insert(plays: Array, b: Int, count: Int, play: Int) -> None:
    """Sort a play in among the `count` that are there already."""
    for i in range(count):
        other = plays[b, i]
        plays[b, i] = min(other, play)
        play = max(other, play)
    plays[b, count] = play


@rule
def place_play(code: Int, t: Table, b: Int, play: Int, row: Int, ask: Int) -> Int:
    """Place a card; where its owner has a choice, at the named row, or at the cheapest if row is -1.

    With `ask` and no row named, do nothing and return False: the owner must be asked first.
    """
    spot = spot_for(code, t, b, play >> 12)
    if is_choice(spot):
        if row >= 0:
            spot = chosen(spot, row)
        elif ask:
            return False
        else:
            spot = cheapest(t, b, spot)
    lay(code, t, b, play & 15, play >> 4 & 127, spot)
    return True


@rule
def may_choose_row(code: Int, t: Table, b: Int, play: Int, row: Int) -> Int:
    """Whether the owner of a waiting play may name this row."""
    return may_choose(spot_for(code, t, b, play >> 12), row)

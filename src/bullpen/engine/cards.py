"""Cards and seats: plain ints, and the bullheads printed on a number card."""

from typing import TypeAlias

Card: TypeAlias = int
"""A number card (or a tile): its printed number."""

Seat: TypeAlias = int
"""A place at the table, 0 … n-1 clockwise; the left-hand neighbour is the next seat."""

FACE_DOWN = 0
"""Stands in a view for a number card that the viewer may not see."""

FACE_DOWN_NAME = "?"
"""Stands in a view for a special card (known by its name) that the viewer may not see."""

HIGHEST = 104
"""The highest number card of the family."""


def _printed(card: Card) -> int:
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    # BASE-1: numbers that end in 5, not all that contain one.
    return 2 if card % 5 == 0 else 1


HEADS: tuple[int, ...] = (0, *(_printed(card) for card in range(1, HIGHEST + 1)))
"""Bullheads by card number (GEN-9: they follow the printed number, whatever happens to the card)."""


def bullheads(*cards: Card) -> int:
    """Return how many bullheads are printed on these cards.

    >>> bullheads(55), bullheads(44), bullheads(50), bullheads(25), bullheads(51)
    (7, 5, 3, 2, 1)
    >>> bullheads(*range(1, 105))
    171
    """
    return sum([HEADS[card] for card in cards])


def neighbour(seat: Seat, players: int, steps: int = 1) -> Seat:
    """Return the seat that many places to the left (clockwise).

    >>> neighbour(3, players=4)
    0
    """
    return (seat + steps) % players

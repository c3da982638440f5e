"""Where every card would go: the numbers that each row catches, as sets of bits (bit c for card c).

Plain Python and quick, for the levels that estimate without search.
"""

from collections.abc import Callable
from itertools import pairwise

from bullpen.engine import Card, View
from bullpen.rulesets.even_odd import EvenOddPosition
from bullpen.rulesets.jumping_cow import CowPosition
from bullpen.rulesets.mountain import MountainPosition

TOP = 105
"""One more than the highest card."""
BELOW: tuple[int, ...] = tuple((1 << card) - 1 for card in range(TOP + 1))
"""The numbers below a card, as a set."""
EVEN = sum(1 << card for card in range(2, TOP, 2))
ODD = sum(1 << card for card in range(1, TOP, 2))

Catchment = tuple[list[int], int]
"""What each row catches, and what fits nowhere."""


def between(low: int, high: int) -> int:
    """Return the numbers above `low` and below `high`, as a set."""
    return BELOW[high] & ~BELOW[low + 1] if high > low + 1 else 0


def _ascending(rows: list[list[Card]], but: int = -1) -> Catchment:
    """Each row catches the numbers between its end and the next higher end."""
    masks = [0] * len(rows)
    high = TOP
    for end, row in sorted([(cards[-1], row) for row, cards in enumerate(rows) if row != but], reverse=True):
        masks[row] = between(end, high)
        high = end + 1
    return masks, between(0, high)


def _base(view: View) -> Catchment:
    return _ascending(view.rows)


def _even_odd(view: View) -> Catchment:
    """The marked row catches the shown parity only; the other one goes as if that row were not there."""
    position = view.position
    assert isinstance(position, EvenOddPosition)
    inside, outside = (ODD, EVEN) if position.side == "odd" else (EVEN, ODD)
    all_rows, low = _ascending(view.rows)
    without, lower = _ascending(view.rows, position.marked)
    masks = [(a & inside) | (b & outside) for a, b in zip(all_rows, without, strict=True)]
    return masks, (low & inside) | (lower & outside)


def _mountain(view: View) -> Catchment:
    """The marked row catches downhill whatever is at least as near to it as to the end below (MTN-1)."""
    position = view.position
    assert isinstance(position, MountainPosition)
    marked, end = position.marked, view.rows[position.marked][-1]
    masks, low = _ascending(view.rows, marked)
    caught = low & BELOW[end]
    for row, mask in enumerate(masks):
        if row != marked:
            nearer = BELOW[end] & ~BELOW[(end + view.rows[row][-1] + 1) // 2]
            caught |= mask & nearer
            masks[row] = mask & ~nearer
    masks[marked] = caught
    return masks, low & ~caught


def _professional(view: View) -> Catchment:
    """Each row catches at both ends what is nearest to it; ties count for the upper row of the two."""
    rows = view.rows
    ends = sorted((cards[-1], row) for row, cards in enumerate(rows))
    starts = sorted((cards[0], row) for row, cards in enumerate(rows))
    masks, nowhere = [0] * len(rows), 0
    cuts = sorted({0, TOP, *(end for end, _ in ends), *(start for start, _ in starts)})
    for low, high in pairwise(cuts):
        span = between(low, high)
        lower = [pair for pair in ends if pair[0] <= low]
        higher = [pair for pair in starts if pair[0] >= high]
        if lower and higher:
            (end, right), (start, left) = lower[-1], higher[0]
            tie = (start + end) % 2 == 0 and right > left
            middle = (start + end) // 2 + (0 if tie else 1)
            masks[right] |= span & BELOW[middle]
            masks[left] |= span & ~BELOW[middle]
        elif lower:
            masks[lower[-1][1]] |= span
        elif higher:
            masks[higher[0][1]] |= span
        else:
            nowhere |= span
    return masks, nowhere


_RULES: dict[str, Callable[[View], Catchment]] = {
    "even-odd": _even_odd,
    "mountain": _mountain,
    "professional": _professional,
}


def catchment(view: View) -> Catchment:
    """Return what each row of a twin game catches, and what fits nowhere.

    >>> import bullpen
    >>> view = bullpen.new_game("base", players=2, seed=1).view(0)
    >>> rows, low = catchment(view)
    >>> sum(mask.bit_count() for mask in [*rows, low])
    104
    """
    return _RULES.get(view.game, _base)(view)


def rooms(view: View) -> list[int]:
    """Return how many more cards each row takes before it is full; the Cow counts as a card."""
    rooms = [5 - len(cards) for cards in view.rows]
    if isinstance(view.position, CowPosition):
        rooms[view.position.cow] -= 1
    return rooms


def unseen(view: View, size: int) -> int:
    """Return the cards 1 to `size` that the seat has not seen, as a set."""
    seen = 0
    for cards in view.rows:
        for card in cards:
            seen |= 1 << card
    for pile in view.piles:
        for card in pile:
            seen |= 1 << card
    for card in view.hand:
        seen |= 1 << card
    for played in view.position.table:
        seen |= 1 << played.card
    return BELOW[size + 1] & ~seen & ~1

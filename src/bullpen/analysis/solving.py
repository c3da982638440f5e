"""solve: two players who know all cards, played perfectly by both."""

from msgspec import Struct

from bullpen.analysis.shapes import VERSION
from bullpen.bots.search import exact
from bullpen.bots.search.exact import NotKnown
from bullpen.engine import View, view
from bullpen.fast.convert import Start, from_position, from_view
from bullpen.fast.errors import FastError
from bullpen.fast.trick import ROW
from bullpen.game import Game


class Solution(Struct, frozen=True):
    """A position played perfectly by both seats.

    Perfectly means: whatever the other does, on average one comes out no worse than `value` says.
    """

    game: str
    cards: int
    """How many cards each seat still holds."""
    value: float
    """By how many bullheads seat 0 comes out ahead of seat 1 on average, from here to the round's end."""
    mixes: tuple[dict[str, float], dict[str, float]]
    """How likely each seat should make which choice, by notation; empty for a seat that is not asked."""
    version: int = VERSION


def solve(position: Game | View, *, open_hands: bool = False) -> Solution:
    """Return what a position of two players is worth, and how both should play it.

    Both must know all cards, as in Logic, Tactics and the second half of Two halves; `open_hands` takes a
    game as if its hands lay open. Whatever hidden answer has been given already is not looked at.

    >>> import bullpen
    >>> game = bullpen.position("tactics", [[10, 13], [6], [14, 17, 18], [7, 9]], [[1, 19], [2, 23]])
    >>> found = solve(game)
    >>> found.value, sorted(found.mixes[0]), round(sum(found.mixes[0].values()), 9)
    (-1.0, ['1', '19'], 1.0)
    """
    start = _start(position, open_hands)
    solved = exact.solve(start)
    mine, theirs = [{_notation(choice): share for choice, share in mix.items()} for mix in solved.mixes]
    game = position.game if isinstance(position, View) else position.rules.id
    return Solution(game, int(start.sizes[start.half, 0]), solved.value, (mine, theirs))


def _start(position: Game | View, open_hands: bool) -> Start:
    """Return the position as arrays, if all that matters is known to those who play."""
    now = position.position
    if now.result is not None or not now.asks:
        raise NotKnown("The game is over: there is nothing left to solve.")
    try:
        if isinstance(position, View):
            return exact.known(from_view(position))
        start = exact.known(from_position(position.rules, now))
        for seat in () if open_hands else range(2):
            exact.known(from_view(view(position.rules, now, seat)))
    except FastError as error:
        raise NotKnown(f"This cannot be solved: {error}") from None
    return start


def _notation(choice: int) -> str:
    """Return one of the twin's numbers as people write it."""
    return f"r{choice - ROW + 1}" if choice >= ROW else str(choice)

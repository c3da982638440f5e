"""Games from a stacked deck: every hand and every start card is what the test says."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from bullpen.engine import Event, Ruleset
from bullpen.engine.chance import T
from bullpen.engine.events import RoundEnded
from bullpen.game import Game
from bullpen.rulesets import make


class Orders:
    """Chance that gives piles the orders of a list, and leaves the later ones as they are."""

    def __init__(self, *orders: Sequence[int]) -> None:
        self.orders = list(orders)

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Return the next order, which must hold the same cards."""
        if not self.orders:
            return cards[:]
        order = list(self.orders.pop(0))
        assert Counter(order) == Counter(cards), f"a stacked {pile} holds other cards than the game's"
        return order  # type: ignore[return-value]


def order(
    rules: Ruleset[Any],
    hands: Sequence[Sequence[int]],
    rows: Sequence[int],
    size: int,
    then: Sequence[int] = (),
) -> list[int]:
    """Return a deck of these hands (filled up with the highest cards left), start cards, and then these."""
    left = Counter(rules.universe("numbers"))
    left.subtract([*(card for hand in hands for card in hand), *rows, *then])
    spare = sorted(left.elements())
    dealt: list[int] = []
    for hand in hands:
        dealt += [*hand, *(spare.pop() for _ in range(size - len(hand)))]
    return [*dealt, *rows, *then, *spare]


def stacked(
    game: str,
    hands: Sequence[Sequence[int]],
    rows: Sequence[int],
    options: Any = None,
    *,
    size: int = 10,
    then: Sequence[int] = (),
) -> Game:
    """Return a game whose first deal holds these hands and start cards."""
    rules = make(game, len(hands), options)
    return Game(rules, Orders(order(rules, hands, rows, size, then)))


def play(game: Game, *choices: str) -> list[Event]:
    """Make choices such as `0:44`, and return all that happened."""
    happened: list[Event] = []
    for choice in choices:
        seat, _, notation = choice.partition(":")
        happened += game.choose(int(seat), notation)
    return happened


def play_on(game: Game, until: type[Event] = RoundEnded) -> list[Event]:
    """Answer every question with its first option until something has happened; return all that happened."""
    happened: list[Event] = []
    while not any(isinstance(event, until) for event in happened):
        ask = game.asks[0]
        happened += game.choose(ask.seats[0], ask.options[0])
    return happened


def is_over(game: Game) -> bool:
    """Return whether a game has ended, however often that is asked."""
    return game.result is not None


def of(events: Sequence[Event], kind: type[Event]) -> list[Any]:
    """Return the events of a kind, in order."""
    return [event for event in events if isinstance(event, kind)]

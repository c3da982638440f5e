"""Dealing one card at a time: a shuffle as a series of draws, each with its chances.

The engine mixes a whole pile at once. Here a pile is drawn card by card, as far as its order can matter: a
hand is drawn as a set, lowest card first, so that no two series of draws deal the same hands.
"""

from collections import Counter
from math import comb
from typing import Any, NamedTuple, TypeAlias

from bullpen.engine import BullpenError, Ruleset
from bullpen.rulesets.buffalo import Buffalo
from bullpen.rulesets.two_halves import TwoHalves

Drawn: TypeAlias = int | str
DECK = "deck"

_ONE_DEAL = frozenset(
    {
        "base", "tactics", "professional", "open", "nifty", "hand", "even-odd", "mountain", "jumping-cow",
        "flippin-digits", "anniversary",
    }
)  # fmt: skip
"""The games that deal hands and rows from the top of the deck and never touch it again."""


class NeedsDeal(BullpenError):
    """A pile has to be mixed before the game can go on."""

    def __init__(self, pile: str, cards: list[Any]) -> None:
        super().__init__(f"The pile {pile!r} has to be dealt.")
        self.pile, self.cards = pile, tuple(cards)


class ByHand:
    """Chance that somebody else makes: without an order it says what it needs."""

    def __init__(self, order: tuple[Drawn, ...] | None = None) -> None:
        self._order = order

    def shuffle(self, pile: str, cards: list[Any]) -> list[Any]:
        """Return the order that was made, once."""
        if self._order is None:
            raise NeedsDeal(pile, cards)
        order, self._order = list(self._order), None
        return order


class Dealing(NamedTuple):
    """A pile that is being drawn: what is left, what was drawn, the sizes of the sets still to be drawn."""

    pile: str
    left: tuple[Drawn, ...]
    blocks: tuple[int, ...]
    fixed: tuple[Drawn, ...] = ()
    """Cards that need no chance and lie behind those drawn."""
    drawn: tuple[Drawn, ...] = ()
    begun: int = 0
    """How many cards of the first block are drawn."""

    @property
    def order(self) -> tuple[Drawn, ...] | None:
        """The whole pile, once all that matters is drawn; the rest lies behind it as it comes."""
        return None if self.blocks else (*self.drawn, *self.fixed, *self.left)

    def outcomes(self) -> list[tuple[Drawn, float]]:
        """Return the cards that can be drawn next with their chances, ascending.

        >>> Dealing("deck", (1, 2, 3), (2,)).outcomes()
        [(1, 0.6666666666666666), (2, 0.3333333333333333)]
        """
        missing = self.blocks[0] - self.begun
        cards = [card for card in self.left if not self.begun or card > self.drawn[-1]]  # type: ignore[operator]
        ways = comb(len(cards), missing)
        chances: Counter[Drawn] = Counter()
        for place, card in enumerate(cards):
            chances[card] += comb(len(cards) - place - 1, missing - 1)
        return [(card, count / ways) for card, count in chances.items() if count]

    def draw(self, card: Drawn) -> "Dealing":
        """Return the pile with this card drawn."""
        place = self.left.index(card)
        full = self.begun + 1 == self.blocks[0]
        return self._replace(
            left=self.left[:place] + self.left[place + 1 :],
            drawn=(*self.drawn, card),
            blocks=self.blocks[1:] if full else self.blocks,
            begun=0 if full else self.begun + 1,
        )


def begin(rules: Ruleset[Any], need: NeedsDeal, start: tuple[int, ...] = ()) -> Dealing:
    """Return the draws for a pile; `start` names the start cards where they are agreed on, not dealt."""
    pool = tuple(sorted(card for card in need.cards if card not in start))
    blocks = _blocks(rules) if need.pile == DECK else None
    if blocks is None:
        return Dealing(need.pile, pool, (1,) * (len(pool) - 1))
    return Dealing(need.pile, pool, blocks[: len(blocks) - len(start)], start)


def _blocks(rules: Any) -> tuple[int, ...] | None:
    """Return the sizes of the sets in which a deck is dealt, one for each start card; None if it is not."""
    rows = (1,) * getattr(rules, "row_count", 0)
    if isinstance(rules, TwoHalves):
        first, second = rules.sizes()
        return ((first,) * rules.players) + rows + ((second,) * rules.players)
    if isinstance(rules, Buffalo):
        # The buffalo plays its cards in the order in which they lie.
        return ((rules.hand_size,) * rules.players) + (1,) * rules.hand_size + rows
    return ((rules.hand_size,) * rules.players) + rows if rules.id in _ONE_DEAL else None

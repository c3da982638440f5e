"""Small decks: the same rules with fewer cards, rows and places, so that exact algorithms come to an end."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from bullpen.engine import Card, OptionValue, Ruleset
from bullpen.envs.terms import BadTerms, Terms, rules_for

SMALL = frozenset(
    {"base", "professional", "open", "nifty", "even-odd", "mountain", "jumping-cow", "flippin-digits"}
)
"""The games that stay what they are with another deck."""


class Size(Struct, frozen=True):
    """How large a deal is; 0 leaves a number as the rules have it, and without start cards they are dealt."""

    deck: int = 0
    hand: int = 0
    rows: int = 0
    limit: int = 0
    start: tuple[Card, ...] = ()

    @property
    def usual(self) -> bool:
        """Whether nothing is changed."""
        return self == Size()


def sized(terms: Terms, size: Size) -> Ruleset[Any]:
    """Return the rules of an environment with another size."""
    rules = rules_for(terms)
    if size.usual:
        return rules
    if rules.id not in SMALL:
        raise BadTerms(f"{rules.name} has no small deck; these have: {', '.join(sorted(SMALL))}.")
    kind: Any = type(rules)
    small: Any = _small(kind)(rules.players, rules.options, size)
    small.asks_always = rules.asks_always
    _check(small, size)
    return small  # type: ignore[no-any-return]


@cache
def _small(kind: Any) -> Any:
    """Return the rules of a game as a class that takes a size."""

    class Small(kind):
        """A game with a small deck."""

        def __init__(self, players: int, options: Mapping[str, OptionValue], size: Size) -> None:
            super().__init__(players, options)
            self.size = size
            self.hand_size = size.hand or kind.hand_size
            self.row_count = size.rows or len(size.start) or kind.row_count
            self.row_limit = size.limit or kind.row_limit

        def deck(self) -> list[Card]:
            """The lowest cards of the game's own deck."""
            cards: list[Card] = super().deck()
            return cards[: self.size.deck] if self.size.deck else cards

    return Small


def _check(rules: Any, size: Size) -> None:
    """Refuse a deal that cannot be dealt."""
    deck, needed = rules.deck(), rules.players * rules.hand_size + rules.row_count
    if needed > len(deck):
        raise BadTerms(f"{needed} cards are dealt, but the deck has {len(deck)}.")
    if size.start and (len(set(size.start)) != rules.row_count or not set(size.start) <= set(deck)):
        raise BadTerms(
            f"The start cards are {rules.row_count} different cards of the deck, not {size.start}."
        )
    if rules.row_count > 4 or min(size.deck, size.hand, size.rows, size.limit) < 0:
        raise BadTerms("A small deal has at most four rows, and nothing of it is negative.")

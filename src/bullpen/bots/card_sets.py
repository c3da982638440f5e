"""Sets of cards in compiled code: two words of bits, the lower one for cards below 64."""

from typing import Any

import numpy as np

from bullpen.bots.compiled import piece, rule, whole
from bullpen.fast.tables import ones

U = np.uint64


@rule
def count(low: np.uint64, high: np.uint64) -> int:
    """Return the size of a set of cards."""
    return int(ones(U(low)) + ones(U(high)))


@rule
def under(card: int) -> tuple[np.uint64, np.uint64]:
    """Return the set of all cards below one."""
    if card < 64:
        return (U(1) << U(card)) - U(1), U(0)
    return ~U(0), (U(1) << U(card - 64)) - U(1)


@rule
def has(low: np.uint64, high: np.uint64, card: int) -> bool:
    """Whether a card is in a set."""
    word = low if card < 64 else high
    return bool((word >> U(card & 63)) & U(1) != U(0))


@rule
def single(card: int) -> tuple[np.uint64, np.uint64]:
    """Return the set of one card."""
    bit = U(1) << U(card & 63)
    return (bit, U(0)) if card < 64 else (U(0), bit)


@piece
def hidden_cards(plan: Any, s: Any) -> tuple[np.uint64, np.uint64]:
    """Return the cards that lie in hands and in the deck of a twin's game."""
    low = high = U(0)
    for i in range(whole(s.drawn[0]), s.deck.shape[1]):
        one, other = single(whole(s.deck[0, i]))
        low, high = low | one, high | other
    for seat in range(plan.players):
        for i in range(whole(s.held[0, seat])):
            one, other = single(whole(s.hands[0, seat, i]))
            low, high = low | one, high | other
    return low, high

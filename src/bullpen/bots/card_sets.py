"""Sets of cards in compiled code: two words of bits, the lower one for cards below 64."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types
from numba.extending import intrinsic

from bullpen.bots.compiled import rule, whole

U = np.uint64


@intrinsic
def _ones(_context: Any, _word: Any) -> Any:
    """Return the number of bits that are set in a word."""

    def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


ones = cast(Callable[[np.uint64], int], _ones)


@rule
def count(low: np.uint64, high: np.uint64) -> int:
    """Return the size of a set of cards."""
    return whole(ones(U(low))) + whole(ones(U(high)))


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

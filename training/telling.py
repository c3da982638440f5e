"""What the network is told, for many seats at once: by the functions that tell it in play.

`bullpen.bots.network.features` describes one position. Here that is done for all positions of a batch of
arrays where they lie: in the memory of the CPU, or on a CUDA device, for which the same functions are
compiled.
"""

import importlib
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from bullpen.bots.card_sets import single
from bullpen.bots.compiled import Array, kernel, rule, whole
from bullpen.bots.estimates.compiled_view import Eyes, Hand
from bullpen.bots.network.features import Inputs, describe_listed
from bullpen.fast.chance import U
from bullpen.fast.rules import Table

WORKERS = 64
"""Threads of a block on the device."""


class Seen(NamedTuple):
    """What seats see of their games; the seat is the first axis of every array."""

    hand: Array
    """int64 [S, H]: own cards, 0 where there is none."""
    unseen: Array
    """bool [S, 105]: cards that may be in other hands."""
    flip: Array
    """bool [S]: who holds a flip card."""
    others_flips: Array
    """int32 [S]: how many others do."""
    wild: Array
    """float32 [S]: the share of the others that is thought to play any card alike."""
    players: int
    later: int
    """Cards that every seat will be dealt at half-time."""
    digits: int
    """How single digits flip (see `bullpen.fast.trick`)."""


@rule
def hand_of(seen: Seen, s: int) -> Hand:
    """Return what one of the seats holds, and has not seen."""
    low = high = unseen_low = unseen_high = U(0)
    for i in range(seen.hand.shape[1]):
        if seen.hand[s, i]:
            one_low, one_high = single(whole(seen.hand[s, i]))
            low |= one_low
            high |= one_high
    for card in range(1, 105):
        if seen.unseen[s, card]:
            one_low, one_high = single(card)
            unseen_low |= one_low
            unseen_high |= one_high
    return Hand(
        low,
        high,
        unseen_low,
        unseen_high,
        seen.players,
        seen.flip[s],
        seen.others_flips[s],
        seen.later,
        seen.digits,
        seen.wild[s],
    )


@kernel
def describe_seats(
    code: int, t: Table, seen: Seen, options: tuple[Array, Array], told: Inputs, catch: Array
) -> None:
    """Describe what every seat sees, one after the other."""
    cards, values = options
    for s in range(cards.shape[0]):
        eyes = Eyes(catch, cards[s], values[s])
        inputs = Inputs(told.plays[s], told.scene[s], told.exact, told.more)
        describe_listed(code, t, s, eyes, hand_of(seen, s), cards.shape[1], inputs)


def tell(code: int, t: Table, seen: Seen, options: tuple[Array, Array], told: Inputs) -> None:
    """Write down what the network is told of the plays (cards and values, [S, I]) that every seat has.

    `told` has [S, I, PLAY] and [S, SCENE]; where a play does not exist, what is told of it means nothing.
    """
    describe_seats(code, t, seen, options, told, np.zeros((5, 2), np.uint64))


@cache
def _device_kernel() -> Any:
    cuda: Any = importlib.import_module("numba.cuda")

    @cuda.jit(fastmath=False)
    def describe_seat(code: Any, t: Any, seen: Any, options: Any, told: Any) -> None:
        cards, values = options
        s = cuda.grid(1)
        if s < cards.shape[0]:
            eyes = Eyes(cuda.local.array((5, 2), np.uint64), cards[s], values[s])
            inputs = Inputs(told.plays[s], told.scene[s], told.exact, told.more)
            describe_listed(code, t, s, eyes, hand_of(seen, s), cards.shape[1], inputs)

    return describe_seat


def tell_on_device(
    code: int, t: Table, seen: Seen, options: tuple[Array, Array], told: Inputs, stream: int
) -> None:
    """Do the same with arrays on a CUDA device, a seat a thread, in a stream of somebody's."""
    cuda: Any = importlib.import_module("numba.cuda")
    blocks = (options[0].shape[0] + WORKERS - 1) // WORKERS
    queue = cuda.external_stream(stream) if stream else cuda.default_stream()
    _device_kernel()[blocks, WORKERS, queue](code, t, seen, options, told)


def on_device(array: Any) -> Array:
    """Return an array of any library on a CUDA device as one that compiled code reads."""
    cuda: Any = importlib.import_module("numba.cuda")
    return cuda.as_cuda_array(array)

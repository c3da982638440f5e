"""What `observed` says, written for many games by a processor with vectors: a set of cards is two stores.

What all seats see alike is written for the first of them and copied to the others.
"""

from typing import Any

from bullpen.fast.chance import U
from bullpen.fast.compiled import Array, Int, extending, ir, kernel, numba, rule
from bullpen.fast.games import Plan
from bullpen.fast.observed import (
    HAND,
    SEEN,
    describe_seats,
    describe_table,
    may_choose_only,
    may_flip,
    may_play,
)
from bullpen.fast.rules import Table
from bullpen.fast.tables import Seats
from bullpen.fast.trick import CHOICES

CARDS = 104


@extending.intrinsic
def store_bits(_context: Any, array: Any, at: Any, low: Any, high: Any) -> Any:
    """Write 104 bits, 64 of one word and 40 of another, as bytes into a flat array."""

    def generate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        data = context.make_array(array)(context, builder, args[0]).data
        place = builder.gep(data, [args[1]])
        for word, bits, first in ((args[2], 64, 0), (args[3], CARDS - 64, 64)):
            part = word if bits == 64 else builder.trunc(word, ir.IntType(bits))
            lanes = builder.bitcast(part, ir.VectorType(ir.IntType(1), bits))
            wide = builder.zext(lanes, ir.VectorType(ir.IntType(8), bits))
            target = builder.gep(place, [ir.Constant(ir.IntType(64), first)])
            builder.store(wide, builder.bitcast(target, wide.type.as_pointer()), align=1)
        return context.get_dummy_value()

    return numba.types.void(array, at, low, high), generate


@rule
def unfold(low: Int, high: Int, out: Array, at: Int) -> None:
    """Write a set of cards as a byte a card, card 1 first: `observed.spread` in two stores."""
    store_bits(out, U(at), (low >> U(1)) | (high << U(63)), high >> U(1))


@kernel
def describe_games(plan: Plan, t: Table, s: Seats, first: int, where: Array, out: Array) -> None:
    """Write what the seats from `first` on may know of the games named by the mask."""
    seats, size = out.shape[1], out.shape[2]
    for b in range(out.shape[0]):
        if where[b]:
            describe_table(plan, t, s, b, out[b, 0])
            unfold(s.shown[b, 0], s.shown[b, 1], out[b, 0], SEEN)
            for k in range(1, seats):
                for i in range(U(size)):
                    out[b, k, i] = out[b, 0, i]
            for k in range(seats):
                viewer = first + k
                unfold(s.hands[b, viewer, 0], s.hands[b, viewer, 1], out[b, k], HAND)
                describe_seats(plan, t, s, b, viewer, out[b, k])


@kernel
def mask_games(plan: Plan, t: Table, s: Seats, first: int, where: Array, out: Array) -> None:
    """Write what the seats from `first` on may do in the games named by the mask."""
    for b in range(out.shape[0]):
        if where[b]:
            for k in range(out.shape[1]):
                seat = first + k
                for i in range(CHOICES):
                    out[b, k, i] = 0
                if may_play(s, b):
                    unfold(s.hands[b, seat, 0], s.hands[b, seat, 1], out[b, k], 1)
                    may_flip(plan, s, b, seat, out[b, k])
                else:
                    may_choose_only(plan, t, s, b, seat, out[b, k])

"""What `observed` says, written for many games by a processor with vectors: a set of cards is two stores.

What the first seat is told is copied to the others, and then turned to where they sit.
"""

from typing import Any

from bullpen.fast.chance import U
from bullpen.fast.compiled import Array, Int, extending, ir, kernel, numba, rule
from bullpen.fast.games import Plan
from bullpen.fast.observed import (
    HAND,
    SEEN,
    WAITING,
    describe_asked,
    describe_marks,
    describe_seats,
    describe_table,
    may_choose_only,
    may_flip,
    may_play,
)
from bullpen.fast.rules import Table
from bullpen.fast.tables import ASKED, Seats
from bullpen.fast.trick import CHOICES

CARDS = 104


def _store(builder: Any, place: Any, first: int, word: Any) -> None:
    """Write the bits of a word as bytes, from `place + first` on."""
    lanes = builder.bitcast(word, ir.VectorType(ir.IntType(1), 64))
    wide = builder.zext(lanes, ir.VectorType(ir.IntType(8), 64))
    target = builder.gep(place, [ir.Constant(ir.IntType(64), first)])
    builder.store(wide, builder.bitcast(target, wide.type.as_pointer()), align=1)


@extending.intrinsic
def store_bits(_context: Any, array: Any, at: Any, low: Any, high: Any) -> Any:
    """Write 104 bits, the first and the last 64 of which are given, as bytes into a flat array."""

    def generate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        data = context.make_array(array)(context, builder, args[0]).data
        place = builder.gep(data, [args[1]])
        _store(builder, place, 0, args[2])
        _store(builder, place, CARDS - 64, args[3])
        return context.get_dummy_value()

    return numba.types.void(array, at, low, high), generate


@extending.intrinsic
def store_choices(_context: Any, array: Any, at: Any, low: Any, high: Any, last: Any) -> Any:
    """Write a byte for every choice into a flat array: words of bits say the first 128 and the last 52."""

    def generate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        data = context.make_array(array)(context, builder, args[0]).data
        place, none = builder.gep(data, [args[1]]), ir.Constant(ir.IntType(64), 0)
        # The last two overlap, since a vector is stored whole: the last word's first twelve bits are 0.
        for first, word in ((0, args[2]), (64, args[3]), (128, none), (CHOICES - 64, args[4])):
            _store(builder, place, first, word)
        return context.get_dummy_value()

    return numba.types.void(array, at, low, high, last), generate


@rule
def unfold(low: Int, high: Int, out: Array, at: Int) -> None:
    """Write a set of cards as a byte a card, card 1 first: `observed.spread` in two stores."""
    store_bits(out, U(at), (low >> U(1)) | (high << U(63)), (low >> U(41)) | (high << U(23)))


@extending.intrinsic
def copy_bytes(_context: Any, source: Any, _at: Any, target: Any, _to: Any, _count: Any) -> Any:
    """Copy some bytes of a flat array to a place of another one that does not overlap it.

    A loop would have to be ready for overlapping, and go byte by byte.
    """

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        places = [
            builder.gep(context.make_array(sig.args[k])(context, builder, args[k]).data, [args[k + 1]])
            for k in (0, 2)
        ]
        byte = ir.IntType(8).as_pointer()
        raw = [builder.bitcast(place, byte) for place in places]
        copy = builder.module.declare_intrinsic("llvm.memcpy", [byte, byte, ir.IntType(64)])
        builder.call(copy, [raw[1], raw[0], args[4], ir.Constant(ir.IntType(1), 0)])
        return context.get_dummy_value()

    place = numba.types.uint64
    return numba.types.void(source, place, target, place, place), generate


@rule
def copy_part(first: Array, out: Array, start: Int, stop: Int) -> None:
    """Tell a viewer the same as the first one, from one byte to another."""
    copy_bytes(first, U(start), out, U(start), U(stop - start))


@rule
def turn(first: Array, out: Array, at: Int, by: Int, players: Int) -> None:
    """Write a number of each seat as the first viewer is told them, but from so many places further on."""
    for place in range(U(players)):
        source = place + U(by)
        out[U(at) + place] = first[U(at) + (source if source < U(players) else source - U(players))]


@rule
def describe_beside(plan: Plan, t: Table, s: Seats, b: Int, viewer: Int, by: Int, out: Array) -> None:
    """Write what a viewer so many places behind the first one may know, but for sets of cards."""
    first, beside, n = out[0], out[by], plan.players
    at = WAITING + 4 * n + 2
    copy_part(first, beside, 0, HAND)
    copy_part(first, beside, WAITING, at)
    turn(first, beside, at, by, n)
    turn(first, beside, at + n, by, n)
    beside[at + 2 * n] = first[at + 2 * n]
    describe_marks(plan, t, b, beside)
    if plan.digits >= 0:
        turn(first, beside, at + 2 * n + 1, by, n)
    if s.stage[b, ASKED] >= 0:
        describe_asked(plan, s, b, viewer, beside)


@rule
def for_order(plan: Plan, order: tuple[int, ...]) -> Plan:
    """Return the plan with the players as a constant, for which every loop over them is unrolled."""
    return Plan(
        plan.code,
        len(order),
        plan.first,
        plan.second,
        plan.size,
        plan.ascending,
        plan.digits,
        plan.flip_once,
    )


@kernel
def describe_games(
    given: Plan,
    order: tuple[int, ...],
    viewers: tuple[int, ...],
    t: Table,
    s: Seats,
    where: Array,
    out: Array,
) -> None:
    """Write what some seats that follow one another may know of the games named by the mask."""
    plan, first = for_order(given, order), viewers[0]
    for b in range(out.shape[0]):
        if where[b]:
            describe_table(plan, t, s, b, out[b, 0])
            describe_seats(plan, t, s, b, first, out[b, 0])
            for k in range(1, len(viewers)):
                describe_beside(plan, t, s, b, first + k, k, out[b])
            for k in range(len(viewers)):
                unfold(s.hands[b, first + k, 0], s.hands[b, first + k, 1], out[b, k], HAND)
                unfold(s.shown[b, 0], s.shown[b, 1], out[b, k], SEEN)


@kernel
def mask_games(plan: Plan, t: Table, s: Seats, first: int, where: Array, out: Array) -> None:
    """Write what the seats from `first` on may do in the games named by the mask."""
    for b in range(out.shape[0]):
        if where[b]:
            playing = may_play(s, b)
            for k in range(out.shape[1]):
                seat = first + k
                if playing:
                    store_choices(out[b, k], U(0), s.hands[b, seat, 0], s.hands[b, seat, 1], U(0))
                    may_flip(plan, s, b, seat, out[b, k])
                else:
                    store_choices(out[b, k], U(0), U(0), U(0), U(0))
                    may_choose_only(plan, t, s, b, seat, out[b, k])

"""A vector register as a Numba type: as many games as PER_VECTOR, one number of each.

The lockstep loops of `lockstep` leave it to LLVM to find out that their lanes can be done at once. A
batch has too many arrays for that: LLVM would have to prove that none of them overlap. A `Vector`
says it outright, and the operations of `lanes` take vectors as they take numbers. LLVM cuts a vector
into whatever registers the processor has.
"""

from collections.abc import Callable
from typing import Any

from bullpen.fast.compiled import cgutils, extending, ir, numba

PER_VECTOR = 64
"""Games in a vector of bytes: a whole AVX-512 register."""
FEW = 8
"""Games in a vector of sets: as many 64-bit words as the same register holds."""


class Vector(numba.types.Type):  # type: ignore[misc]
    """The type of a vector of unsigned integers; those of one bit say where something holds."""

    def __init__(self, bitwidth: int, lanes: int) -> None:
        self.bitwidth = bitwidth
        self.lanes = lanes
        super().__init__(name=f"Vector({lanes} x u{bitwidth})")


@extending.register_model(Vector)
class VectorModel(extending.models.PrimitiveModel):  # type: ignore[misc]
    """How LLVM holds a vector."""

    def __init__(self, manager: Any, vector: Vector) -> None:
        super().__init__(manager, vector, ir.VectorType(ir.IntType(vector.bitwidth), vector.lanes))


def truth_of(operand: Any) -> Any:
    """Return the type of a comparison of operands of this type."""
    return Vector(1, operand.lanes) if isinstance(operand, Vector) else numba.types.boolean


def spread(builder: Any, number: Any, vector: Any) -> Any:
    """Emit a vector that holds the number in every lane."""
    nothing = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), None)
    return builder.shuffle_vector(first, nothing, zeros)


def _place(context: Any, builder: Any, array: Any, args: Any, lanes: int) -> Any:
    """Emit the address of a vector that begins at a place of a flat array."""
    data = context.make_array(array)(context, builder, args[0]).data
    vector = ir.VectorType(ir.IntType(array.dtype.bitwidth), lanes)
    return builder.bitcast(builder.gep(data, [args[1]]), vector.as_pointer())


def _loader(lanes: int) -> Callable[..., Any]:
    @extending.intrinsic
    def load(_context: Any, array: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return builder.load(_place(context, builder, array, args, lanes), align=1)

        return Vector(array.dtype.bitwidth, lanes)(array, at), generate

    return load  # type: ignore[no-any-return]


load = _loader(PER_VECTOR)
"""load(array, at): the numbers of PER_VECTOR games from place `at` of a flat array on."""
load_few = _loader(FEW)
"""load_few(array, at): the same of FEW games."""


@extending.intrinsic
def store(_context: Any, array: Any, at: Any, vector: Any) -> Any:
    """Write the numbers of a vector into a flat array from place `at` on."""

    def generate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, array, args, vector.lanes), align=1)
        return context.get_dummy_value()

    return numba.types.void(array, at, vector), generate


@extending.intrinsic
def load_seats(_context: Any, array: Any, at: Any, seats: Any) -> Any:
    """Return a vector a seat of what lies in a flat array game by game, each with all its seats."""
    count = len(seats)
    vector = Vector(array.dtype.bitwidth, PER_VECTOR)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole = builder.load(_place(context, builder, array, args, PER_VECTOR * count), align=1)
        nothing = ir.Constant(whole.type, ir.Undefined)
        number = ir.IntType(32)
        parts = []
        for seat in range(count):
            places = [ir.Constant(number, lane * count + seat) for lane in range(PER_VECTOR)]
            parts.append(
                builder.shuffle_vector(whole, nothing, ir.Constant(ir.VectorType(number, PER_VECTOR), places))
            )
        return context.make_tuple(builder, sig.return_type, parts)

    return numba.types.UniTuple(vector, count)(array, at, seats), generate


@extending.intrinsic
def store_seats(_context: Any, planes: Any, array: Any, at: Any, seats: Any) -> Any:
    """Write what lies in a flat array seat by seat, PER_VECTOR bytes each, into another one game by game."""
    count = len(seats)

    def generate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        number, lanes = ir.IntType(32), PER_VECTOR * count
        first = [args[0], ir.Constant(ir.IntType(64), 0)]
        whole = builder.load(_place(context, builder, planes, first, lanes), align=1)
        order = [seat * PER_VECTOR + lane for lane in range(PER_VECTOR) for seat in range(count)]
        places = ir.Constant(ir.VectorType(number, lanes), [ir.Constant(number, place) for place in order])
        turned = builder.shuffle_vector(whole, ir.Constant(whole.type, ir.Undefined), places)
        builder.store(turned, _place(context, builder, array, args[1:3], lanes), align=1)
        return context.get_dummy_value()

    return numba.types.void(planes, array, at, seats), generate


def _zipped(builder: Any, x: Any, y: Any) -> list[Any]:
    """Emit two vectors that hold the lanes of two others in turn."""
    number, half = ir.IntType(32), PER_VECTOR // 2
    both = []
    for first in (0, half):
        order = [lane + side for lane in range(first, first + half) for side in (0, PER_VECTOR)]
        places = ir.Constant(ir.VectorType(number, PER_VECTOR), [ir.Constant(number, p) for p in order])
        both.append(builder.shuffle_vector(x, y, places))
    return both


def _turner(count: int) -> Callable[..., Any]:
    @extending.intrinsic
    def turn(_context: Any, array: Any, at: Any, to: Any) -> Any:
        def generate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
            def place(first: Any, number: int) -> Any:
                there = builder.add(first, ir.Constant(first.type, number * PER_VECTOR))
                return _place(context, builder, array, (args[0], there), PER_VECTOR)

            vectors = [builder.load(place(args[1], number), align=1) for number in range(count)]
            # Every round moves the highest bit of a vector's number to the lowest of a lane's.
            for _ in range(count.bit_length() - 1):
                halves = zip(vectors[: count // 2], vectors[count // 2 :], strict=True)
                vectors = [turned for x, y in halves for turned in _zipped(builder, x, y)]
            for number, vector in enumerate(vectors):
                builder.store(vector, place(args[2], number), align=1)
            return context.get_dummy_value()

        return numba.types.void(array, at, to), generate

    return turn  # type: ignore[no-any-return]


turn_16, turn_32, turn_64 = map(_turner, (16, 32, 64))
"""turn_16(array, at, to): write 16 planes of PER_VECTOR bytes each, from place `at` of a flat array on,
game by game from place `to` on."""


@extending.intrinsic
def ones_in(_context: Any, vector: Any) -> Any:
    """Return how many bits are set, lane by lane."""

    def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        kind = args[0].type
        name = f"llvm.ctpop.v{vector.lanes}i{vector.bitwidth}"
        count = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), name)
        return builder.call(count, args)

    return vector(vector), generate


@extending.intrinsic
def wider(_context: Any, vector: Any) -> Any:
    """Return the same numbers in twice the width."""
    wide = Vector(2 * vector.bitwidth, vector.lanes)

    def generate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.zext(args[0], context.get_value_type(wide))

    return wide(vector), generate


@extending.intrinsic
def anywhere(_context: Any, truth: Any) -> Any:
    """Whether something holds in any lane."""

    def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        bits = ir.IntType(truth.lanes)
        return builder.icmp_unsigned("!=", builder.bitcast(args[0], bits), ir.Constant(bits, 0))

    return numba.types.boolean(truth), generate

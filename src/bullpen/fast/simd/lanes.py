# ruff: noqa: ARG001, ARG005  what is compiled by types must take every argument of its stub
"""The innermost placement: base rules without a branch, for many games side by side.

Here alone readability is paid for speed. A row is two numbers, a card one, and a placement is
forty arithmetic operations with no `if`: a CPU then plays up to 64 games per vector instruction, and a
GPU thread keeps its game in registers. `tests/differential` holds it against `trick.place_play`.

    card word   card << 7 | heads << 4 | seat        16 bits; sorts by card, the seat rides along
    row end     card                                 8 bits
    row word    heads << 3 | count                   8 bits

Numba widens every small integer to 64 bits; the operations below keep the width they are given,
which is what lets LLVM use whole vectors. On CUDA all of them are 32 bits wide, as registers are.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from bullpen.fast.compiled import Array, Int, by_types, extending, rule
from bullpen.fast.simd.vectors import Vector, spread, truth_of

Emit: TypeAlias = Callable[..., Any]
Lane: TypeAlias = Any
"""An unsigned integer of the width in use; all operands of one operation share it."""
Rows: TypeAlias = tuple[Lane, Lane, Lane, Lane, Lane, Lane, Lane, Lane]
"""The ends of four rows, then their row words."""
Words: TypeAlias = tuple[Lane, ...]
"""Several numbers: a card word or a cost a seat, a price a row."""


def _same_width(emit: Emit) -> Any:
    @extending.intrinsic
    def operation(_context: Any, x: Any, y: Any) -> Any:
        def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return emit(builder, *args)

        return x(x, y), generate

    return operation


def _comparison(sign: str) -> Any:
    @extending.intrinsic
    def operation(_context: Any, x: Any, y: Any) -> Any:
        def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
            return builder.icmp_unsigned(sign, *args)

        return truth_of(x)(x, y), generate

    return operation


add = _same_width(lambda builder, x, y: builder.add(x, y))
minus = _same_width(lambda builder, x, y: builder.sub(x, y))
times = _same_width(lambda builder, x, y: builder.mul(x, y))
both = _same_width(lambda builder, x, y: builder.and_(x, y))
either = _same_width(lambda builder, x, y: builder.or_(x, y))
one_of = _same_width(lambda builder, x, y: builder.xor(x, y))
left = _same_width(lambda builder, x, y: builder.shl(x, y))
right = _same_width(lambda builder, x, y: builder.lshr(x, y))
below = _comparison("<")
equal = _comparison("==")


@extending.intrinsic
def pick(_context: Any, condition: Any, x: Any, y: Any) -> Any:
    """Return x where the condition holds, else y."""

    def generate(_ctx: Any, builder: Any, _sig: Any, args: Any) -> Any:
        return builder.select(*args)

    return x(condition, x, y), generate


@extending.intrinsic
def like(_context: Any, value: Any, example: Any) -> Any:
    """Return a number in the width of the example."""

    def generate(_ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        number, _ = args
        source, target = sig.args
        into = _ctx.get_value_type(target)
        lone = isinstance(target, Vector) and not isinstance(source, Vector)
        width = into.element if lone else into
        cut = source.bitwidth > target.bitwidth
        number = builder.trunc(number, width) if cut else builder.zext(number, width)
        return spread(builder, number, into) if lone else number

    return example(value, example), generate


@rule
def lower(x: Lane, y: Lane) -> Lane:
    """Return the lower of two."""
    return pick(below(x, y), x, y)


@rule
def higher(x: Lane, y: Lane) -> Lane:
    """Return the higher of two."""
    return pick(below(x, y), y, x)


@rule
def start_word(card: Lane) -> Lane:
    """Return the row word of a row that holds just this card: its heads, and one card."""
    return either(both(right(card, like(1, card)), like(0x38, card)), like(1, card))


@rule
def prices_of(rows: Rows) -> Words:
    """Return what the rows cost: their heads, and behind that their number, so that no two cost the same."""
    w0, w1, w2, w3 = rows[4:]
    heads = like(0xF8, w0)
    return (
        both(w0, heads),
        either(both(w1, heads), like(1, w0)),
        either(both(w2, heads), like(2, w0)),
        either(both(w3, heads), like(3, w0)),
    )


@rule
def place_priced(word: Lane, rows: Rows, prices: Words) -> tuple[Rows, Lane]:
    """Place a card, if it fits nowhere in the row with the lowest price; return rows and bullheads taken."""
    e0, e1, e2, e3, w0, w1, w2, w3 = rows
    p0, p1, p2, p3 = prices
    zero = like(0, e0)
    card = like(right(word, like(7, word)), e0)
    alone = like(start_word(word), e0)
    nearest = higher(
        higher(pick(below(e0, card), e0, zero), pick(below(e1, card), e1, zero)),
        higher(pick(below(e2, card), e2, zero), pick(below(e3, card), e3, zero)),
    )
    low = equal(nearest, zero)
    wanted = pick(low, lower(lower(p0, p1), lower(p2, p3)), nearest)
    s0 = equal(pick(low, p0, e0), wanted)
    s1 = equal(pick(low, p1, e1), wanted)
    s2 = equal(pick(low, p2, e2), wanted)
    s3 = equal(pick(low, p3, e3), wanted)
    row = pick(s0, w0, pick(s1, w1, pick(s2, w2, w3)))
    taken = either(low, equal(both(row, like(7, e0)), like(5, e0)))
    cost = pick(taken, right(row, like(3, e0)), zero)
    row = pick(taken, alone, add(row, alone))
    ends = pick(s0, card, e0), pick(s1, card, e1), pick(s2, card, e2), pick(s3, card, e3)
    words = pick(s0, row, w0), pick(s1, row, w1), pick(s2, row, w2), pick(s3, row, w3)
    return ends + words, cost


@rule
def place_lane(word: Lane, rows: Rows) -> tuple[Rows, Lane]:
    """Place a card, if it fits nowhere in the cheapest row, the topmost of equals (`place_priced`)."""
    return place_priced(word, rows, prices_of(rows))


# A whole trick in registers: the functions below take tuples with one entry a seat, so that the
# number of players is part of their type and every loop over the seats is unrolled. Each is told
# to Numba as what to do with the first entry, and with the others by itself.


def sorted_in(words: Words, word: Lane) -> Words:
    """Return sorted words with one more in its place."""
    raise NotImplementedError


@by_types(sorted_in)
def _sorted_in(words: Any, word: Any) -> Any:
    if len(words) == 0:
        return lambda words, word: (word,)
    return lambda words, word: (lower(words[0], word), *sorted_in(words[1:], higher(words[0], word)))


def in_order(words: Words) -> Words:
    """Return words sorted, lowest first."""
    raise NotImplementedError


@by_types(in_order)
def _in_order(words: Any) -> Any:
    if len(words) == 1:
        return lambda words: words
    return lambda words: sorted_in(in_order(words[1:]), words[0])


def place_in_turn(words: Words, rows: Rows) -> tuple[Rows, Words]:
    """Place cards one after the other; return the rows and what each card cost."""
    raise NotImplementedError


@by_types(place_in_turn)
def _place_in_turn(words: Any, rows: Any) -> Any:
    if len(words) == 0:
        return lambda words, rows: (rows, ())

    def place_first(words: Any, rows: Any) -> Any:
        rows, cost = place_lane(words[0], rows)
        rows, costs = place_in_turn(words[1:], rows)
        return rows, (cost, *costs)

    return place_first


def owed_by(seat: Lane, words: Words, costs: Words) -> Lane:
    """Return what the cards of one seat cost."""
    raise NotImplementedError


@by_types(owed_by)
def _owed_by(seat: Any, words: Any, costs: Any) -> Any:
    if len(words) == 1:
        return lambda seat, words, costs: pick(
            equal(like(both(words[0], like(15, words[0])), seat), seat), costs[0], like(0, seat)
        )
    return lambda seat, words, costs: add(
        owed_by(seat, words[:1], costs[:1]), owed_by(seat, words[1:], costs[1:])
    )


def played(cards: Array, at: Int, step: Int, seats: tuple[int, ...], width: Lane) -> Words:
    """Return the card words that lie at place `at` and every `step` places on, each with its seat."""
    raise NotImplementedError


@by_types(played)
def _played(cards: Any, at: Any, step: Any, seats: Any, width: Any) -> Any:
    if len(seats) == 0:
        return lambda cards, at, step, seats, width: ()
    return lambda cards, at, step, seats, width: (
        either(like(cards[at], width), like(seats[0], width)),
        *played(cards, at + step, step, seats[1:], width),
    )


def charge(points: Array, at: Int, step: Int, seats: tuple[int, ...], words: Words, costs: Words) -> None:
    """Add what the cards of a trick cost to their seats' points, which lie at `at` and every `step` on."""
    raise NotImplementedError


@by_types(charge)
def _charge(points: Any, at: Any, step: Any, seats: Any, words: Any, costs: Any) -> Any:
    if len(seats) == 0:
        return lambda points, at, step, seats, words, costs: None

    def charge_first(points: Any, at: Any, step: Any, seats: Any, words: Any, costs: Any) -> Any:
        before = points[at]
        points[at] = add(before, owed_by(like(seats[0], before), words, costs))
        charge(points, at + step, step, seats[1:], words, costs)

    return charge_first

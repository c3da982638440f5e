# ruff: noqa: ARG001, ARG005  what is compiled by types must take every argument of its stub
"""The rows of PER_VECTOR games in a step in lockstep: read, placed upon, and written back.

`lanes` needs a row's end, its count and its heads to place a card. A batch also keeps which cards lie
there, in 20 planes: five places in each of four rows. So every card notes the *slot* it came to lie in.
"""

from typing import Any

from bullpen.fast.chance import U
from bullpen.fast.compiled import Array, Int, by_types, rule
from bullpen.fast.simd.lanes import (
    Lane,
    Rows,
    Words,
    add,
    both,
    either,
    equal,
    left,
    like,
    minus,
    pick,
    place_priced,
    prices_of,
    right,
)
from bullpen.fast.simd.planes import COUNTS, ENDS, HEADS, ROWS, Planes
from bullpen.fast.simd.vectors import load, store


@rule
def four(planes: Array, at: Int, width: Int) -> Words:
    """Return vectors of four planes, one below the other."""
    return (
        load(planes, at),
        load(planes, at + width),
        load(planes, at + U(2) * width),
        load(planes, at + U(3) * width),
    )


@rule
def words_of(counts: Words, heads: Words) -> Words:
    """Return the row words of four rows."""
    three = like(3, heads[0])
    return (
        either(left(heads[0], three), counts[0]),
        either(left(heads[1], three), counts[1]),
        either(left(heads[2], three), counts[2]),
        either(left(heads[3], three), counts[3]),
    )


@rule
def rows_in(p: Planes, width: Int, at: Int) -> Rows:
    """Return the rows of PER_VECTOR games."""
    counts, heads = four(p.bytes, COUNTS * width + at, width), four(p.bytes, HEADS * width + at, width)
    return four(p.bytes, ENDS * width + at, width) + words_of(counts, heads)


@rule
def slot_of(card: Lane, rows: Rows) -> Lane:
    """Return where a card lies that was placed last: 8 * row + how many cards are in the row up to it."""
    count = like(7, card)
    e0, e1, e2, _, w0, w1, w2, w3 = rows
    lower_half = pick(
        equal(e2, card), add(both(w2, count), like(16, card)), add(both(w3, count), like(24, card))
    )
    below_top = pick(equal(e1, card), add(both(w1, count), like(8, card)), lower_half)
    return pick(equal(e0, card), both(w0, count), below_top)


def place_noting(words: Words, rows: Rows, prices: Words) -> tuple[Rows, Words, Words]:
    """Place cards one after the other, the first at these prices; return rows, costs, and slots."""
    raise NotImplementedError


@by_types(place_noting)
def _place_noting(words: Any, rows: Any, prices: Any) -> Any:
    if len(words) == 0:
        return lambda words, rows, prices: (rows, (), ())

    def place_first(words: Any, rows: Any, prices: Any) -> Any:
        rows, cost = place_priced(words[0], rows, prices)
        slot = slot_of(like(right(words[0], like(7, words[0])), cost), rows)
        rows, costs, slots = place_noting(words[1:], rows, prices_of(rows))
        return rows, (cost, *costs), (slot, *slots)

    return place_first


@rule
def with_chosen(answering: Lane, row: Lane, prices: Words) -> Words:
    """Return prices, which in games that answer are zero for the chosen row alone."""
    return (
        pick(answering, minus(like(0, row), row), prices[0]),
        pick(answering, minus(like(1, row), row), prices[1]),
        pick(answering, minus(like(2, row), row), prices[2]),
        pick(answering, minus(like(3, row), row), prices[3]),
    )


def laid_over(old: Lane, slot: Lane, words: Words, slots: Words) -> Lane:
    """Return the card in a slot: the last one that came to lie there, or the old one."""
    raise NotImplementedError


@by_types(laid_over)
def _laid_over(old: Any, slot: Any, words: Any, slots: Any) -> Any:
    if len(words) == 0:
        return lambda old, slot, words, slots: old

    def lay_first(old: Any, slot: Any, words: Any, slots: Any) -> Any:
        card = like(right(words[0], like(7, words[0])), old)
        return laid_over(pick(equal(slots[0], slot), card, old), slot, words[1:], slots[1:])

    return lay_first


def only(placing: Lane, vectors: Words) -> Words:
    """Return vectors that are 0 in the games that place no cards."""
    raise NotImplementedError


@by_types(only)
def _only(placing: Any, vectors: Any) -> Any:
    if len(vectors) == 0:
        return lambda placing, vectors: ()
    return lambda placing, vectors: (
        pick(placing, vectors[0], like(0, vectors[0])),
        *only(placing, vectors[1:]),
    )


def put_back(planes: Array, at: Int, width: Int, placing: Lane, vectors: Words) -> None:
    """Write vectors into planes, one below the other, for the games that place cards."""
    raise NotImplementedError


@by_types(put_back)
def _put_back(planes: Any, at: Any, width: Any, placing: Any, vectors: Any) -> Any:
    if len(vectors) == 0:
        return lambda planes, at, width, placing, vectors: None

    def put_first(planes: Any, at: Any, width: Any, placing: Any, vectors: Any) -> Any:
        store(planes, at, pick(placing, vectors[0], load(planes, at)))
        put_back(planes, at + width, width, placing, vectors[1:])

    return put_first


@rule
def counts_of(words: Words) -> Words:
    """Return the number of cards in four rows."""
    seven = like(7, words[0])
    return both(words[0], seven), both(words[1], seven), both(words[2], seven), both(words[3], seven)


@rule
def heads_of(words: Words) -> Words:
    """Return the bullheads in four rows."""
    three = like(3, words[0])
    return right(words[0], three), right(words[1], three), right(words[2], three), right(words[3], three)


@rule
def lay_cards(p: Planes, width: Int, at: Int, words: Words, slots: Words) -> None:
    """Write cards into their slots; slot 0 is nowhere."""
    for row in range(U(4)):
        for place in range(U(5)):
            plane = (ROWS + U(5) * row + place) * width + at
            old = load(p.bytes, plane)
            slot = like(U(8) * row + place + U(1), old)
            store(p.bytes, plane, laid_over(old, slot, words, slots))


@rule
def put_rows(p: Planes, width: Int, at: Int, placing: Lane, rows: Rows) -> None:
    """Write the rows back in games that placed cards."""
    put_back(p.bytes, ENDS * width + at, width, placing, rows[:4] + counts_of(rows[4:]) + heads_of(rows[4:]))

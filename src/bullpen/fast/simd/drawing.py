"""Choices by chance under base placement, FEW games at a time: `tables.random_choice` from planes."""

from bullpen.fast.chance import GAMMA, MIX1, MIX2, U
from bullpen.fast.compiled import Array, Int, kernel, rule
from bullpen.fast.simd.checked import BLOCK, GROUP
from bullpen.fast.simd.lanes import Lane, add, below, both, equal, like, minus, one_of, pick, right, times
from bullpen.fast.simd.planes import STAGE, Planes
from bullpen.fast.simd.vectors import load_few, ones_in, store, store_seats
from bullpen.fast.tables import ASKED, TO_PLAY
from bullpen.fast.trick import ROW


@rule
def mixed_lanes(state: Lane) -> Lane:
    """Return the random words that belong to states of the streams, as `chance.mixed`."""
    z = times(one_of(state, right(state, like(30, state))), like(MIX1, state))
    z = times(one_of(z, right(z, like(27, z))), like(MIX2, z))
    return one_of(z, right(z, like(31, z)))


@rule
def drawn(word: Lane, count: Lane) -> Lane:
    """Return numbers from 0 to count - 1, as `chance.high_draw`."""
    half = like(32, word)
    return right(times(right(word, half), count), half)


@rule
def nth_cards(low: Lane, high: Lane, nth: Lane) -> Lane:
    """Return the nth cards of hands, as `tables.nth_card`."""
    least = ones_in(low)
    stays = below(nth, least)
    word, card = pick(stays, low, high), pick(stays, like(0, low), like(64, low))
    nth = pick(stays, nth, minus(nth, least))
    for bits in (32, 16, 8, 4, 2, 1):
        step = like(bits, word)
        least = ones_in(both(word, like((U(1) << U(bits)) - U(1), word)))
        stays = below(nth, least)
        card = pick(stays, card, add(card, step))
        word = pick(stays, word, right(word, step))
        nth = pick(stays, nth, minus(nth, least))
    return card


@rule
def draw_few(p: Planes, width: Int, at: Int, players: Int, luck: Array, desk: Array) -> None:
    """Draw the choices of FEW games, and write them down seat by seat."""
    state, narrow = load_few(luck, at), load_few(p.bytes, (STAGE + U(ASKED)) * width + at)
    asked, tricks = like(narrow, state), like(load_few(p.bytes, (STAGE + U(TO_PLAY)) * width + at), state)
    none, four = like(0, state), like(4, state)
    for seat in range(players):
        state = add(state, like(GAMMA, state))
        word, hand = mixed_lanes(state), U(2) * seat * width + at
        low, high = load_few(p.sets, hand), load_few(p.sets, hand + width)
        card = nth_cards(low, high, drawn(word, add(ones_in(low), ones_in(high))))
        row = pick(equal(asked, like(seat, asked)), add(drawn(word, four), like(ROW, word)), none)
        choice = pick(below(asked, like(128, asked)), row, card)
        choice = pick(equal(tricks, none), none, choice)
        store(desk, seat * BLOCK + at % BLOCK, like(choice, narrow))
    store(luck, at, state)


@kernel
def draw_abreast(
    p: Planes, width: int, seats: tuple[int, ...], luck: Array, desk: Array, choices: Array
) -> None:
    """Choose uniformly among the legal choices of every seat; 0 where a seat is not asked."""
    for at in range(U(0), U(width), BLOCK):
        for few in range(at, at + BLOCK, GROUP):
            draw_few(p, U(width), few, U(len(seats)), luck, desk)
        store_seats(desk, choices, at * U(len(seats)), seats)

# ruff: noqa: ARG001, ARG005  what is compiled by types must take every argument of its stub
"""The first half of a step in lockstep: what every game is to do, and whether it may.

It writes into the planes of the step (`TODO`, `CHOSEN`, `GIVEN`) and nowhere else: an illegal choice
changes nothing. The other half is in `abreast`.
"""

from typing import Any

from bullpen.fast.chance import U
from bullpen.fast.compiled import Array, Int, by_types, kernel, rule
from bullpen.fast.simd.lanes import Lane, Words, below, both, either, equal, left, like, lower, minus, pick
from bullpen.fast.simd.laying import four
from bullpen.fast.simd.planes import CHOSEN, ENDS, GIVEN, STAGE, TODO, Planes
from bullpen.fast.simd.vectors import FEW, PER_VECTOR, anywhere, load, load_few, load_seats, store
from bullpen.fast.tables import ASKED, TO_PLAY
from bullpen.fast.trick import FLIP, ROW

IDLE, TRICK, QUESTION, ANSWER, HALF_TIME = range(5)
"""What a game is to do: nothing; a whole trick; one whose lowest card fits nowhere, so that its owner
must be asked; the rest of a trick, now that a row is chosen; what comes after the last one of a half."""

NO_CARD = 255
BLOCK, GROUP = U(PER_VECTOR), U(FEW)


def lowest_of(vectors: Words) -> Lane:
    """Return the lowest number of several, lane by lane."""
    raise NotImplementedError


@by_types(lowest_of)
def _lowest_of(vectors: Any) -> Any:
    if len(vectors) == 1:
        return lambda vectors: vectors[0]
    return lambda vectors: lower(vectors[0], lowest_of(vectors[1:]))


def choice_of(asked: Lane, seats: tuple[int, ...], choices: Words) -> Lane:
    """Return the choice of the seat that is asked, or 0."""
    raise NotImplementedError


@by_types(choice_of)
def _choice_of(asked: Any, seats: Any, choices: Any) -> Any:
    if len(seats) == 0:
        return lambda asked, seats, choices: like(0, asked)
    return lambda asked, seats, choices: pick(
        equal(asked, like(seats[0], asked)), choices[0], choice_of(asked, seats[1:], choices[1:])
    )


def give(planes: Array, at: Int, width: Int, choosing: Lane, choices: Words) -> None:
    """Write the cards of games that choose some into planes, and 0, which nobody holds, for no card."""
    raise NotImplementedError


@by_types(give)
def _give(planes: Any, at: Any, width: Any, choosing: Any, choices: Any) -> Any:
    if len(choices) == 0:
        return lambda planes, at, width, choosing, choices: None

    def give_first(planes: Any, at: Any, width: Any, choosing: Any, choices: Any) -> Any:
        choice = choices[0]
        card = pick(below(choice, like(FLIP, choice)), choice, like(0, choice))
        store(planes, at, pick(choosing, card, like(NO_CARD, choice)))
        give(planes, at + width, width, choosing, choices[1:])

    return give_first


@rule
def sort_out(p: Planes, width: Int, at: Int, seats: tuple[int, ...], choices: Array, ask: Int) -> Int:
    """Note for PER_VECTOR games what is to be done and what is chosen; return whether all rows exist."""
    to_play = load(p.bytes, (STAGE + U(TO_PLAY)) * width + at)
    asked = load(p.bytes, (STAGE + U(ASKED)) * width + at)
    given = load_seats(choices, at * U(len(seats)), seats)
    goes_on = below(like(0, to_play), to_play)
    choosing = both(goes_on, below(like(127, asked), asked))
    answering = both(goes_on, below(asked, like(128, asked)))
    todo = pick(choosing, like(TRICK, asked), pick(answering, like(ANSWER, asked), like(IDLE, asked)))
    if ask:
        # Only the lowest card of a trick can fit nowhere: the others fit behind it.
        low = below(lowest_of(given), lowest_of(four(p.bytes, ENDS * width + at, width)))
        todo = pick(both(choosing, low), like(QUESTION, todo), todo)
    row = minus(choice_of(asked, seats, given), like(ROW, asked))
    store(p.bytes, TODO * width + at, todo)
    store(p.bytes, CHOSEN * width + at, row)
    give(p.bytes, GIVEN * width + at, width, choosing, given)
    return not anywhere(both(answering, below(like(3, row), row)))


def spoken(asked: Lane, waiting: Lane, seats: tuple[int, ...], choices: Words) -> Lane:
    """Return 0 in the lanes where all say 0 that are not asked: one is asked, or everybody waits."""
    raise NotImplementedError


@by_types(spoken)
def _spoken(asked: Any, waiting: Any, seats: Any, choices: Any) -> Any:
    if len(seats) == 0:
        return lambda asked, waiting, seats, choices: like(0, asked)

    def hear_first(asked: Any, waiting: Any, seats: Any, choices: Any) -> Any:
        others = spoken(asked, waiting, seats[1:], choices[1:])
        nothing = pick(equal(asked, like(seats[0], asked)), like(0, asked), choices[0])
        return either(others, pick(waiting, choices[0], nothing))

    return hear_first


@kernel
def are_silent(p: Planes, width: int, seats: tuple[int, ...], choices: Array) -> bool:
    """Whether every seat that is not asked says 0."""
    silent, wide = True, U(width)
    for at in range(U(0), wide, BLOCK):
        to_play = load(p.bytes, (STAGE + U(TO_PLAY)) * wide + at)
        asked = load(p.bytes, (STAGE + U(ASKED)) * wide + at)
        given = load_seats(choices, at * U(len(seats)), seats)
        over = equal(to_play, like(0, to_play))
        waits = either(over, below(asked, like(128, asked)))
        said = pick(waits, spoken(asked, over, seats, given), like(0, asked))
        silent &= not anywhere(below(like(0, said), said))
    return silent


@rule
def as_sets(card: Lane) -> tuple[Lane, Lane]:
    """Return the two words of the set that holds just this card, or nothing if it is NO_CARD."""
    nothing, one, word = like(0, card), like(1, card), like(64, card)
    high = minus(card, word)
    return (
        pick(below(card, word), left(one, card), nothing),
        pick(below(high, word), left(one, high), nothing),
    )


@rule
def lacks(hand: Lane, cards: Lane) -> Lane:
    """Return those of the cards that are not in the hand."""
    return minus(cards, both(hand, cards))


@rule
def are_held(p: Planes, width: Int, players: Int) -> Int:
    """Whether every chosen card is in the hand it is played from."""
    lacking = like(0, load_few(p.sets, U(0)))
    for seat in range(players):
        for at in range(U(0), width, GROUP):
            low = load_few(p.sets, U(2) * seat * width + at)
            high = load_few(p.sets, (U(2) * seat + U(1)) * width + at)
            cards = as_sets(like(load_few(p.bytes, (GIVEN + seat) * width + at), low))
            lacking = either(lacking, either(lacks(low, cards[0]), lacks(high, cards[1])))
    return not anywhere(below(like(0, lacking), lacking))


@kernel
def check_abreast(p: Planes, width: int, seats: tuple[int, ...], choices: Array, ask: bool) -> bool:
    """Prepare a step of all games; return whether every choice is legal.

    `seats` is 0, 1, … n - 1: there is one compiled version for each number of players.
    """
    fine = True
    for at in range(U(0), U(width), BLOCK):
        fine &= sort_out(p, U(width), at, seats, choices, ask)
    return fine and are_held(p, U(width), U(len(seats)))

# ruff: noqa: ARG001, ARG005  what is compiled by types must take every argument of its stub
"""A step of a batch in lockstep: PER_VECTOR games at a time, where they follow base placement.

What the games of a batch consist of lies in planes (`planes`), of which a vector (`vectors`) is one
number of PER_VECTOR games. `checked` has sorted out what each of them is to do; what follows takes the
chosen cards out of the hands and places them by the functions of `lanes` (`laying`). Half-time is left
to `tables.end_trick`. `tests/differential` holds all of it against `tables.step_game`.
"""

from typing import Any

from bullpen.fast.chance import U
from bullpen.fast.compiled import Array, Int, by_types, kernel, rule
from bullpen.fast.simd.checked import ANSWER, BLOCK, GROUP, HALF_TIME, IDLE, QUESTION, TRICK, as_sets
from bullpen.fast.simd.lanes import (
    Lane,
    Words,
    add,
    below,
    both,
    either,
    equal,
    in_order,
    left,
    like,
    minus,
    owed_by,
    pick,
    prices_of,
    right,
    times,
)
from bullpen.fast.simd.laying import lay_cards, only, place_noting, put_rows, rows_in, with_chosen
from bullpen.fast.simd.planes import CHOSEN, GIVEN, STAGE, TODO, Planes
from bullpen.fast.simd.vectors import anywhere, load, load_few, store, wider
from bullpen.fast.tables import ASKED, HALF, PLACED, TO_PLAY

BY_FIVE, BY_ELEVEN = ((pow(number, -1, 1 << 16), (1 << 16) // number + 1) for number in (5, 11))
"""For `is_multiple`: the inverse modulo 2**16, and how many multiples there are below 2**16."""


# Cards.


@rule
def leave_hands(p: Planes, width: Int, players: Int) -> None:
    """Take the chosen cards out of the hands and show them."""
    for at in range(U(0), width, GROUP):
        at_shown = U(2) * players * width + at
        low_shown = load_few(p.sets, at_shown)
        high_shown = load_few(p.sets, at_shown + width)
        for seat in range(players):
            at_hand = U(2) * seat * width + at
            low = load_few(p.sets, at_hand)
            high = load_few(p.sets, at_hand + width)
            cards = as_sets(like(load_few(p.bytes, (GIVEN + seat) * width + at), low))
            store(p.sets, at_hand, minus(low, cards[0]))
            store(p.sets, at_hand + width, minus(high, cards[1]))
            low_shown = either(low_shown, cards[0])
            high_shown = either(high_shown, cards[1])
        store(p.sets, at_shown, low_shown)
        store(p.sets, at_shown + width, high_shown)


@rule
def is_multiple(card: Lane, inverse: Int, most: Int) -> Lane:
    """Whether a number divides the card: times its inverse modulo 2**16, its multiples come out lowest."""
    return below(times(card, like(inverse, card)), like(most, card))


@rule
def card_word(card: Lane, seat: Int) -> Lane:
    """Return the card word of `lanes` of a card, with the bullheads of `rules.HEADS`."""
    # Worked out once more: looking 64 cards up in a table takes a load for each of them, one after the
    # other, and this a dozen vector instructions. The differential tests play every card through it.
    by_five = is_multiple(card, *BY_FIVE)
    by_eleven = is_multiple(card, *BY_ELEVEN)
    odd = both(card, like(1, card))
    tens = pick(by_five, minus(like(3, card), odd), like(1, card))
    heads = pick(by_eleven, pick(by_five, like(7, card), like(5, card)), tens)
    return either(left(card, like(7, card)), either(left(heads, like(4, card)), like(seat, card)))


def card_words(planes: Array, at: Int, width: Int, seats: tuple[int, ...]) -> Words:
    """Return the card words of what was chosen, each with its seat."""
    raise NotImplementedError


@by_types(card_words)
def _card_words(planes: Any, at: Any, width: Any, seats: Any) -> Any:
    if len(seats) == 0:
        return lambda planes, at, width, seats: ()
    return lambda planes, at, width, seats: (
        card_word(wider(load(planes, at)), seats[0]),
        *card_words(planes, at + width, width, seats[1:]),
    )


@rule
def play_of(word: Lane) -> Lane:
    """Return a card word as a play of `trick`, of a card that is not flipped."""
    card, seat = right(word, like(7, word)), both(word, like(15, word))
    value = either(left(card, like(12, card)), like(1 << 11, card))
    return either(value, either(left(card, like(4, card)), seat))


@rule
def word_of(play: Lane, example: Lane) -> Lane:
    """Return a play as a card word."""
    card = both(right(play, like(4, play)), like(127, play))
    return card_word(like(card, example), like(both(play, like(15, play)), example))


def put_plays(plays: Array, at: Int, width: Int, asking: Lane, words: Words) -> None:
    """Let the cards of games that ask wait as plays."""
    raise NotImplementedError


@by_types(put_plays)
def _put_plays(plays: Any, at: Any, width: Any, asking: Any, words: Any) -> Any:
    if len(words) == 0:
        return lambda plays, at, width, asking, words: None

    def put_first(plays: Any, at: Any, width: Any, asking: Any, words: Any) -> Any:
        store(plays, at, pick(asking, play_of(wider(words[0])), load(plays, at)))
        put_plays(plays, at + width, width, asking, words[1:])

    return put_first


def with_plays(plays: Array, at: Int, width: Int, answering: Lane, words: Words) -> Words:
    """Return card words, which are those of the waiting plays in games that answer."""
    raise NotImplementedError


@by_types(with_plays)
def _with_plays(plays: Any, at: Any, width: Any, answering: Any, words: Any) -> Any:
    if len(words) == 0:
        return lambda plays, at, width, answering, words: ()
    return lambda plays, at, width, answering, words: (
        pick(answering, word_of(load(plays, at), words[0]), words[0]),
        *with_plays(plays, at + width, width, answering, words[1:]),
    )


@rule
def pay(p: Planes, width: Int, at: Int, players: Int, words: Words, costs: Words) -> None:
    """Add what the cards cost to their seats' points."""
    for seat in range(players):
        points = load(p.points, seat * width + at)
        owed = owed_by(like(seat, costs[0]), words, costs)
        store(p.points, seat * width + at, add(points, like(owed, points)))


# The course of a trick.


@rule
def stop_or_go_on(p: Planes, width: Int, at: Int, todo: Lane, players: Int, words: Words) -> None:
    """Write down who is asked and which cards lie, in games that ask or answer."""
    asking, answering = equal(todo, like(QUESTION, todo)), equal(todo, like(ANSWER, todo))
    put_plays(p.plays, at, width, asking, words)
    at_placed, at_asked = (STAGE + U(PLACED)) * width + at, (STAGE + U(ASKED)) * width + at
    placed, asked = load(p.bytes, at_placed), load(p.bytes, at_asked)
    owner = like(both(words[0], like(15, words[0])), asked)
    placed = pick(answering, like(players, placed), placed)
    asked = pick(answering, like(255, asked), asked)
    store(p.bytes, at_placed, pick(asking, like(0, placed), placed))
    store(p.bytes, at_asked, pick(asking, owner, asked))


@rule
def write_down(p: Planes, width: Int, at: Int, players: Int, over: Lane) -> None:
    """Add the points to the scores in games whose round is over."""
    for seat in range(players):
        points = load(p.points, seat * width + at)
        scores = load(p.scores, seat * width + at)
        earned = pick(over, points, like(0, points))
        store(p.scores, seat * width + at, add(scores, like(earned, scores)))


@rule
def end_tricks(p: Planes, width: Int, at: Int, players: Int, deals: Int, placing: Lane) -> Int:
    """End a trick like `tables.end_trick`, to which half-time is left; return whether that is anywhere."""
    at_play = (STAGE + U(TO_PLAY)) * width + at
    to_play = load(p.bytes, at_play)
    half = load(p.bytes, (STAGE + U(HALF)) * width + at)
    one, final = like(1, to_play), like(deals - 1, half)
    last = both(placing, equal(to_play, one))
    paused = both(last, below(half, final))
    if anywhere(last):
        write_down(p, width, at, players, both(last, equal(half, final)))
    counted = pick(placing, minus(to_play, one), to_play)
    store(p.bytes, at_play, pick(paused, to_play, counted))
    store(p.bytes, TODO * width + at, pick(paused, like(HALF_TIME, one), like(IDLE, one)))
    return anywhere(paused)


@rule
def play_on(p: Planes, width: Int, at: Int, seats: tuple[int, ...], deals: Int) -> Int:
    """Do what PER_VECTOR games are to do; return whether it is half-time in any of them."""
    todo = load(p.bytes, TODO * width + at)
    asking, answering = equal(todo, like(QUESTION, todo)), equal(todo, like(ANSWER, todo))
    placing = either(equal(todo, like(TRICK, todo)), answering)
    words = in_order(card_words(p.bytes, GIVEN * width + at, width, seats))
    rows = rows_in(p, width, at)
    prices = prices_of(rows)
    if anywhere(either(asking, answering)):
        stop_or_go_on(p, width, at, todo, U(len(seats)), words)
        words = with_plays(p.plays, at, width, answering, words)
        prices = with_chosen(answering, load(p.bytes, CHOSEN * width + at), prices)
    rows, costs, slots = place_noting(words, rows, prices)
    lay_cards(p, width, at, words, only(placing, slots))
    pay(p, width, at, U(len(seats)), words, only(placing, costs))
    put_rows(p, width, at, placing, rows)
    return end_tricks(p, width, at, U(len(seats)), deals, placing)


@kernel
def step_abreast(p: Planes, width: int, seats: tuple[int, ...], deals: int) -> bool:
    """Play what was checked, in a round of that many deals; return whether it is HALF_TIME in some games."""
    leave_hands(p, U(width), U(len(seats)))
    paused = False
    for at in range(U(0), U(width), BLOCK):
        paused |= play_on(p, U(width), at, seats, deals)
    return paused

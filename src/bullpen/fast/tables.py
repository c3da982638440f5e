"""Many games at once: hands, plays and the course of a round. Compiled for the CPU and for CUDA alike.

A hand is a set of cards as bits: card c is bit c & 63 of word c >> 6.
"""

from typing import NamedTuple

import numpy as np

from bullpen.fast.chance import U, deal, fresh_deck, high_draw, sort_four
from bullpen.fast.compiled import Array, Int, rule
from bullpen.fast.games import Plan
from bullpen.fast.rules import NOWHERE, Table, restart, set_marker
from bullpen.fast.trick import FLIP, ROW, as_play, can_flip, insert, may_choose_row, place_play

PLACED, ASKED, TO_PLAY, HALF = range(4)
"""The columns of `stage`: cards of this trick that lie; the seat asked for a row, or -1; tricks to
play before the hands are empty; which deal of the round it is (0, or 1 after half-time)."""


class Seats(NamedTuple):
    """What belongs to the seats of many games, and where each game stands; the game is the first axis."""

    hands: Array
    """uint64 [B, n, 2]: the hands as sets."""
    flips: Array
    """uint8 [B, n]: whether a seat holds its flip card."""
    plays: Array
    """int32 [B, n]: the plays of the current trick, sorted (see `trick`); before PLACED they mean nothing."""
    stage: Array
    """int8 [B, 4]: columns PLACED, ASKED, TO_PLAY, HALF."""
    deck: Array
    """uint8 [B, 104]: the deal: the hands trick by trick, then the start cards, then what nobody gets."""
    shown: Array
    """uint64 [B, 2]: the cards that have been face up in this round, as a set."""
    scores: Array
    """int32 [B, n]: the bullheads of the finished rounds."""
    states: Array
    """uint64 [B]: the random streams."""


@rule
def show(s: Seats, b: Int, card: Int) -> None:
    """Note that everybody has seen a card."""
    s.shown[b, card >> 6] |= U(1) << U(card & 63)


@rule
def holds(s: Seats, b: Int, seat: Int, card: Int) -> Int:
    """Whether a card is in a hand."""
    return (s.hands[b, seat, card >> 6] >> U(card & 63)) & U(1) != U(0)


@rule
def give_hands(plan: Plan, s: Seats, b: Int, first: Int, size: Int) -> None:
    """Deal each seat that many cards from place `first` of the deck on, one after the other."""
    for seat in range(plan.players):
        low = high = U(0)
        for k in range(size):
            card = np.int64(s.deck[b, first + k * plan.players + seat])
            bit = U(1) << U(card & 63)
            low |= bit if card < 64 else U(0)
            high |= U(0) if card < 64 else bit
        s.hands[b, seat, 0] = low
        s.hands[b, seat, 1] = high
    s.stage[b, TO_PLAY] = size


@rule
def start_rows(plan: Plan, t: Table, s: Seats, b: Int) -> None:
    """Turn up the start cards, as they come (BASE-8) or ascending (LOG-5), and put the marker there."""
    first = plan.players * (plan.first + plan.second)
    if plan.ascending:
        sort_four(s.deck[b], first)
    for row in range(4):
        card = np.int64(s.deck[b, first + row])
        restart(t, b, row, card)
        show(s, b, card)
    set_marker(plan.code, t, b)


@rule
def start_round(plan: Plan, t: Table, s: Seats, b: Int) -> None:
    """Shuffle and deal."""
    deck = s.deck[b]
    fresh_deck(deck, U(plan.size))
    count = plan.players * (plan.first + plan.second) + 4
    s.states[b] = deal(deck, U(plan.size), deck, U(count), s.states[b])
    t.logged[b] = 0
    s.shown[b, :] = U(0)
    for seat in range(plan.players):
        t.points[b, seat] = 0
        if plan.digits >= 0 and not plan.flip_once:
            s.flips[b, seat] = 1
    s.stage[b, PLACED] = plan.players
    s.stage[b, ASKED] = NOWHERE
    s.stage[b, HALF] = 0
    give_hands(plan, s, b, 0, plan.first)
    start_rows(plan, t, s, b)


@rule
def start_game(plan: Plan, t: Table, s: Seats, b: Int) -> None:
    """Nobody has a score, everybody a flip card where there are any; then the first round."""
    for seat in range(plan.players):
        s.scores[b, seat] = 0
        s.flips[b, seat] = plan.digits >= 0
    start_round(plan, t, s, b)


@rule
def is_legal(plan: Plan, t: Table, s: Seats, b: Int, seat: Int, choice: Int) -> Int:
    """Whether a seat may answer so now; where it is not asked, anything is ignored and therefore legal."""
    if s.stage[b, TO_PLAY] == 0:
        return True
    asked = s.stage[b, ASKED]
    if asked >= 0:
        play = s.plays[b, s.stage[b, PLACED]]
        return seat != asked or may_choose_row(plan.code, t, b, play, choice - ROW)
    card = choice & 127
    if not 1 <= card <= 104 or not holds(s, b, seat, card):
        return False
    return choice < FLIP or (s.flips[b, seat] != 0 and can_flip(card, plan.digits))


@rule
def reveal(plan: Plan, s: Seats, b: Int, choices: Array) -> None:
    """Take the chosen cards out of the hands and sort them."""
    for seat in range(plan.players):
        choice = np.int64(choices[b, seat])
        card = choice & 127
        s.hands[b, seat, card >> 6] &= ~(U(1) << U(card & 63))
        if choice & FLIP:
            s.flips[b, seat] = 0
        show(s, b, card)
        insert(s.plays, b, seat, as_play(choice, seat, plan.digits))
    s.stage[b, PLACED] = 0


@rule
def end_trick(plan: Plan, t: Table, s: Seats, b: Int) -> None:
    """Count the trick; deal again at half-time (HALF-4, HALF-6), or write the points down at the end."""
    s.stage[b, TO_PLAY] -= 1
    if s.stage[b, TO_PLAY]:
        return
    if plan.second and s.stage[b, HALF] == 0:
        s.stage[b, HALF] = 1
        give_hands(plan, s, b, plan.players * plan.first, plan.second)
        return
    for seat in range(plan.players):
        s.scores[b, seat] += t.points[b, seat]


@rule
def place_plays(plan: Plan, t: Table, s: Seats, b: Int, row: Int, ask: Int) -> None:
    """Place the revealed cards in order, the first at a named row (or -1), until all lie or one must ask."""
    while s.stage[b, PLACED] < plan.players:
        play = np.int64(s.plays[b, s.stage[b, PLACED]])
        if not place_play(plan.code, t, b, play, row, ask):
            s.stage[b, ASKED] = play & 15
            return
        s.stage[b, PLACED] += 1
        row = NOWHERE
    end_trick(plan, t, s, b)


@rule
def step_game(plan: Plan, t: Table, s: Seats, b: Int, choices: Array, ask: Int) -> None:
    """Answer the open questions of a game and play on to the next; a finished round stays as it is."""
    if s.stage[b, TO_PLAY] == 0:
        return
    row: Int = NOWHERE
    asked = s.stage[b, ASKED]
    if asked < 0:
        reveal(plan, s, b, choices)
    else:
        row = np.int64(choices[b, asked]) - ROW
        s.stage[b, ASKED] = NOWHERE
    place_plays(plan, t, s, b, row, ask)


@rule
def list_legal(plan: Plan, t: Table, s: Seats, b: Int, legal: Array) -> None:
    """Mark every choice that answers an open question: legal[b, seat, choice]."""
    legal[b, :, :] = False
    asked = s.stage[b, ASKED]
    if s.stage[b, TO_PLAY] == 0:
        return
    if asked >= 0:
        play = np.int64(s.plays[b, s.stage[b, PLACED]])
        for row in range(4):
            legal[b, asked, ROW + row] = may_choose_row(plan.code, t, b, play, row)
        return
    for seat in range(plan.players):
        for card in range(1, 105):
            if holds(s, b, seat, card):
                legal[b, seat, card] = True
                legal[b, seat, FLIP + card] = s.flips[b, seat] != 0 and can_flip(card, plan.digits)


@rule
def ones(word: Int) -> Int:
    """Return how many bits are set (processors with an instruction for it get that)."""
    word -= (word >> U(1)) & U(0x5555555555555555)
    word = (word & U(0x3333333333333333)) + ((word >> U(2)) & U(0x3333333333333333))
    word = (word + (word >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * U(0x0101010101010101)) >> U(56))


@rule
def lowest_bit(word: Int) -> Int:
    """Return the place of the lowest bit that is set."""
    return ones((word & (~word + U(1))) - U(1))


@rule
def nth_card(s: Seats, b: Int, seat: Int, nth: Int) -> Int:
    """Return the nth card of a hand, from 0 on."""
    word, below = s.hands[b, seat, 0], ones(s.hands[b, seat, 0])
    card = 64 if nth >= below else 0
    word = s.hands[b, seat, 1] if nth >= below else word
    nth = nth - below if nth >= below else nth
    # Halving needs no guess of the processor's how many bits will be passed over.
    for width in (32, 16, 8, 4, 2, 1):
        below = ones(word & ((U(1) << U(width)) - U(1)))
        above = nth >= below
        card = card + width if above else card
        word = word >> U(width) if above else word
        nth = nth - below if above else nth
    return card


@rule
def nth_play(plan: Plan, s: Seats, b: Int, seat: Int, nth: Int) -> Int:
    """Return the nth play of a seat, its cards and then its flips; or how many there are, negated."""
    count = ones(s.hands[b, seat, 0]) + ones(s.hands[b, seat, 1])
    if 0 <= nth < count:
        return nth_card(s, b, seat, nth)
    for half in range(2 if s.flips[b, seat] else 0):
        word = s.hands[b, seat, half]
        while word:
            card = 64 * half + lowest_bit(word)
            word &= word - U(1)
            if can_flip(card, plan.digits):
                if count == nth:
                    return card + FLIP
                count += 1
    return -count


@rule
def is_asked(s: Seats, b: Int, seat: Int) -> Int:
    """Whether a seat has something to answer."""
    asked = s.stage[b, ASKED]
    return s.stage[b, TO_PLAY] != 0 and (asked < 0 or asked == seat)


@rule
def first_choice(plan: Plan, t: Table, s: Seats, b: Int, seat: Int) -> Int:
    """Return the legal choice with the lowest number; 0 for a seat that is not asked."""
    if not is_asked(s, b, seat):
        return 0
    if s.stage[b, ASKED] >= 0:
        play = np.int64(s.plays[b, s.stage[b, PLACED]])
        row = 0
        while not may_choose_row(plan.code, t, b, play, row):
            row += 1
        return ROW + row
    return nth_play(plan, s, b, seat, 0)


@rule
def count_rows(plan: Plan, t: Table, s: Seats, b: Int) -> Int:
    """Return how many rows the owner of the next card may choose among."""
    play, count = np.int64(s.plays[b, s.stage[b, PLACED]]), 0
    for row in range(4):
        count += may_choose_row(plan.code, t, b, play, row)
    return count


@rule
def count_choices(plan: Plan, t: Table, s: Seats, b: Int, seat: Int) -> Int:
    """Return how many legal choices a seat has; none if it is not asked."""
    if not is_asked(s, b, seat):
        return 0
    return -nth_play(plan, s, b, seat, -1) if s.stage[b, ASKED] < 0 else count_rows(plan, t, s, b)


@rule
def random_choice(plan: Plan, t: Table, s: Seats, b: Int, seat: Int, word: Int) -> Int:
    """Return a legal choice drawn uniformly; 0 for a seat that is not asked."""
    if not is_asked(s, b, seat):
        return 0
    if s.stage[b, ASKED] >= 0:
        play = np.int64(s.plays[b, s.stage[b, PLACED]])
        nth = np.int64(high_draw(word, U(count_rows(plan, t, s, b))))
        for row in range(4):
            if may_choose_row(plan.code, t, b, play, row):
                if nth == 0:
                    return ROW + row
                nth -= 1
    count = -nth_play(plan, s, b, seat, -1)
    return nth_play(plan, s, b, seat, np.int64(high_draw(word, U(count))))

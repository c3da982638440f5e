"""What the heuristic of Nifty says, in compiled code: the answers of everybody within playouts.

A pair, an order and a row cost what `heuristics.nifty` says they do. A test asks both.
"""

from typing import Any, NamedTuple

import numpy as np

from bullpen.bots.card_sets import count, hidden_cards, single, under
from bullpen.bots.compiled import Array, piece, real, rule, whole
from bullpen.bots.heuristics.card_cost import STEPS, USUAL
from bullpen.bots.heuristics.compiled_chances import chance_table
from bullpen.bots.heuristics.nifty import MIDDLE
from bullpen.fast.chance import U, high_draw
from bullpen.fast.compiled import Int
from bullpen.fast.rules import HEADS
from bullpen.fast.twins.course import list_options
from bullpen.fast.twins.nifty import HAND, NiftyTwin
from bullpen.fast.twins.state import CARD, CHOOSE_ROW, ROW, heads_of

ROWS, LIMIT = 4, 5
MOST_BEFORE = 2 * (NiftyTwin.seats - 1)
"""The most cards of others in a trick."""
JOINED, UNDERCUT, OUTER = USUAL.joined, USUAL.undercut, USUAL.outer
NOWHERE = -1
"""The row of a card that is lower than all rows."""


class Eyes(NamedTuple):
    """What a seat of a playout looks things up in, and notes down."""

    exactly: Array
    """The chances of `card_cost.exactly`, of up to MOST_BEFORE cards."""
    hidden: Array
    """uint64 [2]: the cards that lie in hands and in the deck, as a set."""
    rows: Array
    """int64 [HAND]: where the cards of the hand would go now."""
    crowds: Array
    """float64 [HAND]: the share of the unseen cards that would come between."""
    before: Array
    """float64 [HAND]: how likely another player is to have a lower card among two."""


def new_eyes() -> Eyes:
    """Return the chances, and paper."""
    return Eyes(
        chance_table(MOST_BEFORE),
        np.zeros(2, np.uint64),
        np.zeros(HAND, np.int64),
        np.zeros(HAND),
        np.zeros(HAND),
    )


@piece
def note_hidden(plan: Any, s: Any, eyes: Eyes) -> None:
    """Note which cards lie in hands and in the deck."""
    eyes.hidden[0], eyes.hidden[1] = hidden_cards(plan, s)


@rule
def last_card(s: Any, row: Int) -> Int:
    """Return the card at the end of a row."""
    return whole(s.rows[0, row, whole(s.counts[0, row]) - 1])


@rule
def row_of(s: Any, card: Int) -> Int:
    """Return the row that a card would go to now."""
    best, end = NOWHERE, whole(0)
    for row in range(ROWS):
        if end < last_card(s, row) < card:
            best, end = row, last_card(s, row)
    return best


@piece
def look_at_hand(s: Any, seat: Int, eyes: Eyes) -> None:
    """Note of each card of a hand where it goes and who may come first."""
    held = whole(s.held[0, seat])
    low, high = eyes.hidden[0], eyes.hidden[1]
    for i in range(held):
        one, other = single(whole(s.hands[0, seat, i]))
        low, high = low & ~one, high & ~other
    total = real(max(1, count(low, high)))
    for i in range(held):
        card = whole(s.hands[0, seat, i])
        one, other = under(card)
        below = count(low & one, high & other)
        row = row_of(s, card)
        first, second = under(last_card(s, row) + 1 if row >= 0 else 0)
        eyes.rows[i] = row
        eyes.crowds[i] = 0.0 if row < 0 else count(low & one & ~first, high & other & ~second) / total
        eyes.before[i] = 1 - (1 - below / total) ** 2


@piece
def risk(s: Any, row: Int, crowd: float, before: float, others: Int, cheapest: Int, eyes: Eyes) -> float:
    """Return the risk of one card, if each other player comes first with this chance."""
    if row < 0:
        first = (1 - before) ** others
        return real(cheapest * first + UNDERCUT * (1 - first))
    room = LIMIT - whole(s.counts[0, row])
    if room > 2 * others:
        return 0.0
    sixth = eyes.exactly[2 * others, room, min(STEPS, whole(crowd * before * STEPS + 0.5))]
    return real(sixth * (heads_of(s, 0, row) + JOINED * room))


@piece
def pair_cost(s: Any, seat: Int, eyes: Eyes, i: Int, j: Int, others: Int, cheapest: Int) -> float:
    """Return what a pair costs, named by its places in the hand; the hand must have been looked at."""
    before = eyes.before[i]
    cost = risk(s, eyes.rows[i], eyes.crowds[i], before, others, cheapest, eyes)
    cost += risk(s, eyes.rows[j], eyes.crowds[j], before, others, cheapest, eyes)
    row = eyes.rows[i]
    if row >= 0 and row == eyes.rows[j] and LIMIT - whole(s.counts[0, row]) < 2:
        cost += heads_of(s, 0, row) * (1 - before) ** others
    left = real(s.held[0, seat]) / HAND
    outside = abs(whole(s.hands[0, seat, i]) - MIDDLE) + abs(whole(s.hands[0, seat, j]) - MIDDLE)
    return real(cost - OUTER * left * outside / MIDDLE)


@piece
def cheapest_price(s: Any) -> Int:
    """Return what the cheapest row costs."""
    least = heads_of(s, 0, 0)
    for row in range(1, ROWS):
        least = min(least, heads_of(s, 0, row))
    return least


@piece
def best_pair(plan: Any, s: Any, seat: Int, eyes: Eyes) -> Int:
    """Return the pair that costs least."""
    look_at_hand(s, seat, eyes)
    cheapest, held = cheapest_price(s), whole(s.held[0, seat])
    best, least = whole(0), 1e9
    for i in range(held):
        for j in range(i + 1, held):
            cost = pair_cost(s, seat, eyes, i, j, plan.players - 1, cheapest)
            if cost < least:
                best = whole(s.hands[0, seat, i]) << 7 | whole(s.hands[0, seat, j])
                least = cost
    return best


@piece
def placed_cost(s: Any, first: Int, second: Int) -> float:
    """Return what placing two cards in this order costs their owner."""
    cost, changed, end, room, worth = whole(0), whole(NOWHERE), whole(0), whole(0), whole(0)
    for step in range(2):
        card = first if step == 0 else second
        best, highest, cheapest, least = whole(NOWHERE), whole(0), whole(0), whole(1000)
        for row in range(ROWS):
            last = end if row == changed else last_card(s, row)
            price = worth if row == changed else heads_of(s, 0, row)
            if highest < last < card:
                best, highest = row, last
            if price < least:
                cheapest, least = row, price
        row = best if best >= 0 else cheapest
        space = room if row == changed else LIMIT - whole(s.counts[0, row])
        price = worth if row == changed else heads_of(s, 0, row)
        heads = whole(HEADS[card])
        if best >= 0 and space > 0:
            changed, end, room, worth = row, card, space - 1, price + heads
        else:
            cost += price
            changed, end, room, worth = row, card, whole(LIMIT - 1), heads
    return real(cost)


@piece
def choice_cost(s: Any, choice: Int) -> float:
    """Return what an answer costs that is not about the cards of a trick."""
    if s.kind[0] == CHOOSE_ROW:
        row = choice - ROW
        return real(heads_of(s, 0, row) - 0.1 * whole(s.counts[0, row]))
    at = whole(s.placed[0])
    one, other = whole(s.waits[0, at, 0]), whole(s.waits[0, at + 1, 0])
    return placed_cost(s, choice, other if choice == one else one)


@piece
def best_answer(s: Any, options: Array, many: Int) -> Int:
    """Return the listed answer that costs least."""
    best, least = 0, 1e9
    for i in range(many):
        cost = choice_cost(s, whole(options[i]))
        if cost < least:
            best, least = i, cost
    return whole(options[best])


@piece
def answer_of(plan: Any, s: Any, seat: Int, eyes: Eyes, options: Array, stray: float, word: Int) -> Int:
    """Return what a seat answers: what costs least, or now and then anything."""
    strays = real(word & U(0xFFFFFF)) < stray * 16777216.0
    if s.kind[0] == CARD and not strays:
        return best_pair(plan, s, seat, eyes)
    many = list_options(plan, s, 0, seat, options)
    if strays:
        return whole(options[whole(high_draw(word, U(many)))])
    return best_answer(s, options, many)

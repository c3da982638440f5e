"""Exact endgames of two players who know all cards, by the placing rules of the base game.

Both choose a card at the same time, so every position is a matrix game whose entries are the positions that
follow; whoever plays a card that fits no row names a row, knowing both cards. The *worth* of a position
is by how many bullheads seat 0 comes out ahead of seat 1 from here to the end of the round.

Few entries of a matrix matter. We begin with one card each and let either seat add a card as long as it does
better against the other's mix (double oracle), and most entries need not be known but only to be no better
than something (alpha and beta, as in chess).

A position is two words. Cards and row ends are numbered in their order, 1 to 24. `rows` holds the rows by
their ends, the lowest in front: a card joins or restarts the row below it in its place, and only a low
card changes the order. The rules are those of the base game, told once more for speed: tests play both.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, piece, real, slow_kernel, whole
from bullpen.bots.search.matrix import Paper, game_value, new_paper
from bullpen.fast.tables import ones

MOST = 10
"""The largest hands that can be written down; what can be solved in time is fewer."""
REMEMBERED = (0, 0, 0, 0, 8, 12, 16, 20, 21, 21, 21)
"""How many positions are kept in memory, as a power of two, by cards in a hand."""
FULL = 5
ROWS = 4
ROW, END, COUNT = 13, 8, 5
"""Bits: of a row, before its end, before its count of cards; its bullheads are in front."""
ONE_ROW, LOW_HEADS, LOW_COUNT = (1 << ROW) - 1, (1 << COUNT) - 1, 7
NOTHING = 1e-12
"""A card must do better by more than this to be thought of; a smaller share of a mix is rounding."""
FAR = 1000.0
"""More than any position is worth."""
ALL_ROWS = (1 << ROWS) - 1
KNOWN, THOUGHT_OF = -1, -2
"""Instead of a question: there is nothing to ask; or a better card was found."""

U = np.uint64
ODD = (U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F), U(0xBF58476D1CE4E5B9))


class Question(NamedTuple):
    """Which pair of places is asked for, and what its worth must lie between to be wanted exactly."""

    first: int
    second: int
    low: float
    high: float


class Levels(NamedTuple):
    """The positions on the way to the one being looked at, by level: the number of cards in each hand."""

    rows: Array
    """int64 [level]"""
    hands: Array
    """int64 [level, 2]: the cards of both seats, a bit each."""
    cards: Array
    """int64 [level, 2, MOST]: the same as lists, the lowest first; a card's *place* is its place there."""
    window: Array
    """float64 [level, 2]: what the worth must lie between to be wanted exactly."""
    value: Array
    """float64 [level]: what it is worth with the cards thought of, and in the end."""
    least: Array
    """float64 [level, MOST, MOST]: what each pair of places is worth at least."""
    most: Array
    """float64 [level, MOST, MOST]: and at most."""
    thought: Array
    """int64 [level, 2, MOST]: the places of the cards thought of."""
    sizes: Array
    """int64 [level, 2]: how many those are."""
    mixes: Array
    """float64 [level, 2, MOST]: both mixes, by place."""
    mixed: Array
    """bool [level]: whether the mixes are those of the cards thought of."""


class Tricks(NamedTuple):
    """The tricks between those positions, by the level that they begin at."""

    places: Array
    """int64 [level, 2]: the places of both cards."""
    cards: Array
    """int64 [level, 2]: the lower card and the higher one."""
    sign: Array
    """int64 [level]: 1 if the lower card is seat 1's, else -1."""
    window: Array
    """float64 [level, 2]: what the worth must lie between to be wanted exactly."""
    tried: Array
    """int64 [level]: the rows that were tried for a low card, a bit each; all if it is not low."""
    best: Array
    """float64 [level]: the best so far for the owner of the lower card."""
    gain: Array
    """float64 [level]: what seat 0 gains in the trick itself."""


class Endgame(NamedTuple):
    """An endgame: what is the same in all of it, and working memory."""

    heads: Array
    """int64 [32]: bullheads by number."""
    levels: Levels
    tricks: Tricks
    usual: Array
    """int64 [level, 2]: the card most played where this level was solved last."""
    small: Array
    """float64 [MOST, MOST]: the matrix of the cards thought of."""
    weights: Array
    """float64 [2, MOST]: its mixes."""
    paper: Paper
    keys: Array
    """uint64 [2^n, 2]: positions met before."""
    bounds: Array
    """float64 [2^n, 2]: between what their worth lies."""


# Rows as one number.


@piece
def row_at(rows: int, place: int) -> int:
    """Return the row in this place."""
    return rows >> (ROW * place) & ONE_ROW


@piece
def rows_below(rows: int, card: int) -> int:
    """Return how many rows end below the card."""
    found = 0
    for place in range(ROWS):
        found += row_at(rows, place) >> END < card
    return found


@piece
def put(rows: int, card: int, heads: int) -> tuple[int, int]:
    """Lay a card that fits; return the rows and the bullheads that this takes."""
    shift = ROW * (rows_below(rows, card) - 1)
    row = rows >> shift & ONE_ROW
    rows &= ~(ONE_ROW << shift)
    cost = row & LOW_HEADS
    if row >> COUNT & LOW_COUNT == FULL:
        return rows | (card << END | 1 << COUNT | heads) << shift, cost
    return rows | ((card << END | (row & 255)) + (1 << COUNT) + heads) << shift, 0


@piece
def take(rows: int, place: int, card: int, heads: int) -> tuple[int, int]:
    """Take the row in this place for a low card, now the lowest row; return the rows and the cost."""
    cost = row_at(rows, place) & LOW_HEADS
    under = rows & ((1 << ROW * place) - 1)
    over = rows >> ROW * (place + 1) << ROW * (place + 1)
    return over | under << ROW | card << END | 1 << COUNT | heads, cost


@piece
def shape(rows: int, left: int) -> int:
    """Return the rows with every end told by how many of the cards left are below it: no more matters."""
    found = 0
    for place in range(ROWS):
        row = rows >> ROW * place & ONE_ROW
        below = whole(ones(U(left & ((1 << (row >> END)) - 1))))
        found |= (below << END | row & 255) << ROW * place
    return found


# The last two tricks, in which nothing is worth remembering.


@piece
def lowest(cards: int) -> int:
    """Return the lowest card of a hand."""
    return whole(ones(U((cards & -cards) - 1)))


@piece
def last_trick(e: Endgame, rows: int, first: int, second: int) -> float:
    """Return what the last trick is worth."""
    card, other = min(first, second), max(first, second)
    sign = -1 if first < second else 1
    if rows_below(rows, card):
        after, cost = put(rows, card, e.heads[card])
        _, more = put(after, other, e.heads[other])
        return real(sign * (cost - more))
    best = -1000
    for place in range(ROWS):
        after, cost = take(rows, place, card, e.heads[card])
        _, more = put(after, other, e.heads[other])
        best = max(best, more - cost)
    return real(-sign * best)


@piece
def last_but_one(e: Endgame, rows: int, cards: tuple[int, int], last: tuple[int, int]) -> float:
    """Return what it is worth to play these cards and then the last ones."""
    card, other = min(cards), max(cards)
    sign = -1 if cards[0] < cards[1] else 1
    if rows_below(rows, card):
        after, cost = put(rows, card, e.heads[card])
        after, more = put(after, other, e.heads[other])
        return real(sign * (cost - more)) + last_trick(e, after, last[0], last[1])
    best = -np.inf
    for place in range(ROWS):
        after, cost = take(rows, place, card, e.heads[card])
        after, more = put(after, other, e.heads[other])
        best = max(best, real(more - cost) - sign * last_trick(e, after, last[0], last[1]))
    return -sign * best


@piece
def two_tricks(e: Endgame, rows: int, mine: int, theirs: int) -> float:
    """Return what a position with two cards each is worth."""
    x, y = lowest(mine), lowest(theirs)
    u, v = lowest(mine & ~(1 << x)), lowest(theirs & ~(1 << y))
    a = last_but_one(e, rows, (x, y), (u, v))
    b = last_but_one(e, rows, (x, v), (u, y))
    c = last_but_one(e, rows, (u, y), (x, v))
    d = last_but_one(e, rows, (u, v), (x, y))
    lower, upper = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return lower if lower == upper else (a * d - b * c) / (a + d - b - c)


# A choice of both.


@piece
def open_level(
    e: Endgame, level: int, rows: int, hands: tuple[int, int], window: tuple[float, float]
) -> None:
    """Begin with a position, each seat thinking of the card that did best at this level last."""
    x = e.levels
    x.rows[level] = rows
    x.mixed[level] = False
    for seat in range(2):
        x.hands[level, seat] = hands[seat]
        x.window[level, seat] = window[seat]
        x.sizes[level, seat] = 1
        x.thought[level, seat, 0] = 0
        left = hands[seat]
        for place in range(level):
            card = lowest(left)
            left &= left - 1
            x.cards[level, seat, place] = card
            if card == e.usual[level, seat]:
                x.thought[level, seat, 0] = place
    for i in range(level):
        for j in range(level):
            x.least[level, i, j], x.most[level, i, j] = -FAR, FAR


@piece
def next_question(e: Endgame, level: int) -> Question:
    """Return the pair of cards whose worth must be known next; NOTHING_LEFT once the position's own is."""
    x = e.levels
    while True:
        if not x.mixed[level]:
            asked = unknown_pair(x, level)
            if asked.first >= 0:
                return asked
            mix(e, level)
        value, low, high = x.value[level], x.window[level, 0], x.window[level, 1]
        too_much = value >= high
        asked = better_card(x, level, 1, high) if too_much else better_card(x, level, 0, max(value, low))
        if asked.first == KNOWN and (too_much or value <= low):
            x.value[level] = high if too_much else low
            return asked
        if asked.first == KNOWN:
            asked = better_card(x, level, 1, value)
            if asked.first == KNOWN:
                return asked
        if asked.first >= 0:
            return asked


@piece
def unknown_pair(x: Levels, level: int) -> Question:
    """Return a pair of the cards thought of that is not known exactly, if there is one."""
    for k in range(x.sizes[level, 0]):
        i = x.thought[level, 0, k]
        for n in range(x.sizes[level, 1]):
            j = x.thought[level, 1, n]
            if x.least[level, i, j] < x.most[level, i, j]:
                return Question(i, j, -np.inf, np.inf)
    return Question(KNOWN, KNOWN, 0.0, 0.0)


@piece
def mix(e: Endgame, level: int) -> None:
    """Solve the game in which only the cards thought of can be played."""
    x = e.levels
    m, n = x.sizes[level, 0], x.sizes[level, 1]
    for k in range(m):
        for other in range(n):
            e.small[k, other] = x.least[level, x.thought[level, 0, k], x.thought[level, 1, other]]
    x.value[level] = game_value(e.small, m, n, e.paper, e.weights)
    x.mixed[level] = True
    for seat in range(2):
        for place in range(level):
            x.mixes[level, seat, place] = 0.0
        for k in range(x.sizes[level, seat]):
            share = e.weights[seat, k]
            x.mixes[level, seat, x.thought[level, seat, k]] = share if share > NOTHING else 0.0


@piece
def better_card(x: Levels, level: int, seat: int, bar: float) -> Question:
    """Look for a card that beats the bar against the other's mix.

    Returns KNOWN if there is none, THOUGHT_OF if there was one, else the pair that must be known to tell.
    """
    for place in range(level):
        if is_thought_of(x, level, seat, place):
            continue
        asked = beats(x, level, seat, place, bar)
        if asked.first != KNOWN:
            if asked.first == THOUGHT_OF:
                x.thought[level, seat, x.sizes[level, seat]] = place
                x.sizes[level, seat] += 1
                x.mixed[level] = False
            return asked
    return Question(KNOWN, KNOWN, 0.0, 0.0)


@piece
def is_thought_of(x: Levels, level: int, seat: int, place: int) -> bool:
    """Whether a card is among those that a seat mixes."""
    found = False
    for k in range(x.sizes[level, seat]):
        found |= x.thought[level, seat, k] == place
    return found


@piece
def beats(x: Levels, level: int, seat: int, place: int, bar: float) -> Question:
    """Tell whether a card beats the bar, as `better_card` does.

    All but the last card of the other's mix must be known exactly; of the last one a bound is enough.
    """
    sign = 1.0 - 2.0 * seat
    last = -1
    for other in range(level):
        weight = x.mixes[level, 1 - seat, other]
        if weight > 0.0:
            if last >= 0:
                i, j = (place, last) if seat == 0 else (last, place)
                if x.least[level, i, j] < x.most[level, i, j]:
                    return Question(i, j, -np.inf, np.inf)
                bar -= x.mixes[level, 1 - seat, last] * x.least[level, i, j]
            last = other
    weight = x.mixes[level, 1 - seat, last]
    need = max(-FAR, min(FAR, bar / weight))
    i, j = (place, last) if seat == 0 else (last, place)
    least, most = x.least[level, i, j], x.most[level, i, j]
    hoped = most if seat == 0 else least
    if sign * (hoped - need) * weight <= NOTHING:
        return Question(KNOWN, KNOWN, 0.0, 0.0)
    if least == most:
        return Question(THOUGHT_OF, THOUGHT_OF, 0.0, 0.0)
    return Question(i, j, need, np.inf) if seat == 0 else Question(i, j, -np.inf, need)


@piece
def settle(x: Levels, level: int, asked: Question, found: float) -> None:
    """Note what a pair of cards is worth."""
    # Sums and differences on the way there round, so a bound may come back a little beyond itself.
    if found > asked.low + NOTHING:
        x.least[level, asked.first, asked.second] = found
    if found < asked.high - NOTHING:
        x.most[level, asked.first, asked.second] = found


@piece
def keep_usual(e: Endgame, level: int) -> None:
    """Remember the card that each seat plays most: likely good in the next position of this level."""
    x = e.levels
    for seat in range(2):
        best = 0
        for place in range(1, level):
            if x.mixes[level, seat, place] > x.mixes[level, seat, best]:
                best = place
        e.usual[level, seat] = x.cards[level, seat, best]


# Positions met before.


@piece
def slot(e: Endgame, key: np.uint64, more: np.uint64) -> int:
    """Return where a position would be kept."""
    mixed = key * ODD[0] ^ more * ODD[1]
    mixed = (mixed ^ mixed >> U(29)) * ODD[2]
    return whole((mixed ^ mixed >> U(32)) & U(e.keys.shape[0] - 1))


@piece
def recall(e: Endgame, rows: int, hands: tuple[int, int]) -> tuple[float, float]:
    """Return between what the worth of a position is known to lie."""
    key, more = U(shape(rows, hands[0] | hands[1])), U(hands[0] | hands[1] << 32)
    place = slot(e, key, more)
    if e.keys[place, 0] == key and e.keys[place, 1] == more:
        return e.bounds[place, 0], e.bounds[place, 1]
    return -np.inf, np.inf


@piece
def remember(e: Endgame, level: int) -> None:
    """Keep what has been found out about the position of a level."""
    x = e.levels
    rows, mine, theirs, value = x.rows[level], x.hands[level, 0], x.hands[level, 1], x.value[level]
    least, most = recall(e, rows, (mine, theirs))
    if value > x.window[level, 0]:
        least = max(least, value)
    if value < x.window[level, 1]:
        most = min(most, value)
    key, more = U(shape(rows, mine | theirs)), U(mine | theirs << 32)
    place = slot(e, key, more)
    e.keys[place, 0], e.keys[place, 1] = key, more
    e.bounds[place, 0], e.bounds[place, 1] = least, most


# A trick.


@piece
def open_trick(e: Endgame, level: int, asked: Question) -> None:
    """Let both seats play their cards."""
    x, t = e.levels, e.tricks
    first, second = x.cards[level, 0, asked.first], x.cards[level, 1, asked.second]
    t.places[level, 0], t.places[level, 1] = asked.first, asked.second
    t.cards[level, 0], t.cards[level, 1] = min(first, second), max(first, second)
    t.sign[level] = -1 if first < second else 1
    t.window[level, 0], t.window[level, 1] = asked.low, asked.high
    t.tried[level] = 0
    t.best[level] = -np.inf


@piece
def go_on(e: Endgame, level: int) -> bool:
    """Try one row after the other; return whether the position of the level below must be looked at first."""
    t = e.tricks
    hands = (after_card(e, level, 0), after_card(e, level, 1))
    while t.tried[level] != ALL_ROWS and not is_cut(t, level):
        rows = lay_both(e, level)
        gain, (low, high) = t.gain[level], wanted(t, level)
        if level <= 3:
            note(t, level, gain + few_tricks(e, level - 1, rows, hands))
            continue
        least, most = recall(e, rows, hands)
        low, high = max(low - gain, least), min(high - gain, most)
        if least == most or low >= high:
            note(t, level, gain + (least if least >= high else most))
        else:
            open_level(e, level - 1, rows, hands, (low, high))
            return True
    return False


@piece
def after_card(e: Endgame, level: int, seat: int) -> int:
    """Return the hand of a seat without the card that it plays."""
    card = whole(e.levels.cards[level, seat, e.tricks.places[level, seat]])
    return whole(e.levels.hands[level, seat]) & ~(1 << card)


@piece
def is_cut(t: Tricks, level: int) -> bool:
    """Whether the owner of the lower card has a row that is better than was asked for."""
    best = real(t.best[level])
    return best >= real(t.window[level, 1]) if t.sign[level] < 0 else -best <= real(t.window[level, 0])


@piece
def wanted(t: Tricks, level: int) -> tuple[float, float]:
    """Return what the worth of the next row must lie between to be wanted exactly."""
    low, high = t.window[level, 0], t.window[level, 1]
    if t.sign[level] < 0:
        return max(low, t.best[level]), high
    return low, min(high, -t.best[level])


@piece
def note(t: Tricks, level: int, found: float) -> None:
    """Note what a row is worth to the owner of the lower card."""
    t.best[level] = max(t.best[level], -t.sign[level] * found)


@piece
def lay_both(e: Endgame, level: int) -> int:
    """Lay both cards, a low one at the cheapest row that was not tried; return the rows and note the gain."""
    t, rows = e.tricks, e.levels.rows[level]
    card, other = t.cards[level, 0], t.cards[level, 1]
    if rows_below(rows, card):
        t.tried[level] = ALL_ROWS
        rows, cost = put(rows, card, e.heads[card])
    else:
        place = cheapest(rows, t.tried[level])
        t.tried[level] |= 1 << place
        rows, cost = take(rows, place, card, e.heads[card])
    rows, more = put(rows, other, e.heads[other])
    t.gain[level] = t.sign[level] * (cost - more)
    return rows


@piece
def cheapest(rows: int, tried: int) -> int:
    """Return the place of the row with the fewest bullheads among those not tried."""
    found, least = 0, 1000
    for place in range(ROWS):
        heads = row_at(rows, place) & LOW_HEADS
        if not tried >> place & 1 and heads < least:
            found, least = place, heads
    return found


@piece
def few_tricks(e: Endgame, level: int, rows: int, hands: tuple[int, int]) -> float:
    """Return what a position with at most two cards each is worth."""
    if level == 0:
        return 0.0
    if level == 1:
        return last_trick(e, rows, lowest(hands[0]), lowest(hands[1]))
    return two_tricks(e, rows, hands[0], hands[1])


@slow_kernel(15)
def solve_cards(e: Endgame, top: int, rows: int, hands: tuple[int, int]) -> float:
    """Return what a position with `top` cards in each hand is worth; leave both mixes in e.levels.mixes[top].

    Numba cannot keep machine code of functions that call themselves, so the way down is written out.
    """
    x, t = e.levels, e.tricks
    level = top
    open_level(e, level, rows, hands, (-np.inf, np.inf))
    asked = next_question(e, level)
    while True:
        if asked.first >= 0:
            open_trick(e, level, asked)
        elif level == top:
            return real(x.value[top])
        else:
            keep_usual(e, level)
            remember(e, level)
            level += 1
            note(t, level, t.gain[level] + x.value[level - 1])
        if go_on(e, level):
            level -= 1
        else:
            tried = Question(t.places[level, 0], t.places[level, 1], t.window[level, 0], t.window[level, 1])
            settle(x, level, tried, -t.sign[level] * t.best[level])
        asked = next_question(e, level)


def new_endgame(top: int, heads: Sequence[int]) -> Endgame:
    """Return memory for an endgame with so many cards in each hand, of these bullheads by number."""
    n, size = top + 1, 1 << REMEMBERED[top]
    return Endgame(
        heads=np.array([*heads, *[0] * (32 - len(heads))], np.int64),
        levels=Levels(
            rows=np.zeros(n, np.int64),
            hands=np.zeros((n, 2), np.int64),
            cards=np.zeros((n, 2, MOST), np.int64),
            window=np.zeros((n, 2)),
            value=np.zeros(n),
            least=np.zeros((n, MOST, MOST)),
            most=np.zeros((n, MOST, MOST)),
            thought=np.zeros((n, 2, MOST), np.int64),
            sizes=np.zeros((n, 2), np.int64),
            mixes=np.zeros((n, 2, MOST)),
            mixed=np.zeros(n, np.bool_),
        ),
        tricks=Tricks(
            places=np.zeros((n, 2), np.int64),
            cards=np.zeros((n, 2), np.int64),
            sign=np.zeros(n, np.int64),
            window=np.zeros((n, 2)),
            tried=np.zeros(n, np.int64),
            best=np.zeros(n),
            gain=np.zeros(n),
        ),
        usual=np.zeros((n, 2), np.int64),
        small=np.zeros((MOST, MOST)),
        weights=np.zeros((2, MOST)),
        paper=new_paper(MOST),
        keys=np.zeros((size, 2), np.uint64),
        bounds=np.zeros((size, 2)),
    )

"""What a seat may know and may do, as bytes. Compiled for the CPU and for CUDA alike.

The bytes lie as `bullpen.envs.layout` says, which the same bytes made of the engine's views are held
against. A byte that names a seat counts from the viewer, and 0 is nobody, no row, no card.
"""

from bullpen.fast.chance import U
from bullpen.fast.compiled import Array, Int, rule
from bullpen.fast.games import Plan
from bullpen.fast.rules import EVEN_ODD, JUMPING_COW, MOUNTAIN, NOWHERE, Table, spot_for
from bullpen.fast.tables import ASKED, HALF, PLACED, TO_PLAY, Seats
from bullpen.fast.trick import CHOICES, FLIP, ROW, can_flip, may_choose_row

COUNTS, HEADS, HAND, SEEN, WAITING = 20, 24, 28, 132, 236
"""Where the counts and bullheads of the rows begin (their cards are first), the viewer's hand, the cards
that have been face up, and the cards that wait to be placed."""
DRAFT = 209
"""What a draft adds in Logic, all of it 0 here: who picks, the display, and who is known to hold what."""
COMMIT, CHOOSE_ROW, CHOOSE_SIDE = 1, 2, 3
MOST = 255


def observation_size(plan: Plan) -> int:
    """Return how many bytes say what a seat may know.

    >>> from bullpen.fast.games import plan_for
    >>> observation_size(plan_for("base", 4)), observation_size(plan_for("flippin-digits", 10))
    (263, 309)
    """
    size = _marks(plan) + {EVEN_ODD: 2, MOUNTAIN: 2, JUMPING_COW: 1}.get(plan.code, 0)
    return size + DRAFT * plan.ascending + plan.players * (plan.digits >= 0)


def _marks(plan: Plan) -> int:
    """Return where the marks of a game begin, behind what all games have."""
    return WAITING + 6 * plan.players + 3


@rule
def spread(low: Int, high: Int, out: Array, at: Int) -> None:
    """Write a set of cards as a byte a card, card 1 first."""
    for i in range(U(63)):
        out[U(at) + i] = (low >> (i + U(1))) & U(1)
    for i in range(U(41)):
        out[U(at) + U(63) + i] = (high >> i) & U(1)


@rule
def from_viewer(plan: Plan, seat: Int, viewer: Int) -> Int:
    """Return the place of a seat, counted from the viewer's."""
    return seat - viewer if seat >= viewer else seat - viewer + plan.players


@rule
def describe_rows(t: Table, b: Int, out: Array) -> None:
    """Write the rows' cards, 0 behind their ends, and how many and how dear they are."""
    for row in range(4):
        count = t.counts[b, row]
        for i in range(5):
            out[5 * row + i] = t.rows[b, row, i] if i < count else 0
        out[COUNTS + row] = count
        out[HEADS + row] = t.heads[b, row]


@rule
def describe_waiting(plan: Plan, s: Seats, b: Int, out: Array) -> None:
    """Write the cards that wait to be placed, and their values."""
    n = plan.players
    placed = s.stage[b, PLACED]
    for i in range(n):
        card = value = 0
        if placed + i < n:
            play = s.plays[b, placed + i]
            card, value = play >> 4 & 127, play >> 12
        out[WAITING + i] = card
        out[WAITING + n + i] = value


@rule
def describe_question(plan: Plan, t: Table, s: Seats, b: Int, out: Array) -> None:
    """Write what is asked now, and the number of the trick."""
    at = WAITING + 3 * plan.players
    left = s.stage[b, TO_PLAY]
    card = kind = 0
    if s.stage[b, ASKED] >= 0:
        play = s.plays[b, s.stage[b, PLACED]]
        card = play >> 4 & 127
        kind = CHOOSE_ROW if spot_for(plan.code, t, b, play >> 12) == NOWHERE else CHOOSE_SIDE
    elif left:
        kind = COMMIT
    out[at] = card
    out[at + 1] = kind
    dealt = plan.first + (plan.second if s.stage[b, HALF] else 0)
    out[at + 2 + 3 * plan.players] = min(dealt - left + 1, dealt)


@rule
def describe_marks(plan: Plan, t: Table, b: Int, out: Array) -> None:
    """Write where the marker lies and what it shows; nothing of a draft."""
    at = WAITING + 6 * plan.players + 3
    if plan.ascending:
        for i in range(DRAFT):
            out[at + i] = 0
    elif plan.code >= EVEN_ODD and plan.code <= JUMPING_COW:
        out[at] = 1 + t.mark[b, 0]
        if plan.code == EVEN_ODD:
            out[at + 1] = 1 + t.mark[b, 1]
        elif plan.code == MOUNTAIN:
            out[at + 1] = 1 if t.mark[b, 1] < 0 else 2


@rule
def describe_table(plan: Plan, t: Table, s: Seats, b: Int, out: Array) -> None:
    """Write what all seats see alike, but for the cards that have been face up."""
    describe_rows(t, b, out)
    describe_waiting(plan, s, b, out)
    describe_question(plan, t, s, b, out)
    describe_marks(plan, t, b, out)


@rule
def describe_asked(plan: Plan, s: Seats, b: Int, viewer: Int, out: Array) -> None:
    """Write who is asked, and whose the cards are that wait."""
    n = plan.players
    asked, placed = s.stage[b, ASKED], s.stage[b, PLACED]
    everybody = asked < 0 and s.stage[b, TO_PLAY] != 0
    for i in range(n):
        out[WAITING + 2 * n + i] = 0
        out[WAITING + 3 * n + 2 + i] = everybody
    if asked >= 0:
        out[WAITING + 3 * n + 2 + from_viewer(plan, asked, viewer)] = 1
        for i in range(n - placed):
            out[WAITING + 2 * n + i] = 1 + from_viewer(plan, s.plays[b, placed + i] & 15, viewer)


@rule
def describe_seats(plan: Plan, t: Table, s: Seats, b: Int, viewer: Int, out: Array) -> None:
    """Write what is said of each seat, the viewer first."""
    n = plan.players
    describe_asked(plan, s, b, viewer, out)
    at = WAITING + 4 * n + 2
    for seat in range(n):
        place = from_viewer(plan, seat, viewer)
        out[at + place] = min(t.points[b, seat], MOST)
        out[at + n + place] = min(s.scores[b, seat], MOST)
        if plan.digits >= 0:
            out[at + 2 * n + 1 + place] = s.flips[b, seat]


@rule
def describe(plan: Plan, t: Table, s: Seats, b: Int, viewer: Int, out: Array) -> None:
    """Write everything that a seat may know of a game."""
    describe_table(plan, t, s, b, out)
    spread(s.shown[b, 0], s.shown[b, 1], out, SEEN)
    spread(s.hands[b, viewer, 0], s.hands[b, viewer, 1], out, HAND)
    describe_seats(plan, t, s, b, viewer, out)


@rule
def may_play(s: Seats, b: Int) -> Int:
    """Whether all seats are asked for a card."""
    return s.stage[b, TO_PLAY] != 0 and s.stage[b, ASKED] < 0


@rule
def may_flip(plan: Plan, s: Seats, b: Int, seat: Int, out: Array) -> None:
    """Write which of the cards that may be played may be flipped."""
    if s.flips[b, seat]:
        for card in range(1, 105):
            out[FLIP + card] = out[card] != 0 and can_flip(card, plan.digits)


@rule
def may_choose_only(plan: Plan, t: Table, s: Seats, b: Int, seat: Int, out: Array) -> None:
    """Write the rows that the seat may choose if it is asked for one, else that it may wait."""
    if s.stage[b, TO_PLAY] == 0 or s.stage[b, ASKED] != seat:
        out[0] = 1
        return
    play = s.plays[b, s.stage[b, PLACED]]
    for row in range(4):
        out[ROW + row] = may_choose_row(plan.code, t, b, play, row)


@rule
def may_do(plan: Plan, t: Table, s: Seats, b: Int, seat: Int, out: Array) -> None:
    """Write a byte a choice: whether it answers the seat's question; who is not asked may only wait (0)."""
    for i in range(CHOICES):
        out[i] = 0
    if may_play(s, b):
        spread(s.hands[b, seat, 0], s.hands[b, seat, 1], out, 1)
        may_flip(plan, s, b, seat, out)
    else:
        may_choose_only(plan, t, s, b, seat, out)

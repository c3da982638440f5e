"""What the network of a game with a course of its own is told: of imagined worlds, and in training.

A seat is told what it sees and nothing else, so it is told the same of every world that it can imagine. The
functions are compiled for the CPU and, in `training.courses`, for a CUDA device.
"""

from typing import Any, NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, kernel, piece, rule, whole
from bullpen.fast.rules import FAR, HEADS
from bullpen.fast.twins.state import CARD, CHOOSE_ROW, PASS, ROW, State, heads_of, row_end

NUMBERS = 105
HAND, UNSEEN, WAITING, KNOWN = (NUMBERS * part for part in range(4))
"""Where sets of cards begin: the own hand, what nobody has seen, the table, cards known in other hands."""
ROWS = 4 * NUMBERS
A_ROW = 6
PLAYERS = ROWS + 4 * A_ROW
KINDS = PLAYERS + 9
HELD = KINDS + 6
POINTS = HELD + 10
OWN = POINTS + 10
OWN_MOST = 14
REST = OWN + OWN_MOST
SCENE = REST + 4
"""The numbers of the scene."""

A_CARD = 15
ROW_AT = 2 * A_CARD
KEEP_AT = ROW_AT + 3
PASS_AT = KEEP_AT + 4
OPTION = PASS_AT + 1
"""The numbers of an answer; beside them it has up to two cards."""
KEEP = 128


@rule
def fewest_heads(s: State, b: int) -> int:
    """Return the bullheads of the cheapest row."""
    least = FAR
    for row in range(4):
        least = min(least, heads_of(s, b, row))
    return least


@piece
def count_unseen(plan: Any, s: State, b: int, seat: int, x: Array) -> None:
    """Write down the cards that a seat has not seen: the deck and other hands, but for known cards."""
    for at in range(s.deck.shape[1] - whole(s.drawn[b])):
        x[UNSEEN + whole(s.deck[b, whole(s.drawn[b]) + at])] += 1.0
    for other in range(plan.players):
        if other != seat:
            for i in range(whole(s.held[b, other])):
                x[UNSEEN + whole(s.hands[b, other, i])] += 1.0
            for i in range(whole(s.knows[b, other])):
                x[UNSEEN + whole(s.known[b, other, i])] -= 1.0
    x[UNSEEN] = 0.0


@piece
def describe_sets(plan: Any, s: State, b: int, seat: int, x: Array) -> None:
    """Write down which cards lie where everybody, or the seat, can see them."""
    for i in range(whole(s.held[b, seat])):
        x[HAND + whole(s.hands[b, seat, i])] += 1.0
    for i in range(whole(s.placed[b]), whole(s.laid[b])):
        x[WAITING + whole(s.waits[b, i, 0])] += 1.0
    for other in range(plan.players):
        if other != seat:
            for i in range(whole(s.knows[b, other])):
                x[KNOWN + whole(s.known[b, other, i])] += 1.0


@piece
def describe_rows(s: State, b: int, x: Array) -> None:
    """Write down the rows, ordered by their ends, each with the cards that would go there."""
    for row in range(4):
        end, place, following = row_end(s, b, row), 0, NUMBERS
        for other in range(4):
            limit = row_end(s, b, other)
            if limit < end:
                place += 1
            elif end < limit < following:
                following = limit
        at = ROWS + A_ROW * place
        x[at] = end / 104.0
        x[at + 1] = s.counts[b, row] / 5.0
        x[at + 2] = 1.0 if s.counts[b, row] >= 5 else 0.0
        x[at + 3] = heads_of(s, b, row) / 10.0
        for card in range(end + 1, following):
            x[at + 4] += x[UNSEEN + card] / 20.0
            x[at + 5] += x[HAND + card] / 4.0


@piece
def describe_seats(plan: Any, s: State, b: int, seat: int, x: Array) -> None:
    """Write down the question and the numbers of all seats, from the asked one on."""
    x[PLAYERS + plan.players - 2] = 1.0
    x[KINDS + min(whole(s.kind[b]), 5)] = 1.0
    for k in range(plan.players):
        other = (seat + k) % plan.players
        x[HELD + k] = s.held[b, other] / 16.0
        x[POINTS + k] = s.points[b, other] / 20.0
    for k in range(min(OWN_MOST, s.own.shape[1])):
        x[OWN + k] = s.own[b, k] / 20.0
    unseen = 0.0
    for card in range(NUMBERS):
        unseen += x[UNSEEN + card]
    x[REST] = unseen / 100.0
    x[REST + 1] = fewest_heads(s, b) / 10.0
    x[REST + 2] = (whole(s.laid[b]) - whole(s.placed[b])) / 10.0
    x[REST + 3] = min(whole(s.trick[b]), 20) / 10.0


@piece
def describe_scene(plan: Any, s: State, b: int, seat: int, x: Array) -> None:
    """Describe a game as a seat sees it; what it has not seen must have been written down before."""
    describe_sets(plan, s, b, seat, x)
    describe_rows(s, b, x)
    describe_seats(plan, s, b, seat, x)


@piece
def describe_card(s: State, b: int, scene: Array, card: int, at: int, x: Array) -> None:
    """Write down where a card would go now, and what may go there before it."""
    row, end = -1, 0
    for other in range(4):
        limit = row_end(s, b, other)
        if end < limit <= card:
            row, end = other, limit
    x[at] = card / 104.0
    x[at + 1] = HEADS[card] / 7.0
    if row < 0:
        x[at + 2] = 1.0
        x[at + 9] = fewest_heads(s, b) / 10.0
    else:
        x[at + 3 + max(0, 5 - whole(s.counts[b, row]))] = 1.0
        x[at + 9] = heads_of(s, b, row) / 10.0
        x[at + 10] = (card - end) / 104.0
    for other in range(end + 1, card):
        x[at + 11] += scene[UNSEEN + other] / 10.0
        x[at + 12] += scene[HAND + other] / 4.0
    x[at + 13] = x[at + 11] / (0.1 + 10.0 * scene[REST])
    x[at + 14] = scene[WAITING + card]


@piece
def describe_kept(s: State, b: int, kept: int, x: Array) -> None:
    """Write down what is kept of the taken cards, and what goes to the pile (Hand)."""
    x[KEEP_AT] = 1.0
    for i in range(whole(s.own[b, 1])):
        heads = HEADS[whole(s.own[b, 2 + i])]
        if (kept >> i) & 1:
            x[KEEP_AT + 1] += 0.2
            x[KEEP_AT + 2] += heads / 10.0
        else:
            x[KEEP_AT + 3] += heads / 10.0


@piece
def describe_option(s: State, b: int, scene: Array, option: int, x: Array, cards: Array) -> None:
    """Describe an answer, in memory that is zero."""
    if s.kind[b] == CHOOSE_ROW:
        row = option - ROW
        x[ROW_AT] = 1.0
        x[ROW_AT + 1] = heads_of(s, b, row) / 10.0
        x[ROW_AT + 2] = row_end(s, b, row) / 104.0
        cards[0] = row_end(s, b, row)
    elif option == PASS:
        x[PASS_AT] = 1.0
    elif option < NUMBERS:
        cards[0] = option
        describe_card(s, b, scene, option, 0, x)
    elif s.kind[b] == CARD:
        cards[0], cards[1] = option >> 7, option & 127
        describe_card(s, b, scene, option >> 7, 0, x)
        describe_card(s, b, scene, option & 127, A_CARD, x)
    else:
        describe_kept(s, b, option - KEEP, x)


class Told(NamedTuple):
    """What the network is told of one question."""

    scene: Array
    """float32 [SCENE]."""
    options: Array
    """float32 [O, OPTION]."""
    cards: Array
    """int64 [O, 2]: the cards of each answer, 0 for none."""


def new_told(answers: int) -> Told:
    """Return memory for a question with that many answers, all of it zero."""
    options = np.zeros((answers, OPTION), np.float32)
    return Told(np.zeros(SCENE, np.float32), options, np.zeros((answers, 2), np.int64))


@kernel
def describe_game(plan: Any, s: State, b: int, seat: int, numbers: Array, told: Told) -> None:
    """Describe what a seat sees of a game of which every card is known, and its answers."""
    count_unseen(plan, s, b, seat, told.scene)
    describe_scene(plan, s, b, seat, told.scene)
    for k in range(numbers.size):
        describe_option(s, b, told.scene, whole(numbers[k]), told.options[k], told.cards[k])

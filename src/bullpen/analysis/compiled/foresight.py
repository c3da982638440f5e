"""What `medium` makes of its cards in the base game, in compiled code: number for number its `foresight`.

Playouts ask it for the trick at hand only; in later ones it would take most of their time.
"""

from typing import NamedTuple

import numpy as np

from bullpen.bots.card_sets import count, under
from bullpen.bots.compiled import Array, piece, real, rule, whole
from bullpen.bots.estimates.compiled_risk import EXACT, GRID
from bullpen.bots.estimates.compiled_view import Eyes, Hand, list_plays
from bullpen.bots.estimates.foresight import A_CARD, CARDS, NUMBERS, network
from bullpen.bots.estimates.risk import size_of
from bullpen.bots.levels.medium import FORESEEN
from bullpen.engine import View
from bullpen.fast.rules import HEADS, Table

NOWHERE = -1
"""Stands for "no row"."""
FULL = 5
"""A row of so many cards is full."""


class Foresight(NamedTuple):
    """A network for hands of one size, with working memory; without hidden units there is none."""

    hidden: Array
    """float64 [NUMBERS, H]."""
    bias: Array
    """float64 [H]."""
    out: Array
    """float64 [H]."""
    skip: Array
    """float64 [NUMBERS]."""
    numbers: Array
    """float64 [NUMBERS]: what describes a card."""
    sums: Array
    """float64 [H]."""
    rows: Array
    """int64 [2, 3, 4]: ends, rooms and heads of the rows, as they lie and as a card leaves them."""


NOW, AFTER = 0, 1
ENDS, ROOMS, HELD = range(3)


def foresight_for(view: View, cards: int) -> Foresight:
    """Return what `medium` foresees with, in games in which it does, for hands of so many cards."""
    if view.game in FORESEEN and size_of(view) == CARDS:
        return _of_network(view.players, cards)
    return _with(np.zeros((NUMBERS, 0)), np.zeros(0), np.zeros(0), np.zeros(NUMBERS))


def _of_network(players: int, cards: int) -> Foresight:
    net, left = network(players), cards / 10
    hidden = np.array(net.hidden) + left * np.array(net.hidden_left)
    skip = np.array(net.skip) + left * np.array(net.skip_left)
    return _with(np.ascontiguousarray(hidden.T), np.array(net.bias), np.array(net.out), skip)


def _with(hidden: Array, bias: Array, out: Array, skip: Array) -> Foresight:
    return Foresight(
        hidden,
        bias,
        out,
        skip,
        np.zeros(NUMBERS),
        np.zeros(bias.size),
        np.zeros((2, 3, 4), np.int64),
    )


@rule
def row_for(rows: Array, scene: int, card: int) -> int:
    """Return the row that a card goes to, or NOWHERE."""
    row, best = NOWHERE, 0
    for r in range(4):
        if best < rows[scene, ENDS, r] < card:
            row, best = r, rows[scene, ENDS, r]
    return row


@rule
def cheapest_of(rows: Array, scene: int) -> int:
    """Return the row with the fewest bullheads."""
    row = 0
    for r in range(1, 4):
        if rows[scene, HELD, r] < rows[scene, HELD, row]:
            row = r
    return row


@rule
def share_between(me: Hand, end: int, card: int) -> float:
    """Return the share of unseen cards between a row's end and a card."""
    low, high = under(card)
    low_end, high_end = under(end + 1)
    between = count(me.unseen_low & low & ~low_end, me.unseen_high & high & ~high_end)
    return real(between / max(count(me.unseen_low, me.unseen_high), 1))


@rule
def chance_alone(me: Hand, card: int) -> float:
    """Return the chance that nobody plays lower."""
    low, high = under(card)
    lower = count(me.unseen_low & low, me.unseen_high & high)
    return real(EXACT[me.players - 1, 0, lower * GRID // max(count(me.unseen_low, me.unseen_high), 1)])


@rule
def chance_of_hit(me: Hand, room: int, share: float) -> float:
    """Return the chance that exactly as many play between as there is room for."""
    return real(EXACT[me.players - 1, room, min(whole(share * GRID), GRID)])


@piece
def lay_card(rows: Array, card: int, row: int) -> None:
    """Lay a card on the rows, nobody else having played; too low, it takes the cheapest one."""
    for field in range(3):
        for r in range(4):
            rows[AFTER, field, r] = rows[NOW, field, r]
    if row == NOWHERE or rows[NOW, ROOMS, row] == 0:
        row = cheapest_of(rows, NOW) if row == NOWHERE else row
        rows[AFTER, ROOMS, row], rows[AFTER, HELD, row] = FULL - 1, HEADS[card]
    else:
        rows[AFTER, ROOMS, row] -= 1
        rows[AFTER, HELD, row] += HEADS[card]
    rows[AFTER, ENDS, row] = card


@piece
def describe_now(told: Foresight, me: Hand, card: int, row: int) -> None:
    """Note what a card risks in this trick."""
    numbers, rows = told.numbers, told.rows
    for k in range(11):
        numbers[k] = 0.0
    numbers[11] = HEADS[card] * 0.2
    if row == NOWHERE:
        alone = chance_alone(me, card)
        numbers[6], numbers[7], numbers[8] = alone * rows[NOW, HELD, cheapest_of(rows, NOW)], alone, 1 - alone
        return
    room = whole(rows[NOW, ROOMS, row])
    gap = share_between(me, whole(rows[NOW, ENDS, row]), card)
    hit = chance_of_hit(me, room, gap)
    filled = (FULL - room) / 5
    numbers[0], numbers[1], numbers[2] = hit * rows[NOW, HELD, row], hit * room, hit
    numbers[3], numbers[4], numbers[5] = gap, filled, gap * filled
    numbers[9], numbers[10] = 1.0 if room == 0 else 0.0, gap * gap


@piece
def describe_rest(told: Foresight, eyes: Eyes, me: Hand, size: int, played: int) -> None:
    """Note how the other cards lie on the rows as one leaves them: means of what they risk, and the least."""
    numbers, rows = told.numbers, told.rows
    for k in range(15, 23):
        numbers[k] = 0.0
    if size == 1:
        return
    least, to_come = 99.0, (me.players - 1) * (size - 1) / 2
    cheapest = rows[AFTER, HELD, cheapest_of(rows, AFTER)]
    for i in range(size):
        if i == played:
            continue
        card = whole(eyes.cards[i])
        row = row_for(rows, AFTER, card)
        if row == NOWHERE:
            alone = chance_alone(me, card)
            cost = alone * cheapest + 1 - alone
            numbers[20] += cost
            numbers[21] += 1
        else:
            room = whole(rows[AFTER, ROOMS, row])
            gap = share_between(me, whole(rows[AFTER, ENDS, row]), card)
            cost = chance_of_hit(me, room, gap) * (rows[AFTER, HELD, row] + room * A_CARD)
            numbers[15] += cost
            numbers[16] += gap
            numbers[17] += (FULL - room) / 5
            numbers[18] += max(0.0, gap * to_come - room)
            numbers[19] += 1.0 if room == 0 else 0.0
        least = min(least, cost)
    for k in range(15, 22):
        numbers[k] /= size - 1
    numbers[22] = least


@piece
def cost_of_numbers(told: Foresight) -> float:
    """Return what the network makes of a card."""
    cost = 0.0
    for h in range(told.sums.size):
        told.sums[h] = told.bias[h]
    for k in range(NUMBERS):
        number = told.numbers[k]
        cost += told.skip[k] * number
        for h in range(told.sums.size):
            told.sums[h] += told.hidden[k, h] * number
    for h in range(told.sums.size):
        cost += told.out[h] * max(0.0, told.sums[h])
    return real(cost)


@piece
def foreseen_cost(told: Foresight, eyes: Eyes, me: Hand, size: int, i: int) -> float:
    """Return what the card at a place of the eyes is likely to cost; `told.rows` must be up to date."""
    numbers, rows = told.numbers, told.rows
    card = whole(eyes.cards[i])
    row = row_for(rows, NOW, card)
    height = card / CARDS
    lay_card(rows, card, row)
    describe_now(told, me, card, row)
    numbers[12], numbers[13], numbers[14] = height, abs(2 * height - 1), height * height
    describe_rest(told, eyes, me, size, i)
    room = heads = 0
    for r in range(4):
        room += rows[AFTER, ROOMS, r]
        heads += rows[AFTER, HELD, r]
    cheapest = rows[AFTER, HELD, cheapest_of(rows, AFTER)]
    numbers[23], numbers[24], numbers[25] = cheapest * 0.2, room * 0.05, heads * 0.02
    return cost_of_numbers(told)


@piece
def look_at_rows(told: Foresight, t: Table, b: int) -> None:
    """Take the rows in."""
    for r in range(4):
        told.rows[NOW, ENDS, r] = t.ends[b, r]
        told.rows[NOW, ROOMS, r] = FULL - whole(t.counts[b, r])
        told.rows[NOW, HELD, r] = t.heads[b, r]


@piece
def least_foreseen(told: Foresight, t: Table, b: int, eyes: Eyes, me: Hand) -> int:
    """Return the place of the card that `medium` plays."""
    look_at_rows(told, t, b)
    size = list_plays(eyes, me)
    best, least = 0, np.inf
    for i in range(size):
        cost = foreseen_cost(told, eyes, me, size, i)
        if cost < least:
            best, least = i, cost
    return best

"""The risk estimate of `medium` in compiled code, for playouts: number for number that of `risk`."""

import numpy as np

from bullpen.bots.card_sets import count, has, single, under
from bullpen.bots.compiled import Array, piece, real, rule, whole
from bullpen.bots.estimates import risk
from bullpen.bots.estimates.compiled_view import OUT, Eyes, Hand, caught_by, fewest_heads, list_plays, room_of
from bullpen.fast.games import Plan
from bullpen.fast.rules import Table

EXACT = np.array(risk.EXACT)
GRID, FLIP_COST = risk.GRID, risk.FLIP_COST


@rule
def beside(eyes: Eyes, me: Hand, i: int, row: int, th: Array) -> float:
    """Return what the seat's other cards for the same row add."""
    value = eyes.values[i]
    gone_low, gone_high = single(eyes.cards[i])
    own_low, own_high = me.low & eyes.catch[row, 0] & ~gone_low, me.high & eyes.catch[row, 1] & ~gone_high
    low, high = under(value)
    lower = count(own_low & low, own_high & high)
    higher = count(own_low, own_high) - lower
    if has(own_low, own_high, value):
        higher -= 1
    return real((th[10] * lower + th[11] * higher) / 4)


@rule
def risk_of(plan: Plan, t: Table, b: int, eyes: Eyes, me: Hand, i: int, th: Array) -> float:
    """Return what play i is likely to cost (see `risk`)."""
    value = eyes.values[i]
    size = max(count(me.unseen_low, me.unseen_high), 1)
    left = count(me.low, me.high) / 10
    height = value / plan.size
    cost = th[5] * height + th[7] * height * left + th[9] * abs(2 * height - 1) * left
    if value != eyes.cards[i]:
        cost += FLIP_COST * left
    row = caught_by(eyes.catch, value)
    low, high = under(value)
    cost += beside(eyes, me, i, row, th)
    same = count(me.unseen_low & low & eyes.catch[row, 0], me.unseen_high & high & eyes.catch[row, 1])
    if row == OUT:
        alone = EXACT[me.players - 1, 0, same * GRID // size]
        return real(cost + th[2] * fewest_heads(t, b) * alone + th[3] * (1 - alone) + th[8] * left)
    room = room_of(plan.code, t, b, row)
    gap = same / size
    hit = EXACT[me.players - 1, room, min(whole(gap * th[0] * GRID), GRID)]
    heads = whole(t.heads[b, row])
    return real(cost + (hit * (heads + room * th[1]) + th[4] * gap + th[6] * (5 - room) * 0.2))


@piece
def least_risk(plan: Plan, t: Table, b: int, eyes: Eyes, me: Hand, th: Array) -> int:
    """Return the place of the play with the least risk; `eyes.catch` must be up to date."""
    best, least = 0, 1e9
    for i in range(list_plays(eyes, me)):
        cost = risk_of(plan, t, b, eyes, me, i, th)
        if cost < least:
            best, least = i, cost
    return best

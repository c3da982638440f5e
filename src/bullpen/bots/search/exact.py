"""Positions in which two players know all cards, played perfectly: from the twin's arrays to the solver."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bullpen.bots.registry import Mind
from bullpen.bots.search.endgame.position import COUNT, END, ROW
from bullpen.bots.search.endgame.solver import solve_cards
from bullpen.bots.search.endgame.state import new_endgame
from bullpen.engine import BullpenError, Choice, View
from bullpen.fast.convert import Start, from_view, number_of
from bullpen.fast.errors import NotCovered
from bullpen.fast.games import CODES
from bullpen.fast.playouts import finish_trick
from bullpen.fast.rules import BASE, HEADS, Table
from bullpen.fast.trick import NO_FLIP
from bullpen.fast.trick import ROW as TAKING

MOST_CARDS = 8
"""The largest hands that are solved: nine cards each take hours."""
REACH = 6
"""With so many cards in hand when a trick begins `expert` plays exactly: within 0.25 s on one core."""
NONE: dict[int, float] = {}


class NotKnown(BullpenError):
    """The position cannot be solved: not everything that matters is known, or it is not small enough."""


class Solved(NamedTuple):
    """A position played perfectly by both."""

    value: float
    """By how many bullheads seat 0 comes out ahead of seat 1 from here to the end of the round."""
    mixes: tuple[dict[int, float], dict[int, float]]
    """How likely each seat makes which choice (as the twin's numbers); empty for a seat that is not asked."""


def known(start: Start) -> Start:
    """Return a start with the other hand filled in, or a sentence if it does not follow from the rest."""
    plan = start.plan
    if plan.players != 2:
        raise NotKnown(f"Only positions of two players can be solved, and this one has {plan.players}.")
    if plan.code != BASE or plan.digits != NO_FLIP:
        names = ", ".join(game for game, code in CODES.items() if code == BASE and game != "flippin-digits")
        raise NotKnown(f"Only games with the placing rules of the base game can be solved: {names}.")
    if plan.second and not start.half:
        raise NotKnown("Nobody knows yet what the second half will be dealt.")
    sizes = start.sizes[start.half]
    if sizes[0] != sizes[1]:
        raise NotKnown(f"The hands have {sizes[0]} and {sizes[1]} cards; they must be equal in size.")
    hands = start.hands.copy()
    for seat in range(2):
        if sizes[seat] and not hands[start.half, seat, 0]:
            if start.pool.size != sizes[seat]:
                raise NotKnown(
                    f"Seat {start.seat} does not know the other hand: {start.pool.size} cards could be its"
                    f" {sizes[seat]}."
                )
            hands[start.half, seat, : sizes[seat]] = start.pool
    return replace(start, hands=hands, pool=start.pool[:0])


def perfect_choice(view: View, options: tuple[Choice, ...], mind: Mind, reach: int = REACH) -> Choice | None:
    """Return a choice drawn from the seat's perfect mix; None if not all cards are known, or too many."""
    if view.players != 2 or len(view.hand) + bool(view.position.table) > reach:
        return None
    try:
        solved = solve(known(from_view(view)))
    except (NotKnown, NotCovered):
        return None
    assert view.seat is not None
    mix = solved.mixes[view.seat]
    return mind.rng.choices(options, [mix[number_of(option)] for option in options])[0]


def solve(start: Start) -> Solved:
    """Return what a known position is worth, and how both seats play it."""
    if start.plays:
        return _solve_row(start)
    return _solve_cards(start.table, _hands(start))


def _hands(start: Start) -> tuple[list[int], list[int]]:
    size = start.sizes[start.half, 0]
    if size > MOST_CARDS:
        raise NotKnown(f"The hands have {size} cards each; up to {MOST_CARDS} can be solved.")
    mine, theirs = start.hands[start.half, :, :size].tolist()
    return sorted(mine), sorted(theirs)


def _solve_row(start: Start) -> Solved:
    """Try every row for the low card, whose owner knows what lies on the table."""
    owner, hands = start.asked, _hands(start)
    worths: dict[int, float] = {}
    for row in range(4):
        table = Table(*[part.copy() for part in start.table])
        table.points[0] = 0
        finish_trick(start.plan, table, 0, np.array(start.plays, np.int64), row)
        gain = int(table.points[0, 1]) - int(table.points[0, 0])
        worths[TAKING + row] = gain + _solve_cards(table, hands).value
    best = max(worths, key=lambda row: -worths[row] if owner else worths[row])
    mix = {row: float(row == best) for row in worths}
    return Solved(worths[best], (NONE, mix) if owner else (mix, NONE))


def _solve_cards(table: Table, hands: tuple[list[int], list[int]]) -> Solved:
    """Number cards and ends in their order, and let the solver look."""
    size = len(hands[0])
    if not size:
        return Solved(0.0, (NONE, NONE))
    order = sorted([*hands[0], *hands[1], *table.ends[0].tolist()])
    number = {card: place for place, card in enumerate(order, start=1)}
    rows = 0
    for place, row in enumerate(np.argsort(table.ends[0])):
        count, heads = int(table.counts[0, row]), int(table.heads[0, row])
        rows |= (number[int(table.ends[0, row])] << END | count << COUNT | heads) << ROW * place
    endgame = new_endgame(size, [0, *HEADS[order].tolist()])
    bits = [sum(1 << number[card] for card in hand) for hand in hands]
    value = solve_cards(endgame, size, rows, (bits[0], bits[1]))
    mine, theirs = endgame.levels.mixes[size, :, :size].tolist()
    return Solved(value, (_shares(hands[0], mine), _shares(hands[1], theirs)))


def _shares(hand: list[int], mix: list[float]) -> dict[int, float]:
    """Return a mix by card, its shares adding up to one."""
    total = sum(mix)
    return {card: share / total for card, share in zip(hand, mix, strict=True)}

"""A decision as arrays, and how it is made from a view."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.compiled import Array, plain
from bullpen.engine import Choice, View
from bullpen.fast.batch import empty_table
from bullpen.fast.convert import Start, as_set, from_view, number_of
from bullpen.fast.games import Plan
from bullpen.fast.playouts import finish_trick
from bullpen.fast.rollout import MOST
from bullpen.fast.rules import HEADS, Table
from bullpen.fast.trick import ROW

ROOT, TRIAL, NO_ROW = plain(0), plain(1), plain(-1)
"""The two tables of a search, as it is and to try things on; and what stands for no row that is named."""

DOUBT, HABITUAL = 0.25, 0.8
"""How likely we take an opponent to play any card alike; and if not, to play as the levels are used to."""


class Decision(NamedTuple):
    """A decision: what the seat knows of everybody's cards."""

    table: Table
    """Two tables: ROOT and TRIAL."""
    hands: Array
    """uint8 [n, MOST]: the hands; 0 where they are not known."""
    sizes: Array
    """int64 [n]: the cards in them."""
    known: Array
    """bool [n]: whether a hand is known; the seat's own is."""
    pool: Array
    """uint8 [P]: the cards that may be in the unknown hands."""
    flips: Array
    """uint8 [n]: who holds a flip card."""
    hidden: Array
    """uint64 [2]: all cards that have not been face up, as a set."""
    seat: int
    later: int
    """Cards that every seat will be dealt at half-time."""
    wild: Array
    """float64 [n]: how likely each seat is to play any card alike; the seat itself is not."""
    habitual: float
    """How likely an opponent who does not is to play as the levels are used to."""


@dataclass(frozen=True)
class Question:
    """A decision of a seat: where it stands, and what it could choose, as the twin's numbers."""

    plan: Plan
    decision: Decision
    options: dict[int, Choice]


def question(view: View, options: tuple[Choice, ...]) -> Question:
    """Return a view and the options as arrays; the seat plays a card, or names a row for one that waits."""
    start = from_view(view)
    return Question(start.plan, decision_of(start), {number_of(choice): choice for choice in options})


def decision_of(start: Start) -> Decision:
    """Return the arrays that a search works on."""
    n, half = start.plan.players, start.half
    table = empty_table(2, n, log=0)
    lay(table, start)
    hands = np.ascontiguousarray(start.hands[half])
    sizes = start.sizes[half].copy()
    if start.plays:
        # Placed or still to be placed, the cards of this trick are out of everybody's hand.
        sizes[:] = sizes.min()
    known = (hands[:, 0] != 0) | (sizes == 0)
    hidden = [int(card) for card in start.pool] + [int(card) for card in hands.ravel() if card]
    return Decision(
        table=table,
        hands=hands,
        sizes=sizes,
        known=known,
        pool=start.pool,
        flips=start.flips.copy(),
        hidden=as_set(hidden),
        seat=start.seat,
        later=start.plan.second if half == 0 else 0,
        wild=np.where(np.arange(n) == start.seat, 0.0, DOUBT),
        habitual=HABITUAL,
    )


def lay(table: Table, start: Start) -> None:
    """Lay the rows of a start out on the root table."""
    table.rows[ROOT], table.ends[ROOT] = start.table.rows[0], start.table.ends[0]
    table.counts[ROOT], table.heads[ROOT] = start.table.counts[0], start.table.heads[0]
    table.mark[ROOT] = start.table.mark[0]
    table.points[ROOT] = 0


def with_row(view: View, choice: Choice) -> tuple[Question, int]:
    """Return how things stand after a row is named and the trick finished, and what that costs the seat."""
    start = from_view(view)
    decision = decision_of(start)
    plays: NDArray[np.int64] = np.array(start.plays, np.int64)
    finish_trick(start.plan, decision.table, ROOT, plays, number_of(choice) - ROW)
    cost = int(decision.table.points[ROOT, decision.seat])
    decision.table.points[ROOT] = 0
    return Question(start.plan, decision, {}), cost


def decision_after_deal(plan: Plan, hand: NDArray[np.uint8], rows: list[int]) -> Decision:
    """Return the start of a round as the seat with this hand sees it, nothing being known of the others."""
    seen = {*hand.tolist(), *rows}
    decision = decision_with(plan, hand, [card for card in range(1, plan.size + 1) if card not in seen])
    table = decision.table
    table.rows[ROOT, :, 0] = table.ends[ROOT] = rows
    table.counts[ROOT] = 1
    table.heads[ROOT] = HEADS[rows]
    return decision


def decision_with(plan: Plan, hand: NDArray[np.uint8], unseen: list[int]) -> Decision:
    """Return the decision of seat 0 with this hand, which has not seen these cards, before rows are laid."""
    n = plan.players
    hands = np.zeros((n, MOST), np.uint8)
    hands[0, : hand.size] = hand
    return Decision(
        table=empty_table(2, n, log=0),
        hands=hands,
        sizes=np.full(n, hand.size),
        known=np.arange(n) == 0,
        pool=np.array(unseen, np.uint8),
        flips=np.zeros(n, np.uint8),
        hidden=as_set([*unseen, *hand.tolist()]),
        seat=0,
        later=0,
        wild=np.where(np.arange(n) == 0, 0.0, DOUBT),
        habitual=HABITUAL,
    )

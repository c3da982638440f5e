"""What a search of Nifty goes by: the heuristic in compiled code, and how a seat stands."""

from typing import Any

import numpy as np

from bullpen.bots.compiled import Array, piece
from bullpen.bots.heuristics.compiled_nifty import (
    Eyes,
    answer_of,
    cheapest_price,
    choice_cost,
    look_at_hand,
    new_eyes,
    note_hidden,
    pair_cost,
)
from bullpen.bots.search.worlds import GUIDES, Effort, Guide
from bullpen.fast.compiled import Int
from bullpen.fast.twins.nifty import NiftyPlan
from bullpen.fast.twins.state import CARD

EFFORTS = {
    "hard": Effort(candidates=6, playouts=200, ahead=7, stray=0.1, prior=4.0, worlds=30),
    "expert": Effort(candidates=24, playouts=3000, ahead=7, stray=0.3, prior=4.0, rivals=3.0, worlds=150),
}


@piece
def worth(plan: Any, s: Any, seat: Int, rivals: float) -> float:
    """Return how a seat stands: what the others got, as far as it counts, less what it got itself."""
    total = 0.0
    for other in range(plan.players):
        got = np.float64(s.points[0, other])
        total += -got if other == seat else got / rivals
    return total


@piece
def weigh(plan: Any, s: Any, seat: Int, eyes: Eyes, options: Array, gains: Array) -> None:
    """Note what each option brings by the heuristic alone: the less it costs, the more."""
    if s.kind[0] != CARD:
        for k in range(options.size):
            gains[k] = -choice_cost(s, np.int64(options[k]))
        return
    note_hidden(plan, s, eyes)
    look_at_hand(s, seat, eyes)
    cheapest, k, held = cheapest_price(s), 0, np.int64(s.held[0, seat])
    # Pairs are asked for in the order of the hand, which is sorted.
    for i in range(held):
        for j in range(i + 1, held):
            gains[k] = -pair_cost(s, seat, eyes, i, j, plan.players - 1, cheapest)
            k += 1


GUIDES[NiftyPlan] = Guide(lambda _start: new_eyes(), note_hidden, answer_of, weigh, worth)

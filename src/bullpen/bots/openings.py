"""What the network says of whole deals of Logic, before the first card is played."""

from collections.abc import Sequence

import numpy as np

from bullpen.bots.cases import case_of_deal
from bullpen.bots.compiled import announce
from bullpen.bots.expert import brain_for, value_at_root
from bullpen.bots.search import new_desk
from bullpen.fast.games import plan_for


def opening_values(players: int, deals: Sequence[tuple[list[int], list[int]]]) -> list[float]:
    """Return what a round is expected to cost a seat with each hand and start rows."""
    plan = plan_for("logic", players, {"logic.maxPlayers": 10})
    brain, desk = brain_for("logic", players), new_desk(players)
    announce(value_at_root)
    values = []
    for hand, rows in deals:
        case = case_of_deal(plan, np.array(hand, np.uint8), rows)
        values.append(value_at_root(plan, case, desk, brain))
    return values

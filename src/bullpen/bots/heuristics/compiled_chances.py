"""The chances of `card_cost` as an array, for heuristics in compiled code."""

import numpy as np

from bullpen.bots.compiled import Array
from bullpen.bots.heuristics.card_cost import STEPS, exactly


def chance_table(most: int) -> Array:
    """Return float64 [most + 1, most + 1, STEPS + 1]: of how many, how many hit, and how likely each is to.

    >>> float(chance_table(2)[2, 1, STEPS // 2])
    0.5
    """
    chances = np.zeros((most + 1, most + 1, STEPS + 1))
    for others in range(most + 1):
        chances[others, : others + 1] = exactly(others)
    return chances

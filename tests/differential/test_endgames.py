"""Every way through small endgames: the twin counts as many as the engine, and they cost the same."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bullpen.fast import Batch, from_position, load
from bullpen.testing import Perft, perft
from tests.differential.shadow import TABLES, own_options
from tests.golden.endgames import endgame

COVERED = tuple(dict.fromkeys(game for game, _ in TABLES))


def ways(batch: Batch, start: Any, taken: tuple[NDArray[np.uint8], ...] = ()) -> Iterator[list[int]]:
    """Yield what every way to the end of the round costs, going each from the start."""
    load(batch, 0, start)
    for choices in taken:
        batch.step(choices)
    if batch.over[0]:
        yield batch.points[0].tolist()
        return
    legal = batch.legal()[0]
    asked = [seat for seat in range(len(legal)) if legal[seat].any()]
    for answers in product(*(np.flatnonzero(legal[seat]) for seat in asked)):
        choices = np.zeros((1, len(legal)), np.uint8)
        choices[0, asked] = answers
        yield from ways(batch, start, (*taken, choices))


@pytest.mark.parametrize("game", COVERED)
def test_engine_and_twin_count_alike(game: str) -> None:
    running = endgame(game)
    batch = Batch(game, running.rules.players, 1, options=own_options(running), piles=True)
    costs = list(ways(batch, from_position(running.rules, running.position)))
    counted = Perft(len(costs), tuple(map(sum, zip(*costs, strict=True))))
    assert counted == perft(running.rules, running.position, depth=99)

"""What playouts came to, option by option."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Progress = Callable[[float], None]
"""Is told how much of the work is done, from 0 to 1."""
Cancelled = Callable[[], bool]
"""Is asked now and then whether to stop."""


class Sample(NamedTuple):
    """What one option came to in the worlds it lived through; there may be none where work was short."""

    points: NDArray[np.int64]
    """[W, n]: what every seat is counted from now to the end of the round."""
    heads: NDArray[np.int64]
    """[W]: the bullheads that the seat took in this trick."""
    took: NDArray[np.bool_]
    """[W]: whether it took anything."""


class Samples(NamedTuple):
    """The options of a question, in its order, and whether all the work was done."""

    options: list[Sample]
    complete: bool
    prior: list[float] | None = None
    """What a heuristic makes of the options without any playout, where playouts are few."""
    dropped: bool = False
    """Whether options were dropped on the way: those have lived through the first worlds of the others."""


def no_progress(_share: float) -> None:
    """Tell nobody."""

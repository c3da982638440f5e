"""The compiled twin: arrays in, arrays out, for the games that are played by the million.

Three layers, from a single trick to a statistic:

- `Batch`: B games side by side; reset, legal, step, observe.
- `playouts`: from a position or a view to the end of the round, many times, for search.
- `simulate`: whole rounds, for statistics.

It plays all games but Beat the Buffalo and the Anniversary game (logic and tournament after the draft),
by the same rules as the engine (`tests/differential`). Needs NumPy and Numba:
`pip install 'bullpen-games[fast]'`. On a CUDA device see `bullpen.fast.cuda`.

>>> from bullpen.fast import simulate
>>> bool(abs(simulate("base", 4, "random", 200_000).mean.mean() - 12.126) < 0.05)
True
"""

# First of all: says what to install if Numba is missing.
from bullpen.fast import compiled as _compiled  # noqa: F401
from bullpen.fast.batch import Batch, Observation
from bullpen.fast.compiled import rule
from bullpen.fast.convert import Start
from bullpen.fast.doors import (
    from_position,
    from_view,
    load,
    number_of,
    plan_for,
    playouts,
    simulate,
    to_position,
)
from bullpen.fast.errors import BadChoice, FastError, FastMissing, NotCovered
from bullpen.fast.games import COVERED, Plan
from bullpen.fast.playouts import Outcomes, Player
from bullpen.fast.policies import WITH_FLIP, Policy, Weighted
from bullpen.fast.simulate import Statistics
from bullpen.fast.trick import CHOICES, FLIP, ROW

__all__ = [
    "CHOICES",
    "COVERED",
    "FLIP",
    "ROW",
    "WITH_FLIP",
    "BadChoice",
    "Batch",
    "FastError",
    "FastMissing",
    "NotCovered",
    "Observation",
    "Outcomes",
    "Plan",
    "Player",
    "Policy",
    "Start",
    "Statistics",
    "Weighted",
    "from_position",
    "from_view",
    "load",
    "number_of",
    "plan_for",
    "playouts",
    "rule",
    "simulate",
    "to_position",
]

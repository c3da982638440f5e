"""What all measurements have in common: the seed, the tables, how rates are taken and shown."""

import time
from collections.abc import Callable
from typing import Any

SEED = 7
COUNTS = (2, 4, 10)


class Seconds(float):
    """What a task returns that has timed itself."""


def best_rates(tasks: dict[str, tuple[Callable[[], Any], float]], seconds: float) -> dict[str, float]:
    """Run the tasks in turn for some seconds; return the best rate of each, its units a second."""
    best = dict.fromkeys(tasks, 0.0)
    for run, _ in tasks.values():
        run()
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop:
        for name, (run, units) in tasks.items():
            begin = time.perf_counter()
            result = run()
            spent = result if isinstance(result, Seconds) else time.perf_counter() - begin
            best[name] = max(best[name], units / spent)
    return best


def show(row: dict[str, Any]) -> None:
    """Print a line of figures, rates in millions a second."""
    cells = []
    for name, value in row.items():
        big = isinstance(value, float) and value > 1000
        cells.append(f"{name} {value / 1e6:.3f} M/s" if big else f"{name} {value}")
    print("  " + "   ".join(cells), flush=True)

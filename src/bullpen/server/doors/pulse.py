"""The pulse: how late the server is, and whether it should turn new guests away for the others' sake."""

import asyncio
from collections.abc import Callable

BEAT = 0.2
WORSE, BETTER = 3, 10
"""So many late beats in a row make the server busy, so many good ones make it free again."""


class Pulse:
    """Feels the event loop and the road to the disk a few times a second."""

    def __init__(self, lateness: Callable[[], float], limit: float) -> None:
        self._lateness = lateness
        self._limit = limit
        self._late = 0
        self._good = 0
        self.busy = False
        self.lag = 0.0
        """By how many seconds the loop was late at the last beat."""
        self.behind = 0.0
        """How long the slowest message of the last beat has waited for its answer."""

    async def beat(self) -> None:
        """Feel once, a beat from now."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.sleep(BEAT)
        self.feel(loop.time() - began - BEAT)

    def feel(self, lag: float) -> None:
        """Take note of one beat."""
        self.lag, self.behind = max(0.0, lag), self._lateness()
        late = max(self.lag, self.behind) > self._limit
        self._late = self._late + 1 if late else 0
        self._good = 0 if late else self._good + 1
        if self._late >= WORSE:
            self.busy = True
        elif self._good >= BETTER:
            self.busy = False

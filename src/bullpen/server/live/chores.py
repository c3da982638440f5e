"""Chores: what a process does again and again as long as it lives, whatever goes wrong at one time."""

import asyncio
from collections.abc import Awaitable, Callable

from bullpen.server.live.metrics import Metrics

AGAIN = 0.5
"""So many seconds after a chore failed it is tried again."""


class Chores:
    """Does each of its chores for ever."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def alive(self) -> bool:
        """Whether every chore that was begun goes on."""
        return not any(task.done() for task in self._tasks)

    def begin(self, *chores: Callable[[], Awaitable[None]]) -> None:
        """Do each of these, and when it is done do it again."""
        self._tasks += [asyncio.create_task(self._go_on(chore)) for chore in chores]

    def end(self) -> None:
        """Do them no more."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()

    async def _go_on(self, chore: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await chore()
            except Exception:  # whatever it was, the next time may be better
                self._metrics.fault("a chore failed", "")
                await asyncio.sleep(AGAIN)

"""Virtual time: event loops of several processes in one thread, each of which can be stopped or ended."""

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any


class Universe:
    """Runs loops turn by turn; nothing takes time but waiting."""

    def __init__(self) -> None:
        self.now = 0.0
        self._order = itertools.count()
        self._turns: list[tuple[float, int, Loop]] = []

    def wake(self, loop: "Loop", when: float) -> None:
        """Give a loop a turn at a time."""
        heapq.heappush(self._turns, (when, next(self._order), loop))

    def run(self, until: float, done: Callable[[], bool] = lambda: False) -> None:
        """Let time pass."""
        while self._turns and self._turns[0][0] <= until and not done():
            when, _, loop = heapq.heappop(self._turns)
            if loop.ended:
                continue
            if loop.frozen_until > when:
                self.wake(loop, loop.frozen_until)
                continue
            self.now = max(self.now, when)
            loop.turn()
        if not done():
            self.now = max(self.now, until)


class Loop(asyncio.BaseEventLoop):
    """The loop of one process."""

    _ready: deque[asyncio.Handle]
    _scheduled: list[Any]

    def __init__(self, universe: Universe) -> None:
        super().__init__()
        self.universe = universe
        self.frozen_until = 0.0
        self.ended = False
        self._awake = False

    def time(self) -> float:
        return self.universe.now

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        if not self._awake:
            self._awake = True
            self.universe.wake(self, self.universe.now)
        return super().call_soon(callback, *args, context=context)

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        self.universe.wake(self, when)
        return super().call_at(when, callback, *args, context=context)

    def turn(self) -> None:
        """Do all that is due, once: what the loop's own turn does, without looking for files to read."""
        self._awake = False
        timers, ready = self._scheduled, self._ready
        while timers and timers[0]._when <= self.universe.now:
            ready.append(heapq.heappop(timers))
        asyncio._set_running_loop(self)
        try:
            for _ in range(len(ready)):
                handle = ready.popleft()
                if not handle._cancelled:
                    handle._run()
        finally:
            asyncio._set_running_loop(None)

    def _write_to_self(self) -> None: ...

"""The network of the simulation: lanes to the database, connections between processes, and their faults."""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from bullpen.server.store.interface import StoreError
from tests.simulation.universe import Loop, Universe

IN_ORDER = 1e-6
"""So much later than the one before it something arrives at least: timers of one moment have no order."""


class Weather:
    """How long everything takes, and what is cut off now."""

    def __init__(self, universe: Universe, chance: random.Random) -> None:
        self.universe = universe
        self.chance = chance
        self.slowest = 0.02
        self.drops = 0.0
        """How often a call to the database fails, before or after it was carried out."""
        self.database_down_until = 0.0
        self.restarts = 0
        self._cuts: dict[frozenset[str], float] = {}

    def cut(self, one: str, other: str, seconds: float) -> None:
        """Let nothing pass between two places for a while; what was sent arrives afterwards."""
        self._cuts[frozenset((one, other))] = self.universe.now + seconds

    def arrival(self, one: str, other: str) -> float:
        """When something arrives that is sent now."""
        open_at = max(self.universe.now, self._cuts.get(frozenset((one, other)), 0.0))
        return open_at + 0.001 + self.chance.random() * self.slowest


class Lane(Executor):
    """The thread of a process that asks the database one thing after the other."""

    def __init__(self, weather: Weather, name: str, loop: Loop, database: Loop) -> None:
        self._weather = weather
        self._name = name
        self._loop = loop
        self._database = database
        self._waiting: deque[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = deque()
        self._busy = False

    def submit(self, work: Callable[..., Any], /, *values: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, work, values))
        if not self._busy:
            self._next()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None: ...

    def _next(self) -> None:
        self._busy = bool(self._waiting)
        if self._busy:
            future, work, values = self._waiting.popleft()
            arrives = self._weather.arrival(self._name, "database")
            self._database.call_at(arrives, self._carry_out, future, work, values, self._weather.restarts)

    def _carry_out(
        self, future: Future[Any], work: Callable[..., Any], values: tuple[Any, ...], restarts: int
    ) -> None:
        """What happens at the database; the process may be asleep or dead by now."""
        weather = self._weather
        result: Any = None
        error: Exception | None = None
        lost = weather.drops and weather.chance.random() < weather.drops
        if restarts != weather.restarts or weather.universe.now < weather.database_down_until:
            error = StoreError("the connection is lost")
        elif lost and weather.chance.random() < 0.5:
            error = StoreError("the request was lost")
        else:
            try:
                result = work(*values)
            except Exception as raised:
                error = raised
            if lost:
                error = StoreError("the answer was lost")
        self._loop.call_at(weather.arrival(self._name, "database"), self._answer, future, result, error)

    def _answer(self, future: Future[Any], result: Any, error: Exception | None) -> None:
        if not future.set_running_or_notify_cancel():
            pass
        elif error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
        self._next()


class Wire(asyncio.Transport):
    """One end of a connection between two processes: what is written arrives in order, later."""

    def __init__(self, weather: Weather, here: tuple[str, Loop], there: tuple[str, Loop]) -> None:
        super().__init__()
        self._weather = weather
        self._here, self._there = here, there
        self._latest = 0.0
        self._closed = False
        self.protocol: asyncio.Protocol
        self.peer: Wire

    def _later(self, act: Callable[..., None], *values: Any) -> None:
        arrives = max(self._latest + IN_ORDER, self._weather.arrival(self._here[0], self._there[0]))
        self._latest = arrives
        self._there[1].call_at(arrives, act, *values)

    def write(self, data: Any) -> None:
        if not self._closed:
            self._later(self.peer._hear, bytes(data))

    def _hear(self, data: bytes) -> None:
        if not self._closed:
            try:
                self.protocol.data_received(data)
            except Exception as error:
                # So do the loops that have sockets.
                self._here[1].call_exception_handler({"message": "a link failed", "exception": error})
                self.abort()

    def close(self) -> None:
        self.abort()

    def abort(self) -> None:
        if not self._closed:
            self._closed = True
            self._here[1].call_soon(self.protocol.connection_lost, None)
            self._later(self.peer._lost)

    def _lost(self) -> None:
        if not self._closed:
            self._closed = True
            self.protocol.connection_lost(None)

    def break_off(self) -> None:
        """This end is dead: the other one hears of it."""
        self._closed = True
        self._later(self.peer._lost)

    def is_closing(self) -> bool:
        return self._closed

    def get_write_buffer_size(self) -> int:
        return 0

"""Bots at the tables: processes that think for them, shared fairly among tables and addresses."""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from bullpen.bots import levels_for
from bullpen.server.config import Config
from bullpen.server.limits import Rate
from bullpen.server.live.bot_process import Job, Process
from bullpen.server.live.bot_queue import FairQueue, Ticket
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.readiness import Readiness

QUICK = ("random", "easy", "medium")
"""Levels that answer in a fraction of a millisecond: they never wait for those that search."""
LONGEST_LEVEL = 20
"""As long as a name may be in the protocol."""
log = logging.getLogger("bullpen.server")


class Doable(Protocol):
    """What a lane must know of a job: what it is called, and for how many seconds it may be worked on."""

    @property
    def level(self) -> str:
        """A bot's level, or another word for the log."""

    @property
    def seconds(self) -> float:
        """The most seconds that somebody pays for."""


J = TypeVar("J", bound=Doable)
K_contra = TypeVar("K_contra", contravariant=True)


class Thinker(Protocol[K_contra]):
    """What a lane needs of a process that thinks."""

    async def ask(self, job: K_contra, /) -> str:
        """Return the notation of a choice, or "" for none; or raise."""

    async def end(self) -> None:
        """End it."""


class Task(Struct, Generic[J], frozen=True, eq=False):
    """A job in a lane, whether anybody still wants it, and where its answer goes."""

    job: J
    wanted: Callable[[], bool]
    answer: asyncio.Future[str | None]


class Lane(Generic[J]):
    """Some processes and the queue before them; a process that fails is ended and replaced.

    With `rest` a process that has had nothing to do for so many seconds is ended.
    """

    def __init__(
        self,
        size: int,
        of_table: Rate,
        of_payer: Rate,
        start: Callable[[], Awaitable[Thinker[J]]],
        rest: float | None = None,
    ) -> None:
        self._queue: FairQueue[Task[J]] = FairQueue(of_table, of_payer, time.monotonic)
        self._free = size
        self._idle: list[Thinker[J]] = []
        self._busy: set[Thinker[J]] = set()
        self._start = start
        self._rest = rest
        self._bell: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many jobs wait for their turn."""
        return len(self._queue)

    async def think(self, table: str, payer: str, job: J, wanted: Callable[[], bool]) -> str | None:
        """Return an answer, "" when there is none, or None once nobody wants it any more."""
        return await self.enter(table, payer, job, wanted).job.answer

    def enter(self, table: str, payer: str, job: J, wanted: Callable[[], bool]) -> Ticket[Task[J]]:
        """Put a job into the queue, and return the ticket by which its place is known."""
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        ticket = Ticket(table, payer, Task(job, wanted, answer))
        self._queue.add(ticket)
        self._go_on()
        return ticket

    def place(self, ticket: Ticket[Task[J]]) -> int:
        """Return a job's place in the queue; 0 for one that is being done, or is done."""
        return self._queue.place(ticket)

    def _go_on(self) -> None:
        """Begin as many jobs as there are free processes; look again once a debt is paid."""
        if self._closed:
            return
        while self._free and (ticket := self._queue.take()) is not None:
            self._free -= 1
            task = asyncio.create_task(self._run(ticket))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        wait = self._queue.wait() if self._free else None
        if wait is not None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._go_on)

    async def _run(self, ticket: Ticket[Task[J]]) -> None:
        task, begun = ticket.job, time.monotonic()
        result: str | None = ""
        try:
            wanted = task.wanted() and not task.answer.done()
            result = await self._ask(task.job) if wanted else None
        except Exception as error:  # whatever it was, the table must go on
            why = type(error).__name__ if str(error) == "" else str(error)[:200]
            log.warning("a bot's process failed", extra={"level": task.job.level, "why": why})
        finally:
            self._free += 1
            if not task.answer.done():
                task.answer.set_result(result)
            # The first decision may include compiling, which is nobody's debt.
            try:
                self._queue.done(ticket, min(time.monotonic() - begun, task.job.seconds))
            finally:
                self._go_on()

    async def _ask(self, job: J) -> str:
        if self._bell is not None:
            self._bell.cancel()
        thinker = self._idle.pop() if self._idle else await self._start()
        self._busy.add(thinker)
        try:
            answer = await thinker.ask(job)
        except BaseException:
            self._busy.discard(thinker)
            await thinker.end()
            raise
        self._busy.discard(thinker)
        self._idle.append(thinker)
        if self._rest is not None:
            self._bell = asyncio.get_running_loop().call_later(self._rest, self._dismiss)
        return answer

    def _dismiss(self) -> None:
        """End the processes that have nothing to do."""
        idle, self._idle = self._idle, []
        for thinker in idle:
            task = asyncio.create_task(thinker.end())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End all processes."""
        for timer in (self._timer, self._bell):
            if timer is not None:
                timer.cancel()
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for thinker in (*self._idle, *self._busy):
            await thinker.end()
        self._idle.clear()


class Pool:
    """Two lanes, so that quick levels never wait for those that search; started when first needed."""

    def __init__(
        self,
        size: int,
        metrics: Metrics,
        *,
        of_table: Rate,
        of_payer: Rate,
        start: Callable[[], Awaitable[Thinker[Job]]] = Process.start,
        readiness: Readiness | None = None,
    ) -> None:
        self._metrics = metrics
        self._readiness = readiness or Readiness()
        self._quick = Lane(1, of_table, of_payer, start)
        self._deep = Lane(size, of_table, of_payer, start)
        self._stand_in = stand_in(levels_here())

    @classmethod
    def of(cls, config: Config, metrics: Metrics, readiness: Readiness) -> "Pool":
        """Return the pool that a configuration allows."""
        limits = config.limits
        return cls(
            config.workers,
            metrics,
            of_table=limits.bots_of_table,
            of_payer=limits.bots_of_address,
            readiness=readiness,
        )

    @property
    def waiting(self) -> int:
        """How many decisions wait for a process."""
        return self._quick.waiting + self._deep.waiting

    async def choose(self, table: str, payer: str, job: Job, wanted: Callable[[], bool]) -> str | None:
        """Return the notation of a bot's choice, or None once nobody wants it any more.

        A level that is still being compiled is waited for. One that fails is stood in for by a quick one, and
        that one by chance: a seat always gets its answer.
        """
        for level in dict.fromkeys((job.level, self._stand_in)):
            if not await self._readiness.bots(level, job.view.game):
                continue
            lane = self._quick if level in QUICK else self._deep
            answer = await lane.think(table, payer, msgspec.structs.replace(job, level=level), wanted)
            if answer is None:
                return None
            if any(answer == option.notation for option in job.ask.options):
                self._metrics.bot_choices += 1
                return answer
            self._metrics.bot_faults += 1
            log.warning("a bot gave no answer", extra={"table": table, "level": level})
        self._metrics.bot_choices += 1
        return random.Random(job.seed).choice(job.ask.options).notation

    async def close(self) -> None:
        """End all processes."""
        await self._quick.close()
        await self._deep.close()


def levels_here() -> tuple[str, ...]:
    """Return the levels that can be played with what is installed, those of other packages too."""
    return tuple(level for level in levels_for() if len(level) <= LONGEST_LEVEL)


def stand_in(known: tuple[str, ...]) -> str:
    """Return the level that chooses for a person whose time is up."""
    return "medium" if "medium" in known else known[-1]

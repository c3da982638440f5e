"""The writer: one transaction for all that came in while the last one ran."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct, field

from bullpen.server.errors import Refused
from bullpen.server.live.metrics import Metrics
from bullpen.server.store.interface import (
    Batch,
    Conflict,
    Fenced,
    NewTableRow,
    RecordRow,
    Row,
    Store,
    StoreError,
)

T = TypeVar("T")
log = logging.getLogger("bullpen.server")

Reply: TypeAlias = Callable[[Refused | None, int], None]
"""Hears why a request was refused, or the number of the step that it became: the one way back."""

EVERY = 1.0
"""So many seconds apart an idle writer looks after its store."""
EACH, APART = 0.002, 0.05
"""So many seconds a group for a shared database lets the next one wait for each of its steps, and at most.

Few steps follow each other at once; where many come, they go together, and so does what everybody is told.
"""
MOST_TRIES = 5
"""So often one tries to tell what became of an entry."""
STUCK = 10.0
"""A store that does not answer for so many seconds is at fault."""


class Entry(Struct):
    """What a table wants on disk next, committed or refused together, and who waits for it."""

    table: str
    epoch: int = 0
    """In which the table is owned; 0 where it cannot be anybody else's."""
    new: NewTableRow | None = None
    steps: list[Row] = field(default_factory=list)
    records: list[RecordRow] = field(default_factory=list)
    folds: list[Row] = field(default_factory=list)
    replies: list[tuple[int, Reply]] = field(default_factory=list)
    taken: bool = False
    """Whether it is being written, so that nothing more can be put into it."""


Settled: TypeAlias = Callable[[Entry, StoreError | None], None]
"""Hears of an entry that was written, or why it could not be; hears of it again if that raised."""


class Writer:
    """Owns the store and the one thread that touches it; nothing that goes wrong ends it."""

    def __init__(
        self, store: Store, metrics: Metrics, thread: Executor | None = None, apart: float = 0.0
    ) -> None:
        self._store = store
        self._metrics = metrics
        self._apart = apart
        self._next = 0.0
        """When the next group may begin, by the clock of the loop, where groups are to grow."""
        self._thread = thread or ThreadPoolExecutor(1, thread_name_prefix="store")
        self.process: str | None = None
        """The name that all is written under: "" while there is no lease; None for the only process."""
        self._waiting: list[Entry] = []
        self._group: list[Entry] = []
        """What is being written; nothing leaves it before it is noted what became of it."""
        self._oldest = 0.0
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._written: deque[tuple[Entry, StoreError | None, int]] = deque()
        """What is written or could not be, and has to be told; and for how many times that is tried."""
        self._writing = False
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._began: float | None = None
        self.fault: StoreError | None = None
        """Why nothing can be written now, if so."""
        self.delay = 0.0
        """How many seconds the latest group took, from its first request to the disk."""
        self.settled: Settled = lambda _, __: None
        self.recovered: Callable[[], None] = lambda: None
        """Is told when the store works again."""

    # What others may know and ask.

    @property
    def alive(self) -> bool:
        """Whether somebody is there to write."""
        return self._task is not None and not self._task.done()

    @property
    def trouble(self) -> str | None:
        """Why choices cannot be saved now, in a sentence, or None if they can."""
        if self.fault is not None:
            # Anybody may read this, and the fault may name the place of the store.
            return "The store cannot be written; the log says why."
        if self._began is not None and time.monotonic() - self._began > STUCK:
            return "The store does not answer."
        return None if self.alive else "Nothing is being written."

    @property
    def waiting(self) -> int:
        """How many entries wait for the next group."""
        return len(self._waiting)

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run())

    def add(self, entry: Entry) -> None:
        """Put an entry into the next group."""
        if not self._waiting:
            self._oldest = time.monotonic()
        self._waiting.append(entry)
        self._wake.set()

    async def call(self, work: Callable[..., T], *values: Any) -> T:
        """Ask the store something, in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *values)

    async def flushed(self) -> None:
        """Wait until nothing waits and nothing is being written."""
        while self._waiting or self._writing:
            self._idle.clear()
            await self._idle.wait()

    async def stop(self) -> None:
        """Write what is waiting, then close."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self.call(self._store.close)
        self._thread.shutdown()

    # The loop.

    async def _run(self) -> None:
        while not (self._stopping and not (self._waiting or self._group or self._written)):
            try:
                await self._turn()
            except Exception:  # whatever it was, the one writer must live on
                self._metrics.errors += 1
                log.exception("the writer stumbled")
                await asyncio.sleep(0)

    async def _turn(self) -> None:
        """Settle what was written; else write the group that is waiting, or wait for one."""
        if self._group:
            # What of it is on disk shows when its tables are read again.
            self._note(len(self._group), StoreError("an exception came between; the log says which"))
        elif self._written:
            self._settle()
        elif self._waiting:
            await self._let_grow()
            self._writing = True
            await self._commit()
        else:
            self._writing = False
            self._idle.set()
            self._wake.clear()
            try:
                await asyncio.wait_for(self._wake.wait(), EVERY)
            except TimeoutError:
                await self._look_after()

    def _settle(self) -> None:
        """Let everybody know what became of each entry; one that cannot be told of now comes again later."""
        for _ in range(len(self._written)):
            entry, fault, tries = self._written.popleft()
            try:
                self.settled(entry, fault)
            except Exception:
                self._metrics.fault("steps were not settled", entry.table)
                if tries < MOST_TRIES:
                    self._written.append((entry, fault, tries + 1))

    async def _let_grow(self) -> None:
        """Let a group grow that would follow a large one at once; after a quiet moment nobody waits."""
        if self._apart:
            loop = asyncio.get_running_loop()
            if (wait := self._next - loop.time()) > 0:
                await asyncio.sleep(wait)
            size = sum(len(entry.steps) for entry in self._waiting)
            self._next = loop.time() + min(self._apart, EACH * size)

    async def _look_after(self) -> None:
        """Notice a fault before anybody's choice meets it, and its end."""
        before, self.fault = (
            self.fault,
            await self._try(self._store.watch if self.fault is None else self._store.probe),
        )
        if before is None and self.fault is not None:
            log.error("the store is at fault", extra={"why": str(self.fault)})
        elif before is not None and self.fault is None:
            log.info("the store works again")
            self.recovered()

    async def _commit(self) -> None:
        """Write a group; what an exception leaves of it is refused in the next turn."""
        group = self._group = self._waiting
        self._waiting = []
        oldest = self._oldest
        for entry in group:
            entry.taken = True
        fault = await self._write(group)
        if isinstance(fault, Conflict) and len(group) > 1:
            # One table's conflict must not refuse the steps of the others.
            for entry in tuple(group):
                self._note(1, await self._write([entry]))
        else:
            self._note(len(group), fault)
        self._settle()
        self.delay = time.monotonic() - oldest

    async def _write(self, group: list[Entry]) -> StoreError | None:
        batch = Batch(
            [entry.new for entry in group if entry.new is not None],
            [row for entry in group for row in entry.steps],
            [record for entry in group for record in entry.records],
            [row for entry in group for row in entry.folds],
        )
        if self.process is not None:
            if not self.process:
                return Fenced("this process has no lease")
            batch.process = self.process
            batch.epochs = {entry.table: entry.epoch for entry in group if entry.new is None}
        fault = await self._try(self._store.write, batch)
        if fault is None:
            self._metrics.commits += 1
            self._metrics.steps += len(batch.steps)
        return fault

    def _note(self, count: int, fault: StoreError | None) -> None:
        """Note what became of the next of the group; at a fault of the store also of all that wait."""
        noted = self._group[:count]
        if fault is not None and not isinstance(fault, Conflict):
            self.fault = fault
            self._metrics.store_faults += 1
            # What came in meanwhile would meet the same fault, one after another.
            noted += self._waiting
            self._waiting = []
        self._written.extend((entry, fault, 1) for entry in noted)
        del self._group[:count]
        if isinstance(fault, Fenced):
            self._metrics.fenced += len(noted)
        if fault is not None:
            log.error("steps were not saved", extra={"count": len(noted), "why": str(fault)})

    async def _try(self, work: Callable[..., None], *values: Any) -> StoreError | None:
        self._began = time.monotonic()
        try:
            await self.call(work, *values)
        except StoreError as error:
            return error
        except Exception as error:
            log.exception("the store failed in an unknown way")
            return StoreError(repr(error))
        finally:
            self._began = None
        return None

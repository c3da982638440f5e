"""Commits: steps are written in groups, one transaction for all that came in while the last one ran."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from msgspec import Struct

from bullpen.server.live.metrics import Metrics
from bullpen.server.store.sqlite import Batch, Conflict, NewTableRow, RecordRow, Row, Store, StoreError

T = TypeVar("T")
log = logging.getLogger("bullpen.server")


class Entry(Struct):
    """The steps of one request, to be committed or refused together; `done` hears which."""

    table: str
    steps: list[Row]
    done: Callable[[StoreError | None], None]
    new: NewTableRow | None = None
    records: list[RecordRow] = []


class Committer:
    """Owns the store and the one thread that touches it."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._waiting: list[Entry] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self.fault: StoreError | None = None
        """Why nothing can be written now, if so."""
        self.after_group: Callable[[set[str]], None] = lambda _: None
        """Hears which tables a finished group touched."""
        self.recovered: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run())

    def add(self, entry: Entry) -> None:
        """Put steps into the next group."""
        self._waiting.append(entry)
        self._wake.set()

    async def call(self, work: Callable[..., T], *values: Any) -> T:
        """Ask the store something, in its thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *values)

    async def stop(self) -> None:
        """Write what is waiting, then close."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self.call(self._store.close)
        self._thread.shutdown()

    async def _run(self) -> None:
        while not (self._stopping and not self._waiting):
            if not self._waiting:
                self._wake.clear()
                await self._wait()
                continue
            group, self._waiting = self._waiting, []
            await self._commit(group)

    async def _wait(self) -> None:
        """Sleep until there is work; while the store is at fault, try it once a second."""
        try:
            await asyncio.wait_for(self._wake.wait(), 1.0 if self.fault else None)
        except TimeoutError:
            try:
                await self.call(self._store.probe)
            except StoreError as error:
                self.fault = error
            else:
                self.fault = None
                self.recovered()

    async def _commit(self, group: list[Entry]) -> None:
        fault = await self._write(group)
        if fault is None or len({entry.table for entry in group}) == 1:
            self._finish(group, fault)
            return
        # One table's conflict must not refuse the steps of the others.
        for table in dict.fromkeys(entry.table for entry in group):
            part = [entry for entry in group if entry.table == table]
            self._finish(part, await self._write(part))

    async def _write(self, group: list[Entry]) -> StoreError | None:
        batch = Batch(
            [entry.new for entry in group if entry.new is not None],
            [row for entry in group for row in entry.steps],
            [record for entry in group for record in entry.records],
        )
        try:
            await self.call(self._store.write, batch)
        except StoreError as error:
            return error
        except Exception as error:  # whatever it was, the one writer must live on
            log.exception("the store failed in an unknown way")
            return StoreError(repr(error))
        self._metrics.commits += 1
        self._metrics.steps += len(batch.steps)
        return None

    def _finish(self, group: list[Entry], fault: StoreError | None) -> None:
        if fault is None:
            self.fault = None
        elif not isinstance(fault, Conflict):
            self.fault = fault
            self._metrics.store_faults += 1
        tables = {entry.table for entry in group}
        if fault is not None:
            # What was built on a step that is not on disk must not be written either.
            group = group + [entry for entry in self._waiting if entry.table in tables]
            self._waiting = [entry for entry in self._waiting if entry.table not in tables]
        for entry in group:
            entry.done(fault)
        self.after_group(tables)

"""Owners: which tables live in this process, by one lease that it renews in time.

A process enlists under a random name and holds one lease, whatever it owns. Whether a lease is over is
decided by the store's clock alone; the process itself counts from before it asked, by a clock that only goes
on, so it always stops a little earlier than the store would let another one begin.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar

from bullpen.server.errors import Moved, Refused
from bullpen.server.live.metrics import Metrics
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Conflict, Fenced, Owner, Registry, StoreError

RENEWALS = 5
"""So often a lease is renewed before it would be over."""
T = TypeVar("T")
log = logging.getLogger("bullpen.server")


class Elsewhere(Exception):
    """A table lives in another process."""

    def __init__(self, table: str, owner: Owner) -> None:
        super().__init__(table)
        self.table = table
        self.owner = owner


class Owners:
    """The lease of this process, and the tables that are its own."""

    def __init__(
        self,
        registry: Registry,
        sources: Sources,
        metrics: Metrics,
        lease: float,
        thread: Executor | None = None,
    ) -> None:
        self.registry = registry
        self.address = ""
        """Where other processes reach this one."""
        self.process = ""
        """The name that this process is enlisted under; none while it has no lease."""
        self.epochs: dict[str, int] = {}
        """The tables that are owned here, and in which epoch."""
        self.enlisted: Callable[[str], None] = lambda _: None
        """Hears the name under which tables are written from now on; none for none."""
        self.lost: Callable[[], None] = lambda: None
        """Hears that nothing is owned here any more."""
        # A thread of its own: a lease does not wait behind a write.
        self._thread = thread or ThreadPoolExecutor(1, thread_name_prefix="lease")
        self._lease = lease
        self._sources = sources
        self._metrics = metrics
        self._until = 0.0
        self._former = ""
        self._leaving = False
        self._turn = asyncio.Lock()
        self._wake = asyncio.Event()
        self._watch: asyncio.TimerHandle | None = None

    async def call(self, work: Callable[..., T], *values: Any) -> T:
        """Ask the registry something, one after the other, so that a renewal waits behind one at most."""
        async with self._turn:
            return await self._at_once(work, *values)

    async def _at_once(self, work: Callable[..., T], *values: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *values)

    # The lease.

    @property
    def held(self) -> bool:
        """Whether this process may serve: nobody else can own what it owns."""
        return self.process != "" and self._sources.monotonic() < self._until

    async def keep(self) -> None:
        """Renew the lease once it is time; without one, enlist anew."""
        self._wake.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), self._lease / RENEWALS)
        await self.renew()

    def suspect(self) -> None:
        """Ask at once: a write was refused, so this process may have been struck from the list."""
        self._wake.set()

    async def renew(self) -> None:
        """Ask for more time once; what cannot be asked now is asked again later."""
        try:
            if self.process:
                await self._extend(self.process)
            elif not self._leaving:
                await self._enlist()
        except StoreError as error:
            log.warning("the lease was not renewed", extra={"why": str(error)})

    async def _extend(self, process: str) -> None:
        before = self._sources.monotonic()
        there = await self._at_once(self.registry.renew, process, round(1000 * self._lease))
        if process != self.process:
            return
        if not there:
            self._lose("struck from the list")
        elif before + self._lease > self._sources.monotonic():
            self._until = before + self._lease
            self._metrics.renewals += 1
            self._look_later()

    async def _enlist(self) -> None:
        """Begin as a newcomer; what was owned before is free for everybody."""
        if self._former:
            await self._at_once(self.registry.retire, self._former)
            self._former = ""
        name, before = self._sources.table_id(), self._sources.monotonic()
        # If the answer is lost, the name stays on the list until its lease is over and owns nothing.
        await self._at_once(self.registry.enlist, name, self.address, round(1000 * self._lease))
        self.process, self._until = name, before + self._lease
        self.enlisted(name)
        self._look_later()
        log.info("enlisted", extra={"lease": name})

    def _look_later(self) -> None:
        if self._watch is None:
            wait = self._until - self._sources.monotonic()
            self._watch = asyncio.get_running_loop().call_later(max(0.0, wait), self._look)

    def _look(self) -> None:
        """Stop to serve when the lease has run out; what hangs is heard of no sooner than this."""
        self._watch = None
        if self.process and not self.held:
            self._lose("not renewed in time")
        elif self.process:
            self._look_later()

    def _lose(self, why: str) -> None:
        log.error("the lease is lost", extra={"why": why, "count": len(self.epochs)})
        self._metrics.lease_losses += 1
        self._former, self.process, self.epochs = self.process, "", {}
        self.enlisted("")
        self.lost()
        self.suspect()

    # Tables.

    async def claim(self, table: str) -> int:
        """Return the epoch in which a table is owned here; or say where it lives, or that nobody knows."""
        process = self.claimant()
        try:
            owner = await self.call(self.registry.claim, table, process)
        except Fenced:
            self.suspect()
            raise Moved from None
        except Conflict:
            raise Refused("unknown-table", "There is no such table.") from None
        if owner.process != process:
            raise Elsewhere(table, owner)
        if process != self.claimant():
            raise Moved
        self.epochs[table] = owner.epoch
        return owner.epoch

    def made(self, table: str) -> int:
        """Note a new table, which is owned here as soon as it is written, and return its epoch."""
        self.claimant()
        self.epochs[table] = 1
        return 1

    def claimant(self) -> str:
        """Return the name under which tables can be claimed now, or refuse."""
        if self._leaving or not self.held:
            raise Moved
        return self.process

    def owns(self, table: str, epoch: int) -> bool:
        """Whether a table is still owned here in that epoch, and not about to be let go."""
        return self.epochs.get(table) == epoch and self.held and not self._leaving

    def give_up(self, table: str, epoch: int) -> bool:
        """Forget a table of an epoch; return whether it was owned."""
        if self.epochs.get(table) != epoch:
            return False
        del self.epochs[table]
        return True

    async def release(self, table: str) -> None:
        """Let others have a table that is not needed here any more."""
        if self.epochs.pop(table, None) is not None:
            await self.call(self.registry.release, self.process, [table])

    # The end.

    def leave(self) -> None:
        """Claim nothing any more: this process is about to stop."""
        self._leaving = True

    async def retire(self) -> None:
        """Leave the list, so that others can have the tables at once."""
        process, self.process = self.process or self._former, ""
        self.epochs = {}
        if self._watch is not None:
            self._watch.cancel()
        if process:
            self._metrics.handovers += 1
            await self._at_once(self.registry.retire, process)

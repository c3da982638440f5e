"""Rooms by id and code: how tables come into memory and leave it."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence, ValuesView

import msgspec

from bullpen.engine import BullpenError, UnknownBehaviour
from bullpen.server.errors import Moved, Refused
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.owners import Elsewhere, Owners
from bullpen.server.live.room import Room
from bullpen.server.live.writer import Entry, Writer
from bullpen.server.protocol import Unready
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Row, Store, StoreError
from bullpen.server.tables import steps
from bullpen.server.tables.remains import Remains, cannot_go_on, remains
from bullpen.server.tables.table import Table

log = logging.getLogger("bullpen.server")

CODE_LENGTH = 4
NO_TABLE = "There is no such table."
OLD_RULES = "This game was begun under rules that this version no longer plays; it is kept, but cannot go on."
STORAGE = "The server cannot save right now, so it takes no new choices; what was confirmed is safe."


class Rooms:
    """All rooms of a process."""

    def __init__(
        self,
        store: Store,
        writer: Writer,
        sources: Sources,
        metrics: Metrics,
        owners: Owners | None = None,
    ) -> None:
        self._store = store
        self._owners = owners
        self._writer = writer
        self._sources = sources
        self._metrics = metrics
        self._rooms: dict[str, Room] = {}
        self._fetching: dict[str, asyncio.Task[Room]] = {}
        self._unread: dict[str, None] = {}
        """Tables that were (or may be) claimed and not read since; to everybody else they have an owner."""
        self.left: dict[str, Remains] = {}
        """Tables begun under rules that this version no longer plays, as far as they were looked for."""
        self.codes: dict[str, str] = {}
        self.arrange: Callable[[Room], None] = lambda _: None
        """Looks after a room that has come or changed: clocks and bots."""
        self.unready: Callable[[str], dict[str, Unready]] = lambda _: {}
        """Tells which levels cannot decide in a game."""
        self.came: Callable[[Room], None] = lambda _: None
        """Is shown a room that was brought into memory for somebody."""

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rooms)

    def values(self) -> ValuesView[Room]:
        """Return the rooms in memory."""
        return self._rooms.values()

    def get(self, table_id: str) -> Room | None:
        """Return a room in memory by the id of its table."""
        room = self._rooms.get(table_id)
        return None if room is None or room.gone else room

    def attend(self, room: Room) -> None:
        """Look after a room that has changed: clocks and bots."""
        room.unattended = True
        self.arrange(room)
        room.unattended = False

    # Coming.

    def add(self, table: Table, committed: int) -> Room:
        """Make a room for a table."""
        room = Room(table, committed, self._sources.monotonic(), self._metrics)
        room.unready = lambda: self.unready(table.rules.id)
        self._rooms[table.id] = room
        # A code that was given to another table in the meantime stays that table's.
        self.codes.setdefault(table.code, table.id)
        return room

    async def load(self) -> None:
        """Load every table that is not archived; one that cannot be read is left out, and the log says so."""
        for table_id, _ in await self._writer.call(self._store.open_tables):
            found = None
            try:
                found = await self._writer.call(self._store.find_table, table_id)
                if found is not None:
                    self._enter(*found)
            except UnknownBehaviour as error:
                assert found is not None
                self._leave(*found, str(error))
            except Exception as error:  # one unreadable table must not keep the others from going on
                self._metrics.errors += 1
                log.error("table left out", extra={"table": table_id, "why": str(error) or repr(error)})
        for room in tuple(self._rooms.values()):
            try:
                self.attend(room)
            except Exception:  # it stays unattended, and is come back to
                self._metrics.fault("a table was not looked after", room.table.id)

    def _enter(self, table_id: str, bodies: list[bytes], epoch: int = 0) -> Room:
        """Put a stored table into memory; time during which nobody could answer does not count."""
        table, fold = read(table_id, bodies)
        room = self.add(table, table.number)
        room.epoch = epoch
        try:
            gone = max(0, self._sources.now() - table.asked_at) / 1000
            room.asked_since -= gone
            room.give_time(self._sources.monotonic())
        except Exception:
            # Nobody may find half a room.
            self.forget(room)
            raise
        if fold is not None:
            # A log from before there were folds: the next start will not have to replay it.
            self._writer.add(Entry(table_id, epoch, folds=[fold]))
        return room

    def _leave(self, table_id: str, bodies: list[bytes], why: str) -> None:
        """Leave a table as it is, and remember who sat there."""
        if table_id not in self.left:
            log.warning("a table cannot go on", extra={"table": table_id, "why": why})
        self.left[table_id] = remains(bodies)

    async def find(self, name: str) -> Room:
        """Return the room with that id or code; an archived table is taken out of the archive.

        With owners, a table that lives in another process is `Elsewhere`, and one on its way is `Moved`.
        """
        wanted = name.upper() if len(name) == CODE_LENGTH else name
        room = self.get(self.codes.get(wanted, wanted))
        if room is None or (self._owners is not None and not self._owners.held):
            room = await self._fetched(wanted)
        room.visited = self._sources.monotonic()
        return room

    async def _fetched(self, name: str) -> Room:
        """Return a room from the store; all who want the same wait for one question."""
        task = self._fetching.get(name)
        if task is None:
            task = self._fetching[name] = asyncio.create_task(self._fetch(name))
            task.add_done_callback(lambda done: self._was_fetched(name, done))
        return await asyncio.shield(task)

    def _was_fetched(self, name: str, done: "asyncio.Task[Room]") -> None:
        del self._fetching[name]
        if not done.cancelled():
            # Whoever asked may have gone; then nobody else looks at what went wrong.
            done.exception()

    async def _fetch(self, name: str) -> Room:
        try:
            if self._owners is None:
                return await self._read(name)
            # Without a lease it could not be claimed anyway: the store has enough to do then.
            self._owners.claimant()
            table: str | None = name
            if len(name) == CODE_LENGTH:
                table = await self._owners.call(self._owners.registry.named, name)
            if table is None:
                raise Refused("unknown-table", NO_TABLE)
            return await self._take(self._owners, table)
        except StoreError:
            raise Refused("storage", STORAGE, 1000) from None

    async def _read(self, name: str) -> Room:
        found = await self._writer.call(self._store.find_table, name)
        if found is None:
            raise Refused("unknown-table", NO_TABLE)
        if (room := self.get(found[0])) is not None:
            return room
        await self._reopen(*found)
        return self._come(*found)

    async def _take(self, owners: Owners, table: str, archived: bool = True) -> Room:
        """Claim a table and read it; what may be owned here although that failed is tried again."""
        self._unread.pop(table, None)
        try:
            return await self._claimed(owners, table, archived)
        except Elsewhere:
            raise
        except Exception as error:
            # A refusal is an answer, unless something has failed here.
            if not isinstance(error, Refused) or error.code == "internal":
                self._unread[table] = None
            raise

    async def _claimed(self, owners: Owners, table: str, archived: bool) -> Room:
        """Claim a table, and read it only then: nobody else writes it from now on."""
        epoch = await owners.claim(table)
        room = self.get(table)
        if room is not None and room.epoch == epoch:
            return room
        if room is not None:
            self.lose(room)
        found = await self._writer.call(self._store.find_table, table)
        if found is None:
            raise Refused("unknown-table", NO_TABLE)
        if archived:
            await self._reopen(*found)
        if not owners.owns(table, epoch):
            raise Moved
        return self._come(*found, epoch)

    async def _reopen(self, table_id: str, bodies: list[bytes]) -> None:
        """Take a table out of the archive, unless it cannot go on."""
        if not any(cannot_go_on([(table_id, bodies[0])])):
            await self._writer.call(self._store.archive, table_id, False)

    def _come(self, table_id: str, bodies: list[bytes], epoch: int = 0) -> Room:
        # Somebody else may have fetched it while the store was at work.
        room = self.get(table_id)
        if room is None:
            room = self._entered(table_id, bodies, epoch)
            self.attend(room)
            self.came(room)
        return room

    def _entered(self, table_id: str, bodies: list[bytes], epoch: int) -> Room:
        try:
            return self._enter(table_id, bodies, epoch)
        except UnknownBehaviour as error:
            self._leave(table_id, bodies, str(error))
            raise Refused("old-rules", OLD_RULES) from None
        except BullpenError as error:
            raise Refused("unknown-table", str(error)) from None
        except Exception as error:
            self._metrics.errors += 1
            log.error("a table cannot be read", extra={"table": table_id, "why": str(error) or repr(error)})
            # What is written wrong stays wrong; after a fault of ours it is worth while to come again.
            for_good = isinstance(error, msgspec.DecodeError)
            says = "What is kept of this table cannot be read."
            raise Refused("unknown-table" if for_good else "internal", says) from None

    async def adopt(self, most: int) -> None:
        """Take tables that nobody owns, so that their clocks and bots go on."""
        owners = self._owners
        if owners is None or not owners.held:
            return
        with contextlib.suppress(StoreError):
            await self._take_all(owners, await owners.call(owners.registry.orphans, most))
            await self._take_all(owners, tuple(self._unread))

    async def inherit(self, tables: Sequence[str]) -> None:
        """Take tables that a process has let go which is about to stop."""
        if self._owners is not None:
            self._metrics.inherited += len(tables)
            with contextlib.suppress(StoreError):
                await self._take_all(self._owners, tables)

    async def _take_all(self, owners: Owners, tables: Sequence[str]) -> None:
        for table in tables:
            # Another process may have been quicker, or the table cannot be read.
            with contextlib.suppress(Elsewhere, Refused):
                await self._take(owners, table, archived=False)

    # Leaving.

    async def archive_unvisited(self, after: float) -> None:
        """Put tables that nobody has visited for so many seconds into the archive."""
        for room in tuple(self._rooms.values()):
            if self._unvisited(room, after):
                try:
                    await self._archive(room, after)
                except StoreError as error:
                    log.error("a table was not archived", extra={"table": room.table.id, "why": str(error)})
                    return

    async def _archive(self, room: Room, after: float) -> None:
        await self._writer.call(self._store.archive, room.table.id, True)
        if self._unvisited(room, after):
            self.forget(room)
            if self._owners is not None:
                await self._owners.release(room.table.id)
        else:
            # Somebody came while the store was at work: the room stays, and so does its table.
            await self._writer.call(self._store.archive, room.table.id, False)

    def _unvisited(self, room: Room, after: float) -> bool:
        idle = room.visited < self._sources.monotonic() - after
        return idle and room.settled and not room.listeners and not room.gone

    def lose(self, room: Room) -> None:
        """Let a room go whose table this process does not own any more."""
        try:
            self.forget(room)
            if self._owners is not None and self._owners.give_up(room.table.id, room.epoch):
                self._owners.suspect()
        finally:
            room.move()

    def forget(self, room: Room) -> None:
        """Take a room out of memory."""
        room.gone = True
        if room.clock is not None:
            room.clock.cancel()
        if self._rooms.get(room.table.id) is room:
            del self._rooms[room.table.id]
        if self.codes.get(room.table.code) == room.table.id:
            del self.codes[room.table.code]


def read(table_id: str, bodies: list[bytes]) -> tuple[Table, Row | None]:
    """Return the table that a log leads to, and the fold of its latest finished game if the log lacks it."""
    first, *others = map(steps.decode, bodies)
    table = Table.replayed(table_id, [first])
    fold = None
    for step in others:
        assert not isinstance(step, steps.Folded)
        if table.apply(step).over:
            fold = Row(table_id, table.number, steps.encode(table.fold(step.at)))
    return table, fold

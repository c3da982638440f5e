"""The hub: all rooms of a process, and the way of a request from its arrival to its acknowledgement."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from bullpen.engine import BullpenError
from bullpen.server import protocol
from bullpen.server.config import Config
from bullpen.server.errors import Refused
from bullpen.server.live.bots import levels_here
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.people import Signer
from bullpen.server.live.room import Listener, Room
from bullpen.server.live.writer import Committer, Entry
from bullpen.server.protocol import NewTable, RecordSummary
from bullpen.server.sources import Sources
from bullpen.server.store.sqlite import Conflict, NewTableRow, RecordRow, Row, Store, StoreError
from bullpen.server.tables import requests, steps
from bullpen.server.tables.opening import first_steps, new_table
from bullpen.server.tables.table import Table
from bullpen.server.tables.wire import encode, record_id

log = logging.getLogger("bullpen.server")
Reply = Callable[[Refused | None, int], None]
"""Hears why a request was refused, or the number of the step that it became."""

STORAGE = "The server cannot save right now, so it takes no new choices; what was confirmed is safe."


class Watcher(Listener, Protocol):
    """A listener at several tables, who looks for what is new at each."""

    def look(self, room: Room) -> None:
        """Take note of a room that has changed."""


class Hub:
    """Rooms by id and code."""

    def __init__(self, config: Config, store: Store, sources: Sources) -> None:
        self.config = config
        self.sources = sources
        self.metrics = Metrics()
        self.store = store
        self.signer = Signer(store.secret())
        self.committer = Committer(store, self.metrics)
        self.committer.after_group = self._after_group
        self.committer.recovered = self._recovered
        self.rooms: dict[str, Room] = {}
        self.codes: dict[str, str] = {}
        self.levels = levels_here()
        self.arrange: Callable[[Room], None] = lambda _: None
        """Looks after a room that has changed: clocks and bots."""
        self.streams: dict[str, set[Watcher]] = {}
        """The streams of bots from outside, by identity."""
        self._answers: list[Callable[[], None]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    # Rooms.

    async def open(self) -> None:
        """Load every table that is not archived, and go on with it."""
        self.committer.start()
        for table_id, bodies in await self.committer.call(self.store.live_tables):
            try:
                self._enter(table_id, bodies)
            except BullpenError as error:
                # A table of a game that this version cannot play must not keep the others from going on.
                log.error("table left out", extra={"table": table_id, "why": str(error)})
        for room in list(self.rooms.values()):
            self.arrange(room)

    def _enter(self, table_id: str, bodies: list[bytes]) -> Room:
        """Put a stored table into memory; time during which nobody could answer does not count."""
        table = Table.replayed(table_id, map(steps.decode, bodies))
        grace = 1000 * min(table.settings.clock, 15)
        used_up = self.sources.now() - 1000 * table.settings.clock - table.animation
        table.asked_at = max(table.asked_at, used_up + grace)
        room = Room(table, table.number, time.monotonic())
        self.rooms[table_id] = room
        # A code that was given to another table in the meantime stays that table's.
        self.codes.setdefault(table.code, table_id)
        return room

    async def find(self, name: str) -> Room:
        """Return the room with that id or code; an archived table is taken out of the archive."""
        wanted = name.upper() if len(name) == 4 else name
        room = self.rooms.get(self.codes.get(wanted, wanted))
        if room is None:
            room = await self._fetch(wanted)
        room.visited = time.monotonic()
        return room

    async def _fetch(self, name: str) -> Room:
        try:
            found = await self.committer.call(self.store.find_table, name)
            if found is None:
                raise Refused("unknown-table", "There is no such table.")
            if found[0] in self.rooms:
                return self.rooms[found[0]]
            await self.committer.call(self.store.archive, found[0], False)
        except StoreError:
            raise Refused("storage", STORAGE, 1000) from None
        try:
            room = self.rooms.get(found[0]) or self._enter(*found)
        except BullpenError as error:
            raise Refused("unknown-table", str(error)) from None
        self.arrange(room)
        return room

    async def archive_unvisited(self) -> None:
        """Put tables that nobody visits into the archive."""
        before = time.monotonic() - self.config.archive_after
        idle = [room for room in self.rooms.values() if not room.listeners and room.visited < before]
        for room in idle:
            if room.settled and not room.listeners:
                try:
                    await self.committer.call(self.store.archive, room.table.id, True)
                except StoreError as error:
                    log.error("a table was not archived", extra={"table": room.table.id, "why": str(error)})
                    return
                self.forget(room)

    def forget(self, room: Room) -> None:
        """Take a room out of memory."""
        if room.clock is not None:
            room.clock.cancel()
        self.rooms.pop(room.table.id, None)
        if self.codes.get(room.table.code) == room.table.id:
            del self.codes[room.table.code]

    # Making a table.

    async def create(self, wish: NewTable, who: str) -> Room:
        """Make a table, seat its maker and bots, and start it if that is wished."""
        self.check_writable()
        if len(self.rooms) >= self.config.limits.tables_in_memory:
            raise Refused("full", "This server has as many tables as it can hold.", 60_000)
        table = new_table(wish, self.sources, self.codes)
        first = first_steps(wish, self._caller(None, who))
        room = Room(table, 0, time.monotonic())
        self.rooms[table.id] = room
        self.codes[table.code] = table.id
        answer: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()
        try:
            self._write(room, first, lambda refused, _: answer.set_result(refused), new_table=True)
        except Refused:
            self.forget(room)
            raise
        refused = await answer
        if refused is not None:
            self.forget(room)
            raise refused
        return room

    # Requests.

    def _caller(self, room: Room | None, who: str) -> requests.Caller:
        connected = set[int] if room is None else room.connected_seats
        return requests.Caller(who, self.sources.now(), connected, self.levels)

    def check_writable(self) -> None:
        """Refuse while the store is at fault."""
        if self.committer.fault is not None:
            raise Refused("storage", STORAGE, 1000)

    def handle(self, room: Room, who: str, message: protocol.ClientMessage, reply: Reply) -> None:
        """Do what a message asks and reply after the commit; the same message again is only answered."""
        done = room.table.answered.get((who, message.id))
        if done is not None:
            room.when_settled(lambda: self._answer_again(room, done, message.id, reply))
            return
        self.check_writable()
        if room.broken:
            raise Refused("storage", STORAGE, 200)
        self._write(room, requests.steps_for(message, room.table, self._caller(room, who)), reply)

    def _answer_again(self, room: Room, number: int, message_id: str, reply: Reply) -> None:
        """Answer a repeated message, unless its first arrival could not be written after all."""
        there = [step.message for step in room.table.steps[number - 1 : number]]
        written = number == 0 or there == [message_id]
        reply(None if written else Refused("storage", STORAGE, 1000), number)

    def do(self, room: Room, *new: steps.AnyStep) -> None:
        """Do steps of the server's own accord; while nothing can be written they are left out."""
        if self.committer.fault is None and not room.broken:
            self._write(room, list(new), lambda _, __: None)

    def _write(self, room: Room, new: list[steps.AnyStep], reply: Reply, *, new_table: bool = False) -> None:
        table = room.table
        start = 0 if new_table else table.number
        records = []
        try:
            for step in new:
                before = table.played
                table.apply(step)
                if table.played > before:
                    records.append(record_row(table, step.at))
        except Exception:
            self.metrics.errors += 1
            log.exception("a step failed", extra={"table": table.id})
            room.broken = True
            self.committer.add(Entry(table.id, [], lambda _: None))
            raise Refused("internal", "That went wrong on our side; nothing was changed.") from None
        rows = [
            Row(table.id, number, steps.encode(step))
            for number, step in enumerate(table.steps[start:], start=start + 1)
        ]
        last = table.number

        def done(fault: StoreError | None) -> None:
            if fault is None:
                room.committed = last
                # The news go first, so that whoever is answered has heard of the step where possible.
                self._answers.append(lambda: reply(None, last))
            else:
                room.broken = True
                log.error("a step was not saved", extra={"table": table.id, "why": str(fault)})
                reply(Refused("storage", STORAGE, 1000), 0)
                if isinstance(fault, Conflict):
                    self._spawn(self._reload(room))

        head = NewTableRow(table.id, table.code, table.steps[0].at) if new_table else None
        self.committer.add(Entry(table.id, rows, done, head, records))

    def _after_group(self, tables: set[str]) -> None:
        for table_id in tables:
            room = self.rooms.get(table_id)
            if room is None:
                continue
            if room.broken and room.committed:
                self._restore(room)
            self._tell(room)
        answers, self._answers = self._answers, []
        for answer in answers:
            answer()

    def _tell(self, room: Room) -> None:
        """Let everybody hear what is new, and go on."""
        room.sync(self.sources.now())
        for chair in room.table.chairs if self.streams else ():
            for stream in list(self.streams.get(chair.who, ())):
                stream.look(room)
        self.arrange(room)

    def _restore(self, room: Room) -> None:
        """Go back to what is on disk; nobody has heard of what came after it."""
        room.table = Table.replayed(room.table.id, room.table.steps[: room.committed])
        room.thinking.clear()
        room.broken = False

    async def _reload(self, room: Room) -> None:
        """Another process wrote to this table: read what it wrote."""
        try:
            found = await self.committer.call(self.store.find_table, room.table.id)
        except StoreError:
            return
        if found is not None:
            room.table = Table.replayed(found[0], map(steps.decode, found[1]))
            room.committed = room.table.number
            room.broken = False
            room.thinking.clear()
            self._tell(room)

    def _recovered(self) -> None:
        log.info("the store works again")
        for room in list(self.rooms.values()):
            self.arrange(room)

    async def save_record(self, row: RecordRow) -> None:
        """Keep a record that belongs to no table."""
        self.check_writable()
        saved: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
        self.committer.add(Entry("", [], saved.set_result, None, [row]))
        if await saved is not None:
            raise Refused("storage", STORAGE, 1000)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def record_row(table: Table, finished: int) -> RecordRow:
    """Return the finished game of a table as it is stored."""
    record = table.record()
    name = record_id(table, table.played)
    summary = RecordSummary(name, table.rules.id, table.rules.name, record.names, finished, record.result)
    people = tuple((chair.who, seat) for seat, chair in enumerate(table.chairs) if chair.who)
    return RecordRow(name, table.rules.id, finished, encode(summary), record.dumps(), people)

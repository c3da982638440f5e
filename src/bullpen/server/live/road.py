"""The road: steps to the disk, and from there to the seats.

message -> Hub.handle -> steps_for -> Table.apply -> Entry -> Writer -> disk
  seats <- Room.tell, Reply <- Road.settled <--------------------'
"""

import asyncio
import logging
from collections.abc import Callable, Sequence

from bullpen.engine import BullpenError, IllegalChoice
from bullpen.server.errors import Moved, Refused
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.room import Room
from bullpen.server.live.rooms import STORAGE, Rooms, read
from bullpen.server.live.writer import Entry, Reply, Writer
from bullpen.server.protocol import RecordSummary
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Batch, Fenced, NewTableRow, RecordRow, Row, Store, StoreError
from bullpen.server.tables import steps
from bullpen.server.tables.table import Table
from bullpen.server.tables.wire import encode, record_id

log = logging.getLogger("bullpen.server")

MOST_WAITING = 1000
"""So many messages may wait in a room's inbox."""
AGAIN = 0.5
"""So many seconds apart one looks for rooms in which something has failed."""
MOST_READ = 20
"""So often a table is read again before its room is let go."""


class Road:
    """Takes steps to the disk, then tells the room and answers who sent them."""

    def __init__(
        self, store: Store, writer: Writer, rooms: Rooms, sources: Sources, metrics: Metrics
    ) -> None:
        self._store = store
        self._writer = writer
        self._rooms = rooms
        self._sources = sources
        self._metrics = metrics
        self._reading: dict[str, asyncio.Task[None]] = {}
        """Tables that are being read again."""
        self.look: Callable[[Room], None] = lambda _: None
        """Shows a room that has changed to those who watch several."""
        writer.settled = self._settled
        writer.recovered = self._recovered

    # There.

    def enter(self, room: Room, work: Callable[[], None]) -> None:
        """Do something at a table, now or when what is being written is on disk."""
        if not room.closed or room.gone:
            work()
        elif len(room.inbox) < MOST_WAITING:
            room.inbox.append(work)
        else:
            raise Refused("too-fast", "Too much is going on at this table; try again a little later.", 1000)

    def write(self, room: Room, new: Sequence[steps.AnyStep], reply: Reply) -> None:
        """Apply steps in memory and put them into the room's entry; the reply comes after the commit."""
        before = room.table.number
        try:
            part = self._applied(room, new)
            room.set_time(self._sources.monotonic())
            entry = self._entry(room)
        except Refused:
            raise
        except Exception:
            # What was applied of it is in memory only: go back to what is on disk.
            self._metrics.fault("a step failed", room.table.id)
            room.stale = True
            if room.entry is None:
                self._reload_soon(room)
            raise Refused("internal", "That went wrong on our side; nothing was changed.") from None
        entry.steps += part.steps
        entry.records += part.records
        entry.folds += part.folds
        entry.replies.append((before + _place(new), reply))

    def _entry(self, room: Room) -> Entry:
        """Return what of a room is written next."""
        if room.entry is None:
            entry = Entry(room.table.id, room.epoch)
            if room.committed == 0:
                entry.new = NewTableRow(room.table.id, room.table.code, room.table.created.at)
            self._writer.add(entry)
            room.entry = entry
        return room.entry

    def _applied(self, room: Room, new: Sequence[steps.AnyStep]) -> Batch:
        """Apply steps one after another; an impossible first one is refused, and nothing was changed."""
        table = room.table
        rows, records, folds = [], [], []
        if room.committed == 0 and room.entry is None:
            rows.append(Row(table.id, 1, steps.encode(table.created)))
        for place, step in enumerate(new):
            try:
                news = table.apply(step)
            except BullpenError as error:
                if place == 0:
                    raise _refused(error) from None
                raise
            rows.append(Row(table.id, table.number, steps.encode(step)))
            if news.over:
                records.append(record_row(table, step.at))
                folds.append(Row(table.id, table.number, steps.encode(table.fold(step.at))))
        return Batch(steps=rows, records=records, folds=folds)

    # And back.

    def _settled(self, entry: Entry, fault: StoreError | None) -> None:
        """Tell a room what became of its entry, then answer; where this fails it is done again from there."""
        room = self._room_of(entry)
        if room is not None and isinstance(fault, Fenced):
            self._rooms.lose(room)
            room = None
        # The news go first, so that people have heard of a step before its answer, where possible.
        if room is not None:
            self._note(room, entry, fault)
        refused = _why(fault)
        while entry.replies:
            number, reply = entry.replies.pop(0)
            try:
                reply(refused, number if refused is None else 0)
            except Exception:
                self._metrics.fault("a reply failed", entry.table)
        if room is not None:
            room.work_off()

    def _room_of(self, entry: Entry) -> Room | None:
        room = self._rooms.get(entry.table)
        # Where the table has come back since, that room has read what became of this entry.
        return room if room is not None and room.epoch == entry.epoch else None

    def _note(self, room: Room, entry: Entry, fault: StoreError | None) -> None:
        if room.entry is entry:
            room.entry = None
            room.unattended = True
            if fault is not None:
                room.stale = room.stale or bool(entry.steps)
            elif entry.steps:
                room.committed = entry.steps[-1].number
        self._attend(room)

    def _attend(self, room: Room) -> None:
        """Do what a room waits for: read it again, or let everybody hear what is new, and look after it."""
        try:
            if room.stale and room.entry is None:
                self._reload_soon(room)
            elif room.settled and room.unattended:
                room.tell(self._sources.monotonic())
                self.look(room)
                self._rooms.attend(room)
        except Exception:  # a fault in one room stays in that room, and `mend` comes back to it
            self._metrics.fault("a room was not told", room.table.id)

    async def mend(self) -> None:
        """Come back to rooms where something has failed, a moment from now."""
        await asyncio.sleep(AGAIN)
        for room in tuple(self._rooms.values()):
            if room.gone:
                self._rooms.forget(room)
            self._attend(room)
            room.work_off()

    # Going back to what is on disk.

    def _reload_soon(self, room: Room) -> None:
        if room.table.id not in self._reading:
            task = self._reading[room.table.id] = asyncio.create_task(self._reload(room))
            task.add_done_callback(lambda _: self._reading.pop(room.table.id, None))

    async def _reload(self, room: Room) -> None:
        """Read a table again; if that is not possible now, `mend` comes back to it."""
        try:
            found = await self._writer.call(self._store.find_table, room.table.id)
        except Exception as error:
            log.error("a table is not read yet", extra={"table": room.table.id, "why": repr(error)})
            self._give_up_if_vain(room)
            return
        if room.gone or not room.stale:
            return
        try:
            if found is not None:
                room.table, _ = read(*found)
                room.committed = room.table.number
                room.set_time(self._sources.monotonic())
        except Exception:
            self._metrics.fault("a table cannot be read again", room.table.id)
            found = None
        if found is None:
            self._let_go(room)
            return
        room.stale, room.unread, room.unattended = False, 0, True
        room.thinking.clear()
        self._attend(room)
        room.work_off()

    def _give_up_if_vain(self, room: Room) -> None:
        """Let a room go that cannot be read although the store works, for people wait at it."""
        room.unread += self._writer.fault is None
        if room.unread >= MOST_READ:
            self._let_go(room)

    def _let_go(self, room: Room) -> None:
        try:
            self._rooms.forget(room)
        finally:
            room.end()

    def _recovered(self) -> None:
        """Nobody could answer for a while: give everybody time, and go on."""
        rooms, now = tuple(self._rooms.values()), self._sources.monotonic()
        for room in rooms:
            room.unattended = True
            room.give_time(now)
        for room in rooms:
            self._attend(room)


def _place(new: Sequence[steps.AnyStep]) -> int:
    """Return which of the steps, counted from 1, a message has become; the others follow from it."""
    return next((place for place, step in enumerate(new, start=1) if step.message), len(new))


def _why(fault: StoreError | None) -> Refused | None:
    if fault is None:
        return None
    return Moved() if isinstance(fault, Fenced) else Refused("storage", STORAGE, 1000)


def _refused(error: BullpenError) -> Refused:
    return Refused("illegal" if isinstance(error, IllegalChoice) else "bad-request", str(error))


def record_row(table: Table, finished: int) -> RecordRow:
    """Return the finished game of a table as it is stored."""
    record = table.record()
    name = record_id(table, table.played)
    summary = RecordSummary(name, table.rules.id, table.rules.name, record.names, finished, record.result)
    people = tuple((chair.who, seat) for seat, chair in enumerate(table.chairs) if chair.who)
    return RecordRow(name, table.rules.id, finished, encode(summary), record.dumps(), people)

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
"""So many seconds later a table is read again that could not be read although the store works."""


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
        self._tasks: set[asyncio.Task[None]] = set()
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
        table = room.table
        before = table.number
        part = self._applied(room, new)
        room.set_time(self._sources.monotonic())
        entry = room.entry
        if entry is None:
            entry = room.entry = Entry(table.id, room.epoch)
            if room.committed == 0:
                entry.new = NewTableRow(table.id, table.code, table.created.at)
            self._writer.add(entry)
        entry.steps += part.steps
        entry.records += part.records
        entry.folds += part.folds
        entry.replies.append((before + _place(new), reply))

    def _applied(self, room: Room, new: Sequence[steps.AnyStep]) -> Batch:
        """Apply steps one after another; an impossible first one is refused, and nothing was changed."""
        table = room.table
        rows, records, folds = [], [], []
        if room.committed == 0 and room.entry is None:
            rows.append(Row(table.id, 1, steps.encode(table.created)))
        try:
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
        except Refused:
            raise
        except Exception:
            # What was applied of it is in memory only: go back to what is on disk.
            self._metrics.fault("a step failed", table.id)
            room.stale = True
            if room.entry is None:
                self._reload_soon(room)
            raise Refused("internal", "That went wrong on our side; nothing was changed.") from None
        return Batch(steps=rows, records=records, folds=folds)

    # And back.

    def _settled(self, group: list[Entry], fault: StoreError | None) -> None:
        if fault is not None:
            log.error("steps were not saved", extra={"count": len(group), "why": str(fault)})
        for entry in group:
            try:
                self._arrived(entry, fault)
            except Exception:  # a fault in one room stays in that room
                self._metrics.fault("a room was not told", entry.table)

    def _arrived(self, entry: Entry, fault: StoreError | None) -> None:
        room = self._rooms.get(entry.table)
        if room is not None and room.epoch != entry.epoch:
            # The table has come back since; that room has read what became of this entry.
            room = None
        refused = _why(fault)
        if isinstance(fault, Fenced):
            self._metrics.fenced += 1
            if room is not None:
                self._rooms.lose(room)
                room = None
        if room is not None:
            self._note(room, entry, fault)
        # The news go first, so that whoever is answered has heard of the step where possible.
        for number, reply in entry.replies:
            try:
                reply(refused, number if refused is None else 0)
            except Exception:
                self._metrics.fault("a reply failed", entry.table)
        if room is not None and not room.closed:
            self._open(room)

    def _note(self, room: Room, entry: Entry, fault: StoreError | None) -> None:
        if room.entry is entry:
            room.entry = None
        if fault is not None:
            room.stale = room.stale or bool(entry.steps)
        elif entry.steps:
            room.committed = entry.steps[-1].number
        if room.stale:
            self._reload_soon(room)
        elif room.settled:
            self._tell(room)

    def _tell(self, room: Room) -> None:
        """Let everybody hear what is new, and look after the table."""
        room.tell(self._sources.monotonic())
        self.look(room)
        self._rooms.arrange(room)

    def _open(self, room: Room) -> None:
        """Do what has been waiting in the inbox."""
        inbox, room.inbox = room.inbox, []
        for work in inbox:
            work()

    # Going back to what is on disk.

    def _reload_soon(self, room: Room) -> None:
        task = asyncio.create_task(self._reload(room))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reload(self, room: Room) -> None:
        """Read a table again; while that is not possible either, wait until the store works."""
        while True:
            try:
                found = await self._writer.call(self._store.find_table, room.table.id)
                break
            except StoreError:
                if room.gone or self._writer.fault is not None:
                    # Once the store works again, `_recovered` comes back to this.
                    return
                await asyncio.sleep(AGAIN)
        if room.gone or not room.stale:
            return
        try:
            if found is None:
                self._rooms.forget(room)
            else:
                room.table, _ = read(*found)
                room.committed = room.table.number
                room.set_time(self._sources.monotonic())
        except Exception:
            self._metrics.fault("a table cannot be read again", room.table.id)
            self._rooms.forget(room)
        room.stale = False
        room.thinking.clear()
        if not room.gone:
            self._tell(room)
        self._open(room)

    def _recovered(self) -> None:
        """Nobody could answer for a while: give everybody time, and go on."""
        for room in tuple(self._rooms.values()):
            room.give_time(self._sources.monotonic())
            if room.stale:
                self._reload_soon(room)
            else:
                self._rooms.arrange(room)


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

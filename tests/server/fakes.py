"""Time, a store, listeners and a hub that tests hold in their own hands."""

import threading
from collections.abc import Callable, Sequence

import msgspec

from bullpen.server.config import Config
from bullpen.server.errors import TURNED_AWAY
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.room import Room
from bullpen.server.protocol import NewTable
from bullpen.server.sources import Sources
from bullpen.server.store.interface import (
    Batch,
    Conflict,
    DeviceRow,
    MeasureRow,
    RecordRow,
    Row,
    StoreError,
    VoidRow,
)
from bullpen.server.tables import steps
from bullpen.server.tables.opening import first_steps, new_table
from bullpen.server.tables.requests import Caller


class FakeSources(Sources):
    """A clock that stands still until somebody moves it."""

    def __init__(self) -> None:
        self.time = 1_000_000
        self.seconds = 0.0

    def now(self) -> int:
        return self.time

    def monotonic(self) -> float:
        return self.seconds


class FakeTimer:
    """Something that happens when the test says so."""

    def __init__(self, at: float, act: Callable[[], None]) -> None:
        self.at, self.act = at, act
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeTimers:
    """Timers that follow no clock but the test's: seconds that pass, whatever the time of day does."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._timers: list[FakeTimer] = []

    def __call__(self, seconds: float, act: Callable[[], None]) -> FakeTimer:
        self._timers.append(FakeTimer(self.seconds + seconds, act))
        return self._timers[-1]

    @property
    def pending(self) -> list[float]:
        """After how many seconds each timer that runs will ring."""
        return sorted(timer.at - self.seconds for timer in self._timers if not timer.cancelled)

    def pass_by(self, seconds: float) -> None:
        """Let time pass, and ring what is due."""
        self.seconds += seconds
        due = [timer for timer in self._timers if timer.at <= self.seconds and not timer.cancelled]
        self._timers = [timer for timer in self._timers if timer not in due]
        for timer in due:
            timer.act()


class FakeListener:
    """Somebody who is connected and remembers what was said."""

    def __init__(self, who: str = "", address: str = "192.0.2.1") -> None:
        self.who, self.device, self.address = who, "", address
        self.sent: int | None = None
        self.heard: list[str] = []
        self.moved = False
        self.ended: int | None = None

    def push(self, text: str) -> None:
        self.heard.append(text)

    def hang_up(self, code: int = TURNED_AWAY) -> None:
        self.ended = code

    def move_on(self, room: Room) -> None:
        self.moved = True

    @property
    def numbers(self) -> list[int]:
        """The numbers of the steps up to which each message told."""
        said = [msgspec.json.decode(text) for text in self.heard]
        return [message["number"] for message in said if message["type"] in ("snapshot", "update")]


class FakeStore:
    """A store in memory that is at fault, or waits, when the test says so."""

    def __init__(self) -> None:
        self.codes: dict[str, str] = {}
        self.archived: set[str] = set()
        self.steps: dict[str, dict[int, bytes]] = {}
        self.folds: dict[str, Row] = {}
        self.records: dict[str, RecordRow] = {}
        self.reviews: dict[tuple[str, int], bytes] = {}
        self.groups: list[Batch] = []
        """Every batch that was to be written, whether or not it was."""
        self.devices: dict[str, DeviceRow] = {}
        self.turned_away: set[str] = set()
        self.voids: dict[str, VoidRow] = {}
        self.ordered: list[MeasureRow] = []
        self.counted = 0
        self.fault: Exception | None = None
        """What every attempt to write raises."""
        self.unreadable: set[str] = set()
        """Tables that cannot be read."""
        self.open = threading.Event()
        self.open.set()
        """Cleared by a test, it holds up the thread of the store."""

    def secret(self) -> bytes:
        return bytes(32)

    def write(self, batch: Batch) -> None:
        self.groups.append(batch)
        self.open.wait(10)
        if self.fault is not None:
            raise self.fault
        new = {row.table for row in batch.tables}
        if len({(row.table, row.number) for row in batch.steps}) < len(batch.steps):
            raise Conflict("a step is there twice")
        for row in batch.steps:
            fold = self.folds.get(row.table)
            known = fold is not None and row.number <= fold.number
            if known or row.number in self.steps.get(row.table, {}) or row.table not in {*self.steps, *new}:
                raise Conflict("that step is there already, or its table is not")
        for head in batch.tables:
            self.codes[head.table] = head.code
        for row in batch.steps:
            self.steps.setdefault(row.table, {})[row.number] = row.body
        for row in batch.folds:
            self.folds[row.table] = row
            kept = {number: body for number, body in self.steps[row.table].items() if number > row.number}
            self.steps[row.table] = kept
        self.records |= {row.id: row for row in batch.records}

    def probe(self) -> None:
        if self.fault is not None:
            raise self.fault

    def watch(self) -> None: ...

    def open_tables(self) -> list[tuple[str, str]]:
        return [(table, code) for table, code in self.codes.items() if table not in self.archived]

    def find_table(self, name: str) -> tuple[str, list[bytes]] | None:
        self.open.wait(10)
        found = next((table for table, code in self.codes.items() if name in (table, code)), None)
        if found is None:
            return None
        if found in self.unreadable:
            raise StoreError("that page is gone")
        fold = self.folds.get(found)
        after = 0 if fold is None else fold.number
        log = [body for number, body in sorted(self.steps[found].items()) if number > after]
        return found, log if fold is None else [fold.body, *log]

    def archive(self, table: str, archived: bool) -> None:
        self.open.wait(10)
        (self.archived.add if archived else self.archived.discard)(table)

    def record(self, record: str) -> str | None:
        return self.records[record].body if record in self.records else None

    def records_of(self, who: str, most: int) -> list[tuple[bytes, int]]:
        of = [
            (row.summary, seat) for row in self.records.values() for name, seat in row.people if name == who
        ]
        return of[:most]

    def review(self, record: str, version: int) -> bytes | None:
        return self.reviews.get((record, version))

    def keep_review(self, record: str, version: int, body: bytes) -> None:
        if self.fault is not None:
            raise self.fault
        self.reviews[record, version] = body

    def note_devices(self, devices: Sequence[DeviceRow]) -> None:
        if self.fault is not None:
            raise self.fault
        self.devices |= {row.id: row for row in devices}

    def devices_of(self, who: str) -> list[DeviceRow]:
        return [row for row in self.devices.values() if row.who == who and row.id not in self.turned_away]

    def revoke_device(self, who: str, device: str) -> None:
        self.turned_away.add(device)
        self.counted += 1

    def void(self, row: VoidRow) -> VoidRow:
        had = self.voids.get(row.who) or VoidRow(row.who)
        number = max(row.links, had.links + 1)
        every = (number, row.keep) if row.everything else (had.everything, had.keep)
        self.voids[row.who] = found = VoidRow(row.who, number, *every)
        self.counted += 1
        return found

    def measures(self) -> list[MeasureRow]:
        return list(self.ordered)

    def order(self, *rows: MeasureRow) -> None:
        """Be a host who wants these measures and no others."""
        self.ordered = list(rows)
        self.counted += 1

    def revocations(self) -> int:
        return self.counted

    def revoked(self) -> tuple[frozenset[str], dict[str, VoidRow]]:
        return frozenset(self.turned_away), dict(self.voids)

    def close(self) -> None: ...


class FakeHub:
    """Writes nothing: a step that is done is at once on disk, unless the store is at fault."""

    def __init__(self) -> None:
        self.config = Config()
        self.time = FakeSources()
        self.sources: Sources = self.time
        self.levels: tuple[str, ...] = ("random", "easy", "medium", "hard", "expert")
        self.arrange: Callable[[Room], None] = lambda _: None
        self.fault = False
        self.done: list[steps.AnyStep] = []

    def do(self, room: Room, *new: steps.AnyStep, asked: int | None = None) -> None:
        if self.fault or asked not in (None, room.table.asked):
            return
        for step in new:
            room.table.apply(step)
            self.done.append(step)
        room.committed = room.table.number
        room.set_time(self.sources.monotonic())
        self.arrange(room)


def room_with(hub: FakeHub, wish: NewTable, *people: str) -> Room:
    """A table as wished, with more people on its first open seats, in a room of its own."""
    caller = Caller("ann", hub.sources.now(), set[int], hub.levels)
    table = new_table(wish, hub.sources, ())
    for step in first_steps(table, wish, caller):
        table.apply(step)
    for who in people:
        seat = next(seat for seat, chair in enumerate(table.chairs) if chair.open)
        table.apply(steps.Sat(at=hub.sources.now(), who=who, seat=seat, name=who.capitalize()))
    if table.phase == "lobby" and not any(chair.open for chair in table.chairs):
        table.apply(steps.Started(at=hub.sources.now()))
    return Room(table, table.number, hub.sources.monotonic(), Metrics())

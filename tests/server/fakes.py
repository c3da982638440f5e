"""Time, listeners and a hub that tests hold in their own hands."""

from collections.abc import Callable

from bullpen.server.config import Config
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.room import Room
from bullpen.server.protocol import NewTable
from bullpen.server.sources import Sources
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
        self.who, self.address = who, address
        self.sent: int | None = None
        self.heard: list[str] = []

    def push(self, text: str) -> None:
        self.heard.append(text)


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
    for step in first_steps(wish, caller):
        table.apply(step)
    for who in people:
        seat = next(seat for seat, chair in enumerate(table.chairs) if chair.open)
        table.apply(steps.Sat(at=hub.sources.now(), who=who, seat=seat, name=who.capitalize()))
    if table.phase == "lobby" and not any(chair.open for chair in table.chairs):
        table.apply(steps.Started(at=hub.sources.now()))
    return Room(table, table.number, hub.sources.monotonic(), Metrics())

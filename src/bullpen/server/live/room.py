"""Rooms: a table with everybody who is connected to it, and what of it is on disk."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from bullpen.server.errors import TURNED_AWAY, Moved, Refused
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.writer import Entry, Reply
from bullpen.server.protocol import Presence, Unready
from bullpen.server.tables.table import Table
from bullpen.server.tables.wire import Teller, encode

GRACE = 15
"""So many seconds (or the whole clock, if it is shorter) are left after a time when nobody could answer."""
PUT_AWAY = "This table was put away in the meantime; connect to it again."
HEARD = 64
"""So many of the latest phrases are recognised when they come again."""


class Listener(Protocol):
    """Somebody who is connected: an identity, where from, and the last step told (None: not yet)."""

    who: str
    device: str
    address: str
    sent: int | None

    def push(self, text: str) -> None:
        """Send a message without waiting."""

    def hang_up(self, code: int = TURNED_AWAY) -> None:
        """End the connection of somebody who was turned away."""

    def move_on(self, room: "Room") -> None:
        """Come again, to wherever the table of a room lives now."""


class Timer(Protocol):
    """Something that will happen, unless it is cancelled."""

    def cancel(self) -> None:
        """Let it not happen."""


class Room:
    """A table in memory. Nobody hears of a step before it is committed.

    Steps go to disk in turns: while some are being written (`entry.taken`) further messages wait in the
    `inbox`, so that what is told is always the table as it is on disk.
    """

    def __init__(self, table: Table, committed: int, now: float, metrics: Metrics) -> None:
        self.table = table
        self.committed = committed
        self.stale = False
        """Memory is not what is on disk, and will be read again."""
        self.unread = 0
        """How often that has failed although the store works."""
        self.gone = False
        """The room has left memory; its table can be found again."""
        self.unattended = False
        """Whether people have still to be told what is new, or bots and clocks to be looked after.

        It is set until that is done, so that it is done again where something has failed on the way.
        """
        self.moved = False
        """It has left because the table may live in another process now."""
        self.epoch = 0
        """In which this process owns the table."""
        self.entry: Entry | None = None
        """What is not on disk yet."""
        self.inbox: list[Callable[[], None]] = []
        self.listeners: set[Listener] = set()
        self.visited = now
        self.clock: Timer | None = None
        self.clock_of = 0
        """Whose clock runs or has run out: the number of the open asks."""
        self.left_at: dict[str, float] = {}
        """When people who are not connected left; those who never came are missed since the room is there."""
        self.nudged: dict[int, float] = {}
        """When each seat was last reminded."""
        self._opened = now
        self.thinking: set[tuple[int, int]] = set()
        """Which asks (by number and seat) a bot is thinking about."""
        self.asked_since = now
        """When the asks of now were opened, by the clock that only goes on."""
        self._asked = table.asked
        self._heard: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._later: list[Reply] = []
        self._metrics = metrics
        self.unready: Callable[[], dict[str, Unready]] = dict
        """Tells which levels of bots cannot decide here."""

    # What is on disk.

    @property
    def settled(self) -> bool:
        """Whether all that happened is on disk."""
        return self.entry is None and not self.stale

    @property
    def closed(self) -> bool:
        """Whether messages must wait in the inbox."""
        return self.stale or (self.entry is not None and self.entry.taken)

    def when_settled(self, reply: Reply) -> None:
        """Reply with the number of the latest step, now or once all that happened is on disk."""
        if self.settled:
            reply(None, self.committed)
        else:
            self._later.append(reply)

    async def on_disk(self) -> Table:
        """Return the table once all that happened at it is on disk."""
        while not self.settled:
            if self.gone:
                raise self.farewell()
            done = asyncio.Event()
            self._later.append(lambda _, __, done=done: done.set())  # type: ignore[misc]
            await done.wait()
        return self.table

    def farewell(self) -> Refused:
        """Return what is said to whoever still speaks to a room that is gone."""
        return Moved() if self.moved else Refused("unknown-table", PUT_AWAY)

    def move(self) -> None:
        """Send everybody to where the table lives now, and let nobody wait here any longer."""
        self.moved = True
        self.end()

    def end(self) -> None:
        """Let everybody come again, and nobody wait here any longer."""
        self.gone = True
        for listener in tuple(self.listeners):
            self._let_come_again(listener)
        self.work_off()
        self._answer_later(self.farewell())

    def work_off(self) -> None:
        """Do what has been waiting in the inbox, until something must wait again."""
        while self.inbox and (self.gone or not self.closed):
            work = self.inbox.pop(0)
            try:
                work()
            except Exception:  # what goes wrong for one must not keep the others waiting
                self._metrics.fault("a message that waited failed", self.table.id)

    def _answer_later(self, refused: Refused | None) -> None:
        """Answer those who waited until all was on disk."""
        while self._later:
            reply = self._later.pop(0)
            try:
                reply(refused, 0 if refused else self.committed)
            except Exception:
                self._metrics.fault("a reply failed", self.table.id)

    def _let_come_again(self, listener: Listener) -> None:
        """End a connection, so that it begins anew where the table is by then."""
        try:
            listener.move_on(self)
        except Exception:
            self._metrics.fault("a listener was not let go", self.table.id)

    # Who is there.

    def connected_seats(self) -> set[int]:
        """Return the seats whose people are connected."""
        seats = {self.table.seat_of(listener.who) for listener in self.listeners}
        return {seat for seat in seats if seat is not None}

    def watching(self) -> int:
        """Return how many are connected without a seat."""
        return sum(self.table.seat_of(listener.who) is None for listener in self.listeners)

    def presence(self) -> tuple[list[bool], int]:
        """Return which seats are connected, and how many watch."""
        here = self.connected_seats()
        return [seat in here for seat in range(len(self.table.chairs))], self.watching()

    def absent(self, seat: int, now: float) -> int | None:
        """Return for how many milliseconds a seat's person has not been connected; None for nobody missed."""
        chair = self.table.chairs[seat]
        if not chair.who or any(listener.who == chair.who for listener in self.listeners):
            return None
        return round(1000 * (now - self.left_at.get(chair.who, self._opened)))

    # The clock.

    def set_time(self, now: float) -> None:
        """Note when the asks of now were opened, if they are new."""
        if self.table.asked != self._asked:
            self._asked, self.asked_since = self.table.asked, now

    def left(self, now: float) -> int | None:
        """Return the milliseconds until the clock runs out (negative: since then), None without a clock."""
        table = self.table
        if table.phase != "playing" or not table.settings.clock:
            return None
        allowed = table.animation + 1000 * table.settings.clock
        return allowed - round(1000 * (now - self.asked_since))

    def give_time(self, now: float) -> None:
        """Leave everybody a while to answer, after a time when nobody could."""
        left, grace = self.left(now), 1000 * min(self.table.settings.clock, GRACE)
        if left is not None and left < grace:
            self.asked_since += (grace - left) / 1000

    # Telling.

    def teller(self, now: float) -> Teller:
        """Return what puts this table into messages."""
        left = self.left(now)
        return Teller(self.table, self.presence, None if left is None else max(0, left))

    def tell(self, now: float) -> None:
        """Tell everybody what is new, then answer those who waited for it to be on disk."""
        teller = None
        for listener in tuple(self.listeners):
            if listener.sent is not None and listener.sent < self.committed:
                try:
                    teller = teller or self.teller(now)
                    self._tell(listener, teller)
                except Exception:  # what goes wrong for one must not silence the others
                    self.fail(listener)
        self._answer_later(None)

    def fail(self, listener: Listener) -> None:
        """Let somebody come again whom the exception of now has kept from being told something."""
        self._metrics.fault("a listener was not told", self.table.id)
        self._let_come_again(listener)

    def resume(self, listener: Listener, last: int, now: float) -> None:
        """Tell a listener what came after the number it saw last, or everything."""
        known = 0 < last <= self.committed and last >= self.table.news_from
        listener.sent = last if known else None
        if listener.sent != self.committed:
            self._tell(listener, self.teller(now))

    def _tell(self, listener: Listener, teller: Teller) -> None:
        seat = self.table.seat_of(listener.who)
        if listener.sent is None or listener.sent < self.table.news_from:
            listener.push(teller.snapshot(seat))
        else:
            listener.push(teller.update(seat, listener.sent))
        listener.sent = self.committed

    def tell_presence(self, now: float) -> None:
        """Tell everybody who is there."""
        self.tell_all(self.who_is_there(now))

    def who_is_there(self, now: float) -> str:
        """Return the message that tells who is there, and who is missed for how long."""
        connected, watching = self.presence()
        absent = tuple(self.absent(seat, now) for seat in range(len(self.table.chairs)))
        told = Presence(connected=tuple(connected), watching=watching, absent=absent, unready=self.unready())
        return encode(told).decode()

    def tell_all(self, text: str) -> None:
        """Send a message that is not numbered to everybody who follows the table."""
        for listener in tuple(self.listeners):
            if listener.sent is not None:
                try:
                    listener.push(text)
                except Exception:
                    self.fail(listener)

    def first_heard(self, who: str, message: str) -> bool:
        """Whether a message that leaves no step comes for the first time."""
        if (who, message) in self._heard:
            return False
        self._heard[who, message] = None
        if len(self._heard) > HEARD:
            self._heard.popitem(last=False)
        return True

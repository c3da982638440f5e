"""Rooms: a table with everybody who is connected to it, and what of it is on disk."""

from collections.abc import Callable
from typing import Protocol

from bullpen.server.protocol import Presence
from bullpen.server.tables.table import Table
from bullpen.server.tables.wire import Teller, encode


class Listener(Protocol):
    """Somebody who is connected: an identity, where from, and the last step told (None: not yet)."""

    who: str
    address: str
    sent: int | None

    def push(self, text: str) -> None:
        """Send a message without waiting."""


class Timer(Protocol):
    """Something that will happen, unless it is cancelled."""

    def cancel(self) -> None:
        """Let it not happen."""


class Room:
    """A table in memory. Nobody hears of a step before it is committed."""

    def __init__(self, table: Table, committed: int, now: float) -> None:
        self.table = table
        self.committed = committed
        self.broken = False
        """A step could not be written, so memory is ahead of the store until it is restored."""
        self.listeners: set[Listener] = set()
        self.visited = now
        self.clock: Timer | None = None
        self.clock_of = 0
        """Whose clock runs or has run out: the number of the open asks."""
        self.thinking: set[tuple[int, int]] = set()
        """Which asks (by number and seat) a bot is thinking about."""
        self._later: list[Callable[[], None]] = []

    @property
    def settled(self) -> bool:
        """Whether all that happened is on disk."""
        return self.committed == self.table.number and not self.broken

    def when_settled(self, action: Callable[[], None]) -> None:
        """Do something that speaks of the table, now or once all that happened is on disk."""
        if self.settled:
            action()
        else:
            self._later.append(action)

    def connected_seats(self) -> set[int]:
        """Return the seats whose people are connected."""
        seats = {self.table.seat_of(listener.who) for listener in self.listeners}
        return {seat for seat in seats if seat is not None}

    def watching(self) -> int:
        """Return how many are connected without a seat."""
        return sum(self.table.seat_of(listener.who) is None for listener in self.listeners)

    def teller(self, now: int) -> Teller:
        """Return what puts this table into messages."""
        return Teller(self.table, self.presence, now)

    def presence(self) -> tuple[list[bool], int]:
        """Return which seats are connected, and how many watch."""
        here = self.connected_seats()
        return [seat in here for seat in range(len(self.table.chairs))], self.watching()

    def sync(self, now: int) -> None:
        """Tell everybody what is new, once all of it is on disk."""
        if not self.settled:
            return
        teller = None
        for listener in list(self.listeners):
            if listener.sent is not None and listener.sent < self.committed:
                teller = teller or self.teller(now)
                self._tell(listener, teller)
        later, self._later = self._later, []
        for action in later:
            action()

    def resume(self, listener: Listener, last: int, now: int) -> None:
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

    def tell_presence(self) -> None:
        """Tell everybody who is there."""
        connected, watching = self.presence()
        self.tell_all(encode(Presence(connected=tuple(connected), watching=watching)).decode())

    def tell_all(self, text: str) -> None:
        """Send a message that is not numbered to everybody who follows the table."""
        for listener in list(self.listeners):
            if listener.sent is not None:
                listener.push(text)

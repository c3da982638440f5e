"""The door: what all handlers and sockets share, above all the budgets of everybody who comes."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple, TypeAlias

from bullpen.server import protocol
from bullpen.server.doors.hosts import Hosts
from bullpen.server.doors.index import Index
from bullpen.server.doors.library import Library
from bullpen.server.doors.neighbours import Neighbours, Way
from bullpen.server.doors.pulse import Pulse
from bullpen.server.errors import Refused
from bullpen.server.limits import Gate, refuse_for
from bullpen.server.live.analyst import Analyst
from bullpen.server.live.hub import Hub
from bullpen.server.live.owners import Elsewhere
from bullpen.server.live.room import Room

LimitName: TypeAlias = Literal[
    "pages", "requests", "people", "guesses", "tables", "uploads", "replays", "handshakes", "address",
    "changes", "phrases", "hints", "reviews", "analyses",
]  # fmt: skip
"""The rates of `Limits` that are counted at the door, by address or by person."""
BUSY = "The server is busy; those who play go first. Try again in a moment."
BUSY_MILLISECONDS = 2000


class Far(NamedTuple):
    """A table in another process."""

    way: Way
    table: str


class Door:
    """Counts, and says no."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.hosts = Hosts(hub.config.host_names)
        self.about = protocol.About("", "")
        """What the host tells visitors."""
        self.library = Library()
        self.analyst = Analyst.of(hub.config, hub.keep_review, hub.readiness)
        self.index = Index(hub)
        self.neighbours: Neighbours | None = None
        """The other processes, where tables are shared with any."""
        self.pulse = Pulse(hub.metrics.lateness, hub.config.limits.busy_seconds)
        self.closing = asyncio.Event()
        """Set when what would go on for ever has to end."""
        limits = hub.config.limits
        names: tuple[LimitName, ...] = LimitName.__args__  # type: ignore[attr-defined]
        self._gates = {name: Gate(getattr(limits, name), time.monotonic) for name in names}
        self.sockets: Counter[str] = Counter()
        self.streams: Counter[str] = Counter()
        """The open ones by address."""

    def count(self, limit: LimitName, whose: str) -> None:
        """Count something of an address or a person, or refuse it."""
        self._gates[limit].enter(whose)

    def count_request(self, limit: LimitName | None, where: str) -> None:
        """Count a request, and against a limit of its own if it has one; what is refused counts nowhere."""
        gates = [self._gates["requests"], *([] if limit is None else [self._gates[limit]])]
        refuse_for(max(gate.wait(where) for gate in gates))
        for gate in gates:
            gate.enter(where)

    def charge(self, who: str, message: protocol.ClientMessage) -> None:
        """Count what a message costs beside being one, or refuse it."""
        if not who or isinstance(message, protocol.Choose):
            return
        self.count("phrases" if isinstance(message, protocol.Say) else "changes", who)

    def remembered(self) -> int:
        """How many addresses and people are being counted."""
        return sum(map(len, self._gates.values()))

    async def find(self, name: str, where: str, who: str) -> Room:
        """Return a room by name; an address that has guessed too often finds only its own tables."""
        if self._own(name, who) is None:
            refuse_for(self._gates["guesses"].wait(where))
        try:
            return await self.hub.find(name)
        except Refused as error:
            if error.code == "unknown-table":
                self.count("guesses", where)
            raise

    def check_password(self, room: Room, who: str) -> None:
        """Refuse people who have not given the password of a table that has one."""
        if not room.table.admits(who):
            raise Refused("password", "This table has a password.")

    async def reach(self, name: str, where: str, who: str) -> "Room | Far":
        """Return a room, or the way to the process where it is."""
        if self.neighbours is None:
            return await self.find(name, where, who)

        async def near() -> Room:
            nonlocal name
            try:
                return await self.find(name, where, who)
            except Elsewhere as away:
                # The next look is for the table itself: one question to the store less.
                name = away.table
                raise

        async def far(way: Way, table: str) -> Far:
            return Far(way, table)

        return await self.neighbours.patiently(near, far)

    def _own(self, name: str, who: str) -> Room | None:
        """Return a room in memory where somebody has a seat."""
        room = self.hub.rooms.get(self.hub.rooms.codes.get(name.upper(), name))
        return room if room is not None and who and room.table.seat_of(who) is not None else None

    def check_room(self) -> None:
        """Refuse newcomers while the server is late with its answers."""
        if self.pulse.busy:
            raise Refused("busy", BUSY, BUSY_MILLISECONDS)

    def welcome(self, name: str, where: str, who: str) -> None:
        """Refuse a socket before anything is done for it."""
        if self.sockets[where] >= self.hub.config.limits.sockets_per_address:
            raise Refused("too-fast", "There are too many connections from this address.", 5000)
        self.count("handshakes", where)
        if self._own(name, who) is None:
            self.check_room()

    def check_streams(self, where: str, who: str) -> None:
        """Refuse one stream too many."""
        limits = self.hub.config.limits
        if len(self.hub.streams.get(who, ())) >= limits.streams_per_bot:
            raise Refused("too-fast", f"A bot may have {limits.streams_per_bot} streams.", 5000)
        if self.streams[where] >= limits.streams_per_address:
            raise Refused("too-fast", "There are too many streams from this address.", 5000)

    @contextmanager
    def inside(self, here: Counter[str], whose: str) -> Iterator[None]:
        """Count somebody in, and out at the end."""
        here[whose] += 1
        try:
            yield
        finally:
            here[whose] -= 1
            if not here[whose]:
                del here[whose]

"""Neighbours: the other processes, and what is passed on to the one where a table lives."""

import asyncio
import itertools
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from bullpen.server.doors.connection import COME_AGAIN, Connection
from bullpen.server.doors.link import Kind, Link, Outgoing
from bullpen.server.errors import Moved, Refused
from bullpen.server.live.owners import Elsewhere, Owners
from bullpen.server.live.rooms import STORAGE
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Owner, StoreError

Here = TypeVar("Here")
There = TypeVar("There")
AGAIN = 0.2
"""About so many seconds apart one looks where a table is that has no owner yet."""
PATIENCE = 8.0
"""So many seconds one looks: a little longer than a lease, and less than a client waits for a word."""
DIAL = 2.0
"""So many seconds a greeting may take."""
ANSWER = 10.0
"""So many seconds a request that was passed on waits for its answer."""
LOOK = 1.0
"""So many seconds apart one looks for new processes that a bot from outside may sit in."""
HEIRS = 0.5
"""So many seconds a process that stops looks for others that can have its tables; people are waiting."""
MOST_SOCKETS = 2**32
PASSED_ON = "bullpen.passed_on"
"""Marks the scope of a request that was counted and checked at another door already."""
CODE = struct.Struct("!H")
Dial: TypeAlias = Callable[[str, Callable[[], Link]], Awaitable[Any]]
"""Connects a link to an address."""


class Unreachable(Exception):
    """A process cannot be spoken to, or does not own the table; nothing was done."""


class Attachment(Struct, array_like=True):
    """A socket that is to be served, and whose it is."""

    table: str
    who: str
    device: str
    address: str


class Following(Struct, array_like=True):
    """A bot from outside whose questions are wanted."""

    who: str
    address: str


class Request(Struct, array_like=True):
    """A request over HTTP that is to be answered."""

    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes
    address: str
    scheme: str


class Answer(Struct, array_like=True):
    """The answer to a request; with status 0 the table is not there, and nothing was done."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


class Reader(Protocol):
    """Whoever is brought the lines of a bot's questions."""

    who: str
    address: str

    def bring(self, line: bytes) -> None:
        """Take a line."""


class Way(Outgoing):
    """A link to an owner, with the sockets, requests and streams that go over it."""

    def __init__(self, key: bytes, name: str) -> None:
        super().__init__(key, name)
        self._numbers = itertools.count(1)
        self._sockets: dict[int, Connection] = {}
        self._requests: dict[int, asyncio.Future[Answer]] = {}
        self._readers: dict[int, Reader] = {}

    @property
    def sockets(self) -> int:
        """How many sockets are served over this link."""
        return len(self._sockets)

    def attach(self, table: str, connection: Connection) -> int:
        """Let a socket be served there, and return its channel."""
        channel = next(self._numbers) % MOST_SOCKETS
        whose = Attachment(table, connection.who, connection.device, connection.address)
        self.send(Kind.ATTACH, channel, msgspec.msgpack.encode(whose))
        self._sockets[channel] = connection
        if not self.open:
            connection.end(COME_AGAIN, LOST)
        return channel

    def detach(self, channel: int) -> None:
        """Say that a socket is gone."""
        if self._sockets.pop(channel, None) is not None:
            self.send(Kind.END, channel)

    async def ask(self, request: Request) -> Answer:
        """Let a request be answered there."""
        channel = next(self._numbers) % MOST_SOCKETS
        answer: asyncio.Future[Answer] = self._loop.create_future()
        self._requests[channel] = answer
        try:
            self.send(Kind.REQUEST, channel, msgspec.msgpack.encode(request))
            if not self.open:
                raise Unreachable
            return await asyncio.wait_for(answer, ANSWER)
        except TimeoutError:
            raise Refused("storage", STORAGE, 1000) from None
        finally:
            del self._requests[channel]

    def follow(self, reader: Reader) -> None:
        """Bring a bot's questions from there as well."""
        if reader not in self._readers.values():
            channel = next(self._numbers) % MOST_SOCKETS
            self.send(Kind.STREAM, channel, msgspec.msgpack.encode(Following(reader.who, reader.address)))
            self._readers[channel] = reader

    def leave(self, reader: Reader) -> None:
        """Bring them no more."""
        for channel in [number for number, one in self._readers.items() if one is reader]:
            del self._readers[channel]
            self.send(Kind.END, channel)

    def bequeath(self, tables: list[str]) -> None:
        """Let the other process have tables that are free now; without hearing of it, anybody will."""
        self.send(Kind.BEQUEST, next(self._numbers) % MOST_SOCKETS, msgspec.msgpack.encode(tables))

    def told(self, kind: int, channel: int, payload: bytes) -> None:
        """Take what a frame brings to whom it is for."""
        if kind == Kind.TEXT:
            if (connection := self._sockets.get(channel)) is not None:
                connection.push(payload.decode())
        elif kind == Kind.END:
            # It is forgotten when the client has hung up, and then on the other side, too.
            if (connection := self._sockets.get(channel)) is not None:
                connection.end(CODE.unpack_from(payload)[0], payload[CODE.size :].decode())
        elif kind == Kind.ANSWER:
            if (answer := self._requests.get(channel)) is not None and not answer.done():
                answer.set_result(msgspec.msgpack.decode(payload, type=Answer))
        elif kind == Kind.STREAM and not payload:
            self._readers.pop(channel, None)
        elif kind == Kind.STREAM and (reader := self._readers.get(channel)) is not None:
            reader.bring(payload)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let every client come again: it will be served by the next owner."""
        super().connection_lost(exc)
        sockets, self._sockets = self._sockets, {}
        for connection in sockets.values():
            connection.end(COME_AGAIN, LOST)
        for answer in self._requests.values():
            if not answer.done():
                # Whether it was done there nobody can tell.
                answer.set_exception(Refused("storage", STORAGE, 1000))
        self._readers.clear()


LOST = "the process that served this table is gone"


class Heirs:
    """Processes that live on when this one stops."""

    def __init__(self) -> None:
        self._ways: list[Way] = []

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return bool(self._ways)

    def add(self, way: Way) -> None:
        """Count a process in."""
        self._ways.append(way)

    def bequeath(self, tables: list[str]) -> None:
        """Spread tables over them."""
        for place, way in enumerate(self._ways):
            if share := tables[place :: len(self._ways)]:
                way.bequeath(share)


class Neighbours:
    """Finds the way to other processes, and waits while a table is between two of them."""

    def __init__(self, owners: Owners, sources: Sources, key: bytes, dial: Dial) -> None:
        self._owners = owners
        self._sources = sources
        self._key = key
        self._dial = dial
        self._ways: dict[str, Way] = {}
        self._dialling: dict[str, asyncio.Task[Way]] = {}
        self._readers: dict[Reader, None] = {}

    @property
    def sockets(self) -> int:
        """How many sockets here are served elsewhere."""
        return sum(way.sockets for way in self._ways.values())

    @property
    def latency(self) -> float:
        """How many seconds a frame takes to the slowest neighbour and back."""
        return max((way.latency for way in self._ways.values() if way.open), default=0.0)

    async def patiently(
        self, here: Callable[[], Awaitable[Here]], there: Callable[[Way, str], Awaitable[There]]
    ) -> Here | There:
        """Do something where a table lives, here or there; while it moves, look again and again."""
        end = self._sources.monotonic() + PATIENCE
        while True:
            try:
                return await here()
            except Elsewhere as away:
                with suppress(Unreachable):
                    return await there(await self.reach(away.owner), away.table)
            except Moved:
                pass
            if self._sources.monotonic() > end:
                raise Moved
            await asyncio.sleep(AGAIN * (0.5 + self._sources.chance()))

    async def reach(self, owner: Owner) -> Way:
        """Return the link to a process; several who want it wait for the same."""
        way = self._ways.get(owner.process)
        if way is not None and way.open:
            return way
        task = self._dialling.get(owner.process)
        if task is None:
            task = self._dialling[owner.process] = asyncio.create_task(self._connect(owner))
            task.add_done_callback(lambda done: self._dialled(owner.process, done))
        return await asyncio.shield(task)

    def _dialled(self, process: str, done: "asyncio.Task[Way]") -> None:
        del self._dialling[process]
        if not done.cancelled():
            # Whoever wanted it may have given up; then nobody else looks at what went wrong.
            done.exception()

    async def _connect(self, owner: Owner) -> Way:
        self._ways = {name: way for name, way in self._ways.items() if way.open}
        way: Way | None = None
        try:
            async with asyncio.timeout(DIAL):
                way = Way(self._key, owner.process)
                await self._dial(owner.address, lambda: way)
                if not await way.ready:
                    raise Unreachable
        except (OSError, TimeoutError):
            if way is not None:
                way.abort()
            raise Unreachable from None
        self._ways[owner.process] = way
        return way

    # Bots from outside may sit at tables of any process.

    @contextmanager
    def following(self, reader: Reader) -> Iterator[None]:
        """Bring a bot's questions from every process."""
        self._readers[reader] = None
        try:
            yield
        finally:
            del self._readers[reader]
            for way in self._ways.values():
                way.leave(reader)

    async def look_around(self) -> None:
        """Follow bots into processes that have come."""
        if self._readers:
            with suppress(StoreError):
                await self._follow_everywhere()
        await asyncio.sleep(LOOK)

    async def _follow_everywhere(self) -> None:
        async for way in self._everywhere():
            for reader in tuple(self._readers):
                way.follow(reader)

    async def _everywhere(self) -> AsyncIterator[Way]:
        """Yield the link to every process that lives and can be reached."""
        for row in await self._owners.call(self._owners.registry.processes):
            if row.process != self._owners.process and row.left > 0:
                with suppress(Unreachable):
                    yield await self.reach(Owner(row.process, row.address, 0))

    # When this process stops, its tables are spread over the others.

    async def heirs(self) -> Heirs:
        """Return who can have the tables of this process; nobody in particular while that cannot be known."""
        heirs = Heirs()
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(HEIRS):
                async for way in self._everywhere():
                    heirs.add(way)
        return heirs

    def close(self) -> None:
        """End every link, after what was said last."""
        for way in self._ways.values():
            way.close()


async def dial(address: str, make: Callable[[], Link]) -> None:
    """Connect a link to another process over TCP."""
    host, _, port = address.rpartition(":")
    await asyncio.get_running_loop().create_connection(make, host.strip("[]"), int(port))

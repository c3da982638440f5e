"""Guests: sockets, requests and streams that reached another process, served here where their table lives."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from starlette.routing import Router

from bullpen.server.doors.connection import COME_AGAIN
from bullpen.server.doors.door import Door
from bullpen.server.doors.link import Incoming, Kind, Link
from bullpen.server.doors.neighbours import CODE, PASSED_ON, Answer, Attachment, Following, Request
from bullpen.server.doors.sockets import Session
from bullpen.server.doors.streams import Stream
from bullpen.server.errors import CLOSED, FINAL, TURNED_AWAY, Refused
from bullpen.server.live.owners import Elsewhere
from bullpen.server.live.room import Room
from bullpen.server.tables.wire import refusal

KEEP_ALIVE = 60.0


class Guest:
    """The sending side of a socket that hangs at another process."""

    __slots__ = ("_channel", "_link", "address", "device", "sent", "who")

    def __init__(self, link: Link, channel: int, whose: Attachment) -> None:
        self.who = whose.who
        self.device = whose.device
        self.address = whose.address
        self.sent: int | None = None
        self._link = link
        self._channel = channel

    def __hash__(self) -> int:
        # Guests are told in the same order in every run, which a simulation can repeat.
        return self._channel

    def __eq__(self, other: object) -> bool:
        return self is other

    def push(self, text: str) -> None:
        """Send a message over the link; the other process minds a slow reader."""
        self._link.send(Kind.TEXT, self._channel, text.encode())

    def hang_up(self, code: int = TURNED_AWAY) -> None:
        """Say goodbye to somebody who was turned away."""
        self.end(code, "turned away")

    def move_on(self, _: Room) -> None:
        """Let the client come again."""
        self.end(COME_AGAIN, "this table has moved")

    def end(self, code: int, reason: str) -> None:
        """Say goodbye."""
        self._link.send(Kind.END, self._channel, CODE.pack(code) + reason.encode())


class Host(Incoming):
    """A link over which another process passes on what belongs to tables here."""

    def __init__(self, door: Door, router: Router, key: bytes, here: "Hosts") -> None:
        super().__init__(key, here.name)
        self._door = door
        self._router = router
        self._here = here
        self._sessions: dict[int, Session] = {}
        self._waiting: dict[int, list[bytes]] = {}
        """What a socket said before its table was found."""
        self._tasks: dict[int, asyncio.Task[None]] = {}

    @property
    def guests(self) -> int:
        """How many sockets are served over this link."""
        return len(self._sessions)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a process in."""
        super().connection_made(transport)
        self._here.links[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The other process is gone, and all its sockets with it."""
        super().connection_lost(exc)
        self._here.links.pop(self, None)
        for task in self._tasks.values():
            task.cancel()
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            try:
                session.end()
            except Exception:
                self._door.hub.metrics.fault("a guest was not seen off", "")

    def asked(self, kind: int, channel: int, payload: bytes) -> None:
        """Do what a frame asks."""
        if kind == Kind.TEXT:
            self._text(channel, payload)
        elif kind == Kind.ATTACH:
            self._attach(channel, msgspec.msgpack.decode(payload, type=Attachment))
        elif kind == Kind.END:
            self._end(channel)
        elif kind == Kind.REQUEST:
            self._begin(channel, self._answer(channel, msgspec.msgpack.decode(payload, type=Request)))
        elif kind == Kind.STREAM:
            self._begin(channel, self._stream(channel, msgspec.msgpack.decode(payload, type=Following)))
        elif kind == Kind.BEQUEST:
            self._here.inherit(self._door.hub.rooms.inherit(msgspec.msgpack.decode(payload, type=list[str])))

    def _begin(self, channel: int, work: Any) -> None:
        task = self._tasks[channel] = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._tasks.pop(channel, None))

    # Sockets.

    def _text(self, channel: int, payload: bytes) -> None:
        session = self._sessions.get(channel)
        if session is not None:
            session.receive(payload.decode())
        elif channel in self._waiting:
            self._waiting[channel].append(payload)

    def _attach(self, channel: int, whose: Attachment) -> None:
        self._waiting[channel] = []
        self._begin(channel, self._find(channel, whose))

    async def _find(self, channel: int, whose: Attachment) -> None:
        guest = Guest(self, channel, whose)
        try:
            room = await self._door.hub.find(whose.table)
            self._door.check_password(room, whose.who)
            session = self._sessions[channel] = Session(self._door, room, guest)
            for text in self._waiting.get(channel, ()):
                session.receive(text.decode())
        except Elsewhere:
            guest.end(COME_AGAIN, "this table has moved")
        except Refused as error:
            guest.push(refusal(error.code, error.says, None, error.retry))
            guest.end(CLOSED if error.code in FINAL else COME_AGAIN, error.says)
        except Exception:
            self._door.hub.metrics.fault("a guest was not let in", whose.table)
            guest.end(COME_AGAIN, "that went wrong on our side")
        finally:
            self._waiting.pop(channel, None)

    def _end(self, channel: int) -> None:
        session = self._sessions.pop(channel, None)
        if session is not None:
            session.end()
        elif channel in self._tasks:
            self._tasks[channel].cancel()

    # Requests and streams.

    async def _answer(self, channel: int, request: Request) -> None:
        try:
            answer = await answered(self._router, request)
        except Exception:
            self._door.hub.metrics.fault("a request failed", "")
            answer = Answer(500, [], b"")
        self.send(Kind.ANSWER, channel, msgspec.msgpack.encode(answer))

    async def _stream(self, channel: int, whose: Following) -> None:
        try:
            async with Stream(self._door.hub, whose.who, whose.address) as stream:
                async for line in stream.lines(KEEP_ALIVE):
                    if line.strip():
                        self.send(Kind.STREAM, channel, line)
        except Exception:
            self._door.hub.metrics.fault("a bot was not asked", "")
        finally:
            # An empty line ends the stream; a reader that wants more asks again.
            self.send(Kind.STREAM, channel)


class Hosts:
    """All links over which other processes pass something on to this one."""

    def __init__(self, name: Callable[[], str]) -> None:
        self.name = name
        self.links: dict[Host, None] = {}
        self._inheriting: set[asyncio.Task[None]] = set()

    @property
    def guests(self) -> int:
        """How many sockets of other processes are served here."""
        return sum(link.guests for link in self.links)

    def inherit(self, work: Coroutine[None, None, None]) -> None:
        """Take tables over, although the process that left them ends its link meanwhile."""
        task = asyncio.create_task(work)
        self._inheriting.add(task)
        task.add_done_callback(self._inheriting.discard)

    def close(self) -> None:
        """End every link: whoever was served here is somebody else's guest from now on."""
        for link in tuple(self.links):
            link.close()


async def answered(router: Router, request: Request) -> Answer:
    """Let the routes here answer a request of another door."""
    said: dict[str, Any] = {"status": 0, "headers": [], "body": b""}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": request.body}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            said["status"] = message["status"]
            said["headers"] = [(key.decode(), value.decode()) for key, value in message["headers"]]
        else:
            said["body"] += message.get("body", b"")

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "path": request.path,
        "raw_path": request.path.encode(),
        "root_path": "",
        "query_string": request.query,
        "headers": request.headers,
        "client": (request.address, 0),
        "server": None,
        "scheme": request.scheme,
        PASSED_ON: True,
    }
    try:
        await router(scope, receive, send)
    except (Elsewhere, Refused):
        return Answer(0, [], b"")
    return Answer(**said)

"""Sockets: one connection of a person or spectator, from the handshake to the last message."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias

import msgspec
from starlette.requests import HTTPConnection

from bullpen.engine.misread import misread
from bullpen.server import protocol
from bullpen.server.doors.callers import address, caller
from bullpen.server.doors.connection import TRY_LATER, Connection, Send, end_after
from bullpen.server.doors.door import Door, Far
from bullpen.server.doors.headers import safe
from bullpen.server.doors.hosts import UNKNOWN_HOST
from bullpen.server.doors.http import refuse
from bullpen.server.doors.link import Kind
from bullpen.server.doors.transport import PUSH
from bullpen.server.errors import CLOSED, FINAL, Moved, Refused
from bullpen.server.limits import Bucket, refuse_for
from bullpen.server.live.company import nudge
from bullpen.server.live.people import Identity
from bullpen.server.live.room import Listener, Room
from bullpen.server.live.visits import join, part
from bullpen.server.logs import REQUESTS
from bullpen.server.tables.wire import encode, refusal

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]

decode = msgspec.json.Decoder(protocol.FromClient).decode
log = logging.getLogger("bullpen.server")
log_requests = logging.getLogger(REQUESTS)

POLICY = 1008
REASSURING = 3.0
"""So many seconds apart a client hears that its line stands while its table is between two processes."""
STILL_THERE = encode(protocol.Pong(id="")).decode()
NO_TEXT = "Messages are JSON texts, not bytes."
TALK_BEFORE_REVEAL = "Nobody talks between the deal and the reveal in this game."


class Sockets:
    """Takes in all WebSocket connections."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._hub = door.hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection to `/ws/TABLE`."""
        await receive()
        request = HTTPConnection(scope)
        person = caller(self._hub, request) or Identity("", "")
        where, who = address(request), person.who
        name = str(scope["path"]).removeprefix("/ws/")
        try:
            if not self._door.hosts.known(request):
                raise Refused("forbidden", UNKNOWN_HOST)
            self._door.hosts.check_page(request)
            self._door.welcome(name, where, who)
        except Refused as error:
            self._hub.metrics.refused(error.code)
            log_requests.info("socket refused", extra={"why": error.code})
            await _turn_away(error, scope, send)
            return
        del request
        await send({"type": "websocket.accept"})
        with self._door.inside(self._door.sockets, where):
            push = scope.get("extensions", {}).get(PUSH)
            connection = Connection(self._hub, who, where, send, person.device, push)
            with end_after(self._hub.people.left(person), connection.hang_up):
                await self.serve(name, connection, receive)

    async def serve(self, name: str, connection: Connection, receive: Receive) -> None:
        """Serve a socket that was accepted, here or over a link to where its table lives."""
        try:
            self._hub.moderation.check(connection.address, connection.who)
            with still_there(connection):
                found = await self._door.reach(name, connection.address, connection.who)
            if isinstance(found, Room):
                self._door.check_password(found, connection.who)
        except Moved as error:
            await connection.close(TRY_LATER, error.says)
            return
        except Refused as error:
            connection.push(refusal(error.code, error.says, None, error.retry))
            await connection.close(CLOSED if error.code in FINAL else TRY_LATER, error.says)
            return
        began = time.monotonic()
        talk = Relay(found, connection) if isinstance(found, Far) else Session(self._door, found, connection)
        try:
            await self._listen(talk, connection, receive)
        finally:
            talk.end()
            extra = {"count": talk.count, "seconds": round(time.monotonic() - began, 3)}
            log_requests.info("socket", extra=extra)

    async def _listen(self, talk: "Talk", connection: Connection, receive: Receive) -> None:
        limits = self._hub.config.limits
        bucket = Bucket(limits.socket, time.monotonic())
        floods = 0
        while (event := await receive())["type"] == "websocket.receive":
            try:
                refuse_for(bucket.take(time.monotonic()))
                self._door.count("address", connection.address)
            except Refused as error:
                floods += 1
                talk.refuse(error, event.get("text"))
                if floods > limits.flood:
                    await connection.close(POLICY, "too much at once")
                    return
                continue
            floods = 0
            talk.receive(event.get("text"))


@contextmanager
def still_there(connection: Connection) -> Iterator[None]:
    """Let a client hear now and then that its line stands, so that it waits and does not begin anew."""
    loop = asyncio.get_running_loop()
    timers: list[asyncio.TimerHandle] = []

    def again() -> None:
        timers[:] = [loop.call_later(REASSURING, say)]

    def say() -> None:
        connection.push(STILL_THERE)
        again()

    again()
    try:
        yield
    finally:
        timers[0].cancel()


async def _turn_away(error: Refused, scope: Scope, send: Send) -> None:
    """Answer a handshake with the refusal that a plain request would get."""
    answer = refuse(error)
    head = {
        "type": "websocket.http.response.start",
        "status": answer.status_code,
        "headers": safe(scope, answer.raw_headers),
    }
    await send(head)
    await send({"type": "websocket.http.response.body", "body": answer.body})


class Talk(Protocol):
    """What is said over one socket."""

    count: int

    def receive(self, text: str | None) -> None:
        """Do what a message asks, or say why not."""

    def refuse(self, error: Refused, text: str | None) -> None:
        """Say why a message was not followed."""

    def end(self) -> None:
        """The socket is gone."""


class Relay:
    """The conversation of a socket whose table is elsewhere: texts go there unread, and come from there."""

    __slots__ = ("_channel", "_connection", "_way", "count")

    def __init__(self, far: Far, connection: Connection) -> None:
        self._way = far.way
        self._connection = connection
        self._channel = far.way.attach(far.table, connection)
        self.count = 0

    def receive(self, text: str | None) -> None:
        """Pass a message on."""
        self.count += 1
        if text is None:
            self.refuse(Refused("malformed", NO_TEXT), None)
        else:
            self._way.send(Kind.TEXT, self._channel, text.encode())

    def refuse(self, error: Refused, text: str | None) -> None:
        """Say why a message was not passed on."""
        self._connection.push(refusal(error.code, error.says, _id_of(text or ""), error.retry))

    def end(self) -> None:
        """Say there that the socket is gone."""
        try:
            self._way.detach(self._channel)
        except BaseException:
            # Rather than that somebody seems to be there for ever, everybody comes again.
            self._way.abort()
            raise


class Session:
    """The conversation over one connection, or with one guest of another process."""

    __slots__ = ("_door", "_hub", "_resumes", "_room", "connection", "count")

    def __init__(self, door: Door, room: Room, connection: Listener) -> None:
        self._door = door
        self._hub = door.hub
        self._room = room
        self._resumes = Bucket(door.hub.config.limits.resumes, time.monotonic())
        self.connection = connection
        self.count = 0
        """How many messages were heard."""

    def receive(self, text: str | None) -> None:
        """Do what a message asks, or say why not."""
        self._hub.metrics.messages += 1
        self.count += 1
        if self._room.moved:
            # What comes now comes again over the next connection.
            self.connection.move_on(self._room)
            return
        try:
            if text is None:
                raise Refused("malformed", NO_TEXT)
            message = decode(text)
        except Refused as error:
            self.refuse(error, None)
            return
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            says = f"That is not a message of this protocol: {misread(error)}."
            self.refuse(Refused("malformed", says), text)
            return
        try:
            self._do(message)
        except Refused as error:
            self.refuse(error, text, message.id)
        except Exception:
            self._hub.metrics.fault("a message failed", self._room.table.id)
            if isinstance(message, protocol.Resume):
                # Without it nothing can be understood: a new connection begins with it again.
                self.connection.move_on(self._room)
            else:
                wrong = Refused("internal", "That went wrong on our side; nothing was changed.")
                self.refuse(wrong, text, message.id)

    def end(self) -> None:
        """Leave the room."""
        try:
            if self.connection in self._room.listeners:
                part(self._hub, self._room, self.connection)
        finally:
            self._room.listeners.discard(self.connection)

    def refuse(self, error: Refused, text: str | None, message_id: str | None = None) -> None:
        """Say why a message was not followed; one that met a moving table is better sent again."""
        if isinstance(error, Moved):
            self.connection.move_on(self._room)
            return
        self._hub.metrics.refused(error.code)
        if message_id is None and text is not None:
            message_id = _id_of(text)
        self.connection.push(refusal(error.code, error.says, message_id, error.retry))

    def _do(self, message: protocol.FromClient) -> None:
        if isinstance(message, protocol.Ping):
            self.connection.push(encode(protocol.Pong(id=message.id)).decode())
        elif isinstance(message, protocol.Resume):
            self._resume(message)
        elif self.connection.sent is None and self.connection not in self._room.listeners:
            raise Refused("first-resume", "The first message on a connection is resume.")
        elif isinstance(message, protocol.Say):
            self._say(message)
        elif isinstance(message, protocol.Nudge):
            nudge(self._room, self.connection.who, message, self._hub.sources.monotonic())
            self._answer(message.id, None, 0)
        else:
            self._handle(message)

    def _resume(self, message: protocol.Resume) -> None:
        refuse_for(self._resumes.take(time.monotonic()))
        # A ban since the line was opened found nobody at the table to send away.
        self._hub.moderation.check(self.connection.address, self.connection.who)
        join(self._hub, self._room, self.connection, message.last)
        self._room.when_settled(lambda moved, _: self._answer(message.id, moved, 0))

    def _handle(self, message: protocol.ClientMessage) -> None:
        self._door.charge(self.connection.who, message)
        if isinstance(message, protocol.Sit):
            self._door.check_room()
        metrics = self._hub.metrics
        pending = metrics.began()

        def reply(error: Refused | None, number: int) -> None:
            try:
                self._answer(message.id, error, number)
            finally:
                metrics.settled(pending, acked=error is None)

        try:
            self._hub.handle(self._room, self.connection.who, message, reply)
        except BaseException:
            metrics.settled(pending, acked=False)
            raise

    def _answer(self, message_id: str, error: Refused | None, number: int) -> None:
        """Answer a message; where that fails, the client comes again and is answered then."""
        try:
            if error is not None:
                self.refuse(error, None, message_id)
            else:
                self.connection.push(encode(protocol.Ack(id=message_id, number=number)).decode())
        except Exception:
            self._room.fail(self.connection)

    def _say(self, message: protocol.Say) -> None:
        table = self._room.table
        seat = table.seat_of(self.connection.who)
        if seat is None:
            raise Refused("not-seated", "Only people with a seat talk at this table.")
        if not table.settings.talk:
            raise Refused("closed", "This table plays without talking.")
        if silent_now(self._room):
            raise Refused("closed", TALK_BEFORE_REVEAL)
        if self._room.first_heard(self.connection.who, message.id):
            self._door.charge(self.connection.who, message)
            self._room.tell_all(encode(protocol.Said(seat=seat, phrase=message.phrase)).decode())
        self._answer(message.id, None, 0)


def silent_now(room: Room) -> bool:
    """Whether a team must not talk because hidden cards are being chosen (BUF-32)."""
    position = room.table.position
    if position is None or room.table.phase != "playing":
        return False
    team = room.table.rules.furniture.team
    return team is not None and team.silent and any(ask.secret for ask in position.asks)


class _WithId(msgspec.Struct):
    """What every message should have."""

    id: str = ""


def _id_of(text: str) -> str | None:
    """Return the id of a message that is otherwise wrong, if it can be found."""
    try:
        return msgspec.json.decode(text, type=_WithId).id[:40] or None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None

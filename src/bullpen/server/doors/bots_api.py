"""Bots from outside over HTTP: a token, a stream of questions, and answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bullpen.server import protocol
from bullpen.server.doors.callers import caller
from bullpen.server.doors.connection import end_after
from bullpen.server.doors.door import Door
from bullpen.server.doors.http import Call
from bullpen.server.doors.streams import Stream
from bullpen.server.live.people import COOKIE, Identity
from bullpen.server.tables.names import clean_name

KEEP_ALIVE = 6.0
SLOWEST = 30.0
"""A reader who takes longer for a line is dropped."""


async def token(call: Call[protocol.NewToken]) -> protocol.Token:
    """Make a bot's identity, owned by the person who asks, or by nobody but the bot."""
    if not call.who:
        call.hub.moderation.check_sign_up()
    people, name = call.hub.people, clean_name(call.body.name)
    owner = people.known(call.request.cookies.get(COOKIE, ""))
    who = "" if owner is None else owner.who
    bot = await call.hub.writer.call(people.new_bot, name, who, call.body.days)
    return protocol.Token(people.signer.sign(bot, "bot"), 1000 * bot.ends)


async def stream(call: Call[None]) -> Response:
    """The questions to a bot, a line each, as they come."""
    call.door.check_streams(call.address, call.somebody())
    key = caller(call.hub, call.request) or Identity("", "")
    if key.ends:
        call.hub.people.saw(key, key.name)
    return StreamResponse(call.door, call.address, key)


class StreamResponse(Response):
    """Sends lines until the reader is gone, and then is gone itself, at once and in any case."""

    def __init__(self, door: Door, where: str, key: Identity) -> None:
        # A line must leave at once, so nothing on the way may collect or compress lines.
        headers = {"cache-control": "no-store", "x-accel-buffering": "no", "content-encoding": "identity"}
        super().__init__(media_type="application/x-ndjson", headers=headers)
        del self.headers["content-length"]
        self._door = door
        self._where = where
        self._key = key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream."""
        head = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        await send(head)
        with self._door.inside(self._door.streams, self._where):
            async with (
                Stream(self._door.hub, self._key.who, self._where, self._key.device) as stream,
                self._everywhere(stream),
            ):
                ending = end_after(self._door.hub.people.left(self._key), stream.end)
                gone = asyncio.create_task(_gone(receive, stream))
                closing = asyncio.create_task(_closing(self._door.closing, stream))
                try:
                    with ending:
                        async for line in stream.lines(KEEP_ALIVE):
                            await asyncio.wait_for(send(_part(line)), SLOWEST)
                except TimeoutError:
                    self._door.hub.metrics.dropped += 1
                finally:
                    gone.cancel()
                    closing.cancel()
        await send({"type": "http.response.body", "body": b""})

    @asynccontextmanager
    async def _everywhere(self, stream: Stream) -> AsyncIterator[None]:
        """Follow the bot into other processes too, where there are any."""
        neighbours = self._door.neighbours
        with nullcontext() if neighbours is None else neighbours.following(stream):
            yield


def _part(line: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": line, "more_body": True}


async def _gone(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def _closing(closing: asyncio.Event, stream: Stream) -> None:
    await closing.wait()
    stream.end()


async def choose(call: Call[protocol.BotChoice]) -> protocol.Ack:
    """A bot's answer to a question."""
    wish, who, room = call.body, call.somebody(), await call.room()
    message_id = wish.id or f"bot-{wish.ask}-{wish.choice}"[:40]
    number = await call.do(room, who, protocol.Choose(id=message_id, ask=wish.ask, choice=wish.choice))
    return protocol.Ack(id=message_id, number=number)

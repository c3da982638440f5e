"""Bots from outside over HTTP: a token, a stream of questions, and answers."""

from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from bullpen.server import protocol
from bullpen.server.doors.http import Call, Door, address
from bullpen.server.doors.streams import Stream
from bullpen.server.tables.names import clean_name

KEEP_ALIVE = 6.0


async def token(call: Call[protocol.NewToken]) -> protocol.Token:
    """Make a bot's identity."""
    return protocol.Token(call.hub.signer.new(clean_name(call.body.name), "bot"))


async def stream(call: Call[None]) -> Response:
    """The questions to a bot, a line each, as they come."""
    who = call.somebody()
    # A line must leave at once, so nothing on the way may collect or compress lines.
    headers = {"cache-control": "no-store", "x-accel-buffering": "no", "content-encoding": "identity"}
    lines = _lines(call.door, who, address(call.request))
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


async def _lines(door: Door, who: str, where: str) -> AsyncIterator[bytes]:
    async with Stream(door.hub, who, where) as stream:
        async for line in stream.lines(door.closing, KEEP_ALIVE):
            yield line


async def choose(call: Call[protocol.BotChoice]) -> protocol.Ack:
    """A bot's answer to a question."""
    wish, who, room = call.body, call.somebody(), await call.room()
    message_id = wish.id or f"bot-{wish.ask}-{wish.choice}"[:40]
    number = await call.do(room, who, protocol.Choose(id=message_id, ask=wish.ask, choice=wish.choice))
    return protocol.Ack(id=message_id, number=number)

"""Bots from outside over HTTP: a token, a stream of questions, and answers."""

import asyncio
import time
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from bullpen.server import protocol
from bullpen.server.doors.http import Guard, address, answer, caller, handled, read
from bullpen.server.doors.streams import Stream
from bullpen.server.limits import Gate
from bullpen.server.live.hub import Hub
from bullpen.server.tables.requests import clean_name

KEEP_ALIVE = 6.0


class BotsApi:
    """The handlers for bots."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tokens = Gate(hub.config.limits.tables, time.monotonic)
        self._closing = asyncio.Event()

    def close(self) -> None:
        """End the streams."""
        self._closing.set()

    def routes(self, guard: Guard) -> list[Route]:
        """Return the paths of bots."""
        return [
            Route("/api/bot/token", guard(self.token), methods=["POST"]),
            Route("/api/bot/stream", guard(self.stream)),
            Route("/api/bot/tables/{name}/choice", guard(self.choose), methods=["POST"]),
        ]

    async def token(self, request: Request) -> Response:
        """Make a bot's identity."""
        wish = await read(request, protocol.NewToken)
        self._tokens.enter(address(request))
        return answer(protocol.Token(self._hub.signer.new(clean_name(wish.name), "bot")), 201)

    async def stream(self, request: Request) -> Response:
        """The questions to a bot, a line each, as they come."""
        who = caller(self._hub, request)
        # A line must leave at once, so nothing on the way may collect or compress lines.
        headers = {"cache-control": "no-store", "x-accel-buffering": "no", "content-encoding": "identity"}
        return StreamingResponse(self._lines(who), media_type="application/x-ndjson", headers=headers)

    async def _lines(self, who: str) -> AsyncIterator[bytes]:
        async with Stream(self._hub, who) as stream:
            async for line in stream.lines(self._closing, KEEP_ALIVE):
                yield line

    async def choose(self, request: Request) -> Response:
        """A bot's answer to a question."""
        wish = await read(request, protocol.BotChoice)
        who = caller(self._hub, request)
        room = await self._hub.find(request.path_params["name"])
        message_id = wish.id or f"bot-{wish.ask}-{wish.choice}"[:40]
        message = protocol.Choose(id=message_id, ask=wish.ask, choice=wish.choice)
        number = await handled(self._hub, room, who, message)
        return answer(protocol.Ack(id=message_id, number=number))

"""HTTP: reading requests, giving answers, and the guard before every handler."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from bullpen.server import protocol
from bullpen.server.doors.callers import allowed_origin, identity
from bullpen.server.errors import Refused
from bullpen.server.limits import Gate
from bullpen.server.live.hub import STORAGE, Hub
from bullpen.server.live.room import Room
from bullpen.server.store.sqlite import StoreError
from bullpen.server.tables import wire

T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Response]]

STATUS: dict[str, int] = {
    "malformed": 400, "bad-request": 400, "illegal": 409, "too-late": 409, "not-asked": 409, "closed": 409,
    "full": 409, "not-seated": 403, "not-host": 403, "forbidden": 403, "no-identity": 401, "too-fast": 429,
    "too-large": 413, "storage": 503, "unknown-table": 404, "unknown-record": 404, "unknown-game": 404,
    "internal": 500,
}  # fmt: skip


def answer(content: object, status: int = 200) -> Response:
    """Return something as JSON."""
    return Response(wire.encode(content), status, media_type="application/json")


def refuse(error: Refused) -> Response:
    """Return a refusal, with the waiting time where there is one."""
    response = Response(
        wire.refusal(error.code, error.says, None, error.retry),
        STATUS[error.code],
        media_type="application/json",
    )
    if error.retry is not None:
        response.headers["retry-after"] = str(-(-error.retry // 1000))
    return response


async def read(request: Request, kind: type[T], most: int = protocol.MOST_BYTES) -> T:
    """Return the body of a request as that type."""
    body = await read_bytes(request, most)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refused("malformed", f"The body is not what is expected here: {str(error)[:200]}.") from None


async def read_bytes(request: Request, most: int) -> bytes:
    """Return the body of a request that is not too large."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise Refused("too-large", f"At most {most} bytes are taken here.")
    return bytes(body)


class Guard:
    """Stands before the handlers: who may ask, from where, and how often."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._requests = Gate(hub.config.limits.requests, time.monotonic)

    def __call__(self, handler: Handler) -> Handler:
        """Return a handler whose refusals become answers."""

        async def guarded(request: Request) -> Response:
            try:
                self._requests.enter(address(request))
                if request.method == "POST" and not allowed_origin(request, self._hub.config.origins):
                    raise Refused("forbidden", "This server does not take requests from that page.")
                return await handler(request)
            except Refused as error:
                self._hub.metrics.refused(error.code)
                return refuse(error)
            except StoreError:
                return refuse(Refused("storage", STORAGE, 1000))

        return guarded


def address(request: Request) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else ""


def caller(hub: Hub, request: Request) -> str:
    """Return who asks, or refuse."""
    who = identity(hub, request)
    if not who:
        raise Refused("no-identity", "Say who you are first: POST /api/me, or send a bot's token.")
    return who


async def handled(hub: Hub, room: Room, who: str, message: protocol.ClientMessage) -> int:
    """Do what a message asks, and return the step that it became."""
    done: asyncio.Future[tuple[Refused | None, int]] = asyncio.get_running_loop().create_future()
    hub.handle(room, who, message, lambda *result: done.set_result(result))
    refused, number = await done
    if refused is not None:
        raise refused
    return number

"""HTTP: what a handler is given, what it gives back, and the guard before every handler."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from bullpen.engine.misread import misread
from bullpen.server import protocol
from bullpen.server.doors.callers import address, identity
from bullpen.server.doors.door import Door, LimitName
from bullpen.server.doors.neighbours import PASSED_ON, Neighbours, Unreachable, Way
from bullpen.server.doors.neighbours import Request as PassedOn
from bullpen.server.errors import Moved, Refused
from bullpen.server.live.room import Room
from bullpen.server.live.rooms import STORAGE
from bullpen.server.store.interface import StoreError
from bullpen.server.tables import wire

Body = TypeVar("Body")
T = TypeVar("T")
VARIES = {"vary": "accept-encoding", "cache-control": "no-cache"}
PASSED_HEADERS = {b"cookie", b"authorization", b"host", b"user-agent"}
PATIENCE = 10.0
"""So many seconds a request waits for what it asked to be written."""

STATUS: dict[str, int] = {
    "malformed": 400, "bad-request": 400, "illegal": 409, "too-late": 409, "not-asked": 409, "closed": 409,
    "full": 409, "not-seated": 403, "not-host": 403, "forbidden": 403, "no-identity": 401, "too-fast": 429,
    "too-large": 413, "storage": 503, "unknown-table": 404, "unknown-record": 404, "unknown-game": 404,
    "cannot-replay": 409, "old-rules": 410, "busy": 503, "internal": 500, "confirm": 409,
    "banned": 403, "password": 403, "sign-up-closed": 403,
}  # fmt: skip


class Call(Generic[Body]):
    """One request: what was sent along, and who sent it."""

    def __init__(self, door: Door, request: Request, body: Body) -> None:
        self.door = door
        self.hub = door.hub
        self.request = request
        self.body = body

    @property
    def who(self) -> str:
        """Who asks; "" for nobody."""
        return identity(self.hub, self.request)

    @property
    def address(self) -> str:
        """Where the request comes from."""
        return address(self.request)

    def somebody(self) -> str:
        """Return who asks, or refuse."""
        if not self.who:
            raise Refused("no-identity", "Say who you are first: POST /api/me, or send a bot's token.")
        return self.who

    def named(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    async def room(self) -> Room:
        """Return the room that the path names."""
        room = await self.door.find(self.named("name"), self.address, self.who)
        self.door.check_password(room, self.who)
        return room

    async def settled(self, room: Room) -> None:
        """Wait until all that happened at a table is on disk, for nobody hears of it before."""
        await _soon(room.on_disk())

    async def do(self, room: Room, who: str, message: protocol.ClientMessage) -> int:
        """Do what a message asks, and return the step that it became."""
        self.door.charge(who, message)
        done: asyncio.Future[tuple[Refused | None, int]] = asyncio.get_running_loop().create_future()
        self.hub.handle(room, who, message, lambda *said: None if done.done() else done.set_result(said))
        refused, number = await _soon(done)
        if refused is not None:
            raise refused
        return number


async def _soon(done: Awaitable[T]) -> T:
    """Wait for the store, but not for ever: it may be at fault."""
    try:
        return await asyncio.wait_for(done, PATIENCE)
    except TimeoutError:
        raise Refused("storage", STORAGE, 1000) from None


Handler: TypeAlias = Callable[[Call[Any]], Awaitable[object]]


class Endpoint(Struct, frozen=True, kw_only=True):
    """Everything about one thing that can be asked for: routes and description both follow from it."""

    method: Literal["GET", "POST"] = "GET"
    path: str
    handler: Handler
    """Returns what is to be sent as JSON, or a whole response."""
    says: str
    result: tuple[type, ...] = ()
    """The types of what is sent; none for a JSON object of a kind of its own."""
    body: type | None = None
    """The type that the body must have; None where the handler reads it or wants none."""
    status: int = 200
    media: str = "application/json"
    query: tuple[str, ...] = ()
    """Parameters behind the question mark, described in the description of the interface."""
    known: bool = False
    """Whether it matters who asks."""
    refusals: tuple[int, ...] = ()
    """The states of its own refusals, beside those that follow from the rest."""
    limit: LimitName | None = None
    """What it counts against, beside all requests."""


def routes(door: Door, endpoints: Iterable[Endpoint]) -> list[Route]:
    """Return the routes of a table of endpoints."""
    return [Route(each.path, _guarded(door, each), methods=[each.method]) for each in endpoints]


def _guarded(door: Door, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that asks first who may ask, from where and how often; refusals become answers."""

    async def guarded(request: Request) -> Response:
        try:
            # The name of the route is logged, and not the path: that may hold what only friends know.
            request.state.route = endpoint.path
            passed_on = PASSED_ON in request.scope
            if not passed_on:
                door.count_request(endpoint.limit, address(request))
                door.hosts.check_page(request)
            door.hub.moderation.check(address(request), identity(door.hub, request))
            raw = b"" if endpoint.body is None else await read_bytes(request, protocol.MOST_BYTES)
            body = None if endpoint.body is None else read(raw, endpoint.body)
            call = Call(door, request, body)
            if door.neighbours is None or passed_on:
                result = await endpoint.handler(call)
            else:
                result = await _wherever(door.neighbours, endpoint, call, raw)
        except Moved as error:
            if PASSED_ON in request.scope:
                # The door that it came through looks again where the table is.
                raise
            return refuse(error)
        except Refused as error:
            door.hub.metrics.refused(error.code)
            return refuse(error)
        except StoreError:
            return refuse(Refused("storage", STORAGE, 1000))
        return result if isinstance(result, Response) else answer(result, endpoint.status)

    return guarded


async def _wherever(neighbours: Neighbours, endpoint: Endpoint, call: Call[Any], body: bytes) -> object:
    """Answer a request here, or let the process answer it where its table lives."""

    async def there(way: Way, _: str) -> Response:
        request = call.request
        passed = PassedOn(
            method=request.method,
            path=request.scope["path"],
            query=request.scope["query_string"],
            headers=[pair for pair in request.scope["headers"] if pair[0] in PASSED_HEADERS],
            body=body,
            address=call.address,
            scheme=request.url.scheme,
        )
        answer = await way.ask(passed)
        if not answer.status:
            raise Unreachable
        return Response(answer.body, answer.status, dict(answer.headers))

    return await neighbours.patiently(lambda: endpoint.handler(call), there)


class Prepared:
    """An answer that is the same for everybody: encoded and compressed once."""

    def __init__(self, content: object) -> None:
        self._plain = wire.encode(content)
        self._packed = gzip.compress(self._plain, mtime=0)

    def response(self, request: Request) -> Response:
        """Return it as this client can read it."""
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self._plain, media_type="application/json", headers=VARIES)
        return Response(
            self._packed, media_type="application/json", headers={**VARIES, "content-encoding": "gzip"}
        )


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
    if error.code == "too-fast":
        # Whoever goes on all the same has to connect anew, and connections are counted before they cost much.
        response.headers["connection"] = "close"
    return response


def read(body: bytes, kind: type[Body]) -> Body:
    """Return the body of a request as that type."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refused("malformed", f"The body of this request cannot be used: {misread(error)}.") from None


async def read_bytes(request: Request, most: int) -> bytes:
    """Return the body of a request that is not too large."""
    body = bytearray()
    announced = request.headers.get("content-length", "0")
    try:
        if int(announced) > most:
            raise Refused("too-large", f"At most {most} bytes are taken here.")
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise Refused("too-large", f"At most {most} bytes are taken here.")
    except ClientDisconnect:
        # Nobody will read this answer, but the log will not call it a fault.
        raise Refused("malformed", "The request ended too early.") from None
    return bytes(body)

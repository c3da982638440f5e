"""The HTTP interface: games, tables, people, records, and bots that play from outside."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from bullpen.engine import BullpenError, Position
from bullpen.records import Record, replay, rules_of
from bullpen.rulesets import find, games
from bullpen.rulesets.pages import rules_page
from bullpen.server import protocol, wire
from bullpen.server.errors import Refused
from bullpen.server.hub import STORAGE, Hub
from bullpen.server.limits import Gate
from bullpen.server.people import COOKIE, YEAR, Identity
from bullpen.server.protocol import TableSummary
from bullpen.server.requests import clean_name
from bullpen.server.room import Room
from bullpen.server.sockets import allowed_origin, identity
from bullpen.server.store import RecordRow, StoreError
from bullpen.server.streams import Stream

T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Response]]

STATUS: dict[str, int] = {
    "malformed": 400, "bad-request": 400, "illegal": 409, "too-late": 409, "not-asked": 409, "closed": 409,
    "full": 409, "not-seated": 403, "not-host": 403, "forbidden": 403, "no-identity": 401, "too-fast": 429,
    "too-large": 413, "storage": 503, "unknown-table": 404, "unknown-record": 404, "unknown-game": 404,
    "internal": 500,
}  # fmt: skip
UPLOAD = 512 * 1024
MOST_RECORDS = 100
MOST_LISTED = 100
KEEP_ALIVE = 6.0


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


class Api:
    """The handlers; each does one thing and is listed in `routes`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        limits = hub.config.limits
        self._requests = Gate(limits.requests, time.monotonic)
        self._tables = Gate(limits.tables, time.monotonic)
        self._uploads = Gate(limits.uploads, time.monotonic)
        self._closing = asyncio.Event()

    def close(self) -> None:
        """End the streams of bots."""
        self._closing.set()

    def routes(self) -> list[Route]:
        """Return every path of the interface."""
        table = "/api/tables/{name}"
        record = "/api/records/{record}"
        return [
            Route("/api/games", self._guard(self.games)),
            Route("/api/games/{game}/rules", self._guard(self.rules)),
            Route("/api/me", self._guard(self.me)),
            Route("/api/me", self._guard(self.new_me), methods=["POST"]),
            Route("/api/tables", self._guard(self.lobby)),
            Route("/api/tables", self._guard(self.new_table), methods=["POST"]),
            Route(table, self._guard(self.table)),
            Route(f"{table}/seat", self._guard(self.sit), methods=["POST"]),
            Route("/api/records", self._guard(self.my_records)),
            Route("/api/records", self._guard(self.upload), methods=["POST"]),
            Route(record, self._guard(self.record)),
            Route(f"{record}/replay", self._guard(self.replay)),
            Route("/api/bot/token", self._guard(self.token), methods=["POST"]),
            Route("/api/bot/stream", self._guard(self.stream)),
            Route("/api/bot/tables/{name}/choice", self._guard(self.choose), methods=["POST"]),
        ]

    def _guard(self, handler: Handler) -> Handler:
        """Check where a request comes from and how often, and turn refusals into answers."""

        async def guarded(request: Request) -> Response:
            try:
                self._requests.enter(self._address(request))
                if request.method == "POST" and not allowed_origin(request, self._hub.config.origins):
                    raise Refused("forbidden", "This server does not take requests from that page.")
                return await handler(request)
            except Refused as error:
                self._hub.metrics.refused(error.code)
                return refuse(error)
            except StoreError:
                return refuse(Refused("storage", STORAGE, 1000))

        return guarded

    def _address(self, request: Request) -> str:
        return request.client.host if request.client else ""

    def _who(self, request: Request) -> str:
        who = identity(self._hub, request)
        if not who:
            raise Refused("no-identity", "Say who you are first: POST /api/me, or send a bot's token.")
        return who

    # Games and people.

    async def games(self, request: Request) -> Response:
        """Every game, and the bots' levels."""
        phrases = tuple(protocol.Phrase.__args__)  # type: ignore[attr-defined]
        return answer(protocol.Games(tuple(game_info(game) for game in games()), self._hub.levels, phrases))

    async def rules(self, request: Request) -> Response:
        """The rules of a game."""
        try:
            game = find(request.path_params["game"]).id
        except BullpenError as error:
            raise Refused("unknown-game", str(error)) from None
        return answer(protocol.Rules(game, rules_page(game)))

    async def me(self, request: Request) -> Response:
        """Who the caller is, and the running tables with a seat of theirs."""
        found = self._hub.signer.read(request.cookies.get(COOKIE, ""), "guest")
        if found is None:
            raise Refused("no-identity", "You have no name here yet: POST /api/me.")
        return answer(self._me(found))

    def _me(self, person: Identity) -> protocol.Me:
        rooms = [room for room in self._hub.rooms.values() if room.table.seat_of(person.who) is not None]
        return protocol.Me(
            person.name, self._hub.signer.sign(person, "link"), tuple(_summary(room) for room in rooms)
        )

    async def new_me(self, request: Request) -> Response:
        """Give the caller a name, or the identity of a private link."""
        wish = await read(request, protocol.NewMe)
        known = self._hub.signer.read(request.cookies.get(COOKIE, ""), "guest")
        if wish.key is not None:
            person = self._hub.signer.read(wish.key, "link")
            if person is None:
                raise Refused("forbidden", "That private link is not valid.")
        else:
            name = clean_name(wish.name or "Guest")
            token = self._hub.signer.new(name, "guest")
            person = self._hub.signer.read(token, "guest")
            assert person is not None
            if known is not None:
                person = Identity(known.who, name)
        response = answer(self._me(person))
        response.set_cookie(
            COOKIE,
            self._hub.signer.sign(person, "guest"),
            max_age=YEAR,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    # Tables.

    async def lobby(self, request: Request) -> Response:
        """The public tables, newest first."""
        public = [room for room in self._hub.rooms.values() if room.table.settings.privacy == "public"]
        public.sort(key=lambda room: room.table.steps[0].at, reverse=True)
        return answer(protocol.Lobby(tuple(_summary(room) for room in public[:MOST_LISTED])))

    async def new_table(self, request: Request) -> Response:
        """Make a table."""
        wish = await read(request, protocol.NewTable)
        who = identity(self._hub, request)
        if wish.name is not None:
            who = self._who(request)
        self._tables.enter(self._address(request))
        room = await self._hub.create(wish, who)
        return answer(await self._seated(room, who), 201)

    async def table(self, request: Request) -> Response:
        """A table by code or id."""
        room = await self._hub.find(request.path_params["name"])
        return answer(await self._seated(room, identity(self._hub, request)))

    async def _seated(self, room: Room, who: str) -> protocol.Seated:
        settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        room.when_settled(lambda: settled.set_result(None))
        await settled
        return protocol.Seated(room.teller(0).info(), room.table.seat_of(who))

    async def sit(self, request: Request) -> Response:
        """Take a seat."""
        wish = await read(request, protocol.JoinTable)
        who = self._who(request)
        room = await self._hub.find(request.path_params["name"])
        message_id = f"http-{self._hub.sources.table_id()}"
        message = protocol.Sit(id=message_id, name=wish.name, seat=wish.seat, nonce=wish.nonce)
        await self._handled(room, who, message)
        return answer(await self._seated(room, who))

    async def _handled(self, room: Room, who: str, message: protocol.ClientMessage) -> int:
        done: asyncio.Future[tuple[Refused | None, int]] = asyncio.get_running_loop().create_future()
        self._hub.handle(room, who, message, lambda *result: done.set_result(result))
        refused, number = await done
        if refused is not None:
            raise refused
        return number

    # Records.

    async def my_records(self, request: Request) -> Response:
        """The caller's finished games."""
        who = self._who(request)
        rows = await self._hub.committer.call(self._hub.store.records_of, who, MOST_RECORDS)
        found = [msgspec.json.decode(summary, type=protocol.RecordSummary) for summary, _ in rows]
        mine = [msgspec.structs.replace(item, seat=seat) for item, (_, seat) in zip(found, rows, strict=True)]
        return answer(protocol.Records(tuple(mine)))

    async def _record_text(self, request: Request) -> str:
        text = await self._hub.committer.call(self._hub.store.record, request.path_params["record"])
        if text is None:
            raise Refused("unknown-record", "There is no such record.")
        return text

    async def record(self, request: Request) -> Response:
        """A finished game as a file."""
        text = await self._record_text(request)
        name = "".join(
            letter for letter in request.path_params["record"] if letter.isalnum() or letter == "-"
        )
        headers = {"content-disposition": f'attachment; filename="bullpen-{name}.json"'}
        return Response(text, media_type="application/json", headers=headers)

    async def upload(self, request: Request) -> Response:
        """Keep a record that was made elsewhere, once it has been replayed to its end."""
        self._uploads.enter(self._address(request))
        body = await read_bytes(request, UPLOAD)
        try:
            record = await asyncio.to_thread(_checked, body)
        except BullpenError as error:
            raise Refused("bad-request", str(error)) from None
        name = f"up-{self._hub.sources.table_id()}"
        title = find(record.game).name
        now = self._hub.sources.now()
        summary = protocol.RecordSummary(name, record.game, title, record.names, now, record.result)
        who = identity(self._hub, request)
        row = RecordRow(
            name, record.game, now, wire.encode(summary), record.dumps(), ((who, -1),) if who else ()
        )
        await self._hub.save_record(row)
        return answer(summary, 201)

    async def replay(self, request: Request) -> Response:
        """Every moment of a finished game, through the eyes of a seat or with all cards open."""
        text = await self._record_text(request)
        seat = request.query_params.get("seat", "all")
        record = Record.loads(text)
        if seat not in ("all", "none") and not (seat.isdecimal() and int(seat) < record.players):
            raise Refused("bad-request", "`seat` is all, none, or the number of a seat.")
        content = await asyncio.to_thread(_replay, request.path_params["record"], record, seat)
        return Response(content, media_type="application/json")

    # Bots from outside.

    async def token(self, request: Request) -> Response:
        """Make a bot's identity."""
        wish = await read(request, protocol.NewToken)
        self._tables.enter(self._address(request))
        return answer(protocol.Token(self._hub.signer.new(clean_name(wish.name), "bot")), 201)

    async def stream(self, request: Request) -> Response:
        """The questions to a bot, a line each, as they come."""
        who = self._who(request)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self._lines(who), media_type="application/x-ndjson", headers=headers)

    async def _lines(self, who: str) -> AsyncIterator[bytes]:
        async with Stream(self._hub, who) as stream:
            async for line in stream.lines(self._closing, KEEP_ALIVE):
                yield line

    async def choose(self, request: Request) -> Response:
        """A bot's answer to a question."""
        wish = await read(request, protocol.BotChoice)
        who = self._who(request)
        room = await self._hub.find(request.path_params["name"])
        message_id = wish.id or f"bot-{wish.ask}-{wish.choice}"[:40]
        message = protocol.Choose(id=message_id, ask=wish.ask, choice=wish.choice)
        number = await self._handled(room, who, message)
        return answer(protocol.Ack(id=message_id, number=number))


def game_info(game: str) -> protocol.GameInfo:
    """Return a game of the gallery."""
    kind = find(game)
    options = tuple(
        protocol.OptionInfo(
            option.key, option.default, option.says, option.type, tuple(option.allowed), option.least
        )
        for option in kind.offers
    )
    return protocol.GameInfo(
        kind.id, kind.name, tuple(kind.player_counts({})), kind.source, kind.summary, options
    )


def _summary(room: Room) -> TableSummary:
    table = room.table
    return TableSummary(
        table.code,
        table.rules.id,
        table.rules.name,
        table.phase,
        len(table.chairs),
        sum(chair.open for chair in table.chairs),
        tuple(chair.name for chair in table.chairs if not chair.open),
        room.watching(),
    )


def _checked(body: bytes) -> Record:
    record = Record.loads(body)
    for _ in replay(record):
        pass
    return record


def _replay(name: str, record: Record, seat: str) -> bytes:
    rules = rules_of(record)
    viewer = None if seat in ("all", "none") else int(seat)

    def look(position: Position) -> protocol.ViewInfo:
        if seat == "all":
            return wire.whole_view(position)
        return wire.view_info(rules, position, viewer)

    moments = []
    for moment in replay(record):
        seen: list[Any] = [
            fact for event in moment.events
            if (fact := event if seat == "all" else event.seen_by(viewer)) is not None
        ]  # fmt: skip
        choice = None if moment.choice is None else moment.choice.notation
        moments.append(
            protocol.Moment(
                moment.seat, choice, tuple(seen), look(moment.position), wire.waiting(moment.position)
            )
        )
    return wire.encode(
        protocol.Replay(
            name, rules.id, rules.name, rules.options, record.names, record.result, tuple(moments)
        )
    )

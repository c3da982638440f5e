"""Records over HTTP: my games, downloads, uploads and replays."""

import asyncio
import time
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bullpen.engine import BullpenError, Position
from bullpen.records import Record, check, replay, rules_of
from bullpen.rulesets import find
from bullpen.server import protocol
from bullpen.server.doors.callers import identity
from bullpen.server.doors.http import Guard, address, answer, caller, read_bytes
from bullpen.server.errors import Refused
from bullpen.server.limits import Gate
from bullpen.server.live.hub import Hub
from bullpen.server.store.sqlite import RecordRow
from bullpen.server.tables import wire

UPLOAD = 512 * 1024
MOST_RECORDS = 100


class RecordsApi:
    """The handlers for records."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._uploads = Gate(hub.config.limits.uploads, time.monotonic)

    def routes(self, guard: Guard) -> list[Route]:
        """Return the paths of records."""
        record = "/api/records/{record}"
        return [
            Route("/api/records", guard(self.my_records)),
            Route("/api/records", guard(self.upload), methods=["POST"]),
            Route(record, guard(self.record)),
            Route(f"{record}/replay", guard(self.replay)),
        ]

    async def my_records(self, request: Request) -> Response:
        """The caller's finished games."""
        who = caller(self._hub, request)
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
        self._uploads.enter(address(request))
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


def _checked(body: bytes) -> Record:
    record = Record.loads(body)
    check(record)
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

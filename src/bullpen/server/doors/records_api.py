"""Records over HTTP: my games, downloads, uploads and replays."""

import asyncio
from typing import Any

import msgspec
from starlette.responses import Response

from bullpen.engine import BullpenError, Position
from bullpen.records import Record, check, rules_of
from bullpen.records import replay as replayed
from bullpen.rulesets import find
from bullpen.server import protocol
from bullpen.server.doors.http import Call, read_bytes
from bullpen.server.errors import Refused
from bullpen.server.store.sqlite import RecordRow
from bullpen.server.tables import wire

UPLOAD = 512 * 1024
MOST_RECORDS = 100


async def my_records(call: Call[None]) -> protocol.Records:
    """The caller's finished games."""
    rows = await call.hub.committer.call(call.hub.store.records_of, call.somebody(), MOST_RECORDS)
    found = [msgspec.json.decode(summary, type=protocol.RecordSummary) for summary, _ in rows]
    mine = [msgspec.structs.replace(item, seat=seat) for item, (_, seat) in zip(found, rows, strict=True)]
    return protocol.Records(tuple(mine))


async def _text(call: Call[None]) -> str:
    text = await call.hub.committer.call(call.hub.store.record, call.named("record"))
    if text is None:
        raise Refused("unknown-record", "There is no such record.")
    return text


async def record(call: Call[None]) -> Response:
    """A finished game as a file."""
    text = await _text(call)
    name = "".join(letter for letter in call.named("record") if letter.isalnum() or letter == "-")
    headers = {"content-disposition": f'attachment; filename="bullpen-{name}.json"'}
    return Response(text, media_type="application/json", headers=headers)


async def upload(call: Call[None]) -> protocol.RecordSummary:
    """Keep a record that was made elsewhere, once it has been replayed to its end."""
    body = await read_bytes(call.request, UPLOAD)
    try:
        record = await asyncio.to_thread(_checked, body)
    except BullpenError as error:
        raise Refused("bad-request", str(error)) from None
    name = f"up-{call.hub.sources.table_id()}"
    now = call.hub.sources.now()
    title = find(record.game).name
    summary = protocol.RecordSummary(name, record.game, title, record.names, now, record.result)
    people = ((call.who, -1),) if call.who else ()
    row = RecordRow(name, record.game, now, wire.encode(summary), record.dumps(), people)
    await call.hub.save_record(row)
    return summary


async def replay(call: Call[None]) -> Response:
    """Every moment of a finished game, through the eyes of a seat or with all cards open."""
    text = await _text(call)
    seat = call.request.query_params.get("seat", "all")
    record = Record.loads(text)
    if seat not in ("all", "none") and not (seat.isdecimal() and int(seat) < record.players):
        raise Refused("bad-request", "`seat` is all, none, or the number of a seat.")
    content = await asyncio.to_thread(_replay, call.named("record"), record, seat)
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
    for moment in replayed(record):
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

"""Records over HTTP: my games, downloads, uploads and replays."""

from typing import Any

import msgspec
from starlette.responses import Response

from bullpen.server import protocol
from bullpen.server.doors.http import VARIES, Call, read_bytes
from bullpen.server.doors.reading import Check, Page
from bullpen.server.errors import Refused
from bullpen.server.store.interface import RecordRow
from bullpen.server.tables import wire

MOST_RECORDS = 100
MOST_DIGITS = 7


async def my_records(call: Call[None]) -> protocol.Records:
    """The caller's finished games."""
    rows = await call.hub.writer.call(call.hub.store.records_of, call.somebody(), MOST_RECORDS)
    found = [msgspec.json.decode(summary, type=protocol.RecordSummary) for summary, _ in rows]
    mine = [msgspec.structs.replace(item, seat=seat) for item, (_, seat) in zip(found, rows, strict=True)]
    return protocol.Records(tuple(mine))


async def text_of(call: Call[Any]) -> str:
    """Return the record that the path names."""
    text = await call.hub.writer.call(call.hub.store.record, call.named("record"))
    if text is None:
        raise Refused("unknown-record", "There is no such record.")
    return text


async def record(call: Call[None]) -> Response:
    """A finished game as a file."""
    text = await text_of(call)
    name = "".join(letter for letter in call.named("record") if letter.isalnum() or letter == "-")
    headers = {"content-disposition": f'attachment; filename="bullpen-{name}.json"'}
    return Response(text, media_type="application/json", headers=headers)


async def upload(call: Call[None]) -> protocol.RecordSummary:
    """Keep a record that was made elsewhere, once it has been replayed to its end."""
    limits = call.hub.config.limits
    body = await read_bytes(call.request, limits.upload_bytes)
    checked = await call.door.library.check(Check(body, limits.record_choices))
    name, now = f"up-{call.hub.sources.table_id()}", call.hub.sources.now()
    summary = msgspec.structs.replace(checked.summary, id=name, finished=now)
    people = ((call.who, -1),) if call.who else ()
    await call.hub.save_record(RecordRow(name, summary.game, now, wire.encode(summary), checked.text, people))
    return summary


async def replay(call: Call[None]) -> Response:
    """Moments of a finished game, through the eyes of a seat or with all cards open."""
    limits, asked = call.hub.config.limits, call.request.query_params
    compressed = "gzip" in call.request.headers.get("accept-encoding", "")
    page = Page(
        name=call.named("record"),
        text=await text_of(call),
        seat=asked.get("seat", "all"),
        first=_number(asked.get("from", "0")),
        moments=limits.page_moments,
        size=limits.page_bytes,
        most_choices=limits.replay_choices,
        compressed=compressed,
    )
    headers = {**VARIES, **({"content-encoding": "gzip"} if compressed else {})}
    return Response(await call.door.library.page(page), media_type="application/json", headers=headers)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        raise Refused("bad-request", "`from` is the number of a moment.")
    return int(text)

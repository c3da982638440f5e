"""Hints, reviews and games played on from a moment, over HTTP."""

from typing import Any, Literal

import msgspec
from starlette.responses import Response

from bullpen.engine import BullpenError, view
from bullpen.records import Record, rules_of
from bullpen.server import protocol
from bullpen.server.doors.http import Call
from bullpen.server.doors.records_api import text_of
from bullpen.server.errors import Refused
from bullpen.server.live.analysis_process import HintJob, ReviewJob
from bullpen.server.live.analyst import HINT_SECONDS, VERSION, Inquiry
from bullpen.server.live.bots import stand_in
from bullpen.server.live.room import Room
from bullpen.server.tables import steps, wire

OFF = "This server gives no hints and no reviews."
NOTHING_LEFT = "There is nothing left to decide there; go back to an earlier moment."
TOO_LONG = "This game is too long to be played on here; its record can be downloaded."


async def hint(call: Call[protocol.HintWish]) -> Response:
    """A hint for the caller's open question, worked out from the caller's view alone."""
    _check_on(call)
    who, room, asked = call.somebody(), await call.room(), call.body.ask
    await call.settled(room)
    seat = room.table.seat_of(who)
    key = f"{room.table.id}/{room.table.played}/{asked}/{seat}"
    inquiry = call.door.analyst.known(key)
    if inquiry is None:
        _count(call, "hints", who)
        # The note is written down first: a hint that was given cannot be denied.
        await call.do(room, who, protocol.AskHint(id=f"hint-{asked}", ask=asked))
        await call.settled(room)
        inquiry = call.door.analyst.begin(key, who, call.address, _job(room, who, asked))
    found = await call.door.analyst.wait(inquiry)
    return _state("hint", inquiry, found)


def _job(room: Room, who: str, asked: int) -> HintJob:
    table = room.table
    seat, position = table.seat_of(who), table.position
    if seat is None or position is None or table.asked != asked:
        raise Refused("too-late", "That question is answered already.")
    against = tuple(chair.level for chair in table.chairs)
    return HintJob(asked, view(table.rules, position, seat), against, HINT_SECONDS)


async def review(call: Call[None]) -> Response:
    """The review of a finished game: the one that is kept, or how far a new one is."""
    _check_on(call)
    name, hub, analyst = call.named("record"), call.hub, call.door.analyst
    kept = await hub.writer.call(hub.store.review, name, VERSION)
    if kept is not None:
        return _answer("review", 0, 1.0, None, kept)
    inquiry = analyst.known(name)
    if inquiry is None:
        text = await text_of(call)
        _count(call, "reviews", call.who or call.address)
        limits = hub.config.limits
        job = ReviewJob(text, limits.review_choices, hub.config.analysis_seconds)
        inquiry = analyst.known(name) or analyst.begin(name, call.who, call.address, job)
    return _state("review", inquiry, await analyst.wait(inquiry))


def _check_on(call: Call[Any]) -> None:
    if not call.door.analyst.on:
        raise Refused("closed", OFF)


def _count(call: Call[Any], limit: Literal["hints", "reviews"], who: str) -> None:
    call.door.count("analyses", call.address)
    call.door.count(limit, who)


def _state(kind: str, inquiry: Inquiry, found: bytes | None) -> Response:
    return _answer(kind, inquiry.place, inquiry.done, inquiry.parts, found)


def _answer(kind: str, place: int, done: float, parts: int | None, found: bytes | None) -> Response:
    content = None if found is None else msgspec.Raw(found)
    told = {"place": place, "done": round(done, 3), "parts": parts, kind: content}
    return Response(wire.encode(told), media_type="application/json")


async def try_on(call: Call[protocol.TryWish]) -> protocol.Seated:
    """A table of the caller's own that goes on from a moment of a finished game, with bots on the others."""
    wish, who = call.body, call.somebody()
    call.door.check_room()
    record = Record.loads(await text_of(call))
    if len(record.choices) > call.hub.config.limits.review_choices:
        raise Refused("cannot-replay", TOO_LONG)
    if wish.seat >= record.players:
        raise Refused("bad-request", f"There is no seat {wish.seat}: {record.players} play.")
    if wish.moment >= len(record.choices):
        raise Refused("bad-request", NOTHING_LEFT)
    try:
        options = dict(rules_of(record).options)
    except BullpenError as error:
        raise Refused("cannot-replay", str(error)) from None
    table = protocol.NewTable(
        game=record.game,
        players=record.players,
        name=wish.name,
        options=options,
        bots=(wish.level or stand_in(call.hub.levels),) * (record.players - 1),
        settings=protocol.Settings(privacy="private", take_over=False),
        start=True,
    )
    # What came later, who played and how it was dealt is nothing that this table needs to keep.
    record.choices, record.names, record.fair, record.result = record.choices[: wish.moment], (), [], None
    record.hints = []
    room = await call.hub.create(table, who, steps.Origin(record.dumps(), wish.moment, wish.seat))
    await call.settled(room)
    return protocol.Seated(room.teller(0).info(), room.table.seat_of(who))

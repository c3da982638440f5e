"""A process that reads records: checks those that are brought, replays those that are kept.

Requests come in on standard input and answers go out on standard output, each a length and a body. It has no
store and no socket, so whatever a record does to it, no table notices.
"""

import contextlib
import gzip
import itertools
import os
import signal
import struct
import sys
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, BinaryIO, TypeAlias

import msgspec
from msgspec import Struct

from bullpen.engine import BullpenError, Position, Ruleset
from bullpen.records import Moment, Record, check, replay, rules_of
from bullpen.server import protocol
from bullpen.server.errors import Refused
from bullpen.server.tables import wire
from bullpen.server.tables.names import clean_name

LENGTH = struct.Struct("!I")
MOST_LETTERS_OUTSIDE = 80
"""Elsewhere people may have longer names than at our tables."""
TOO_LONG = "This game is too long to be shown here; its record can be downloaded."
OPEN_REPLAYS = 8
"""So many replays stay open where their reader stopped, for the next page."""


class Check(Struct, frozen=True, tag=True):
    """A record that somebody brings."""

    body: bytes
    most_choices: int


class Page(Struct, frozen=True, tag=True):
    """A part of a replay that is wanted, through the eyes of `seat`."""

    name: str
    text: str
    seat: str
    first: int
    moments: int
    """At most so many moments."""
    size: int
    """At most about so many bytes."""
    most_choices: int
    compressed: bool


class Checked(Struct, frozen=True, tag=True):
    """A record that holds what it says, as it is to be kept; `summary` still lacks an id and a time."""

    text: str
    summary: protocol.RecordSummary


class Content(Struct, frozen=True, tag=True):
    """The bytes of an answer."""

    body: bytes


class No(Struct, frozen=True, tag=True):
    """Why not."""

    code: protocol.ErrorCode
    says: str


Job: TypeAlias = Check | Page
Answer: TypeAlias = Checked | Content | No


class Reader:
    """Does one job after another."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[str, int], Iterator[Moment]] = OrderedDict()

    def do(self, job: Job) -> Answer:
        """Return the answer to a job; a record that is wrong is answered with a sentence."""
        try:
            return checked(job) if isinstance(job, Check) else Content(self._page(job))
        except Refused as error:
            return No(error.code, error.says)
        except BullpenError as error:
            return No("bad-request" if isinstance(job, Check) else "cannot-replay", str(error))

    def _page(self, job: Page) -> bytes:
        record = Record.loads(job.text)
        if len(record.choices) > job.most_choices:
            raise Refused(
                "cannot-replay", "This game is too long to be shown here; its record can be downloaded."
            )
        if job.seat not in ("all", "none") and not _is_seat(job.seat, record.players):
            raise Refused("bad-request", "`seat` is all, none, or the number of a seat.")
        rules = _playable(record)
        moments = []
        size = 0
        going_on = self._from(job.name, record, job.first)
        for moment in itertools.islice(going_on, job.moments):
            moments.append(msgspec.Raw(wire.encode(told(rules, moment, job.seat))))
            size += len(moments[-1])
            if size > job.size:
                break
        if job.first + len(moments) <= len(record.choices):
            self._keep(job.name, job.first + len(moments), going_on)
        page = protocol.Replay(
            id=job.name,
            game=rules.id,
            behaviour=rules.behaviour,
            title=rules.name,
            options=rules.options,
            names=record.names,
            result=record.result,
            first=job.first,
            total=len(record.choices) + 1,
            moments=moments,  # type: ignore[arg-type]
        )
        body = wire.encode(page)
        return gzip.compress(body, 6, mtime=0) if job.compressed else body

    def _from(self, name: str, record: Record, first: int) -> Iterator[Moment]:
        """Return a replay that goes on at a moment: one that stopped there, or a new one."""
        going_on = self._open.pop((name, first), None)
        return going_on or itertools.islice(replay(record), first, None)

    def _keep(self, name: str, place: int, going_on: Iterator[Moment]) -> None:
        self._open[name, place] = going_on
        if len(self._open) > OPEN_REPLAYS:
            self._open.popitem(last=False)


def _is_seat(text: str, players: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 2 and int(text) < players


def _playable(record: Record) -> Ruleset[Any]:
    try:
        return rules_of(record)
    except BullpenError as error:
        says = f"This server cannot replay that game: {error} Its record can be downloaded."
        raise Refused("cannot-replay", says) from None


def checked(job: Check) -> Checked:
    """Return a record that was replayed to its end, as it is to be kept."""
    record = Record.loads(job.body)
    if len(record.choices) > job.most_choices:
        raise Refused("too-large", f"At most {job.most_choices} choices are taken in a record.")
    record.names = tuple(clean_name(name, MOST_LETTERS_OUTSIDE) for name in record.names)
    rules = rules_of(record)
    check(record)
    summary = protocol.RecordSummary("", rules.id, rules.name, record.names, 0, record.result)
    return Checked(record.dumps(), summary)


def told(rules: Ruleset[Any], moment: Moment, seat: str) -> protocol.Moment:
    """Return a moment as it is shown to a seat, a spectator or with all cards open."""
    viewer = None if seat in ("all", "none") else int(seat)

    def look(position: Position) -> protocol.ViewInfo:
        return wire.whole_view(position) if seat == "all" else wire.view_info(rules, position, viewer)

    seen: list[Any] = [
        fact for event in moment.events
        if (fact := event if seat == "all" else event.seen_by(viewer)) is not None
    ]  # fmt: skip
    choice = None if moment.choice is None else moment.choice.notation
    return protocol.Moment(
        moment.seat, choice, tuple(seen), look(moment.position), wire.waiting(moment.position)
    )


def _send(out: BinaryIO, body: bytes) -> None:
    out.write(LENGTH.pack(len(body)) + body)
    out.flush()


def main() -> None:
    """Do jobs until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    read: Any = msgspec.msgpack.Decoder(Job).decode
    reader = Reader()
    while head := inbox.read(LENGTH.size):
        (length,) = LENGTH.unpack(head)
        _send(outbox, msgspec.msgpack.encode(reader.do(read(inbox.read(length)))))


if __name__ == "__main__":
    # Whoever stops the server stops this: a closed pipe is the end, not a fault.
    with contextlib.suppress(BrokenPipeError):
        main()

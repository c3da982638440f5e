"""The index: which tables there are in all processes, for the lobby and for everybody's own list.

A process answers for its own tables from memory, and tells the others every second what has changed of the
few things that they may know. So what another process lists may be a second old, and costs no choice more.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from bullpen.rulesets import find
from bullpen.server import protocol
from bullpen.server.live.hub import Hub
from bullpen.server.live.owners import Owners
from bullpen.server.live.room import Room
from bullpen.server.store.interface import HeadRow, StoreError
from bullpen.server.tables.remains import Remains
from bullpen.server.tables.steps import Chair
from bullpen.server.tables.wire import encode

MOST_LISTED = 100
LISTED_SECONDS = 600.0
"""So long the lobby lists a table that nobody is connected to."""
EVERY = 1.0
"""So many seconds apart a process tells others what has changed, and so long it believes what they told."""


class Line(Struct, frozen=True):
    """A table as it is listed, and when it was made."""

    created: int
    summary: protocol.TableSummary


Lines: TypeAlias = dict[str, Line]
"""Lines by table."""


class Head(Struct, frozen=True):
    """What the others are told of a table."""

    line: Line
    people: tuple[str, ...]
    watched: bool


class Index:
    """Lists the tables of this process and of all others."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._process = ""
        self._told: dict[str, tuple[Head, float]] = {}
        """What was told of each table, and when."""
        self._lobby: tuple[float, Lines] = (-EVERY, {})

    # Asking.

    async def lobby(self) -> list[protocol.TableSummary]:
        """Return the public tables, newest first."""
        now, owners = self._hub.sources.monotonic(), self._hub.owners
        if owners is not None and now - self._lobby[0] >= EVERY:
            # Everybody asks for the same, so it is read once a second at most.
            self._lobby = now, await _told(owners, owners.registry.lobby, MOST_LISTED)
        here = {
            room.table.id: _line(room) for room in self._hub.rooms.values() if _seconds_listed(room, now) > 0
        }
        lines = sorted(self._with(self._lobby[1], here), key=lambda line: line.created, reverse=True)
        return [line.summary for line in lines[:MOST_LISTED]]

    async def tables_of(self, who: str) -> list[protocol.TableSummary]:
        """Return the tables on somebody's list, in the order in which they were made."""
        owners = self._hub.owners
        elsewhere = {} if owners is None else await _told(owners, owners.registry.tables_of, who)
        here = {room.table.id: _line(room) for room in self._hub.rooms.values() if who in _people(room)}
        left = [_old_line(each) for each in self._hub.rooms.left.values() if who in _sitting(each.chairs)]
        lines = [*self._with(elsewhere, here), *left]
        return [line.summary for line in sorted(lines, key=lambda line: line.created)]

    def _with(self, elsewhere: Lines, here: Lines) -> list[Line]:
        """Return all lines; of a table that is here only what is known here counts."""
        return [line for table, line in elsewhere.items() if self._hub.rooms.get(table) is None] + list(
            here.values()
        )

    # Telling.

    async def tell(self) -> None:
        """Tell other processes what has changed, a moment from now."""
        await asyncio.sleep(EVERY)
        if self._hub.owners is not None and self._hub.owners.held:
            await self._tell(self._hub.owners)

    async def _tell(self, owners: Owners) -> None:
        if owners.process != self._process:
            # What was told under another name may be told otherwise by now.
            self._process, self._told = owners.process, {}
        now = self._hub.sources.monotonic()
        heads = {
            room.table.id: (_head(room), room)
            for room in self._hub.rooms.values()
            if room.committed and room.settled
        }
        new = {table: each for table, each in heads.items() if self._is_news(table, each[0], now)}
        if not new:
            return
        rows = [_row(head, room, now) for head, room in new.values()]
        # What cannot be told now is told with the next news.
        with contextlib.suppress(StoreError):
            await owners.call(owners.registry.publish, self._process, rows)
            self._told = {table: told for table, told in self._told.items() if table in heads}
            self._told |= {table: (head, now) for table, (head, _) in new.items()}

    def _is_news(self, table: str, head: Head, now: float) -> bool:
        told, at = self._told.get(table, (None, 0.0))
        return told != head or (head.watched and now - at > LISTED_SECONDS / 2)


async def _told(owners: Owners, ask: Callable[..., list[tuple[str, bytes]]], *values: Any) -> Lines:
    """Return what other processes have told; nothing while that cannot be read."""
    try:
        rows = await owners.call(ask, *values)
    except StoreError:
        return {}
    return {table: msgspec.json.decode(line, type=Line) for table, line in rows}


def _seconds_listed(room: Room, now: float) -> float:
    """Return for how much longer the lobby lists a table if nobody comes."""
    if room.table.settings.privacy != "public":
        return 0.0
    if room.listeners:
        return LISTED_SECONDS
    return 0.0 if room.table.phase == "over" else room.visited + LISTED_SECONDS - now


def _people(room: Room) -> tuple[str, ...]:
    """Return who has a seat, and still wants to know of it."""
    return _sitting(room.table.chairs)


def _sitting(chairs: Sequence[Chair]) -> tuple[str, ...]:
    return tuple(chair.who for chair in chairs if chair.who and not chair.forgotten)


def _old_line(left: Remains) -> Line:
    """Return the line of a table that cannot go on."""
    made, chairs = left.created, left.chairs
    taken = [seat for seat, chair in enumerate(chairs) if not chair.open]
    names = tuple(chairs[seat].name for seat in taken)
    title = find(made.game).name
    return Line(
        made.at,
        protocol.TableSummary(made.code, made.game, title, "old", len(chairs), 0, names, tuple(taken), 0),
    )


def _line(room: Room) -> Line:
    return Line(room.table.created.at, summary(room))


def _head(room: Room) -> Head:
    return Head(_line(room), _people(room), bool(room.listeners))


def _row(head: Head, room: Room, now: float) -> HeadRow:
    listed = max(0, round(1000 * _seconds_listed(room, now)))
    return HeadRow(room.table.id, room.epoch, encode(head.line), head.people, listed)


def summary(room: Room) -> protocol.TableSummary:
    """Return a line of the lobby."""
    table = room.table
    return protocol.TableSummary(
        table.code,
        table.rules.id,
        table.rules.name,
        table.phase,
        len(table.chairs),
        sum(chair.open for chair in table.chairs),
        tuple(chair.name for chair in table.chairs if not chair.open),
        tuple(seat for seat, chair in enumerate(table.chairs) if not chair.open),
        room.watching(),
    )

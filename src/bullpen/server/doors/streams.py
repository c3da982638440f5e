"""Streams: the questions to a bot from outside, a line of JSON each."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

from bullpen.server.errors import TURNED_AWAY
from bullpen.server.live.hub import Hub
from bullpen.server.live.room import Room
from bullpen.server.live.visits import join, part
from bullpen.server.protocol import BotAsk, BotOver
from bullpen.server.tables.wire import ask_info, encode, record_id, view_info

MOST_LINES = 1000


class Stream:
    """Listens at every table where a bot sits."""

    def __init__(self, hub: Hub, who: str, address: str, device: str = "") -> None:
        self.who = who
        self.address = address
        self.device = device
        self.sent: int | None = None
        self._hub = hub
        self._rooms: set[Room] = set()
        self._told: dict[str, int] = {}
        """The latest ask, or as a negative number the latest finished game, by table."""
        self._lines: deque[bytes] = deque(maxlen=MOST_LINES)
        self._news = asyncio.Event()
        self._ended = False

    async def __aenter__(self) -> Self:
        self._hub.streams.setdefault(self.who, set()).add(self)
        try:
            for room in list(self._hub.rooms.values()):
                self.look(room)
        except BaseException:
            self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def _leave(self) -> None:
        streams = self._hub.streams[self.who]
        streams.discard(self)
        if not streams:
            del self._hub.streams[self.who]
        rooms, self._rooms = self._rooms, set()
        for room in rooms:
            room.listeners.discard(self)
        for room in rooms:
            part(self._hub, room, self)

    def push(self, text: str) -> None:
        """A stream carries questions only."""

    def hang_up(self, code: int = TURNED_AWAY) -> None:
        """End: the bot was turned away."""
        self.end()

    def move_on(self, room: Room) -> None:
        """Ask again what was asked at a table that moves: the answer may not have been written."""
        self._rooms.discard(room)
        self._told.pop(room.table.id, None)

    def look(self, room: Room) -> None:
        """Write down what is new for the bot at a table."""
        seat = room.table.seat_of(self.who)
        if seat is None or not room.settled:
            return
        if room not in self._rooms:
            self._rooms.add(room)
            join(self._hub, room, self, 0)
            self.sent = None
        line = self._over(room, seat) if room.table.phase == "over" else self._question(room, seat)
        if line is not None:
            self._lines.append(line)
            self._news.set()

    def _question(self, room: Room, seat: int) -> bytes | None:
        table = room.table
        position, ask = table.position, table.ask_of(seat)
        if ask is None or position is None or position.answer_to(ask) is not None:
            return None
        if self._told.get(table.id) == table.asked:
            return None
        self._told[table.id] = table.asked
        left = room.left(self._hub.sources.monotonic())
        seen = view_info(table.rules, position, seat)
        question = ask_info(table.asked, ask)
        return encode(
            BotAsk(
                table=table.code,
                game=table.rules.id,
                seat=seat,
                ask=question,
                view=seen,
                left=left and max(0, left),
            )
        )

    def _over(self, room: Room, seat: int) -> bytes | None:
        table = room.table
        if table.position is None or table.position.result is None:
            return None
        if self._told.get(table.id) == -table.played:
            return None
        self._told[table.id] = -table.played
        record = record_id(table, table.played)
        return encode(BotOver(table.code, table.rules.id, seat, table.position.result, record))

    def bring(self, line: bytes) -> None:
        """Take a line from another process where the bot sits."""
        self._lines.append(line.rstrip(b"\n"))
        self._news.set()

    def end(self) -> None:
        """Let the lines end."""
        self._ended = True
        self._news.set()

    async def lines(self, keep_alive: float) -> AsyncIterator[bytes]:
        """Yield lines as they come, and an empty one now and then to show that the stream lives."""
        while not self._ended:
            self._news.clear()
            while self._lines:
                yield self._lines.popleft() + b"\n"
            try:
                await asyncio.wait_for(self._news.wait(), keep_alive)
            except TimeoutError:
                self._part_where_unseated()
                yield b"\n"

    def _part_where_unseated(self) -> None:
        """Leave the tables where the bot has no seat any more."""
        for room in [room for room in self._rooms if room.table.seat_of(self.who) is None]:
            self._rooms.discard(room)
            self._told.pop(room.table.id, None)
            part(self._hub, room, self)

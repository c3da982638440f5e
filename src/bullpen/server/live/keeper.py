"""The keeper: looks after rooms by itself, with clocks that run out and bots that choose."""

import asyncio
from typing import Literal, TypeAlias

from bullpen.engine import Ask, view
from bullpen.server.live import bots
from bullpen.server.live.hub import Hub
from bullpen.server.live.room import Room
from bullpen.server.tables import steps
from bullpen.server.tables.wire import deadline

By: TypeAlias = Literal["bot", "clock"]


class Keeper:
    """Arranges what happens at a table without anybody's message."""

    def __init__(self, hub: Hub, pool: bots.Pool) -> None:
        self._hub = hub
        self._pool = pool
        self._tasks: set[asyncio.Task[None]] = set()
        self._stand_in = bots.stand_in(hub.levels)
        hub.arrange = self.arrange

    def arrange(self, room: Room) -> None:
        """Set the clock and let the bots think that are being asked."""
        if not room.settled:
            return
        self._set_clock(room)
        position = room.table.position
        if position is None or room.table.phase != "playing":
            return
        if not room.listeners and not room.table.settings.clock:
            # Bots do not play for an empty room; they go on when somebody comes.
            return
        for ask in position.open_asks:
            seat = self._bot_for(room, ask)
            if seat is not None:
                self._think(room, ask, seat, "bot")

    def _bot_for(self, room: Room, ask: Ask) -> int | None:
        """Return the seat that a bot answers for, unless a person is expected to."""
        chairs = room.table.chairs
        if any(chairs[seat].person for seat in ask.seats):
            return None
        return ask.seats[0]

    def _set_clock(self, room: Room) -> None:
        if room.clock is not None:
            room.clock.cancel()
            room.clock = None
        end = deadline(room.table)
        if end is not None:
            seconds = max(0.0, (end - self._hub.sources.now()) / 1000)
            room.clock = asyncio.get_running_loop().call_later(seconds, self._time_up, room, room.table.asked)

    def _time_up(self, room: Room, asked: int) -> None:
        """Choose for everybody who has not answered."""
        table = room.table
        position = table.position
        if table.asked != asked or position is None:
            return
        for ask in position.open_asks:
            leading = next(iter(table.votes.items()), None) if len(ask.seats) > 1 else None
            if leading is not None:
                seat, choice = leading
                now = self._hub.sources.now()
                self._hub.do(room, steps.Chosen(at=now, seat=seat, choice=choice, by="clock"))
            elif self._bot_for(room, ask) is None:
                self._think(room, ask, ask.seats[0], "clock")

    def _think(self, room: Room, ask: Ask, seat: int, by: By) -> None:
        key = (room.table.asked, seat)
        if key not in room.thinking:
            room.thinking.add(key)
            task = asyncio.create_task(self._choose(room, ask, seat, by))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _choose(self, room: Room, ask: Ask, seat: int, by: By) -> None:
        table, asked = room.table, room.table.asked
        assert table.game is not None
        job = bots.Job(
            level=table.chairs[seat].level or self._stand_in,
            seed=self._hub.sources.secret(),
            view=view(table.rules, table.game.position, seat),
            ask=ask,
            seconds=self._hub.config.bot_seconds,
        )
        notation = await self._pool.choose(job)
        room.thinking.discard((asked, seat))
        position = room.table.position
        still_open = room.table.asked == asked and position is not None and position.answer_to(ask) is None
        wanted = by == "clock" or self._bot_for(room, ask) is not None
        if still_open and wanted and room.table is table:
            self._hub.do(room, steps.Chosen(at=self._hub.sources.now(), seat=seat, choice=notation, by=by))

    async def close(self) -> None:
        """Stop thinking."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._pool.close()

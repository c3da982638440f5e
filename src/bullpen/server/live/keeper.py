"""The keeper: looks after rooms by itself, with clocks that run out and bots that choose."""

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

from bullpen.engine import Ask, view
from bullpen.server.config import Config
from bullpen.server.live.bot_process import Job
from bullpen.server.live.bots import stand_in
from bullpen.server.live.room import Room, Timer
from bullpen.server.sources import Sources
from bullpen.server.tables import steps
from bullpen.server.tables.table import Table

By: TypeAlias = Literal["bot", "clock", "team"]
LATE = 1000
"""A clock that is heard so many milliseconds too late was not heard because the process stood still."""
log = logging.getLogger("bullpen.server")


class Desk(Protocol):
    """What the keeper needs of the hub."""

    config: Config
    sources: Sources
    levels: tuple[str, ...]
    arrange: Callable[[Room], None]

    def do(self, room: Room, *new: steps.AnyStep, asked: int | None = None) -> None:
        """Do steps of the server's own accord, if those asks are still open."""


class Bots(Protocol):
    """What the keeper needs of the pool of bots."""

    async def choose(self, table: str, payer: str, job: Job, wanted: Callable[[], bool]) -> str | None:
        """Return a choice in notation, or None once nobody wants it any more."""

    async def close(self) -> None:
        """Stop thinking."""


Later: TypeAlias = Callable[[float, Callable[[], None]], Timer]


def _later(seconds: float, act: Callable[[], None]) -> Timer:
    return asyncio.get_running_loop().call_later(seconds, act)


class Keeper:
    """Arranges what happens at a table without anybody's message."""

    def __init__(self, hub: Desk, pool: Bots, later: Later = _later) -> None:
        self._hub = hub
        self._pool = pool
        self._later = later
        self._tasks: set[asyncio.Task[None]] = set()
        self._stand_in = stand_in(hub.levels)
        hub.arrange = self.arrange

    def arrange(self, room: Room) -> None:
        """Set the clock and let the bots think that are being asked."""
        if not room.settled:
            return
        self._set_clock(room)
        position = room.table.position
        if position is None or room.table.phase != "playing" or not _played_for(room):
            return
        for ask in position.open_asks:
            seat = _bot_for(room.table, ask)
            if seat is not None:
                self._think(room, ask, seat, "bot")

    # Clocks.

    def _set_clock(self, room: Room) -> None:
        """Let the clock of the open questions run, once: what the time of day does meanwhile is no matter."""
        table, now = room.table, self._hub.sources.monotonic()
        left = room.left(now)
        if left is None:
            self._stop_clock(room)
            return
        known = room.clock_of == table.asked
        if known and (room.clock is not None or any(asked == table.asked for asked, _ in room.thinking)):
            return
        if known:
            # It has run out, but what was chosen then could not be written.
            room.give_time(now)
            left = room.left(now) or 0
        self._stop_clock(room)
        asked, room.clock_of = table.asked, table.asked
        room.clock = self._later(max(0, left) / 1000, lambda: self._time_up(room, asked))

    def _stop_clock(self, room: Room) -> None:
        if room.clock is not None:
            room.clock.cancel()
            room.clock = None

    def _time_up(self, room: Room, asked: int) -> None:
        """Choose for everybody who has not answered."""
        # Also where the question is another one now: that one may be undone, and this one asked again.
        room.clock = None
        try:
            self._choose_for_all(room, asked)
        except Exception:
            log.exception("a clock was not followed", extra={"table": room.table.id})
            room.unattended = True

    def _choose_for_all(self, room: Room, asked: int) -> None:
        table, position = room.table, room.table.position
        if table.asked != asked or position is None:
            return
        if (room.left(self._hub.sources.monotonic()) or 0) < -LATE:
            # The process stood still, so nobody could answer in time.
            self._set_clock(room)
            return
        for ask in position.open_asks:
            team = len(ask.seats) > 1
            if team and table.votes:
                seat, choice = _leading(table.votes)
                step = steps.Chosen(at=self._hub.sources.now(), seat=seat, choice=choice, by="team")
                self._hub.do(room, step, asked=asked)
            elif _bot_for(table, ask) is None:
                self._think(room, ask, ask.seats[0], "team" if team else "clock")

    # Bots.

    def _think(self, room: Room, ask: Ask, seat: int, by: By) -> None:
        key = (room.table.asked, seat)
        if key not in room.thinking:
            room.thinking.add(key)
            task = asyncio.create_task(self._choose(room, ask, seat, by))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _choose(self, room: Room, ask: Ask, seat: int, by: By) -> None:
        table, asked = room.table, room.table.asked

        def wanted() -> bool:
            position = table.position
            open_still = room.table is table and table.asked == asked and position is not None
            if not open_still or position is None or position.answer_to(ask) is not None:
                return False
            return by != "bot" or (_bot_for(table, ask) is not None and _played_for(room))

        try:
            notation = await self._answer(room, ask, seat, wanted)
            if notation is not None and wanted():
                step = steps.Chosen(at=self._hub.sources.now(), seat=seat, choice=notation, by=by)
                self._hub.do(room, step, asked=asked)
        except Exception:
            log.exception("a bot's choice was not made", extra={"table": table.id})
            room.unattended = True
        finally:
            room.thinking.discard((asked, seat))

    async def _answer(self, room: Room, ask: Ask, seat: int, wanted: Callable[[], bool]) -> str | None:
        """Return what a bot chooses; whatever goes wrong, there is an answer, for the table waits for it."""
        table = room.table
        try:
            return await self._pool.choose(table.id, _payer(room), self._job(table, ask, seat), wanted)
        except Exception:
            log.exception("a bot could not choose", extra={"table": table.id})
            return random.choice(ask.options).notation

    def _job(self, table: Table, ask: Ask, seat: int) -> Job:
        assert table.position is not None
        return Job(
            level=table.chairs[seat].level or self._stand_in,
            seed=self._hub.sources.secret(),
            view=view(table.rules, table.position, seat),
            ask=ask,
            seconds=self._hub.config.bot_seconds,
        )

    async def close(self) -> None:
        """Stop thinking."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._pool.close()


def _played_for(room: Room) -> bool:
    """Whether bots play here: somebody looks on, or a clock promises people that the game goes on.

    Whoever stays away misses two decisions and is expected no longer, so an empty room soon falls silent;
    it goes on when somebody comes.
    """
    if room.listeners:
        return True
    return bool(room.table.settings.clock) and any(chair.person for chair in room.table.chairs)


def _bot_for(table: Table, ask: Ask) -> int | None:
    """Return the seat that a bot answers for, unless a person is expected to."""
    if any(table.chairs[seat].person for seat in ask.seats):
        return None
    return ask.seats[0]


def _leading(votes: dict[int, str]) -> tuple[int, str]:
    """Return what most members of a team want, and one of them; of equals what was said first."""
    said = list(votes.values())
    choice = max(said, key=said.count)
    return next(seat for seat, vote in votes.items() if vote == choice), choice


def _payer(room: Room) -> str:
    """Return the address that bots play for here: a player's, else a spectator's, else the table alone."""
    there = sorted(room.listeners, key=lambda one: room.table.seat_of(one.who) is None)
    return there[0].address if there else room.table.id

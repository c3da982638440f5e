"""The hub: everything that lives in a process, and what can be asked of it."""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Protocol

import msgspec

from bullpen.server import protocol
from bullpen.server.config import Config
from bullpen.server.errors import Moved, Refused
from bullpen.server.live.bots import levels_here
from bullpen.server.live.chores import Chores
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.moderation import Moderation
from bullpen.server.live.owners import Owners
from bullpen.server.live.people import People
from bullpen.server.live.readiness import Readiness
from bullpen.server.live.road import Road
from bullpen.server.live.room import Listener, Room
from bullpen.server.live.rooms import STORAGE, Rooms
from bullpen.server.live.writer import APART, Reply, Writer
from bullpen.server.protocol import NewTable
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Batch, RecordRow, Registry, Store, StoreError
from bullpen.server.tables import requests, steps
from bullpen.server.tables.memory import digest
from bullpen.server.tables.opening import first_steps, new_table

SWEEP = 1.0
"""About so many seconds apart a process looks for tables that nobody owns."""
MOST_ADOPTED = 200
"""So many of them it takes at once, so that others get their share."""
FLUSH = 5.0
"""So many seconds a process that hands its tables over waits for what is being written."""
OTHER_MESSAGE = "That id belongs to another message already; every message needs one of its own."
MOST_CODES = 5
"""So many codes are tried for a new table."""
WORN_OUT = "This table has seen more than a game can need; make a new one."


class Watcher(Listener, Protocol):
    """A listener at several tables, who looks for what is new at each."""

    def look(self, room: Room) -> None:
        """Take note of a room that has changed."""


class Hub:
    """The rooms, the road to the store, and who is served."""

    def __init__(
        self,
        config: Config,
        store: Store,
        sources: Sources,
        registry: Registry | None = None,
        threads: Callable[[], Executor | None] = lambda: None,
    ) -> None:
        self.config = config
        self.sources = sources
        self.metrics = Metrics(sources.monotonic)
        self.store = store
        self.people = People(store, sources)
        self.moderation = Moderation(store, sources, config.sign_up)
        self.announced = protocol.Announcement()
        """What everybody at a table was told last."""
        self.writer = Writer(store, self.metrics, threads(), 0.0 if registry is None else APART)
        self.owners: Owners | None = None
        """Which tables are this process's; None where all are."""
        if registry is not None:
            self.owners = Owners(registry, sources, self.metrics, config.lease, threads())
        self.rooms = Rooms(store, self.writer, sources, self.metrics, self.owners)
        self.levels = levels_here()
        self.readiness = Readiness()
        """Which levels can decide by now."""
        self.rooms.unready = lambda game: self.readiness.unready(self.levels, game)
        self.streams: dict[str, set[Watcher]] = {}
        """The streams of bots from outside, by identity."""
        self.chores = Chores(self.metrics)
        self._road = Road(store, self.writer, self.rooms, sources, self.metrics)
        self._road.look = self._show
        self.rooms.came = self._came
        if self.owners is not None:
            self.owners.enlisted = self._enlisted
            self.owners.lost = self.lose_all
            self._enlisted("")

    async def open(self) -> None:
        """Load every table that is not archived, and go on with it; among others, ask for a lease first."""
        self.writer.start()
        self.chores.begin(self._road.mend)
        if self.owners is None:
            await self.rooms.load()
        else:
            await self.owners.renew()

    # Sharing tables with other processes.

    async def adopt(self) -> None:
        """Take tables that nobody owns, at other moments than other processes do."""
        await self.rooms.adopt(MOST_ADOPTED)
        await asyncio.sleep(SWEEP * (0.5 + self.sources.chance()))

    def _enlisted(self, process: str) -> None:
        self.writer.process = process

    def lose_all(self) -> None:
        """Let all rooms go: this process has lost its lease."""
        for room in tuple(self.rooms.values()):
            try:
                self.rooms.lose(room)
            except Exception:
                self.metrics.fault("a room was not let go", room.table.id)

    async def hand_over(self, bequeath: Callable[[list[str]], None] = lambda _: None) -> None:
        """Let other processes have all tables: finish what is being written, let go, send everybody there."""
        if self.owners is None:
            return
        self.owners.leave()
        # Those at which somebody waits go first.
        leaving = sorted(self.rooms.values(), key=lambda room: not room.listeners)
        for room in leaving:
            room.moved = True
            self.rooms.forget(room)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.writer.flushed(), FLUSH)
        with contextlib.suppress(StoreError):
            await self.owners.retire()
        bequeath([room.table.id for room in leaving])
        for room in leaving:
            room.move()

    # Rooms.

    async def find(self, name: str) -> Room:
        """Return the room with that id or code."""
        return await self.rooms.find(name)

    @property
    def arrange(self) -> Callable[[Room], None]:
        """Looks after a room that has changed: clocks and bots."""
        return self.rooms.arrange

    @arrange.setter
    def arrange(self, arrange: Callable[[Room], None]) -> None:
        self.rooms.arrange = arrange

    async def archive_unvisited(self) -> None:
        """Put tables that nobody visits into the archive."""
        await self.rooms.archive_unvisited(self.config.archive_after)

    def check_writable(self) -> None:
        """Refuse while the store is at fault."""
        if self.writer.fault is not None:
            raise Refused("storage", STORAGE, 1000)

    # Requests.

    async def create(
        self, wish: NewTable, who: str, origin: steps.Origin | None = None, lock: str = ""
    ) -> Room:
        """Make a table, seat its maker and bots, and start it if that is wished."""
        self.check_writable()
        if len(self.rooms) >= self.config.limits.tables_in_memory:
            raise Refused("full", "This server has as many tables as it can hold.", 60_000)
        for _ in range(MOST_CODES):
            try:
                return await self._created(wish, who, origin, lock)
            except Refused as error:
                other = isinstance(error, Moved) or error.code != "storage"
                if other or self.writer.fault is not None:
                    raise
            # The store works, so it was the code: another process has given it to a table.
        raise Refused("storage", STORAGE, 1000)

    async def _created(self, wish: NewTable, who: str, origin: steps.Origin | None, lock: str) -> Room:
        table = new_table(wish, self.sources, self.rooms.codes, origin, lock)
        first = first_steps(table, wish, self._caller(None, who))
        epoch = 0 if self.owners is None else self.owners.made(table.id)
        room = self.rooms.add(table, 0)
        room.epoch = epoch
        answer: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()
        try:
            self._road.write(room, first, lambda refused, _: answer.set_result(refused))
            refused = await answer
            if refused is None and room.moved:
                refused = Moved()
            if refused is not None:
                raise refused
        except Exception:
            self.rooms.forget(room)
            if self.owners is not None:
                self.owners.give_up(table.id, room.epoch)
            raise
        return room

    def handle(self, room: Room, who: str, message: protocol.ClientMessage, reply: Reply) -> None:
        """Do what a message asks and reply after the commit; the same message again is only answered."""
        follow = partial(self._or_refuse, room, partial(self._write, room, who, message, reply), reply)
        self._or_refuse(room, partial(self._enter, room, follow), reply)

    def _enter(self, room: Room, follow: Callable[[], None]) -> None:
        if room.closed:
            self.check_writable()
        self._road.enter(room, follow)

    def _or_refuse(self, room: Room, work: Callable[[], None], reply: Reply) -> None:
        """Do something that sees to its reply, or reply why not."""
        try:
            work()
        except Refused as error:
            reply(error, 0)
        except Exception:
            self.metrics.fault("a message failed", room.table.id)
            reply(Refused("internal", "That went wrong on our side; nothing was changed."), 0)

    def _write(self, room: Room, who: str, message: protocol.ClientMessage, reply: Reply) -> None:
        if room.gone:
            raise room.farewell()
        content, known = digest(message), room.table.memory.find(who, message.id)
        if known is not None:
            self._answer_again(room, known, content, reply)
            return
        self.check_writable()
        if room.table.worn_out:
            raise Refused("closed", WORN_OUT)
        new = requests.steps_for(message, room.table, self._caller(room, who))
        marked = [msgspec.structs.replace(step, content=content) if step.message else step for step in new]
        self._road.write(room, marked, reply)

    def _answer_again(self, room: Room, known: tuple[int, int], content: int, reply: Reply) -> None:
        """Answer a repeated message once the step that it became is on disk."""
        number, said = known
        if said not in (0, content):
            raise Refused("bad-request", OTHER_MESSAGE)
        if room.entry is None or number <= room.committed:
            reply(None, number)
        else:
            room.entry.replies.append((number, reply))

    def do(self, room: Room, *new: steps.AnyStep, asked: int | None = None) -> None:
        """Do steps of the server's own accord; what is not possible any more by then is left out.

        With `asked` they are meant for the asks of that number only.
        """

        def work() -> None:
            if not room.gone and asked in (None, room.table.asked):
                self._road.write(room, new, lambda _, __: None)

        def refused(error: Refused | None, _: int) -> None:
            if error is not None:
                # The waiting client asks again.
                self.metrics.refused(error.code)
                room.unattended = room.unattended or error.code == "internal"

        if self.writer.fault is None and not room.table.worn_out:
            enter = partial(self._road.enter, room, partial(self._or_refuse, room, work, refused))
            self._or_refuse(room, enter, refused)

    async def save_record(self, row: RecordRow) -> None:
        """Keep a record that belongs to no table."""
        self.check_writable()
        try:
            await self.writer.call(self.store.write, Batch(records=[row]))
        except StoreError:
            raise Refused("storage", STORAGE, 1000) from None

    async def keep_review(self, record: str, version: int, body: bytes) -> None:
        """Keep a review with its record; one that cannot be kept is made again when it is wanted."""
        with contextlib.suppress(StoreError):
            await self.writer.call(self.store.keep_review, record, version, body)

    def _caller(self, room: Room | None, who: str) -> requests.Caller:
        now = self.sources.now()
        if room is None:
            return requests.Caller(who, now, set[int], self.levels)
        since = self.sources.monotonic()
        return requests.Caller(
            who, now, room.connected_seats, self.levels, lambda seat: room.absent(seat, since) or 0
        )

    def unseat_banned(self, room: Room) -> None:
        """Let people who are banned give up their seats, as when they leave."""
        playing = room.table.phase == "playing"
        for chair in tuple(room.table.chairs):
            if chair.who and not (playing and chair.away) and self.moderation.ban_of("", chair.who):
                leave = protocol.Leave(id=f"ban-{self.sources.table_id()}")
                self.handle(room, chair.who, leave, lambda _, __: None)

    def _came(self, room: Room) -> None:
        self.unseat_banned(room)
        self._show(room)

    def _show(self, room: Room) -> None:
        """Show a room that has changed to the streams of the bots that sit in it."""
        for chair in room.table.chairs if self.streams else ():
            for stream in tuple(self.streams.get(chair.who, ())):
                try:
                    stream.look(room)
                except Exception:
                    # The bot comes again, and is asked then.
                    self.metrics.fault("a bot was not asked", room.table.id)
                    stream.hang_up()

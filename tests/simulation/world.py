"""A world of several processes, people and one database, in which everything that can go wrong does.

One thread, virtual time, one seed: the same seed gives the same history. The processes run the product's own
code from the socket to the writer; only time, the network and the database are made here.
"""

import asyncio
import hashlib
import random
from collections.abc import Callable, Coroutine
from typing import Any

from bullpen.server.config import Config
from bullpen.server.doors.door import Door
from bullpen.server.doors.link import Link
from bullpen.server.doors.sharing import Sharing
from bullpen.server.doors.sockets import Sockets
from bullpen.server.limits import unlimited
from bullpen.server.live.bot_process import Job
from bullpen.server.live.hub import Hub
from bullpen.server.live.keeper import Bots, Keeper
from bullpen.server.protocol import NewTable, Settings
from bullpen.server.sources import LETTERS, Sources
from bullpen.server.store.interface import Batch, NewTableRow, Row
from bullpen.server.tables import requests, steps
from bullpen.server.tables.opening import first_steps, new_table
from tests.simulation.memory import MemoryRegistry, MemoryStore
from tests.simulation.network import Lane, Weather, Wire
from tests.simulation.people import Person, Socket
from tests.simulation.universe import Loop, Universe

SHORT: dict[str, bool | int | str] = {"end.kind": "rounds", "end.value": 1}
CONFIG = Config(limits=unlimited(), analysis=False)


class Broken(AssertionError):
    """A promise was not kept."""


class SimSources(Sources):
    """Time and chance of one process; what its clock on the wall shows is nobody's business."""

    def __init__(self, universe: Universe, chance: random.Random, skew: int) -> None:
        self._universe, self._random, self.skew = universe, chance, skew

    def now(self) -> int:
        return 1_700_000_000_000 + round(1000 * self._universe.now) + self.skew

    def monotonic(self) -> float:
        return self._universe.now

    def chance(self) -> float:
        return self._random.random()

    def secret(self) -> str:
        return self._random.randbytes(32).hex()

    def code(self) -> str:
        return "".join(self._random.choices(LETTERS, k=4))

    def table_id(self) -> str:
        return self._random.randbytes(8).hex()


class SimPool:
    """Bots that choose anything, after a while."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    async def choose(self, table: str, payer: str, job: Job, wanted: Callable[[], bool]) -> str | None:
        await asyncio.sleep(0.05 + 0.2 * self._chance.random())
        return self._chance.choice(job.ask.options).notation if wanted() else None

    async def close(self) -> None: ...


class WitnessRegistry(MemoryRegistry):
    """Sees when a table changes hands that should not."""

    world: "World"

    def claim(self, table: str, process: str) -> Any:
        before, epoch = self.owners.get(table, ("", 0))
        alive = before in self.listed and self.listed[before][1] > self.world.milliseconds()
        owner = super().claim(table, process)
        if owner.process != before:
            self.world.changed_hands(table, before if alive else "", owner.epoch > epoch)
            if before in self.listed:
                self.world.broken("a process that was robbed is on the list still")
        return owner


class Witness(MemoryStore):
    """Keeps every step that was ever written, and sees who wrote it."""

    def __init__(self, world: "World") -> None:
        super().__init__(world.milliseconds)
        self.world = world
        self.registry: WitnessRegistry = WitnessRegistry(self, world.milliseconds)
        self.registry.world = world
        self.logs: dict[str, list[steps.AnyStep]] = {}

    def write(self, batch: Batch) -> None:
        super().write(batch)
        for table, epoch in batch.epochs.items():
            if self.registry.owners.get(table) != (batch.process, epoch):
                self.world.broken("a table was written by somebody who does not own it")
            elif batch.process not in self.registry.listed:
                self.world.broken("a table was written by a process that was struck")
        for row in batch.steps:
            step = steps.decode(row.body)
            assert not isinstance(step, steps.Folded)
            self.logs.setdefault(row.table, []).append(step)
            self.world.note("disk", f"{row.table} {row.number} {batch.process}")


class Process:
    """A server process with its own loop, clock on the wall and threads."""

    config = CONFIG

    def __init__(self, world: "World", name: str) -> None:
        self.world, self.name = world, name
        self.loop = Loop(world.universe)
        self.loop.set_exception_handler(world.fault)
        chance = random.Random(f"{world.seed}/{name}")
        self.sources = SimSources(world.universe, chance, world.chance.randrange(-(10**7), 10**7))
        self.sockets: set[Socket] = set()
        self.wires: list[Wire] = []
        self.ended = self.stopping = False
        self.disturbed = False
        """Whether it was kept from its work."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self.spawn(self._start(chance))

    async def _start(self, chance: random.Random) -> None:
        store, world = self.world.store, self.world

        def thread() -> Lane:
            return Lane(world.weather, self.name, self.loop, world.database_loop)

        self.hub = Hub(self.config, store, self.sources, store.registry, thread)
        self.door = Door(self.hub)
        self.sockets_door = Sockets(self.door)
        self.pool: Bots = self.new_pool(chance)
        self._keeper = Keeper(self.hub, self.pool)
        assert self.hub.owners is not None
        self.owners = self.hub.owners
        self.sharing = Sharing(self.door, self.owners, self._listen, self._dial)
        await self.sharing.open()
        world.processes.append(self)
        await self.hub.open()
        self.sharing.begin()

    def new_pool(self, chance: random.Random) -> Bots:
        return SimPool(chance)

    async def _listen(self, make: Callable[[], Link]) -> str:
        self._make = make
        return self.name

    async def _dial(self, address: str, make: Callable[[], Link]) -> None:
        other = next((one for one in self.world.processes if one.name == address and not one.ended), None)
        arrives = self.world.weather.arrival(self.name, address)
        await asyncio.sleep(arrives - self.world.now)
        if other is None or other.ended:
            raise ConnectionRefusedError
        here, there = (self.name, self.loop), (other.name, other.loop)
        near, far = Wire(self.world.weather, here, there), Wire(self.world.weather, there, here)
        near.peer, far.peer = far, near
        self.wires.append(near)
        other.wires.append(far)
        near.protocol = make()
        near.protocol.connection_made(near)
        other.loop.call_soon(other.accept, far)

    def accept(self, wire: Wire) -> None:
        wire.protocol = self._make()
        wire.protocol.connection_made(wire)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # How it ends.

    def crash(self) -> None:
        """End without a word; the system closes its connections."""
        self.ended = self.loop.ended = True
        for wire in self.wires:
            if not wire.is_closing():
                wire.break_off()
        for socket in sorted(self.sockets, key=lambda one: one.person.number):
            socket.break_off()

    def stop(self) -> None:
        """End as told: hand the tables over, then close what is open."""
        self.stopping = True
        self.spawn(self._stop())

    async def _stop(self) -> None:
        await self.sharing.close()
        if self.hub.metrics.fenced and not self.disturbed and not self.world.weather.drops:
            self.world.broken("a process that handed its tables over was writing still")
        self.crash()


class World:
    """One history."""

    def __init__(self, seed: int | str) -> None:
        self.seed = seed
        self.chance = random.Random(f"world {seed}")
        self.universe = Universe()
        self.weather = Weather(self.universe, self.chance)
        self.database_loop, self.people_loop = Loop(self.universe), Loop(self.universe)
        for loop in (self.database_loop, self.people_loop):
            loop.set_exception_handler(self.fault)
        self.store = Witness(self)
        self.processes: list[Process] = []
        self.people: list[Person] = []
        self._digest = hashlib.sha256()
        self.born: list[Process] = []
        self._faults: list[str] = []

    @property
    def now(self) -> float:
        return self.universe.now

    def milliseconds(self) -> int:
        """The time of the database."""
        return round(1000 * self.universe.now)

    def note(self, who: str, what: str) -> None:
        """Write something into the history."""
        self._digest.update(f"{self.now:.6f} {who} {what}\n".encode())

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()

    # Promises.

    def broken(self, why: str) -> None:
        self._faults.append(f"seed {self.seed}, {self.now:.3f} s: {why}")

    def fault(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "destroyed" not in context["message"]:
            self.broken(f"{context['message']}: {context.get('exception')!r}")

    def changed_hands(self, table: str, robbed: str, raised: bool) -> None:
        """A table has another owner now."""
        if robbed:
            self.broken("a process was robbed whose lease ran")
        if not raised:
            self.broken("a table changed hands in the same epoch")
        for process in self.processes:
            # Whoever sleeps cannot know; it is stopped by the fence when it wakes.
            if process.ended or process.loop.frozen_until > self.now:
                continue
            if process.owners.held and table in process.owners.epochs:
                self.broken("a table has two owners")

    def log(self, code: str) -> list[steps.AnyStep]:
        """All steps of a table."""
        table = next(table for table, other in self.store.codes.items() if other == code)
        return self.store.logs[table]

    def check_answers(self, person: Person) -> None:
        """What was confirmed is on disk, and what was refused is not."""
        log = self.log(person.code)
        for message, number in person.acks.items():
            if number and (number > len(log) or log[number - 1].message != message):
                self.broken("what was confirmed is lost")
        known = {step.message for step in log}
        for message, code in person.refused.items():
            if message in known:
                self.broken(f"what is on disk was refused: {code}")

    def check(self) -> None:
        """Raise the first promise that was not kept."""
        if self._faults:
            raise Broken(self._faults[0])

    # Who is there.

    def some_process(self, chance: random.Random) -> Process | None:
        """A process that a proxy may send somebody to."""
        there = [one for one in self.processes if not one.ended and not one.stopping]
        return chance.choice(there) if there else None

    def bear(self) -> None:
        """Start a process."""
        self.born.append(Process(self, f"process-{len(self.born) + 1}"))

    def seat(self, people: int, bots: int = 0, clock: int = 0) -> str:
        """Make a table with people at it, as if it had been there before, and return its code."""
        sources = SimSources(self.universe, random.Random(f"{self.seed}/{len(self.people)}"), 0)
        wish = NewTable(
            game="base",
            players=people + bots,
            options=SHORT,
            bots=("random",) * bots,
            settings=Settings(clock=clock),
            unlimited=not clock,
        )
        table = new_table(wish, sources, self.store.codes.values())
        caller = requests.Caller("", sources.now(), set[int], ("random",))
        names = [f"{table.code}-{number}" for number in range(people)]
        seats = [seat for seat in range(people + bots) if seat >= bots]
        log: list[steps.AnyStep] = [
            *first_steps(table, wish, caller),
            *(
                steps.Sat(at=sources.now(), who=who, seat=seat, name=who)
                for who, seat in zip(names, seats, strict=True)
            ),
            steps.Started(at=sources.now()),
        ]
        for step in log:
            table.apply(step)
        log.insert(0, table.created)
        rows = [Row(table.id, number, steps.encode(step)) for number, step in enumerate(log, start=1)]
        self.store.write(Batch([NewTableRow(table.id, table.code, table.created.at)], rows))
        for who in names:
            self.people.append(Person(self, len(self.people), who, table.code, clock))
        return table.code

    # How it ends.

    def close(self) -> None:
        """Let nothing be left that Python would complain about."""
        loops = [self.database_loop, self.people_loop, *(one.loop for one in self.born)]
        for loop in loops:
            loop.ended = False
            loop.frozen_until = 0.0
            loop.set_exception_handler(lambda *_: None)
            for task in asyncio.all_tasks(loop):
                task.cancel()
            for _ in range(3):
                loop.turn()
            loop.close()

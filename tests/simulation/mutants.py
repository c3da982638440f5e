"""Faults planted in the product or in the database, each of which the simulation must find."""

from collections.abc import Callable, Sequence

import pytest

from bullpen.server.doors.guests import Guest
from bullpen.server.doors.neighbours import Way
from bullpen.server.errors import Moved
from bullpen.server.live.hub import Hub
from bullpen.server.live.owners import Owners
from bullpen.server.live.road import Road
from bullpen.server.live.room import Room
from bullpen.server.live.rooms import Rooms
from bullpen.server.live.writer import Reply, Writer
from bullpen.server.tables import steps
from bullpen.server.tables.memory import Memory
from tests.simulation.memory import MemoryRegistry

Patch = pytest.MonkeyPatch
Mutant = Callable[[Patch], None]


def no_fence(patch: Patch) -> None:
    """The database writes whatever it is given."""
    patch.setattr(MemoryRegistry, "fence", lambda *_: None)


def lease_not_renewed(patch: Patch) -> None:
    """A process enlists once, and believes that this is enough."""

    async def renew(self: Owners) -> None:
        if not self.process:
            await self._enlist()
        self._until = self._sources.monotonic() + 1000

    patch.setattr(Owners, "renew", renew)


def answer_before_commit(patch: Patch) -> None:
    """A choice is confirmed when it is in memory."""
    write = Road.write

    def hasty(self: Road, room: Room, new: Sequence[steps.AnyStep], reply: Reply) -> None:
        write(self, room, new, lambda *_: None)
        reply(None, room.table.number)

    patch.setattr(Road, "write", hasty)


def news_missed(patch: Patch) -> None:
    """One message in thirty to the guests of other processes is lost."""
    push, count = Guest.push, [0]

    def forgetful(self: Guest, text: str) -> None:
        count[0] += 1
        if count[0] % 30:
            push(self, text)

    patch.setattr(Guest, "push", forgetful)


def claim_without_striking(patch: Patch) -> None:
    """Whose lease is over stays on the list, and goes on with a table that was taken from it."""
    patch.setattr(MemoryRegistry, "strike", lambda *_: None)


def release_before_flush(patch: Patch) -> None:
    """A process that stops leaves the list while it is still writing."""

    async def at_once(_: Writer) -> None: ...

    patch.setattr(Writer, "flushed", at_once)


def own_clock_trusted(patch: Patch) -> None:
    """A process counts its lease from the answer, and not from before it asked."""

    async def extend(self: Owners, process: str) -> None:
        there = await self.call(self.registry.renew, process, round(1000 * self._lease))
        if process == self.process:
            if there:
                self._until = self._sources.monotonic() + self._lease
                self._look_later()
            else:
                self._lose("struck")

    patch.setattr(Owners, "_extend", extend)


def lease_not_watched(patch: Patch) -> None:
    """A process serves until the database tells it to stop."""
    patch.setattr(Owners, "_look", lambda _: None)
    patch.setattr(Owners, "held", property(lambda self: self.process != ""))


def wall_clock_trusted(patch: Patch) -> None:
    """Whether a lease is over is decided by a clock that somebody may set."""
    alive = MemoryRegistry.alive

    def skewed(self: MemoryRegistry, process: str) -> bool:
        clock, self.clock = self.clock, lambda: clock() + 4000
        try:
            return alive(self, process)
        finally:
            self.clock = clock

    patch.setattr(MemoryRegistry, "alive", skewed)


def epoch_not_raised(patch: Patch) -> None:
    """A table changes hands, and nobody can tell."""
    patch.setattr(MemoryRegistry, "next_epoch", lambda _, epoch: max(1, epoch))


def read_before_claim(patch: Patch) -> None:
    """A table is read first and claimed then: what was written in between is not known."""

    async def take(self: Rooms, owners: Owners, table: str, archived: bool = True) -> Room:
        found = await self._writer.call(self._store.find_table, table)
        epoch = await owners.claim(table)
        assert found is not None
        if not owners.owns(table, epoch):
            raise Moved
        return self._come(*found, epoch)

    patch.setattr(Rooms, "_take", take)


def old_name_kept(patch: Patch) -> None:
    """A process that was struck goes on under its name."""

    def lose(self: Owners, _: str) -> None:
        self.epochs = {}
        self._until = self._sources.monotonic() + self._lease
        self.lost()

    patch.setattr(Owners, "_lose", lose)


def nobody_told_of_the_loss(patch: Patch) -> None:
    """A room that is lost leaves its people where they are."""

    def move(self: Room) -> None:
        self.gone = True

    patch.setattr(Room, "move", move)


def sockets_kept_when_the_link_is_lost(patch: Patch) -> None:
    """Sockets stay open although the process is gone that served them."""

    def lost(self: Way, exc: Exception | None) -> None:
        self.open = False

    patch.setattr(Way, "connection_lost", lost)


def lost_rooms_kept(patch: Patch) -> None:
    """The lease is over, and the rooms stay."""
    patch.setattr(Hub, "lose_all", lambda _: None)


def nobody_adopts(patch: Patch) -> None:
    """Tables without an owner wait until somebody comes."""

    async def adopt(_: Rooms, __: int) -> None: ...

    patch.setattr(Rooms, "adopt", adopt)


def message_forgotten(patch: Patch) -> None:
    """A message that comes again is not recognised."""
    patch.setattr(Memory, "find", lambda *_: None)


CUT, PAUSE, STOP = "cut from the database", "pause", "stop"
MUTANTS: dict[Mutant, tuple[str, ...]] = {
    no_fence: (CUT,),
    lease_not_renewed: (),
    answer_before_commit: (),
    news_missed: (),
    claim_without_striking: (),
    release_before_flush: (STOP,),
    lease_not_watched: (CUT,),
    wall_clock_trusted: (),
    epoch_not_raised: (),
    old_name_kept: (),
    nobody_told_of_the_loss: (),
    sockets_kept_when_the_link_is_lost: (),
    lost_rooms_kept: (PAUSE,),
    nobody_adopts: (),
    message_forgotten: (),
}
"""Planted faults, and the kinds of faults that bring each to light where few do."""
RARE: dict[Mutant, tuple[str, ...]] = {read_before_claim: (), own_clock_trusted: (CUT,)}
"""Those that need hundreds of histories."""

"""Histories: what goes wrong in a world, when, and what must hold all the same."""

import random
from collections import Counter
from collections.abc import Callable

from bullpen.server.tables import steps
from tests.simulation.people import Person
from tests.simulation.world import CONFIG, Process, World

LEASE = CONFIG.lease
RESUMED = 5.0
"""So many seconds after a lease's end everybody is served again."""
SERVED = 3.5
"""Whoever is served hears something in so many seconds, however slow the network is."""
PROCESSES = 3
BEGIN, LAST = 2.0, 14.0
"""When the first and the last fault begin."""
LONGEST = 240.0
"""So many seconds after the faults every game is over."""


class History:
    """A world, and the faults of its seed."""

    def __init__(self, seed: int | str, only: tuple[str, ...] = ()) -> None:
        self.world = World(seed)
        self._only = only
        self.chance = random.Random(f"faults {seed}")
        self.quiet_from = 0.0
        """When the last fault is over."""
        self._forsaken = ""
        """A table at which nobody is, and a clock runs."""
        self._faults: dict[str, Callable[[], None]] = {
            "crash": self._crash,
            "stop": self._stop,
            "pause": self._pause,
            "cut from the database": self._cut_database,
            "cut from a neighbour": self._cut_neighbour,
            "restart of the database": self._restart_database,
            "clock set": self._set_clock,
            "somebody leaves": self._leave,
        }

    def run(self) -> World:
        """Live through it, and check every promise."""
        world = self.world
        try:
            for _ in range(PROCESSES):
                world.bear()
            world.seat(people=2, clock=self.chance.choice((0, 0, 5)))
            world.seat(people=1, bots=1, clock=self.chance.choice((0, 5)))
            if self.chance.random() < 0.2:
                self._forsaken = world.seat(people=1, bots=1, clock=5)
                world.people[-1].leave()
            if self.chance.random() < 0.2:
                world.weather.drops = 0.03
            if self.chance.random() < 0.4:
                world.weather.slowest = 0.4
            self._go_wrong()
            world.weather.drops = 0.0
            world.universe.run(max(self.quiet_from, world.now) + LEASE + RESUMED)
            self._all_served()
            world.universe.run(world.now + LONGEST, self._all_over)
            known = {person.code: len(world.log(person.code)) for person in world.people}
            world.universe.run(world.now + SERVED)
            self._at_the_end(known)
            world.check()
        finally:
            world.close()
        return world

    # What goes wrong.

    def _go_wrong(self) -> None:
        at = BEGIN
        kinds = self._only or tuple(self._faults)
        for _ in range(self.chance.randint(1, 4)):
            at += self.chance.random() * (LAST - BEGIN) / 2
            self.world.universe.run(at)
            kind = self.chance.choice(kinds)
            self.world.note("fault", kind)
            self._faults[kind]()

    def _until(self, seconds: float) -> float:
        self.quiet_from = max(self.quiet_from, self.world.now + seconds)
        return seconds

    def _span(self) -> float:
        """How long a fault lasts: often just about as long as a lease."""
        share = 0.8 + 0.6 * self.chance.random() if self.chance.random() < 0.6 else 3 * self.chance.random()
        return share * LEASE

    def _crash(self) -> None:
        process = self.world.some_process(self.chance)
        if process is not None:
            process.crash()
            self._bear_later()

    def _stop(self) -> None:
        process = self._writing() or self.world.some_process(self.chance)
        if process is not None:
            process.stop()
            self._bear_later()

    def _writing(self) -> Process | None:
        """Wait a little for a process that is writing: the worst moment to be stopped."""
        for _ in range(100):
            self.world.universe.run(self.world.now + 0.01)
            for process in self.world.processes:
                if not process.ended and not process.stopping and process.hub.writer._writing:
                    return process
        return None

    def _bear_later(self) -> None:
        later = self._until(self.chance.random() * 3)
        self.world.people_loop.call_later(later, self.world.bear)

    def _pause(self) -> None:
        process = self.world.some_process(self.chance)
        if process is not None:
            process.disturbed = True
            process.loop.frozen_until = self.world.now + self._until(self._span())

    def _cut_database(self) -> None:
        process = self.world.some_process(self.chance)
        if process is not None:
            process.disturbed = True
            self.world.weather.cut(process.name, "database", self._until(self._span()))

    def _cut_neighbour(self) -> None:
        there = [one for one in self.world.processes if not one.ended]
        if len(there) > 1:
            one, other = self.chance.sample(there, 2)
            self.world.weather.cut(one.name, other.name, self._until(self.chance.random() * 2 * LEASE))

    def _restart_database(self) -> None:
        for process in self.world.born:
            process.disturbed = True
        self.world.weather.restarts += 1
        seconds = self._until(self.chance.random() * 2 * LEASE)
        self.world.weather.database_down_until = self.world.now + seconds

    def _set_clock(self) -> None:
        process = self.world.some_process(self.chance)
        if process is not None:
            process.sources.skew += self.chance.randrange(-(10**8), 10**8)

    def _leave(self) -> None:
        # Without a clock everybody would wait for ever.
        clocked = [person for person in self.world.people if person.clock]
        if clocked:
            self.chance.choice(clocked).leave()

    # What must hold.

    def _all_served(self) -> None:
        """Everybody is served, and knows what is on disk but for the latest moment."""
        world = self.world
        before = {person.who: len(world.log(person.code)) for person in self._there()}
        for person in self._there():
            if world.now - person.heard_at > SERVED:
                world.broken(f"{person.who} is not served")
        world.universe.run(world.now + 2.0)
        for person in self._there():
            if person.last < before[person.who]:
                world.broken(f"{person.who} was not told what is on disk")

    def _there(self) -> list[Person]:
        return [person for person in self.world.people if not person.silent]

    def _all_over(self) -> bool:
        return all(person.over and not person.unconfirmed for person in self._there())

    def _at_the_end(self, known: dict[str, int]) -> None:
        world = self.world
        for person in self._there():
            if not person.over:
                world.broken(f"the game of {person.who} does not end")
            elif person.last < known[person.code]:
                world.broken(f"{person.who} does not know how it ended")
        for code in {person.code: None for person in world.people}:
            messages = Counter(step.message for step in world.log(code) if step.message)
            if messages and max(messages.values()) > 1:
                world.broken("a message was followed twice")
        for person in world.people:
            world.check_answers(person)
        if self._forsaken and not any(
            isinstance(step, steps.Chosen) and step.by == "clock" for step in world.log(self._forsaken)
        ):
            world.broken("nobody looks after a table without people")


def deploy(seed: int) -> World:
    """Replace every process by another, one after the other, while people play."""
    world = World(f"deploy {seed}")
    try:
        for _ in range(PROCESSES):
            world.bear()
        for _ in range(PROCESSES):
            world.seat(people=2)
            world.seat(people=1, bots=1, clock=5)
        world.universe.run(BEGIN)
        for process in tuple(world.processes):
            world.bear()
            world.universe.run(world.now + 1.0)
            process.stop()
            world.universe.run(world.now + 1.0)
            if not process.ended:
                world.broken("a process does not stop")
        world.universe.run(world.now + LONGEST, lambda: all(person.over for person in world.people))
        world.check()
    finally:
        world.close()
    return world


def live(seed: int | str, *only: str) -> World:
    """Live through the history of a seed, with these kinds of faults or all."""
    return History(seed, only).run()

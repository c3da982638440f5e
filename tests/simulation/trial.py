"""A short day at a server of two processes, in which one call raises; afterwards nothing may be amiss."""

import asyncio
import contextlib
import random
from collections import Counter
from typing import Any, Literal, Self

import msgspec
from starlette.routing import Router

from bullpen.server.doors.crowd import Crowd
from bullpen.server.doors.http import routes
from bullpen.server.doors.library import Library
from bullpen.server.doors.operating import Operating
from bullpen.server.doors.reading import Checked, Content
from bullpen.server.doors.routes import TABLE
from bullpen.server.limits import Rate
from bullpen.server.live.analysis_process import FOUND, Work
from bullpen.server.live.analyst import Analyst
from bullpen.server.live.bot_process import Job
from bullpen.server.live.bots import Pool
from bullpen.server.live.order import keep_order
from bullpen.server.live.people import COOKIE, Identity
from bullpen.server.live.visits import look_for_revocations
from bullpen.server.protocol import RecordSummary
from bullpen.server.tables import steps
from tests.simulation.breaking import Place, Planted, Planter
from tests.simulation.people import Person
from tests.simulation.world import CONFIG, SHORT, Process, World

PLENTY = Rate(1e9, 1e9)
BEGIN = 0.5
"""When both processes are open, and calls begin to be counted."""
EVENING, LONGEST = 20.0, 60.0
"""When new tables are opened, at the latest, and so many seconds later everything is over."""
PARTING = 20.0
"""So many seconds after everybody has left nobody is counted any more."""
NOT_COMPARED = {
    "memory_bytes",
    "loop_lag_seconds",
    "behind_seconds",
    "link_seconds",
    "remembered",
    "tables",
    "owned_tables",
}
"""Gauges that say how things were, and not what is still held."""


class Thinker:
    """A process that thinks, without a process: any answer, after a while."""

    @classmethod
    async def start(cls) -> Self:
        return cls()

    async def ask(self, work: Any) -> str:
        await asyncio.sleep(0.1)
        if isinstance(work, Work):
            return FOUND + "{}"
        assert isinstance(work, Job)
        return random.Random(work.seed).choice(work.ask.options).notation

    async def end(self) -> None: ...


class Reader(Library):
    """A library without a process."""

    async def _converse(self, job: Any) -> Any:
        await asyncio.sleep(0.1)
        if hasattr(job, "body"):
            return Checked(summary=RecordSummary("", "base", "", (), 0, None), text="{}")
        return Content(b"{}")


class House(Process):
    """A process with all its doors and everything that a day needs."""

    config = msgspec.structs.replace(
        CONFIG, limits=msgspec.structs.replace(CONFIG.limits, busy_seconds=2.0), archive_after=16.0
    )

    pool: Pool

    def new_pool(self, chance: random.Random) -> Pool:
        return Pool(2, self.hub.metrics, of_table=PLENTY, of_payer=PLENTY, start=Thinker.start)

    def furnish(self) -> None:
        """Put in what a simulation of the network does without."""
        self.door.library = Reader()
        self.door.analyst = Analyst(self.config.limits, self.hub.keep_review, start=Thinker.start)
        self.operating = Operating(self.door, Crowd(self.config), self.pool, self.sharing)
        self.router = Router(routes(self.door, TABLE))
        self.hub.chores.begin(
            self.door.pulse.beat,
            lambda: look_for_revocations(self.hub),
            lambda: keep_order(self.hub),
            self._archive,
        )

    async def _archive(self) -> None:
        await asyncio.sleep(3.0)
        await self.hub.archive_unvisited()

    def held(self) -> dict[str, float]:
        """What the gauges say of what is held for somebody."""
        gauges = self.operating.gauges()
        return {name: gauge.value for name, gauge in gauges.items() if name not in NOT_COMPARED}


class Trial(World):
    """A day, in which a call may raise."""

    def __init__(self, planter: Planter) -> None:
        super().__init__("trial")
        self.planter = planter
        self.unanswered: dict[int, str] = {}
        self.houses: list[House] = []
        self._requests = 0
        self._streams: list[asyncio.Event] = []

    def bear(self) -> None:
        self.houses.append(House(self, f"process-{len(self.houses) + 1}"))
        self.born.append(self.houses[-1])

    def fault(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What was planted may reach the loop; anything else is a consequence that nobody wanted."""
        error = context.get("exception")
        if not isinstance(error, Planted) and "destroyed" not in context["message"]:
            self.broken(f"{context['message']}: {error!r}")

    def run(self, plant: Place | None = None) -> list[dict[str, float]]:
        """Live through the day, check every promise, and return what the gauges say at its end."""
        self.planter.forget(plant)
        try:
            self.bear()
            self.bear()
            self.universe.run(BEGIN)
            for house in self.houses:
                house.loop.call_soon(house.furnish)
            self.universe.run(BEGIN + 0.1)
            self._seat_everybody()
            self.planter.on = True
            for house in self.houses:
                house.spawn(self._visit(house))
            self.universe.run(EVENING)
            self.planter.on = False
            self._open_new_tables()
            self.universe.run(self.now + LONGEST, self._all_over)
            for person in self.people:
                if not person.silent and not person.over:
                    self.broken(f"the game of {person.who} does not end")
                elif person.unconfirmed and not person.silent:
                    self.broken(f"{person.who} was not answered")
            for request in self.unanswered.values():
                self.broken(f"{request} was not answered")
            self._check_logs()
            return self._go_home()
        finally:
            self.close()

    # Who is there.

    def _seat_everybody(self) -> None:
        self.shared = self.seat(people=2)
        self.seat(people=1, bots=1, clock=5)
        self.forsaken = self.seat(people=1, bots=1, clock=5)
        self.people[-1].leave()
        self.bots_table = self.seat(people=2)
        robot = self.people.pop()
        robot.leave()
        for house in self.houses:
            house.spawn(self._robot(house, robot.who))

    def _cookie(self, house: House, who: str, kind: Literal["guest", "bot"] = "guest") -> str:
        now = house.hub.people.now
        ends = now + 3600 if kind == "bot" else 0
        return house.hub.people.signer.sign(Identity(who, who, "device" + who, now, ends=ends), kind)

    async def ask(
        self, house: House, method: str, path: str, who: str = "", body: Any = None
    ) -> tuple[int, Any]:
        """Send a request and return the answer; a fault of the handler is one, too, as in a web server."""
        self._requests += 1
        number = self._requests
        self.unanswered[number] = f"{method} {path}"
        said: dict[str, Any] = {"status": 500, "body": b""}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"" if body is None else msgspec.json.encode(body)}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                said["status"] = message["status"]
            else:
                said["body"] += message.get("body", b"")

        try:
            await house.router(self._scope(house, method, path, who), receive, send)
        except Exception as error:
            self.fault(house.loop, {"message": f"{method} {path}", "exception": error})
            return 500, None
        finally:
            del self.unanswered[number]
        return said["status"], msgspec.json.decode(said["body"]) if said["body"] else None

    def _scope(self, house: House, method: str, path: str, who: str, bearer: str = "") -> dict[str, Any]:
        headers = [(b"host", b"localhost")]
        if bearer:
            headers.append((b"authorization", f"Bearer {bearer}".encode()))
        elif who:
            headers.append((b"cookie", f"{COOKIE}={self._cookie(house, who)}".encode()))
        path, _, query = path.partition("?")
        return {
            "type": "http", "http_version": "1.1", "method": method, "path": path, "raw_path": path.encode(),
            "root_path": "", "query_string": query.encode(), "headers": headers, "client": ("192.0.2.1", 0),
            "server": None, "scheme": "http",
        }  # fmt: skip

    async def insist(self, *request: Any) -> Any:
        """Ask again until it works, as people do."""
        for _ in range(5):
            status, content = await self.ask(*request)
            if status < 400:
                return content
            await asyncio.sleep(1.0)
        self.broken(f"{request[1]} {request[2]} is refused with {status}")
        return None

    async def new_table(self, house: House, who: str) -> None:
        """Make a table with a bot, and play there."""
        wish = {
            "game": "base",
            "players": 2,
            "name": who,
            "bots": ["random"],
            "options": SHORT,
            "start": True,
        }
        seated = await self.insist(house, "POST", "/api/tables", who, wish)
        if seated is not None:
            self.people.append(Person(self, len(self.people), who, seated["table"]["code"], 0))

    async def _visit(self, house: House) -> None:
        who = f"guest-{house.name}"
        await asyncio.sleep(0.5)
        await self.new_table(house, who)
        first = self.people[0]
        for path in ("/api/tables", "/api/me", "/api/me/devices", *self._of_table(self.shared)):
            await self.ask(house, "GET", path, first.who)
        await self.ask(
            house, "POST", f"/api/tables/{self.shared}/hint", first.who, {"ask": first.state["ask"]["number"]}
        )
        await self.ask(house, "POST", "/api/records", who, {})
        await asyncio.sleep(11.0)
        _, found = await self.ask(house, "GET", "/api/records", who)
        for record in [] if found is None else found["records"]:
            for way in ("", "/replay"):
                await self.ask(house, "GET", f"/api/records/{record['id']}{way}", who)
            await self.ask(house, "POST", f"/api/records/{record['id']}/review", who)
        await self.ask(house, "POST", "/api/me/revoke", who, {"others": True})

    def _of_table(self, code: str) -> list[str]:
        return [f"/api/tables/{code}{part}" for part in ("", "/looks", "/invitation")]

    async def _robot(self, house: House, who: str) -> None:
        """A bot from outside: follows its questions, and comes again when the line ends."""
        token = self._cookie(house, who, "bot")
        gone = asyncio.Event()
        self._streams.append(gone)

        async def receive() -> dict[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            for line in message.get("body", b"").split(b"\n"):
                if line.strip():
                    told = msgspec.json.decode(line)
                    if told["type"] == "ask" and self._robot_last < told["ask"]["number"]:
                        self._robot_last = told["ask"]["number"]
                        house.spawn(self._choose(house, who, told))

        while not gone.is_set():
            with contextlib.suppress(Exception):
                await house.router(self._scope(house, "GET", "/api/bot/stream", who, token), receive, send)
            await asyncio.sleep(0.5)

    _robot_last = 0

    async def _choose(self, house: House, who: str, told: Any) -> None:
        choice = random.Random(told["ask"]["number"]).choice(told["ask"]["options"])["notation"]
        body = {"ask": told["ask"]["number"], "choice": choice}
        await self.insist(house, "POST", f"/api/bot/tables/{told['table']}/choice", who, body)

    # What must hold.

    def _open_new_tables(self) -> None:
        for house in self.houses:
            if why := house.operating.dead() or house.operating.unready():
                self.broken(f"{house.name} says: {why}")
            house.spawn(self.new_table(house, f"late-{house.name}"))
        self.universe.run(self.now + 8.0)

    def _all_over(self) -> bool:
        return all(person.silent or (person.over and not person.unconfirmed) for person in self.people)

    def _check_logs(self) -> None:
        for code in {person.code: None for person in self.people}:
            messages = Counter(step.message for step in self.log(code) if step.message)
            if messages and max(messages.values()) > 1:
                self.broken("a message was followed twice")
        for person in self.people:
            self.check_answers(person)

    def _go_home(self) -> list[dict[str, float]]:
        """Let everybody leave, and return what is still held for somebody."""
        for person in self.people:
            person.leave()
        for gone in self._streams:
            gone.set()
        self.universe.run(self.now + PARTING)
        for house in self.houses:
            for room in house.hub.rooms.values():
                if not room.settled or room.inbox or room.thinking:
                    self.broken(f"a room of {house.name} is not settled")
        held = [house.held() for house in self.houses]
        if not any(isinstance(step, steps.Chosen) and step.by == "clock" for step in self.log(self.forsaken)):
            self.broken("nobody looks after a table without people")
        self.check()
        return held

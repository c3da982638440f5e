"""Several processes on one database: any of them serves any table, and none is needed."""

import asyncio
import contextlib
import itertools
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from tests.conftest import SOAK
from tests.postgres import Cluster, need_programs
from tests.server.client import CLOSED, Person, Stubborn, call, create, full_table, person, post, run
from tests.server.launch import LEASE
from tests.server.places import Place
from tests.server.running import Server
from tests.server.test_crash import confirmed, keep_folded_steps, logs

KILLS = 50 if SOAK else 3
RESTARTS = 5 if SOAK else 1
HANGS = 20 if SOAK else 2
TABLES = 75 if SOAK else 8
GAMES = ("base", "professional", "double", "nifty", "hand", "tactics", "buffalo", "open")

CUT_ALL = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


class House:
    """Processes on one database."""

    def __init__(self, place: Place, count: int) -> None:
        self.place = place
        self.servers = [Server(place) for _ in range(count)]
        self.up: list[Server] = []

    def start(self) -> None:
        for server in self.servers:
            server.start()
            self.up.append(server)

    def kill(self, server: Server) -> None:
        self.up.remove(server)
        server.kill()

    def restart(self, server: Server) -> None:
        server.start()
        self.up.append(server)


@contextlib.contextmanager
def opened(place: Place) -> Iterator[House]:
    """Three processes; no traceback may be in their log at the end."""
    house = House(place, 3)
    try:
        house.start()
        yield house
    finally:
        for server in house.servers:
            server.kill()
    log = place.log.read_text()
    assert "Traceback" not in log, log[-4000:]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Three processes on a database of their own."""
    with opened(Place("postgres", tmp_path_factory.mktemp("house"))) as house:
        keep_folded_steps(house.place)
        yield house


class Wanderer(Stubborn):
    """Comes to any process that is up."""

    house: House

    async def connect(self, **more: object) -> None:
        if self.house.up:
            self.server = self.random.choice(self.house.up)
        await super().connect(**more)


def measured(server: Server, name: str) -> int:
    """What a process says of itself."""
    text = httpx.get(f"{server.url}/metrics", trust_env=False).text
    found = (line.split() for line in text.splitlines())
    return int(next(words[1] for words in found if words[0] == f"bullpen_{name}"))


def owned(server: Server) -> int:
    """How many tables a process owns."""
    return measured(server, "owned_tables")


def test_who_is_turned_away_in_one_process_brings_no_key_out_of_another(house: House) -> None:
    one, two, three = house.servers
    for _ in range(5):
        ann = person(one, "Ann")
        before = call(two, "GET", "/api/me", ann).json()["link"]
        post(one, "/api/me/revoke", ann, {"others": True})
        # None of the others has looked again yet.
        after = call(two, "GET", "/api/me", ann).json()["link"]
        assert post(three, "/api/me", "", {"key": before}).status_code == 403
        phone = post(three, "/api/me", "", {"key": after})
        assert phone.json()["name"] == "Ann"
        bot = post(two, "/api/bot/token", ann, {"name": "Robbie"}).json()["token"]
        assert post(three, "/api/me/sign-out", ann, {"everywhere": True}).json() == {
            "devices": [],
            "bots": [],
        }
        assert call(one, "GET", "/api/me", phone.cookies["bullpen"]).status_code == 401
        assert post(two, "/api/me", "", {"key": after}).status_code == 403
        headers = {"authorization": f"Bearer {bot}"}
        end = time.monotonic() + 10
        while httpx.get(f"{one.url}/api/records", headers=headers, trust_env=False).status_code != 401:
            assert time.monotonic() < end, "within a second or two"
            time.sleep(0.05)


def test_every_process_serves_every_table(house: House) -> None:
    one, two, three = house.servers
    cookies = [person(server, f"P{seat}") for seat, server in enumerate(house.servers)]
    code = create(one, cookies[0], "base", 4, bots=["random"])
    for server, cookie in zip((two, three), cookies[1:], strict=True):
        answer = post(server, f"/api/tables/{code}/seat", cookie, {"name": "Guest"})
        assert answer.status_code == 200, answer.text
        assert answer.json()["seat"] is not None
    for server in house.servers:
        assert call(server, "GET", f"/api/tables/{code}").json()["table"]["code"] == code
        assert call(server, "GET", "/api/tables/QQQQ").status_code == 404
    assert [owned(server) for server in house.servers] == [1, 0, 0]

    async def play() -> None:
        people = [
            Person(server, code, cookie, seat)
            for seat, (server, cookie) in enumerate(zip(house.servers, cookies, strict=True))
        ]
        for somebody in people:
            await somebody.ready()
        await people[0].request({"type": "start"})
        await asyncio.gather(*(somebody.play() for somebody in people))
        assert len({somebody.last for somebody in people}) == 1
        refused = await people[1].request({"type": "choose", "ask": 1, "choice": "1"})
        assert refused["type"] == "error"

    run(play())
    assert [owned(server) for server in house.servers] == [1, 0, 0]


def test_a_process_that_stops_hands_its_tables_over(house: House) -> None:
    one, two, _ = house.servers
    code, cookies = full_table(one, "base", 2)

    async def play() -> None:
        here, there = Person(one, code, cookies[0], 0), Person(two, code, cookies[1], 1)
        for somebody in (here, there):
            await somebody.ready()
        await here.request({"type": "start"})
        await there.until(lambda: there.open_ask is not None)
        await there.choose()
        house.up.remove(one)
        assert await asyncio.to_thread(one.stop) == 0
        for somebody in (here, there):
            with contextlib.suppress(*CLOSED):
                while True:
                    await somebody.receive()
            somebody.server = two
            await somebody.connect()
        await asyncio.gather(here.play(), there.play())
        assert there.snapshots == 1, "it went on where it was"

    run(play())
    house.restart(one)


def test_the_tables_of_a_process_that_stops_are_spread_over_the_others(house: House) -> None:
    one, two, three = house.servers
    cookie = person(one, "Ann")
    for _ in range(8):
        create(one, cookie, "base", 2)
    before = {server: (owned(server), measured(server, "inherited_total")) for server in house.servers}
    house.up.remove(one)
    assert one.stop() == 0
    end = time.monotonic() + 30
    while owned(two) + owned(three) < sum(count for count, _ in before.values()):
        assert time.monotonic() < end, "somebody has them all"
        time.sleep(0.05)
    more = [measured(server, "inherited_total") - before[server][1] for server in (two, three)]
    assert sum(more) == before[one][0]
    assert abs(more[0] - more[1]) <= 1
    house.restart(one)


def test_a_bot_from_outside_is_asked_wherever_its_table_is(house: House) -> None:
    one, two, three = house.servers
    token = post(two, "/api/bot/token", "", {"name": "Robot"}).json()["token"]
    headers = {"authorization": f"Bearer {token}"}
    cookie = person(one, "Ann")
    code = create(one, cookie, "base", 2)

    async def play() -> None:
        ann = Person(one, code, cookie)
        await ann.ready()
        async with (
            httpx.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
            http.stream("GET", f"{three.url}/api/bot/stream") as stream,
        ):
            lines = (line async for line in stream.aiter_lines() if line)
            answer = await http.post(f"{two.url}/api/tables/{code}/seat", json={"name": "Robot"})
            assert answer.status_code == 200, answer.text
            await ann.request({"type": "start"})
            for _ in range(3):
                question = msgspec.json.decode(await asyncio.wait_for(anext(lines), 30))
                assert question["table"] == code
                wish = {"ask": question["ask"]["number"], "choice": question["ask"]["options"][0]["notation"]}
                answer = await http.post(f"{two.url}/api/bot/tables/{code}/choice", json=wish)
                assert answer.status_code == 200, answer.text
                while ann.open_ask is None or ann.open_ask["number"] != question["ask"]["number"]:
                    if ann.open_ask is not None and ann.open_ask["number"] > question["ask"]["number"]:
                        break
                    await ann.receive()
                else:
                    await ann.choose()

    run(play())


def seated(house: House) -> dict[str, list[Stubborn]]:
    """Tables of eight games, made at each process in turn, with people who come to any."""
    people: dict[str, list[Stubborn]] = {}
    for number in range(TABLES):
        server = house.servers[number % 3]
        code, cookies = full_table(server, GAMES[number % len(GAMES)], 4)
        group = [Wanderer(server, code, cookie, f"{code}{seat}") for seat, cookie in enumerate(cookies)]
        for somebody in group:
            somebody.house, somebody.host = house, group[0]
        people[code] = [*group]
    return people


async def in_trouble(
    people: dict[str, list[Stubborn]], times: int, trouble: Callable[[random.Random], Awaitable[None]]
) -> None:
    """Let everybody play while something goes wrong now and then, and let the games end."""
    stop, dice = asyncio.Event(), random.Random(11)
    everybody = [somebody for group in people.values() for somebody in group]
    players = [asyncio.create_task(somebody.play_on(0.2, stop)) for somebody in everybody]
    for _ in range(times):
        await asyncio.sleep(1.0 + dice.random() * 2)
        await trouble(dice)
    stop.set()
    await asyncio.wait_for(asyncio.gather(*players), 600)


def test_processes_are_killed_and_nothing_confirmed_is_lost(house: House) -> None:
    async def kill(dice: random.Random) -> None:
        server = dice.choice(house.up)
        house.kill(server)
        await asyncio.sleep(dice.random())
        await asyncio.to_thread(house.restart, server)

    people = seated(house)
    run(in_trouble(people, KILLS, kill))
    assert confirmed(logs(house.place), people) > 10 * KILLS


def test_processes_hang_or_lose_their_connections_and_nothing_confirmed_is_lost(house: House) -> None:
    kinds = itertools.cycle(("hang", "cut"))

    async def hang_or_cut(dice: random.Random) -> None:
        if next(kinds) == "cut":
            await asyncio.to_thread(house.place.ask, CUT_ALL)
            return
        pid = dice.choice(house.up).pid
        os.kill(pid, signal.SIGSTOP)
        await asyncio.sleep(LEASE * (1.2 + dice.random()))
        os.kill(pid, signal.SIGCONT)

    people = seated(house)
    run(in_trouble(people, HANGS, hang_or_cut))
    assert confirmed(logs(house.place), people) > 10 * HANGS


def test_the_database_is_restarted_and_nothing_confirmed_is_lost(tmp_path: Path) -> None:
    need_programs()
    cluster = Cluster.make()
    cluster.start()

    async def restart(_: random.Random) -> None:
        await asyncio.to_thread(cluster.restart)

    try:
        cluster.do("CREATE DATABASE tables")
        with opened(Place("postgres", tmp_path, address=cluster.address("tables"))) as house:
            keep_folded_steps(house.place)
            people = seated(house)
            run(in_trouble(people, RESTARTS, restart))
            assert confirmed(logs(house.place), people) > 10 * RESTARTS
    finally:
        cluster.remove()

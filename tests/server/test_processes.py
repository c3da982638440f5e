"""Two processes on one database: one lobby, one list of everybody's tables, one set of keys and codes."""

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from bullpen.server.admin import main as admin
from bullpen.server.config import Config
from bullpen.server.doors.neighbours import Neighbours
from bullpen.server.errors import CannotDo, Moved, Refused
from bullpen.server.live.hub import MOST_CODES, Hub
from bullpen.server.live.metrics import Metrics
from bullpen.server.live.owners import Owners
from bullpen.server.live.people import COOKIE
from bullpen.server.protocol import NewTable
from bullpen.server.store.interface import Batch, Conflict, NewTableRow, Owner, Row, StoreError
from bullpen.server.store.places import open_registry
from tests.server.client import Person, call, create, person, post, run
from tests.server.fakes import FakeSources, FakeStore
from tests.server.places import Place
from tests.server.running import Server, server
from tests.simulation.memory import MemoryRegistry, MemoryStore


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    place = Place("postgres", tmp_path_factory.mktemp("pair"))
    with server(place) as one, server(place) as other:
        yield one, other


def codes(running: Server, path: str = "/api/tables", cookie: str = "") -> list[str]:
    found = call(running, "GET", path, cookie).json()["tables"]
    return [line["code"] for line in found]


def soon(done: Callable[[], Any]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_every_process_lists_what_is_public_and_what_is_ones_own(pair: tuple[Server, Server]) -> None:
    one, other = pair
    ann = person(one, "Ann")
    public = create(one, ann, "base", 2, settings={"privacy": "public"})
    private = create(one, ann, "base", 2, settings={"privacy": "private"})
    there = create(other, ann, "tactics", 2, settings={"privacy": "public"})
    soon(lambda: {public, there} <= set(codes(other)) and {public, there} <= set(codes(one)))
    assert codes(other) == codes(one), "newest first, and each once"
    assert private not in codes(other)
    soon(lambda: codes(other, "/api/me", ann) == codes(one, "/api/me", ann) == [public, private, there])
    post(one, f"/api/tables/{public}/forget", ann, {})
    soon(lambda: codes(other, "/api/me", ann) == [private, there])
    assert codes(other, "/api/me", person(other, "Ben")) == []


def test_who_is_turned_away_in_one_process_is_gone_from_the_other(pair: tuple[Server, Server]) -> None:
    one, other = pair

    async def play() -> None:
        ann = person(one, "Ann")
        code = create(one, ann, "base", 2)
        link = call(other, "GET", "/api/me", ann).json()["link"]
        phone = post(other, "/api/me", "", {"key": link}).cookies[COOKIE]
        there = Person(other, code, phone)
        await there.ready()
        began = time.monotonic()
        assert post(one, "/api/me/revoke", ann, {"others": True}).status_code == 200
        with pytest.raises(ConnectionClosed) as closed:
            await there.until(lambda: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401
        while call(other, "GET", "/api/me", phone).status_code != 401:
            assert time.monotonic() < began + 20
            await asyncio.sleep(0.1)
        assert call(other, "GET", "/api/me", ann).status_code == 200

    run(play())


def test_a_host_sees_who_shares_a_database(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    place.open().close()
    words = ["--store", place.name, "processes"]
    registry = open_registry(place.name)
    if registry is None:
        assert place.kind == "sqlite"
        with pytest.raises(CannotDo, match="served by one process"):
            admin(words)
        return
    with contextlib.closing(registry):
        registry.enlist("one", "192.0.2.1:8267", 60_000)
        registry.enlist("two", "192.0.2.2:8267", -1)
    admin(words)
    one, two, count = capsys.readouterr().out.splitlines()
    assert one.split()[:4] == ["one", "192.0.2.1:8267", "0", "tables"]
    assert one.endswith("seconds left")
    assert two.endswith("its lease is over")
    assert count == "2 processes"


@contextlib.asynccontextmanager
async def two_hubs(store: MemoryStore) -> AsyncIterator[tuple[Hub, Hub, str]]:
    """A table that one hub has made and let go, and another one on the same store."""
    one, other = (Hub(Config(), store, FakeSources(), store.registry) for _ in range(2))
    await one.open()
    table = (await one.create(NewTable(game="base", players=2, name="Ann"), "ann")).table.id
    await one.hand_over()
    await other.open()
    yield one, other, table
    for hub in (one, other):
        await hub.writer.stop()


def test_a_table_that_was_claimed_and_could_not_be_read_then_is_read_later() -> None:
    async def story() -> None:
        store = MemoryStore(lambda: 0)
        async with two_hubs(store) as (_, other, table):
            store.unreadable = {table}
            for _ in range(2):
                await other.rooms.adopt(10)
                assert store.registry.orphans(10) == [], "to everybody else it has an owner"
                assert other.rooms.get(table) is None
            store.unreadable = set()
            await other.rooms.adopt(10)
            assert other.rooms.get(table) is not None

    asyncio.run(story())


class Forgetful(MemoryRegistry):
    """Claims, but the first answer is lost on the way."""

    lost = False

    def claim(self, table: str, process: str) -> Owner:
        owner = super().claim(table, process)
        if not self.lost:
            self.lost = True
            raise StoreError("the answer was lost")
        return owner


def test_a_claim_whose_answer_was_lost_is_made_again() -> None:
    async def story() -> None:
        store = MemoryStore(lambda: 0)
        store.registry = Forgetful(store, lambda: 0)
        async with two_hubs(store) as (_, other, table):
            await other.rooms.adopt(10)
            assert other.rooms.get(table) is None
            assert store.registry.orphans(10) == [], "to everybody else it has an owner"
            await other.rooms.adopt(10)
            assert other.rooms.get(table) is not None

    asyncio.run(story())


class Noting(MemoryRegistry):
    """Notes every name that is looked up; the store in memory looks one up to read a table."""

    def __init__(self, store: MemoryStore) -> None:
        super().__init__(store, lambda: 0)
        self.names: list[str] = []

    def named(self, name: str) -> str | None:
        self.names.append(name)
        return super().named(name)


def test_the_store_is_asked_for_codes_only_and_for_nothing_without_a_lease() -> None:
    async def story() -> None:
        store = MemoryStore(lambda: 0)
        registry = store.registry = Noting(store)
        async with two_hubs(store) as (left, other, table):
            with pytest.raises(Moved):
                await left.find(store.codes[table])
            assert registry.names == [], "it has no lease, so it could not have the table"
            assert (await other.find(table)).table.id == table
            assert registry.names == [table], "it is read, and not looked up before that"
            for name in ("no-such-table", "ZZZZ"):
                with pytest.raises(Refused, match="no such table"):
                    await other.find(name)
            assert registry.names == [table, "ZZZZ"]

    asyncio.run(story())


def test_a_table_that_is_being_read_when_its_process_begins_to_stop_is_left_to_others() -> None:
    async def story() -> None:
        store = MemoryStore(lambda: 0)
        async with two_hubs(store) as (_, other, table):
            store.open.clear()
            reading = asyncio.create_task(other.find(table))
            assert other.owners is not None
            async with asyncio.timeout(10):
                while table not in other.owners.epochs:
                    await asyncio.sleep(0.001)
            leaving = asyncio.create_task(other.hand_over())
            await asyncio.sleep(0)
            store.open.set()
            with pytest.raises(Moved):
                await reading
            await leaving
            assert other.rooms.get(table) is None, "two rooms would write the same step"

    asyncio.run(story())


def test_a_process_has_its_lease_before_it_takes_tables_and_is_ready_before_it_has_taken_all() -> None:
    async def story() -> None:
        store = MemoryStore(lambda: 0)
        async with two_hubs(store) as (_, other, table):
            assert other.owners is not None
            assert other.owners.held
            assert other.rooms.get(table) is None, "reading many tables may take longer than a lease"
            adopting = asyncio.create_task(other.adopt())
            async with asyncio.timeout(10):
                while other.rooms.get(table) is None:
                    await asyncio.sleep(0.001)
            adopting.cancel()

    asyncio.run(story())


def test_nobody_waits_any_more_for_a_process_that_cannot_be_reached(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        reached = asyncio.Event()

        async def dial(_: str, __: object) -> None:
            await reached.wait()
            raise ConnectionRefusedError

        owners = Owners(MemoryStore(lambda: 0).registry, FakeSources(), Metrics(), 5.0)
        neighbours = Neighbours(owners, FakeSources(), bytes(32), dial)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(neighbours.reach(Owner("other", "192.0.2.1:1", 1)), 0.01)
        reached.set()
        await asyncio.sleep(0.01)
        gc.collect()

    asyncio.run(story())
    assert not caplog.records, "that it failed is nobody's business by then"


class OneCode(FakeStore):
    """A store in which codes are unique, as where processes share it."""

    def write(self, batch: Batch) -> None:
        if any(row.code in self.codes.values() for row in batch.tables):
            raise Conflict("that code is taken")
        super().write(batch)


class Draws(FakeSources):
    """Draws codes as they are given."""

    def __init__(self, *drawn: str) -> None:
        super().__init__()
        self._drawn = iter(drawn)

    def code(self) -> str:
        return next(self._drawn)


def test_a_code_that_another_process_has_given_is_drawn_again() -> None:
    store = OneCode()
    store.write(Batch([NewTableRow("other", "AAAA", 1)], [Row("other", 1, b"")]))

    async def play() -> None:
        hub = Hub(Config(), store, Draws("AAAA", "AAAA", "BBBB", *["AAAA"] * MOST_CODES, "CCCC"))
        hub.writer.start()
        wish = NewTable(game="base", players=2, name="Ann")
        assert (await hub.create(wish, "ann")).table.code == "BBBB"
        with pytest.raises(Refused) as refused:
            await hub.create(wish, "ann")
        assert refused.value.code == "storage"
        assert (await hub.create(wish, "ann")).table.code == "CCCC"
        assert len(hub.rooms) == 2
        await hub.writer.stop()

    asyncio.run(play())
    assert sorted(store.codes.values()) == ["AAAA", "BBBB", "CCCC"]

"""Processes that share a store: leases, owners, and the fence that is a part of every write."""

import threading
import time
from collections.abc import Callable, Iterator

import psycopg
import pytest

from bullpen.server.store.interface import (
    Batch,
    Conflict,
    Fenced,
    HeadRow,
    NewTableRow,
    Owner,
    Registry,
    Row,
    Store,
)
from bullpen.server.store.postgres.registry import PostgresRegistry
from bullpen.server.store.postgres.store import Postgres
from tests.postgres import databases
from tests.simulation.memory import MemoryStore

LONG, GONE = 60_000, -1
"""A lease that outlasts the test, and one that has run out."""


class House:
    """A store and the registry of the processes that share it."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self.store, self.registry = store, registry

    def table(self, name: str, process: str = "", code: str = "") -> None:
        """Make a table with one step."""
        head = NewTableRow(name, code or name.upper(), 1)
        self.store.write(Batch([head], [Row(name, 1, b"one")], process=process, epochs={name: 1}))

    def write(self, process: str, table: str, number: int, epoch: int) -> None:
        """Write a step as a process that owns the table."""
        self.store.write(Batch(steps=[Row(table, number, b"more")], process=process, epochs={table: epoch}))

    def length(self, table: str) -> int:
        """How many steps of a table are there."""
        found = self.store.find_table(table)
        return 0 if found is None else len(found[1])


@pytest.fixture
def address() -> str:
    return databases().new()


@pytest.fixture
def database(address: str) -> Iterator[House]:
    store, registry = Postgres(address), PostgresRegistry(address)
    yield House(store, registry)
    store.close()
    registry.close()


def in_memory() -> House:
    """What the simulation plays with must be like what is played on."""
    store = MemoryStore(lambda: round(1000 * time.monotonic()))
    return House(store, store.registry)


@pytest.fixture(params=("postgres", "memory"))
def house(request: pytest.FixtureRequest) -> House:
    return in_memory() if request.param == "memory" else request.getfixturevalue("database")


def with_two(house: House) -> House:
    """A house with two processes, of which `one` has made a table."""
    house.registry.enlist("one", "one:1", LONG)
    house.registry.enlist("two", "two:2", LONG)
    house.table("t", "one")
    return house


@pytest.fixture
def two(house: House) -> House:
    return with_two(house)


@pytest.fixture
def two_there(database: House) -> House:
    return with_two(database)


def test_a_table_belongs_to_the_process_that_made_it(two: House) -> None:
    assert two.registry.claim("t", "two") == Owner("one", "one:1", 1)
    assert two.registry.claim("t", "one") == Owner("one", "one:1", 1)
    assert two.registry.orphans(10) == []
    two.write("one", "t", 2, 1)
    assert two.length("t") == 2


def test_a_table_that_nobody_owns_is_whose_who_claims_it_first(two: House) -> None:
    two.table("free")
    assert two.registry.orphans(10) == ["free"]
    assert two.registry.claim("free", "two") == Owner("two", "two:2", 1)
    assert two.registry.claim("free", "one") == Owner("two", "two:2", 1)


def test_only_the_owner_writes_and_only_in_its_epoch(two: House) -> None:
    for process, epoch in (("two", 1), ("one", 2), ("one", 0), ("three", 1)):
        with pytest.raises(Fenced):
            two.write(process, "t", 2, epoch)
    with pytest.raises(Fenced):
        two.store.write(Batch(steps=[Row("t", 2, b"")], process="one"))
    with pytest.raises(Fenced):
        two.store.write(Batch(folds=[Row("t", 1, b"")], process="two", epochs={"t": 1}))
    assert two.length("t") == 1


def test_a_fenced_group_is_written_whole_or_not_at_all(two: House) -> None:
    two.table("u", "two")
    rows = [Row("t", 2, b""), Row("u", 2, b"")]
    with pytest.raises(Fenced):
        two.store.write(Batch(steps=rows, process="one", epochs={"t": 1, "u": 1}))
    assert (two.length("t"), two.length("u")) == (1, 1)


def test_whose_lease_has_run_out_is_struck_by_who_claims_its_table(two: House) -> None:
    assert two.registry.renew("one", GONE)
    assert two.registry.orphans(10) == ["t"]
    assert two.registry.claim("t", "two") == Owner("two", "two:2", 2)
    assert not two.registry.renew("one", LONG)
    with pytest.raises(Fenced):
        two.write("one", "t", 2, 1)
    with pytest.raises(Fenced):
        two.registry.claim("t", "one")
    with pytest.raises(Fenced):
        two.table("v", "one")
    two.write("two", "t", 2, 2)
    assert two.length("t") == 2


def test_tables_lose_their_owner_when_it_goes_however_long_all_was_well(two: House) -> None:
    two.table("u", "two")
    for _ in range(3):
        assert two.registry.orphans(10) == []
    two.registry.renew("one", GONE)
    assert two.registry.orphans(10) == ["t"]
    two.registry.claim("t", "two")
    assert two.registry.orphans(10) == []
    two.registry.enlist("three", "three:3", LONG)
    two.registry.retire("two")
    assert sorted(two.registry.orphans(10)) == ["t", "u"]
    assert len(two.registry.orphans(10)) == 2, "nobody has taken them yet"


def test_who_renews_before_anybody_claims_goes_on(two: House) -> None:
    two.registry.renew("one", GONE)
    two.write("one", "t", 2, 1)
    assert two.registry.renew("one", LONG)
    assert two.registry.claim("t", "two").process == "one"
    two.write("one", "t", 3, 1)
    assert two.length("t") == 3


def test_who_does_not_own_a_lease_claims_nothing(two: House) -> None:
    two.registry.renew("two", GONE)
    two.table("free")
    for process in ("two", "three", ""):
        with pytest.raises(Fenced):
            two.registry.claim("free", process)
    with pytest.raises(Conflict):
        two.registry.claim("nowhere", "one")


def test_released_tables_are_free_or_go_to_an_heir_that_lives(two: House) -> None:
    for name in ("u", "v", "w"):
        two.table(name, "one")
    two.registry.release("one", ["t"])
    assert two.registry.claim("t", "two") == Owner("two", "two:2", 2)
    two.registry.release("one", ["u"], "two")
    assert two.registry.claim("u", "one") == Owner("two", "two:2", 2)
    with pytest.raises(Fenced):
        two.write("one", "u", 2, 1)
    two.write("two", "u", 2, 2)
    two.registry.release("one", ["v"], "nobody")
    assert two.registry.orphans(10) == ["v"]
    two.registry.release("one", ["t", "u"])
    assert two.registry.claim("t", "one").process == "two", "one has nothing of these to release"


def test_who_retires_leaves_its_tables_and_its_name(two: House) -> None:
    two.registry.retire("one")
    assert [row.process for row in two.registry.processes()] == ["two"]
    assert two.registry.orphans(10) == ["t"]
    assert not two.registry.renew("one", LONG)
    with pytest.raises(Fenced):
        two.write("one", "t", 2, 1)
    assert two.registry.claim("t", "two").epoch == 2


def test_the_list_tells_what_a_host_wants_to_know(two: House) -> None:
    two.registry.renew("two", GONE)
    one, other = two.registry.processes()
    assert (one.process, one.address, one.tables) == ("one", "one:1", 1)
    assert LONG - 20_000 < one.left <= LONG
    assert (other.process, other.tables) == ("two", 0)
    assert other.left < 0


def test_no_two_processes_have_one_name(two: House) -> None:
    with pytest.raises(Conflict):
        two.registry.enlist("one", "other:9", LONG)
    assert two.registry.processes()[0].address == "one:1"


def test_orphans_are_as_many_as_were_asked_for_and_none_is_archived(two: House) -> None:
    for number in range(5):
        two.table(f"free{number}")
    two.store.archive("free3", True)
    assert len(two.registry.orphans(3)) == 3
    assert sorted(two.registry.orphans(9)) == ["free0", "free1", "free2", "free4"]


def test_live_codes_are_unique_and_archived_ones_free(two: House) -> None:
    with pytest.raises(Conflict):
        two.table("u", "two", code="T")
    assert two.store.find_table("u") is None
    two.store.archive("t", True)
    two.table("u", "two", code="T")
    assert two.store.find_table("T") == ("u", [b"one"])
    two.store.archive("t", False)
    assert two.store.find_table("T") == ("u", [b"one"])
    assert two.store.find_table("t") == ("t", [b"one"])
    assert sorted(two.store.open_tables()) == [("t", "T"), ("u", "T")]


def test_heads_are_told_by_owners_only_and_not_of_archived_tables(two: House) -> None:
    registry = two.registry
    for name in ("u", "v"):
        head = NewTableRow(name, name.upper(), ord(name))
        two.store.write(Batch([head], [Row(name, 1, b"")], process="one", epochs={name: 1}))
    told = [HeadRow(name, 1, name.encode(), ("ann", "ben"), LONG) for name in ("t", "u")]
    registry.publish("one", [*told, HeadRow("v", 1, b"private", ("ann",))])
    registry.publish("two", [HeadRow("t", 1, b"stolen", (), LONG)])
    registry.publish("one", [HeadRow("u", 2, b"another epoch", (), LONG)])
    registry.publish("one", [])
    assert registry.lobby(10) == [("u", b"u"), ("t", b"t")]
    assert registry.lobby(1) == [("u", b"u")]
    assert registry.tables_of("ann") == [("t", b"t"), ("u", b"u"), ("v", b"private")]
    assert registry.tables_of("ben") == [("t", b"t"), ("u", b"u")]
    assert registry.tables_of("somebody") == []
    two.store.archive("u", True)
    registry.publish("one", [HeadRow("t", 1, b"over", ("ben",))])
    assert registry.lobby(10) == []
    assert registry.tables_of("ben") == [("t", b"over")]


def test_names_of_tables_lead_to_the_open_one(two: House) -> None:
    assert [two.registry.named(name) for name in ("t", "T", "nobody", "\x00")] == ["t", "t", None, None]
    two.store.archive("t", True)
    two.table("u", "two", code="T")
    assert two.registry.named("T") == "u"
    two.store.archive("u", True)
    two.store.archive("t", False)
    assert two.registry.named("T") == "t"


# What only a database can show: two at the same time.


def soon(act: Callable[[], object]) -> threading.Thread:
    """Do something in a thread of its own, and give it time to begin."""
    thread = threading.Thread(target=act)
    thread.start()
    time.sleep(0.2)
    return thread


def test_a_write_under_way_is_written_before_its_process_is_struck(two_there: House, address: str) -> None:
    two = two_there
    owners: list[Owner] = []
    with psycopg.connect(address) as slow:
        slow.execute("SELECT bullpen_write_1('one', '{t}', '{1}', '{t}', '{2}', ARRAY[''::bytea])")
        two.registry.renew("one", GONE)
        claiming = soon(lambda: owners.append(two.registry.claim("t", "two")))
        assert claiming.is_alive(), "it waits for the write"
        slow.commit()
        claiming.join()
    assert owners == [Owner("two", "two:2", 2)]
    assert two.length("t") == 2


def test_a_process_that_renews_while_it_is_about_to_be_struck_stays(two_there: House, address: str) -> None:
    two = two_there
    owners: list[Owner] = []
    two.registry.renew("one", GONE)
    with psycopg.connect(address) as slow:
        slow.execute("UPDATE processes SET ends = clock_timestamp() + '1 hour' WHERE name = 'one'")
        claiming = soon(lambda: owners.append(two.registry.claim("t", "two")))
        assert claiming.is_alive(), "it waits to see whether the lease is renewed"
        slow.commit()
        claiming.join()
    assert owners == [Owner("one", "one:1", 1)]
    two.write("one", "t", 2, 1)


def test_a_write_that_waits_for_a_release_is_refused(two_there: House, address: str) -> None:
    two = two_there
    refused: list[str] = []

    def late() -> None:
        try:
            two.write("one", "t", 2, 1)
        except Fenced as error:
            refused.append(str(error))

    with psycopg.connect(address) as slow:
        slow.execute("SELECT bullpen_release_1('one', '{t}', 'two')")
        writing = soon(late)
        assert writing.is_alive(), "it waits for the release"
        slow.commit()
        writing.join()
    assert refused
    assert two.length("t") == 1


def test_of_many_who_claim_at_once_one_owns(two_there: House, address: str) -> None:
    two = two_there
    two.table("free")
    names = [f"p{number}" for number in range(8)]
    registries = [PostgresRegistry(address) for _ in names]
    owners: list[Owner] = []
    start = threading.Barrier(len(names))

    def claim(registry: PostgresRegistry, name: str) -> None:
        registry.enlist(name, name, LONG)
        start.wait()
        owners.append(registry.claim("free", name))

    threads = [threading.Thread(target=claim, args=each) for each in zip(registries, names, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for registry in registries:
        registry.close()
    assert len(owners) == len(names)
    assert len(set(owners)) == 1
    assert owners[0].epoch == 1

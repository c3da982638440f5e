"""The store: what it keeps, and what happens when it cannot."""

import asyncio
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bullpen.server.store.interface import Batch, Conflict, NewTableRow, RecordRow, Row, Store, StoreError
from bullpen.server.store.migrations import MIGRATIONS
from bullpen.server.store.places import open_store
from bullpen.server.store.sqlite import SQLite
from bullpen.server.tables import steps
from bullpen.server.tables.table import Table
from tests.server.client import Person, call, create, full_table, http, person, post, run
from tests.server.places import Place
from tests.server.running import ROOT, Server, server
from tests.server.test_races import started

OLDEST = Path(__file__).parent / "data" / "store-1.sql"


def batch(*numbers: int, table: str = "t") -> Batch:
    return Batch([], [Row(table, number, b"{}") for number in numbers], [])


@pytest.fixture
def stored(place: Place) -> Iterator[Store]:
    """A store of either kind with a table of one step."""
    made = place.open()
    made.write(Batch([NewTableRow("t", "ABCD", 1)], [Row("t", 1, b"one")], []))
    yield made
    made.close()


@pytest.fixture
def store(tmp_path: Path) -> SQLite:
    """The same in a file."""
    made = SQLite(tmp_path / "store.sqlite3")
    made.write(Batch([NewTableRow("t", "ABCD", 1)], [Row("t", 1, b"one")], []))
    return made


def test_a_step_is_written_once(stored: Store, place: Place) -> None:
    other = place.open()
    stored.write(batch(2))
    with pytest.raises(Conflict):
        other.write(batch(2))
    other.write(batch(3))
    assert stored.find_table("ABCD") == ("t", [b"one", b"{}", b"{}"])
    other.close()


def test_a_batch_is_written_as_a_whole_or_not_at_all(stored: Store) -> None:
    with pytest.raises(StoreError):
        stored.write(batch(2, 3, 1))
    assert stored.find_table("t") == ("t", [b"one"])


def test_a_fold_takes_the_place_of_the_steps_before_it(stored: Store) -> None:
    stored.write(batch(2, 3))
    stored.write(Batch(steps=[Row("t", 4, b"over")], folds=[Row("t", 4, b"fold")]))
    assert stored.find_table("t") == ("t", [b"fold"])
    stored.write(batch(5))
    assert stored.find_table("t") == ("t", [b"fold", b"{}"])
    for number in (1, 4, 5):
        with pytest.raises(Conflict):
            stored.write(batch(number))
    stored.write(Batch(folds=[Row("t", 5, b"next")]))
    assert stored.find_table("t") == ("t", [b"next"])


def test_archived_tables_are_found_and_their_codes_are_free(stored: Store) -> None:
    stored.archive("t", True)
    assert stored.open_tables() == []
    stored.write(Batch([NewTableRow("u", "ABCD", 2)], [Row("u", 1, b"new")], []))
    assert stored.find_table("ABCD") == ("u", [b"new"])
    assert stored.find_table("t") == ("t", [b"one"])


def test_records_are_listed_by_person_newest_first(stored: Store) -> None:
    for number in (1, 2):
        row = RecordRow(f"r{number}", "base", number, b"%d" % number, "{}", (("ann", number),))
        stored.write(Batch([], [], [row]))
    assert stored.records_of("ann", 10) == [(b"2", 2), (b"1", 1)]
    assert stored.records_of("ben", 10) == []
    assert stored.record("r1") == "{}"


def test_the_oldest_file_opens(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite3"
    db = sqlite3.connect(path)
    db.executescript(OLDEST.read_text())
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()
    store = open_store(str(path))
    assert store.secret() == bytes(range(32))
    assert store.record("oldtable-1") == "{}"
    ((name, _),) = store.open_tables()
    found = store.find_table(name)
    assert found is not None
    table_id, log = found
    table = Table.replayed(table_id, map(steps.decode, log))
    assert table.phase == "playing"
    assert table.position is not None
    assert table.position.answers[0].notation == "33"
    store.close()
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    db.close()


def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite3"
    SQLite(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    with pytest.raises(StoreError, match="this program knows up to"):
        SQLite(path)


def test_a_damaged_file_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "damaged.sqlite3"
    path.write_bytes(b"This is not a database at all. " * 100)
    before = path.read_bytes()
    command = [sys.executable, "-m", "bullpen.server", "--port", "0", "--store", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == f"bullpen: The file {path} cannot be used as a store: file is not a database.\n"
    assert path.read_bytes() == before


def test_a_file_that_is_damaged_inside_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store = SQLite(path)
    store.write(Batch([NewTableRow("t", "ABCD", 1)], [Row("t", n, b"x" * 500) for n in range(1, 200)], []))
    store.close()
    content = bytearray(path.read_bytes())
    for place in range(20_000, len(content) - 8_000, 4096):
        content[place : place + 600] = bytes(600)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="cannot be used as a store"):
        SQLite(path)
    assert path.read_bytes() == content


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    for number, statements in enumerate(
        (
            "CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('Moo')",
            "PRAGMA application_id = 42",
            "PRAGMA journal_mode = WAL; CREATE TABLE steps (walked INTEGER)",
        )
    ):
        path = tmp_path / f"other{number}.sqlite3"
        with sqlite3.connect(path, isolation_level=None) as db:
            db.executescript(statements + "; PRAGMA user_version = 1")
        db.close()
        before = path.read_bytes()
        with pytest.raises(StoreError, match="a database of another program, and was left as it is"):
            SQLite(path)
        assert path.read_bytes() == before
        assert [found.name for found in tmp_path.glob(f"{path.name}*")] == [path.name]
        path.unlink()


def test_a_deleted_file_is_written_anew_from_what_is_still_open(store: SQLite, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store.write(batch(2))
    path.unlink()
    store.watch()
    assert path.exists()
    store.write(batch(3))
    path.unlink()
    store.write(batch(4))
    store.close()
    again = SQLite(path)
    assert again.find_table("t") == ("t", [b"one", b"{}", b"{}", b"{}"])
    again.close()


def test_a_file_that_was_replaced_is_not_written_to(store: SQLite, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    other = tmp_path / "other.sqlite3"
    SQLite(other).close()
    other.replace(path)
    before = path.read_bytes()
    for work in (store.watch, store.probe, lambda: store.write(batch(2))):
        with pytest.raises(StoreError, match="Another file lies at"):
            work()
    store.close()
    assert path.read_bytes() == before


def test_a_folder_that_is_gone_is_a_sentence_until_it_is_back(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    store = SQLite(folder / "store.sqlite3")
    store.write(Batch([NewTableRow("t", "ABCD", 1)], [Row("t", 1, b"one")]))
    for found in folder.iterdir():
        found.unlink()
    folder.rmdir()
    with pytest.raises(StoreError, match="was deleted and cannot be written anew"):
        store.write(batch(2))
    folder.mkdir()
    store.write(batch(2))
    store.close()
    again = SQLite(folder / "store.sqlite3")
    assert again.find_table("t") == ("t", [b"one", b"{}"])
    again.close()


def test_a_read_only_file_is_a_sentence_and_then_goes_on(store: SQLite) -> None:
    store._db.execute("PRAGMA query_only = ON")
    for work in (store.probe, lambda: store.write(batch(2))):
        with pytest.raises(StoreError, match="readonly"):
            work()
    store._db.execute("PRAGMA query_only = OFF")
    store.probe()
    store.write(batch(2))
    assert store.find_table("t") == ("t", [b"one", b"{}"])
    store.close()


def test_a_file_that_is_damaged_while_it_is_open_is_a_sentence(store: SQLite, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite3"
    store.write(Batch(steps=[Row("t", number, b"x" * 500) for number in range(2, 400)]))
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = path.read_bytes()
    path.write_bytes(content[:8192] + b"\xff" * (len(content) - 8192))
    store._db.execute("PRAGMA shrink_memory")
    store._db.execute("PRAGMA cache_size = 0")
    with pytest.raises(StoreError, match="malformed"):
        store.find_table("t")
    with pytest.raises(StoreError, match="malformed"):
        store.write(batch(400))
    path.write_bytes(content)
    store.write(batch(400))
    found = store.find_table("t")
    assert found is not None
    assert len(found[1]) == 400
    store.close()


async def refused_then_served(running: Server, break_it: object, mend_it: object) -> None:
    """Choices are refused while the store is broken, views are served, and then the game goes on."""
    ann, ben = await started(running, "base", 2)
    await ann.choose()
    before = ann.last
    assert callable(break_it)
    assert callable(mend_it)
    # In a thread, so that everybody goes on to answer pings.
    await asyncio.to_thread(break_it)
    answer = await ben.choose()
    assert (answer["type"], answer["code"]) == ("error", "storage")
    assert answer["retry"] > 0
    watcher = Person(running, ann.code)
    await watcher.ready()
    assert watcher.state["number"] == before
    assert ben.open_ask is not None
    assert call(running, "GET", "/readyz").status_code == 503
    assert call(running, "GET", "/healthz").status_code == 200, "a new process would not help"
    assert post(running, "/api/tables", ann.cookie, {"game": "base", "players": 2}).status_code == 503
    await asyncio.to_thread(mend_it)
    end = time.monotonic() + 20
    while call(running, "GET", "/readyz").status_code != 200:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert (await ben.choose())["type"] == "ack"
    await ann.until(lambda: any(event["type"] == "Revealed" for event in ann.events))


def test_a_locked_file(tmp_path: Path) -> None:
    with server(Place("sqlite", tmp_path)) as running:
        other = sqlite3.connect(running.place.path, isolation_level=None, check_same_thread=False)
        run(
            refused_then_served(
                running, lambda: other.execute("BEGIN IMMEDIATE"), lambda: other.execute("ROLLBACK")
            )
        )
        other.close()


def test_a_file_that_is_deleted_under_the_server(tmp_path: Path) -> None:
    with server(Place("sqlite", tmp_path)) as running:

        async def play() -> None:
            ann, ben = await started(running, "base", 2)
            await ann.choose()
            for found in tmp_path.glob("store.sqlite3*"):
                found.unlink()
            assert (await ben.choose())["type"] == "ack"
            await ann.until_number(ben.last)
            assert call(running, "GET", "/healthz").status_code == 200
            # One nobody writes to is noticed as well.
            running.place.path.unlink()
            end = time.monotonic() + 20
            while not running.place.path.exists():
                assert time.monotonic() < end
                await asyncio.sleep(0.05)
            running.kill()
            running.start()
            again = Person(running, ann.code, ann.cookie, "again")
            await again.ready()
            assert again.last == ann.last

        run(play())


def test_a_step_that_another_process_wrote_is_read(place: Place) -> None:
    with server(place) as running:

        async def play() -> None:
            ann, ben = await started(running, "base", 2)
            foreign = steps.encode(steps.Hosted(at=1, seat=1))
            ((table,),) = place.ask("SELECT id FROM tables")
            place.change("INSERT INTO steps VALUES (?, ?, ?)", table, ann.last + 1, foreign)
            answer = await ann.choose()
            assert (answer["type"], answer["code"]) == ("error", "storage")
            await ben.until(lambda: ben.state["you"]["host"])
            await ann.until_number(ben.last)
            assert (await ann.choose())["type"] == "ack"

        run(play())


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux lets a test fill a disk like this")
def test_a_full_disk(tmp_path: Path) -> None:
    with server(Place("sqlite", tmp_path)) as running:
        room = max(path.stat().st_size for path in tmp_path.iterdir())

        def fill() -> None:
            resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (room // 2, resource.RLIM_INFINITY))

        def clear() -> None:
            limit = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(running.pid, resource.RLIMIT_FSIZE, limit)

        run(refused_then_served(running, fill, clear))
        running.kill()
        running.start()
        assert call(running, "GET", "/healthz").json()["tables"] == 1


def test_a_graceful_stop_keeps_everything(place: Place) -> None:
    with server(place) as running:
        code, cookies = full_table(running, "base", 2)

        async def begin() -> None:
            ann = Person(running, code, cookies[0])
            await ann.ready()
            await ann.request({"type": "start"})
            await ann.choose()

        run(begin())
        token = post(running, "/api/bot/token", "", {"name": "Robbie"}).json()["token"]
        with http().stream(
            "GET", f"{running.url}/api/bot/stream", headers={"authorization": f"Bearer {token}"}
        ):
            assert running.stop() in (0, -15), "a stream does not keep the server from stopping"
        running.start()

        async def go_on() -> None:
            ann = Person(running, code, cookies[0], "again")
            await ann.ready()
            assert ann.state["mine"] is not None
            assert ann.state["waiting"] == [1]

        run(go_on())


def test_a_table_that_nobody_visits_is_archived_and_comes_back(place: Place) -> None:
    with server(place, "--archive-after", "0.2") as running:
        code = create(running, person(running, "Ann"), "base", 2)
        end = time.monotonic() + 20
        while call(running, "GET", "/api/tables").json()["tables"]:
            assert time.monotonic() < end
            time.sleep(0.1)
        running.kill()
        running.start()
        assert call(running, "GET", "/healthz").json()["tables"] == 0
        assert call(running, "GET", f"/api/tables/{code}").json()["table"]["code"] == code

"""Stores of earlier versions: looked at, left alone, brought up to date, and gone back to."""

import contextlib
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from bullpen.cli import main
from bullpen.server.store.interface import Batch, NewTableRow, Row, StoreError
from bullpen.server.store.lock import alone
from bullpen.server.store.migrations import APPLICATION, MIGRATIONS
from bullpen.server.store.places import open_store
from bullpen.server.store.postgres import schema
from bullpen.server.store.sqlite import SQLite
from tests.postgres import databases
from tests.server.places import Place
from tests.server.running import server
from tests.server.stores import fill

Said = pytest.CaptureFixture[str]
OLDEST = Path(__file__).parent / "data" / "store-1.sql"
NOW = len(MIGRATIONS)
READING = (
    ["tables"],
    ["tables", "--json"],
    ["people"],
    ["export-record", "oldtable-1"],
    ["check"],
    ["migrate", "--check"],
)
WRITING = (
    ["close", "oldtable"],
    ["delete-table", "oldtable"],
    ["delete-record", "oldtable-1"],
    ["delete-person", "ann"],
    ["revoke", "ann"],
    ["ban", "192.0.2.1"],
    ["announce", "Hello"],
    ["sign-up", "closed"],
    ["forget", "--days", "1"],
    ["vacuum"],
    ["new-secret"],
)


def older(path: Path, version: int) -> Path:
    """Make a file as the program of that version left it."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(OLDEST.read_text())
        for change in MIGRATIONS[1:version]:
            change(db)
        db.execute(f"PRAGMA user_version = {version}")
        if version > 2:
            db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute("PRAGMA journal_mode = WAL")
    return path


def version_of(path: Path) -> int:
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def secret_of(place: str | Path) -> bytes:
    with contextlib.closing(open_store(str(place))) as store:
        return store.secret()


def say(store: Path | str, *words: str) -> int:
    return main(["admin", "--store", str(store), *words])


@pytest.fixture(params=range(1, NOW + 1))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of every version that there was."""
    folder = tmp_path / "store"
    folder.mkdir()
    return older(folder / "tables.sqlite3", request.param)


def test_looking_changes_nothing(old: Path, tmp_path: Path, capsys: Said) -> None:
    before = old.read_bytes()
    for words in READING:
        assert say(old, *words) == 0, (words, capsys.readouterr().err)
    assert say(old, "backup", str(tmp_path / "copy")) == 0
    assert say(old, "salvage", str(tmp_path / "salvaged")) == 0
    assert say(old, "copy-store", str(old), str(tmp_path / "other")) == 0
    assert old.read_bytes() == before
    assert [found.name for found in old.parent.iterdir()] == [old.name]
    assert version_of(tmp_path / "copy") == version_of(old)
    for name in ("copy", "salvaged", "other"):
        assert secret_of(tmp_path / name) == bytes(range(32))


def test_looking_at_what_a_server_writes_meanwhile_sees_it(tmp_path: Path, capsys: Said) -> None:
    place = Place("sqlite", tmp_path)
    fill(place)
    running = place.open()
    running.archive("table1", True)
    before = place.path.read_bytes()
    assert say(place.name, "tables") == 0
    assert re.search("table1.*archived", capsys.readouterr().out)
    assert place.path.read_bytes() == before
    running.close()


def test_an_older_file_is_not_written_to(tmp_path: Path, capsys: Said) -> None:
    path = older(tmp_path / "tables.sqlite3", NOW - 1)
    before = path.read_bytes()
    for words in WRITING:
        assert say(path, *words) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "run `bullpen admin migrate` first" in said
    assert say(path, "copy-store", str(older(tmp_path / "one", 1)), str(path)) == 2
    with pytest.raises(StoreError, match="bullpen admin migrate"):
        SQLite(path)
    assert path.read_bytes() == before


def test_restoring_raises_neither_the_backup_nor_what_comes_of_it(old: Path, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite3"
    open_store(str(store)).close()
    before = old.read_bytes()
    assert say(store, "restore", str(old)) == 0
    assert old.read_bytes() == before
    assert version_of(store) == version_of(old)
    (kept,) = tmp_path.glob("tables.sqlite3.before-*")
    assert version_of(kept) == NOW


def test_migrating_is_foretold_and_leaves_a_copy_to_go_back_to(tmp_path: Path, capsys: Said) -> None:
    path = older(tmp_path / "tables.sqlite3", 3)
    assert say(path, "migrate", "--check") == 0
    foretold = capsys.readouterr().out
    assert f"has version 3. Migrating it to version {NOW} changes:" in foretold
    assert "4. Devices: on which somebody comes" in foretold
    assert re.search(r"about \d+\.\d seconds", foretold)
    assert foretold.endswith("Every table can continue.\nThis was a dry run: nothing was changed.\n")
    assert version_of(path) == 3
    assert say(path, "migrate") == 0
    said = capsys.readouterr().out
    (kept,) = tmp_path.glob("tables.sqlite3.v3-*")
    assert f"bullpen admin --store {path} restore {kept}" in said
    assert kept.stat().st_mode & 0o077 == 0
    assert (version_of(path), version_of(kept)) == (NOW, 3)
    assert say(path, "migrate") == 0
    assert "there is nothing to migrate" in capsys.readouterr().out
    assert say(path, "restore", str(kept)) == 0
    assert version_of(path) == 3


def test_a_table_that_cannot_go_on_is_foretold(tmp_path: Path, capsys: Said) -> None:
    path = older(tmp_path / "tables.sqlite3", 3)
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE steps SET body = replace(body, '\"base\"', '\"lost\"') WHERE number = 1")
    assert say(path, "migrate", "--check") == 0
    assert re.search(r"The table \w+ cannot continue: .*lost", capsys.readouterr().out)
    assert say(path, "check") == 2
    assert re.search(r"The table \w+ cannot continue: .*lost", capsys.readouterr().err)


def test_a_server_migrates_and_says_where_the_copy_lies(tmp_path: Path) -> None:
    path = older(tmp_path / "tables.sqlite3", 4)
    with server(Place("sqlite", tmp_path, "tables")) as running:
        (kept,) = tmp_path.glob("tables.sqlite3.v4-*")
        assert f"restore {kept}" in running.log.read_text()
    assert (version_of(path), version_of(kept)) == (NOW, 4)


def test_what_a_server_uses_is_neither_replaced_nor_migrated(tmp_path: Path, capsys: Said) -> None:
    place = Place("sqlite", tmp_path)
    fill(place)
    copy = tmp_path / "copy"
    assert say(place.name, "backup", str(copy)) == 0
    empty = str(tmp_path / "empty")
    open_store(empty).close()
    with server(place) as running:
        for words in (["restore", str(copy)], ["new-secret"], ["copy-store", empty, place.name]):
            assert say(place.name, *words) == 2
            assert "is in use by a running server: stop the server first." in capsys.readouterr().err
        assert not list(tmp_path.glob("*.before-*"))
        running.kill()
        assert say(place.name, "restore", str(copy)) == 0


def test_a_server_from_before_the_lock_is_noticed(tmp_path: Path, capsys: Said) -> None:
    path = older(tmp_path / "tables.sqlite3", 3)
    copy = older(tmp_path / "copy", 3)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE tables SET archived = 1")
        db.commit()
        for words in (["restore", str(copy)], ["migrate"]):
            assert say(path, *words) == 2
            assert "is in use by a running server" in capsys.readouterr().err
        with pytest.raises(StoreError, match="is in use by a running server"):
            open_store(str(path))
    assert say(path, "migrate") == 0


def test_a_link_to_a_file_is_that_file(tmp_path: Path, capsys: Said) -> None:
    place = Place("sqlite", tmp_path)
    link = tmp_path / "elsewhere" / "link.sqlite3"
    link.parent.mkdir()
    link.symlink_to(place.path)
    running = SQLite(place.path)
    running.write(Batch([NewTableRow("table0", "ABCD", 1)], [Row("table0", 1, b'{"at":1}')]))
    assert say(link, "tables") == 0
    assert "ABCD" in capsys.readouterr().out, "which only the -wal file holds so far"
    copy = tmp_path / "copy.sqlite3"
    assert say(link, "backup", str(copy)) == 0
    for path in (link, place.path):
        assert say(path, "restore", str(copy)) == 2
        assert "in use by a running server" in capsys.readouterr().err
    running.close()
    assert say(link, "restore", str(copy)) == 0
    assert link.is_symlink()
    assert [row.table for row in place.care().tables()] == ["table0"]


def test_no_server_starts_while_a_store_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    with alone(path), pytest.raises(StoreError, match="is being restored or migrated"):
        open_store(str(path))
    one, two = open_store(str(path)), open_store(str(path))
    one.close()
    two.close()


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_what_is_no_store_is_one_sentence_and_left_alone(
    content: bytes, tmp_path: Path, capsys: Said
) -> None:
    path = tmp_path / "tables.sqlite3"
    path.write_bytes(content)
    for words in (*READING, *WRITING, ["migrate"]):
        assert say(path, *words) == 2, words
        assert capsys.readouterr().err.count("\n") == 1
    assert path.read_bytes() == content


def test_a_copy_that_cannot_be_made_leaves_the_store_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = older(tmp_path / "tables.sqlite3", 3)
    monkeypatch.setattr(time, "strftime", lambda _: "now")
    (tmp_path / "tables.sqlite3.v3-now").touch()
    with pytest.raises(StoreError, match="File exists"):
        open_store(str(path))
    assert version_of(path) == 3


# Databases: the next version is made up here.

NEXT = (
    "-- Hats.\nCREATE TABLE hats (who text);\nALTER TABLE voids ADD COLUMN hat text NOT NULL DEFAULT 'none'"
)


TODAY = len(schema.MIGRATIONS)


@contextlib.contextmanager
def next_version() -> Iterator[None]:
    """Be the program of the next version for a while."""
    changes = (*schema.MIGRATIONS, NEXT)
    with pytest.MonkeyPatch.context() as patch:
        for module in ("schema", "upgrade", "books"):
            patch.setattr(f"bullpen.server.store.postgres.{module}.MIGRATIONS", changes)
        yield


def state_of(address: str) -> list[tuple[object, ...]]:
    """The columns of every table in every schema, and the store's version."""
    with psycopg.connect(address) as db:
        columns = db.execute(
            "SELECT table_schema, table_name, column_name FROM information_schema.columns"
            " WHERE table_schema !~ '^(pg_|information_schema)' ORDER BY 1, 2, 3"
        ).fetchall()
        return [*columns, *db.execute("SELECT value FROM facts WHERE name = 'version'").fetchall()]


@pytest.fixture
def database(tmp_path: Path) -> Place:
    """A database of today."""
    made = Place("postgres", tmp_path)
    fill(made)
    return made


def test_looking_at_an_older_database_changes_nothing(database: Place, tmp_path: Path) -> None:
    before = state_of(database.name)
    with next_version():
        for words in (["tables"], ["people"], ["processes"], ["check"], ["export-person", "annwho"]):
            assert say(database.name, *words) == 0
        assert say(database.name, "backup", str(tmp_path / "copy")) == 0
        assert say(database.name, "copy-store", database.name, str(tmp_path / "other")) == 0
        assert say(database.name, "migrate", "--check") == 0
        for words in (["close", "ABCD"], ["revoke", "annwho"], ["vacuum"], ["new-secret"]):
            assert say(database.name, *words) == 2
    assert state_of(database.name) == before


def test_an_older_database_is_migrated_and_gone_back_to(
    database: Place, tmp_path: Path, capsys: Said
) -> None:
    before = database.ask("SELECT * FROM steps ORDER BY 1, 2")
    secret = secret_of(database.name)
    with next_version():
        assert say(database.name, "migrate", "--check") == 0
        assert f"  {TODAY + 1}. Hats.\n" in capsys.readouterr().out
        assert say(database.name, "migrate") == 0
        said = capsys.readouterr().out
        assert database.ask("SELECT value FROM facts WHERE name = 'version'") == [(str(TODAY + 1),)]
        assert say(database.name, "close", "ABCD") == 0
    with pytest.raises(StoreError, match="use a newer bullpen"):
        database.open()
    (aside,) = re.findall(r"options=(-csearch_path%3Dbullpen_v\d+_\w+)", said)
    target = Place("postgres", tmp_path, "back", databases().new())
    assert say("", "copy-store", f"{database.name}&options={aside}", target.name) == 0
    assert target.ask("SELECT * FROM steps ORDER BY 1, 2") == before
    assert secret_of(target.name) == secret


@pytest.mark.parametrize("value", ["", "0", "two", None])
def test_a_database_that_does_not_say_its_version_is_left_alone(database: Place, value: str | None) -> None:
    database.change("DELETE FROM facts WHERE name = 'version'")
    if value is not None:
        database.change("INSERT INTO facts VALUES ('version', ?)", value)
    with pytest.raises(StoreError, match="does not say which version it has"):
        database.open()
    assert say(database.name, "tables") == 2


def test_a_database_that_a_server_uses_is_not_copied_into(tmp_path: Path, capsys: Said) -> None:
    target = Place("postgres", tmp_path)
    source = Place("sqlite", tmp_path)
    fill(source)
    with server(target):
        assert say(target.name, "copy-store", source.name, target.name) == 2
        assert "is in use by a running server" in capsys.readouterr().err
        assert say(target.name, "new-secret") == 2

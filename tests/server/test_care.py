"""What a host does with a store: lists, deletes, checks, copies and salvages."""

import contextlib
import sqlite3
from pathlib import Path

import msgspec
import pytest

from bullpen.server.live.people import People
from bullpen.server.live.rooms import read
from bullpen.server.sources import Sources
from bullpen.server.store.care import SOMEBODY
from bullpen.server.store.copying import COLUMNS
from bullpen.server.store.interface import (
    Batch,
    Conflict,
    DeviceRow,
    NewTableRow,
    Row,
    StoreError,
    VoidRow,
)
from bullpen.server.store.places import copy_store, open_care
from bullpen.server.store.salvage import salvage
from bullpen.server.store.sqlite import SQLite
from tests.server.places import BOTH, Kind, Place


def test_tables_are_listed_with_their_last_change(filled: Place) -> None:
    care = filled.care()
    listed = {row.table: row for row in care.tables()}
    assert set(listed) == {"table0", "table1", "table2"}
    first = listed["table0"]
    assert (first.code, first.changed, first.steps, first.records) == ("ABCD", 429, 404, 1)
    assert not first.archived
    assert care.check() == []
    care.close()


def test_a_deleted_table_leaves_nothing(filled: Place) -> None:
    care = filled.care()
    assert care.delete_table("table0")
    assert not care.delete_table("table0")
    care.vacuum()
    assert care.check() == []
    care.close()
    store = filled.open()
    assert store.find_table("ABCD") is None
    assert store.record("table0-1") is None
    assert len(store.open_tables()) == 2
    store.close()


def test_a_deleted_record_leaves_its_table(filled: Place) -> None:
    care = filled.care()
    assert care.delete_record("table0-1")
    assert not care.delete_record("table0-1")
    assert {row.table for row in care.tables()} == {"table0", "table1", "table2"}
    care.close()


def rows(place: Place) -> dict[str, list[tuple[object, ...]]]:
    """All that a store holds, by kind."""
    return {
        kind: sorted(place.ask(f"SELECT {', '.join(columns)} FROM {kind}"))
        for kind, columns in COLUMNS.items()
    }


def contents(place: Place) -> list[bytes]:
    """The same in one piece; of a file also every byte of it."""
    found = repr(rows(place)).encode()
    return [found] if place.kind == "postgres" else [found, place.path.read_bytes()]


def test_a_deleted_person_leaves_no_name_and_the_table_goes_on(filled: Place) -> None:
    care = filled.care()
    assert care.delete_person("annwho", 1000) == 5
    assert care.delete_person("annwho", 1000) == 0
    assert care.delete_person("", 1000) == 0
    care.vacuum()
    care.close()
    for content in contents(filled):
        assert content.count(b"annwho") == 1, "the identity stays among the ended keys, and nowhere else"
        assert b"benwho" in content
    store = filled.open()
    found = store.find_table("table0")
    assert found is not None
    table, _ = read(*found)
    assert [chair.name for chair in table.chairs] == [SOMEBODY, "Benwho"]
    assert table.phase == "playing"
    assert msgspec.json.decode(store.record("table0-1") or "")["names"] == [SOMEBODY, "Ben"]
    assert store.records_of("annwho", 9) == []
    store.close()


def test_no_key_of_a_deleted_person_is_good_again(place: Place) -> None:
    store = place.open()
    people = People(store, Sources())
    ann = people.new("Ann")
    people.saw(ann, "Firefox, Linux")
    cookie, link = people.cookie(ann), people.link(ann)
    bots = [people.new_bot(name, ann.who, 30) for name in ("One", "Two")]
    tokens = [people.signer.sign(bot, "bot") for bot in bots]
    people.revoke(ann.who, bots[0].who)
    people.end_others(ann.who, "")
    people.saw(ann, "Firefox, Linux")
    care = place.care()
    assert care.delete_person(ann.who, people.now) == 0
    care.close()
    for each in (people, People(store, Sources())):
        each.look_again()
        assert (each.known(cookie), each.linked(link)) == (None, None)
        assert [each.bot(token) for token in tokens] == [None, None]
        assert each.devices(ann.who) == []
    assert {row[1:3] for row in rows(place)["devices"]} == {(bot.who, "") for bot in bots}
    store.close()


def test_a_backup_is_a_store_and_never_overwrites(filled: Place, tmp_path: Path) -> None:
    running = filled.open()
    care = filled.care()
    copy = tmp_path / "copy.sqlite3"
    care.backup(copy)
    with pytest.raises(StoreError, match="already"):
        care.backup(copy)
    care.close()
    store = SQLite(copy)
    assert store.secret() == running.secret()
    assert store.find_table("table1") == running.find_table("table1")
    assert copy.stat().st_mode & 0o077 == 0
    store.close()
    running.close()


def test_what_does_not_fit_together_is_named(filled: Place) -> None:
    filled.change("DELETE FROM steps WHERE table_id = 'table1' AND number = 50")
    filled.change("UPDATE steps SET body = ? WHERE table_id = 'table2' AND number = 7", b"{")
    filled.change("INSERT INTO tables (id, code, created) VALUES ('empty', 'EMPT', 1)")
    care = filled.care()
    assert care.check() == [
        "Steps of the table table1 are missing.",
        "The table empty has no steps.",
        "Step 7 of the table table2 cannot be read.",
    ]
    care.close()


def test_care_is_taken_of_stores_only(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no file"):
        open_care(str(tmp_path / "none.sqlite3"))
    other = tmp_path / "other.sqlite3"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE somebodys (own TEXT)")
    db.close()
    with pytest.raises(StoreError, match="another program"):
        open_care(str(other))


@pytest.mark.parametrize("target", BOTH)
def test_a_store_is_copied_whole_into_either_kind(filled: Place, target: Kind, tmp_path: Path) -> None:
    store = filled.open()
    store.keep_review("up-1", 3, b"good")
    store.note_devices([DeviceRow("phone", "annwho", "Safari, iPhone", 5, 6)])
    store.revoke_device("annwho", "phone")
    store.void(VoidRow("annwho", 7, 8, "desk"))
    store.archive("table2", True)
    store.write(Batch(folds=[Row("table1", 100, b'{"at":1}')]))
    store.close()
    other = Place(target, tmp_path, "other")
    counted = copy_store(filled.name, other.name)
    assert (counted["tables"], counted["steps"], counted["folds"], counted["records"]) == (3, 1112, 1, 2)
    one, two = filled.open(), other.open()
    assert two.secret() == one.secret()
    assert two.open_tables() == one.open_tables() == [("table0", "ABCD"), ("table1", "EFGH")]
    for name in ("ABCD", "table1", "table2"):
        assert two.find_table(name) == one.find_table(name)
    assert two.review("up-1", 3) == b"good"
    assert two.revoked() == one.revoked()
    assert rows(other) == rows(filled)
    with pytest.raises(Conflict):
        two.write(Batch([NewTableRow("new", "ABCD", 1)], [Row("table0", 404, b"")]))
    one.close()
    two.close()
    with pytest.raises(StoreError, match="empty one only"):
        copy_store(filled.name, other.name)


def test_what_cannot_be_copied_leaves_the_other_store_empty(filled: Place, tmp_path: Path) -> None:
    other = Place("postgres" if filled.kind == "sqlite" else "sqlite", tmp_path, "other")
    with pytest.raises(StoreError, match="no file"):
        copy_store(str(tmp_path / "none"), other.name)
    other.open().close()
    refuse = {
        "sqlite": "CREATE TRIGGER no BEFORE INSERT ON voids BEGIN SELECT RAISE(ABORT, 'not that'); END",
        "postgres": "ALTER TABLE voids ADD CHECK (links < 0)",
    }
    other.change(refuse[other.kind])
    store = filled.open()
    store.void(VoidRow("annwho", 7, 8, "desk"))
    secret = store.secret()
    store.close()
    with pytest.raises(StoreError):
        copy_store(filled.name, other.name)
    left = other.open()
    assert left.open_tables() == []
    assert left.secret() != secret
    left.close()


def damage(path: Path, table: str) -> None:
    """Break the pages in which most of a table's steps lie."""
    content = bytearray(path.read_bytes())
    page, needle = 4096, table.encode()
    broken = [
        start
        for start in range(page, len(content), page)
        if content[start : start + page].count(needle) > 20 and content[start] in (10, 13)
    ]
    assert broken
    for start in broken[len(broken) // 2 :][:1]:
        content[start : start + page] = b"\xff" * page
    path.write_bytes(content)


def test_what_can_be_read_is_salvaged(path: Path, tmp_path: Path) -> None:
    before = SQLite(path)
    whole = {name: before.find_table(name) for name in ("table0", "table1", "table2")}
    secret = before.secret()
    before.close()
    damage(path, "table1")
    with pytest.raises(StoreError, match="cannot be used"):
        SQLite(path)
    damaged = path.read_bytes()
    found = salvage(path, tmp_path / "new.sqlite3")
    assert path.read_bytes() == damaged
    assert found.lost
    assert (found.tables, found.records) == (3, 2)
    store = SQLite(tmp_path / "new.sqlite3")
    assert store.secret() == secret
    assert store.find_table("table0") == whole["table0"]
    assert store.find_table("table2") == whole["table2"]
    part = store.find_table("table1")
    everything = whole["table1"]
    assert part is not None
    assert everything is not None
    assert 0 < len(part[1]) < len(everything[1])
    assert part[1] == everything[1][: len(part[1])]
    table, _ = read(*part)
    assert table.number == len(part[1])
    store.close()
    care = open_care(str(tmp_path / "new.sqlite3"))
    assert care.check() == []
    care.close()


@pytest.mark.parametrize("kind", ["devices", "voids"])
def test_a_salvage_that_loses_revocations_says_what_to_do(path: Path, tmp_path: Path, kind: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        ((size,),) = db.execute("PRAGMA page_size")
        ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (kind,))
    with path.open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    unread, advice = salvage(path, tmp_path / "new.sqlite3").lost
    assert f"Not all of `{kind}`" in unread
    assert "`bullpen admin new-secret` ends all keys" in advice


def test_a_sound_store_is_salvaged_whole_and_nothing_is_overwritten(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "new.sqlite3"
    found = salvage(path, target)
    assert (found.tables, found.steps, found.records, found.lost) == (3, 1212, 2, ())
    with pytest.raises(StoreError, match="already"):
        salvage(path, target)
    with pytest.raises(StoreError, match="no file"):
        salvage(tmp_path / "none", tmp_path / "newer.sqlite3")
    (tmp_path / "text").write_text("This is not a database at all. " * 100)
    with pytest.raises(StoreError, match="Nothing can be read"):
        salvage(tmp_path / "text", tmp_path / "newer.sqlite3")

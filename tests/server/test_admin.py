"""`bullpen admin`: the words of a host, and a sentence for every mistake."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bullpen.cli import main
from bullpen.server.live.people import Identity, People
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Batch, RecordRow
from bullpen.server.store.places import open_care
from tests.server.places import Place

Said = pytest.CaptureFixture[str]


def say(store: Place | Path, *words: str) -> int:
    name = store.name if isinstance(store, Place) else str(store)
    return main(["admin", "--store", name, *words])


def tables(store: Place | Path) -> dict[str, bool]:
    care = store.care() if isinstance(store, Place) else open_care(str(store))
    found = {row.table: row.archived for row in care.tables()}
    care.close()
    return found


def test_tables_and_people_are_listed(filled: Place, capsys: Said) -> None:
    assert say(filled, "tables") == 0
    listed = capsys.readouterr().out
    assert "table0  ABCD" in listed
    assert listed.endswith("3 tables\n")
    assert say(filled, "tables", "--json") == 0
    assert {row["code"] for row in json.loads(capsys.readouterr().out)} == {"ABCD", "EFGH", "IJKL"}
    assert say(filled, "people", "--named", "BEN") == 0
    assert capsys.readouterr().out == "benwho      3 tables  Benwho\n1 people\n"


def test_a_table_is_closed_or_deleted_by_its_code_or_id(filled: Place, capsys: Said) -> None:
    assert say(filled, "close", "ABCD") == 0
    assert say(filled, "delete-table", "table1") == 0
    assert tables(filled) == {"table0": True, "table2": False}
    assert say(filled, "delete-table", "table1") == 2
    assert "There is no table 'table1'." in capsys.readouterr().err


def test_games_are_exported_and_deleted(filled: Place, capsys: Said) -> None:
    assert say(filled, "export-record", "table0-1") == 0
    assert json.loads(capsys.readouterr().out) == {"names": ["Ann", "Ben"]}
    assert say(filled, "delete-record", "table0-1") == 0
    for word in ("export-record", "delete-record"):
        assert say(filled, word, "table0-1") == 2
        assert "There is no game 'table0-1'." in capsys.readouterr().err


def test_what_is_kept_of_a_person_is_told_and_deleted(filled: Place, capsys: Said) -> None:
    assert say(filled, "export-person", "annwho") == 0
    kept = json.loads(capsys.readouterr().out)
    assert (kept["names"], sorted(kept["games"])) == (["Annwho"], ["table0-1", "up-1"])
    assert say(filled, "delete-person", "annwho") == 0
    for word in ("export-person", "delete-person"):
        assert say(filled, word, "annwho") == 2
        assert "There is no trace of 'annwho'." in capsys.readouterr().err


def test_somebodys_keys_are_ended(filled: Place, capsys: Said) -> None:
    assert say(filled, "revoke", "nobody") == 2
    store = filled.open()
    people = People(store, Sources())
    cookie = people.cookie(Identity("annwho", "Ann", "phone", people.now - 5))
    assert people.known(cookie) is not None
    store.close()
    assert say(filled, "revoke", "annwho") == 0
    store = filled.open()
    assert People(store, Sources()).known(cookie) is None
    store.close()
    assert "annwho" in capsys.readouterr().out


def test_what_is_old_is_forgotten_and_nothing_else(filled: Place, capsys: Said) -> None:
    store = filled.open()
    now = time.time_ns() // 1_000_000
    store.write(Batch(records=[RecordRow("up-2", "base", now, b"{}", "{}")]))
    store.close()
    assert say(filled, "forget", "--days", "0") == 2
    assert say(filled, "forget", "--days", "30") == 0
    assert "3 tables with their games and 1 uploaded games are gone." in capsys.readouterr().out
    care = filled.care()
    assert (care.tables(), care.record("up-1"), care.record("up-2")) == ([], None, "{}")
    care.close()


def test_a_backup_is_restored_and_the_old_file_kept(path: Path, tmp_path: Path, capsys: Said) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert say(path, "backup", str(copy)) == 0
    assert say(path, "backup", str(copy)) == 2
    assert say(path, "delete-table", "table0") == 0
    assert say(path, "restore", str(copy)) == 0
    assert set(tables(path)) == {"table0", "table1", "table2"}
    (kept,) = tmp_path.glob("store.sqlite3.before-*[0-9]")
    assert set(tables(kept)) == {"table1", "table2"}
    assert say(path, "check") == 0
    assert say(path, "vacuum") == 0
    assert "all is well" in capsys.readouterr().out


def test_a_restore_that_is_interrupted_leaves_a_store_in_its_place(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.sqlite3"
    assert say(path, "backup", str(copy)) == 0
    assert say(path, "delete-table", "table0") == 0
    for number in range(4):
        with monkeypatch.context() as patch:
            steps = iter(range(number))
            for name in ("rename", "replace", "hardlink_to"):
                patch.setattr(Path, name, _interrupted(getattr(Path, name), steps))
            patch.setattr("bullpen.server.admin.stamp", lambda number=number: f"{number}")
            say(path, "restore", str(copy))
        assert path.exists(), f"interrupted before step {number}"
        assert tables(path).keys() >= {"table1", "table2"}
    assert "table0" in tables(path)


def _interrupted(move: Callable[..., object], steps: Iterator[int]) -> Callable[..., object]:
    """Raise once no step is left; shared by several functions."""

    def moved(*paths: Path) -> object:
        if next(steps, None) is None:
            raise KeyboardInterrupt
        return move(*paths)

    return moved


def test_a_damaged_backup_is_not_restored(path: Path, tmp_path: Path, capsys: Said) -> None:
    bad = tmp_path / "bad.sqlite3"
    bad.write_bytes(b"not a store at all" * 1000)
    before = path.read_bytes()
    assert say(path, "restore", str(bad)) == 2
    assert path.read_bytes() == before
    assert "bad.sqlite3" in capsys.readouterr().err


def test_what_can_be_read_is_salvaged_by_command(path: Path, tmp_path: Path, capsys: Said) -> None:
    assert say(path, "salvage", str(tmp_path / "new.sqlite3")) == 0
    assert "3 tables" in capsys.readouterr().out
    assert set(tables(tmp_path / "new.sqlite3")) == {"table0", "table1", "table2"}


@pytest.mark.parametrize("word", ["tables", "check", "vacuum"])
def test_a_missing_file_is_one_sentence(word: str, tmp_path: Path, capsys: Said) -> None:
    assert say(tmp_path / "none", word) == 2
    assert capsys.readouterr().err == f"bullpen: There is no file {tmp_path / 'none'}.\n"

"""Without its secret no store is served: an empty key would let anybody sign anything."""

import contextlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bullpen.cli import main
from bullpen.server.doors.link import link_key
from bullpen.server.live.people import Identity, People, Signer
from bullpen.server.sources import Sources
from bullpen.server.store.interface import StoreError
from bullpen.server.store.places import copy_store
from tests.server.places import Place
from tests.server.running import ROOT

Said = pytest.CaptureFixture[str]
SET = "UPDATE facts SET value = ? WHERE name = 'secret'"
GONE = "DELETE FROM facts WHERE name = 'secret' OR name = ?"
BAD = [
    pytest.param(GONE, "", id="missing"),
    *(
        pytest.param(SET, value, id=name)
        for name, value in (
            ("empty", ""),
            ("short", "00" * 31),
            ("long", "ab" * 33),
            ("no-number", "zz" * 32),
            ("spaces", "ab " * 32),
            ("two-lines", "ab" * 32 + "\n"),
        )
    ),
]
BLOB = pytest.param(SET, b"ab" * 32, id="blob")
NUMBER = pytest.param(SET, 7, id="number")
NULL = pytest.param(SET, None, id="null")


def secret_of(place: Place) -> bytes:
    with contextlib.closing(place.open()) as store:
        return store.secret()


def say(place: Place, *words: str) -> int:
    return main(["admin", "--store", place.name, *words])


@pytest.mark.parametrize(("statement", "value"), BAD)
def test_a_store_without_its_secret_is_served_by_nobody(
    filled: Place, statement: str, value: object, tmp_path: Path, capsys: Said
) -> None:
    filled.change(statement, value)
    store = filled.open()
    with pytest.raises(StoreError, match="The secret that signs everybody's keys is"):
        People(store, Sources())
    store.close()
    assert say(filled, "check") == 2
    assert "The secret that signs everybody's keys is" in capsys.readouterr().err
    other = Place(filled.kind, tmp_path, "other")
    with pytest.raises(StoreError, match="The secret"):
        copy_store(filled.name, other.name)


@pytest.mark.parametrize(("statement", "value"), [*BAD, BLOB, NUMBER, NULL])
def test_a_file_without_its_secret_is_neither_restored_nor_salvaged_with_it(
    path: Path, statement: str, value: object, tmp_path: Path, capsys: Said
) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute(statement, (value,))
    place = Place("sqlite", tmp_path)
    other = Place("sqlite", tmp_path, "other")
    other.open().close()
    assert say(other, "restore", str(path)) == 2
    assert say(place, "check") == 2
    assert "The secret that signs everybody's keys is" in capsys.readouterr().err
    new = Place("sqlite", tmp_path, "new")
    assert say(place, "salvage", str(new.path)) == 0
    assert "is lost: the new file has a new one" in capsys.readouterr().err
    assert len(secret_of(new)) == 32


def test_the_server_says_in_one_sentence_why_it_does_not_start(filled: Place) -> None:
    filled.change(GONE, "")
    command = [sys.executable, "-m", "bullpen.server", "--port", "0", "--no-greet", "--store", filled.name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "bullpen: The secret that signs everybody's keys is missing in this store: restore a backup, or"
        " run `bullpen admin new-secret`, which signs everybody out.\n"
    )


def test_a_new_secret_signs_everybody_out(filled: Place, capsys: Said) -> None:
    store = filled.open()
    people = People(store, Sources())
    cookie = people.cookie(Identity("annwho", "Ann", "phone", people.now - 5))
    assert people.known(cookie) is not None
    store.close()
    filled.change(GONE, "")
    assert say(filled, "new-secret") == 0
    assert "Everybody is signed out" in capsys.readouterr().out
    assert say(filled, "check") == 0
    store = filled.open()
    assert People(store, Sources()).known(cookie) is None
    store.close()


def test_a_copy_brings_its_secret_even_where_there_was_none(filled: Place, tmp_path: Path) -> None:
    other = Place(filled.kind, tmp_path, "other")
    other.open().close()
    other.change(GONE, "")
    copy_store(filled.name, other.name)
    assert secret_of(other) == secret_of(filled)


@pytest.mark.parametrize("secret", [b"", b"short", bytes(31)])
def test_no_short_key_signs_or_verifies(secret: bytes) -> None:
    for use in (Signer, link_key):
        with pytest.raises(StoreError, match="is too short"):
            use(secret)

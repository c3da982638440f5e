"""A database that goes away and comes back, answers too late, or was never ours."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from bullpen.server.store.interface import Batch, Conflict, NewTableRow, Row, StoreError
from bullpen.server.store.places import open_care, open_store
from bullpen.server.store.postgres.schema import MIGRATIONS
from bullpen.server.store.postgres.store import Postgres
from tests.postgres import PORT, Cluster, databases, need_programs
from tests.server.client import Person, run
from tests.server.places import Place
from tests.server.running import ROOT, server
from tests.server.test_races import started
from tests.server.test_storage import refused_then_served

FIRST = Batch([NewTableRow("t", "ABCD", 1)], [Row("t", 1, b"one")])


@pytest.fixture
def address() -> str:
    return databases().new()


@pytest.fixture
def store(address: str) -> Iterator[Postgres]:
    made = Postgres(address)
    made.write(FIRST)
    yield made
    made.close()


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A database server that a test may kill, with all that keeps what is confirmed through a power cut."""
    need_programs()
    found = Cluster.make()
    found.start()
    found.do("CREATE DATABASE tables")
    yield found
    found.remove()


def step(number: int) -> Batch:
    return Batch(steps=[Row("t", number, b"{}")])


def length(store: Postgres) -> int:
    found = store.find_table("t")
    assert found is not None
    return len(found[1])


def cut(address: str) -> None:
    """End every connection to a database but this one."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_connection_that_was_cut_is_made_anew_unnoticed(store: Postgres, address: str) -> None:
    cut(address)
    store.write(step(2))
    cut(address)
    assert length(store) == 2
    cut(address)
    store.watch()
    store.probe()


class Deaf:
    """Stands between a store and its database, and can keep an answer back and hang up."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self._real = str(cluster.folder / f".s.PGSQL.{PORT}")
        self.folder = folder
        self.needle: bytes | None = None
        """The answer to the next request that holds this is lost, and with it the connection."""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / f".s.PGSQL.{PORT}"))
        self._listening.listen()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._real)
                self._open += [near, far]
                lost = threading.Event()
                for work in (self._ask, self._answer):
                    threading.Thread(target=work, args=(near, far, lost), daemon=True).start()

    def _ask(self, near: socket.socket, far: socket.socket, lost: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while said := near.recv(65536):
                if self.needle is not None and self.needle in said:
                    self.needle = None
                    lost.set()
                far.sendall(said)
        _hang_up(near, far)

    def _answer(self, near: socket.socket, far: socket.socket, lost: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while (said := far.recv(65536)) and not lost.is_set():
                near.sendall(said)
        _hang_up(near, far)

    def close(self) -> None:
        """Hang up for good."""
        self._listening.shutdown(socket.SHUT_RDWR)
        for one in (self._listening, *self._open):
            one.close()


def _hang_up(*ends: socket.socket) -> None:
    for end in ends:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def deaf(tmp_path: Path) -> Iterator[Deaf]:
    # The path of a socket is short.
    with contextlib.chdir(tmp_path):
        found = Deaf(databases().cluster, Path())
    found.folder = tmp_path
    yield found
    found.close()


def through(deaf: Deaf, address: str) -> str:
    """The address of the same database through that door."""
    return address.replace(str(databases().cluster.folder), str(deaf.folder))


def test_a_commit_whose_answer_is_lost_is_a_conflict_and_written_once(deaf: Deaf, address: str) -> None:
    store = Postgres(through(deaf, address))
    with contextlib.closing(store):
        store.write(FIRST)
        store.write(step(2))
        deaf.needle = b"lost"
        with pytest.raises(Conflict):
            store.write(Batch(steps=[Row("t", 3, b"lost")]))
        assert length(store) == 3
        store.write(step(4))
        assert length(store) == 4


def test_a_choice_whose_commit_was_not_heard_of_is_there_once(tmp_path: Path, deaf: Deaf) -> None:
    place = Place("postgres", tmp_path)
    place.name = through(deaf, place.name)
    with server(place) as running:

        async def play() -> None:
            ann, ben = await started(running, "base", 2)
            assert (await ben.choose())["type"] == "ack"
            ask = ann.open_ask
            assert ask is not None
            message = {"type": "choose", "id": "mine", "ask": ask["number"], "choice": ann.pick(ask)}
            deaf.needle = b'"message":"mine"'
            answer = await ann.request(message)
            assert (answer["type"], answer["code"]) == ("error", "storage")
            again = await ann.request(message)
            assert again["type"] == "ack", "it is known already"
            await ben.until_number(again["number"])
            await ann.until(lambda: any(event["type"] == "Revealed" for event in ann.events))

        run(play())
    bodies = [body for (body,) in place.ask("SELECT body FROM steps")]
    assert sum(b'"message":"mine"' in body for body in bodies) == 1


def test_a_table_that_somebody_else_has_locked(tmp_path: Path) -> None:
    place = Place("postgres", tmp_path)
    with server(place) as running, psycopg.connect(place.name) as other:
        run(
            refused_then_served(
                running, lambda: other.execute("LOCK TABLE steps IN SHARE MODE"), other.rollback
            )
        )


def on(cluster: Cluster, folder: Path) -> Place:
    """A store on a database server that a test may kill."""
    return Place("postgres", folder, address=cluster.address("tables"))


def test_what_was_confirmed_survives_the_death_of_server_and_database(
    cluster: Cluster, tmp_path: Path
) -> None:
    with server(on(cluster, tmp_path)) as running:

        async def play() -> Person:
            ann, _ = await started(running, "base", 2)
            assert (await ann.choose())["type"] == "ack"
            return ann

        ann = run(play())
        cluster.kill()
        running.kill()
        cluster.start()
        running.start()

        async def go_on() -> None:
            again = Person(running, ann.code, ann.cookie, "again")
            await again.ready()
            assert again.last >= ann.last
            assert again.state["mine"] is not None

        run(go_on())


# Databases that are not ours, or not there.


def refused(place: str) -> str:
    """Start a server, and return the sentence with which that ended."""
    command = [sys.executable, "-m", "bullpen.server", "--port", "0", "--store", place]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_no_database_is_a_sentence_without_the_password(address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    there = f"postgresql://ann:sesame@127.0.0.1:{port}/tables"
    said = refused(there)
    assert f"The store postgresql://127.0.0.1:{port}/tables" in said
    assert "sesame" not in said
    for place in ("postgresql://ann:ses?ame@%zz/x", "postgresql://u:sesame@h/d?nonsense=1"):
        with pytest.raises(StoreError) as caught:
            open_store(place)
        assert "ses" not in str(caught.value)
    with pytest.raises(StoreError, match="does not exist"):
        open_store(address.replace("postgresql:///", "postgresql:///no"))
    with pytest.raises(StoreError, match="and not mysql"):
        open_store("mysql://localhost/tables")


def test_a_database_of_another_program_is_left_alone(address: str) -> None:
    name = f"other{os.getpid()}"
    databases().cluster.do(f"CREATE DATABASE {name}")
    there = databases().cluster.address(name)
    with pytest.raises(StoreError, match="There is no store in the database"):
        open_care(there)
    databases().cluster.do("CREATE TABLE songs (title text)", database=name)
    for work in (open_store, open_care):
        with pytest.raises(StoreError, match="another program, and was left as it is"):
            work(there)
    with psycopg.connect(there) as db:
        assert db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall() == [
            ("songs",)
        ]


def test_a_database_of_a_later_version_is_left_alone(store: Postgres, address: str) -> None:
    with psycopg.connect(address) as db:
        db.execute("UPDATE facts SET value = %s WHERE name = 'version'", (str(len(MIGRATIONS) + 1),))
    for work in (open_store, open_care):
        with pytest.raises(StoreError, match="this program knows up to"):
            work(address)
    store.write(step(2))


def test_many_who_start_on_an_empty_database_make_one_store() -> None:
    name = f"empty{os.getpid()}"
    databases().cluster.do(f"CREATE DATABASE {name}")
    there = databases().cluster.address(name)
    secrets: list[bytes] = []

    def begin() -> None:
        store = open_store(there)
        secrets.append(store.secret())
        store.close()

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(secrets) == 6
    assert len(set(secrets)) == 1


def test_what_nothing_is_called_is_not_there(store: Postgres) -> None:
    for name in ("\0", "t\0", "\udcff", "ü", "'", "%s"):
        assert store.find_table(name) is None
        assert store.record(name) is None
        assert store.review(name, 1) is None


def test_what_is_confirmed_is_on_disk_whatever_the_database_is_set_to(address: str) -> None:
    name = address.partition(":///")[2].partition("?")[0]
    databases().cluster.do(f"ALTER DATABASE {name} SET synchronous_commit = off")
    with psycopg.connect(address) as db:
        assert db.execute("SHOW synchronous_commit").fetchone() == ("off",)
    store = Postgres(address)
    assert store._one("SHOW synchronous_commit") == ("on",)
    store.close()

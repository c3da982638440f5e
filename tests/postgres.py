"""PostgreSQL for the tests: a cluster that is started once for a run, and databases copied from another."""

import contextlib
import fcntl
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import psycopg
import pytest

from bullpen.server.store.postgres.store import Postgres

ROOT = Path(__file__).parents[1]
USER = "bullpen"
TEMPLATE = "bullpen_template"
PORT = 5432
START_SECONDS = 60.0
QUICK = ("fsync=off", "full_page_writes=off")
"""Where it is not the disk that is tested: a killed process loses nothing by it, only a power cut would."""
MODEST = ("max_connections=120", "shared_buffers=32MB", "max_wal_size=256MB", "autovacuum_naptime=300s")
KEEPER = """
import fcntl, os, shutil, sys
from pathlib import Path
from tests.postgres import Cluster
if os.fork():
    os._exit(0)
with open(sys.argv[1]) as users:
    fcntl.flock(users, fcntl.LOCK_EX)
    Cluster(Path(sys.argv[2])).remove()
    shutil.rmtree(Path(sys.argv[1]).parent)
"""
"""Ends a cluster when all who held the file of its users have gone, however they went."""


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, the newest if there are several."""
    found = list(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    other = shutil.which("postgres")
    if found:
        return max(found, key=lambda path: float(path.parts[-3])).parent
    return Path(other).resolve().parent if other else None


def need_programs() -> Path:
    """Return the folder, or skip; where everything must be tested, fail."""
    found = programs()
    if found is None and not os.environ.get("CI"):
        pytest.skip("PostgreSQL is not installed here (Debian: apt install postgresql)")
    assert found is not None, "PostgreSQL must be there when CI is set"
    return found


def _as_nobody() -> dict[str, object]:
    """PostgreSQL refuses to run as root, so root runs it as the user that Debian has made for it."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


class Cluster:
    """A database server of our own, reached by a socket in its folder, or by a port too."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.folder = folder
        self._settings = settings

    @classmethod
    def make(cls, *settings: str) -> "Cluster":
        """Make a new one in a folder that its user can reach, which a test's own folder is not."""
        folder = Path(tempfile.mkdtemp(prefix="bullpen-pg-"))
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        cluster = cls(folder, *settings)
        words = ["--no-sync", "--no-instructions", "--auth=trust", f"--username={USER}", "--encoding=UTF8"]
        cluster._run("initdb", *words, "--locale=C", "-D", str(cluster.data))
        return cluster

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def address(self, database: str) -> str:
        """The address of a database, for `--store`."""
        return f"postgresql:///{database}?host={self.folder}&port={PORT}&user={USER}"

    def start(self) -> None:
        """Start, and wait until it answers."""
        given = ["listen_addresses=", f"unix_socket_directories={self.folder}", f"port={PORT}"]
        options = " ".join(f"-c {one}" for one in (*given, *MODEST, *self._settings))
        log = str(self.folder / "log")
        self._run("pg_ctl", "start", "-w", "-D", str(self.data), "-l", log, "-o", options)

    def stop(self, how: str = "fast") -> None:
        """Stop in good order (`fast`) or as in a crash (`immediate`)."""
        self._run("pg_ctl", "stop", "-w", "-m", how, "-D", str(self.data))

    def kill(self) -> None:
        """End every process of it without warning, and wait until they are gone."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for one in (pid, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        while any(Path(f"/proc/{one}").exists() for one in (pid, *children)):
            time.sleep(0.01)
        (self.data / "postmaster.pid").unlink()

    def restart(self) -> None:
        """Go down and come back."""
        self.stop()
        self.start()

    def do(self, *statements: str, database: str = "postgres") -> None:
        """Carry out statements as a superuser, outside of any transaction."""
        with psycopg.connect(self.address(database), autocommit=True) as db:
            for statement in statements:
                db.execute(statement.encode())

    def remove(self) -> None:
        """End it, and leave nothing."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder)

    def _run(self, program: str, *words: str) -> None:
        # Not through pipes: the server, a child of this, would hold them open.
        with (self.folder / "told").open("a") as told:
            subprocess.run(
                [str(need_programs() / program), *words],
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=told,
                timeout=START_SECONDS,
                check=True,
                cwd="/",
                **_as_nobody(),  # type: ignore[call-overload]
            )


class Databases:
    """A cluster for a whole run of the tests, shared by its processes: a new database for whoever asks."""

    def __init__(self, run: str) -> None:
        self._folder = Path(tempfile.gettempdir()) / f"bullpen-run-{run}"
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._numbers = itertools.count()
        # It is held until this process has ended.
        fcntl.flock(os.open(self._users, os.O_RDWR | os.O_CREAT), fcntl.LOCK_SH)
        with (self._folder / "lock").open("a+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.seek(0)
            known = lock.read()
            if known and (Path(known) / "data" / "postmaster.pid").exists():
                self.cluster = Cluster(Path(known))
            else:
                self.cluster = self._begin()
                lock.truncate(0)
                lock.write(str(self.cluster.folder))

    @property
    def _users(self) -> Path:
        return self._folder / "users"

    def _begin(self) -> Cluster:
        cluster = Cluster.make(*QUICK)
        cluster.start()
        command = [sys.executable, "-c", KEEPER, str(self._users), str(cluster.folder)]
        subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True, check=True)
        cluster.do(f"CREATE DATABASE {TEMPLATE}")
        Postgres(cluster.address(TEMPLATE)).close()
        return cluster

    def new(self) -> str:
        """Make a database with nothing in it but what every store holds, and return its address."""
        name = f"t{os.getpid()}_{next(self._numbers)}"
        self.cluster.do(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        return self.cluster.address(name)


@cache
def databases() -> Databases:
    """The databases of this run of the tests; skips where PostgreSQL cannot be had."""
    need_programs()
    return Databases(os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid())))

"""A store's file as its caretaker works on it."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bullpen.server.store.care import Change
from bullpen.server.store.interface import StoreError
from bullpen.server.store.lock import alone
from bullpen.server.store.migrations import (
    MIGRATIONS,
    migrate,
    refuse_empty,
    refuse_foreign,
    refuse_older,
    version_of,
)
from bullpen.server.store.sqlite import connect, copy_into, in_use, look, make_file
from bullpen.server.store.upgrade import Upgrade, copy_of, rehearse_file, upgrade_file

PATIENCE = 10.0


class FileBooks:
    """A file that is there already: to read it, whatever its version, or to change it."""

    holds = "instr(body, ?)"
    closes = "UPDATE tables SET archived = 1 WHERE id = ?"

    def __init__(
        self, path: Path, file: sqlite3.Connection, today: sqlite3.Connection, *, unlocked: bool = False
    ) -> None:
        self._path = path
        self._file = file
        self._db = today
        """The same file, or a copy that was brought up to date."""
        self._still = _state(path) if unlocked else None
        """Time and size of a file that is read without a lock, because nobody had it open."""

    @classmethod
    def to_read(cls, place: str | Path) -> "FileBooks":
        """Open a file of any version such that nothing is written to it."""
        path = Path(place)
        with _opened(path, look) as file:
            refuse_empty(file)
            return cls(path, file, _as_of_today(file), unlocked=not in_use(path))

    @classmethod
    def to_change(cls, place: str | Path) -> "FileBooks":
        """Open a file of today's version; an older one is refused."""
        path = Path(place)
        with _opened(path, partial(connect, mode="rw")) as file:
            refuse_older(file)
            # What is deleted is overwritten.
            file.execute("PRAGMA secure_delete=ON")
            file.execute("PRAGMA foreign_keys=ON")
            return cls(path, file, file)

    @classmethod
    def new(cls, place: str | Path) -> "FileBooks":
        """Open a file to copy into; one that does not exist is made."""
        path = Path(place)
        if not path.exists():
            with _sentence(path):
                make_file(path)
        return cls.to_change(path)

    @staticmethod
    @contextlib.contextmanager
    def alone(place: str) -> Iterator[None]:
        """Keep servers away; nobody uses a file that does not exist."""
        path = Path(place)
        if not path.exists():
            yield
            return
        with _opened(path, look) as file:
            file.close()
        with alone(path):
            yield

    @staticmethod
    def upgrade(place: str) -> Upgrade:
        """Bring a file up to date."""
        done = upgrade_file(Path(place))
        if not done.before:
            raise StoreError(f"The store {place}: there is no store in it.")
        return done

    @staticmethod
    def rehearse(place: str) -> Upgrade:
        """Bring a copy of a file up to date."""
        return rehearse_file(Path(place))

    def ask(self, query: str, *values: object) -> list[Any]:
        """Return the rows that a query finds."""
        with _sentence(self._path):
            return self._db.execute(query, values).fetchall()

    @contextlib.contextmanager
    def changing(self) -> Iterator[Change]:
        """Change something in one transaction."""
        with _sentence(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield lambda statement, *values: self._db.execute(statement, values).rowcount
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def damage(self) -> Iterator[str]:
        """Say what SQLite finds wrong."""
        for (line,) in self.ask("PRAGMA integrity_check(20)"):
            if line != "ok":
                yield f"The file is damaged: {line}."
        for table, *_ in self.ask("PRAGMA foreign_key_check"):
            yield f"A row of {table} belongs to nothing."

    def backup(self, target: Path) -> None:
        """Copy the file, in the version that it has."""
        with _sentence(self._path):
            copy_into(self._file, target)
            if self._still not in (None, _state(self._path)):
                target.unlink()
                raise OSError("it was changed while it was copied: do it once more")

    def vacuum(self) -> None:
        """Write the file anew."""
        with _sentence(self._path):
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def size(self) -> int:
        """Return the size of the file."""
        return self._path.stat().st_size

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        self._file.close()

    # Copying.

    @contextlib.contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read what was committed when this began, whatever is written meanwhile."""
        with _sentence(self._path):
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("ROLLBACK")

    def rows(self, kind: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield all rows of a kind."""
        with _sentence(self._path):
            yield from self._db.execute(f"SELECT {', '.join(columns)} FROM {kind}")

    def fill(self, kind: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows of a kind, while something is being changed."""
        places = ", ".join("?" * len(columns))
        with _sentence(self._path):
            self._db.executemany(f"INSERT INTO {kind} ({', '.join(columns)}) VALUES ({places})", rows)

    def filled(self, change: Change) -> None:
        """Nothing follows from what was copied."""


def _as_of_today(file: sqlite3.Connection) -> sqlite3.Connection:
    if version_of(file) == len(MIGRATIONS):
        return file
    copy = copy_of(file)
    migrate(copy)
    return copy


def _state(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


@contextlib.contextmanager
def _opened(path: Path, opening: Callable[[Path, float], sqlite3.Connection]) -> Iterator[sqlite3.Connection]:
    """Open a file, and close it if it is not ours, or if anything else fails."""
    if not path.exists():
        raise StoreError(f"There is no file {path}.")
    with _sentence(path):
        file = opening(path, PATIENCE)
    try:
        with _sentence(path):
            refuse_foreign(file)
            yield file
    except BaseException:
        file.close()
        raise


@contextlib.contextmanager
def _sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The store {path}: {error}.") from None

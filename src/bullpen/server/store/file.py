"""A store's file as its caretaker works on it."""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bullpen.server.store.care import Change
from bullpen.server.store.interface import StoreError
from bullpen.server.store.migrations import mark, migrate, refuse_foreign
from bullpen.server.store.sqlite import SQLite, connect, copy_into, look


class FileBooks:
    """A file that is there already, opened to change and to copy it."""

    holds = "instr(body, ?)"
    closes = "UPDATE tables SET archived = 1 WHERE id = ?"

    def __init__(self, path: Path, patience: float = 10.0) -> None:
        self._path = path
        if not path.exists():
            raise StoreError(f"There is no file {path}.")
        with _sentence(path):
            with contextlib.closing(look(path, patience)) as db:
                refuse_foreign(db)
            self._db = connect(path, patience, "rw")
            # What is deleted is overwritten.
            self._db.execute("PRAGMA secure_delete=ON")
            self._db.execute("PRAGMA foreign_keys=ON")
            mark(self._db)
            migrate(self._db)

    @classmethod
    def new(cls, path: Path) -> "FileBooks":
        """Make a file that only its owner may read."""
        path.touch(mode=0o600)
        SQLite(path).close()
        return cls(path)

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
        """Copy the file."""
        with _sentence(self._path):
            copy_into(self._db, target)

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


@contextlib.contextmanager
def _sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The store {path}: {error}.") from None

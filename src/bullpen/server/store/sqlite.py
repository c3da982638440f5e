"""Storage: a small interface, and its implementation in an SQLite file.

`(table_id, number)` is the key of a step, so two processes can never both write the same step of a table.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from bullpen.server.store.migrations import migrate


class StoreError(Exception):
    """The store cannot write or read now; nothing was changed."""


class Conflict(StoreError):
    """Another process has written that step already."""


class Row(Struct, frozen=True):
    """A step of a table's log, ready to be written."""

    table: str
    number: int
    body: bytes


class NewTableRow(Struct, frozen=True):
    """A table that is mentioned for the first time."""

    table: str
    code: str
    created: int


class RecordRow(Struct, frozen=True):
    """A finished game; `people` are the identities that took part and their seats."""

    id: str
    game: str
    finished: int
    summary: bytes
    body: str
    people: tuple[tuple[str, int], ...] = ()


class Batch(Struct):
    """What is to be committed together."""

    tables: list[NewTableRow]
    steps: list[Row]
    records: list[RecordRow]


class Store(Protocol):
    """What the server needs of a store; every method may raise StoreError."""

    def secret(self) -> bytes:
        """Return the server's own secret, made once."""

    def write(self, batch: Batch) -> None:
        """Commit all of a batch durably, or nothing of it."""

    def probe(self) -> None:
        """Commit something of no importance, to see whether writing works."""

    def live_tables(self) -> list[tuple[str, list[bytes]]]:
        """Return every table that is not archived, with its log."""

    def find_table(self, name: str) -> tuple[str, list[bytes]] | None:
        """Return the table with that id or code (the newest one), with its log."""

    def archive(self, table: str, archived: bool) -> None:
        """Put a table into the archive or take it out."""

    def codes(self) -> set[str]:
        """Return the codes of the tables that are not archived."""

    def record(self, record: str) -> str | None:
        """Return a finished game as the text of a record."""

    def records_of(self, who: str, most: int) -> list[tuple[bytes, int]]:
        """Return the summaries of an identity's latest games, and its seat in each."""

    def close(self) -> None:
        """Finish."""


class SQLite:
    """A store in one file; its methods are called from one thread at a time."""

    def __init__(self, path: Path | str, patience: float = 2.0) -> None:
        try:
            self._db = sqlite3.connect(
                path, timeout=patience, isolation_level=None, check_same_thread=False, cached_statements=64
            )
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute("PRAGMA foreign_keys=ON")
            migrate(self._db)
            (sound,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise sqlite3.DatabaseError(f"it is damaged ({sound.splitlines()[-1]})")
        except sqlite3.Error as error:
            raise StoreError(f"The file {path} cannot be used as a store: {error}.") from None

    def secret(self) -> bytes:
        """Return the server's own secret, made by the first migration."""
        (value,) = self._one("SELECT value FROM facts WHERE name = 'secret'", ()) or ("",)
        return bytes.fromhex(value)

    def write(self, batch: Batch) -> None:
        """Commit a batch in one transaction."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._insert(batch)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.IntegrityError as error:
            raise Conflict(str(error)) from None
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def _insert(self, batch: Batch) -> None:
        run = self._db.executemany
        run(
            "INSERT INTO tables (id, code, created) VALUES (?, ?, ?)",
            [(row.table, row.code, row.created) for row in batch.tables],
        )
        run(
            "INSERT INTO steps (table_id, number, body) VALUES (?, ?, ?)",
            [(row.table, row.number, row.body) for row in batch.steps],
        )
        for record in batch.records:
            self._db.execute(
                "INSERT INTO records (id, game, finished, summary, body) VALUES (?, ?, ?, ?, ?)",
                (record.id, record.game, record.finished, record.summary, record.body),
            )
            run(
                "INSERT INTO record_people (who, record_id, seat) VALUES (?, ?, ?)",
                [(who, record.id, seat) for who, seat in record.people],
            )

    def probe(self) -> None:
        """Count the probes, durably."""
        self._change("INSERT INTO facts VALUES ('probes', 1) ON CONFLICT DO UPDATE SET value = value + 1", ())

    def live_tables(self) -> list[tuple[str, list[bytes]]]:
        """Return every table that is not archived, with its log."""
        rows = self._all(
            "SELECT s.table_id, s.body FROM steps s JOIN tables t ON t.id = s.table_id"
            " WHERE t.archived = 0 ORDER BY s.table_id, s.number",
            (),
        )
        logs: dict[str, list[bytes]] = {}
        for table, body in rows:
            logs.setdefault(table, []).append(body)
        return list(logs.items())

    def find_table(self, name: str) -> tuple[str, list[bytes]] | None:
        """Return a table by id or code, with its log."""
        query = "SELECT id FROM tables WHERE id = ? OR code = ? ORDER BY archived, created DESC LIMIT 1"
        found = self._one(query, (name, name))
        if found is None:
            return None
        log = self._all("SELECT body FROM steps WHERE table_id = ? ORDER BY number", found)
        return found[0], [body for (body,) in log]

    def archive(self, table: str, archived: bool) -> None:
        """Mark a table."""
        self._change("UPDATE tables SET archived = ? WHERE id = ?", (int(archived), table))

    def codes(self) -> set[str]:
        """Return the codes in use."""
        return {code for (code,) in self._all("SELECT code FROM tables WHERE archived = 0", ())}

    def record(self, record: str) -> str | None:
        """Return the text of a record."""
        found = self._one("SELECT body FROM records WHERE id = ?", (record,))
        return None if found is None else found[0]

    def records_of(self, who: str, most: int) -> list[tuple[bytes, int]]:
        """Return the latest games of an identity."""
        return self._all(
            "SELECT r.summary, p.seat FROM record_people p JOIN records r ON r.id = p.record_id"
            " WHERE p.who = ? ORDER BY r.finished DESC, r.id LIMIT ?",
            (who, most),
        )

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _all(self, query: str, values: Sequence[object]) -> list[tuple]:  # type: ignore[type-arg]
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def _one(self, query: str, values: Sequence[object]) -> tuple | None:  # type: ignore[type-arg]
        rows = self._all(query, values)
        return rows[0] if rows else None

    def _change(self, query: str, values: Sequence[object]) -> None:
        try:
            self._db.execute(query, values)
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

"""A store in one SQLite file.

`(table_id, number)` is the key of a step, so two processes can never both write the same step of a table.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from bullpen.server.store.interface import (
    Batch,
    Conflict,
    DeviceRow,
    MeasureRow,
    Replaced,
    StoreError,
    VoidRow,
)
from bullpen.server.store.lock import share
from bullpen.server.store.migrations import mark, migrate, refuse_foreign, refuse_older, version_of
from bullpen.server.store.secret import SECRET, secret_in
from bullpen.server.store.sql import MEASURES, REVOCATIONS, TURNED_AWAY, VOID, VOIDED

Mode: TypeAlias = Literal["ro", "ro&immutable=1", "rw", "rwc"]
KEPT_MILLISECONDS = 2 * 366 * 24 * 3600 * 1000
"""A device that was not here for so long is forgotten: its key has ended long before."""
BESIDE = ("-wal", "-shm")
"""What SQLite keeps beside its file while it is open."""


class SQLite:
    """A store in one file; its methods are called from one thread at a time."""

    def __init__(self, path: Path | str, patience: float = 2.0) -> None:
        self._path = Path(path).resolve()
        self._patience = patience
        if self._path.exists():
            self._look()
        self._use = share(self._path)
        try:
            self._db = self._open()
        except BaseException:
            self._use.close()
            raise
        self._place = _place(self._path)

    def _look(self) -> None:
        """Refuse a file that is not ours before anything is written to it or beside it."""
        with self._sentence(), contextlib.closing(look(self._path, self._patience)) as db:
            refuse_foreign(db)
            if version_of(db):
                refuse_older(db)

    def _open(self) -> sqlite3.Connection:
        with self._sentence():
            db = connect(self._path, self._patience)
            try:
                _prepare(db)
            except BaseException:
                db.close()
                raise
        return db

    @contextlib.contextmanager
    def _sentence(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"The file {self._path} cannot be used as a store: {error}.") from None

    def secret(self) -> bytes:
        """Return the server's own secret, made by the first migration."""
        return secret_in(self._all(SECRET))

    # Writing.

    def write(self, batch: Batch) -> None:
        """Commit a batch in one transaction."""
        self.watch()
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
        run(
            "INSERT OR REPLACE INTO folds (table_id, number, body) VALUES (?, ?, ?)",
            [(row.table, row.number, row.body) for row in batch.folds],
        )
        run(
            "DELETE FROM steps WHERE table_id = ? AND number <= ?",
            [(row.table, row.number) for row in batch.folds],
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
        self.watch()
        self._change("INSERT INTO facts VALUES ('probes', 1) ON CONFLICT DO UPDATE SET value = value + 1")

    # The file.

    def watch(self) -> None:
        """Notice when the file was deleted, and write it anew from what is still open; or was replaced."""
        place = _place(self._path)
        if place == self._place:
            return
        if place is not None:
            raise Replaced(f"Another file lies at {self._path} now; start the server again to use it.")
        try:
            self._write_anew()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"The file {self._path} was deleted and cannot be written anew: {error}."
            ) from None

    def _write_anew(self) -> None:
        copy = self._path.with_name(f"{self._path.name}.anew")
        copy.unlink(missing_ok=True)
        copy_into(self._db, copy)
        self._db.close()
        # What lay beside the deleted file would be taken for a part of the new one.
        for ending in BESIDE:
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        copy.replace(self._path)
        self._db = self._open()
        self._place = _place(self._path)

    # Reading.

    def open_tables(self) -> list[tuple[str, str]]:
        """Return the id and code of every table that is not archived."""
        return self._all("SELECT id, code FROM tables WHERE archived = 0 ORDER BY created")

    def find_table(self, name: str) -> tuple[str, list[bytes]] | None:
        """Return a table by id or code, with its log from the latest fold on."""
        query = "SELECT id FROM tables WHERE id = ? OR code = ? ORDER BY archived, created DESC LIMIT 1"
        found = self._one(query, name, name)
        if found is None:
            return None
        number, fold = self._one("SELECT number, body FROM folds WHERE table_id = ?", *found) or (0, None)
        query = "SELECT body FROM steps WHERE table_id = ? AND number > ? ORDER BY number"
        log = [body for (body,) in self._all(query, *found, number)]
        return found[0], log if fold is None else [fold, *log]

    def archive(self, table: str, archived: bool) -> None:
        """Mark a table."""
        self._change("UPDATE tables SET archived = ? WHERE id = ?", int(archived), table)

    def record(self, record: str) -> str | None:
        """Return the text of a record."""
        found = self._one("SELECT body FROM records WHERE id = ?", record)
        return None if found is None else found[0]

    def records_of(self, who: str, most: int) -> list[tuple[bytes, int]]:
        """Return the latest games of an identity."""
        return self._all(
            "SELECT r.summary, p.seat FROM record_people p JOIN records r ON r.id = p.record_id"
            " WHERE p.who = ? ORDER BY r.finished DESC, r.id LIMIT ?",
            who,
            most,
        )

    def review(self, record: str, version: int) -> bytes | None:
        """Return the review of a record by that version."""
        found = self._one("SELECT body FROM reviews WHERE record_id = ? AND version = ?", record, version)
        return None if found is None else found[0]

    def keep_review(self, record: str, version: int, body: bytes) -> None:
        """Keep a review; of a record that was deleted meanwhile there is none."""
        self.watch()
        self._change(
            "INSERT OR REPLACE INTO reviews SELECT id, ?, ? FROM records WHERE id = ?", version, body, record
        )

    # Devices.

    def note_devices(self, devices: Sequence[DeviceRow]) -> None:
        """Write down which devices were here, and forget those whose keys have ended long ago."""
        if not devices:
            return
        self.watch()
        latest = max(device.seen for device in devices)
        rows = [msgspec.structs.astuple(row) for row in devices]
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany(
                    "INSERT INTO devices (id, who, label, made, seen, since, ends)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET label = excluded.label, seen = excluded.seen",
                    rows,
                )
                self._db.execute("DELETE FROM devices WHERE seen < ?", (latest - KEPT_MILLISECONDS,))
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def devices_of(self, who: str) -> list[DeviceRow]:
        """Return the devices of somebody."""
        query = "SELECT id, who, label, made, seen, since, ends FROM devices WHERE who = ? AND revoked = 0"
        return [DeviceRow(*row) for row in self._all(f"{query} ORDER BY seen DESC, id", who)]

    def revoke_device(self, who: str, device: str) -> None:
        """Mark a device."""
        self._turn_away("UPDATE devices SET revoked = 1 WHERE who = ? AND id = ?", who, device)

    def void(self, row: VoidRow) -> VoidRow:
        """Write down which keys count, and return it as it is then."""
        self._turn_away(VOID, row.who, row.links, row.everything, row.keep)
        return VoidRow(*self._one(VOIDED, row.who))

    def revoked(self) -> tuple[frozenset[str], dict[str, VoidRow]]:
        """Return what counts no more."""
        devices = frozenset(device for (device,) in self._all("SELECT id FROM devices WHERE revoked = 1"))
        voids = [VoidRow(*row) for row in self._all("SELECT who, links, everything, keep FROM voids")]
        return devices, {row.who: row for row in voids}

    def measures(self) -> list[MeasureRow]:
        """Return what the host has ordered."""
        return [MeasureRow(*row) for row in self._all(MEASURES)]

    def revocations(self) -> int:
        """Return the count, which a caretaker may have raised."""
        found = self._one(REVOCATIONS)
        return 0 if found is None else int(found[0])

    def _turn_away(self, statement: str, *values: object) -> None:
        self.watch()
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute(statement, values)
                self._db.execute(TURNED_AWAY)
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        self._use.close()

    def _all(self, query: str, *values: object) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None

    def _one(self, query: str, *values: object) -> Any:
        rows = self._all(query, *values)
        return rows[0] if rows else None

    def _change(self, query: str, *values: object) -> None:
        try:
            self._db.execute(query, values)
        except sqlite3.Error as error:
            raise StoreError(str(error)) from None


def make_file(path: Path) -> None:
    """Make a new store that only its owner may read."""
    path.touch(mode=0o600, exist_ok=False)
    with contextlib.closing(connect(path, 0.0, "rw")) as db:
        _prepare(db)


def _prepare(db: sqlite3.Connection) -> None:
    """Make a store of a new file that was just opened, or see that a store is sound."""
    mark(db)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("PRAGMA foreign_keys=ON")
    # Every table has pages of its own, so it pays to gather many steps before they are moved there.
    db.execute("PRAGMA wal_autocheckpoint=8000")
    if version_of(db) == 0:
        migrate(db)
    refuse_older(db)
    refuse_damaged(db)


def refuse_damaged(db: sqlite3.Connection) -> None:
    """Refuse a file in which SQLite finds damage."""
    (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise sqlite3.DatabaseError(f"it is damaged ({sound.splitlines()[-1]})")


def connect(path: Path, patience: float, mode: Mode = "rwc") -> sqlite3.Connection:
    """Open a file in which every statement is a transaction of its own unless one is begun."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=64,
    )


def look(path: Path, patience: float) -> sqlite3.Connection:
    """Open a file only to read it, so that nothing is written to it or beside it."""
    return connect(path, patience, "ro" if in_use(path) else "ro&immutable=1")


def in_use(path: Path) -> bool:
    """Whether somebody has a file open, or was killed while it was."""
    # SQLite keeps these beside the file itself, and not beside a link to it.
    path = path.resolve()
    return any(path.with_name(path.name + ending).exists() for ending in BESIDE)


def copy_into(db: sqlite3.Connection, target: Path) -> None:
    """Write all that is committed into a new file that only its owner may read, down to the disk."""
    target.touch(mode=0o600, exist_ok=False)
    try:
        db.execute("VACUUM INTO ?", (str(target),))
        with target.open("rb+") as written:
            os.fsync(written.fileno())
    except BaseException:
        target.unlink()
        raise


def _place(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from any other that may come to lie at its path."""
    with contextlib.suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None

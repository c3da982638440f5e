"""Care of a store's file: what a host does beside serving from it."""

import contextlib
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bullpen.server.store.interface import StoreError, TableRow
from bullpen.server.store.migrations import mark, migrate, refuse_foreign
from bullpen.server.store.sqlite import connect, copy_into, look

SOMEBODY = "Somebody"
"""The name of a person whose traces were deleted."""
OLD_UPLOADS = """
    SELECT id FROM records WHERE finished < ? AND NOT EXISTS
    (SELECT 1 FROM tables WHERE records.id > tables.id || '-' AND records.id < tables.id || '.')
"""
SAT = b'"kind":"sat"'
"""By this the steps are found in which a person took a seat."""


class Caretaker:
    """Looks after a file, whether or not a server has it open.

    A server that runs meanwhile goes on with the tables that it has in memory until it reads them again.
    """

    def __init__(self, path: Path | str, patience: float = 10.0) -> None:
        self._path = Path(path)
        if not self._path.exists():
            raise StoreError(f"There is no file {self._path}.")
        with _sentence(self._path):
            with contextlib.closing(look(self._path, patience)) as db:
                refuse_foreign(db)
            self._db = connect(self._path, patience, "rw")
            # What is deleted is overwritten.
            self._db.execute("PRAGMA secure_delete=ON")
            self._db.execute("PRAGMA foreign_keys=ON")
            mark(self._db)
            migrate(self._db)

    def tables(self) -> list[TableRow]:
        """Return every table, the latest change first."""
        with _sentence(self._path):
            rows = self._db.execute(
                "SELECT t.id, t.code, t.created, t.archived,"
                " coalesce((SELECT max(number) FROM steps s WHERE s.table_id = t.id), f.number, 0),"
                " coalesce((SELECT body FROM steps s WHERE s.table_id = t.id ORDER BY number DESC LIMIT 1),"
                "  f.body),"
                " (SELECT count(*) FROM records r WHERE r.id > t.id || '-' AND r.id < t.id || '.')"
                " FROM tables t LEFT JOIN folds f ON f.table_id = t.id"
            ).fetchall()
        found = [
            TableRow(table, code, created, _at(body) or created, bool(archived), steps, records)
            for table, code, created, archived, steps, body, records in rows
        ]
        return sorted(found, key=lambda row: row.changed, reverse=True)

    def archive(self, table: str) -> None:
        """Put a table into the archive."""
        with self._changing() as db:
            db.execute("UPDATE tables SET archived = 1 WHERE id = ?", (table,))

    def delete_table(self, table: str) -> bool:
        """Delete a table with its log and its records; return whether there was one."""
        with self._changing() as db:
            names = db.execute(
                "SELECT id FROM records WHERE id > ? || '-' AND id < ? || '.'", (table, table)
            ).fetchall()
            for (record,) in names:
                _delete_record(db, record)
            db.execute("DELETE FROM folds WHERE table_id = ?", (table,))
            db.execute("DELETE FROM steps WHERE table_id = ?", (table,))
            return db.execute("DELETE FROM tables WHERE id = ?", (table,)).rowcount > 0

    def delete_record(self, record: str) -> bool:
        """Delete a finished game; return whether there was one."""
        with self._changing() as db:
            return _delete_record(db, record)

    def delete_person(self, who: str) -> int:
        """Take an identity and its names out of every table and record; return in how many it was."""
        if not who:
            return 0
        nobody = f"gone{secrets.token_hex(8)}"
        needle = who.encode()
        with self._changing() as db:
            seats = db.execute("SELECT record_id, seat FROM record_people WHERE who = ?", (who,)).fetchall()
            for record, seat in seats:
                _rename_in_record(db, record, seat)
            for kind in ("record_people", "devices", "voids"):
                db.execute(f"DELETE FROM {kind} WHERE who = ?", (who,))
            touched = {record for record, _ in seats}
            for kind in ("steps", "folds"):
                query = f"SELECT table_id, number, body FROM {kind} WHERE instr(body, ?)"
                for table, number, body in db.execute(query, (needle,)).fetchall():
                    changed = msgspec.json.encode(_without(msgspec.json.decode(body), who, nobody))
                    query = f"UPDATE {kind} SET body = ? WHERE table_id = ? AND number = ?"
                    db.execute(query, (changed, table, number))
                    touched.add(table)
            return len(touched)

    def people(self) -> list[tuple[str, str, int]]:
        """Return who has sat at a table: identity, the name given last, and at how many tables."""
        with _sentence(self._path):
            rows = self._db.execute(
                "SELECT table_id, body FROM steps WHERE instr(body, ?)", (SAT,)
            ).fetchall()
        names: dict[str, str] = {}
        tables: dict[str, set[str]] = {}
        seen = [(msgspec.json.decode(body, type=_Sat), table) for table, body in rows]
        for step, table in sorted(seen, key=lambda each: each[0].at):
            names[step.who] = step.name
            tables.setdefault(step.who, set()).add(table)
        return [(who, name, len(tables[who])) for who, name in names.items()]

    def devices_of(self, who: str) -> list[str]:
        """Return what is kept of somebody's devices: a description of each."""
        query = "SELECT label FROM devices WHERE who = ? ORDER BY made"
        with _sentence(self._path):
            return [label for (label,) in self._db.execute(query, (who,))]

    def revoke(self, who: str, now: int) -> None:
        """End every key of somebody that was given before now (in seconds since 1970)."""
        with self._changing() as db:
            db.execute("INSERT OR REPLACE INTO voids VALUES (?, ?, ?, '')", (who, now, now))
            db.execute("UPDATE devices SET revoked = 1 WHERE who = ?", (who,))

    def games_of(self, who: str) -> list[str]:
        """Return the ids of the finished games that an identity took part in or uploaded."""
        query = "SELECT record_id FROM record_people WHERE who = ? ORDER BY record_id"
        with _sentence(self._path):
            return [record for (record,) in self._db.execute(query, (who,))]

    def record(self, record: str) -> str | None:
        """Return a finished game as the text of a record."""
        with _sentence(self._path):
            found = self._db.execute("SELECT body FROM records WHERE id = ?", (record,)).fetchone()
        return None if found is None else str(found[0])

    def forget_before(self, when: int) -> tuple[int, int]:
        """Delete tables not changed since, with their games, and older uploads; return how many of each."""
        old = [row.table for row in self.tables() if row.changed < when]
        for table in old:
            self.delete_table(table)
        with self._changing() as db:
            query = (
                "SELECT id FROM records WHERE finished < ? AND NOT EXISTS (SELECT 1 FROM tables t WHERE "
                "records.id > t.id || '-' AND records.id < t.id || '.')"
            )
            alone = [record for (record,) in db.execute(query, (when,))]
            for record in alone:
                _delete_record(db, record)
        return len(old), len(alone)

    def check(self) -> list[str]:
        """Return what is damaged or does not fit together, a sentence each; nothing if all is well."""
        try:
            return list(self._problems())
        except sqlite3.Error as error:
            return [f"The file cannot be read to its end: {error}."]

    def _problems(self) -> Iterator[str]:
        db = self._db
        for (line,) in db.execute("PRAGMA integrity_check(20)").fetchall():
            if line != "ok":
                yield f"The file is damaged: {line}."
        for table, *_ in db.execute("PRAGMA foreign_key_check").fetchall():
            yield f"A row of {table} belongs to nothing."
        gaps = (
            "SELECT s.table_id FROM steps s LEFT JOIN folds f ON f.table_id = s.table_id GROUP BY s.table_id"
            " HAVING min(s.number) <> coalesce(f.number, 0) + 1"
            " OR count(*) <> max(s.number) - min(s.number) + 1"
        )
        for (table,) in db.execute(gaps).fetchall():
            yield f"Steps of the table {table} are missing."
        empty = (
            "SELECT id FROM tables WHERE id NOT IN (SELECT table_id FROM steps)"
            " AND id NOT IN (SELECT table_id FROM folds)"
        )
        for (table,) in db.execute(empty).fetchall():
            yield f"The table {table} has no steps."
        bodies = "SELECT table_id, number, body FROM folds UNION ALL SELECT table_id, number, body FROM steps"
        for table, number, body in db.execute(bodies):
            if _at(body) is None:
                yield f"Step {number} of the table {table} cannot be read."

    def backup(self, target: Path) -> None:
        """Write all that is committed into a new file; a server may go on meanwhile."""
        if target.exists():
            raise StoreError(f"There is a file {target} already.")
        with _sentence(self._path):
            copy_into(self._db, target)

    def vacuum(self) -> None:
        """Give the room of what was deleted back to the disk."""
        with _sentence(self._path):
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Finish."""
        self._db.close()

    @contextlib.contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with _sentence(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise


@contextlib.contextmanager
def _sentence(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The store {path}: {error}.") from None


class _At(msgspec.Struct):
    at: int


class _Sat(_At):
    who: str = ""
    name: str = ""


def _at(body: bytes | None) -> int | None:
    """Return when a step was, or None if it cannot be read."""
    try:
        return msgspec.json.decode(body or b"", type=_At).at
    except (msgspec.MsgspecError, UnicodeError, TypeError):
        return None


def _delete_record(db: sqlite3.Connection, record: str) -> bool:
    db.execute("DELETE FROM record_people WHERE record_id = ?", (record,))
    db.execute("DELETE FROM reviews WHERE record_id = ?", (record,))
    return db.execute("DELETE FROM records WHERE id = ?", (record,)).rowcount > 0


def _rename_in_record(db: sqlite3.Connection, record: str, seat: int) -> None:
    """Take a seat's name out of a finished game and its summary; an upload (seat -1) names others only."""
    found = db.execute("SELECT summary, body FROM records WHERE id = ?", (record,)).fetchone()
    if found is None or seat < 0:
        return
    summary, body = map(msgspec.json.decode, found)
    for document in (summary, body):
        names = document.get("names")
        if isinstance(names, list) and seat < len(names):
            names[seat] = SOMEBODY
    db.execute(
        "UPDATE records SET summary = ?, body = ? WHERE id = ?",
        (msgspec.json.encode(summary), msgspec.json.encode(body).decode(), record),
    )


def _without(step: Any, who: str, nobody: str) -> Any:
    """Return a step in which somebody else, without a name, does what a person did."""
    if isinstance(step, list):
        return [_without(part, who, nobody) for part in step]
    if not isinstance(step, dict):
        return step
    found = {key: _without(value, who, nobody) for key, value in step.items()}
    if step.get("who") == who:
        found["who"] = nobody
        if "name" in step:
            found["name"] = SOMEBODY
    for seat, chair in enumerate(step.get("chairs", ())):
        if chair.get("who") == who and seat < len(found.get("names", ())):
            found["names"][seat] = SOMEBODY
    return found

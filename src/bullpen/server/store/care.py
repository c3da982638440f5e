"""Care of a store: what a host does beside serving from it."""

import contextlib
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import msgspec

from bullpen.server.store.interface import MeasureKind, MeasureRow, StoreError, TableRow
from bullpen.server.store.secret import BYTES, KEEP_SECRET, SECRET, NoSecret, secret_in
from bullpen.server.store.sql import MEASURES, TURNED_AWAY, VOID

SOMEBODY = "Somebody"
"""The name of a person whose traces were deleted."""
SAT = b'"kind":"sat"'
"""By this the steps are found in which a person took a seat."""
Change: TypeAlias = Callable[..., int]
"""Carries out a statement with its values, and returns how many rows it changed."""


class Books(Protocol):
    """A store as its caretaker works on it: SQL that both kinds know, with ? for values, and the rest."""

    holds: str
    """The condition that a body holds some bytes."""
    closes: str
    """The statement that puts a table into the archive."""

    def ask(self, query: str, *values: object) -> list[Any]:
        """Return the rows that a query finds."""

    def changing(self) -> contextlib.AbstractContextManager[Change]:
        """Change something, all of it or nothing."""

    def damage(self) -> Iterator[str]:
        """Say what the database itself finds wrong."""

    def backup(self, target: Path) -> None:
        """Write all that is committed into a new file."""

    def vacuum(self) -> None:
        """Give the room of what was deleted back to the disk."""

    def size(self) -> int:
        """Return how many bytes the store takes."""

    def close(self) -> None:
        """Finish."""


class Caretaker:
    """Looks after a store, whether or not a server serves from it.

    A server that runs meanwhile goes on with the tables that it has in memory until it reads them again.
    """

    def __init__(self, books: Books) -> None:
        self._books = books

    def tables(self) -> list[TableRow]:
        """Return every table, the latest change first."""
        rows = self._books.ask(
            "SELECT t.id, t.code, t.created, t.archived,"
            " coalesce((SELECT max(number) FROM steps s WHERE s.table_id = t.id), f.number, 0),"
            " coalesce((SELECT body FROM steps s WHERE s.table_id = t.id ORDER BY number DESC LIMIT 1),"
            "  f.body),"
            " (SELECT count(*) FROM records r WHERE r.id > t.id || '-' AND r.id < t.id || '.')"
            " FROM tables t LEFT JOIN folds f ON f.table_id = t.id"
        )
        found = [
            TableRow(table, code, created, _at(body) or created, bool(archived), steps, records)
            for table, code, created, archived, steps, body, records in rows
        ]
        return sorted(found, key=lambda row: row.changed, reverse=True)

    def archive(self, table: str) -> None:
        """Put a table into the archive."""
        with self._books.changing() as change:
            change(self._books.closes, table)
            change(TURNED_AWAY)

    def logs(self) -> Iterator[tuple[str, list[bytes]]]:
        """Yield every table with its log from the latest fold on."""
        for (table,) in self._books.ask("SELECT id FROM tables ORDER BY id"):
            yield table, [body for _, body in self._log(table)]

    def _log(self, table: str) -> list[tuple[int, bytes]]:
        query = "SELECT number, body FROM {} WHERE table_id = ? ORDER BY number"
        return [row for kind in ("folds", "steps") for row in self._books.ask(query.format(kind), table)]

    def new_secret(self) -> None:
        """Give the store a new secret: nothing that was signed before counts any more."""
        with self._books.changing() as change:
            change(KEEP_SECRET, secrets.token_hex(BYTES))

    def delete_table(self, table: str) -> bool:
        """Delete a table with its log and its records; return whether there was one."""
        query = "SELECT id FROM records WHERE id > ? || '-' AND id < ? || '.'"
        with self._books.changing() as change:
            for (record,) in self._books.ask(query, table, table):
                _delete_record(change, record)
            change("DELETE FROM folds WHERE table_id = ?", table)
            change("DELETE FROM steps WHERE table_id = ?", table)
            change(TURNED_AWAY)
            return change("DELETE FROM tables WHERE id = ?", table) > 0

    def delete_record(self, record: str) -> bool:
        """Delete a finished game; return whether there was one."""
        with self._books.changing() as change:
            return _delete_record(change, record)

    def delete_person(self, who: str, now: int) -> int:
        """Take an identity and its names out of every table and record; return in how many it was.

        All of its keys end, and stay ended; now in seconds since 1970.
        """
        if not who:
            return 0
        nobody = f"gone{secrets.token_hex(8)}"
        with self._books.changing() as change:
            seats = self._books.ask("SELECT record_id, seat FROM record_people WHERE who = ?", who)
            for record, seat in seats:
                self._rename_in_record(change, record, seat)
            change("DELETE FROM record_people WHERE who = ?", who)
            touched = {record for record, _ in seats}
            for kind in ("steps", "folds"):
                query = f"SELECT table_id, number, body FROM {kind} WHERE {self._books.holds}"
                for table, number, body in self._books.ask(query, who.encode()):
                    changed = msgspec.json.encode(_without(msgspec.json.decode(body), who, nobody))
                    query = f"UPDATE {kind} SET body = ? WHERE table_id = ? AND number = ?"
                    change(query, changed, table, number)
                    touched.add(table)
            keys = change("DELETE FROM devices WHERE who = ? AND (ends = 0 OR id = who)", who)
            # A bot comes by its own key: only its row says that this key has ended.
            bots = "UPDATE devices SET who = id, label = '', revoked = ? WHERE who = ?"
            keys += change(bots, True, who)
            if touched or keys:
                _end_keys(change, who, now)
            return len(touched)

    def people(self) -> list[tuple[str, str, int]]:
        """Return who has sat at a table: identity, the name given last, and at how many tables."""
        rows = self._books.ask(f"SELECT table_id, body FROM steps WHERE {self._books.holds}", SAT)
        names: dict[str, str] = {}
        tables: dict[str, set[str]] = {}
        seen = [(msgspec.json.decode(body, type=_Sat), table) for table, body in rows]
        for step, table in sorted(seen, key=lambda each: each[0].at):
            names[step.who] = step.name
            tables.setdefault(step.who, set()).add(table)
        return [(who, name, len(tables[who])) for who, name in names.items()]

    def devices_of(self, who: str) -> list[str]:
        """Return what is kept of somebody's devices: a description of each."""
        rows = self._books.ask("SELECT label FROM devices WHERE who = ? ORDER BY made", who)
        return [label for (label,) in rows]

    def revoke(self, who: str, now: int) -> None:
        """End every key that somebody has so far, and those of their bots; now in seconds since 1970."""
        with self._books.changing() as change:
            change("UPDATE devices SET revoked = ? WHERE who = ? OR id = ?", True, who, who)
            _end_keys(change, who, now)

    def measures(self) -> list[MeasureRow]:
        """Return what the host has ordered, the latest last."""
        return [MeasureRow(*row) for row in self._books.ask(MEASURES)]

    def order(self, row: MeasureRow) -> None:
        """Write down what the host orders, in the place of what was ordered about the same."""
        with self._books.changing() as change:
            change("DELETE FROM measures WHERE until > 0 AND until <= ?", row.made)
            change(
                "INSERT INTO measures (kind, about, made, until, says) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (kind, about) DO UPDATE"
                " SET made = excluded.made, until = excluded.until, says = excluded.says",
                *(row.kind, row.about, row.made, row.until, row.says),
            )
            change(TURNED_AWAY)

    def lift(self, kind: MeasureKind, about: str = "") -> bool:
        """Take back what the host has ordered; return whether there was anything."""
        with self._books.changing() as change:
            change(TURNED_AWAY)
            return change("DELETE FROM measures WHERE kind = ? AND about = ?", kind, about) > 0

    def games_of(self, who: str) -> list[str]:
        """Return the ids of the finished games that an identity took part in or uploaded."""
        query = "SELECT record_id FROM record_people WHERE who = ? ORDER BY record_id"
        return [record for (record,) in self._books.ask(query, who)]

    def record(self, record: str) -> str | None:
        """Return a finished game as the text of a record."""
        found = self._books.ask("SELECT body FROM records WHERE id = ?", record)
        return str(found[0][0]) if found else None

    def forget_before(self, when: int) -> tuple[int, int]:
        """Delete tables not changed since, with their games, and older uploads; return how many of each."""
        old = [row.table for row in self.tables() if row.changed < when]
        for table in old:
            self.delete_table(table)
        query = (
            "SELECT id FROM records WHERE finished < ? AND NOT EXISTS (SELECT 1 FROM tables t WHERE "
            "records.id > t.id || '-' AND records.id < t.id || '.')"
        )
        with self._books.changing() as change:
            alone = [record for (record,) in self._books.ask(query, when)]
            for record in alone:
                _delete_record(change, record)
        return len(old), len(alone)

    def check(self) -> list[str]:
        """Return what is damaged or does not fit together, a sentence each; nothing if all is well."""
        try:
            return [*self._books.damage(), *self._secretless(), *self._problems()]
        except StoreError as error:
            return [f"It cannot be read to its end: {error}"]

    def _secretless(self) -> Iterator[str]:
        try:
            secret_in(self._books.ask(SECRET))
        except NoSecret as error:
            yield str(error)

    def beginnings(self) -> Iterator[tuple[str, bytes | str]]:
        """Yield each table with its first step and each finished game with its record, by name."""
        for table, code in self._books.ask("SELECT id, code FROM tables ORDER BY id"):
            first = "SELECT body FROM steps WHERE table_id = ? ORDER BY number LIMIT 1"
            for (body,) in self._books.ask(
                "SELECT body FROM folds WHERE table_id = ?", table
            ) or self._books.ask(first, table):
                yield f"table {code} ({table})", body
        # One after the other: all games of a large store would not fit into memory.
        for (record,) in self._books.ask("SELECT id FROM records ORDER BY id"):
            yield f"game {record}", self.record(record) or ""

    def _problems(self) -> Iterator[str]:
        ask = self._books.ask
        gaps = (
            "SELECT s.table_id FROM steps s LEFT JOIN folds f ON f.table_id = s.table_id GROUP BY s.table_id"
            " HAVING min(s.number) <> coalesce(max(f.number), 0) + 1"
            " OR count(*) <> max(s.number) - min(s.number) + 1"
        )
        for (table,) in ask(gaps):
            yield f"Steps of the table {table} are missing."
        empty = (
            "SELECT id FROM tables t WHERE NOT EXISTS (SELECT 1 FROM steps WHERE table_id = t.id)"
            " AND NOT EXISTS (SELECT 1 FROM folds WHERE table_id = t.id)"
        )
        for (table,) in ask(empty):
            yield f"The table {table} has no steps."
        # A table at a time: all steps of a large store would not fit into memory.
        for (table,) in ask("SELECT id FROM tables ORDER BY id"):
            for number, body in self._log(table):
                if _at(body) is None:
                    yield f"Step {number} of the table {table} cannot be read."

    def backup(self, target: Path) -> None:
        """Write all that is committed into a new file; a server may go on meanwhile."""
        if target.exists():
            raise StoreError(f"There is a file {target} already.")
        self._books.backup(target)

    def vacuum(self) -> None:
        """Give the room of what was deleted back to the disk."""
        self._books.vacuum()

    def size(self) -> int:
        """Return how many bytes the store takes."""
        return self._books.size()

    def close(self) -> None:
        """Finish."""
        self._books.close()

    def _rename_in_record(self, change: Change, record: str, seat: int) -> None:
        """Take a seat's name out of a game and its summary; an upload (seat -1) names others only."""
        found = self._books.ask("SELECT summary, body FROM records WHERE id = ?", record)
        if not found or seat < 0:
            return
        summary, body = map(msgspec.json.decode, found[0])
        for document in (summary, body):
            names = document.get("names")
            if isinstance(names, list) and seat < len(names):
                names[seat] = SOMEBODY
        changed = msgspec.json.encode(summary), msgspec.json.encode(body).decode()
        change("UPDATE records SET summary = ?, body = ? WHERE id = ?", *changed, record)


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


def _end_keys(change: Change, who: str, now: int) -> None:
    change(VOID, who, now + 1, now + 1, "")
    change(TURNED_AWAY)


def _delete_record(change: Change, record: str) -> bool:
    change("DELETE FROM record_people WHERE record_id = ?", record)
    change("DELETE FROM reviews WHERE record_id = ?", record)
    return change("DELETE FROM records WHERE id = ?", record) > 0


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

"""The store's verbs on PostgreSQL."""

from collections.abc import Sequence
from typing import Any

import msgspec

from bullpen.server.store.interface import Batch, DeviceRow, MeasureRow, VoidRow
from bullpen.server.store.postgres.link import Connection, Link
from bullpen.server.store.postgres.upgrade import migrate
from bullpen.server.store.secret import SECRET, secret_in
from bullpen.server.store.sql import MEASURES, REVOCATIONS, TURNED_AWAY, VOID, VOIDED

KEPT_MILLISECONDS = 2 * 366 * 24 * 3600 * 1000
"""A device that was not here for so long is forgotten: its key has ended long before."""
FENCE = "%s, %s::text[], %s::bigint[]"
STEPS = "%s::text[], %s::integer[], %b::bytea[]"
NEW_TABLES = "%s::text[], %s::text[], %s::bigint[]"
RECORDS = "%s::text[], %s::text[], %s::bigint[], %b::bytea[], %s::text[]"
PEOPLE = "%s::text[], %s::text[], %s::integer[]"
WRITE = f"SELECT bullpen_write_1({FENCE}, {STEPS})"
WRITE_ALL = f"SELECT bullpen_write_all_1({FENCE}, {STEPS}, {NEW_TABLES}, {STEPS}, {RECORDS}, {PEOPLE})"


class Postgres:
    """A store in a database; a group is one call of a function there, so one round trip and one commit."""

    def __init__(self, address: str) -> None:
        self._link = Link(address)
        migrate(self._link)

    def secret(self) -> bytes:
        """Return the servers' common secret, made by the first migration."""
        return secret_in(self._all(SECRET))

    # Writing.

    def write(self, batch: Batch) -> None:
        """Commit a batch in one transaction.

        When the connection is lost between the commit and its answer, the second attempt finds the steps
        there, and that is a Conflict: the tables are read again, and nothing was lost or done twice.
        """
        steps = columns(((row.table, row.number, row.body) for row in batch.steps), 3)
        query, values = WRITE, [*_fence(batch), *steps]
        if batch.tables or batch.folds or batch.records:
            query, values = WRITE_ALL, [*values, *_rest(batch)]
        self._link.run(lambda db: db.execute(query, values, prepare=True))

    def probe(self) -> None:
        """Count the probes, durably."""
        self._change(
            "INSERT INTO facts VALUES ('probes', '1') ON CONFLICT (name)"
            " DO UPDATE SET value = (facts.value::bigint + 1)::text"
        )

    def watch(self) -> None:
        """See whether the database answers; a lost connection is made anew before anybody needs it."""
        self._one("SELECT 1")

    # Reading.

    def open_tables(self) -> list[tuple[str, str]]:
        """Return the id and code of every table that is not archived."""
        return self._all("SELECT id, code FROM tables WHERE NOT archived ORDER BY created")

    def find_table(self, name: str) -> tuple[str, list[bytes]] | None:
        """Return a table by id or code, with its log from the latest fold on, all of one moment."""
        if not may_be_known(name):
            return None
        rows = self._all(
            "WITH found AS (SELECT id FROM tables WHERE id = %(name)s OR code = %(name)s"
            "  ORDER BY live_code IS NULL, archived, created DESC LIMIT 1)"
            " SELECT id, coalesce(folds.number, 0) AS number, folds.body"
            "  FROM found LEFT JOIN folds ON folds.table_id = id"
            " UNION ALL SELECT id, steps.number, steps.body FROM found JOIN steps ON steps.table_id = id"
            " ORDER BY number",
            {"name": name},
        )
        log = [bytes(body) for _, _, body in rows if body is not None]
        return (rows[0][0], log) if rows else None

    def archive(self, table: str, archived: bool) -> None:
        """Mark a table, whose code is free then; one that comes back has it again, unless it is taken."""
        self._change(
            "UPDATE tables SET archived = %(archived)s, live_code = CASE WHEN %(archived)s OR EXISTS"
            " (SELECT 1 FROM tables other WHERE other.live_code = tables.code AND other.id <> tables.id)"
            " THEN NULL ELSE code END WHERE id = %(table)s",
            {"archived": archived, "table": table},
        )

    def record(self, record: str) -> str | None:
        """Return the text of a record."""
        if not may_be_known(record):
            return None
        found = self._one("SELECT body FROM records WHERE id = %s", [record])
        return None if found is None else found[0]

    def records_of(self, who: str, most: int) -> list[tuple[bytes, int]]:
        """Return the latest games of an identity."""
        return self._all(
            "SELECT r.summary, p.seat FROM record_people p JOIN records r ON r.id = p.record_id"
            " WHERE p.who = %s ORDER BY r.finished DESC, r.id LIMIT %s",
            [who, most],
        )

    def review(self, record: str, version: int) -> bytes | None:
        """Return the review of a record by that version."""
        if not may_be_known(record):
            return None
        query = "SELECT body FROM reviews WHERE record_id = %s AND version = %s"
        found = self._one(query, [record, version])
        return None if found is None else found[0]

    def keep_review(self, record: str, version: int, body: bytes) -> None:
        """Keep a review; of a record that was deleted meanwhile there is none."""
        self._change(
            "INSERT INTO reviews SELECT id, %s, %b FROM records WHERE id = %s FOR KEY SHARE"
            " ON CONFLICT (record_id) DO UPDATE SET version = excluded.version, body = excluded.body",
            [version, body, record],
        )

    # Devices.

    def note_devices(self, devices: Sequence[DeviceRow]) -> None:
        """Write down which devices were here, and forget those whose keys have ended long ago."""
        if not devices:
            return
        rows = sorted(map(msgspec.structs.astuple, devices))
        latest = max(row.seen for row in devices)
        self._change(
            "WITH old AS (DELETE FROM devices WHERE seen < %s)"
            " INSERT INTO devices (id, who, label, made, seen, since, ends) SELECT * FROM unnest(%s::text[],"
            " %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])"
            " ON CONFLICT (id) DO UPDATE SET label = excluded.label,"
            " seen = greatest(devices.seen, excluded.seen)",
            [latest - KEPT_MILLISECONDS, *columns(rows, 7)],
        )

    def devices_of(self, who: str) -> list[DeviceRow]:
        """Return the devices of somebody."""
        query = "SELECT id, who, label, made, seen, since, ends FROM devices WHERE who = %s AND NOT revoked"
        return [DeviceRow(*row) for row in self._all(f"{query} ORDER BY seen DESC, id", [who])]

    def revoke_device(self, who: str, device: str) -> None:
        """Mark a device."""
        self._turn_away("UPDATE devices SET revoked = true WHERE who = %s AND id = %s", [who, device])

    def void(self, row: VoidRow) -> VoidRow:
        """Write down which keys count, and return it as it is then."""
        self._turn_away(VOID.replace("?", "%s"), [row.who, row.links, row.everything, row.keep])
        return VoidRow(*self._one(VOIDED.replace("?", "%s"), [row.who]))

    def revoked(self) -> tuple[frozenset[str], dict[str, VoidRow]]:
        """Return what counts no more."""
        devices = frozenset(device for (device,) in self._all("SELECT id FROM devices WHERE revoked"))
        voids = [VoidRow(*row) for row in self._all("SELECT who, links, everything, keep FROM voids")]
        return devices, {row.who: row for row in voids}

    def measures(self) -> list[MeasureRow]:
        """Return what the host has ordered."""
        return [MeasureRow(*row) for row in self._all(MEASURES)]

    def revocations(self) -> int:
        """Return the count, which another process may have raised."""
        found = self._one(REVOCATIONS)
        return 0 if found is None else int(found[0])

    def _turn_away(self, statement: str, values: Any) -> None:
        def work(db: Connection) -> None:
            with db.transaction():
                _asked(db, statement, values)
                db.execute(TURNED_AWAY)

        self._link.run(work)

    def close(self) -> None:
        """Close the connection."""
        self._link.close()

    def _all(self, query: str, values: Any = None) -> list[Any]:
        return self._link.run(lambda db: _asked(db, query, values).fetchall())

    def _one(self, query: str, values: Any = None) -> Any:
        rows = self._all(query, values)
        return rows[0] if rows else None

    def _change(self, query: str, values: Any = None) -> None:
        self._link.run(lambda db: _asked(db, query, values))


def _asked(db: Connection, query: str, values: Any) -> Any:
    return db.execute(query.encode(), values, binary=True)


def may_be_known(name: str) -> bool:
    """Whether something may be called that; the database refuses to be asked for some of the rest."""
    return name.isascii() and name.isprintable()


def columns(rows: Any, width: int) -> list[list[Any]]:
    """Return rows turned into columns, of which there are as many if there are no rows."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def _fence(batch: Batch) -> list[Any]:
    """Return who writes, and in which epochs; new tables are nobody's yet."""
    if not batch.process:
        return ["", [], []]
    new = {row.table for row in batch.tables}
    tables = list({row.table for rows in (batch.steps, batch.folds) for row in rows} - new)
    return [batch.process, tables, [batch.epochs.get(table, 0) for table in tables]]


def _rest(batch: Batch) -> list[Any]:
    """Return what is not steps, in columns."""
    records = ((row.id, row.game, row.finished, row.summary, row.body) for row in batch.records)
    people = ((who, row.id, seat) for row in batch.records for who, seat in row.people)
    return [
        *columns(((row.table, row.code, row.created) for row in batch.tables), 3),
        *columns(((row.table, row.number, row.body) for row in batch.folds), 3),
        *columns(records, 5),
        *columns(people, 3),
    ]

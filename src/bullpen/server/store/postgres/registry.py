"""Who shares a database, and who owns which table."""

import time
from collections.abc import Sequence

from bullpen.server.store.interface import HeadRow, Owner, ProcessRow
from bullpen.server.store.postgres.link import Connection, Link
from bullpen.server.store.postgres.store import columns, may_be_known

PUBLISH = """
    INSERT INTO heads SELECT id, head, string_to_array(who, ' '), clock_timestamp() + left_ * interval '1 ms'
    FROM unnest(%s::text[], %s::bigint[], %b::bytea[], %s::text[], %s::bigint[])
        AS new (id, at, head, who, left_) JOIN owners ON table_id = id AND epoch = at AND process = %s
    ON CONFLICT (table_id)
        DO UPDATE SET line = excluded.line, people = excluded.people, listed = excluded.listed
"""
DEAD = "1 minute"
"""So long after its lease has run out, a process that owns nothing anybody wants is struck as well."""

TRUSTED = 30.0
"""So many seconds it is believed that every table has an owner while the same processes live."""


class PostgresRegistry:
    """The list of processes, on a connection of its own: a lease does not wait behind a write.

    Time is the database's alone. Every verb may be called from any thread, and waits for the one before it.
    """

    def __init__(self, address: str) -> None:
        self._link = Link(address)
        self._all_owned: tuple[list[tuple[str]], float] = ([], 0.0)
        """Who lived when every table was last seen to have an owner, and when that was."""

    def enlist(self, process: str, address: str, lease: int) -> None:
        """Put a process on the list."""

        def work(db: Connection) -> None:
            db.execute("DELETE FROM processes WHERE ends < clock_timestamp() - %s::interval", (DEAD,))
            db.execute(
                "INSERT INTO processes VALUES (%s, %s, clock_timestamp() + %s * interval '1 ms')",
                (process, address, lease),
            )

        self._link.run(work)

    def renew(self, process: str, lease: int) -> bool:
        """Let a lease run from now on, unless it was struck."""
        query = "UPDATE processes SET ends = clock_timestamp() + %s * interval '1 ms' WHERE name = %s"
        return bool(self._link.run(lambda db: db.execute(query, (lease, process)).rowcount))

    def claim(self, table: str, process: str) -> Owner:
        """Own a table, or learn who does."""
        query = "SELECT * FROM bullpen_claim_1(%s, %s)"

        def work(db: Connection) -> Owner:
            (row,) = db.execute(query, (table, process)).fetchall()
            return Owner(*row)

        return self._link.run(work)

    def release(self, process: str, tables: Sequence[str], heir: str = "") -> None:
        """Let tables go."""
        query = "SELECT bullpen_release_1(%s, %s::text[], %s)"
        self._link.run(lambda db: db.execute(query, (process, list(tables), heir)))

    def retire(self, process: str) -> None:
        """Leave the list, once what is being written is written."""
        self._link.run(lambda db: db.execute("DELETE FROM processes WHERE name = %s", (process,)))

    def orphans(self, most: int) -> list[str]:
        """Return some tables without an owner, to every process others first.

        All tables are looked at only if somebody has come or gone since none was found, or now and then.
        """
        query = (
            "SELECT id FROM tables LEFT JOIN owners ON table_id = id LEFT JOIN processes"
            " ON name = process AND ends > clock_timestamp() WHERE NOT archived AND name IS NULL"
            " ORDER BY md5(id || pg_backend_pid()) LIMIT %s"
        )

        def work(db: Connection) -> list[str]:
            living = db.execute(
                "SELECT name FROM processes WHERE ends > clock_timestamp() ORDER BY name"
            ).fetchall()
            now = time.monotonic()
            if living == self._all_owned[0] and now < self._all_owned[1] + TRUSTED:
                return []
            found = [str(table) for (table,) in db.execute(query, (most,))]
            self._all_owned = ([], 0.0) if found else (living, now)
            return found

        return self._link.run(work)

    def processes(self) -> list[ProcessRow]:
        """Return the list."""
        query = (
            "SELECT name, address, (extract(epoch FROM ends - clock_timestamp()) * 1000)::bigint,"
            " (SELECT count(*) FROM owners WHERE process = name) FROM processes ORDER BY name"
        )
        return self._link.run(lambda db: [ProcessRow(*row) for row in db.execute(query)])

    def publish(self, process: str, heads: Sequence[HeadRow]) -> None:
        """Write heads of owned tables."""
        rows = [(row.table, row.epoch, row.line, " ".join(row.people), row.listed) for row in heads]
        self._link.run(lambda db: db.execute(PUBLISH, [*columns(rows, 5), process]))

    def lobby(self, most: int) -> list[tuple[str, bytes]]:
        """Return the newest public tables."""
        query = (
            "SELECT id, line FROM heads JOIN tables ON id = table_id"
            " WHERE listed > clock_timestamp() AND NOT archived ORDER BY created DESC, id LIMIT %s"
        )
        return self._link.run(lambda db: db.execute(query, (most,)).fetchall())

    def tables_of(self, who: str) -> list[tuple[str, bytes]]:
        """Return the tables of somebody."""
        query = (
            "SELECT id, line FROM heads JOIN tables ON id = table_id"
            " WHERE people @> ARRAY[%s] AND NOT archived ORDER BY created, id"
        )
        return self._link.run(lambda db: db.execute(query, (who,)).fetchall())

    def named(self, name: str) -> str | None:
        """Return the id of a table."""
        if not may_be_known(name):
            return None
        query = (
            "SELECT id FROM tables WHERE id = %s OR code = %s"
            " ORDER BY live_code IS NULL, archived, created DESC LIMIT 1"
        )

        def work(db: Connection) -> str | None:
            found = db.execute(query, (name, name)).fetchone()
            return None if found is None else str(found[0])

        return self._link.run(work)

    def close(self) -> None:
        """Close the connection; the process stays on the list until it retires or its lease runs out."""
        self._link.close()

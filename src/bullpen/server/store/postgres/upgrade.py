"""Upgrade an older database while earlier processes go on using it, rehearse that, or read it as it is."""

import contextlib
import logging
import secrets
import time
from collections.abc import Iterator

import msgspec

from bullpen.server.store.interface import StoreError
from bullpen.server.store.postgres.link import CONFLICT, FENCED, LOCKS, Connection, Link
from bullpen.server.store.postgres.schema import MIGRATIONS
from bullpen.server.store.upgrade import Upgrade, stamp

log = logging.getLogger("bullpen.server")

LOCK = 0x62756C6C
"""Held by the process that brings a database up to date: `bull`."""


def migrate(link: Link) -> None:
    """Upgrade a database to serve from it, and log where the copy is."""
    try:
        done = link.run(lambda db: bring_up_to_date(db, link.named))
    except BaseException:
        link.close()
        raise
    if done.backup:
        log.warning(done.says())


def bring_up_to_date(db: Connection, named: str) -> Upgrade:
    """Upgrade a database after copying its tables into another schema; in an empty one, make a store."""
    with _one_at_a_time(db):
        version, began = _version(db, named), time.monotonic()
        beside = ""
        if 0 < version < len(MIGRATIONS):
            with db.transaction():
                beside = _set_aside(db, version)
        for number in range(version, len(MIGRATIONS)):
            with db.transaction():
                _change(db, number)
    done = _changed(named, version, time.monotonic() - began)
    if not beside:
        return done
    back = (
        "bullpen admin copy-store FROM TO, where TO is an empty database, and FROM is the address of this one"
        f" with options=-csearch_path%3D{beside}"
    )
    return msgspec.structs.replace(done, backup=f"the schema {beside} of the same database", back=back)


def rehearse(db: Connection, named: str) -> Upgrade:
    """Do the same, undo it, and say what it changes and how long it took."""
    with _one_at_a_time(db):
        version, began = version_of(db, named), time.monotonic()
        with db.transaction(force_rollback=True):
            _set_aside(db, version)
            for number in range(version, len(MIGRATIONS)):
                _change(db, number)
        return _changed(named, version, time.monotonic() - began)


def is_empty(db: Connection, named: str) -> bool:
    """Whether a database holds nothing at all; one of another program is refused."""
    return _version(db, named) == 0


def version_of(db: Connection, named: str) -> int:
    """Return how many changes a database has had; one without a store is refused."""
    version = _version(db, named)
    if not version:
        raise StoreError(f"There is no store in the database {named}.")
    return version


def refuse_older(db: Connection, named: str) -> None:
    """Refuse to write to a database of an earlier version, which earlier programs may still serve."""
    version = version_of(db, named)
    if version < len(MIGRATIONS):
        raise StoreError(
            f"The database {named} has version {version}, and this program writes version"
            f" {len(MIGRATIONS)}: run `bullpen admin migrate` first, or use the older bullpen."
        )


def stand_in(db: Connection) -> None:
    """Make an older database readable as one of today: temporary tables stand in for what it lacks."""
    ((own,),) = db.execute("SELECT current_schema()").fetchall()
    with db.transaction():
        db.execute("SET LOCAL search_path = pg_temp")
        for number in range(len(MIGRATIONS)):
            _change(db, number)
        there, wanted = _columns(db, own), _columns(db, "pg_temp")
        for table, columns in wanted.items():
            common = ", ".join(columns & there.get(table, set()))
            stands_in, original = f'pg_temp."{table}"', f'"{own}"."{table}"'
            if columns <= there.get(table, set()):
                db.execute(f"DROP TABLE {stands_in} CASCADE".encode())
            elif common:
                copying = f"INSERT INTO {stands_in} ({common}) SELECT {common} FROM {original}"
                db.execute(copying.encode())


def _columns(db: Connection, schema: str) -> dict[str, set[str]]:
    """Return the tables of a schema, those that others refer to first, each with the names of its columns."""
    query = (
        "SELECT relname, array_agg(quote_ident(attname)) FROM pg_class"
        " JOIN pg_attribute ON attrelid = pg_class.oid"
        " WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped AND relnamespace ="
        " CASE %s WHEN 'pg_temp' THEN pg_my_temp_schema() ELSE to_regnamespace(%s)::oid END"
        " GROUP BY pg_class.oid, relname ORDER BY pg_class.oid"
    )
    return {table: set(names) for table, names in db.execute(query, (schema, schema))}


@contextlib.contextmanager
def _one_at_a_time(db: Connection) -> Iterator[None]:
    """Keep other processes from upgrading at the same time; they wait for as long as it takes."""
    db.execute("SET lock_timeout = 0")
    db.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
    try:
        db.execute(LOCKS)
        yield
    finally:
        # With the connection the lock is gone, too.
        if not db.closed:
            db.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))


def _set_aside(db: Connection, version: int) -> str:
    """Begin a transaction by copying all tables into a new schema: a store that can be copied from."""
    beside = f"bullpen_v{version}_{stamp().replace('-', '_')}"
    db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    ((own,),) = db.execute("SELECT current_schema()").fetchall()
    db.execute(f"CREATE SCHEMA {beside}".encode())
    for table in _columns(db, own):
        db.execute(f'CREATE TABLE {beside}."{table}" AS TABLE "{own}"."{table}"'.encode())
    return beside


def _changed(named: str, version: int, seconds: float) -> Upgrade:
    changes = tuple(change.splitlines()[0].removeprefix("-- ") for change in MIGRATIONS[version:])
    return Upgrade(named, version, len(MIGRATIONS), changes, seconds)


def _change(db: Connection, number: int) -> None:
    change = MIGRATIONS[number].replace("{fenced}", FENCED).replace("{conflict}", CONFLICT)
    db.execute(change.encode())
    if number == 0:
        facts = [("secret", secrets.token_hex(32)), ("version", "0")]
        db.cursor().executemany("INSERT INTO facts VALUES (%s, %s)", facts)
    db.execute("UPDATE facts SET value = %s WHERE name = 'version'", (str(number + 1),))


def _version(db: Connection, named: str) -> int:
    """Return how many changes a database has had; one of another program is refused."""
    rows = db.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
    names = {name for (name,) in rows}
    if not names:
        return 0
    if not names >= {"facts", "tables", "steps", "records"}:
        raise StoreError(f"The database {named} holds tables of another program, and was left as it is.")
    found = db.execute("SELECT value FROM facts WHERE name = 'version'").fetchone()
    if found is None or not (found[0].isdecimal() and int(found[0])):
        raise StoreError(f"The database {named} does not say which version it has: restore a backup.")
    version = int(found[0])
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The database {named} has version {version}, and this program knows up to {len(MIGRATIONS)}:"
            " use a newer bullpen."
        )
    return version

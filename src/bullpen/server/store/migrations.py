"""Migrations: every change that the store's file has seen, in order; a file says how many it has had."""

import secrets
import sqlite3
from collections.abc import Callable

APPLICATION = 0x62756C6C
"""The mark in a file's header by which it is known as a store of this program: `bull`."""
FIRST_TABLES = frozenset({"facts", "tables", "steps", "records"})
"""What a store held before there was a mark."""


class Unfit(sqlite3.DatabaseError):
    """The file is no store, or one of a later version of this program."""


def _first(db: sqlite3.Connection) -> None:
    """The tables of version 1, and the server's own secret."""
    db.execute("CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID")
    db.execute("INSERT INTO facts VALUES ('secret', ?)", (secrets.token_hex(32),))
    db.execute(
        "CREATE TABLE tables (id TEXT PRIMARY KEY, code TEXT NOT NULL, created INTEGER NOT NULL,"
        " archived INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID"
    )
    db.execute("CREATE INDEX tables_by_code ON tables (code)")
    db.execute(
        "CREATE TABLE steps (table_id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL,"
        " body BLOB NOT NULL, PRIMARY KEY (table_id, number)) WITHOUT ROWID"
    )
    db.execute(
        "CREATE TABLE records (id TEXT PRIMARY KEY, game TEXT NOT NULL, finished INTEGER NOT NULL,"
        " body TEXT NOT NULL) WITHOUT ROWID"
    )


def _second(db: sqlite3.Connection) -> None:
    """Lists of a person's games: a summary beside each record, and who took part."""
    db.execute("ALTER TABLE records ADD COLUMN summary BLOB NOT NULL DEFAULT '{}'")
    db.execute(
        "CREATE TABLE record_people (who TEXT NOT NULL, record_id TEXT NOT NULL REFERENCES records (id),"
        " seat INTEGER NOT NULL, PRIMARY KEY (who, record_id)) WITHOUT ROWID"
    )


def _third(db: sqlite3.Connection) -> None:
    """Folds: a table after its latest finished game, in the place of all steps up to there."""
    db.execute(
        "CREATE TABLE folds (table_id TEXT PRIMARY KEY REFERENCES tables (id), number INTEGER NOT NULL,"
        " body BLOB NOT NULL) WITHOUT ROWID"
    )
    # A process that has missed a fold must not write a step anew that the fold stands for.
    db.execute(
        "CREATE TRIGGER steps_after_fold BEFORE INSERT ON steps"
        " WHEN EXISTS (SELECT 1 FROM folds WHERE table_id = NEW.table_id AND number >= NEW.number)"
        " BEGIN SELECT RAISE(ABORT, 'that step is folded'); END"
    )
    db.execute("CREATE INDEX people_by_record ON record_people (record_id)")


def _fourth(db: sqlite3.Connection) -> None:
    """Devices: on which somebody comes, and which keys count no more."""
    db.execute(
        "CREATE TABLE devices (id TEXT PRIMARY KEY, who TEXT NOT NULL, label TEXT NOT NULL,"
        " made INTEGER NOT NULL, seen INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID"
    )
    db.execute("CREATE INDEX devices_by_person ON devices (who)")
    db.execute(
        "CREATE TABLE voids (who TEXT PRIMARY KEY, links INTEGER NOT NULL, everything INTEGER NOT NULL,"
        " keep TEXT NOT NULL) WITHOUT ROWID"
    )


def _fifth(db: sqlite3.Connection) -> None:
    """Reviews: beside each record, by the version of the analysis that made it."""
    db.execute(
        "CREATE TABLE reviews (record_id TEXT PRIMARY KEY REFERENCES records (id), version INTEGER NOT NULL,"
        " body BLOB NOT NULL) WITHOUT ROWID"
    )


def _sixth(db: sqlite3.Connection) -> None:
    """Revocations by number, and tokens of bots that end."""
    db.execute("ALTER TABLE devices ADD COLUMN since INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE devices ADD COLUMN ends INTEGER NOT NULL DEFAULT 0")
    # The numbers begin at the times that were compared before.
    db.execute("UPDATE devices SET since = made / 1000")


def _seventh(db: sqlite3.Connection) -> None:
    """Measures: whom a host has banned, whether sign-up is closed, and what is announced."""
    db.execute(
        "CREATE TABLE measures (kind TEXT NOT NULL, about TEXT NOT NULL, made INTEGER NOT NULL,"
        " until INTEGER NOT NULL, says TEXT NOT NULL, PRIMARY KEY (kind, about)) WITHOUT ROWID"
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _first,
    _second,
    _third,
    _fourth,
    _fifth,
    _sixth,
    _seventh,
)


def refuse_foreign(db: sqlite3.Connection) -> None:
    """Refuse a file that is another program's, before anything is written to it."""
    (mark,) = db.execute("PRAGMA application_id").fetchone()
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if mark != APPLICATION and (mark or (names and not names >= FIRST_TABLES)):
        raise Unfit("it is a database of another program, and was left as it is")


def mark(db: sqlite3.Connection) -> None:
    """Mark a file as a store of this program."""
    (found,) = db.execute("PRAGMA application_id").fetchone()
    if found != APPLICATION:
        db.execute(f"PRAGMA application_id = {APPLICATION}")


def version_of(db: sqlite3.Connection) -> int:
    """Return how many changes a file has had; one of a later version is refused."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise Unfit(
            f"it has version {version}, and this program knows up to {len(MIGRATIONS)}: use a newer bullpen"
        )
    return int(version)


def refuse_empty(db: sqlite3.Connection) -> int:
    """Return the version of a file; one in which no store was made yet is refused."""
    version = version_of(db)
    if not version:
        raise Unfit("there is no store in it")
    return version


def refuse_older(db: sqlite3.Connection) -> None:
    """Refuse to write to a file of an earlier version, which an earlier program may still serve."""
    version = refuse_empty(db)
    if version < len(MIGRATIONS):
        raise Unfit(
            f"it has version {version}, and this program writes version {len(MIGRATIONS)}:"
            " run `bullpen admin migrate` first, or use the older bullpen"
        )


def migrate(db: sqlite3.Connection) -> None:
    """Bring a file up to date, each migration in a transaction of its own."""
    for number in range(version_of(db), len(MIGRATIONS)):
        db.execute("BEGIN IMMEDIATE")
        try:
            (now,) = db.execute("PRAGMA user_version").fetchone()
            if now == number:
                MIGRATIONS[number](db)
                db.execute(f"PRAGMA user_version = {number + 1}")
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise

"""A database as its caretaker works on it."""

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bullpen.server.store.addresses import shown
from bullpen.server.store.care import Change
from bullpen.server.store.copying import copy
from bullpen.server.store.file import FileBooks
from bullpen.server.store.interface import StoreError
from bullpen.server.store.postgres.link import Connection, connect, sentences
from bullpen.server.store.postgres.schema import MIGRATIONS
from bullpen.server.store.postgres.upgrade import (
    bring_up_to_date,
    is_empty,
    refuse_older,
    rehearse,
    stand_in,
    version_of,
)
from bullpen.server.store.upgrade import Upgrade

FLAGS = frozenset({"archived", "revoked"})
"""Columns that are true or false here, and 1 or 0 in a file."""
AT_ONCE = 1000
"""So many rows are fetched at once."""


class DatabaseBooks:
    """A database with a store in it, opened to change and to copy it."""

    holds = "position(? IN body) > 0"
    closes = "UPDATE tables SET archived = true, live_code = NULL WHERE id = ?"

    def __init__(self, db: Connection, named: str) -> None:
        self._db = db
        self._named = named

    @classmethod
    def to_read(cls, address: str) -> "DatabaseBooks":
        """Open a database of any version such that nothing is written to its tables."""
        with _opened(address) as (db, named):
            if version_of(db, named) < len(MIGRATIONS):
                stand_in(db)
            db.execute("SET default_transaction_read_only = on")
            return cls(db, named)

    @classmethod
    def to_change(cls, address: str) -> "DatabaseBooks":
        """Open a database of today's version; an older one is refused."""
        with _opened(address) as (db, named):
            refuse_older(db, named)
            return cls(db, named)

    @classmethod
    def new(cls, address: str) -> "DatabaseBooks":
        """Open a database to copy into; in an empty one a store is made."""
        with _opened(address) as (db, named):
            if is_empty(db, named):
                bring_up_to_date(db, named)
            refuse_older(db, named)
            return cls(db, named)

    @staticmethod
    @contextlib.contextmanager
    def alone(address: str) -> Iterator[None]:
        """Refuse this while a server is on the list of processes; one that starts meanwhile waits."""
        with _opened(address) as (db, named), contextlib.closing(db):
            if is_empty(db, named):
                yield
                return
            with db.transaction():
                db.execute("LOCK TABLE processes IN SHARE MODE")
                if db.execute("SELECT FROM processes WHERE ends > clock_timestamp()").fetchall():
                    raise StoreError(
                        f"The store {named} is in use by a running server: stop the server first."
                    )
                yield

    @staticmethod
    def upgrade(address: str) -> Upgrade:
        """Bring a database up to date."""
        with _opened(address) as (db, named), contextlib.closing(db):
            version_of(db, named)
            return bring_up_to_date(db, named)

    @staticmethod
    def rehearse(address: str) -> Upgrade:
        """Bring a database up to date, and undo it."""
        with _opened(address) as (db, named), contextlib.closing(db):
            return rehearse(db, named)

    def ask(self, query: str, *values: object) -> list[Any]:
        """Return the rows that a query finds."""
        with sentences(self._named):
            return self._db.execute(_said(query), values, binary=True).fetchall()

    @contextlib.contextmanager
    def changing(self) -> Iterator[Change]:
        """Change something in one transaction."""
        with sentences(self._named), self._db.transaction():
            yield lambda statement, *values: self._db.execute(_said(statement), values).rowcount

    def damage(self) -> Iterator[str]:
        """Read everything once, and say where the database finds that it cannot."""
        for kind in ("tables", "steps", "folds", "records", "reviews"):
            self.ask(f"SELECT count(*), sum(length({kind}::text)) FROM {kind}")
        yield from ()

    def backup(self, target: Path) -> None:
        """Copy what is here into a file."""
        file = FileBooks.new(target)
        try:
            copy(self, file)
        except BaseException:
            file.close()
            target.unlink()
            raise
        file.close()

    def vacuum(self) -> None:
        """Write the tables anew; whoever wants to write waits until it is done."""
        with sentences(self._named):
            self._db.execute("VACUUM (FULL, ANALYZE)")

    def size(self) -> int:
        """Return the size of the database."""
        ((size,),) = self.ask("SELECT pg_database_size(current_database())")
        return int(size)

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    # Copying.

    @contextlib.contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Read what was committed when this began, whatever is written meanwhile."""
        with sentences(self._named), self._db.transaction():
            self._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield

    def rows(self, kind: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield all rows of a kind."""
        with sentences(self._named), self._db.cursor(f"all_{kind}", binary=True) as cursor:
            cursor.itersize = AT_ONCE
            yield from cursor.execute(_said(f"SELECT {', '.join(columns)} FROM {kind}"))

    def fill(self, kind: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows of a kind, while something is being changed."""
        flags = [place for place, column in enumerate(columns) if column in FLAGS]
        statement = f"COPY {kind} ({', '.join(columns)}) FROM STDIN"
        with sentences(self._named), self._db.cursor().copy(_said(statement)) as into:
            for row in rows:
                values = list(row)
                for place in flags:
                    values[place] = bool(values[place])
                into.write_row(values)

    def filled(self, change: Change) -> None:
        """Give every open table its code; the newest, if two had the same."""
        change(
            "UPDATE tables SET live_code = code WHERE id IN (SELECT DISTINCT ON (code) id FROM tables"
            " WHERE NOT archived ORDER BY code, created DESC, id)"
        )


@contextlib.contextmanager
def _opened(address: str) -> Iterator[tuple[Connection, str]]:
    """Connect, and close the connection if anything fails."""
    named = shown(address)
    with sentences(named):
        db = connect(address)
        try:
            # What a person at a keyboard began may take its time.
            db.execute("SET idle_in_transaction_session_timeout = 0")
            yield db, named
        except BaseException:
            db.close()
            raise


def _said(query: str) -> bytes:
    return query.replace("%", "%%").replace("?", "%s").encode()

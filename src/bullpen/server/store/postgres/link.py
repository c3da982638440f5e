"""A connection to the database that comes back by itself, and its faults as sentences."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

import psycopg

from bullpen.server.store.addresses import shown
from bullpen.server.store.interface import Conflict, Fenced, StoreError

T = TypeVar("T")
Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

FENCED, CONFLICT = "BP001", "BP002"
"""What the functions in the database (`schema`) say no with."""
MANNERS: dict[str, Any] = {
    "connect_timeout": 3,
    "client_encoding": "utf8",
    "application_name": "bullpen",
    # A database that has gone without a word is noticed within seconds, not minutes.
    "tcp_user_timeout": 5000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
LOCKS = "SET lock_timeout = '2s'"
PATIENCE = f"""
    {LOCKS};
    SET idle_in_transaction_session_timeout = '5s';
    SET default_transaction_isolation = 'read committed';
"""
"""Nobody waits for ever for a lock, or holds one without doing anything."""


class Link:
    """One connection, for one caller at a time; a lost one is made anew when it is next needed."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._db: Connection | None = None
        self.named = shown(address)
        """What the database is called in a sentence."""

    def run(self, work: Callable[[Connection], T]) -> T:
        """Do something with the connection; if that is lost over it, once more with a new one.

        So the work must be such that doing it twice is harmless: it reads, or says the same twice, or its
        keys keep it from being done again.
        """
        with self._lock, sentences(self.named):
            old = self._db is not None
            try:
                return work(self._connected())
            except psycopg.Error:
                if not (old and self._lost()):
                    raise
            return work(self._connected())

    def _connected(self) -> Connection:
        if self._db is None or self._lost():
            self._db = None
            self._db = connect(self._address)
        return self._db

    def _lost(self) -> bool:
        return self._db is not None and self._db.closed

    def close(self) -> None:
        """Finish."""
        with self._lock:
            if self._db is not None:
                self._db.close()


def connect(address: str) -> Connection:
    """Open a connection in which every statement is a transaction of its own unless one is begun."""
    db = psycopg.connect(address, autocommit=True, prepare_threshold=2, **MANNERS)
    try:
        db.execute(PATIENCE)
        if db.execute("SHOW synchronous_commit").fetchone() == ("off",):
            # What is confirmed is on disk, whatever else this database is used for.
            db.execute("SET synchronous_commit = on")
    except BaseException:
        db.close()
        raise
    return db


@contextlib.contextmanager
def sentences(named: str) -> Iterator[None]:
    """Turn what the driver raises into what a store may raise."""
    try:
        yield
    except psycopg.Error as error:
        raise _said(error, named) from None


def _said(error: psycopg.Error, named: str) -> StoreError:
    says = (str(error).splitlines() or [repr(error)])[0].rstrip(".")
    if error.sqlstate == FENCED:
        return Fenced(says)
    if error.sqlstate == CONFLICT or isinstance(error, psycopg.IntegrityError):
        return Conflict(says)
    if isinstance(error, psycopg.ProgrammingError) and error.sqlstate is None:
        # Of an address that cannot be read nothing is repeated: it may hold a password.
        says = "that is not how a database is named"
    return StoreError(f"The store {named}: {says}.")

"""The lock of a store's file: servers share it; a program that replaces or upgrades the file holds it alone.

The lock is SQLite's, on an empty file beside the store. It ends with the process that holds it.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from bullpen.server.store.interface import StoreError

PATIENCE = 1.0


def share(path: Path) -> sqlite3.Connection:
    """Say that a server uses a store, until the connection is closed."""
    return _hold(path, "BEGIN", "is being restored or migrated: start the server again when that is done")


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep servers away from a store; refuse that while a server uses it."""
    used = "is in use by a running server: stop the server first"
    with contextlib.closing(_hold(path, "BEGIN EXCLUSIVE", used)):
        if _is_open(path):
            raise StoreError(f"The store {path} {used}.")
        yield


def give_to_owner(of: Path, path: Path) -> None:
    """Give a file that root has made to the owner of the store, so that the server can open it."""
    if hasattr(os, "chown") and os.geteuid() == 0:
        owner = (of if of.exists() else of.absolute().parent).stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def _hold(path: Path, begin: str, why: str) -> sqlite3.Connection:
    file = path.resolve()
    lock = file.with_name(f"{file.name}.lock")
    try:
        if not lock.exists():
            lock.touch(mode=0o600)
            give_to_owner(path, lock)
        db = sqlite3.connect(lock, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The lock {lock} cannot be used: {error}.") from None
    try:
        db.execute("PRAGMA journal_mode=MEMORY")
        db.execute(begin)
        db.execute("SELECT name FROM sqlite_master").fetchall()
    except sqlite3.Error as error:
        db.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            why = f"cannot be locked by {lock}: {error}"
        raise StoreError(f"The store {path} {why}.") from None
    return db


def _is_open(path: Path) -> bool:
    """Whether anybody has the store open, such as a server from before there was a lock."""
    file = path.resolve()
    if not file.with_name(f"{file.name}-wal").exists():
        return False
    address = f"{file.as_uri()}?mode=rw"
    with contextlib.closing(sqlite3.connect(address, uri=True, timeout=0)) as db:
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        try:
            db.execute("SELECT name FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False

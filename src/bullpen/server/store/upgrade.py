"""Upgrade an older file after a copy of it was made, or rehearse that on a copy."""

import contextlib
import sqlite3
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from bullpen.server.store.interface import StoreError
from bullpen.server.store.lock import alone, give_to_owner
from bullpen.server.store.migrations import (
    MIGRATIONS,
    mark,
    migrate,
    refuse_empty,
    refuse_foreign,
    version_of,
)
from bullpen.server.store.sqlite import connect, copy_into, look, refuse_damaged

PATIENCE = 10.0


class Upgrade(Struct, frozen=True):
    """Changes that an upgrade makes, or has made, to a store: none, if both versions are the same."""

    store: str
    before: int
    after: int
    changes: tuple[str, ...] = ()
    seconds: float = 0.0
    backup: str = ""
    """Where the copy is that was made before."""
    back: str = ""
    """The command by which the earlier program uses the copy."""

    def says(self) -> str:
        """Return what was done, and how to go back, in sentences."""
        return (
            f"Upgraded {self.store} from version {self.before} to version {self.after}. A copy of version"
            f" {self.before} is in {self.backup}. To go back, stop the server and run this with the earlier"
            f" bullpen: {self.back}"
        )


def stamp() -> str:
    """Return the date and time as a part of a name."""
    return time.strftime("%Y%m%d-%H%M%S")


def upgrade_file(path: Path) -> Upgrade:
    """Upgrade a file, if it is older, after copying it to a file beside it."""
    try:
        before = _version(path)
        if before in (0, len(MIGRATIONS)):
            return Upgrade(str(path), before, before)
        with alone(path), contextlib.closing(connect(path, PATIENCE, "rw")) as db:
            return _upgrade(db, path)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The file {path} cannot be used as a store: {error}.") from None


def rehearse_file(path: Path) -> Upgrade:
    """Upgrade a temporary copy of a file, and say what that changes and how long it took."""
    began = time.monotonic()
    try:
        _version(path)
        with contextlib.closing(look(path, PATIENCE)) as db, contextlib.closing(copy_of(db)) as copy:
            before = refuse_empty(copy)
            refuse_damaged(copy)
            migrate(copy)
        return _changed(path, before, time.monotonic() - began)
    except sqlite3.Error as error:
        raise StoreError(f"The file {path} cannot be upgraded: {error}.") from None


def copy_of(db: sqlite3.Connection) -> sqlite3.Connection:
    """Return a copy of what is committed, in a file without a name that ends with the connection."""
    copy = sqlite3.connect("", isolation_level=None)
    try:
        db.backup(copy)
    except BaseException:
        copy.close()
        raise
    return copy


def _version(path: Path) -> int:
    if not path.exists():
        raise StoreError(f"There is no file {path}.")
    with contextlib.closing(look(path, PATIENCE)) as db:
        refuse_foreign(db)
        return version_of(db)


def _upgrade(db: sqlite3.Connection, path: Path) -> Upgrade:
    began, before = time.monotonic(), version_of(db)
    refuse_damaged(db)
    backup = path.with_name(f"{path.name}.v{before}-{stamp()}")
    copy_into(db, backup)
    give_to_owner(path, backup)
    mark(db)
    migrate(db)
    back = f"bullpen admin --store {path} restore {backup}"
    changed = _changed(path, before, time.monotonic() - began)
    return msgspec.structs.replace(changed, backup=str(backup), back=back)


def _changed(path: Path, before: int, seconds: float) -> Upgrade:
    changes = tuple((change.__doc__ or "").strip() for change in MIGRATIONS[before:])
    return Upgrade(str(path), before, len(MIGRATIONS), changes, seconds)

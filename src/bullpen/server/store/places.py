"""Stores opened by where they are: to serve from, to share, to look after, to copy."""

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bullpen.server.store.addresses import is_database
from bullpen.server.store.care import Caretaker
from bullpen.server.store.copying import copy
from bullpen.server.store.file import FileBooks
from bullpen.server.store.interface import Registry, Store, StoreError
from bullpen.server.store.sqlite import SQLite
from bullpen.server.store.upgrade import Upgrade, upgrade_file

if TYPE_CHECKING:
    from bullpen.server.store.postgres.books import DatabaseBooks

log = logging.getLogger("bullpen.server")

NO_DRIVER = "A database needs the extra `postgres`: pip install 'bullpen-games[postgres]'."


def open_store(place: str) -> Store:
    """Open a store to serve from it; a file that does not exist is made."""
    if is_database(place):
        try:
            from bullpen.server.store.postgres.store import Postgres  # noqa: PLC0415
        except ImportError:
            raise StoreError(NO_DRIVER) from None
        return Postgres(place)
    path = Path(place)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The file holds what signs identities and deals: it is nobody else's to read.
    path.touch(mode=0o600)
    done = upgrade_file(path)
    if done.backup:
        log.warning(done.says())
    return SQLite(path)


def open_registry(place: str) -> Registry | None:
    """Open the registry of the processes that share a store; a file is one process's alone and has none."""
    if not is_database(place):
        return None
    from bullpen.server.store.postgres.registry import PostgresRegistry  # noqa: PLC0415

    return PostgresRegistry(place)


def open_care(place: str) -> Caretaker:
    """Look after a store that is there; one of an earlier version is refused."""
    return Caretaker(_kind(place).to_change(place))


def open_to_read(place: str) -> Caretaker:
    """Look into a store of any version; nothing is written to it."""
    return Caretaker(_kind(place).to_read(place))


@contextlib.contextmanager
def open_alone(place: str) -> Iterator[Caretaker]:
    """Look after a store that no server uses meanwhile."""
    with _kind(place).alone(place), contextlib.closing(open_care(place)) as care:
        yield care


def copy_store(source: str, target: str) -> dict[str, int]:
    """Copy a store into one that is made now or is empty, and count what was copied."""
    kind = _kind(target)
    with (
        contextlib.closing(_kind(source).to_read(source)) as from_books,
        kind.alone(target),
        contextlib.closing(kind.new(target)) as into,
    ):
        return copy(from_books, into)


def upgrade(place: str) -> Upgrade:
    """Bring a store up to date, once a copy of it lies beside it."""
    return _kind(place).upgrade(place)


def rehearse(place: str) -> Upgrade:
    """Say what it takes to bring a store up to date, and leave it as it is."""
    return _kind(place).rehearse(place)


def _kind(place: str) -> "type[FileBooks | DatabaseBooks]":
    if not is_database(place):
        return FileBooks
    try:
        from bullpen.server.store.postgres.books import DatabaseBooks  # noqa: PLC0415
    except ImportError:
        raise StoreError(NO_DRIVER) from None
    return DatabaseBooks

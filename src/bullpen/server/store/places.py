"""Stores opened by where they are: to serve from, to share, to look after, to copy."""

from pathlib import Path

from bullpen.server.store.addresses import is_database
from bullpen.server.store.care import Caretaker
from bullpen.server.store.copying import Copied, copy
from bullpen.server.store.file import FileBooks
from bullpen.server.store.interface import Registry, Store, StoreError
from bullpen.server.store.sqlite import SQLite

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
    return SQLite(path)


def open_registry(place: str) -> Registry | None:
    """Open the registry of the processes that share a store; a file is one process's alone and has none."""
    if not is_database(place):
        return None
    from bullpen.server.store.postgres.registry import PostgresRegistry  # noqa: PLC0415

    return PostgresRegistry(place)


def open_care(place: str) -> Caretaker:
    """Look after a store that is there."""
    return Caretaker(_books(place))


def copy_store(source: str, target: str) -> dict[str, int]:
    """Copy a store into one that is made now or is empty, and count what was copied."""
    from_books = _books(source)
    try:
        into = _books(target, new=True)
        try:
            return copy(from_books, into)
        finally:
            into.close()
    finally:
        from_books.close()


def _books(place: str, new: bool = False) -> Copied:
    if not is_database(place):
        return FileBooks.new(Path(place)) if new else FileBooks(Path(place))
    try:
        from bullpen.server.store.postgres.books import DatabaseBooks  # noqa: PLC0415
    except ImportError:
        raise StoreError(NO_DRIVER) from None
    return DatabaseBooks(place, new)

"""Where a store is: a file by its path, or a PostgreSQL database by its address."""

from pathlib import Path

from bullpen.server.store.interface import Registry, Store, StoreError
from bullpen.server.store.sqlite import SQLite

SCHEMES = ("postgresql", "postgres")
NO_DRIVER = "A database needs the extra `postgres`: pip install 'bullpen-games[postgres]'."


def is_database(place: str) -> bool:
    """Whether a place is the address of a database; one of another kind than ours is refused.

    >>> is_database("postgresql://localhost/tables"), is_database("tables.sqlite3")
    (True, False)
    """
    scheme, found, _ = place.partition("://")
    if found and scheme not in SCHEMES:
        raise StoreError(f"A store is a file or a database postgresql://…, and not {scheme[:20]}://….")
    return bool(found)


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

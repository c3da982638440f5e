"""How a store is named: a file by its path, a PostgreSQL database by its address."""

from bullpen.server.store.interface import StoreError

SCHEMES = ("postgresql", "postgres")


def is_database(place: str) -> bool:
    """Whether a place is the address of a database; one of another kind than ours is refused.

    >>> is_database("postgresql://localhost/tables"), is_database("tables.sqlite3")
    (True, False)
    """
    scheme, found, _ = place.partition("://")
    if found and scheme not in SCHEMES:
        raise StoreError(f"A store is a file or a database postgresql://…, and not {scheme[:20]}://….")
    return bool(found)


def shown(place: str) -> str:
    """Return what a store may be called where anybody reads it: an address without names and passwords.

    >>> shown("postgresql://ann:secret@db.example.org:5433/tables?sslmode=require")
    'postgresql://db.example.org:5433/tables'
    >>> shown("postgresql:///tables?password=s@cret")
    'postgresql://…'
    """
    if not is_database(place):
        return place
    before, _, rest = place.partition("://")[2].rpartition("@")
    # With a sign that should have been escaped, nobody knows where the password ends.
    return "postgresql://…" if "=" in before else f"postgresql://{rest.partition('?')[0]}"

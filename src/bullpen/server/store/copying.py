"""From one store into another: a file into a database, a database into a file, and either into its like."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from bullpen.server.store.care import Books, Change
from bullpen.server.store.interface import StoreError
from bullpen.server.store.secret import KEEP_SECRET, SECRET, secret_in

COLUMNS: Mapping[str, Sequence[str]] = {
    "tables": ("id", "code", "created", "archived"),
    "steps": ("table_id", "number", "body"),
    "folds": ("table_id", "number", "body"),
    "records": ("id", "game", "finished", "summary", "body"),
    "record_people": ("who", "record_id", "seat"),
    "reviews": ("record_id", "version", "body"),
    "devices": ("id", "who", "label", "made", "seen", "revoked", "since", "ends"),
    "voids": ("who", "links", "everything", "keep"),
    "measures": ("kind", "about", "made", "until", "says"),
}
"""What a store keeps, those that others refer to first; and the secret."""


class Copied(Books, Protocol):
    """Books that can be copied from and into."""

    def at_one_moment(self) -> contextlib.AbstractContextManager[None]:
        """Read what was committed when this began."""

    def rows(self, kind: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Yield all rows of a kind."""

    def fill(self, kind: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows of a kind, while something is being changed."""

    def filled(self, change: Change) -> None:
        """Do what follows from the rows that were added."""


def copy(source: Copied, target: Copied) -> dict[str, int]:
    """Copy all that is committed into an empty store, and count it; nothing is copied if anything fails."""
    with source.at_one_moment(), target.changing() as change:
        for kind in COLUMNS:
            if target.ask(f"SELECT 1 FROM {kind} LIMIT 1"):
                raise StoreError("A store is copied into an empty one only, and there is something in that.")
        change(KEEP_SECRET, secret_in(source.ask(SECRET)).hex())
        for kind, columns in COLUMNS.items():
            target.fill(kind, columns, source.rows(kind, columns))
        target.filled(change)
        counted = {kind: _count(source, kind) for kind in COLUMNS}
        for kind, count in counted.items():
            if _count(target, kind) != count:
                raise StoreError(f"Not all of {kind} was copied, so nothing was.")
    return counted


def _count(books: Books, kind: str) -> int:
    ((count,),) = books.ask(f"SELECT count(*) FROM {kind}")
    return int(count)

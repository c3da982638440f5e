"""Stores for tests: a file or a database, which can be looked into."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

import psycopg
import pytest

from bullpen.server.store.care import Caretaker
from bullpen.server.store.interface import Store
from bullpen.server.store.places import open_care, open_store
from tests.conftest import SOAK
from tests.postgres import databases

Kind: TypeAlias = Literal["sqlite", "postgres"]
ONLY = cast(Kind | None, os.environ.get("BULLPEN_TEST_STORE"))
"""The kind of store that all tests are to run on that can."""
BOTH: tuple[Kind, ...] = (ONLY,) if ONLY else get_args(Kind)
"""For tests that may find something in a store."""
USUAL: tuple[Kind, ...] = BOTH if SOAK else (ONLY or "sqlite",)
"""For tests of what stands in front of the store."""


class Place:
    """Where a store is, and a folder for what a test keeps beside it."""

    def __init__(self, kind: Kind, folder: Path, name: str = "store", address: str = "") -> None:
        self.kind, self.folder = kind, folder
        self.log = folder / f"{name}.log"
        self.path = folder / f"{name}.sqlite3"
        """The file, if it is one."""
        self.name = address or (databases().new() if kind == "postgres" else str(self.path))
        """What `--store` takes."""

    @classmethod
    def usual(cls, path: Path) -> "Place":
        """Return the usual kind of store, as a file at a path or with the path's name."""
        return cls(USUAL[0], path.parent, path.stem)

    def open(self) -> Store:
        """Open it as a server does."""
        return open_store(self.name)

    def care(self) -> Caretaker:
        """Look after it as a host does."""
        return open_care(self.name)

    @contextlib.contextmanager
    def looking(self) -> Iterator[Any]:
        """Look into it, or change something behind everybody's back; all is committed at the end."""
        connect: Any = psycopg.connect if self.kind == "postgres" else sqlite3.connect
        with contextlib.closing(connect(self.name)) as db, db:
            yield db

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows that a query finds, with ? for its values."""
        with self.looking() as db:
            rows = db.execute(self._said(query), values).fetchall()
        return list(rows)

    def change(self, statement: str, *values: object) -> None:
        """Carry out a statement behind everybody's back."""
        with self.looking() as db:
            db.execute(self._said(statement), values)

    def script(self, statements: str) -> None:
        """Carry out several statements."""
        with self.looking() as db:
            (db.execute if self.kind == "postgres" else db.executescript)(statements)

    def _said(self, query: str) -> str:
        return query.replace("?", "%s") if self.kind == "postgres" else query


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A store of either kind, in turn."""
    return Place(request.param, tmp_path)

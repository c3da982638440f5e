"""Salvage: what can still be read of a damaged store, in a new file."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from bullpen.server.store.interface import StoreError
from bullpen.server.store.secret import NoSecret, secret_in
from bullpen.server.store.sqlite import connect, look, make_file

KEYS = {
    "facts": ("name",),
    "tables": ("id",),
    "steps": ("table_id", "number"),
    "folds": ("table_id",),
    "records": ("id",),
    "record_people": ("who", "record_id"),
    "reviews": ("record_id",),
    "devices": ("id",),
    "voids": ("who",),
}
"""What a store holds, those that others refer to first."""
REVOCATIONS = ("devices", "voids")
"""The kinds of rows that say which keys have ended."""


class Salvaged(Struct, frozen=True):
    """What came into the new file, and in sentences what could not."""

    tables: int
    steps: int
    records: int
    lost: tuple[str, ...]


def salvage(source: Path, target: Path) -> Salvaged:
    """Read what can be read of a store into a new file; the damaged one is not changed."""
    if target.exists():
        raise StoreError(f"There is a file {target} already.")
    if not source.exists():
        raise StoreError(f"There is no file {source}.")
    try:
        with contextlib.closing(look(source, 10.0)) as db:
            db.text_factory = lambda text: text.decode(errors="replace")
            db.execute("SELECT name FROM sqlite_master").fetchall()
            lost: list[str] = []
            rows = {kind: list(_rows(db, kind, lost)) for kind in KEYS}
    except sqlite3.Error as error:
        raise StoreError(f"Nothing can be read of {source}: {error}.") from None
    _keep_whole_logs(rows, lost)
    _drop_bad_secret(rows, lost)
    _write(target, rows)
    return Salvaged(len(rows["tables"]), len(rows["steps"]), len(rows["records"]), tuple(lost))


def _rows(db: sqlite3.Connection, kind: str, lost: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows that can be read from the front up to the damage, then from the back."""
    seen: set[tuple[Any, ...]] = set()
    damaged = ""
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{key} {order}" for key in KEYS[kind])
        try:
            cursor = db.execute(f"SELECT * FROM {kind} ORDER BY {by}")
            names = [column[0] for column in cursor.description]
            for values in cursor:
                row = dict(zip(names, values, strict=True))
                key = tuple(row[name] for name in KEYS[kind])
                if key not in seen:
                    seen.add(key)
                    yield row
        except sqlite3.Error as error:
            damaged = str(error)
            # A store from before that kind of row was kept has lost none.
            if "no such table" in damaged:
                return
        else:
            break
    if damaged:
        lost.append(f"Not all of `{kind}` can be read: {damaged}.")
        if kind in REVOCATIONS:
            lost.append("Keys that had ended may be good again; `bullpen admin new-secret` ends all keys.")


def _keep_whole_logs(rows: dict[str, list[dict[str, Any]]], lost: list[str]) -> None:
    """A log goes as far as its steps follow each other, from the first one or from a fold."""
    folds = {row["table_id"]: row["number"] for row in rows["folds"]}
    numbers: dict[str, set[int]] = {row["id"]: set() for row in rows["tables"]}
    for row in rows["steps"]:
        numbers.setdefault(row["table_id"], set()).add(row["number"])
    known = {row["id"] for row in rows["tables"]}
    last: dict[str, int] = {}
    for table, found in numbers.items():
        end = 0
        while end + 1 in found:
            end += 1
        if end < folds.get(table, 0):
            end = folds[table]
            while end + 1 in found:
                end += 1
        last[table] = end if table in known else 0
        if not last[table]:
            lost.append(f"The table {table} is lost.")
        elif any(number > end for number in found):
            lost.append(f"The table {table} goes on from step {end}; what came later does not hang together.")
    rows["tables"] = [row for row in rows["tables"] if last[row["id"]]]
    rows["steps"] = [row for row in rows["steps"] if row["number"] <= last[row["table_id"]]]
    rows["folds"] = [row for row in rows["folds"] if row["number"] <= last.get(row["table_id"], 0)]
    records = {row["id"] for row in rows["records"]}
    for kind in ("record_people", "reviews"):
        rows[kind] = [row for row in rows[kind] if row["record_id"] in records]


def _drop_bad_secret(rows: dict[str, list[dict[str, Any]]], lost: list[str]) -> None:
    """Keep the secret of the new file, unless the old one is whole."""
    try:
        secret_in([(row["value"],) for row in rows["facts"] if row["name"] == "secret"])
    except NoSecret:
        rows["facts"] = [row for row in rows["facts"] if row["name"] != "secret"]
        lost.append(
            "The secret that signs everybody's keys is lost: the new file has a new one, which signs"
            " everybody out."
        )


def _write(target: Path, rows: dict[str, list[dict[str, Any]]]) -> None:
    make_file(target)
    with contextlib.closing(connect(target, 10.0)) as db:
        db.execute("BEGIN IMMEDIATE")
        for kind, found in rows.items():
            for row in found:
                places = ", ".join("?" * len(row))
                db.execute(
                    f"INSERT OR REPLACE INTO {kind} ({', '.join(row)}) VALUES ({places})", tuple(row.values())
                )
        db.execute("COMMIT")

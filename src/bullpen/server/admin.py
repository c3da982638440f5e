"""`bullpen admin`: what a host does with a store beside serving from it."""

import argparse
import contextlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bullpen.engine import UnknownBehaviour
from bullpen.server import moderate
from bullpen.server.config import data_folder
from bullpen.server.errors import CannotDo
from bullpen.server.live.rooms import read
from bullpen.server.store.addresses import is_database, shown
from bullpen.server.store.care import Caretaker
from bullpen.server.store.interface import StoreError
from bullpen.server.store.lock import alone, give_to_owner
from bullpen.server.store.places import (
    copy_store,
    open_alone,
    open_care,
    open_registry,
    open_to_read,
    rehearse,
    upgrade,
)
from bullpen.server.store.salvage import salvage
from bullpen.server.store.sqlite import BESIDE
from bullpen.server.store.upgrade import Upgrade, stamp
from bullpen.server.tables.remains import cannot_go_on

DAY = 24 * 3600 * 1000
Command = Callable[[Caretaker, argparse.Namespace], None]
Opening = Callable[[str], Caretaker]


def parser() -> argparse.ArgumentParser:
    """Return the description of the commands."""
    top = argparse.ArgumentParser(
        prog="bullpen admin", description="Look after the file or database that tables are kept in."
    )
    top.add_argument(
        "--store",
        default=os.environ.get("BULLPEN_STORE") or str(data_folder() / "tables.sqlite3"),
        help="the file, or the address of a database; also BULLPEN_STORE",
    )
    commands = top.add_subparsers(required=True, metavar="ACTION")

    _add_reading(commands)
    _add_changing(commands)
    _add_repairs(commands)
    return top


def _add(commands: Any, opening: Opening, word: str, run: Command, text: str, *names: str) -> Any:
    """Add an action on a store that is opened for it."""
    command = commands.add_parser(word, help=text, description=text)
    for name in names:
        command.add_argument(name)
    command.set_defaults(run=run, opening=opening)
    return command


def _add_reading(commands: Any) -> None:
    """Add what leaves a store as it is, whatever its version."""
    add = partial(_add, commands, open_to_read)
    listing = add("tables", list_tables, "list the tables, the latest change first")
    listing.add_argument("--json", action="store_true", help="for programs")
    add("processes", list_processes, "list the processes that share a database, and what each owns")
    listing = add("people", list_people, "list who has sat at a table")
    listing.add_argument("--named", default="", help="only those whose name holds this")
    add("export-record", export_record, "print a finished game", "record")
    add("export-person", export_person, "print all that is kept of somebody", "who")
    moderate.add_reading(add)
    add("check", check, "say what is damaged, or that nothing is")
    add("backup", back_up, "copy all that is confirmed into a new file", "target")


def _add_changing(commands: Any) -> None:
    """Add what changes a store of today's version."""
    add = partial(_add, commands, open_care)
    add("close", close_table, "put a table into the archive, where its code is free again", "table")
    add("delete-table", delete_table, "delete a table with its log and its games", "table")
    add("delete-record", delete_record, "delete a finished game", "record")
    add("delete-person", delete_person, "take somebody out of every table and game", "who")
    text = "end every key of somebody: cookies, private links and tokens; also by one of these keys"
    add("revoke", revoke, text, "who")
    moderate.add_changing(add)
    command = add("forget", forget, "delete what has not changed for so many days")
    command.add_argument("--days", type=int, required=True)
    add("vacuum", vacuum, "give the room of what was deleted back to the disk")


def _add_repairs(commands: Any) -> None:
    """Add what is done to a store as a whole: one that may be older, damaged or missing."""
    for word, run, text, name in (
        ("restore", restore, "put a backup in the place of the store, which is kept beside it", "source"),
        (
            "salvage",
            save_what_can_be_read,
            "copy what can be read into a new file",
            "target",
        ),
    ):
        command = commands.add_parser(word, help=text, description=text)
        command.add_argument(name, type=Path)
        command.set_defaults(repair=run)
    text = "copy one store into another that is empty: a file or a database, in either direction"
    command = commands.add_parser("copy-store", help=text, description=text)
    command.add_argument("source")
    command.add_argument("target")
    command.set_defaults(repair=copy_whole)
    text = "upgrade an older store, after copying it"
    command = commands.add_parser("migrate", help=text, description=text)
    command.add_argument("--check", action="store_true", help="dry run: say what would change")
    command.set_defaults(repair=migrate)
    text = "replace a lost or leaked secret, which signs everybody out"
    command = commands.add_parser("new-secret", help=text, description=text)
    command.set_defaults(repair=new_secret)


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line says; a mistake is raised as one sentence."""
    options = parser().parse_args(arguments)
    try:
        if hasattr(options, "repair"):
            options.repair(options)
            return
        with contextlib.closing(options.opening(options.store)) as care:
            options.run(care, options)
    except StoreError as error:
        raise CannotDo(str(error)) from None


def list_tables(care: Caretaker, options: argparse.Namespace) -> None:
    """Print a line a table."""
    rows = care.tables()
    if options.json:
        print(
            json.dumps(
                [{name: getattr(row, name) for name in row.__struct_fields__} for row in rows], indent=1
            )
        )
        return
    for row in rows:
        state = "archived" if row.archived else "open"
        changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.changed / 1000))
        print(f"{row.table}  {row.code}  {changed}  {state:<8}  {row.steps:>6} steps  {row.records:>4} games")
    print(f"{len(rows)} tables")


def list_processes(_: Caretaker, options: argparse.Namespace) -> None:
    """Print a line a process."""
    registry = open_registry(options.store)
    if registry is None:
        raise CannotDo("A file is served by one process, and has no list of them.")
    with contextlib.closing(registry):
        rows = registry.processes()
    for row in rows:
        lease = f"{row.left / 1000:.1f} seconds left" if row.left > 0 else "its lease is over"
        print(f"{row.process}  {row.address:<21}  {row.tables:>6} tables  {lease}")
    print(f"{len(rows)} processes")


def list_people(care: Caretaker, options: argparse.Namespace) -> None:
    """Print a line a person."""
    found = [row for row in care.people() if options.named.casefold() in row[1].casefold()]
    for who, name, tables in found:
        printable = "".join(letter if letter.isprintable() else "?" for letter in name)
        print(f"{who}  {tables:>5} tables  {printable}")
    print(f"{len(found)} people")


def _table(care: Caretaker, name: str) -> str:
    """Return the id of the table with that id or code; the newest one, if a code was given twice."""
    for row in sorted(care.tables(), key=lambda row: row.created, reverse=True):
        if name in (row.table, row.code):
            return row.table
    raise CannotDo(f"There is no table {name[:40]!r}.")


def close_table(care: Caretaker, options: argparse.Namespace) -> None:
    """Archive a table."""
    table = _table(care, options.table)
    care.archive(table)
    print(f"The table {table} is in the archive. {moderate.LEARNED}")


def delete_table(care: Caretaker, options: argparse.Namespace) -> None:
    """Delete a table."""
    table = _table(care, options.table)
    care.delete_table(table)
    print(f"The table {table} and its games are gone.")


def delete_record(care: Caretaker, options: argparse.Namespace) -> None:
    """Delete a game."""
    if not care.delete_record(options.record):
        raise CannotDo(f"There is no game {options.record[:40]!r}.")
    print(f"The game {options.record} is gone.")


def delete_person(care: Caretaker, options: argparse.Namespace) -> None:
    """Delete somebody's traces."""
    known = care.devices_of(options.who)
    places = care.delete_person(options.who, int(time.time()))
    if not (places or known):
        raise CannotDo(f"There is no trace of {options.who[:40]!r}.")
    print(f"{options.who} is gone from {places} tables and games, and every key of theirs has ended.")


def revoke(care: Caretaker, options: argparse.Namespace) -> None:
    """End somebody's keys; a token that was never used left no trace, and is known by its form only."""
    who = options.who.partition(".")[0]
    known = who in {known for known, _, _ in care.people()} or care.devices_of(who)
    if not (known or re.fullmatch("[0-9a-f]{20}", who)):
        raise CannotDo(f"There is no trace of {who[:40]!r}.")
    care.revoke(who, int(time.time()))
    print(f"Every key of {who} has ended; servers that run turn them away within a second or two.")


def export_record(care: Caretaker, options: argparse.Namespace) -> None:
    """Print a game."""
    body = care.record(options.record)
    if body is None:
        raise CannotDo(f"There is no game {options.record[:40]!r}.")
    print(body)


def export_person(care: Caretaker, options: argparse.Namespace) -> None:
    """Print what is kept of somebody: the names used and every finished game."""
    names = [name for who, name, _ in care.people() if who == options.who]
    games = care.games_of(options.who)
    if not names and not games:
        raise CannotDo(f"There is no trace of {options.who[:40]!r}.")
    bodies = {game: json.loads(care.record(game) or "null") for game in games}
    bans = [row.says for row in care.measures() if (row.kind, row.about) == ("person", options.who)]
    devices = care.devices_of(options.who)
    kept = {"who": options.who, "names": names, "devices": devices, "bans": bans, "games": bodies}
    print(json.dumps(kept, indent=1, ensure_ascii=False))


def forget(care: Caretaker, options: argparse.Namespace) -> None:
    """Delete what is old."""
    if options.days < 1:
        raise CannotDo("At least one day is kept.")
    tables, records = care.forget_before(time.time_ns() // 1_000_000 - options.days * DAY)
    print(f"{tables} tables with their games and {records} uploaded games are gone.")


def check(care: Caretaker, options: argparse.Namespace) -> None:
    """Say what is wrong with the store."""
    found = care.check() or list(stuck_tables(care, UnknownBehaviour))
    if found:
        raise CannotDo("\n".join(found))
    stuck = list(cannot_go_on(care.beginnings()))
    print("\n".join([*stuck, f"{shown(options.store)}: {'nothing is damaged' if stuck else 'all is well'}."]))


def back_up(care: Caretaker, options: argparse.Namespace) -> None:
    """Copy the store."""
    care.backup(Path(options.target))
    print(f"{options.target} holds all that was confirmed.")


def vacuum(care: Caretaker, options: argparse.Namespace) -> None:
    """Make the store as small as it can be."""
    care.vacuum()
    print(f"{shown(options.store)}: {care.size():,} bytes.")


def restore(options: argparse.Namespace) -> None:
    """Put a backup into the store's place, once it has been found sound; the old file is kept."""
    store = _file(options.store, "A backup becomes a database by copy-store, into an empty one.")
    with contextlib.closing(open_to_read(str(options.source))) as care, alone(store):
        problems = care.check()
        if problems:
            raise CannotDo("\n".join(problems))
        fresh = store.with_name(f"{store.name}.restored")
        fresh.unlink(missing_ok=True)
        care.backup(fresh)
        give_to_owner(store, fresh)
        _keep_aside(store)
        fresh.replace(store)
    print(f"{store} is the backup now.")


def _keep_aside(store: Path) -> None:
    """Give an old file a second name, so that a store is in its place until another takes it."""
    kept = store.with_name(f"{store.name}.before-{stamp()}")
    if kept.exists():
        raise CannotDo(f"There is a file {kept} already.")
    if store.exists():
        try:
            kept.hardlink_to(store)
        except OSError:  # not every file system knows links
            shutil.copy2(store, kept)
    # Only a damaged file still has these: SQLite has moved what they held into any other.
    for ending in BESIDE:
        beside = store.with_name(store.name + ending)
        if beside.exists():
            beside.rename(kept.with_name(kept.name + ending))


def save_what_can_be_read(options: argparse.Namespace) -> None:
    """Salvage a damaged store."""
    found = salvage(_file(options.store, "Only a file can be salvaged."), options.target)
    for sentence in found.lost:
        print(sentence, file=sys.stderr)
    print(f"{options.target}: {found.tables} tables, {found.steps} steps and {found.records} games.")


def migrate(options: argparse.Namespace) -> None:
    """Bring a store up to date, or say what that would do."""
    if options.check:
        _foretell(rehearse(options.store), options.store)
        return
    done = upgrade(options.store)
    print(done.says() if done.backup else _up_to_date(done))


def _foretell(found: Upgrade, place: str) -> None:
    if found.before == found.after:
        print(_up_to_date(found))
    else:
        print(f"{found.store} has version {found.before}. Migrating it to version {found.after} changes:")
        for number, change in enumerate(found.changes, start=found.before + 1):
            print(f"  {number}. {change}")
        print(f"This takes about {max(found.seconds, 0.1):.1f} seconds, including a copy of the store.")
    with contextlib.closing(open_to_read(place)) as care:
        stuck = list(stuck_tables(care))
    print("\n".join(stuck) or "Every table can continue.")
    print("This was a dry run: nothing was changed.")


def _up_to_date(found: Upgrade) -> str:
    return f"{found.store} has version {found.after}, the latest: there is nothing to migrate."


def stuck_tables(care: Caretaker, *but: type[Exception]) -> Iterator[str]:
    """Yield a sentence for every table that this program cannot continue, but for some reasons."""
    for table, log in care.logs():
        try:
            read(table, log)
        except but:
            continue
        except Exception as error:  # whatever is wrong with a table, the others are looked at too
            yield f"The table {table} cannot continue: {str(error) or repr(error)}"


def new_secret(options: argparse.Namespace) -> None:
    """Make a new secret."""
    with open_alone(options.store) as care:
        care.new_secret()
    print(f"{shown(options.store)} has a new secret. Everybody is signed out; no table has changed.")


def _file(place: str, otherwise: str) -> Path:
    """Return the file that a store is, or say what to do with a database."""
    if is_database(place):
        raise CannotDo(otherwise)
    return Path(place).resolve()


def copy_whole(options: argparse.Namespace) -> None:
    """Copy a store into another."""
    counted = copy_store(options.source, options.target)
    print(
        f"{shown(options.target)}: {counted['tables']} tables, {counted['steps']} steps"
        f" and {counted['records']} games, and the keys that people have."
    )

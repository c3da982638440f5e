"""What the server needs of a store: rows, errors, and a handful of verbs."""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct, field


class StoreError(Exception):
    """The store cannot write or read now; nothing was changed."""


class Replaced(StoreError):
    """Another store lies where this one was: only a new process can use it."""


class Conflict(StoreError):
    """Another process has written that step already, or has deleted the table."""


class Fenced(Conflict):
    """The process does not own the table any more, or was struck from the list; nothing was written."""


class Row(Struct, frozen=True, gc=False):
    """A step of a table's log, ready to be written; as a fold it stands for all up to its number."""

    table: str
    number: int
    body: bytes


class NewTableRow(Struct, frozen=True):
    """A table that is mentioned for the first time."""

    table: str
    code: str
    created: int


class RecordRow(Struct, frozen=True):
    """A finished game; `people` are the identities that took part and their seats."""

    id: str
    game: str
    finished: int
    summary: bytes
    body: str
    people: tuple[tuple[str, int], ...] = ()


class DeviceRow(Struct, frozen=True):
    """A device of somebody, or a bot, whose token ends; times in milliseconds since 1970.

    `since` is the number of the latest revocation that its key follows.
    """

    id: str
    who: str
    label: str
    made: int
    seen: int
    since: int = 0
    ends: int = 0


class VoidRow(Struct, frozen=True):
    """Which of somebody's keys count: those that follow these revocations, or are of the device kept.

    Revocations have numbers, each higher than the one before and than the time in seconds since 1970, so that
    two of one second differ, whatever process does them.
    """

    who: str
    links: int = 0
    everything: int = 0
    keep: str = ""


MeasureKind: TypeAlias = Literal["person", "address", "sign-up", "announcement"]


class MeasureRow(Struct, frozen=True):
    """What a host has ordered: a ban of a person or of addresses, closed sign-up, or an announcement.

    `about` is the identity or the network, `says` the reason or the announcement, `made` and `until` are
    milliseconds since 1970 (until 0: until it is lifted).
    """

    kind: MeasureKind
    about: str = ""
    made: int = 0
    until: int = 0
    says: str = ""


class Batch(Struct):
    """What is to be committed together.

    With `process` it is fenced: it is written only while that process is on the list and owns every table of
    the steps and folds in the epoch of `epochs`; a new table is its own from then on, in epoch 1.
    """

    tables: Sequence[NewTableRow] = ()
    steps: Sequence[Row] = ()
    records: Sequence[RecordRow] = ()
    folds: Sequence[Row] = ()
    process: str = ""
    epochs: Mapping[str, int] = field(default_factory=dict)


class TableRow(Struct, frozen=True):
    """A table as a host sees it in a list: when it was made and last changed (milliseconds since 1970)."""

    table: str
    code: str
    created: int
    changed: int
    archived: bool
    steps: int
    records: int


class Owner(Struct, frozen=True):
    """Which process a table lives in, where that is reached, and how often the table changed hands."""

    process: str
    address: str
    epoch: int


class ProcessRow(Struct, frozen=True):
    """A process on the list: milliseconds until its lease runs out (negative: since then), tables owned."""

    process: str
    address: str
    left: int
    tables: int


class HeadRow(Struct, frozen=True):
    """What every process may know of a table: a line of the lobby, and who has it on a list.

    `listed` is for how long it is public, in milliseconds from now.
    """

    table: str
    epoch: int
    line: bytes
    people: tuple[str, ...] = ()
    listed: int = 0


class Store(Protocol):
    """What a running server needs; every method may raise StoreError, and then has changed nothing."""

    def secret(self) -> bytes:
        """Return the server's own secret, made once; refuse a missing or damaged one."""

    def write(self, batch: Batch) -> None:
        """Commit all of a batch durably, or nothing of it; a step that is there already is a Conflict."""

    def probe(self) -> None:
        """Commit something of no importance, to see whether writing works."""

    def watch(self) -> None:
        """See whether the store is still where it was, and mend what can be mended."""

    def open_tables(self) -> list[tuple[str, str]]:
        """Return the id and code of every table that is not archived."""

    def find_table(self, name: str) -> tuple[str, list[bytes]] | None:
        """Return the table with that id or code (the newest one), with its log from the latest fold on."""

    def archive(self, table: str, archived: bool) -> None:
        """Put a table into the archive or take it out."""

    def record(self, record: str) -> str | None:
        """Return a finished game as the text of a record."""

    def records_of(self, who: str, most: int) -> list[tuple[bytes, int]]:
        """Return the summaries of an identity's latest games, and its seat in each."""

    def review(self, record: str, version: int) -> bytes | None:
        """Return the review of a finished game by that version of the analysis, if there is one."""

    def keep_review(self, record: str, version: int, body: bytes) -> None:
        """Keep the review of a finished game, in the place of older ones."""

    def note_devices(self, devices: Sequence[DeviceRow]) -> None:
        """Write down which devices were here, and forget those that can come no more."""

    def devices_of(self, who: str) -> list[DeviceRow]:
        """Return the devices of somebody, the latest first, without those that were turned away."""

    def revoke_device(self, who: str, device: str) -> None:
        """Turn a device away."""

    def void(self, row: VoidRow) -> VoidRow:
        """Let earlier links of somebody count no more, and earlier keys unless `everything` is 0.

        The numbers become those of the row, or higher where a revocation had them already; return them.
        """

    def revoked(self) -> tuple[frozenset[str], dict[str, VoidRow]]:
        """Return the devices that were turned away, and whose earlier keys count no more."""

    def measures(self) -> list[MeasureRow]:
        """Return what the host has ordered."""

    def revocations(self) -> int:
        """Return a count that rises with every revocation and every measure of the host."""

    def close(self) -> None:
        """Finish."""


class Registry(Protocol):
    """Which processes share a store, and which of them each table lives in; may raise StoreError.

    A process is on the list while its lease runs, by the store's clock. When the lease has run out, whoever
    claims a table of that process strikes it from the list, for good: it can neither renew nor write then.
    """

    def enlist(self, process: str, address: str, lease: int) -> None:
        """Put a process on the list under a name never used before, for so many milliseconds."""

    def renew(self, process: str, lease: int) -> bool:
        """Let the lease run for so many milliseconds from now; False if the process was struck."""

    def claim(self, table: str, process: str) -> Owner:
        """Own a table, unless a process whose lease runs does; return who owns it now.

        A process that is not on the list is Fenced; a table that does not exist is a Conflict.
        """

    def release(self, process: str, tables: Sequence[str], heir: str = "") -> None:
        """Let tables go, to another process whose lease runs or to whoever claims them first."""

    def retire(self, process: str) -> None:
        """Leave the list; all tables of the process are free."""

    def orphans(self, most: int) -> list[str]:
        """Return some tables that are not archived and that no process owns whose lease runs."""

    def processes(self) -> list[ProcessRow]:
        """Return the list, by name."""

    def publish(self, process: str, heads: Sequence[HeadRow]) -> None:
        """Let every process know of tables that a process owns; what it does not own is left out."""

    def lobby(self, most: int) -> list[tuple[str, bytes]]:
        """Return the newest public tables, not archived: their ids and lines."""

    def tables_of(self, who: str) -> list[tuple[str, bytes]]:
        """Return the tables that somebody has on a list, not archived: their ids and lines."""

    def named(self, name: str) -> str | None:
        """Return the id of the table with that id or code (the newest one)."""

    def close(self) -> None:
        """Finish."""

"""A store in memory that any number of processes share, with a list of them; time is given."""

from collections.abc import Callable, Sequence

from bullpen.server.store.interface import Batch, Conflict, Fenced, HeadRow, Owner, ProcessRow
from tests.server.fakes import FakeStore


class MemoryRegistry:
    """Who shares a store and who owns which table, by one clock in milliseconds."""

    def __init__(self, store: "MemoryStore", clock: Callable[[], int]) -> None:
        self.clock = clock
        self.listed: dict[str, tuple[str, int]] = {}
        """Address and end of the lease of every process on the list."""
        self.owners: dict[str, tuple[str, int]] = {}
        """Process and epoch of every table; a process that is not on the list is none."""
        self.heads: dict[str, tuple[HeadRow, int]] = {}
        """What is known of each table, and until when it is public."""
        self._store = store

    def alive(self, process: str) -> bool:
        """Whether a lease runs."""
        return process in self.listed and self.listed[process][1] > self.clock()

    def enlist(self, process: str, address: str, lease: int) -> None:
        if process in self.listed:
            raise Conflict("that name is taken")
        self.listed[process] = address, self.clock() + lease

    def renew(self, process: str, lease: int) -> bool:
        if process not in self.listed:
            return False
        self.listed[process] = self.listed[process][0], self.clock() + lease
        return True

    def claim(self, table: str, process: str) -> Owner:
        if not self.alive(process):
            raise Fenced("that process is not on the list")
        if table not in self._store.codes:
            raise Conflict("there is no such table")
        owner, epoch = self.owners.get(table, ("", 0))
        if owner != process and not self.alive(owner):
            self.strike(owner)
            owner, epoch = process, self.next_epoch(epoch)
            self.owners[table] = owner, epoch
        return Owner(owner, self.listed[owner][0], epoch)

    def next_epoch(self, epoch: int) -> int:
        """Return the epoch after one."""
        return epoch + 1

    def strike(self, process: str) -> None:
        """Take a process whose lease is over off the list, for good."""
        self.listed.pop(process, None)

    def release(self, process: str, tables: Sequence[str], heir: str = "") -> None:
        for table in tables:
            owner, epoch = self.owners.get(table, ("", 0))
            if owner == process:
                self.owners[table] = (heir, epoch + 1) if self.alive(heir) else ("", epoch)

    def retire(self, process: str) -> None:
        self.listed.pop(process, None)

    def orphans(self, most: int) -> list[str]:
        free = [
            table
            for table, _ in self._store.open_tables()
            if not self.alive(self.owners.get(table, ("",))[0])
        ]
        return free[:most]

    def processes(self) -> list[ProcessRow]:
        owned = [owner for owner, _ in self.owners.values()]
        return [
            ProcessRow(name, address, ends - self.clock(), owned.count(name))
            for name, (address, ends) in sorted(self.listed.items())
        ]

    def publish(self, process: str, heads: Sequence[HeadRow]) -> None:
        for row in heads:
            if self.owners.get(row.table) == (process, row.epoch):
                self.heads[row.table] = row, self.clock() + row.listed

    def lobby(self, most: int) -> list[tuple[str, bytes]]:
        newest = [table for table, _ in reversed(self._store.open_tables()) if table in self.heads]
        listed = [self.heads[table][0] for table in newest if self.heads[table][1] > self.clock()]
        return [(row.table, row.line) for row in listed[:most]]

    def tables_of(self, who: str) -> list[tuple[str, bytes]]:
        heads = [self.heads[table][0] for table, _ in self._store.open_tables() if table in self.heads]
        return [(row.table, row.line) for row in heads if who in row.people]

    def named(self, name: str) -> str | None:
        found = [table for table, code in reversed(self._store.codes.items()) if name in (table, code)]
        live = self._store.live.values()
        found.sort(key=lambda table: (table not in live, table in self._store.archived))
        return found[0] if found else None

    def fence(self, batch: Batch) -> None:
        """Refuse what is written by a process that does not own it."""
        if not batch.process:
            return
        if batch.process not in self.listed:
            raise Fenced("that process is not on the list")
        new = {row.table for row in batch.tables}
        for table in {row.table for rows in (batch.steps, batch.folds) for row in rows} - new:
            if self.owners.get(table) != (batch.process, batch.epochs.get(table, 0)):
                raise Fenced("that process does not own the table")

    def close(self) -> None: ...


class MemoryStore(FakeStore):
    """A store whose writes are fenced by its registry, and in which open tables have codes of their own."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__()
        self.live: dict[str, str] = {}
        """The open table of each code."""
        self.registry = MemoryRegistry(self, clock)

    def write(self, batch: Batch) -> None:
        self.registry.fence(batch)
        if any(row.code in self.live for row in batch.tables):
            raise Conflict("that code is taken")
        super().write(batch)
        self.live |= {row.code: row.table for row in batch.tables}
        if batch.process:
            self.registry.owners |= {row.table: (batch.process, 1) for row in batch.tables}

    def find_table(self, name: str) -> tuple[str, list[bytes]] | None:
        return super().find_table(self.registry.named(name) or name)

    def archive(self, table: str, archived: bool) -> None:
        super().archive(table, archived)
        code = self.codes[table]
        if not archived:
            self.live.setdefault(code, table)
        elif self.live.get(code) == table:
            del self.live[code]

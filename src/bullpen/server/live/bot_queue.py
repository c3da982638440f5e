"""The queue of what bots have to think about: every table in its turn, each within its means."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

from bullpen.server.limits import Rate

T = TypeVar("T")
MOST_ACCOUNTS = 1000
"""With more accounts than this, those that owe nothing are forgotten."""


class Account:
    """Seconds of thinking that somebody may still spend; it may be overdrawn by one job."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._filled = now

    def _fill(self, now: float) -> None:
        self._left = min(self._rate.burst, self._left + (now - self._filled) * self._rate.per_second)
        self._filled = now

    def spend(self, seconds: float, now: float) -> None:
        """Pay for what was thought."""
        self._fill(now)
        self._left -= seconds

    def wait(self, now: float) -> float:
        """Return after how many seconds there is something to spend: 0 for now."""
        self._fill(now)
        return 0.0 if self._left > 0 else max(0.001, -self._left / self._rate.per_second)

    def untouched(self, now: float) -> bool:
        """Whether nothing is owed, so that the account may be forgotten."""
        self._fill(now)
        return self._left >= self._rate.burst


class Ticket(Struct, Generic[T], frozen=True):
    """A job in the queue: for which table, and at whose expense."""

    table: str
    payer: str
    job: T


class FairQueue(Generic[T]):
    """Jobs table by table: one of a table at a time, none before table and payer can pay for it.

    >>> queue = FairQueue(Rate(10, 1), Rate(10, 1), lambda: 0.0)
    >>> for table, job in [("A", 1), ("A", 2), ("A", 3), ("B", 4)]:
    ...     queue.add(Ticket(table, "somebody", job))
    >>> first, second = queue.take(), queue.take()
    >>> first.job, second.job, queue.take()
    (1, 4, None)
    >>> queue.done(first, 0.1)
    >>> queue.take().job
    2
    """

    def __init__(self, of_table: Rate, of_payer: Rate, clock: Callable[[], float]) -> None:
        self._rates = {"table": of_table, "payer": of_payer}
        self._clock = clock
        self._waiting: OrderedDict[str, deque[Ticket[T]]] = OrderedDict()
        self._running: set[str] = set()
        self._accounts: dict[tuple[str, str], Account] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, ticket: Ticket[T]) -> None:
        """Put a job at the end of its table's line."""
        self._waiting.setdefault(ticket.table, deque()).append(ticket)

    def take(self) -> Ticket[T] | None:
        """Return the next job, or None when all that wait must wait longer."""
        for table, line in self._waiting.items():
            if table not in self._running and self._wait_of(line[0]) == 0:
                ticket = line.popleft()
                self._waiting.move_to_end(table)
                if not line:
                    del self._waiting[table]
                self._running.add(table)
                return ticket
        return None

    def place(self, ticket: Ticket[T]) -> int:
        """Return how many come before a job if all go on as now, itself counted; 0 if it does not wait.

        >>> queue = FairQueue(Rate(10, 1), Rate(10, 1), lambda: 0.0)
        >>> tickets = [Ticket(table, "somebody", job) for job, table in enumerate("AAB")]
        >>> for ticket in tickets:
        ...     queue.add(ticket)
        >>> [queue.place(ticket) for ticket in tickets]
        [1, 3, 2]
        """
        line = self._waiting.get(ticket.table, deque())
        round_ = next((at for at, other in enumerate(line) if other is ticket), None)
        if round_ is None:
            return 0
        tables = list(self._waiting)
        own = tables.index(ticket.table)
        before = [
            min(len(self._waiting[table]), round_ + (at < own))
            for at, table in enumerate(tables)
            if at != own
        ]
        return 1 + round_ + sum(before)

    def done(self, ticket: Ticket[T], seconds: float) -> None:
        """Pay for a job, and let its table's next one come."""
        now = self._clock()
        self._running.discard(ticket.table)
        for account in self._accounts_of(ticket):
            account.spend(seconds, now)
        if len(self._accounts) > MOST_ACCOUNTS:
            self._accounts = {
                key: account for key, account in self._accounts.items() if not account.untouched(now)
            }

    def wait(self) -> float | None:
        """Return after how many seconds a job can be paid for that waits for nothing else."""
        idle = [line[0] for table, line in self._waiting.items() if table not in self._running]
        return min(map(self._wait_of, idle), default=None)

    def _wait_of(self, ticket: Ticket[T]) -> float:
        now = self._clock()
        return max(account.wait(now) for account in self._accounts_of(ticket))

    def _accounts_of(self, ticket: Ticket[T]) -> list[Account]:
        found = []
        for kind, name in (("table", ticket.table), ("payer", ticket.payer)):
            if (kind, name) not in self._accounts:
                self._accounts[kind, name] = Account(self._rates[kind], self._clock())
            found.append(self._accounts[kind, name])
        return found

"""Limits: token buckets, and what they are filled with."""

import math
from collections.abc import Callable

from msgspec import Struct

from bullpen.server.errors import Refused


class Rate(Struct, frozen=True):
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float


class Limits(Struct, frozen=True, kw_only=True):
    """How much a socket and an address may ask for."""

    socket: Rate = Rate(40, 10)
    address: Rate = Rate(600, 200)
    requests: Rate = Rate(120, 20)
    tables: Rate = Rate(20, 0.2)
    uploads: Rate = Rate(5, 0.1)
    replays: Rate = Rate(40, 4)
    bots_of_table: Rate = Rate(20, 0.25)
    """Seconds that a table's bots may think."""
    bots_of_address: Rate = Rate(60, 0.5)
    """Seconds that all bots may think that play for one address."""
    sockets_per_address: int = 400
    flood: int = 200
    """After so many refused messages in a row a socket is closed."""
    backlog: int = 512 * 1024
    """After so many bytes that a socket has not read it is dropped."""
    tables_in_memory: int = 20_000
    upload_bytes: int = 128 * 1024
    """The largest record that is taken."""
    record_choices: int = 5_000
    """A record that is brought may hold so many choices."""
    replay_choices: int = 20_000
    """A game with more choices is not replayed here, only handed out."""
    page_moments: int = 250
    page_bytes: int = 512 * 1024
    """A part of a replay holds so many moments, and ends with the one that exceeds so many bytes."""


class Bucket:
    """A token bucket."""

    __slots__ = ("_filled", "_rate", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._filled = now

    def take(self, now: float) -> int:
        """Take a token; return 0, or after how many milliseconds there will be one."""
        rate = self._rate
        tokens = min(rate.burst, self._tokens + (now - self._filled) * rate.per_second)
        self._filled = now
        if tokens >= 1:
            self._tokens = tokens - 1
            return 0
        self._tokens = tokens
        return max(1, math.ceil(1000 * (1 - tokens) / rate.per_second))

    def full(self, now: float) -> bool:
        """Whether nothing is owed, so that the bucket may be forgotten."""
        return self._tokens + (now - self._filled) * self._rate.per_second >= self._rate.burst


class Gate:
    """Buckets of one kind by address."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def enter(self, address: str) -> None:
        """Count one request of an address, or refuse it and say when to try again."""
        now = self._clock()
        bucket = self._buckets.get(address)
        if bucket is None:
            if len(self._buckets) >= 10_000:
                self._forget(now)
            bucket = self._buckets[address] = Bucket(self._rate, now)
        wait = bucket.take(now)
        if wait:
            raise Refused("too-fast", "That was too much at once; try again a little later.", wait)

    def _forget(self, now: float) -> None:
        self._buckets = {address: bucket for address, bucket in self._buckets.items() if not bucket.full(now)}

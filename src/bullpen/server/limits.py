"""Limits: token buckets, and what they are filled with."""

import ipaddress
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from bullpen.server.errors import Refused


class Rate(Struct, frozen=True):
    """So many at once, and so many a second in the long run."""

    burst: Annotated[float, Meta(ge=1, le=1e9)]
    per_second: Annotated[float, Meta(gt=0, le=1e9)]


class Limits(Struct, frozen=True, kw_only=True):
    """How much a socket, a person and an address may ask for; docs/protocol.md has the same numbers."""

    # Connections and frames, before anything is read.
    connections: Rate = Rate(400, 40)
    """Connections that an address may open."""
    connections_per_address: int = 600
    """Connections that an address may have open, sockets and streams among them."""
    frames: Rate = Rate(600, 60)
    """Frames of a socket, pings and empty ones among them; one too many ends it."""
    frames_of_address: Rate = Rate(4_000, 800)
    """Frames of all sockets of an address."""

    # Sockets.
    handshakes: Rate = Rate(400, 20)
    """Sockets and streams that an address may begin: after a restart all its sockets come back at once."""
    sockets_per_address: int = 400
    streams_per_address: int = 40
    streams_per_bot: int = 4
    socket: Rate = Rate(40, 10)
    """Messages of a socket."""
    address: Rate = Rate(1_000, 600)
    """Messages of all sockets of an address, each of which asks once a second whether the line stands."""
    changes: Rate = Rate(40, 1)
    """Messages of a person that change a table and are no choice: sit, mix, take_back, add_bot and so on."""
    phrases: Rate = Rate(6, 0.5)
    """Phrases that a person may say."""
    resumes: Rate = Rate(10, 1)
    """Times that a socket may resume."""
    flood: int = 200
    """After so many refused messages in a row a socket is closed."""
    backlog: int = 512 * 1024
    """After so many bytes that a socket has not read it is dropped."""

    # Requests.
    pages: Rate = Rate(1500, 100)
    """Pages and files of the client; a class that shares an address comes all at once."""
    requests: Rate = Rate(120, 20)
    """Requests to the interface."""
    people: Rate = Rate(120, 4)
    """Questions who somebody is, and new names."""
    guesses: Rate = Rate(30, 0.5)
    """Names of tables that there are not."""
    tables: Rate = Rate(20, 0.2)
    """Tables, and tokens of bots."""
    uploads: Rate = Rate(5, 0.1)
    """Records that are brought."""
    replays: Rate = Rate(40, 4)
    """Parts of replays."""

    # Bots of the house.
    bots_of_table: Rate = Rate(20, 0.25)
    """Seconds that a table's bots may think."""
    bots_of_address: Rate = Rate(60, 0.5)
    """Seconds that all bots may think that play for one address."""

    # Analysis.
    hints: Rate = Rate(60, 0.5)
    """Hints that a person may ask for."""
    reviews: Rate = Rate(10, 0.05)
    """Reviews that a person may have made."""
    analyses: Rate = Rate(200, 2)
    """Hints and reviews of an address."""
    analysis_of_person: Rate = Rate(240, 0.25)
    """Seconds of work on hints and reviews of a person."""
    analysis_of_address: Rate = Rate(1_200, 1)
    """The same of an address."""
    analyses_waiting: int = 100
    """So many hints, and so many reviews, may wait for their turn."""

    # Sizes.
    tables_in_memory: int = 20_000
    upload_bytes: int = 128 * 1024
    """The largest record that is taken."""
    record_choices: int = 5_000
    """A record that is brought may hold so many choices."""
    replay_choices: int = 20_000
    """A game with more choices is not replayed here, only handed out."""
    review_choices: int = 2_000
    """A game with more choices is not reviewed here, nor played on."""
    page_moments: int = 250
    page_bytes: int = 512 * 1024
    """A part of a replay holds so many moments, and ends with the one that exceeds so many bytes."""
    busy_seconds: float = 0.3
    """When answers are late by so much, new tables and guests have to wait."""


def _rates(of: Callable[[Rate], Rate]) -> dict[str, Rate]:
    """Return all rates as others."""
    found = ((field, getattr(Limits(), field)) for field in Limits.__struct_fields__)
    return {field: of(value) for field, value in found if isinstance(value, Rate)}


Preset: TypeAlias = Literal["public", "home"]
PRESETS: dict[Preset, Limits] = {
    "public": Limits(),
    "home": msgspec.structs.replace(
        Limits(), **_rates(lambda rate: Rate(10 * rate.burst, 10 * rate.per_second))
    ),
}
"""Sets of limits by name: for strangers, and for a network where everybody knows everybody."""


def unlimited() -> Limits:
    """Return limits that nothing reaches, for measuring."""
    plenty = Rate(1e9, 1e9)
    rates = _rates(lambda _: plenty)
    most = [field for field in Limits.__struct_fields__ if "_per_" in field]
    return Limits(**rates, **dict.fromkeys(most, 10**6), busy_seconds=math.inf)  # type: ignore[arg-type]


class Bucket:
    """A token bucket."""

    __slots__ = ("_burst", "_filled", "_per_second", "_tokens")

    def __init__(self, rate: Rate, now: float) -> None:
        self._burst = rate.burst
        self._per_second = rate.per_second
        self._tokens = rate.burst
        self._filled = now

    def take(self, now: float) -> int:
        """Take a token; return 0, or after how many milliseconds there will be one."""
        # Written out, since every frame comes by here.
        tokens = self._tokens + (now - self._filled) * self._per_second
        tokens = min(tokens, self._burst)
        self._filled = now
        if tokens >= 1:
            self._tokens = tokens - 1
            return 0
        self._tokens = tokens
        return self._until_one(tokens)

    def left(self, now: float) -> float:
        """How many tokens there are."""
        return min(self._burst, self._tokens + (now - self._filled) * self._per_second)

    def wait(self, now: float) -> int:
        """Return 0 if a token could be taken, or after how many milliseconds."""
        return self._until_one(self.left(now))

    def _until_one(self, tokens: float) -> int:
        return 0 if tokens >= 1 else max(1, math.ceil(1000 * (1 - tokens) / self._per_second))

    def full(self, now: float) -> bool:
        """Whether nothing is owed, so that the bucket may be forgotten."""
        return self.left(now) >= self._burst


def refuse_for(wait: int) -> None:
    """Refuse for so many milliseconds; for 0 let it pass."""
    if wait:
        raise Refused("too-fast", "That was too much at once; try again a little later.", wait)


class Gate:
    """Buckets of one kind by address, of which only so many are remembered."""

    def __init__(self, rate: Rate, clock: Callable[[], float], most: int = 10_000) -> None:
        self._rate = rate
        self._clock = clock
        self._most = most
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def enter(self, address: str) -> None:
        """Count one request of an address, or refuse it and say when to try again."""
        refuse_for(self.take(address))

    def take(self, address: str) -> int:
        """Count one request of an address; return 0, or after how many milliseconds to try again."""
        now = self._clock()
        key = neighbours(address)
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= self._most:
                self._forget(now)
            bucket = self._buckets[key] = Bucket(self._rate, now)
        return bucket.take(now)

    def wait(self, address: str) -> int:
        """Return 0 if an address may enter, or after how many milliseconds; nothing is counted."""
        bucket = self._buckets.get(neighbours(address))
        return 0 if bucket is None else bucket.wait(self._clock())

    def _forget(self, now: float) -> None:
        """Forget who owes nothing; and if that is nobody, the half that owes least."""
        kept = [(bucket.left(now), key) for key, bucket in self._buckets.items() if not bucket.full(now)]
        kept = sorted(kept)[: self._most // 2]
        self._buckets = {key: self._buckets[key] for _, key in kept}


@lru_cache(maxsize=10_000)
def neighbours(address: str) -> str:
    """Return what an address is counted as: of IPv6 one customer has at least the last 64 bits.

    >>> neighbours("2001:db8:1:2:3:4:5:6"), neighbours("192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    if ":" not in address:
        return address
    try:
        network = ipaddress.ip_network((address, 64), strict=False)
    except ValueError:
        return address
    return str(network)

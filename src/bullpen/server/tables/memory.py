"""Memory: which messages a table has followed, so that the same one is never followed twice."""

import hashlib
import zlib
from collections.abc import Iterable, Iterator

import msgspec

DIGEST_BITS = 30
LASTING = 64
"""So many of the latest messages are still known in the next game: their answers may be on the way."""

_encode = msgspec.json.Encoder().encode


def digest(message: msgspec.Struct) -> int:
    """Return a number that tells the content of a message from others: never 0, which stands for unknown.

    >>> from bullpen.server.protocol import Ping
    >>> digest(Ping(id="a")) == digest(Ping(id="a")), digest(Ping(id="a")) == digest(Ping(id="b"))
    (True, False)
    """
    return zlib.crc32(_encode(message)) >> (32 - DIGEST_BITS) or 1


def _key(who: str, message: str) -> int:
    # Small enough for two digits of a Python int: thousands of these lie in memory.
    return int.from_bytes(hashlib.blake2b(f"{who} {message}".encode(), digest_size=7).digest())


class Memory:
    """The messages of a game by sender and id: the step that each became, and what it said."""

    __slots__ = ("_known",)

    def __init__(self, known: Iterable[tuple[int, int]] = ()) -> None:
        self._known: dict[int, int] = dict(known)

    def __len__(self) -> int:
        return len(self._known)

    def note(self, who: str, message: str, number: int, content: int) -> None:
        """Remember that a message became a step."""
        self._known[_key(who, message)] = number << DIGEST_BITS | content

    def find(self, who: str, message: str) -> tuple[int, int] | None:
        """Return the step that a message became and the digest of what it said.

        >>> memory = Memory()
        >>> memory.note("ann", "m1", 7, 99)
        >>> memory.find("ann", "m1"), memory.find("ben", "m1")
        ((7, 99), None)
        """
        found = self._known.get(_key(who, message))
        return None if found is None else (found >> DIGEST_BITS, found & ((1 << DIGEST_BITS) - 1))

    def latest(self) -> Iterator[tuple[int, int]]:
        """Return what is to be known beyond the end of a game."""
        yield from list(self._known.items())[-LASTING:]

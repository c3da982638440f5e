"""Memory: which messages a table has followed, so that the same one is never followed twice."""

import hashlib
import zlib
from collections.abc import Iterable, Iterator

import msgspec

DIGEST_BITS = 30
KEY, VALUE = 7, 7
"""The bytes of a key, and of a step's number with a digest."""
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


def _key(who: str, message: str) -> bytes:
    return hashlib.blake2b(f"{who} {message}".encode(), digest_size=KEY).digest()


class Memory:
    """The messages of a game by sender and id: the step that each became, and what it said.

    Thousands of tables remember hundreds each, so it is one string of bytes: a key and a number, again and
    again. Finding a key in a long game's takes microseconds.
    """

    __slots__ = ("_known",)

    def __init__(self, known: Iterable[tuple[int, int]] = ()) -> None:
        self._known = bytearray()
        for key, value in known:
            self._known += key.to_bytes(KEY) + value.to_bytes(VALUE)

    def __len__(self) -> int:
        return len(self._known) // (KEY + VALUE)

    def note(self, who: str, message: str, number: int, content: int) -> None:
        """Remember that a message became a step."""
        self._known += _key(who, message) + (number << DIGEST_BITS | content).to_bytes(VALUE)

    def find(self, who: str, message: str) -> tuple[int, int] | None:
        """Return the step that a message became and the digest of what it said.

        >>> memory = Memory()
        >>> memory.note("ann", "m1", 7, 99)
        >>> memory.find("ann", "m1"), memory.find("ben", "m1")
        ((7, 99), None)
        """
        key, place = _key(who, message), -1
        while (place := self._known.find(key, place + 1)) >= 0:
            if place % (KEY + VALUE) == 0:
                found = int.from_bytes(self._known[place + KEY : place + KEY + VALUE])
                return found >> DIGEST_BITS, found & ((1 << DIGEST_BITS) - 1)
        return None

    def latest(self) -> Iterator[tuple[int, int]]:
        """Return what is to be known beyond the end of a game."""
        size = KEY + VALUE
        for place in range(max(0, len(self) - LASTING) * size, len(self._known), size):
            middle = place + KEY
            yield (
                int.from_bytes(self._known[place:middle]),
                int.from_bytes(self._known[middle : place + size]),
            )

"""Links: one connection between two processes, over which the frames of many sockets and requests travel.

A frame is a length, a kind, the number of a channel and a payload. The process at which a client's socket
hangs dials the one that owns its table; both first prove that they know the secret of the same store.
"""

import asyncio
import hashlib
import hmac
import secrets
import struct
from collections.abc import Callable
from enum import IntEnum
from typing import Any

from bullpen.server.doors.transport import Gathering
from bullpen.server.store.secret import key_from

HEAD = struct.Struct("!IBI")
MOST_BYTES = 16 * 2**20
"""No frame is larger; a link whose other side reads so much too slowly is given up."""
GATHERED = 0.002
"""So many seconds frames wait for others: a write and the turn that it wakes there cost more than a frame."""
PULSE = 1.0
SILENCE = 3.0
"""A link over which nothing was heard for so many seconds is dead."""


class Kind(IntEnum):
    """What a frame is; those from CHALLENGE to WELCOME are the greeting."""

    CHALLENGE = 1
    PROOF = 2
    WELCOME = 3
    PING = 4
    PONG = 5
    ATTACH = 6
    TEXT = 7
    END = 8
    REQUEST = 9
    ANSWER = 10
    STREAM = 11
    BEQUEST = 12


def link_key(secret: bytes) -> bytes:
    """Return the secret between processes, which follows from that of their store."""
    return hmac.new(key_from(secret), b"link between processes", hashlib.sha256).digest()


def proof(key: bytes, side: str, *said: bytes) -> bytes:
    """Return what only somebody with the key can answer, different for each side and each greeting."""
    return hmac.new(key, side.encode() + b"".join(said), hashlib.sha256).digest()


class Link(asyncio.Protocol):
    """Cuts a stream of bytes into frames, and sends frames together that follow each other closely."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._rest = b""
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._heard_at = self._loop.time()
        self.open = False
        """Whether both sides have proved themselves and the connection stands."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = Gathering(transport, self._loop, GATHERED)
        self._timer = self._loop.call_later(PULSE, self._beat)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.open = False
        if self._timer is not None:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        """Hear every whole frame."""
        self._heard_at = self._loop.time()
        if self._rest:
            data = self._rest + data
        start, end = 0, len(data)
        while end - start >= HEAD.size:
            size, kind, channel = HEAD.unpack_from(data, start)
            if size > MOST_BYTES or (not self.open and (kind > Kind.WELCOME or size > 200)):
                self.abort()
                return
            if end - start < HEAD.size + size:
                break
            start += HEAD.size
            self.heard(kind, channel, data[start : start + size])
            start += size
        self._rest = data[start:]

    def heard(self, kind: int, channel: int, payload: bytes) -> None:
        """Do what a frame asks."""
        raise NotImplementedError

    def send(self, kind: int, channel: int, payload: bytes = b"") -> None:
        """Send a frame soon."""
        if self._transport is not None:
            self._transport.write(HEAD.pack(len(payload), kind, channel) + payload)

    def close(self) -> None:
        """End the link once all that was sent has left."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Cut the link."""
        if self._transport is not None:
            self._transport.abort()

    def beat(self) -> None:
        """Do what is due every second."""

    def _beat(self) -> None:
        unread = self._transport.get_write_buffer_size()
        if self._loop.time() - self._heard_at > SILENCE or unread > MOST_BYTES:
            self.abort()
            return
        self._timer = self._loop.call_later(PULSE, self._beat)
        self.beat()


class Incoming(Link):
    """The side of the owner: challenges whoever comes, and is named by who it is meant to be."""

    def __init__(self, key: bytes, name: Callable[[], str]) -> None:
        super().__init__()
        self._key = key
        self._name = name
        self._nonce = secrets.token_bytes(16)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a proof."""
        super().connection_made(transport)
        self.send(Kind.CHALLENGE, 0, self._nonce)

    def heard(self, kind: int, channel: int, payload: bytes) -> None:
        """Greet; only then do what a frame asks."""
        if self.open:
            if kind == Kind.PING:
                self.send(Kind.PONG, 0, payload)
            else:
                self.asked(kind, channel, payload)
            return
        theirs, said, name = payload[:16], payload[16:48], payload[48:]
        right = proof(self._key, "dialled", self._nonce, theirs, name)
        # A process that has lost its lease and enlisted anew is somebody else.
        if kind == Kind.PROOF and hmac.compare_digest(said, right) and name.decode() == self._name() != "":
            self.send(Kind.WELCOME, 0, proof(self._key, "answered", theirs, self._nonce))
            self.open = True
        else:
            self.abort()

    def asked(self, kind: int, channel: int, payload: bytes) -> None:
        """Do what a frame asks."""
        raise NotImplementedError


class Outgoing(Link):
    """The side of whoever dials: proves itself, and lets the other side prove itself as well."""

    def __init__(self, key: bytes, name: str) -> None:
        super().__init__()
        self._key = key
        self._name = name.encode()
        self._nonce = secrets.token_bytes(16)
        self._theirs = b""
        self.ready: asyncio.Future[bool] = self._loop.create_future()
        """Whether the greeting went well."""
        self.latency = 0.0
        """How many seconds a frame takes there and back."""

    def connection_lost(self, exc: Exception | None) -> None:
        """End, and say so to whoever waits for the greeting."""
        super().connection_lost(exc)
        if not self.ready.done():
            self.ready.set_result(False)

    def heard(self, kind: int, channel: int, payload: bytes) -> None:
        """Greet; only then take what a frame brings."""
        if self.open:
            if kind == Kind.PONG:
                self.latency = self._loop.time() - struct.unpack("!d", payload)[0]
            else:
                self.told(kind, channel, payload)
        elif kind == Kind.CHALLENGE and not self._theirs:
            self._theirs = payload
            said = proof(self._key, "dialled", payload, self._nonce, self._name)
            self.send(Kind.PROOF, 0, self._nonce + said + self._name)
        elif kind == Kind.WELCOME and hmac.compare_digest(
            payload, proof(self._key, "answered", self._nonce, self._theirs)
        ):
            self.open = True
            if not self.ready.done():
                self.ready.set_result(True)
        else:
            self.abort()

    def told(self, kind: int, channel: int, payload: bytes) -> None:
        """Take what a frame brings."""
        raise NotImplementedError

    def beat(self) -> None:
        """Let the other side hear that this one lives, and measure how long an answer takes."""
        self.send(Kind.PING, 0, struct.pack("!d", self._loop.time()))

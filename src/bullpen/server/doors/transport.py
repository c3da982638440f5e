"""Transport: the server's own protocols, which count what comes in before anybody looks at it.

This is the one module that knows how uvicorn's protocols work inside, which is no promise of uvicorn's.
What is used of them is checked by `tests/server/test_transport.py`; pyproject.toml bounds the versions.
"""

import asyncio
import logging
import re
import time
from functools import lru_cache
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from bullpen.server.doors.crowd import Crowd
from bullpen.server.doors.headers import NOTHING
from bullpen.server.limits import Bucket

POLICY = 1008
PUSH = "bullpen.push"
"""The extension of a socket's scope that sends a text without waiting."""
LENGTH = re.compile(rb"^content-length[ \t]*:(.*)", re.IGNORECASE | re.MULTILINE)
MOST_HEAD = 65536
"""So many bytes the head of a request may have."""
BAD_REQUEST = [*NOTHING, (b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
OWED_SECONDS = 15.0
"""A client that owes the rest of a request for longer than this, at most twice as long, is cut off."""


class _Strict(h11.Connection):
    """Refuses requests whose length two readers could see differently: a proxy may be one of them."""

    def next_event(self) -> Any:
        """Return the next event."""
        waiting = self.their_state is h11.IDLE
        before = self.trailing_data[0] if waiting else b""
        event = super().next_event()
        if isinstance(event, h11.Request):
            # Of equal lengths the event names only one, so those in the lines themselves are counted.
            head = before[: len(before) - len(self.trailing_data[0])]
            lengths = sum(1 + said.count(b",") for said in LENGTH.findall(head))
            chunked = any(name == b"transfer-encoding" for name, _ in event.headers)
            if lengths > 1 or (chunked and (lengths or event.http_version == b"1.0")):
                raise h11.RemoteProtocolError("A request has one length.")
        return event


class Http(H11Protocol):
    """HTTP for as many as there is room for, and nobody who never finishes a request."""

    crowd: Crowd

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(*values, **named)
        self.conn = _Strict(h11.SERVER, MOST_HEAD)
        self._counted = False
        self._patience: asyncio.TimerHandle | None = None
        self._seen: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection in, or end it unheard."""
        super().connection_made(transport)
        if not self.crowd.arrive(_host(self.client)):
            transport.abort()
            return
        self._counted = True
        self._patience = self.loop.call_later(OWED_SECONDS, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out."""
        self._end_patience()
        if self._counted:
            self._counted = False
            self.crowd.leave(_host(self.client))
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, and close."""
        head = h11.Response(status_code=400, headers=BAD_REQUEST, reason=b"Bad Request")
        for event in (head, h11.Data(data=msg.encode()), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event))
        self.transport.close()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection, counted as it is, over to the protocol of sockets."""
        self._end_patience()
        super().handle_websocket_upgrade(event)

    def _end_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _look(self) -> None:
        """Cut off a client that still owes the same request as at the last look."""
        owes = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if owes and self.cycle is self._seen:
            self.transport.abort()
            return
        self._seen = self.cycle
        self._patience = self.loop.call_later(OWED_SECONDS, self._look)


class _Counted(ServerProtocol):
    """Counts every frame, whatever it is, and fails the connection at the first one too many."""

    def __init__(self, crowd: Crowd, address: str, **named: Any) -> None:
        super().__init__(**named)
        self._crowd = crowd
        self._address = address
        self._bucket = Bucket(crowd.limits.frames, time.monotonic())

    def reject(self, status: Any, text: str) -> Response:
        """Refuse a handshake."""
        answer = super().reject(status, text)
        for name, value in NOTHING:
            answer.headers[name.decode()] = value.decode()
        return answer

    def recv_frame(self, frame: Frame) -> None:
        if self._bucket.take(time.monotonic()) or not self._crowd.frame(self._address):
            self.fail(POLICY, "too many frames")
            # What follows in the buffer is not even parsed.
            raise ProtocolError("too many frames")
        super().recv_frame(frame)


class Gathering:
    """A transport that gathers what is written in one turn of the loop: an ack mostly follows its update.

    With `wait` it gathers for so many seconds.
    """

    __slots__ = ("_loop", "_parts", "_transport", "_wait")

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop, wait: float = 0.0) -> None:
        self._transport = transport
        self._loop = loop
        self._wait = wait
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Write at the end of this turn, or of the wait."""
        if not self._parts and self._wait:
            self._loop.call_later(self._wait, self._flush)
        elif not self._parts:
            self._loop.call_soon(self._flush)
        self._parts.append(data)

    def _flush(self) -> None:
        parts, self._parts = self._parts, []
        # The other side may have gone since it was written.
        if parts and not self._transport.is_closing():
            self._transport.write(parts[0] if len(parts) == 1 else b"".join(parts))

    def close(self) -> None:
        """Write what was gathered, and close."""
        self._flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class WebSocket(WebSocketsSansIOProtocol):
    """Sockets whose frames are counted, and leave together where they can."""

    crowd: Crowd

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection that was counted as an HTTP connection."""
        super().connection_made(transport)
        self.transport = cast(asyncio.Transport, Gathering(transport, self.loop))
        self.conn = _Counted(
            self.crowd,
            _host(self.client),
            max_size=self.config.ws_max_size,
            logger=logging.getLogger("uvicorn.error"),
        )

    def handle_connect(self, event: Request) -> None:
        """Offer the application a short way to send."""
        super().handle_connect(event)
        if (scope := getattr(self, "scope", None)) is not None:
            scope["extensions"][PUSH] = self.push

    def push(self, text: str) -> bool:
        """Send a text at once and return True; or False while the client has too much to read already."""
        if not self.writable.is_set():
            return False
        if self.conn.state is State.OPEN and not self.close_sent:
            self.transport.write(framed(text))
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out."""
        self.crowd.leave(_host(self.client))
        super().connection_lost(exc)


@lru_cache(maxsize=16)
def framed(text: str) -> bytes:
    """Return a text as a frame, made once for all who are sent the same."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def protocols(crowd: Crowd) -> tuple[type[Http], type[WebSocket]]:
    """Return the protocols of a server whose crowd this is."""
    return type("_Http", (Http,), {"crowd": crowd}), type("_WebSocket", (WebSocket,), {"crowd": crowd})


def _host(client: tuple[str, int] | None) -> str:
    return client[0] if client else ""

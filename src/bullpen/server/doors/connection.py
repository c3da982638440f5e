"""A connection: the sending side of a socket, which never waits for a slow reader."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any, TypeAlias

from bullpen.server.errors import TURNED_AWAY
from bullpen.server.live.hub import Hub
from bullpen.server.live.room import Room

Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Push: TypeAlias = Callable[[str], bool]
"""Sends a text at once, or says that there is no room for it now."""
TRY_LATER = 1013
COME_AGAIN = 1012
"""After this a client connects anew at once and resumes where it was."""


class Connection:
    """Sends without waiting: a reader who is too slow is dropped and may resume."""

    __slots__ = (
        "_backlog",
        "_closing",
        "_drain",
        "_hub",
        "_push",
        "_queue",
        "_send",
        "address",
        "device",
        "sent",
        "who",
    )

    def __init__(
        self, hub: Hub, who: str, address: str, send: Send, device: str = "", push: Push | None = None
    ) -> None:
        self.who = who
        self.device = device
        self.address = address
        self.sent: int | None = None
        self._hub = hub
        self._send = send
        self._push = push
        self._queue: deque[str] | None = None
        self._backlog = 0
        self._drain: asyncio.Task[None] | None = None
        self._closing = False

    def push(self, text: str) -> None:
        """Send a message now if the socket takes it, else put it into the queue."""
        if self._closing:
            return
        if self._queue is None:
            if self._send_now(text):
                return
            self._queue = deque()
            self._drain = asyncio.create_task(self._empty_queue())
        self._queue.append(text)
        self._backlog += len(text)
        if self._backlog > self._hub.config.limits.backlog:
            self._hub.metrics.dropped += 1
            self._closing = True
            self._queue.clear()

    def _send_now(self, text: str) -> bool:
        """Try to send at once: the server's `send` waits only for room in the buffer, before it writes."""
        if self._push is not None:
            return self._push(text)
        attempt: Any = self._send({"type": "websocket.send", "text": text})
        try:
            attempt.send(None)
        except StopIteration:
            return True
        except Exception:  # the connection is gone; the receiving side will notice
            self._closing = True
            return True
        attempt.close()
        return False

    async def _empty_queue(self) -> None:
        try:
            while self._queue:
                text = self._queue.popleft()
                await self._send({"type": "websocket.send", "text": text})
                self._backlog -= len(text)
            if self._closing:
                await self._send({"type": "websocket.close", "code": TRY_LATER, "reason": "too slow"})
        except Exception:  # the connection is gone; the receiving side will notice
            self._closing = True
        self._queue = None

    def hang_up(self, code: int = TURNED_AWAY) -> None:
        """Say goodbye to somebody who was turned away."""
        self.end(code, "turned away")

    def move_on(self, _: Room) -> None:
        """Let the client come again, to wherever its table lives by then."""
        self.end(COME_AGAIN, "this table has moved")

    def end(self, code: int, reason: str) -> None:
        """Say goodbye soon."""
        self._drain = asyncio.create_task(self._leave(code, reason))

    async def _leave(self, code: int, reason: str) -> None:
        # Whoever is gone already needs no goodbye.
        with contextlib.suppress(Exception):
            await self.close(code, reason)

    async def close(self, code: int, reason: str) -> None:
        """Say goodbye."""
        if not self._closing:
            self._closing = True
            await self._send({"type": "websocket.close", "code": code, "reason": reason})


@contextlib.contextmanager
def end_after(seconds: float | None, end: Callable[[], None]) -> Iterator[None]:
    """End something when the key that somebody came by ends, if that is before it ends by itself."""
    timer = None if seconds is None else asyncio.get_running_loop().call_later(max(0.0, seconds), end)
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()

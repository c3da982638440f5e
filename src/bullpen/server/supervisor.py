"""Tell systemd that the server is ready, and that it is well; without systemd nothing is told.

The protocol is that of `sd_notify`: one word a datagram, to the socket that the environment names.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Mapping

IDLE = 3600.0
"""Seconds between words where nobody counts on them."""


class Supervisor:
    """The process that started the server and starts it again when it falls silent."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "").replace("@", "\0", 1)
        microseconds = environment.get("WATCHDOG_USEC", "0")
        self._patience = int(microseconds) / 1e6 if microseconds.isdigit() else 0.0

    def tell(self, word: str) -> None:
        """Send a word; nobody has to hear it."""
        if self._address:
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                out.sendto(word.encode(), self._address)

    async def reassure(self, dead: Callable[[], str]) -> None:
        """Say in time, for ever, that the server is well; a dead one says nothing and is started again."""
        while True:
            if not dead():
                self.tell("WATCHDOG=1")
            await asyncio.sleep(self._patience / 3 or IDLE)

"""A real server in a process of its own, which can be killed and started again."""

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

COUNTED = (
    "analyses",
    "analysis-of-address",
    "bots-of-address",
    "guesses",
    "handshakes",
    "pages",
    "people",
    "replays",
    "requests",
    "tables",
    "uploads",
)
"""Limits counted by address: all people of the tests come from one, and open a table every few seconds."""

START_SECONDS = 120.0
"""A machine that does everything at once takes half a minute to start a server."""


class House:
    """A server with its store; the address stays the same after a restart."""

    def __init__(self, folder: Path, *flags: str, environment: dict[str, str] | None = None) -> None:
        self._flags = flags
        self._environment = environment
        self._store = folder / "tables.sqlite3"
        self._log = folder / "server.log"
        self._settings = folder / "settings.toml"
        # Nor is anybody turned away because the machine is busy with other tests.
        limits = ["busy-seconds = 1e9", *(f'{name} = "1e9/1e9"' for name in COUNTED)]
        self._settings.write_text("\n".join(["[limit]", *limits]))
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait until pages are served."""
        command = [
            sys.executable, "-m", "bullpen.server", "--port", str(self.port), "--store", str(self._store),
            "--config", str(self._settings), "--bot-workers", "1", "--log-level", "error", *self._flags,
        ]  # fmt: skip
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            if self._healthy():
                return
            time.sleep(0.1)
        self.kill()
        raise AssertionError(f"The server did not start:\n{self._log.read_text()}")

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                return int(answer.status) == 200
        except OSError:
            return False

    def kill(self) -> None:
        """End without a goodbye."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End politely."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=20)
            self._process = None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

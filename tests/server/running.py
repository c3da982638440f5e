"""Starting, killing and asking a server process."""

import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.server.places import Place

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0


class Server:
    """A server process that listens on a port of its own."""

    def __init__(self, place: Place, *arguments: str) -> None:
        self.place = place
        self.port = 0
        self.log = place.log
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws/"

    def start(self) -> None:
        """Start, again on the same port, and wait until requests are answered."""
        command = [sys.executable, "-m", "tests.server.launch", "--store", self.place.name]
        log: IO[str]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port), *self._arguments],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("port "), self.log.read_text()
        self.port = int(line.split()[1])
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"{self.url}/healthz", timeout=5).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError("the server did not answer")

    def kill(self) -> None:
        """End the process without warning."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask the process to end, and return how it ended."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        code = process.wait(timeout=30)
        assert process.stdout is not None
        process.stdout.close()
        return code

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid


@contextmanager
def server(store: Place | Path, *arguments: str) -> Iterator[Server]:
    """A running server, on a store of the usual kind unless one is given; its log must hold no traceback."""
    running = Server(store if isinstance(store, Place) else Place.usual(store), *arguments)
    running.start()
    try:
        yield running
    finally:
        running.kill()
    log = running.log.read_text()
    assert "Traceback" not in log, log[-4000:]

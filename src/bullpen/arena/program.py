"""A program that is talked to in lines: every exchange ends in time, whatever the program does.

It runs in a process group of its own, so that whatever it has started ends with it. Two threads write and
read for it: a program that does not read holds up its own writer only, and one that floods its output is
held up itself, for what nobody has asked for is not read on and on.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

LONGEST = 65536
"""Bytes of a line: a longer one is cut, and then is no answer."""
AHEAD = 4
"""Lines that are read before they are asked for."""
KEPT = 2000
"""Bytes of a program's standard error: enough for its last line."""
PARTING = 1.0
"""Seconds to wait for the exit code of a program that has closed its output."""
GONE = b""
"""Stands for the end of a program's output; a line is never empty."""


class Late(Exception):
    """There was no line in time."""


class Gone(Exception):
    """The program has ended, or could not be started; the text says how."""


class Program:
    """A running program."""

    def __init__(self, words: Sequence[str]) -> None:
        own_group: dict[str, object] = {"start_new_session": True}
        if sys.platform == "win32":
            own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            self._process = subprocess.Popen(  # type: ignore[call-overload]
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if os.environ.get("BULLPEN_BOT_STDERR") else subprocess.PIPE,
                bufsize=0,
                **own_group,
            )
        except OSError as error:
            raise Gone(f"it could not be started: {error.strerror}") from None
        self._over = threading.Event()
        self._questions: queue.Queue[bytes] = queue.Queue(1)
        self._lines: queue.Queue[bytes] = queue.Queue(AHEAD)
        self._complaint = b""
        self._complaining = threading.Thread(target=self._listen_on, daemon=True)
        self._complaining.start()
        for work in (self._write_on, self._read_on):
            threading.Thread(target=work, daemon=True).start()

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """Send a line and return the next one; the time covers both."""
        end = time.monotonic() + seconds
        try:
            self._questions.put(message, timeout=seconds)
            line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
        except (queue.Full, queue.Empty):
            raise Late(f"no answer within {seconds:g} s") from None
        if line == GONE:
            raise Gone(self._last_words())
        return line

    def _last_words(self) -> str:
        """Return how the program ended: its exit code and the last line of its standard error."""
        try:
            code = self._process.wait(timeout=PARTING)
        except subprocess.TimeoutExpired:
            return "it has closed its output"
        self._complaining.join(PARTING)
        lines = self._complaint.decode(errors="replace").strip().splitlines()
        how = f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"{how}: {lines[-1][:200]}" if lines else how

    def has_more(self) -> bool:
        """Whether it has said more than it was asked."""
        return not self._lines.empty()

    def end(self) -> None:
        """End the program and everything in its group; a thread that it holds up ends with it."""
        self._over.set()
        # Before waiting: until then nobody else can have got the number of this process.
        if sys.platform != "win32":
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self._process.kill()
        else:
            self._process.kill()
        self._process.wait()

    def _write_on(self) -> None:
        assert self._process.stdin is not None
        with self._process.stdin as pipe:
            while not self._over.is_set():
                try:
                    rest = memoryview(self._questions.get(timeout=1.0))
                    while rest:
                        rest = rest[pipe.write(rest) or 0 :]
                except queue.Empty:
                    continue
                except OSError:
                    return

    def _read_on(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as pipe:
            kept = b""
            while not self._over.is_set():
                try:
                    chunk = pipe.read(LONGEST)
                except OSError:
                    chunk = b""
                if not chunk:
                    self._pass_on(kept)
                    self._pass_on(GONE)
                    return
                *lines, kept = (kept + chunk).split(b"\n")
                for line in lines:
                    self._pass_on(line + b"\n")
                if len(kept) > LONGEST:
                    self._pass_on(kept[:LONGEST])
                    kept = b""

    def _listen_on(self) -> None:
        """Keep the end of what the program writes to standard error, and let go of the rest."""
        if self._process.stderr is None:
            return
        with self._process.stderr as pipe:
            while chunk := pipe.read(LONGEST):
                self._complaint = (self._complaint + chunk)[-KEPT:]

    def _pass_on(self, line: bytes) -> None:
        """Hand a line over, waiting for as long as anybody may still want it."""
        while not self._over.is_set():
            try:
                self._lines.put(line, timeout=1.0)
            except queue.Full:
                continue
            return

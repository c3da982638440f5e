"""A process that analyses: jobs come in on standard input, progress and findings go out on the other."""

import contextlib
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from typing import BinaryIO

from bullpen.engine import BullpenError
from bullpen.server.live.analysis_process import FOUND, PARTS, PROGRESS, REFUSED, AnalysisJob, HintJob
from bullpen.server.live.bot_process import LENGTH
from bullpen.server.live.bot_worker import send

NICENESS = 15
"""Whoever waits for a bot's card goes first."""
EVERY = 0.2
"""So many seconds apart it is told how much is done."""


class _Watch:
    """Tells how much is done, now and then, and when to stop.

    The time runs from the first progress on: what is compiled before is nobody's fault.
    """

    def __init__(self, out: BinaryIO, seconds: float) -> None:
        self._out = out
        self._seconds = 0.7 * seconds
        self._end: float | None = None
        self._told = 0.0
        self._parts = 0

    def part(self) -> None:
        """One more part has been compiled, which is told as long as nothing is done."""
        self._parts += 1
        if self._end is None:
            send(self._out, f"{PARTS}{self._parts}")

    def progress(self, share: float) -> None:
        now = time.monotonic()
        if self._end is None:
            self._end = now + self._seconds
        if now - self._told >= EVERY:
            self._told = now
            send(self._out, f"{PROGRESS}{share:.4f}")

    def late(self) -> bool:
        return self._end is not None and time.monotonic() > self._end


@contextlib.contextmanager
def compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Tell of every part that has to be compiled meanwhile; what was kept from an earlier time is none."""
    # What compiles is imported with the first job, so that the process is ready at once.
    from numba.core import event  # noqa: PLC0415

    class Told(event.Listener):
        def on_start(self, event: object) -> None: ...

        def on_end(self, event: object) -> None:
            tell()

    with event.install_listener("numba:compile", Told()):
        yield


def answer(job: AnalysisJob, progress: Callable[[float], None], late: Callable[[], bool]) -> str:
    """Return what the server is told in the end."""
    from bullpen.server.live import findings  # noqa: PLC0415

    try:
        if isinstance(job, HintJob):
            return FOUND + findings.hint(job, progress, late)
        return FOUND + findings.review(job, progress, late)
    except BullpenError as error:
        return REFUSED + str(error)
    except Exception as error:  # whatever goes wrong costs only this job
        print(f"An analysis failed: {error!r}", file=sys.stderr)
        return ""


def main() -> None:
    """Do jobs until the server closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    send(outbox, "ready")
    while head := inbox.read(LENGTH.size):
        (length,) = LENGTH.unpack(head)
        job: AnalysisJob = pickle.loads(inbox.read(length))
        watch = _Watch(outbox, job.seconds)
        with compiling(watch.part):
            said = answer(job, watch.progress, watch.late)
        send(outbox, said)


if __name__ == "__main__":
    # Whoever stops the server stops this: a closed pipe is the end, not a fault.
    with contextlib.suppress(BrokenPipeError):
        main()

"""A process that compiles: names of parts come in on standard input, "" or what went wrong goes out."""

import contextlib
import os
import pickle
import sys

from bullpen.bots.preparing import compile_part
from bullpen.server.live.bot_process import LENGTH
from bullpen.server.live.bot_worker import send
from bullpen.server.live.readiness import HINTS, PartJob

NICENESS = 10
"""Those who play go first."""


def work(name: str) -> str:
    """Compile a part; return "", or what went wrong."""
    try:
        # The server says how far it is, in words for those who play.
        from bullpen.fast.compiled import hush  # noqa: PLC0415 this imports Numba, which may be what fails

        hush()
        if name == HINTS:
            from bullpen.analysis import prepare  # noqa: PLC0415

            prepare()
        else:
            compile_part(name)
    except Exception as error:  # whatever goes wrong costs only this part
        return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    return ""


def main() -> None:
    """Compile until the server closes the pipe."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    send(outbox, "ready")
    while head := inbox.read(LENGTH.size):
        (length,) = LENGTH.unpack(head)
        job: PartJob = pickle.loads(inbox.read(length))
        send(outbox, work(job.name))


if __name__ == "__main__":
    # The pipe closes when the server stops, which is no fault.
    with contextlib.suppress(BrokenPipeError):
        main()

"""A process that thinks for bots: jobs come in on standard input, choices go out on standard output."""

import contextlib
import os
import pickle
import sys
import time
from typing import BinaryIO

from bullpen.bots import player
from bullpen.server.live.bot_process import LENGTH, Job


def send(out: BinaryIO, text: str) -> None:
    """Send a text to the server."""
    body = text.encode()
    out.write(LENGTH.pack(len(body)) + body)
    out.flush()


def main() -> None:
    """Answer jobs until the server closes the pipe; a bot that fails answers with nothing."""
    if hasattr(os, "nice"):
        os.nice(5)
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    # A bot that prints must not garble the answers.
    sys.stdout = sys.stderr
    send(outbox, "ready")
    while head := inbox.read(LENGTH.size):
        (length,) = LENGTH.unpack(head)
        job: Job = pickle.loads(inbox.read(length))
        # Searching bots stop a little early, so that their best answer is still in time.
        end = time.monotonic() + 0.7 * job.seconds
        try:
            bot = player(job.level, job.seed, lambda end=end: time.monotonic() > end)  # type: ignore[misc]
            notation = bot.choose(job.view, job.ask).notation
        except Exception as error:  # whatever a bot does wrong costs it only this decision
            print(f"A bot of level {job.level} failed: {error!r}", file=sys.stderr)
            notation = ""
        send(outbox, notation)


if __name__ == "__main__":
    # Whoever stops the server stops its bots: a closed pipe is the end, not a fault.
    with contextlib.suppress(BrokenPipeError):
        main()

"""Outside bots: programs that read questions on standard input and write choices on standard output.

A question is one line of JSON, an answer one line with a choice in notation. A program that is late is
ended, one that has crashed is started again for the next question; either way chance makes the decision.
"""

import os
import queue
import random
import shlex
import shutil
import subprocess
import threading
from typing import IO, Any

import msgspec

from bullpen.arena.errors import ArenaError
from bullpen.arena.outcome import Faults
from bullpen.engine import Ask, BullpenError, Choice, View, parse

PROTOCOL = 1
PAPERS = ("asks", "answers", "agenda", "news")
"""Fields of a position that are the engine's own and no part of what a player sees."""


def program_of(command: str) -> list[str]:
    """Return the words of a command, or say that there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise ArenaError(f"cmd:{command[:60]} has a quote that is not closed.") from None
    if not words or shutil.which(words[0]) is None:
        raise ArenaError(f"cmd:{command[:60]}: there is no such program.")
    return words


def question(view: View, ask: Ask, seed: str) -> dict[str, Any]:
    """Return a question as the JSON object that a program reads."""
    position = {
        field: msgspec.to_builtins(getattr(view.position, field))
        for field in view.position.__struct_fields__
        if field not in PAPERS
    }
    return {
        "protocol": PROTOCOL,
        "seed": seed,
        "view": {
            "game": view.game,
            "options": view.options,
            "seat": view.seat,
            "hand": view.hand,
            "answered": view.answered,
            "seen_piles": view.piles,
            "position": position,
        },
        "ask": {
            "kind": ask.kind,
            "prompt": ask.prompt,
            "about": ask.about,
            "options": [option.notation for option in ask.options],
        },
    }


class Outside:
    """A program at a table."""

    def __init__(self, command: str, seed: str, limit: float) -> None:
        self.faults = Faults()
        self._words, self._seed, self._limit = program_of(command), seed, limit
        self._chance = random.Random(f"{seed}/instead")
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def choose(self, view: View, ask: Ask) -> Choice:
        """Ask the program; if it has no good answer in time, chance decides."""
        line = self._exchange(msgspec.json.encode(question(view, ask, self._seed)) + b"\n")
        choice = None if line is None else self._read(line, ask)
        return self._chance.choice(ask.options) if choice is None else choice

    def leave(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                assert pipe is not None
                # A program that is gone cannot be written to: what is left in the pipe is lost.
                try:
                    pipe.close()
                except OSError:
                    continue
            self._process = None

    def _read(self, line: bytes, ask: Ask) -> Choice | None:
        try:
            choice = parse(line.decode())
        except (BullpenError, UnicodeDecodeError):
            choice = None
        if choice is None or choice not in ask.options:
            self.faults.nonsense += 1
            return None
        return choice

    def _exchange(self, message: bytes) -> bytes | None:
        """Send a line and wait for one; None if there is none in time."""
        try:
            if self._process is None:
                self._start()
            assert self._process is not None
            assert self._process.stdin is not None
            self._process.stdin.write(message)
            self._process.stdin.flush()
            line = self._lines.get(timeout=self._limit)
        except queue.Empty:
            # Whatever it may still say belongs to a question that is over, so it must not be heard.
            self.faults.late += 1
            self.leave()
            return None
        except OSError:
            line = None
        if line is None:
            self.faults.crashed += 1
            self.leave()
        return line

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get("BULLPEN_BOT_STDERR") else subprocess.DEVNULL,
        )
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._lines), daemon=True).start()


def _listen(pipe: IO[bytes], lines: "queue.SimpleQueue[bytes | None]") -> None:
    """Pass on line after line, and None when there are no more."""
    try:
        while line := pipe.readline(65536):
            lines.put(line)
    except (OSError, ValueError):
        pass
    lines.put(None)

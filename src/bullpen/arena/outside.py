"""Outside bots: programs that read questions on standard input and write choices on standard output.

A question is one line of JSON, an answer one line with a choice in notation. A program that is late is
ended, one that has crashed is started again for the next question; either way chance makes the decision.
"""

import os
import random
import shlex
import shutil

from bullpen.arena.errors import ArenaError
from bullpen.arena.outcome import Faults
from bullpen.arena.program import Gone, Late, Program
from bullpen.arena.question import write_question
from bullpen.engine import Ask, BullpenError, Choice, View, parse

WINDOWS = os.name == "nt"


def program_of(command: str) -> list[str]:
    """Return the words of a command, or say that there is no such program."""
    try:
        words = [word.strip('"') if WINDOWS else word for word in shlex.split(command, posix=not WINDOWS)]
    except ValueError:
        raise ArenaError(f"cmd:{command[:60]} has a quote that is not closed.") from None
    if not words or shutil.which(words[0]) is None:
        raise ArenaError(f"cmd:{command[:60]}: there is no such program.")
    return words


class Outside:
    """A program at a table."""

    def __init__(self, command: str, seed: str, limit: float) -> None:
        self.faults = Faults()
        self._words, self._seed, self._limit = program_of(command), seed, limit
        self._chance = random.Random(f"{seed}/instead")
        self._program: Program | None = None

    def choose(self, view: View, ask: Ask) -> Choice:
        """Ask the program; if it has no good answer in time, chance decides."""
        choice = self._ask(view, ask)
        return self._chance.choice(ask.options) if choice is None else choice

    def leave(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.end()
            self._program = None

    def _ask(self, view: View, ask: Ask) -> Choice | None:
        """Return the program's answer, or None after noting what was wrong with it."""
        try:
            if self._program is None:
                self._program = Program(self._words)
            elif self._program.has_more():
                # What it says unasked would be taken for the answer to this question.
                self._fail("nonsense", "more lines than questions")
                return None
            line = self._program.exchange(write_question(view, ask, self._seed), self._limit)
        except Late as late:
            # Whatever it may still say belongs to a question that is over, so it must not be heard.
            self._fail("late", str(late))
            return None
        except Gone as gone:
            self._fail("crashed", str(gone))
            return None
        return self._read(line, ask)

    def _fail(self, kind: str, what: str) -> None:
        self.faults.note(kind, what)
        self.leave()

    def _read(self, line: bytes, ask: Ask) -> Choice | None:
        try:
            choice = parse(line.decode())
        except (BullpenError, UnicodeDecodeError):
            choice = None
        if choice is None or choice not in ask.options:
            options = " ".join(option.notation for option in ask.options)
            self.faults.note("nonsense", f"answered {line[:60]!r} to {ask.kind}: {options[:60]}")
            return None
        return choice

"""Results files: one line of JSON a game, added as the games end, so that a match can be gone on with."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from bullpen.arena.errors import ArenaError
from bullpen.arena.match import Job
from bullpen.arena.outcome import Outcome
from bullpen.arena.play import job_of
from bullpen.engine.misread import misread


def check_writable(path: Path, kind: str) -> None:
    """Raise one sentence unless a file of some kind is there or can be made."""
    if path.is_dir():
        raise ArenaError(f"{path} is a folder, not a {kind}.")
    if not path.parent.is_dir():
        raise ArenaError(f"There is no folder {path.parent} for the {kind}.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ArenaError(f"{path} cannot be written.")


class Results:
    """A results file: what has been played, and room for more."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def check(self) -> None:
        """Raise one sentence unless the file is there or can be made."""
        check_writable(self.path, "results file")

    def read(self) -> list[Outcome]:
        """Return all outcomes in the order of deals; a last line that was cut off does not count."""
        outcomes = [outcome for outcome, _ in self._lines()]
        return sorted(outcomes, key=lambda one: (one.game, one.players, one.seed, one.deal, one.seating))

    def done(self) -> set[Job]:
        """Return the jobs that have been played."""
        return {job_of(outcome) for outcome, _ in self._lines()}

    def repair(self) -> None:
        """Cut off a last line that was not finished, so that new ones can follow."""
        if self.path.exists():
            whole = sum(length for _, length in self._lines())
            with self.path.open("r+b") as file:
                file.truncate(whole)

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Write outcomes to the end of the file, each a line."""
        text = b"".join(msgspec.json.encode(outcome) + b"\n" for outcome in outcomes)
        with self.path.open("ab") as file:
            file.write(text)

    def leave_out(self, gone: Callable[[Outcome], bool]) -> int:
        """Write the file anew without some of its outcomes, and return how many those were."""
        self.repair()
        outcomes = [outcome for outcome, _ in self._lines()]
        kept = [outcome for outcome in outcomes if not gone(outcome)]
        if len(kept) < len(outcomes):
            # Beside the file and then in its place: whoever is stopped in between has lost nothing.
            beside = Results(self.path.with_name(f"{self.path.name}.anew"))
            beside.path.unlink(missing_ok=True)
            beside.add(kept)
            beside.path.replace(self.path)
        return len(outcomes) - len(kept)

    def _lines(self) -> Iterator[tuple[Outcome, int]]:
        """Yield each outcome with the length of its line."""
        try:
            lines = self.path.read_bytes().splitlines(keepends=True) if self.path.exists() else []
        except OSError as error:
            raise ArenaError(f"{self.path}: {error.strerror or error}.") from None
        for number, line in enumerate(lines, start=1):
            if number == len(lines) and not line.endswith(b"\n"):
                return
            try:
                yield msgspec.json.decode(line, type=Outcome), len(line)
            except msgspec.DecodeError as error:
                raise ArenaError(f"{self.path}, line {number} is no result: {misread(error)}.") from None

"""Standings: a small file of how every rung stands, kept when results files with all their games are not.

One line of JSON a rung. A test needs no more than sums of its deals, so an open rung goes on from its line as
it would have from its games, and a settled one is not played again.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from bullpen.arena.errors import ArenaError
from bullpen.arena.results import check_writable
from bullpen.arena.rungs import Rung
from bullpen.arena.sequential import Tally
from bullpen.engine.misread import misread


class Line(msgspec.Struct, forbid_unknown_fields=True):
    """A rung, the seed of its deals, and how it stands."""

    seed: str
    rung: Rung
    tally: Tally


class Standings:
    """A file of standings: how rungs stood, and room for how they stand now."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def check(self) -> None:
        """Raise one sentence unless the file can be read, or made: before anything is played."""
        check_writable(self.path, "file of standings")
        self._lines()

    def read(self, seed: str) -> dict[Rung, Tally]:
        """Return how the rungs stand whose deals have this seed."""
        return {line.rung: line.tally for line in self._lines() if line.seed == seed}

    def write(self, seed: str, tallies: Mapping[Rung, Tally]) -> None:
        """Write these rungs down; all others stay as they were."""
        kept = [line for line in self._lines() if line.seed != seed or line.rung not in tallies]
        kept += [Line(seed, rung, tally) for rung, tally in tallies.items()]
        kept.sort(key=lambda line: (line.seed, line.rung.game, line.rung.players, line.rung.upper))
        self._replace(kept)

    def forget(self, seed: str, rungs: Collection[Rung], bots: Collection[str]) -> None:
        """Leave those of these rungs out in which one of the bots plays: it has changed since."""
        self._replace(
            [
                line
                for line in self._lines()
                if line.seed != seed
                or line.rung not in rungs
                or {line.rung.upper, line.rung.lower}.isdisjoint(bots)
            ]
        )

    def _replace(self, lines: list[Line]) -> None:
        """Write beside the file and then in its place: whoever is stopped in between has lost nothing."""
        beside = self.path.with_name(f"{self.path.name}.anew")
        try:
            beside.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
            beside.replace(self.path)
        except OSError as error:
            raise ArenaError(f"{self.path}: {error.strerror or error}.") from None

    def _lines(self) -> list[Line]:
        try:
            lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        except OSError as error:
            raise ArenaError(f"{self.path}: {error.strerror or error}.") from None
        found = []
        for number, line in enumerate(lines, start=1):
            try:
                found.append(msgspec.json.decode(line, type=Line))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise ArenaError(f"{self.path}, line {number} is no standing: {misread(error)}.") from None
        return found

"""Rounds played by the real bots on the engine, kept as records: what predictions are held against."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bullpen.bots import player
from bullpen.engine import BullpenError, Ruleset, Seeded
from bullpen.game import Game
from bullpen.records import Record
from bullpen.rulesets import make

MIXED = ("medium", "expert", "easy", "hard", "medium", "expert")
"""Who sits where at a mixed table."""


def levels(table: str, players: int) -> tuple[str, ...]:
    """Return who sits at a table."""
    return MIXED[:players] if table == "mixed" else (table,) * players


def one_round(game: str, players: int) -> Ruleset[Any]:
    """Return rules that end after a round, where the game knows rounds."""
    try:
        return make(game, players, {"end.kind": "rounds", "end.value": 1})
    except BullpenError:
        return make(game, players)


def play(folder: Path, cell: str, rounds: range, deals: str) -> None:
    """Let bots play rounds, and keep the records; `deals` names the deals and all of the bots' chance."""
    game, players, table = cell.rsplit("-", 2)
    folder.mkdir(exist_ok=True)
    with (folder / f"{cell}.jsonl").open("a") as file:
        for number in rounds:
            running = Game(
                one_round(game, int(players)), Seeded(f"{deals}/{game}/{players}/{table}/{number}")
            )
            bots = [
                player(level, f"{deals}/{number}/{seat}")
                for seat, level in enumerate(levels(table, int(players)))
            ]
            while not running.over:
                ask = running.asks[0]
                seat = ask.seats[0]
                running.choose(seat, bots[seat].choose(running.view(seat), ask))
            file.write(json.dumps([number, running.record.dumps()]) + "\n")


def played(folder: Path, cell: str, limit: int) -> Iterator[tuple[int, Record]]:
    """Yield the rounds of a cell with their numbers."""
    with (folder / f"{cell}.jsonl").open() as file:
        for line, _ in zip(file, range(limit), strict=False):
            number, text = json.loads(line)
            yield number, Record.loads(text)

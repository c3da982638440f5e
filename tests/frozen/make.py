"""Freeze the games of this version: python -m tests.frozen.make writes them beside this file, once.

What has been released is never made anew: later versions read it as it is.
"""

import gzip
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from bullpen import __version__
from bullpen.engine import Seeded
from bullpen.game import Game
from bullpen.records import Record
from bullpen.rulesets import find, own_games
from bullpen.server.live.road import record_row
from bullpen.server.protocol import Rematch, Settings, Sit, Start
from bullpen.server.store.interface import Batch, NewTableRow, RecordRow, Row
from bullpen.server.store.places import open_store
from bullpen.server.tables import steps
from bullpen.server.tables.requests import steps_for
from bullpen.server.tables.table import Table
from tests.frozen.playing import (
    PLAYERS,
    caller,
    choose,
    digest,
    events_of,
    games_and_options,
    play,
    shortened,
    state,
)  # fmt: skip

HERE = Path(__file__).parent


def record_of(kind: Any, options: dict[str, Any]) -> Record:
    """Play a short game by chance."""
    players = min(kind.player_counts(options), key=lambda count: abs(count - PLAYERS))
    name = f"{kind.id} {kind.behaviour} {sorted(options)}"
    game, dice = Game(kind(players, shortened(kind, options)), Seeded(name)), random.Random(name)
    while not game.over:
        ask = dice.choice(game.asks)
        game.choose(dice.choice(ask.seats), choose(dice, ask))
    return game.record


def records() -> str:
    """Return a line for every game and option: what is agreed on, the record, what happens in it."""
    lines = []
    for kind, options in games_and_options():
        record = record_of(kind, options)
        events = events_of(record)
        agreed = {key: str(value)[:20] for key, value in options.items()}
        line = {
            "agreed": agreed,
            "events": len(events),
            "digest": digest(events),
            "record": json.loads(record.dumps()),
        }
        lines.append(msgspec.json.encode(line).decode())
    return "\n".join(lines) + "\n"


class Kept:
    """A table of which every step is written down."""

    def __init__(self, game: str, number: int) -> None:
        kind = find(game)
        players = min(kind.player_counts({}), key=lambda count: abs(count - PLAYERS))
        code = "".join(chr(65 + number // 26**place % 26) for place in (3, 2, 1, 0))
        created = steps.Created(
            at=1_000_000,
            code=code,
            game=game,
            players=players,
            options=shortened(kind, {}),
            settings=Settings(),
            secret=f"{number:064x}",
            behaviour=kind.behaviour,
            fair=2,
        )
        self.table = Table(f"frozen{number}", created)
        self.rows = [self._row(created)]
        self.folds: list[Row] = []
        self.records: list[RecordRow] = []

    def _row(self, step: Any) -> Row:
        return Row(self.table.id, self.table.number, steps.encode(step))

    def do(self, step: steps.AnyStep) -> None:
        """Carry a step out and write it down, and at the end of a game what is kept of it."""
        news = self.table.apply(step)
        self.rows.append(self._row(step))
        if news.over:
            self.folds.append(self._row(self.table.fold(step.at)))
            self.records.append(record_row(self.table, step.at))

    def say(self, message: Any, seat: int) -> None:
        """Do what somebody sends."""
        for step in steps_for(message, self.table, caller(self.table, seat)):
            self.do(step)

    def begin(self) -> None:
        """Let everybody sit down, and deal."""
        for seat in range(len(self.table.chairs)):
            self.say(Sit(id=f"sit{seat}", name=f"Player {seat + 1}"), seat)
        self.say(Start(id="start"), 0)


def tables() -> list[Kept]:
    """Make a table in each state for every game: nobody has played, in the middle, over, in a second game."""
    found: list[Kept] = []
    for game in own_games():
        for choices in (0, 25, 100_000, None):
            kept = Kept(game, len(found))
            dice = random.Random(kept.table.id)
            kept.begin()
            play(kept.table, dice, kept.do, 100_000 if choices is None else choices)
            if choices is None:
                kept.say(Rematch(id="again"), 0)
                play(kept.table, dice, kept.do, 15)
            found.append(kept)
    waiting = Kept("base", len(found))
    waiting.say(Sit(id="sit0", name="Player 1"), 0)
    return [*found, waiting]


def write_store(path: Path) -> list[dict[str, Any]]:
    """Write all tables into a new store, and return what they are and how they end."""
    store, told = open_store(str(path)), []
    for kept in tables():
        table = kept.table
        store.write(Batch([NewTableRow(table.id, table.code, 1_000_000)], kept.rows))
        for fold in kept.folds:
            store.write(Batch(folds=[fold]))
        store.write(Batch(records=kept.records))
        told.append({"table": table.id, "game": table.rules.id, "state": state(table), "ends": end_of(kept)})
    store.close()
    return told


def end_of(kept: Kept) -> list[int] | None:
    """Return the scores at the end, played on by chance in a way that anybody can repeat."""
    if kept.table.phase != "playing":
        return None
    again = Table.replayed(kept.table.id, [steps.decode(row.body) for row in kept.rows])
    play(again, random.Random(f"on {again.id}"), again.apply)
    assert again.game is not None
    assert again.game.result is not None
    return list(again.game.result.scores)


def main(version: str) -> None:
    """Write the folder of a version."""
    folder = HERE / version
    folder.mkdir()
    (folder / "records.jsonl.gz").write_bytes(gzip.compress(records().encode(), 9, mtime=0))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "store.db"
        told = write_store(path)
        (folder / "store.db.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    (folder / "tables.json").write_text(json.dumps(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else __version__)

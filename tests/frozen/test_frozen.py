"""What earlier versions have written is read, played on and replayed by this one, for ever."""

import gzip
import json
import random
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bullpen.records import Record
from bullpen.rulesets import behaviours, find, own_games
from bullpen.server.live.road import record_row
from bullpen.server.live.rooms import read
from bullpen.server.store.interface import Batch, Row
from bullpen.server.store.places import open_store, open_to_read
from bullpen.server.tables import steps
from bullpen.server.tables.proof import verify
from bullpen.server.tables.remains import cannot_go_on
from bullpen.server.tables.table import Table
from tests.frozen.playing import digest, events_of, games_and_options, play, state

HERE = Path(__file__).parent
VERSIONS = sorted(folder.name for folder in HERE.iterdir() if (folder / "tables.json").exists())


class Line(msgspec.Struct):
    """A frozen record: what was agreed on besides what shortens it, and what happened."""

    agreed: dict[str, str]
    events: int
    digest: str
    record: msgspec.Raw


@cache
def lines(version: str) -> list[Line]:
    """Return the frozen records of a version."""
    packed = (HERE / version / "records.jsonl.gz").read_bytes()
    return [msgspec.json.decode(line, type=Line) for line in gzip.decompress(packed).splitlines()]


def frozen_records() -> list[Any]:
    """Return every frozen record with a name."""
    return [
        pytest.param(line, id=f"{version}-{place}")
        for version in VERSIONS
        for place, line in enumerate(lines(version))
    ]


@pytest.fixture(scope="module", params=VERSIONS)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """The store of a version, unpacked, and what was said of its tables."""
    folder = HERE / request.param
    path = tmp_path_factory.mktemp(request.param) / "store.db"
    path.write_bytes(gzip.decompress((folder / "store.db.gz").read_bytes()))
    return path, json.loads((folder / "tables.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("line", frozen_records())
def test_a_record_replays_to_the_same_events(line: Line) -> None:
    record = Record.loads(bytes(line.record))
    events = events_of(record)
    assert (len(events), digest(events)) == (line.events, line.digest), (record.game, line.agreed)
    assert Record.loads(record.dumps()) == record


def test_every_game_and_every_value_of_an_option_is_frozen() -> None:
    frozen = {
        (record["game"], record["behaviour"], tuple(line.agreed.items()))
        for version in VERSIONS
        for line in lines(version)
        for record in [json.loads(bytes(line.record))]
    }
    wanted = {
        (kind.id, kind.behaviour, tuple((key, str(value)[:20]) for key, value in options.items()))
        for kind, options in games_and_options()
    }
    assert wanted <= frozen, "python -m tests.frozen.make NAME freezes what is new, in a folder of its own"


def test_no_default_has_changed_under_a_behaviour() -> None:
    """What a table agreed on instead of a default cannot be that default now: records leave defaults out."""
    for version in VERSIONS:
        for line in lines(version):
            record = json.loads(bytes(line.record))
            offers = find(record["game"], record["behaviour"]).offers
            defaults = {option.key: str(option.default)[:20] for option in offers}
            assert not line.agreed.items() & defaults.items(), (record["game"], record["behaviour"])


def test_no_behaviour_that_was_frozen_is_forgotten() -> None:
    for version in VERSIONS:
        for line in lines(version):
            record = json.loads(bytes(line.record))
            assert record["behaviour"] in behaviours(record["game"])


def test_a_store_is_opened_and_its_tables_are_what_they_were(kept: tuple[Path, list[Any]]) -> None:
    path, told = kept
    store = open_store(str(path))
    for each in told:
        found = store.find_table(each["table"])
        assert found is not None
        table, _ = read(*found)
        assert state(table) == each["state"], each["game"]
    store.close()
    phases = {(each["game"], each["state"]["phase"]) for each in told}
    assert phases >= {(game, phase) for game in own_games() for phase in ("playing", "over")}


def test_running_tables_are_played_on_to_the_same_end_and_kept(
    kept: tuple[Path, list[Any]], tmp_path: Path
) -> None:
    path, told = kept
    shutil.copy(path, tmp_path / "store.db")
    store, ended = open_store(str(tmp_path / "store.db")), 0
    for each in told:
        if each["ends"] is None:
            continue
        name, bodies = store.find_table(each["table"]) or ("", [])
        table, _ = read(name, bodies)
        first, log = table.number, list[steps.AnyStep]()

        def do(step: steps.AnyStep, table: Table = table, log: list[steps.AnyStep] = log) -> None:
            table.apply(step)
            log.append(step)

        play(table, random.Random(f"on {table.id}"), do)
        assert table.game is not None
        assert table.game.result is not None
        assert list(table.game.result.scores) == each["ends"], each["game"]
        rows = [Row(name, first + place, steps.encode(step)) for place, step in enumerate(log, start=1)]
        store.write(Batch(steps=rows, records=[record_row(table, 1)]))
        again = store.find_table(name)
        assert again is not None
        assert state(read(*again)[0]) == state(table)
        ended += 1
    store.close()
    assert ended >= 2 * len(own_games())


def test_finished_games_of_a_store_are_fair_and_replay(kept: tuple[Path, list[Any]]) -> None:
    path, _ = kept
    care = open_to_read(str(path))
    names = [name.removeprefix("game ") for name, _ in care.beginnings() if name.startswith("game ")]
    for name in names:
        record = Record.loads(care.record(name) or "")
        if record.deals:  # who picks the cards of Logic needs no chance
            assert verify(record).piles == len(record.deals)
        assert events_of(record)
    assert list(cannot_go_on(care.beginnings())) == []
    assert care.check() == []
    care.close()
    assert len(names) >= 2 * len(own_games())

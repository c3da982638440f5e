"""A small store to look after."""

from pathlib import Path

import pytest

from bullpen.server.protocol import NewTable
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Batch, NewTableRow, RecordRow, Row
from bullpen.server.tables import steps
from bullpen.server.tables.opening import new_table
from bullpen.server.tables.table import Table
from tests.server.places import Place


def log_of(table: Table, *people: str) -> list[steps.AnyStep]:
    """A log in which people sit down, and after that one goes and comes back again and again."""
    new: list[steps.AnyStep] = [
        steps.Sat(at=10 + seat, who=who, message=f"sit-{seat}", seat=seat, name=who.capitalize())
        for seat, who in enumerate(people)
    ]
    new.append(steps.Started(at=20))
    new += [steps.Away(at=30 + turn, seat=0, away=turn % 2 == 0) for turn in range(400)]
    for step in new:
        table.apply(step)
    return [table.created, *new]


def fill(place: Place) -> None:
    """Put three tables into a store, a finished game of the first, and an upload."""
    store = place.open()
    for number, code in enumerate(("ABCD", "EFGH", "IJKL")):
        table = new_table(NewTable(game="base", players=2), Sources(), ())
        table.id, table.code = f"table{number}", code
        rows = [
            Row(table.id, place, steps.encode(step))
            for place, step in enumerate(log_of(table, "annwho", "benwho"), start=1)
        ]
        store.write(Batch([NewTableRow(table.id, code, number)], rows))
    names = b'{"names":["Ann","Ben"]}'
    people = (("annwho", 0), ("benwho", 1))
    store.write(Batch(records=[RecordRow("table0-1", "base", 5, names, names.decode(), people)]))
    store.write(Batch(records=[RecordRow("up-1", "base", 5, names, names.decode(), (("annwho", -1),))]))
    store.close()


@pytest.fixture
def filled(place: Place) -> Place:
    """A small store of either kind."""
    fill(place)
    return place


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small store in a file."""
    place = Place("sqlite", tmp_path)
    fill(place)
    return place.path

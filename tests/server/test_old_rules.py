"""Tables and games of rules that this version does not play any more: everybody is told."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bullpen.cli import main
from bullpen.engine import RecordError
from bullpen.game import new_game
from bullpen.records import Record, rules_of
from tests.server.client import call, create, person
from tests.server.places import Place
from tests.server.running import Server, server

NOW, THEN = '"behaviour":2', '"behaviour":1'


def as_if_long_ago(place: Place) -> None:
    """Make what is kept of the board games that of behaviour 1, which was never released."""
    for kind in ("steps", "folds"):
        place.change(
            f"UPDATE {kind} SET body = CAST(replace(CAST(body AS TEXT), '{NOW}', '{THEN}') AS BLOB)"
            f" WHERE CAST(body AS TEXT) LIKE '%board-basic%'"
        )
    place.change("""UPDATE records SET body = replace(body, '"behaviour": 2', '"behaviour": 1')""")


async def knock(running: Server, code: str) -> tuple[str, int]:
    """Return what a socket at a table is told, and how it is closed."""
    address = running.url.replace("http", "ws", 1)
    async with connect(f"{address}/ws/{code}", origin=running.url) as socket:  # type: ignore[arg-type]
        told = msgspec.json.decode(await socket.recv())
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        return str(told["code"]), closed.value.rcvd.code


def test_a_table_of_rules_that_are_gone_is_told_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = Place("sqlite", tmp_path)
    with server(place) as running:
        ann = person(running, "Ann")
        old = create(running, ann, "board-basic", 2, bots=["random"], start=True)
        young = create(running, ann, "base", 2, bots=["random"], start=True)
        running.stop()
        as_if_long_ago(place)
        running.start()
        answer = call(running, "GET", f"/api/tables/{old}")
        assert (answer.status_code, answer.json()["code"]) == (410, "old-rules")
        assert "rules that this version no longer plays" in answer.json()["says"]
        assert call(running, "GET", f"/api/tables/{young}").status_code == 200
        assert asyncio.run(knock(running, old)) == ("old-rules", 4404)
        listed = {table["code"]: table for table in call(running, "GET", "/api/me", ann).json()["tables"]}
        assert (listed[old]["phase"], listed[old]["names"][0]) == ("old", "P0")
        assert listed[young]["phase"] == "playing"
    assert "a table cannot go on" in place.log.read_text()
    assert "behaviour 1 of board-basic" in place.log.read_text()
    capsys.readouterr()
    assert main(["admin", "--store", place.name, "check"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert f"The table {old} (" in told[0]
    assert told[0].endswith("behaviour 1 of board-basic; this program plays 2.")
    assert [line.endswith(": nothing is damaged.") for line in told] == [False, True]


def test_a_table_of_rules_that_are_gone_stays_in_the_archive(tmp_path: Path) -> None:
    place = Place("sqlite", tmp_path)
    with server(place) as running:
        code = create(running, person(running, "Ann"), "board-basic", 2, bots=["random"], start=True)
        running.stop()
        as_if_long_ago(place)
        place.change("UPDATE tables SET archived = 1")
        running.start()
        assert call(running, "GET", f"/api/tables/{code}").status_code == 410
        assert place.ask("SELECT archived FROM tables") == [(1,)]


def test_a_game_can_be_asked_for_under_an_earlier_behaviour(tmp_path: Path) -> None:
    with server(Place("sqlite", tmp_path)) as running:
        today = call(running, "GET", "/api/games/buffalo").json()
        then = call(running, "GET", "/api/games/buffalo?behaviour=1").json()
        assert (today["behaviour"], then["behaviour"]) == (2, 1)
        assert call(running, "GET", "/api/games/buffalo?behaviour=7").status_code == 404
        assert call(running, "GET", "/api/games/buffalo?behaviour=one").status_code == 400


def test_a_record_of_rules_that_are_gone_loads_and_says_so() -> None:
    game = new_game("board-basic", 2, seed=1)
    record = game.record
    record.behaviour = 1
    again = Record.loads(record.dumps())
    assert again.behaviour == 1
    with pytest.raises(RecordError, match="behaviour 1 of board-basic; this program plays 2"):
        rules_of(again)

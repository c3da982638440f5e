"""Whole games over real sockets, of every game there is."""

import asyncio
from collections.abc import Iterator

import pytest

from bullpen.records import Record, check
from bullpen.rulesets import find, games
from bullpen.server.tables.proof import verify
from tests.server.client import Person, call, full_table, run
from tests.server.places import USUAL, Place
from tests.server.running import Server, server


@pytest.fixture(scope="module", params=USUAL)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(Place(request.param, tmp_path_factory.mktemp("play"))) as started:
        yield started


def two_or_more(game: str) -> int:
    """A small number of players that can play a game."""
    return min(count for count in find(game).player_range if count >= 2)


@pytest.mark.parametrize("game", games())
def test_a_whole_game(running: Server, game: str) -> None:
    players = two_or_more(game)

    async def play() -> list[Person]:
        code, cookies = full_table(running, game, players)
        people = [Person(running, code, cookie, seed) for seed, cookie in enumerate(cookies)]
        watcher = Person(running, code)
        for somebody in [*people, watcher]:
            await somebody.ready()
        assert (await people[0].request({"type": "start"}))["type"] == "ack"
        await asyncio.gather(
            *(somebody.play() for somebody in people), watcher.until(lambda: watcher.phase == "over")
        )
        for somebody in [*people, watcher]:
            await somebody.close()
        return [*people, watcher]

    *people, watcher = run(play())
    assert [somebody.seat for somebody in people] == list(range(players))
    assert watcher.seat is None
    assert watcher.state["ask"] is None
    for somebody in [*people, watcher]:
        assert somebody.refusals == []
        assert somebody.snapshots == 1
        assert somebody.events[-1]["type"] == "GameEnded"
    (record_id,) = watcher.state["table"]["records"]
    record = Record.loads(call(running, "GET", f"/api/records/{record_id}").content)
    assert check(record).result == record.result
    assert record.names == tuple(f"P{seat}" for seat in range(players))
    if record.deals:
        assert verify(record).piles == len(record.deals)

"""A server that is killed again and again under load forgets nothing that it confirmed."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest

from bullpen.rulesets import games
from bullpen.server.tables import steps
from bullpen.server.tables.table import News, Table
from tests.conftest import SOAK
from tests.postgres import Cluster, need_programs
from tests.server.client import Stubborn, create, full_table, person, run
from tests.server.launch import LEASE
from tests.server.places import ONLY, Place
from tests.server.running import Server, server
from tests.server.test_play import two_or_more

KILLS = {"sqlite": 1000 if SOAK else 20, "postgres": 100 if SOAK else 2}
"""In a database a table waits for the end of a dead process's lease, so there is less to see in the time."""
DATABASE_KILLS = 50 if SOAK else 2


async def under_load(people: list[Stubborn], kills: int, wait: float, kill: Callable[[], None]) -> None:
    """Let everybody play while something is killed and started again; then let the games end."""
    stop = asyncio.Event()
    pauses = random.Random(7)
    players = [asyncio.create_task(somebody.play_on(0.05, stop)) for somebody in people]
    for _ in range(kills):
        await asyncio.sleep(wait + 0.05 + pauses.random() * 0.5)
        await asyncio.to_thread(kill)
    stop.set()
    await asyncio.wait_for(asyncio.gather(*players), 240)


KEEP = {
    "sqlite": """
        CREATE TABLE kept (table_id, number, body);
        CREATE TRIGGER keep BEFORE DELETE ON steps
            BEGIN INSERT INTO kept VALUES (OLD.table_id, OLD.number, OLD.body); END
    """,
    "postgres": """
        CREATE TABLE kept AS SELECT * FROM steps WITH NO DATA;
        CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS
            $$BEGIN INSERT INTO kept VALUES (OLD.*); RETURN OLD; END$$;
        CREATE TRIGGER keep BEFORE DELETE ON steps FOR EACH ROW EXECUTE FUNCTION keep()
    """,
}
"""How a store is told to keep what it may forget once a game is folded."""


def keep_folded_steps(place: Place) -> None:
    """Let a store keep every step, so that every answer can be checked."""
    place.script(KEEP[place.kind])


def logs(place: Place) -> dict[str, list[steps.AnyStep]]:
    """Every table's steps by its code, with no number missing."""
    found: dict[str, list[steps.AnyStep]] = {}
    rows = place.ask(
        "SELECT t.code, s.number, s.body FROM (SELECT * FROM kept UNION ALL SELECT * FROM steps) s"
        " JOIN tables t ON t.id = s.table_id ORDER BY t.code, s.number"
    )
    for code, number, body in rows:
        log = found.setdefault(code, [])
        step = steps.decode(body)
        assert not isinstance(step, steps.Folded)
        log.append(step)
        assert number == len(log)
    return found


def told(table_id: str, log: list[steps.AnyStep]) -> list[News]:
    """What each step of a log brings about."""
    created, *others = log
    assert isinstance(created, steps.Created)
    table = Table(table_id, created)
    return [News(), *(table.apply(step) for step in others)]


def seen(news: list[News], seat: int | None) -> list[object]:
    """The events of some steps as a seat sees them, as they would travel."""
    facts = [event.seen_by(seat) for item in news for event in item.events]
    return list(msgspec.json.decode(msgspec.json.encode([fact for fact in facts if fact is not None])))


def seated(running: Server, names: Iterable[str]) -> dict[str, list[Stubborn]]:
    """Tables of those games with people and a spectator, and one against bots, by code."""
    people: dict[str, list[Stubborn]] = {}
    for game in names:
        code, cookies = full_table(running, game, two_or_more(game))
        people[code] = [
            Stubborn(running, code, cookie, f"{code}{seat}") for seat, cookie in enumerate(cookies)
        ]
        people[code].append(Stubborn(running, code, "", f"{code}-watching"))
        for somebody in people[code]:
            somebody.host = people[code][0]
    cookie = person(running, "Ann")
    code = create(running, cookie, "base", 3, bots=["random", "random"])
    people[code] = [Stubborn(running, code, cookie, "against bots")]
    return people


def everybody(people: dict[str, list[Stubborn]]) -> list[Stubborn]:
    return [somebody for group in people.values() for somebody in group]


def test_nothing_confirmed_is_lost(place: Place) -> None:
    with server(place) as running:

        def kill() -> None:
            running.kill()
            running.start()

        keep_folded_steps(place)
        people = seated(running, games())
        kills, wait = KILLS[place.kind], 0.0 if place.kind == "sqlite" else LEASE
        run(under_load(everybody(people), kills, wait, kill))
    assert confirmed(logs(place), people) > 10 * kills


@pytest.mark.skipif(ONLY == "sqlite", reason="a file has no process that could be killed")
def test_nothing_confirmed_is_lost_when_the_database_is_killed(tmp_path: Path) -> None:
    need_programs()
    cluster = Cluster.make()
    cluster.start()

    def kill() -> None:
        cluster.kill()
        cluster.start()

    try:
        cluster.do("CREATE DATABASE tables")
        place = Place("postgres", tmp_path, address=cluster.address("tables"))
        with server(place) as running:
            keep_folded_steps(place)
            people = seated(running, ("base", "tactics", "double"))
            run(under_load(everybody(people), DATABASE_KILLS, 0.5, kill))
        assert confirmed(logs(place), people) > 10 * DATABASE_KILLS
    finally:
        cluster.remove()


def confirmed(found: dict[str, list[steps.AnyStep]], people: dict[str, list[Stubborn]]) -> int:
    """Check that what people were told is what the logs hold, once; return how many answers that were."""
    acked = 0
    for code, group in people.items():
        log = found[code]
        news = told(str(group[0].state["table"]["id"]), log)
        messages = Counter(step.message for step in log if step.message)
        assert max(messages.values()) == 1, "a message was applied twice"
        for somebody in group:
            assert somebody.phase == "over"
            assert somebody.last == len(log)
            for message, number in somebody.acks.items():
                if number:
                    acked += 1
                    # The step that settles a team's vote comes right after the vote.
                    assert message in {step.message for step in log[number - 2 : number]}, "it is missing"
            for since, number, events in somebody.told:
                assert msgspec.json.decode(events) == seen(news[since:number], somebody.seat)
    return acked

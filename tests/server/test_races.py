"""Things that happen at the same time."""

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest

from bullpen.server.tables import steps
from bullpen.server.tables.table import RECENT
from tests.server.client import Person, full_table, run
from tests.server.places import USUAL, Place
from tests.server.running import Server, server


@pytest.fixture(scope="module", params=USUAL)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(Place(request.param, tmp_path_factory.mktemp("races"))) as started:
        yield started


async def started(running: Server, game: str, players: int, **settings: object) -> list[Person]:
    """People at a table whose game has begun."""
    code, cookies = full_table(running, game, players, settings=settings)
    people = [Person(running, code, cookie, seed) for seed, cookie in enumerate(cookies)]
    for somebody in people:
        await somebody.ready()
    answer = await people[0].request({"type": "start"})
    for somebody in people:
        await somebody.until_number(answer["number"])
    return people


def test_ten_seats_answer_at_once(running: Server) -> None:
    async def play() -> list[Person]:
        people = await started(running, "base", 10)
        for _ in range(9):
            answers = await asyncio.gather(*(somebody.choose() for somebody in people if somebody.open_ask))
            assert [answer["type"] for answer in answers] == ["ack"] * len(answers)
            last = max(answer["number"] for answer in answers)
            while people[0].state["waiting"] and not all(who.open_ask for who in people):
                # Somebody has a row to choose before the next trick.
                for somebody in people:
                    await somebody.until_number(last)
                asked = [who for who in people if who.open_ask]
                if len(asked) == 10:
                    break
                last = (await asked[0].choose())["number"]
        return people

    people = run(play())
    assert all(somebody.refusals == [] for somebody in people)


def test_take_back_races_with_the_last_answer(running: Server) -> None:
    async def race() -> Counter[str]:
        outcomes: Counter[str] = Counter()
        one, other = await started(running, "base", 2)
        for _ in range(40):
            for somebody in (one, other):
                await somebody.until_number(max(one.last, other.last))
            if one.phase != "playing":
                break
            ask = one.open_ask
            if ask is None or other.open_ask is None or not ask["secret"]:
                await (one if one.open_ask else other).choose()
                continue
            await one.choose()
            await other.until_number(one.last)
            back, last = await asyncio.gather(
                one.request({"type": "take_back", "ask": ask["number"]}), other.choose()
            )
            assert last["type"] == "ack"
            outcomes[back["type"]] += 1
            for somebody in (one, other):
                await somebody.until_number(max(one.last, other.last))
            if back["type"] == "ack":
                assert one.open_ask == ask, "the answer was taken back, so the question is open again"
                await one.choose()
            else:
                assert back["code"] == "too-late"
        return outcomes

    outcomes = run(race())
    assert outcomes.total() > 5
    assert set(outcomes) <= {"ack", "error"}


def test_resume_at_every_number(running: Server) -> None:
    async def play() -> None:
        one, other = await started(running, "tactics", 2, clock=0)
        await asyncio.gather(one.play(), other.play())
        starts = [update["since"] for update in one.updates]
        first = next(update["number"] for update in one.updates if update["events"])
        for number in range(1, one.last + 1):
            late = Person(running, one.code, one.cookie, number)
            late.last = number
            await late.connect()
            await late.until(lambda who=late: bool(who.acks))  # type: ignore[misc]
            if number < max(first - 1, one.last - RECENT):
                assert late.snapshots == 1, "news of long ago and from before the game are not kept"
            elif number in starts:
                missed = [
                    event for update in one.updates if update["since"] >= number for event in update["events"]
                ]
                assert late.events == missed
                assert late.snapshots == 0
            if number < one.last:
                assert late.state["view"] == one.state["view"]
                assert late.last == one.last
            await late.close()
        beyond = Person(running, one.code, one.cookie, "beyond")
        beyond.last = one.last + 1
        await beyond.ready()
        assert beyond.snapshots == 1
        assert beyond.last == one.last

    run(play())


def test_the_clock_and_an_answer_in_the_same_moment(running: Server) -> None:
    async def duel(seed: int) -> tuple[str, str]:
        one, other = await started(running, "base", 2, clock=1)
        left = one.state["clock"]["left"]
        ask = one.open_ask
        assert ask is not None
        await other.choose()
        await asyncio.sleep((left - 8 + seed) / 1000)
        answer = await one.request({"type": "choose", "ask": ask["number"], "choice": one.pick(ask)})
        await one.until(lambda: one.state["ask"] != ask)
        return one.code, answer.get("code", "ack")

    async def duels() -> list[tuple[str, str]]:
        return await asyncio.gather(*(duel(seed) for seed in range(16)))

    results = run(duels())
    assert {outcome for _, outcome in results} <= {"ack", "too-late"}
    query = "SELECT s.body FROM steps s JOIN tables t ON t.id = s.table_id WHERE t.code = ? ORDER BY s.number"
    for code, outcome in results:
        log = [steps.decode(body) for (body,) in running.place.ask(query, code)]
        first = next(step for step in log if isinstance(step, steps.Chosen) and step.seat == 0)
        assert first.by == ("person" if outcome == "ack" else "clock")

"""Hints and reviews: from what a seat sees, in their turn, noted, kept, and never of a running game."""

import asyncio
import contextlib
import io
import random
from collections.abc import AsyncIterator
from typing import Any

import httpx
import msgspec
import numba
import pytest

from bullpen.analysis import game_at, shapes
from bullpen.engine import Seeded, imagine, new_game, view
from bullpen.records import Record
from bullpen.rulesets import games, make
from bullpen.server import protocol
from bullpen.server.config import Config
from bullpen.server.doors.app import App
from bullpen.server.limits import Limits, Rate
from bullpen.server.live import analyst, findings
from bullpen.server.live.analysis_process import (
    FOUND,
    PARTS,
    PROGRESS,
    REFUSED,
    AnalysisProcess,
    HintJob,
    ReviewJob,
    Work,
)
from bullpen.server.live.analysis_worker import _Watch, answer, compiling
from bullpen.server.live.analyst import Analyst
from bullpen.server.store.interface import Batch, RecordRow, StoreError
from bullpen.server.tables import steps
from bullpen.server.tables.opening import new_table
from bullpen.server.tables.table import Table
from tests.games_by_chance import by_chance
from tests.server.fakes import FakeSources, FakeStore
from tests.server.places import Place
from tests.server.test_records import played

HINT = protocol.Hint(
    0,
    "bullheads",
    "less",
    (
        protocol.Worth(
            choice="44",
            answer=protocol.AskOption("44", "PlayCard"),
            goes=(),
            mean=1.0,
            cost=0.0,
            take_chance=0.1,
            take_cost=5.0,
            win_chance=0.5,
            reasons=(),
        ),
    ),
)
REVIEW = protocol.Review(
    version=1,
    game="base",
    unit="bullheads",
    better="less",
    decisions=(),
    players=(),
    shares=(),
    turning_points=(),
)


def never() -> bool:
    return False


def quiet(_share: float) -> None: ...


class Scene:
    """A server whose analyst thinks when it is told to."""

    def __init__(self, limits: Limits | None = None, **more: Any) -> None:
        self.store = FakeStore()
        self.app = App(Config(limits=limits or Limits(), **more), self.store)
        self.gate = asyncio.Event()
        self.gate.set()
        self.jobs: list[Any] = []
        self.said: dict[str, str] = {
            "hint": FOUND + msgspec.json.encode(HINT).decode(),
            "review": FOUND + msgspec.json.encode(REVIEW).decode(),
        }
        self.ended = 0
        hub = self.app.hub
        self.app.door.analyst = Analyst(
            hub.config.limits, hub.keep_review, on=hub.config.analysis, start=self._start
        )

    async def _start(self) -> "Scene":
        return self

    async def ask(self, work: Work) -> str:
        self.jobs.append(work.job)
        work.done, work.parts = 0.25, None
        await self.gate.wait()
        said = self.said[work.level]
        if said == "dies":
            raise EOFError("the process is gone")
        return said

    async def end(self) -> None:
        self.ended += 1


@contextlib.asynccontextmanager
async def serving(scene: Scene) -> AsyncIterator[httpx.AsyncClient]:
    """Serve within this process, as somebody who is called Ann."""
    await scene.app.hub.open()
    transport = httpx.ASGITransport(scene.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        (await client.post("/api/me", json={"name": "Ann"})).raise_for_status()
        yield client
    await scene.app.door.analyst.close()
    await scene.app._keeper.close()
    await scene.app.hub.writer.stop()


async def begun(client: httpx.AsyncClient, **more: Any) -> dict[str, Any]:
    """Make a table against a bot, and return it."""
    wish = {"game": "base", "players": 2, "name": "Ann", "bots": ["easy"], "start": True}
    made = await client.post("/api/tables", json={**wish, "unlimited": True, **more})
    assert made.status_code == 201, made.text
    table: dict[str, Any] = made.json()["table"]
    return table


def asked(scene: Scene, table: dict[str, Any]) -> int:
    room = scene.app.hub.rooms.get(table["id"])
    assert room is not None
    return room.table.asked


async def ask_hint(client: httpx.AsyncClient, table: dict[str, Any], ask: int) -> httpx.Response:
    return await client.post(f"/api/tables/{table['code']}/hint", json={"ask": ask})


# What is found out.


def test_the_version_is_the_one_that_reviews_are_kept_under() -> None:
    assert shapes.VERSION == analyst.VERSION


@pytest.mark.parametrize("game", ["base", "buffalo"])
def test_a_hint_is_the_same_whatever_the_seat_cannot_see(game: str) -> None:
    rules = make(game, 3)
    position, _ = new_game(rules, Seeded(5))
    seen = view(rules, position, 1)
    other = imagine(rules, seen, random.Random(1))
    assert other.hands != position.hands, "the others hold other cards there"
    hints = {
        findings.hint(HintJob(7, view(rules, world, 1), ("easy", "", "expert"), 20.0), quiet, never)
        for world in (position, other)
    }
    assert len(hints) == 1
    told = msgspec.json.decode(hints.pop(), type=protocol.Hint)
    assert seen.ask is not None
    assert {option.choice for option in told.options} <= {option.notation for option in seen.ask.options}
    assert [option.cost for option in told.options] == sorted(option.cost for option in told.options)


def test_a_worker_tells_progress_and_finds_a_whole_review() -> None:
    record, shares = played(1), list[float]()
    said = answer(ReviewJob(record.dumps(), 500, 300.0), shares.append, never)
    assert said.startswith(FOUND), said
    told = msgspec.json.decode(said[1:], type=protocol.Review)
    assert len(told.decisions) == len(record.choices)
    assert shares[-1] == 1.0
    kept = [worth for decision in told.decisions for worth in decision.options]
    assert all(worth.answer.notation == worth.choice for worth in kept)
    assert all(worth.goes for worth in kept), "of every card and every row it is told where it leads"
    assert any(player.luckiest for player in told.players)
    for player in told.players:
        assert player.par + player.deal + player.others + player.own == 1000 * player.result


def test_what_has_to_be_compiled_is_told_as_long_as_nothing_is_done() -> None:
    out = io.BytesIO()
    watch = _Watch(out, 10.0)
    with compiling(watch.part):
        numba.njit(lambda x: x + 1)(1)
    watch.progress(0.5)
    watch.part()
    told = [text.decode() for text in out.getvalue().split(b"\0\0\0") if text]
    assert [text[1] for text in told] == [PARTS, PROGRESS]

    async def follow() -> None:
        work, seen = Work(ReviewJob("{}", 1, 1.0)), list[tuple[int | None, float]]()
        said = iter(["~0", "~12", "%0.25", "=done"])

        class Told(AnalysisProcess):
            async def _send(self, job: msgspec.Struct) -> None: ...

            async def _read(self) -> str:
                seen.append((work.parts, work.done))
                return next(said)

        assert await Told(None).ask(work) == "=done"  # type: ignore[arg-type]
        assert seen == [(0, 0.0), (0, 0.0), (12, 0.0), (None, 0.25)]

    asyncio.run(follow())


def test_what_cannot_be_reviewed_is_refused_in_a_sentence() -> None:
    running = played(3)
    running.result = None
    for text, most in ((running.dumps(), 500), (played(3).dumps(), 5), ("{}", 500)):
        said = answer(ReviewJob(text, most, 60.0), quiet, never)
        assert said.startswith(REFUSED), said
        assert said.endswith("."), said


def test_a_real_process_answers_and_may_die() -> None:
    async def play() -> None:
        rules = make("base", 2)
        position, _ = new_game(rules, Seeded(1))
        job = HintJob(1, view(rules, position, 0), ("", "easy"), 30.0)
        started: list[AnalysisProcess] = []

        async def start() -> AnalysisProcess:
            started.append(await AnalysisProcess.start())
            return started[-1]

        async def keep(_record: str, _version: int, _body: bytes) -> None: ...

        thinking = Analyst(Limits(), keep, start=start)
        first = thinking.begin("one", "ann", "192.0.2.1", job)
        await asyncio.wait_for(first.over.wait(), 120)
        assert first.found is not None
        await started[0].end()
        lost = thinking.begin("two", "ann", "192.0.2.1", job)
        await asyncio.wait_for(lost.over.wait(), 120)
        assert lost.refused is not None
        assert thinking.known("two") is None, "it may be tried again"
        again = thinking.begin("two", "ann", "192.0.2.1", job)
        await asyncio.wait_for(again.over.wait(), 120)
        assert again.found == first.found
        await thinking.close()

    asyncio.run(play())


# Hints at a table.


def test_a_hint_is_noted_once_and_told_to_everybody() -> None:
    async def play() -> None:
        scene = Scene()
        async with serving(scene) as client:
            table = await begun(client)
            assert table["hints"] is True
            number = asked(scene, table)
            answers = [await ask_hint(client, table, number) for _ in range(3)]
            assert [one.status_code for one in answers] == [200] * 3, answers[0].text
            assert answers[0].json()["hint"]["options"][0]["choice"] == "44"
            assert len(scene.jobs) == 1, "the second time it is known"
            info = (await client.get(f"/api/tables/{table['code']}")).json()["table"]
            assert info["hinted"] == [1, 0]
            room = scene.app.hub.rooms.get(table["id"])
            assert room is not None
            assert [hint.seat for hint in Record.loads(room.table.record().dumps()).hints] == [0]
            job = scene.jobs[0]
            assert job.view.seat == 0
            assert set(job.view.position.hands[1]) == {0}, "the other hand lies face down"

    asyncio.run(play())


def test_a_hint_is_refused_where_it_is_not_due() -> None:
    async def play() -> None:
        scene = Scene()
        async with serving(scene) as client:
            off = await begun(client, settings={"hints": False})
            refused = await ask_hint(client, off, asked(scene, off))
            assert (refused.status_code, refused.json()["says"]) == (409, "This table plays without hints.")
            table = await begun(client)
            number = asked(scene, table)
            for wrong, code in ((number - 1, "too-late"), (number + 5, "not-asked")):
                assert (await ask_hint(client, table, wrong)).json()["code"] == code
            room = scene.app.hub.rooms.get(table["id"])
            assert room is not None
            choice = room.table.ask_of(0).options[0].notation  # type: ignore[union-attr]
            scene.app.hub.do(room, steps.Chosen(at=1, seat=0, choice=choice))
            assert (await ask_hint(client, table, number)).json()["code"] == "too-late"
            stranger = httpx.AsyncClient(
                transport=httpx.ASGITransport(scene.app), base_url="http://localhost"
            )
            async with stranger:
                assert (await ask_hint(stranger, table, number)).status_code == 401
                (await stranger.post("/api/me", json={"name": "Ben"})).raise_for_status()
                assert (await ask_hint(stranger, table, number)).json()["code"] == "not-seated"
            assert scene.jobs == []

    asyncio.run(play())


def test_with_people_there_are_hints_only_where_that_was_agreed_on() -> None:
    def allowed(hints: bool | None, *people: str) -> bool:
        wish = protocol.NewTable(game="base", players=3, settings=protocol.Settings(hints=hints))
        table = new_table(wish, FakeSources(), ())
        for seat, who in enumerate(people):
            table.apply(steps.Sat(at=1, who=who, seat=seat, name=who))
        for seat in range(len(people), 3):
            table.apply(steps.BotSat(at=1, seat=seat, level="easy", name="Easy"))
        return table.hints_allowed

    assert allowed(None, "ann")
    assert not allowed(None, "ann", "ben")
    assert allowed(True, "ann", "ben")
    assert not allowed(False, "ann")


def test_a_person_has_a_budget_of_hints() -> None:
    async def play() -> None:
        scene = Scene(Limits(hints=Rate(1, 0.001)))
        async with serving(scene) as client:
            tables = [await begun(client) for _ in range(2)]
            answers = [await ask_hint(client, table, asked(scene, table)) for table in tables]
            assert [one.status_code for one in answers] == [200, 429]
            assert (await client.get(f"/api/tables/{tables[1]['code']}")).json()["table"]["hinted"] == [0, 0]

    asyncio.run(play())


def test_a_table_goes_on_with_its_notes_after_a_restart() -> None:
    wish = protocol.NewTable(game="base", players=2)
    table = new_table(wish, FakeSources(), ())
    log: list[steps.AnyStep] = [
        table.created,
        steps.Sat(at=1, who="ann", seat=0, name="Ann"),
        steps.BotSat(at=1, seat=1, level="easy", name="Easy"),
        steps.Started(at=2),
        steps.Hinted(at=3, who="ann", seat=0),
    ]
    again = Table.replayed(table.id, [steps.decode(steps.encode(step)) for step in log])
    assert [(hint.round, hint.trick, hint.seat) for hint in again.hints] == [(1, 1, 0)]


# Reviews.


def kept_in(scene: Scene, name: str = "t-1", record: Record | None = None) -> str:
    row = RecordRow(name, "base", 5, b"{}", (record or played(1)).dumps(), ())
    scene.store.records[name] = row
    return f"/api/records/{name}/review"


def test_a_review_is_made_once_and_kept_under_its_version() -> None:
    async def play() -> None:
        scene = Scene()
        async with serving(scene) as client:
            path = kept_in(scene)
            first = (await client.post(path)).json()
            assert first["review"]["game"] == "base"
            assert ("t-1", analyst.VERSION) in scene.store.reviews
            assert (await client.post(path)).json()["review"] == first["review"]
            assert len(scene.jobs) == 1
            scene.store.reviews = {("t-1", analyst.VERSION + 1): b"{}"}
            await client.post(path)
            assert len(scene.jobs) == 2, "another version's review is not ours"
            scene.store.reviews, scene.store.fault = {}, StoreError("full")
            assert (await client.post(path)).json()["review"], "what cannot be kept can still be read"

    asyncio.run(play())


def test_whoever_waits_is_told_the_place_and_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "PATIENCE", 0.01)

    async def play() -> None:
        scene = Scene()
        scene.gate.clear()
        async with serving(scene) as client:
            paths = [kept_in(scene, f"t-{number}") for number in range(3)]
            said = [(await client.post(path)).json() for path in paths]
            assert [(one["place"], one["done"]) for one in said] == [(0, 0.25), (1, 0.0), (2, 0.0)]
            assert [one["parts"] for one in said] == [None, 0, 0], "what waits is not worked on yet"
            assert all(one["review"] is None for one in said)
            hint = await begun(client)
            assert (await ask_hint(client, hint, asked(scene, hint))).json()["place"] == 0, (
                "a lane of its own"
            )
            scene.gate.set()
            monkeypatch.setattr(analyst, "PATIENCE", 5.0)
            assert all([(await client.post(path)).json()["review"] for path in paths])

    asyncio.run(play())


def test_what_nobody_asks_after_any_more_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "PATIENCE", 0.01)

    async def play() -> None:
        scene, now = Scene(), [0.0]
        scene.app.door.analyst._clock = lambda: now[0]
        scene.gate.clear()
        async with serving(scene) as client:
            for number in range(2):
                await client.post(kept_in(scene, f"t-{number}"))
            now[0] = analyst.FORGOTTEN + 1
            scene.gate.set()
            await asyncio.sleep(0.05)
            assert len(scene.jobs) == 1

    asyncio.run(play())


def test_a_running_game_is_not_reviewed() -> None:
    async def play() -> None:
        scene = Scene()
        async with serving(scene) as client:
            table = await begun(client)
            for name in (f"{table['id']}-1", table["code"], "nonsense"):
                assert (await client.post(f"/api/records/{name}/review")).status_code == 404
            assert scene.jobs == []

    asyncio.run(play())


def test_a_process_that_dies_costs_one_answer() -> None:
    async def play() -> None:
        scene = Scene()
        async with serving(scene) as client:
            path = kept_in(scene)
            scene.said["review"] = "dies"
            failed = await client.post(path)
            assert (failed.status_code, failed.json()["says"]) == (500, analyst.FAILED)
            assert scene.ended == 1
            scene.said["review"] = REFUSED + "This is why."
            refused = await client.post(path)
            assert (refused.status_code, refused.json()["says"]) == (409, "This is why.")

    asyncio.run(play())


def test_a_person_has_a_budget_of_reviews_and_what_is_kept_is_free() -> None:
    async def play() -> None:
        scene = Scene(Limits(reviews=Rate(1, 0.001)))
        async with serving(scene) as client:
            first, second = kept_in(scene, "t-1"), kept_in(scene, "t-2")
            assert [(await client.post(path)).status_code for path in (first, second, first)] == [
                200,
                429,
                200,
            ]

    asyncio.run(play())


def test_the_queue_has_an_end() -> None:
    async def play() -> None:
        scene = Scene(Limits(analyses_waiting=0))
        async with serving(scene) as client:
            assert (await client.post(kept_in(scene))).json()["code"] == "too-fast"

    asyncio.run(play())


def test_a_server_may_give_none() -> None:
    async def play() -> None:
        scene = Scene(analysis=False)
        async with serving(scene) as client:
            assert (await client.get("/api/games")).json()["analysis"] is False
            assert (await client.post(kept_in(scene))).json()["code"] == "closed"
            table = await begun(client)
            assert (await ask_hint(client, table, asked(scene, table))).json()["code"] == "closed"

    asyncio.run(play())


def test_reviews_go_with_their_record(place: Place) -> None:
    store = place.open()
    store.write(Batch(records=[RecordRow("up-1", "base", 5, b"{}", "{}", ())]))
    store.keep_review("up-1", 1, b"one")
    store.keep_review("up-1", 2, b"two")
    store.keep_review("nothing", 1, b"lost")
    assert [store.review("up-1", version) for version in (1, 2)] == [None, b"two"]
    assert store.review("nothing", 1) is None
    store.close()
    care = place.care()
    assert care.check() == []
    assert care.delete_record("up-1")
    assert care.check() == []
    care.close()


# Playing on from a moment.


def test_a_game_is_played_on_from_a_moment_by_the_seat_that_is_wanted() -> None:
    async def play() -> None:
        scene = Scene()
        record = played(2, players=3)
        async with serving(scene) as client:
            kept_in(scene, record=record)
            wish = {"moment": 7, "seat": 2, "name": "Ann", "level": "easy"}
            made = await client.post("/api/records/t-1/try", json=wish)
            assert made.status_code == 201, made.text
            seated = made.json()
            assert seated["seat"] == 2
            assert [seat["kind"] for seat in seated["table"]["seats"]] == ["bot", "bot", "person"]
            assert seated["table"]["settings"]["privacy"] == "private"
            room = scene.app.hub.rooms.get(seated["table"]["id"])
            assert room is not None
            assert room.table.game is not None
            assert room.table.game.record.choices == record.choices[:7]
            text = str(scene.store.steps[room.table.id][1])
            assert "P1" not in text, "nobody's name is kept with it"
            found = scene.store.find_table(room.table.id)
            assert found is not None
            again = Table.replayed(found[0], [steps.decode(body) for body in found[1]])
            assert again.position == room.table.position

    asyncio.run(play())


@pytest.mark.parametrize("game", games())
def test_every_game_is_played_on_from_its_beginning_its_middle_and_its_last_choice(game: str) -> None:
    async def play() -> None:
        scene = Scene()
        record = by_chance(game)
        last = len(record.choices) - 1
        async with serving(scene) as client:
            kept_in(scene, record=record)
            for seat, moment in enumerate((0, last // 3, last // 2 + 1, last)):
                wish = {"moment": moment, "seat": seat % record.players, "name": "Ann", "level": "random"}
                made = await client.post("/api/records/t-1/try", json=wish)
                assert made.status_code == 201, made.text
                assert made.json()["seat"] == wish["seat"]
                room = scene.app.hub.rooms.get(made.json()["table"]["id"])
                assert room is not None
                assert room.table.game is not None
                assert room.table.game.record.choices[:moment] == record.choices[:moment]
                assert room.table.phase == "playing"
                assert room.table.position == game_at(record, moment).position

    asyncio.run(play())


def test_a_game_is_not_played_on_from_nowhere() -> None:
    async def play() -> None:
        scene = Scene()
        record = played(1)
        other = played(1)
        other.behaviour = 99
        async with serving(scene) as client:
            kept_in(scene, "t-1", record)
            kept_in(scene, "t-2", other)
            end = len(record.choices)
            for name, wish, status in (
                ("t-1", {"moment": end, "seat": 0}, 400),
                ("t-1", {"moment": 0, "seat": 5}, 400),
                ("t-1", {"moment": -1, "seat": 0}, 400),
                ("t-1", {"moment": 0, "seat": 0, "level": "godlike"}, 400),
                ("t-2", {"moment": 0, "seat": 0}, 409),
                ("t-3", {"moment": 0, "seat": 0}, 404),
            ):
                refused = await client.post(f"/api/records/{name}/try", json=wish)
                assert refused.status_code == status, refused.text
                assert refused.json()["says"].endswith(".")
            assert not list(scene.app.hub.rooms.values())

    asyncio.run(play())

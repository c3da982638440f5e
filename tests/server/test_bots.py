"""The pool of bots: fair among tables, bounded for each, and never without an answer."""

import asyncio
from collections.abc import Callable

import pytest

from bullpen.bots import LEVELS, registry
from bullpen.engine import Seeded, new_game, view
from bullpen.rulesets import make
from bullpen.server.errors import Refused
from bullpen.server.limits import Rate
from bullpen.server.live import bots
from bullpen.server.live.bot_process import Job, Process
from bullpen.server.live.bot_queue import FairQueue, Ticket
from bullpen.server.live.bots import Pool
from bullpen.server.live.metrics import Metrics
from bullpen.server.tables.requests import Caller, bot_sat

PLENTY = Rate(1e9, 1e9)


def job(level: str, seconds: float = 2.0) -> Job:
    """A first decision of the base game."""
    rules = make("base", 2)
    position, _ = new_game(rules, Seeded(1))
    return Job(level, "seed", view(rules, position, 0), position.open_asks[0], seconds)


OPTIONS = [option.notation for option in job("random").ask.options]


class FakeThinker:
    """Thinks when it is told to."""

    def __init__(self, scene: "Scene") -> None:
        self._scene = scene
        self.ended = False

    async def ask(self, job: Job) -> str:
        self._scene.asked.append(job.level)
        await self._scene.gates.setdefault(job.level, _open()).wait()
        result = self._scene.results.get(job.level, OPTIONS[0])
        if isinstance(result, Exception):
            raise result
        return result

    async def end(self) -> None:
        self.ended = True


def _open() -> asyncio.Event:
    gate = asyncio.Event()
    gate.set()
    return gate


class Scene:
    """A pool whose thinkers do what the test wants."""

    def __init__(self, size: int = 1) -> None:
        self.asked: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.results: dict[str, str | Exception] = {}
        self.thinkers: list[FakeThinker] = []
        self.metrics = Metrics()
        self.pool = Pool(size, self.metrics, of_table=PLENTY, of_payer=PLENTY, start=self._start)

    async def _start(self) -> FakeThinker:
        self.thinkers.append(FakeThinker(self))
        return self.thinkers[-1]

    def choose(
        self, level: str, table: str = "T", wanted: Callable[[], bool] = lambda: True
    ) -> asyncio.Task[str | None]:
        return asyncio.create_task(self.pool.choose(table, "payer", job(level), wanted))


async def turn() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def test_a_table_waits_for_its_own_thoughts_and_for_nobody_elses() -> None:
    async def play() -> None:
        scene = Scene(size=2)
        scene.gates["expert"] = asyncio.Event()
        slow = [scene.choose("expert", "slow") for _ in range(9)]
        await turn()
        assert scene.asked == ["expert"], "one job of a table at a time, although a process is free"
        assert await scene.choose("hard", "other") == OPTIONS[0]
        assert await scene.choose("medium", "third") == OPTIONS[0]
        assert not any(task.done() for task in slow)
        scene.gates["expert"].set()
        assert await asyncio.gather(*slow) == [OPTIONS[0]] * 9
        await scene.pool.close()
        assert all(thinker.ended for thinker in scene.thinkers)

    asyncio.run(play())


def test_quick_levels_never_wait_for_those_that_search() -> None:
    async def play() -> None:
        scene = Scene(size=1)
        scene.gates["expert"] = asyncio.Event()
        slow = scene.choose("expert", "slow")
        await turn()
        for level in bots.QUICK:
            assert await scene.choose(level, "slow") == OPTIONS[0]
        assert not slow.done()
        await scene.pool.close()

    asyncio.run(play())


@pytest.mark.parametrize(
    "result", ["", "no choice", TimeoutError(), EOFError(), OSError("gone"), ValueError("anything at all")]
)
def test_a_bot_that_fails_is_stood_in_for(result: str | Exception, caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        scene = Scene()
        scene.results = {"expert": result, "medium": OPTIONS[3]}
        assert await scene.choose("expert") == OPTIONS[3]
        scene.results["medium"] = result
        assert await scene.choose("expert") in OPTIONS
        assert scene.metrics.bot_faults == 3
        assert scene.metrics.bot_choices == 2
        failed = [thinker for thinker in scene.thinkers if thinker.ended]
        assert len(failed) == (3 if isinstance(result, Exception) else 0), "and its process is replaced"
        scene.results = {}
        assert await scene.choose("expert") == OPTIONS[0]
        await scene.pool.close()

    asyncio.run(play())
    assert "a bot gave no answer" in caplog.text


def test_what_nobody_wants_any_more_is_not_thought_about() -> None:
    async def play() -> None:
        scene = Scene()
        assert await scene.choose("expert", wanted=lambda: False) is None
        assert scene.asked == []
        await scene.pool.close()

    asyncio.run(play())


def test_a_process_that_cannot_start_leaves_nobody_without_an_answer() -> None:
    async def play() -> None:
        async def start() -> bots.Thinker[Job]:
            raise OSError("no more processes")

        pool = Pool(1, Metrics(), of_table=PLENTY, of_payer=PLENTY, start=start)
        for _ in range(3):
            assert await pool.choose("T", "payer", job("expert"), lambda: True) in OPTIONS
        await pool.close()

    asyncio.run(play())


def test_a_real_process_that_dies_is_replaced() -> None:
    async def play() -> None:
        started: list[Process] = []

        async def start() -> Process:
            started.append(await Process.start())
            return started[-1]

        pool = Pool(1, Metrics(), of_table=PLENTY, of_payer=PLENTY, start=start)
        assert await pool.choose("T", "payer", job("easy"), lambda: True) in OPTIONS
        await started[0].end()
        assert await pool.choose("T", "payer", job("easy"), lambda: True) in OPTIONS
        assert await pool.choose("T", "payer", job("easy"), lambda: True) in OPTIONS
        await pool.close()
        assert len(started) == 2

    asyncio.run(play())


class Hands:
    """A clock to be moved by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_whoever_has_spent_all_waits_until_there_is_something_again() -> None:
    clock = Hands()
    queue: FairQueue[int] = FairQueue(Rate(1, 0.25), Rate(100, 100), clock)
    for number in range(3):
        queue.add(Ticket("greedy", "one", number))
    first = queue.take()
    assert first is not None
    queue.done(first, 2.0)
    assert queue.take() is None
    assert queue.wait() == pytest.approx(4.0)
    queue.add(Ticket("modest", "one", 9))
    other = queue.take()
    assert other is not None
    assert other.job == 9
    clock.now = 4.1
    again = queue.take()
    assert again is not None
    assert again.job == 1


def test_an_address_pays_for_all_its_tables() -> None:
    clock = Hands()
    queue: FairQueue[str] = FairQueue(Rate(100, 100), Rate(1, 0.5), clock)
    for table in ("A", "B", "C"):
        queue.add(Ticket(table, "greedy", table))
    queue.add(Ticket("D", "modest", "D"))
    a = queue.take()
    assert a is not None
    queue.done(a, 3.0)
    d = queue.take()
    assert d is not None
    assert d.job == "D"
    assert queue.take() is None
    assert queue.wait() == pytest.approx(4.0)


def test_accounts_that_owe_nothing_are_forgotten() -> None:
    clock = Hands()
    queue: FairQueue[int] = FairQueue(Rate(1, 1), Rate(1, 1), clock)
    for number in range(3000):
        clock.now += 1
        queue.add(Ticket(f"table {number}", f"payer {number}", number))
        ticket = queue.take()
        assert ticket is not None
        queue.done(ticket, 0.5)
    assert len(queue._accounts) < 1100


def test_only_levels_are_offered_that_can_be_played_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def ours() -> list[str]:
        """Other tests of this process may have registered bots of their own."""
        return [level for level in bots.levels_here() if level in LEVELS]

    assert ours() == ["random", "easy", "medium", "hard", "expert"]
    monkeypatch.setattr(registry, "has_fast", lambda: False)
    assert ours() == ["random", "easy", "medium"]


def test_a_level_that_a_game_has_not_got_is_refused_with_the_ones_that_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_THEIRS", {})
    registry.register("homely", "base")(lambda _view, ask, _mind: ask.options[0])
    caller = Caller("ann", 1, lambda: range(2), bots.levels_here())
    assert bot_sat(0, "homely", "base", caller, "a message").level == "homely"
    for game, level, says in (
        ("hand", "homely", r"There is no bot 'homely' for hand; there are random, easy, .*expert, human\."),
        ("base", "genius", r"There is no level 'genius'; there are: random, .*homely\."),
        ("base", "mcs", r"There is no level 'mcs'"),
    ):
        with pytest.raises(Refused, match=says):
            bot_sat(0, level, game, caller, "a message")

"""What strong bots need is compiled in the background: who waits for it, what is told, what may go wrong."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from bullpen.bots.preparing import PARTS, parts_of
from bullpen.bots.registry import find
from bullpen.server.config import Config
from bullpen.server.doors.app import App
from bullpen.server.errors import Refused
from bullpen.server.limits import Limits
from bullpen.server.live.analysis_process import FOUND, ReviewJob, Work
from bullpen.server.live.analyst import Analyst
from bullpen.server.live.bots import Pool
from bullpen.server.live.readiness import HINTS, CompilingProcess, Readiness
from bullpen.server.live.visits import join
from bullpen.server.protocol import NewTable
from tests.server.fakes import FakeListener, FakeStore
from tests.server.test_bots import OPTIONS, PLENTY, Scene, turn

STRONG = ("hard", "expert")
JOB = ReviewJob("", 1, 1.0)


async def keep(record: str, version: int, body: bytes) -> None: ...


class FakeCompiler:
    """Compiles when it is told to, and says what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.gate = asyncio.Event()
        self.stuck: set[str] = set()
        self.fails: dict[str, str | Exception] = {}
        self.started = self.ended = 0

    async def start(self) -> "FakeCompiler":
        self.started += 1
        return self

    async def compile(self, name: str) -> str:
        self.asked.append(name)
        await self.gate.wait()
        if name in self.stuck:
            await asyncio.Event().wait()
        result = self.fails.get(name, "")
        if isinstance(result, Exception):
            raise result
        return result

    async def end(self) -> None:
        self.ended += 1


def test_a_level_that_is_being_compiled_is_waited_for_and_then_plays() -> None:
    async def play() -> None:
        compiler, scene = FakeCompiler(), Scene()
        readiness = Readiness(("playouts", "network", "search", "endgame"), start=compiler.start)
        scene.pool = Pool(
            1, scene.metrics, of_table=PLENTY, of_payer=PLENTY, start=scene._start, readiness=readiness
        )
        work = asyncio.create_task(readiness.compile())
        waiting = scene.choose("expert")
        assert await scene.choose("medium", "other") == OPTIONS[0], "this one needs no compiler"
        await turn()
        assert not waiting.done()
        assert compiler.asked == ["playouts"], "one after the other"
        assert readiness.unready(("medium", *STRONG), "base") == dict.fromkeys(STRONG, "preparing")
        assert readiness.unready(STRONG, "double") == {}
        assert readiness.waited_for(("medium", *STRONG)) == STRONG
        compiler.gate.set()
        assert await waiting == OPTIONS[0]
        await work
        assert scene.asked == ["medium", "expert"]
        assert (compiler.started, compiler.ended) == (1, 1), "all in one process"
        assert readiness.unready(STRONG, "base") == {}
        await scene.pool.close()

    asyncio.run(play())


@pytest.mark.parametrize("fault", ["TypingError: no", asyncio.IncompleteReadError(b"", 4), OSError("gone")])
def test_a_compile_that_fails_is_a_sentence_and_medium_plays(
    fault: str | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        compiler, scene, said = FakeCompiler(), Scene(), list[str]()
        compiler.gate.set()
        compiler.fails["search"] = fault
        readiness = Readiness(("playouts", "network", "search"), start=compiler.start)
        readiness.say = said.append
        scene.pool = Pool(
            1, scene.metrics, of_table=PLENTY, of_payer=PLENTY, start=scene._start, readiness=readiness
        )
        scene.results = {"medium": OPTIONS[2], "hard": OPTIONS[1]}
        await readiness.compile()
        assert await scene.choose("expert") == OPTIONS[2]
        assert await scene.choose("hard") == OPTIONS[1], "the other parts are there"
        assert readiness.unready(STRONG, "base") == {"expert": "failed"}
        assert scene.asked == ["medium", "hard"]
        assert [line.split(",")[0] for line in said[1:]] == ["Ready after 0 s"] * 2
        await scene.pool.close()

    asyncio.run(play())
    (sentence,) = (each.getMessage() for each in caplog.records if each.levelno == logging.WARNING)
    assert sentence.startswith("expert, in the card games: this could not be compiled (")
    assert sentence.endswith("A bot of level medium plays instead.")


def test_a_level_of_which_one_part_has_failed_waits_for_no_other() -> None:
    async def play() -> None:
        compiler, scene = FakeCompiler(), Scene()
        readiness = Readiness(("playouts", "network"), start=compiler.start)
        scene.pool = Pool(
            1, scene.metrics, of_table=PLENTY, of_payer=PLENTY, start=scene._start, readiness=readiness
        )
        scene.results = {"medium": OPTIONS[2]}
        compiler.fails["playouts"], compiler.stuck = "no", {"network"}
        work, waiting = asyncio.create_task(readiness.compile()), scene.choose("hard")
        await turn()
        compiler.gate.set()
        assert await asyncio.wait_for(waiting, 20) == OPTIONS[2]
        assert not work.done()
        work.cancel()
        await scene.pool.close()

    asyncio.run(play())


def test_whoever_cannot_be_told_keeps_nobody_waiting(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        def closed(_: str = "") -> None:
            raise BrokenPipeError

        compiler = FakeCompiler()
        compiler.gate.set()
        readiness = Readiness(("playouts", "network"), start=compiler.start)
        readiness.say = readiness.changed = closed
        await readiness.compile()
        assert await readiness.bots("hard", "base")

    asyncio.run(play())
    assert "a table was not told" in caplog.text


def test_a_compiler_that_is_killed_costs_one_part() -> None:
    """With real processes: the one that is killed is replaced for the next part."""

    async def play() -> None:
        started: list[CompilingProcess] = []

        async def start() -> CompilingProcess:
            started.append(await CompilingProcess.start())
            if len(started) == 1:
                os.kill(started[0].pid, signal.SIGKILL)
            return started[-1]

        readiness = Readiness(("playouts", "network"), start=start)
        await readiness.compile()
        assert readiness.of("hard", "base") == "failed"
        assert readiness.of("expert", "base") == "ready"
        assert len(started) == 2

    asyncio.run(play())


def test_hints_and_reviews_wait_too_and_say_so() -> None:
    async def play() -> None:
        compiler = FakeCompiler()
        readiness = Readiness((HINTS,), start=compiler.start)
        asked: list[Work] = []

        class Thinker:
            async def ask(self, work: Work) -> str:
                asked.append(work)
                return FOUND + "{}"

            async def end(self) -> None: ...

        async def start() -> Thinker:
            return Thinker()

        analyst = Analyst(Limits(), keep, start=start, readiness=readiness)
        compiling = asyncio.create_task(readiness.compile())
        inquiry = analyst.begin("one", "Ann", "here", JOB)
        await turn()
        assert (asked, inquiry.parts, inquiry.place) == ([], 0, 0), "getting ready"
        compiler.gate.set()
        await compiling
        assert await analyst.wait(inquiry) == b"{}"
        await analyst.close()

    asyncio.run(play())


def test_hints_that_cannot_be_compiled_are_refused_with_a_sentence() -> None:
    async def play() -> None:
        compiler = FakeCompiler()
        compiler.gate.set()
        compiler.fails[HINTS] = "LLVM ERROR"
        readiness = Readiness((HINTS,), start=compiler.start)
        await readiness.compile()

        analyst = Analyst(Limits(), keep, readiness=readiness)
        inquiry = analyst.begin("one", "Ann", "here", JOB)
        with pytest.raises(Refused, match="could not compile what hints and reviews need"):
            await analyst.wait(inquiry)
        await analyst.close()

    asyncio.run(play())


def test_everybody_at_a_table_is_told_which_bots_are_ready() -> None:
    async def play() -> None:
        compiler = FakeCompiler()
        readiness = Readiness(("search",), start=compiler.start)
        app = App(Config(), FakeStore(), readiness=readiness)
        await app.hub.open()
        wish = NewTable(game="base", players=2, bots=("expert", "medium"))
        room = await app.hub.create(wish, "")
        listener = FakeListener("watcher")
        compiling = asyncio.create_task(readiness.compile())
        join(app.hub, room, listener, 0)
        await room.on_disk()
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost"
        ) as client:
            assert (await client.get("/api/tables")).json()["unready"] == ["expert"]
            assert told(listener) == {"expert": "preparing"}
            compiler.gate.set()
            await compiling
            assert told(listener) is None
            assert (await client.get("/api/tables")).json()["unready"] == []
        await app._keeper.close()
        await app.door.analyst.close()
        await app.hub.writer.stop()

    asyncio.run(play())


def told(listener: FakeListener) -> dict[str, str] | None:
    """Return which levels were not ready when a listener last heard of that."""
    heard = [message for message in map(json.loads, listener.heard) if message["type"] == "presence"]
    unready: dict[str, str] | None = heard[-1].get("unready")
    return unready


def test_every_part_is_some_levels_and_what_a_level_needs_is_a_part() -> None:
    everybody = parts_of(("hard", "expert", "mcs"))
    assert everybody == tuple(PARTS)
    assert find("medium", "base").needs == find("hard", "double").needs == ()


def test_what_is_compiled_already_is_not_compiled_again(tmp_path: Path) -> None:
    """In a folder where nothing is kept all is missing; with `bullpen prepare` there nothing would be."""
    code = (
        "from bullpen.machine_code import note\n"
        "from bullpen.server.live.readiness import missing_here\n"
        "print(*missing_here(('hard', 'expert'), hints=True))\n"
        "note('bots', 'search')\n"
        "note('analysis/compiled', 'hints')\n"
        "print(*missing_here(('hard', 'expert'), hints=True))\n"
        "import sys; print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    rest = "double open hand nifty boards"
    assert done.stdout.splitlines() == [
        f"playouts network search endgame hints {rest}",
        f"playouts network endgame {rest}",
        "False",
    ]

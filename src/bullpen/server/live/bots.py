"""Bots at the tables: a pool of processes that think for them within a time budget."""

import asyncio
import pickle
import random
import struct
import sys

from msgspec import Struct

from bullpen.engine import Ask, View
from bullpen.server.live.metrics import Metrics

LENGTH = struct.Struct("!I")
START_SECONDS = 60.0
"""A worker may need to compile before it can think."""


class Job(Struct, frozen=True):
    """A decision to be made: who, from what it may see."""

    level: str
    seed: str
    view: View
    ask: Ask
    seconds: float
    """How long it may think."""


class _Worker:
    """A process that thinks; its memory is its own, and it can be ended at any time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._warm: set[tuple[str, str]] = set()

    @classmethod
    async def start(cls) -> "_Worker":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bullpen.server.live.bot_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        worker = cls(process)
        await asyncio.wait_for(worker._read(), START_SECONDS)
        return worker

    async def ask(self, job: Job) -> str:
        """Return the answer; the first of its kind may take longer, for then a bot may have to compile."""
        kind = (job.level, job.view.game)
        answer = await asyncio.wait_for(self._ask(job), job.seconds if kind in self._warm else START_SECONDS)
        self._warm.add(kind)
        return answer

    async def _ask(self, job: Job) -> str:
        stdin = self._process.stdin
        assert stdin is not None
        body = pickle.dumps(job)
        stdin.write(LENGTH.pack(len(body)) + body)
        await stdin.drain()
        return await self._read()

    async def _read(self) -> str:
        stdout = self._process.stdout
        assert stdout is not None
        (length,) = LENGTH.unpack(await stdout.readexactly(LENGTH.size))
        return (await stdout.readexactly(length)).decode()

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


class Pool:
    """Workers, started when they are first needed; one that is late or broken is replaced."""

    def __init__(self, size: int, metrics: Metrics) -> None:
        self._metrics = metrics
        self._free: asyncio.Queue[_Worker | None] = asyncio.Queue()
        for _ in range(size):
            self._free.put_nowait(None)
        self._all: set[_Worker] = set()

    async def choose(self, job: Job) -> str:
        """Return the notation of a bot's choice; a bot that fails loses the decision to chance."""
        worker = await self._free.get()
        try:
            if worker is None:
                worker = await _Worker.start()
                self._all.add(worker)
            notation = await worker.ask(job)
        except (TimeoutError, OSError, EOFError):
            notation = ""
            if worker is not None:
                self._all.discard(worker)
                await worker.end()
                worker = None
        finally:
            self._free.put_nowait(worker)
        if notation not in {option.notation for option in job.ask.options}:
            self._metrics.bot_faults += 1
            notation = random.Random(job.seed).choice(job.ask.options).notation
        self._metrics.bot_choices += 1
        return notation

    async def close(self) -> None:
        """End all workers."""
        for worker in list(self._all):
            await worker.end()
        self._all.clear()


def stand_in(known: tuple[str, ...]) -> str:
    """Return the level that chooses for a person whose time is up."""
    return "medium" if "medium" in known else known[-1]

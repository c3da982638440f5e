"""Bots at the tables: levels, and a pool of processes that think for them within a time budget."""

import asyncio
import importlib
import importlib.util
import pickle
import random
import struct
import sys
from typing import Protocol, cast

from msgspec import Struct

from bullpen.engine import Ask, Choice, View
from bullpen.server.metrics import Metrics

LENGTH = struct.Struct("!I")
START_SECONDS = 60.0
"""A worker may need to compile before it can think."""


class Player(Protocol):
    """A bot."""

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return one of the ask's options."""


class Uniform:
    """Chooses any option alike."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return one of the ask's options."""
        return self._random.choice(ask.options)


def levels() -> tuple[str, ...]:
    """Return the levels that there are, weakest first."""
    if importlib.util.find_spec("bullpen.bots") is None:
        return ("random",)
    return tuple(importlib.import_module("bullpen.bots").LEVELS)


def player(level: str, seed: str) -> Player:
    """Return a bot of a level."""
    if importlib.util.find_spec("bullpen.bots") is None:
        return Uniform(seed)
    return cast(Player, importlib.import_module("bullpen.bots").player(level, seed))


class Job(Struct, frozen=True):
    """A decision to be made: who, from what it may see."""

    level: str
    seed: str
    view: View
    ask: Ask


class _Worker:
    """A process that thinks; its memory is its own, and it can be ended at any time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> "_Worker":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bullpen.server.bot_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        worker = cls(process)
        await asyncio.wait_for(worker._read(), START_SECONDS)
        return worker

    async def ask(self, job: Job) -> str:
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

    def __init__(self, size: int, budget: float, metrics: Metrics) -> None:
        self._budget = budget
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
            notation = await asyncio.wait_for(worker.ask(job), self._budget)
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

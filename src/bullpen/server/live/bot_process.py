"""A process that thinks for bots, seen from the server: it can be asked, it can be late, it can be ended."""

import asyncio
import pickle
import struct
import sys
from typing import ClassVar, Self

from msgspec import Struct

from bullpen.engine import Ask, View

LENGTH = struct.Struct("!I")
START_SECONDS = 60.0
"""A process may need to compile before it can think."""


class Job(Struct, frozen=True):
    """A decision to be made: who, from what it may see."""

    level: str
    seed: str
    view: View
    ask: Ask
    seconds: float
    """How long it may think."""


class Process:
    """A process that thinks; its memory is its own, and it can be ended at any time."""

    module: ClassVar[str] = "bullpen.server.live.bot_worker"

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._warm: set[tuple[str, str]] = set()

    @classmethod
    async def start(cls) -> Self:
        """Start a process and wait until it is ready."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            cls.module,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        started = cls(process)
        try:
            await asyncio.wait_for(started._read(), START_SECONDS)
        except BaseException:
            await started.end()
            raise
        return started

    @property
    def pid(self) -> int:
        """The number that the system gave it."""
        return self._process.pid

    async def ask(self, job: Job) -> str:
        """Return the answer; the first of its kind may take longer, for then a bot may have to compile."""
        kind = (job.level, job.view.game)
        answer = await asyncio.wait_for(self._ask(job), job.seconds if kind in self._warm else START_SECONDS)
        self._warm.add(kind)
        return answer

    async def _ask(self, job: Job) -> str:
        await self._send(job)
        return await self._read()

    async def _send(self, job: Struct) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        body = pickle.dumps(job)
        stdin.write(LENGTH.pack(len(body)) + body)
        await stdin.drain()

    async def _read(self) -> str:
        stdout = self._process.stdout
        assert stdout is not None
        (length,) = LENGTH.unpack(await stdout.readexactly(LENGTH.size))
        return (await stdout.readexactly(length)).decode()

    async def end(self) -> None:
        """End the process, whatever it is doing."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

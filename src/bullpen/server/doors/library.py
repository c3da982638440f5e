"""The library: records are checked and replayed by a process of its own, one at a time, in fair order."""

import asyncio
import contextlib
import logging
import sys
from typing import Any, TypeVar

import msgspec

from bullpen.server.doors.reading import LENGTH, Answer, Check, Checked, Content, Job, No, Page
from bullpen.server.errors import Refused

log = logging.getLogger("bullpen.server")
JOB_SECONDS = 15.0
"""A job that takes longer is given up, and the process with it."""
IDLE_SECONDS = 60.0
"""After so long without a job the process ends, and its memory is free again."""
MOST_WAITING = 16
BUSY = "The server is busy with other records; try again a little later."

_read: Any = msgspec.msgpack.Decoder(Answer).decode
Kind = TypeVar("Kind", Checked, Content)


class Library:
    """Hands jobs to the process, which is started when it is first needed."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._rest: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How many jobs wait or are being done."""
        return self._waiting

    async def check(self, job: Check) -> Checked:
        """Return a record that somebody brings as it is to be kept, or refuse it."""
        return await self._do(job, Checked)

    async def page(self, job: Page) -> bytes:
        """Return a part of a replay as JSON, or refuse."""
        return (await self._do(job, Content)).body

    async def _do(self, job: Job, kind: type[Kind]) -> Kind:
        if self._waiting >= MOST_WAITING:
            raise Refused("too-fast", BUSY, 2000)
        self._waiting += 1
        try:
            async with self._turn:
                answer = await self._ask(job)
        finally:
            self._waiting -= 1
        if isinstance(answer, No):
            raise Refused(answer.code, answer.says)
        assert isinstance(answer, kind)
        return answer

    async def _ask(self, job: Job) -> Checked | Content | No:
        if self._rest is not None:
            self._rest.cancel()
        try:
            return await asyncio.wait_for(self._converse(job), JOB_SECONDS)
        except (TimeoutError, OSError, EOFError, msgspec.DecodeError) as error:
            log.error("a record could not be read", extra={"why": repr(error)})
            await self.close()
            raise Refused("bad-request", "That record could not be read in time.") from None
        except asyncio.CancelledError:
            # Whoever asked is gone; what the process answers must not be taken for another's answer.
            await self.close()
            raise
        finally:
            self._rest = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._dismiss)

    async def _converse(self, job: Job) -> Checked | Content | No:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bullpen.server.doors.reading",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        assert process.stdin is not None
        assert process.stdout is not None
        body = msgspec.msgpack.encode(job)
        process.stdin.write(LENGTH.pack(len(body)) + body)
        await process.stdin.drain()
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        answer: Checked | Content | No = _read(await process.stdout.readexactly(length))
        return answer

    def _dismiss(self) -> None:
        """Let the process end: it does so when nothing more can come."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if self._rest is not None:
            self._rest.cancel()
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

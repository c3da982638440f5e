"""A process that analyses, seen from the server: it tells how far it is, and can be ended at any time."""

import asyncio
from typing import ClassVar, TypeAlias

from msgspec import Struct

from bullpen.engine import View
from bullpen.server.live.bot_process import Process

PARTS, PROGRESS, FOUND, REFUSED = "~", "%", "=", "!"
"""How a message of the process begins: what is compiled or done, what was found, or why nothing is."""

COMPILING = 300.0
"""So many seconds more the first job of a kind may take, for then everything may have to be compiled."""


class HintJob(Struct, frozen=True):
    """A question to be weighed, from what its seat can see and nothing else."""

    ask: int
    view: View
    against: tuple[str, ...]
    """The levels of the bots by seat, "" for a person."""
    seconds: float


class ReviewJob(Struct, frozen=True):
    """A finished game to be reviewed."""

    record: str
    most_choices: int
    seconds: float


AnalysisJob: TypeAlias = HintJob | ReviewJob


class Work:
    """A job on its way through the queue, and how much of it is done."""

    def __init__(self, job: AnalysisJob) -> None:
        self.job = job
        self.done = 0.0
        self.parts: int | None = 0
        """How many parts had to be compiled so far; None once the work itself goes on."""
        self.level = "hint" if isinstance(job, HintJob) else "review"
        self.seconds = job.seconds


class AnalysisProcess(Process):
    """A process that analyses."""

    module: ClassVar[str] = "bullpen.server.live.analysis_worker"

    async def ask(self, work: Work) -> str:  # type: ignore[override]
        """Return what was found or why nothing can be; the first job may have to wait for compiling."""
        kind = (work.level, "")
        seconds = work.seconds if kind in self._warm else work.seconds + COMPILING
        answer = await asyncio.wait_for(self._follow(work), seconds)
        self._warm.add(kind)
        return answer

    async def _follow(self, work: Work) -> str:
        await self._send(work.job)
        while (said := await self._read()).startswith((PARTS, PROGRESS)):
            if said.startswith(PARTS):
                work.parts = int(said[len(PARTS) :])
            else:
                work.done, work.parts = float(said[len(PROGRESS) :]), None
        return said

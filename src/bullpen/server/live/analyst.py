"""The analyst: hints and reviews, worked out in turn by processes that let everybody else go first."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from importlib.util import find_spec

from bullpen.server.config import Config
from bullpen.server.errors import Refused
from bullpen.server.limits import Limits
from bullpen.server.live.analysis_process import FOUND, REFUSED, AnalysisJob, AnalysisProcess, HintJob, Work
from bullpen.server.live.bot_queue import Ticket
from bullpen.server.live.bots import Lane, Task, Thinker
from bullpen.server.live.readiness import Readiness

VERSION = 6
"""The version of the analysis whose reviews are kept; a test sees that it is the real one.

It is written down here too because analysis compiles, and what serves should not.
"""
HINT_SECONDS = 6.0
PATIENCE = 0.8
"""So many seconds a request waits for an answer before it tells how far it is."""
FORGOTTEN = 60.0
"""What nobody has asked after for so many seconds is not begun."""
REST = 300.0
"""After so many seconds without work a process ends, and its memory is free again."""
MOST_KEPT = 1_000
"""So many answers stay in memory."""
FAILED = "That could not be worked out; try again a little later."
NOT_COMPILED = "This server could not compile what hints and reviews need; its log says why."
BUSY = "Too many games are waiting to be looked at; try again a little later."

Keep = Callable[[str, int, bytes], Awaitable[None]]
"""Keeps the review of a record: its id, the version, and the review."""


class Inquiry:
    """Something that is being found out, and when somebody last asked after it."""

    def __init__(self, key: str, work: Work, lane: Lane[Work], asked: float) -> None:
        self.key = key
        self.work = work
        self.asked = asked
        self.found: bytes | None = None
        self.refused: Refused | None = None
        self.over = asyncio.Event()
        self._lane = lane
        self._ticket: Ticket[Task[Work]] | None = None

    def enter(self, who: str, payer: str, wanted: Callable[[], bool]) -> asyncio.Future[str | None]:
        """Go into the queue."""
        self._ticket = self._lane.enter(who, payer, self.work, wanted)
        return self._ticket.job.answer

    @property
    def place(self) -> int:
        """The place in the queue; 0 once it is being worked on."""
        return 0 if self._ticket is None else self._lane.place(self._ticket)

    @property
    def done(self) -> float:
        """How much of it is done, from 0 to 1."""
        return 1.0 if self.over.is_set() else self.work.done

    @property
    def parts(self) -> int | None:
        """How many parts had to be compiled so far; None once the work itself goes on."""
        return None if self.over.is_set() else self.work.parts


class Analyst:
    """Hints and reviews in a lane each, so that nobody waits for a card while a whole game is looked at."""

    def __init__(
        self,
        limits: Limits,
        keep: Keep,
        *,
        on: bool = True,
        start: Callable[[], Awaitable[Thinker[Work]]] = AnalysisProcess.start,
        clock: Callable[[], float] | None = None,
        readiness: Readiness | None = None,
    ) -> None:
        self.on = on
        self._readiness = readiness or Readiness()
        self._keep = keep
        self._most = limits.analyses_waiting
        self._clock = clock or (lambda: asyncio.get_running_loop().time())
        person, address = limits.analysis_of_person, limits.analysis_of_address
        self._hints: Lane[Work] = Lane(1, person, address, start, REST)
        self._reviews: Lane[Work] = Lane(1, person, address, start, REST)
        self._inquiries: OrderedDict[str, Inquiry] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    def of(cls, config: Config, keep: Keep, readiness: Readiness) -> "Analyst":
        """Return the analyst that a configuration allows, with what is installed."""
        on = config.analysis and find_spec("numba") is not None
        return cls(config.limits, keep, on=on, readiness=readiness)

    @property
    def waiting(self) -> int:
        """How many hints and reviews wait for their turn."""
        return self._hints.waiting + self._reviews.waiting

    def known(self, key: str) -> Inquiry | None:
        """Return what is being found out, or was a while ago, under a name."""
        inquiry = self._inquiries.get(key)
        if inquiry is not None:
            inquiry.asked = self._clock()
        return inquiry

    def begin(self, key: str, who: str, address: str, job: AnalysisJob) -> Inquiry:
        """Begin to find something out, at the expense of a person and an address."""
        lane = self._hints if isinstance(job, HintJob) else self._reviews
        if lane.waiting >= self._most:
            raise Refused("too-fast", BUSY, 10_000)
        inquiry = self._inquiries[key] = Inquiry(key, Work(job), lane, self._clock())
        task = asyncio.create_task(self._follow(inquiry, who or address, address))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._forget()
        return inquiry

    async def wait(self, inquiry: Inquiry) -> bytes | None:
        """Return what was found, or None if it takes longer; what cannot be found out is refused."""
        try:
            await asyncio.wait_for(inquiry.over.wait(), PATIENCE)
        except TimeoutError:
            return None
        if inquiry.refused is not None:
            raise inquiry.refused
        return inquiry.found

    def _wanted(self, inquiry: Inquiry) -> bool:
        return self._clock() - inquiry.asked < FORGOTTEN

    async def _follow(self, inquiry: Inquiry, who: str, payer: str) -> None:
        try:
            ready = await self._readiness.hints()
            said = (ready and await inquiry.enter(who, payer, lambda: self._wanted(inquiry))) or ""
            if not ready:
                inquiry.refused = Refused("closed", NOT_COMPILED)
            elif said.startswith(FOUND):
                inquiry.found = said[len(FOUND) :].encode()
                if inquiry.work.level == "review":
                    await self._keep(inquiry.key, VERSION, inquiry.found)
            elif said.startswith(REFUSED):
                inquiry.refused = Refused("cannot-replay", said[len(REFUSED) :])
            else:
                inquiry.refused = Refused("internal", FAILED)
        finally:
            inquiry.over.set()
            if inquiry.found is None or inquiry.work.level == "review":
                # Reviews are in the store from now on, and what failed may be tried again.
                self._inquiries.pop(inquiry.key, None)

    def _forget(self) -> None:
        """Forget the oldest answers."""
        while len(self._inquiries) > MOST_KEPT:
            oldest = next((key for key, one in self._inquiries.items() if one.over.is_set()), None)
            if oldest is None:
                return
            del self._inquiries[oldest]

    async def close(self) -> None:
        """End all processes."""
        await self._hints.close()
        await self._reviews.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

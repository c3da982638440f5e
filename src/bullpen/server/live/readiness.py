"""Readiness: one process compiles, in the background and once, what bots, hints and reviews need."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from importlib.util import find_spec
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from bullpen.bots import UnknownLevel, find
from bullpen.bots.preparing import PARTS, ROLLOUTS, SEARCH, missing, parts_of
from bullpen.bots.registry import needed
from bullpen.machine_code import noted
from bullpen.server.live.bot_process import Process
from bullpen.server.protocol import Unready

State: TypeAlias = Literal["ready"] | Unready
HINTS = "hints"
"""The part that hints and reviews need; it is no bot's."""
HINTS_NOTED = ("analysis/compiled", HINTS)
"""Where `bullpen.analysis` notes it; written down here too, since a server does not import that."""
MOST_SECONDS = 900.0
"""After so many seconds a part is given up."""
BEGIN = "Getting strong bots ready in the background ({parts} parts, once for this machine)."
DONE = "Ready after {seconds:.0f} s, {number} of {parts}: {says}."
END = "Strong bots, hints and reviews are ready."
FAILED = "{says}: this could not be compiled ({why}). A bot of level medium plays instead."
NO_HINTS = "hints and reviews: what they need could not be compiled ({why}), so there are none."
log = logging.getLogger("bullpen.server")


class PartJob(Struct, frozen=True):
    """A part to be compiled."""

    name: str


class Compiler(Protocol):
    """A process that compiles, as `Readiness` uses it."""

    async def compile(self, name: str) -> str:
        """Compile a part; return "", or why that failed."""

    async def end(self) -> None:
        """End it."""


class CompilingProcess(Process):
    """A process that compiles one part after the other."""

    module = "bullpen.server.live.readiness_worker"

    async def compile(self, name: str) -> str:
        """Compile a part; return "", or why that failed."""
        await self._send(PartJob(name))
        return await asyncio.wait_for(self._read(), MOST_SECONDS)


def missing_here(levels: tuple[str, ...], *, hints: bool) -> tuple[str, ...]:
    """Return what this machine has yet to compile for these levels, for hints and reviews."""
    if find_spec("numba") is None:
        return ()
    found = missing(parts_of(levels))
    # Hints come after what most tables wait for, and before the rest.
    first = sum(name in (*ROLLOUTS, *SEARCH) for name in found)
    wanted = (HINTS,) if hints and not noted(*HINTS_NOTED) else ()
    return (*found[:first], *wanted, *found[first:])


class Readiness:
    """Which parts are compiled, and who waits for them. Nothing is missing until that is said."""

    def __init__(
        self,
        names: Iterable[str] = (),
        *,
        start: Callable[[], Awaitable[Compiler]] = CompilingProcess.start,
    ) -> None:
        self._states: dict[str, State] = dict.fromkeys(names, "preparing")
        self._over = {name: asyncio.Event() for name in self._states}
        self._start = start
        self.say: Callable[[str], None] = log.info
        """Tells the host how far it is."""
        self.changed: Callable[[], None] = lambda: None
        """Is called whenever a part is ready, or has failed."""

    def of(self, level: str, game: str) -> State:
        """Return whether bots of a level can decide in a game."""
        return self._worst(_needs(level, game))

    def unready(self, levels: Iterable[str], game: str) -> dict[str, Unready]:
        """Return those of these levels that cannot decide in a game."""
        if set(self._states.values()) <= {"ready"}:
            return {}
        states = {level: self.of(level, game) for level in levels}
        return {level: state for level, state in states.items() if state != "ready"}

    def waited_for(self, levels: Iterable[str]) -> tuple[str, ...]:
        """Return those of these levels that are still being compiled for some game."""
        preparing = {name for name, state in self._states.items() if state == "preparing"}
        return tuple(level for level in levels if preparing and preparing & needed(level))

    async def bots(self, level: str, game: str) -> bool:
        """Wait until bots of a level can decide in a game; return whether they can."""
        return await self._wait(_needs(level, game))

    async def hints(self) -> bool:
        """Wait until hints and reviews can be worked out; return whether they can."""
        return await self._wait((HINTS,))

    def _worst(self, names: Iterable[str]) -> State:
        states = {self._states.get(name, "ready") for name in names}
        return "failed" if "failed" in states else "preparing" if "preparing" in states else "ready"

    async def _wait(self, names: tuple[str, ...]) -> bool:
        # In the order in which they are compiled, so that the first that fails is enough.
        for name, over in self._over.items():
            if name in names and self._worst(names) == "preparing":
                await over.wait()
        return self._worst(names) == "ready"

    async def compile(self) -> None:
        """Compile what is missing, one part after the other, and say how far it is."""
        if not self._states:
            return
        process: Compiler | None = None
        self._tell(BEGIN.format(parts=len(self._states)))
        try:
            for number, name in enumerate(self._states, 1):
                began = time.monotonic()
                try:
                    process = process or await self._start()
                    why = await process.compile(name)
                except Exception as error:  # whatever it was, the other parts are wanted all the same
                    why = _why(error)
                    if process is not None:
                        await process.end()
                        process = None
                self._settle(name, why)
                if not why:
                    seconds = time.monotonic() - began
                    self._tell(
                        DONE.format(seconds=seconds, number=number, parts=len(self._states), says=_says(name))
                    )
            if "failed" not in self._states.values():
                self._tell(END)
        finally:
            if process is not None:
                await process.end()

    def _settle(self, name: str, why: str) -> None:
        self._states[name] = "failed" if why else "ready"
        if why:
            log.warning((NO_HINTS if name == HINTS else FAILED).format(says=_says(name), why=why))
        self._over[name].set()
        try:
            self.changed()
        except Exception:  # somebody who cannot be told must not keep the others waiting
            log.exception("a table was not told which bots are ready")

    def _tell(self, text: str) -> None:
        """Tell the host, who may have closed the terminal."""
        with contextlib.suppress(OSError, ValueError):
            self.say(text)


def _needs(level: str, game: str) -> tuple[str, ...]:
    try:
        return find(level, game).needs
    except UnknownLevel:
        return ()


def _says(name: str) -> str:
    return "hints and reviews" if name == HINTS else PARTS[name].says


def _why(error: Exception) -> str:
    if isinstance(error, asyncio.IncompleteReadError | ConnectionError):
        return "its process ended"
    if isinstance(error, TimeoutError):
        return f"it took more than {MOST_SECONDS:.0f} s"
    return str(error) or type(error).__name__

"""Exceptions planted one at a time: each call inside a server raises once, at its first, second … use.

What can raise is found by introspection: every public function and method of `bullpen.server.live`,
`bullpen.server.doors`, `bullpen.server.tables` and of the store, the registry and the clock that they use.
"""

import functools
import importlib
import inspect
import pkgutil
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest

import bullpen.server.doors
import bullpen.server.live
import bullpen.server.tables
from bullpen.server.live.bot_queue import FairQueue
from bullpen.server.live.metrics import Metrics
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Registry, Store
from tests.simulation.world import SimSources, Witness, WitnessRegistry

ELSEWHERE = {"analysis_worker", "bot_worker", "findings", "reading", "transport"}
"""Modules of other processes, and of the web server below this one."""
PLAIN = (Metrics, FairQueue)
"""Counters and a queue in plain memory: they call nothing that could raise."""
LAST = {"Session.end", "Relay.end"}
"""What is done when nothing follows that could do it again; whatever they call raises."""


class Planted(Exception):
    """The exception that nobody expects."""


class Place(NamedTuple):
    """A call, and at which use of it."""

    call: str
    use: int


class Planter:
    """Counts the uses of every call, and lets one of them raise."""

    def __init__(self) -> None:
        self.forget()

    def forget(self, plant: Place | None = None) -> None:
        """Begin anew, with another place or none."""
        self.uses: Counter[str] = Counter()
        self.plant = plant
        self.on = self.raised = False

    def use(self, call: str) -> None:
        """Take note of a call; raise if it is the one."""
        if self.on:
            self.uses[call] += 1
            if self.plant == (call, self.uses[call]):
                self.raised = True
                raise Planted(f"{call}, use {self.uses[call]}")


def break_everything(patch: pytest.MonkeyPatch) -> Planter:
    """Let a planter hear of every call, until the patch is undone."""
    planter = Planter()
    for kind, protocol in ((Witness, Store), (WitnessRegistry, Registry), (SimSources, Sources)):
        for name in _public(protocol):
            patch.setattr(kind, name, _watched(planter, f"{protocol.__name__}.{name}", getattr(kind, name)))
    for module in _modules():
        for name, thing in list(vars(module).items()):
            if getattr(thing, "__module__", None) != module.__name__ or name.startswith("_"):
                continue
            if inspect.isclass(thing) and thing not in PLAIN:
                _watch_class(planter, patch, thing)
            elif isinstance(thing, FunctionType):
                _replace(patch, thing, _watched(planter, name, thing))
    return planter


def _modules() -> Iterator[ModuleType]:
    for package in (bullpen.server.live, bullpen.server.doors, bullpen.server.tables):
        for found in pkgutil.iter_modules(package.__path__):
            if found.name not in ELSEWHERE:
                yield importlib.import_module(f"{package.__name__}.{found.name}")


def _public(kind: type) -> Iterator[str]:
    """Yield the names of what others may call; what a `with` or a call stands for is public, too."""
    special = {"__call__", "__aenter__", "__aexit__"}
    for name, value in vars(kind).items():
        if isinstance(value, FunctionType) and (not name.startswith("_") or name in special):
            yield name


def _watch_class(planter: Planter, patch: pytest.MonkeyPatch, kind: type) -> None:
    if getattr(kind, "_is_protocol", False) or issubclass(kind, BaseException):
        return
    for name in list(_public(kind)):
        call = f"{kind.__name__}.{name}"
        if call not in LAST:
            patch.setattr(kind, name, _watched(planter, call, vars(kind)[name]))


def _replace(patch: pytest.MonkeyPatch, old: FunctionType, new: Callable[..., Any]) -> None:
    """Put a function into the place of another, wherever it was imported."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith(("bullpen.server", "tests.simulation")):
            for name, thing in list(vars(module).items()):
                if thing is old:
                    patch.setattr(module, name, new)


def _watched(planter: Planter, call: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is counted first: where it would run, not where it is only called."""
    if inspect.isasyncgenfunction(work):

        @functools.wraps(work)
        async def lines(*values: Any, **named: Any) -> AsyncGenerator[Any, None]:
            planter.use(call)
            async for each in work(*values, **named):
                yield each

        return lines
    if inspect.iscoroutinefunction(work):

        @functools.wraps(work)
        async def later(*values: Any, **named: Any) -> Any:
            planter.use(call)
            return await work(*values, **named)

        return later

    @functools.wraps(work)
    def now(*values: Any, **named: Any) -> Any:
        planter.use(call)
        return work(*values, **named)

    return now

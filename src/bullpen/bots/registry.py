"""Which function plays a level in a game: modules in `bullpen.bots.games` register themselves here."""

import importlib
import pkgutil
import random
from collections.abc import Callable
from functools import cache, cached_property
from typing import TypeAlias

from bullpen.engine import Ask, BullpenError, Choice, View


class UnknownLevel(BullpenError):
    """There is no level of this name."""


class NeedsFast(BullpenError):
    """A level was asked that needs packages which are not installed."""


def never() -> bool:
    """Go on thinking."""
    return False


class Mind:
    """What a thinker has besides its view: a seed for this decision, chance, and when to stop.

    Everything random comes from here and hangs on the player's seed and what the seat sees, so the
    same player asked the same question answers the same.
    """

    def __init__(self, seed: int | str, view: View, ask: Ask, stop: Callable[[], bool] = never) -> None:
        self._seed, self._view, self._ask = seed, view, ask
        self.stop = stop

    @cached_property
    def rng(self) -> random.Random:
        """A random generator for this decision alone."""
        view, position = self._view, self._view.position
        where = (view.game, view.seat, position.round, position.trick, self._ask.kind, self._ask.about)
        what = (position.rows, view.hand, [choice.notation for choice in self._ask.options])
        return random.Random(f"{self._seed}/{where}/{what}")

    @cached_property
    def seed(self) -> int:
        """A 63-bit seed for this decision, for generators other than Python's."""
        return self.rng.getrandbits(63)


Thinker: TypeAlias = Callable[[View, Ask, Mind], Choice]
"""Answers a question from a view: one of `ask.options`."""

_THINKERS: dict[tuple[str, str], Thinker] = {}
ANY = ""
"""Stands for every game that has no thinker of its own."""


def register(level: str, *games: str) -> Callable[[Thinker], Thinker]:
    """Let a function play a level in these games, or (with no game named) wherever nobody else does."""

    def note(thinker: Thinker) -> Thinker:
        for game in games or (ANY,):
            _THINKERS[level, game] = thinker
        return thinker

    return note


@cache
def _load() -> None:
    """Import every module of `bullpen.bots.games`, which registers what it plays."""
    package = importlib.import_module("bullpen.bots.games")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def find(level: str, game: str) -> Thinker:
    """Return the thinker of a level in a game, or the one for any game."""
    _load()
    return _THINKERS.get((level, game)) or _THINKERS.get((level, ANY)) or _THINKERS["random", ANY]


def covered(level: str, game: str) -> bool:
    """Whether the level has a thinker for this game, its own or the general one."""
    _load()
    return (level, game) in _THINKERS or (level, ANY) in _THINKERS

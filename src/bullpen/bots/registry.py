"""Which function plays a level in a game: ours (`bullpen.bots.games`), and those of other packages."""

import importlib
import logging
import pkgutil
import random
from collections.abc import Callable
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import Protocol, TypeAlias

from msgspec import Struct

from bullpen.engine import Ask, BullpenError, Choice, View

GROUP = "bullpen.bots"
"""The group of entry points by which other packages bring bots."""
ANY = ""
"""Stands for every game that has nobody of its own."""

_log = logging.getLogger(__name__)


class UnknownLevel(BullpenError):
    """There is no level of this name, or not in this game."""


class NeedsFast(BullpenError):
    """A level was asked that needs packages which are not installed."""


class Player(Protocol):
    """A bot."""

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return one of the ask's options."""


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
Maker: TypeAlias = Callable[[int | str], Player]
"""Makes a player from a seed: a class with `__init__(seed)` and `choose(view, ask)`."""


class Entry(Struct, frozen=True):
    """Who plays a level in a game: a function that thinks, or a class whose players do."""

    thinker: Thinker | None = None
    maker: Maker | None = None
    needs: tuple[str, ...] = ()
    """The parts of `bullpen.bots.preparing` that are compiled for it, with NumPy and Numba."""


_OURS: dict[tuple[str, str], Entry] = {}
_THEIRS: dict[tuple[str, str], Entry] = {}
_PROBLEMS: dict[str, str] = {}
"""What is wrong with bots of other packages, by name."""


def offer(level: str, *games: str, needs: tuple[str, ...] = ()) -> Callable[[Thinker], Thinker]:
    """Let a function of ours play a level in these games, or (none named) wherever nobody else does."""

    def note(thinker: Thinker) -> Thinker:
        for game in games or (ANY,):
            _OURS[level, game] = Entry(thinker, needs=needs)
        return thinker

    return note


def register(level: str, *games: str) -> Callable[[Thinker], Thinker]:
    """Let a function play a level in these games, or (with no game named) wherever nobody else does.

    The level may be one of ours or a new one; whoever registers goes before us, at any time.
    """

    def note(thinker: Thinker) -> Thinker:
        for game in games or (ANY,):
            _THEIRS[level, game] = Entry(thinker)
        return thinker

    return note


def register_player(level: str, maker: Maker, *games: str) -> None:
    """Let players of a class play a level in these games, or wherever nobody else does."""
    for game in games or (ANY,):
        _THEIRS[level, game] = Entry(maker=maker)


@cache
def _load() -> None:
    """Import every module of `bullpen.bots.games`, and whatever other packages bring."""
    package = importlib.import_module("bullpen.bots.games")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        _bring(point)


def _bring(point: EntryPoint) -> None:
    """Take in the bot of another package; one that cannot be used is told about when it is asked for."""
    package = point.dist.name if point.dist is not None else point.value
    try:
        found = point.load()
    except Exception as error:  # whatever is wrong there must not keep the others from playing
        _refuse(point, package, f"{point.value} cannot be imported ({type(error).__name__}: {error})")
        return
    if isinstance(found, ModuleType):
        return  # it has registered what it plays
    if not callable(getattr(found, "choose", None)):
        _refuse(point, package, f"{point.value} is neither a module nor a class with a method choose")
        return
    register_player(point.name, found, *getattr(found, "games", ()))


def _refuse(point: EntryPoint, package: str, why: str) -> None:
    _PROBLEMS[point.name] = f"The bot {point.name!r} of {package} cannot be used: {why[:300]}."
    _log.warning(_PROBLEMS[point.name])


def find(level: str, game: str) -> Entry:
    """Return who plays a level in a game; one sentence if nobody does."""
    _load()
    for where in (game, ANY):
        entry = _THEIRS.get((level, where)) or _OURS.get((level, where))
        if entry is not None:
            return entry
    raise UnknownLevel(_nobody(level, game))


def find_by_rules(level: str) -> Entry:
    """Return who plays in the place of a level under rules that it was not written for."""
    _load()
    return _OURS.get((level, ANY)) or _OURS["medium", ANY]


def _nobody(level: str, game: str) -> str:
    if level in _PROBLEMS:
        return _PROBLEMS[level]
    if level not in known():
        return f"There is no bot {level[:40]!r}; there are {', '.join(known())}."
    return f"There is no bot {level[:40]!r} for {game}; there are {', '.join(known(game))}."


def needed(level: str) -> frozenset[str]:
    """Return the parts that a level of ours needs, in whatever game."""
    _load()
    return frozenset(part for (name, _), entry in _OURS.items() if name == level for part in entry.needs)


def known(game: str | None = None) -> tuple[str, ...]:
    """Return the names of all bots, or of those that play a game: ours first, weakest first."""
    _load()
    keys = [*_OURS, *_THEIRS]
    names = dict.fromkeys(level for level, where in keys if game is None or where in (game, ANY))
    order = [*(level for level in ORDER if level in names), *(name for name in names if name not in ORDER)]
    return tuple(order)


ORDER = ("random", "easy", "medium", "hard", "expert", "deep", "human", "mcs")
"""Our own bots, weakest first; the last two are kept to be played and measured against."""


def check(level: str, game: str) -> None:
    """Raise one sentence unless this bot can play this game here."""
    if find(level, game).needs and not has_fast():
        raise NeedsFast(
            f"The level {level} needs NumPy and Numba: install them with  pip install 'bullpen-games[bots]'"
        )


def has_fast() -> bool:
    """Whether NumPy and Numba are there, which the levels that search need."""
    return find_spec("numpy") is not None and find_spec("numba") is not None

"""The games: ours, found by themselves, those of other packages, and the registry that names them all."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from bullpen.engine import OptionValue, Ruleset, UnknownBehaviour, UnknownGame
from bullpen.rulesets.outside import Outside, look_outside


@cache
def own_games() -> dict[str, type[Ruleset[Any]]]:
    """Return every game of this package by its id, in the order of the gallery.

    >>> next(iter(own_games()))
    'base'
    """
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(module.name)
    ours = [kind for kind in Ruleset.descendants() if kind.__module__.startswith(__name__)]
    named = [kind for kind in ours if "id" in vars(kind)]
    return {kind.id: kind for kind in sorted(named, key=lambda kind: kind.number)}


@cache
def _outside() -> Outside:
    return look_outside(own_games())


@cache
def games() -> dict[str, type[Ruleset[Any]]]:
    """Return every game by its id: our own in the order of the gallery, then those of other packages."""
    return {**own_games(), **_outside().games}


@contextmanager
def lent(kind: type[Ruleset[Any]]) -> Iterator[None]:
    """Let a game be found by its id for a while, as if its package were installed."""
    known = games()
    before = known.get(kind.id)
    known[kind.id] = kind
    try:
        yield
    finally:
        if before is None:
            del known[kind.id]
        else:
            known[kind.id] = before


def unusable_games() -> tuple[str, ...]:
    """Return a sentence about every game of another package that cannot be used."""
    return _outside().problems


def find(game: str, behaviour: int | None = None) -> type[Ruleset[Any]]:
    """Return the rules of a game by its id or alias: those of today, or those of an earlier behaviour.

    >>> find("buffalo", behaviour=1).behaviour
    1
    """
    for kind in games().values():
        if game == kind.id or game in kind.aliases:
            return kind if behaviour is None else _at_behaviour(kind, behaviour)
    raise UnknownGame(f"There is no game {str(game)[:40]!r}; there are: {', '.join(games())}.")


def make(
    game: str,
    players: int,
    options: Mapping[str, OptionValue] | None = None,
    behaviour: int | None = None,
) -> Ruleset[Any]:
    """Return the rules of a game for that many players and these options.

    >>> make("pro", 3).id
    'logic'
    """
    return find(game, behaviour)(players, options)


def behaviours(game: str) -> tuple[int, ...]:
    """Return the behaviours of a game that this program plays, the earliest first.

    >>> behaviours("buffalo")
    (1, 2)
    """
    return tuple(sorted(_behaviours(find(game))))


def is_newest(game: str, behaviour: int) -> bool:
    """Whether new games are played under this behaviour; an unregistered game has no other."""
    kind = games().get(game)
    return kind is None or kind.behaviour == behaviour


def _behaviours(kind: type[Ruleset[Any]]) -> dict[int, type[Ruleset[Any]]]:
    """Return a game's rules by behaviour: an earlier one is a subclass with a `behaviour` and no `id`."""
    earlier = [child for child in kind.descendants() if child.id == kind.id and "behaviour" in vars(child)]
    return {child.behaviour: child for child in (*earlier, kind)}


def _at_behaviour(kind: type[Ruleset[Any]], behaviour: int) -> type[Ruleset[Any]]:
    known = _behaviours(kind)
    if behaviour not in known:
        played = " and ".join(map(str, sorted(known)))
        raise UnknownBehaviour(
            f"this game was begun under behaviour {behaviour} of {kind.id}; this program plays {played}."
        )
    return known[behaviour]

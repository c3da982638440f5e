"""Games of other packages: whatever is installed with an entry point of the group `bullpen.games`.

    [project.entry-points."bullpen.games"]
    shepherd = "bullpen_shepherd:Shepherd"

A package that cannot be used is told about in a sentence; it never keeps the other games from being played.
"""

import logging
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import msgspec
from msgspec import Struct

from bullpen.engine import BullpenError, Ruleset

GROUP = "bullpen.games"
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_ID = 40
MOST_PLAYERS = 10

_log = logging.getLogger(__name__)


class Outside(Struct, frozen=True):
    """The games of other packages by id, and a sentence about each that cannot be used."""

    games: dict[str, type[Ruleset[Any]]]
    problems: tuple[str, ...]


class _Unusable(BullpenError):
    """Why a game cannot be used, as the end of a sentence."""


def look_outside(ours: Mapping[str, type[Ruleset[Any]]]) -> Outside:
    """Return what other packages offer; an id or alias that is taken stays with whoever has it."""
    found: dict[str, type[Ruleset[Any]]] = {}
    problems = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            kind = _load(entry)
            _check(kind)
            _check_names(kind, {**ours, **found})
        except _Unusable as error:
            package = entry.dist.name if entry.dist is not None else entry.value
            problems.append(f"The game {entry.name!r} of {package} cannot be used: {error}")
            _log.warning(problems[-1])
        else:
            found[kind.id] = kind
    return Outside(found, tuple(problems))


def _load(entry: EntryPoint) -> type[Ruleset[Any]]:
    """Return the class that an entry point names."""
    try:
        kind = entry.load()
    except Exception as error:
        raise _Unusable(f"{entry.value} cannot be imported ({_told(error)}).") from None
    if not (isinstance(kind, type) and issubclass(kind, Ruleset)):
        raise _Unusable(f"{entry.value} is no ruleset.")
    return kind


def _check(kind: type[Ruleset[Any]]) -> None:
    """Refuse a ruleset that could not even be listed."""
    if not ID.fullmatch(kind.id) or len(kind.id) > LONGEST_ID:
        raise _Unusable(f"its id {kind.id[:60]!r} is not made of small letters, digits and hyphens.")
    if "id" not in vars(kind) or not kind.name or not kind.summary:
        raise _Unusable("it needs an id, a name and a summary of its own.")
    try:
        counts = kind.player_counts({option.key: option.default for option in kind.offers})
        if not counts or counts[0] < 1 or counts[-1] > MOST_PLAYERS:
            raise _Unusable(f"it is not for 1 to {MOST_PLAYERS} players.")
        for players in counts:
            kind(players)
        msgspec.json.encode((dict(kind.questions), kind.furniture, kind.offers, kind.heads))
    except _Unusable:
        raise
    except Exception as error:
        raise _Unusable(f"it cannot be made ({_told(error)}).") from None


def _check_names(kind: type[Ruleset[Any]], others: Mapping[str, type[Ruleset[Any]]]) -> None:
    taken = set(_names(others))
    for name in (kind.id, *kind.aliases):
        if name in taken:
            raise _Unusable(f"there is a game {name!r} already.")


def _names(kinds: Mapping[str, type[Ruleset[Any]]]) -> Iterator[str]:
    for kind in kinds.values():
        yield from (kind.id, *kind.aliases)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"

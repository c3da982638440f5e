"""What can still be said of tables and games whose rules this version does not play any more."""

import contextlib
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from bullpen.engine import BullpenError
from bullpen.rulesets import find
from bullpen.server.tables import steps
from bullpen.server.tables.steps import Chair


class Remains(Struct, frozen=True):
    """How a table was made, and who sat there last."""

    created: steps.Created
    chairs: tuple[Chair, ...]


def remains(bodies: list[bytes]) -> Remains:
    """Return what a log tells without its rules."""
    first, *others = map(steps.decode, bodies)
    if isinstance(first, steps.Folded):
        created, chairs = first.created, list(first.chairs)
    else:
        assert isinstance(first, steps.Created)
        created, chairs = first, [Chair() for _ in range(first.players)]
    for step in others:
        if isinstance(step, steps.Sat):
            chairs[step.seat] = Chair(who=step.who, name=step.name)
        elif isinstance(step, steps.BotSat):
            chairs[step.seat] = Chair(name=step.name, level=step.level)
        elif isinstance(step, steps.Emptied):
            chairs[step.seat] = Chair()
        elif isinstance(step, steps.Forgot):
            chairs[step.seat].forgotten = True
    return Remains(created, tuple(chairs))


class _Played(Struct):
    """The game and its behaviour, in a table's first step, in a fold (its `created`) or in a record."""

    game: str = ""
    behaviour: int = 1
    created: "_Played | None" = None


def cannot_go_on(beginnings: Iterable[tuple[str, bytes | str]]) -> Iterator[str]:
    """Say which tables (by their first step) and games (by their record) this version cannot play."""
    for name, body in beginnings:
        # A table or game that cannot be read is damaged; `check` reports that elsewhere.
        with contextlib.suppress(msgspec.MsgspecError, UnicodeError):
            played = msgspec.json.decode(body, type=_Played)
            played = played.created or played
            try:
                find(played.game, played.behaviour)
            except BullpenError as error:
                if played.game:
                    yield f"The {name} cannot go on: {error}"

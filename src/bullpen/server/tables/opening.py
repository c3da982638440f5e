"""Opening a table: the first steps of its log."""

from collections.abc import Container

import msgspec

from bullpen.engine import BullpenError
from bullpen.rulesets import find
from bullpen.server.errors import Refused
from bullpen.server.protocol import STRANGERS_CLOCK, NewTable, Settings
from bullpen.server.sources import Sources
from bullpen.server.tables import requests, steps
from bullpen.server.tables.fair import SCHEME
from bullpen.server.tables.names import clean_name
from bullpen.server.tables.table import Table


def new_table(
    wish: NewTable,
    sources: Sources,
    taken: Container[str],
    origin: steps.Origin | None = None,
    lock: str = "",
) -> Table:
    """Return the table that is wished for, with a code that no other table has."""
    if lock and wish.settings.privacy == "public":
        raise Refused("bad-request", "A table with a password is private.")
    code = sources.code()
    while code in taken:
        code = sources.code()
    try:
        created = steps.Created(
            at=sources.now(),
            code=code,
            game=wish.game,
            players=wish.players,
            options=dict(wish.options),
            settings=_settings(wish),
            secret=sources.secret(),
            behaviour=find(wish.game).behaviour,
            fair=SCHEME,
            lock=lock,
            origin=origin,
        )
        return Table(sources.table_id(), created)
    except BullpenError as error:
        raise Refused("bad-request", str(error)) from None


def _settings(wish: NewTable) -> Settings:
    """Return what is agreed on: where strangers may sit down a clock runs, unless the maker wants none."""
    taken = len(wish.bots) + (wish.name is not None)
    strangers = wish.settings.privacy == "public" and taken < wish.players
    if wish.settings.clock or wish.unlimited or not strangers:
        return wish.settings
    return msgspec.structs.replace(wish.settings, clock=STRANGERS_CLOCK)


def first_steps(table: Table, wish: NewTable, caller: requests.Caller) -> list[steps.AnyStep]:
    """Return the steps that seat the maker and the bots, and start the game if that is wished."""
    seats = list(range(wish.players))
    first: list[steps.AnyStep] = []
    if table.created.lock and caller.who:
        first.append(steps.Admitted(at=caller.now, who=caller.who))
    if wish.name is not None:
        name = clean_name(wish.name) if wish.name else ""
        origin = table.created.origin
        first.append(requests.sat(table, seats.pop(origin.seat if origin else 0), name, caller, ""))
    if len(wish.bots) > len(seats):
        raise Refused("bad-request", f"There are {len(seats)} seats for {len(wish.bots)} bots.")
    bots, game = zip(seats, wish.bots, strict=False), find(wish.game).id
    first += [requests.bot_sat(seat, level, game, caller, "") for seat, level in bots]
    if wish.start:
        free = len(seats) - len(wish.bots)
        if free:
            raise Refused("closed", f"{free} of {wish.players} seats are still open.")
        first.append(steps.Started(at=caller.now))
    return first

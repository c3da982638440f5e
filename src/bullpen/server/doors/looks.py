"""Looks: what a player may ask about the own view, when it is wanted: where a card would go, what is unseen.

Everything here is worked out from a `View`, so it can tell nobody more than they see already.
"""

from typing import Any

from bullpen.engine import Ruleset, View, preview, unseen, view
from bullpen.server.doors.http import Call
from bullpen.server.protocol import Looks


async def look(call: Call[None]) -> Looks:
    """What the caller's view tells; before a game that is nothing."""
    room = await call.room()
    await call.settled(room)
    game = room.table.game
    if game is None:
        return Looks({}, (), None)
    seat = room.table.seat_of(call.who)
    return looks(game.rules, view(game.rules, game.position, seat))


def looks(rules: Ruleset[Any], seen: View) -> Looks:
    """Return everything that can be worked out from a view."""
    options = seen.ask.options if seen.ask is not None else ()
    told = {option.notation: preview(rules, seen, option) for option in options}
    goes = {notation: foreseen for notation, foreseen in told.items() if foreseen}
    return Looks(goes, unseen(rules, seen), rules.row_limits(seen.position))

"""Company: what people say to each other beside the game; nothing of it is kept."""

from bullpen.server.errors import Refused
from bullpen.server.live.room import Room
from bullpen.server.protocol import Nudge, Nudged
from bullpen.server.tables.wire import encode, waiting

NUDGE_SECONDS = 10.0
"""So long nobody can remind the same seat again."""


def nudge(room: Room, who: str, message: Nudge, now: float) -> None:
    """Remind somebody that everybody waits, now and then, or say why not."""
    table = room.table
    seat = table.seat_of(who)
    if seat is None:
        raise Refused("not-seated", "Only people with a seat can remind others.")
    if seat == message.seat or message.seat not in waiting(table.position) or table.phase != "playing":
        raise Refused("closed", "Nobody waits for that seat.")
    if not table.chairs[message.seat].person:
        raise Refused("closed", "A bot plays there, and needs no reminder.")
    wait = room.nudged.get(message.seat, -NUDGE_SECONDS) + NUDGE_SECONDS - now
    if wait > 0:
        raise Refused("too-fast", "That seat was reminded a moment ago.", max(1, round(1000 * wait)))
    if room.first_heard(who, message.id):
        room.nudged[message.seat] = now
        room.tell_all(encode(Nudged(seat=message.seat, by=seat)).decode())

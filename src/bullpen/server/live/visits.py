"""Visits: people, spectators and bots from outside come to a table and go."""

import asyncio
import contextlib

from bullpen.server.live.hub import Hub
from bullpen.server.live.people import TurnedAway
from bullpen.server.live.room import Listener, Room
from bullpen.server.protocol import Announcement
from bullpen.server.store.interface import StoreError
from bullpen.server.tables import requests, steps
from bullpen.server.tables.wire import encode

EARLY = 50
"""So many milliseconds too soon a timer may ring."""
LOOK_AGAIN = 1.0
"""So many seconds apart a process looks for what others have revoked."""


def join(hub: Hub, room: Room, listener: Listener, last: int) -> None:
    """Begin or resume to tell a listener about a table, once all that happened is on disk."""
    if room.gone:
        raise room.farewell()
    new, now = listener not in room.listeners, hub.sources.monotonic()
    room.listeners.add(listener)
    room.visited = now
    room.left_at.pop(listener.who, None)
    room.when_settled(lambda moved, _: None if moved else _welcome(hub, room, listener, last))
    if new:
        room.tell_presence(now)
        hub.rooms.attend(room)
    seat = room.table.seat_of(listener.who)
    if seat is not None and room.table.chairs[seat].away:
        hub.do(room, steps.Away(at=hub.sources.now(), seat=seat, away=False))
    elif seat is not None and listener.who == room.table.absent_host:
        hub.do(room, steps.Hosted(at=hub.sources.now(), seat=seat))


def _welcome(hub: Hub, room: Room, listener: Listener, last: int) -> None:
    """Tell a listener what is new, and who is missed."""
    try:
        now = hub.sources.monotonic()
        room.resume(listener, last, now)
        listener.push(room.who_is_there(now))
        if hub.announced != Announcement():
            listener.push(encode(hub.announced).decode())
    except Exception:
        room.fail(listener)


def part(hub: Hub, room: Room, listener: Listener) -> None:
    """Stop telling a listener; a host who stays away hands over, a team goes on without a member."""
    room.listeners.discard(listener)
    now = hub.sources.monotonic()
    room.visited = now
    seat = room.table.seat_of(listener.who)
    if seat is not None and seat not in room.connected_seats():
        room.left_at[listener.who] = now
    if seat is not None and seat not in room.connected_seats():
        if seat == room.table.host:
            asyncio.get_running_loop().call_later(hub.config.host_grace, _hand_over, hub, room, seat)
        _settle_votes(hub, room)
    room.tell_presence(now)


def _hand_over(hub: Hub, room: Room, seat: int) -> None:
    """Make somebody who is there the host, if the host is still not."""
    absent = room.absent(seat, hub.sources.monotonic())
    if absent is None or absent < 1000 * hub.config.host_grace - EARLY:
        # The host was here in between, and has left again since: that counts from then.
        return
    here = room.connected_seats()
    heir = room.table.heir(seat, lambda other: other in here)
    if room.table.host == seat and heir is not None:
        hub.do(room, steps.Hosted(at=hub.sources.now(), seat=heir))


def _settle_votes(hub: Hub, room: Room) -> None:
    """When a member has gone, those who are left may have agreed already."""
    table = room.table
    position = table.position
    for ask in position.open_asks if position is not None and table.votes else ():
        if len(ask.seats) > 1:
            here = room.connected_seats()
            decided = requests.decision(table, ask, table.votes, here, hub.sources.now())
            if decided is not None:
                hub.do(room, decided, asked=table.asked)


def turn_away(hub: Hub, gone: TurnedAway) -> None:
    """Hang up on everybody who came by a key that counts no more."""
    if not (gone.devices or gone.people):
        return
    for listener in everybody(hub):
        if gone.includes(listener.who, listener.device):
            try:
                listener.hang_up()
            except Exception:
                hub.metrics.fault("somebody was not turned away", "")


def everybody(hub: Hub) -> set[Listener]:
    """Return everybody who follows a table, and the streams of bots from outside."""
    here: set[Listener] = {listener for room in hub.rooms.values() for listener in room.listeners}
    return here.union(*hub.streams.values())


async def learn_revocations(hub: Hub) -> None:
    """Learn whom other processes, or a host by hand, have turned away."""
    turn_away(hub, await hub.writer.call(hub.people.look_again))


async def look_for_revocations(hub: Hub) -> None:
    """Learn, a moment from now, whom other processes or a host by hand have turned away."""
    await asyncio.sleep(LOOK_AGAIN)
    # While the store cannot be read, nothing is learned.
    with contextlib.suppress(StoreError):
        await learn_revocations(hub)

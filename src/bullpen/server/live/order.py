"""Order: a process carries out what the host of the server has ordered since it looked last."""

import asyncio
import contextlib

from bullpen.server.errors import CLOSED
from bullpen.server.live.hub import Hub
from bullpen.server.live.moderation import sentence
from bullpen.server.live.room import Listener, Room
from bullpen.server.live.visits import LOOK_AGAIN, everybody
from bullpen.server.protocol import Announcement
from bullpen.server.store.interface import StoreError
from bullpen.server.tables.wire import encode, refusal

TABLE_CLOSED = "The host of this server has closed this table."


async def keep_order(hub: Hub) -> None:
    """Look, a moment from now, whether anything was ordered, and carry it out."""
    await asyncio.sleep(LOOK_AGAIN)
    # What could not be carried out because of the store is tried again.
    with contextlib.suppress(StoreError):
        counted = await hub.writer.call(hub.moderation.look_again)
        if counted is not None:
            await _carry_out(hub)
            hub.moderation.carried_out = counted


async def _carry_out(hub: Hub) -> None:
    for listener in everybody(hub):
        ban = hub.moderation.ban_of(listener.address, listener.who)
        if ban is not None:
            _see_off(hub, listener, refusal("banned", sentence(ban), None))
    for room in tuple(hub.rooms.values()):
        hub.unseat_banned(room)
    announce(hub, Announcement(says=hub.moderation.announcement))
    await _let_closed_tables_go(hub)


def announce(hub: Hub, told: Announcement) -> None:
    """Tell everybody at a table what is announced, if that is new; a restart is not taken back."""
    if told != hub.announced and not hub.announced.restarts:
        hub.announced = told
        for room in tuple(hub.rooms.values()):
            room.tell_all(encode(told).decode())


async def _let_closed_tables_go(hub: Hub) -> None:
    """Let go of tables that were put into the archive or deleted behind this process's back."""
    here = [room for room in hub.rooms.values() if room.committed]
    kept = {table for table, _ in await hub.writer.call(hub.store.open_tables)}
    for room in here:
        if room.table.id not in kept and not room.gone:
            await _let_go(hub, room)


async def _let_go(hub: Hub, room: Room) -> None:
    hub.rooms.forget(room)
    for listener in tuple(room.listeners):
        _see_off(hub, listener, refusal("unknown-table", TABLE_CLOSED, None))
    if hub.owners is not None:
        await hub.owners.release(room.table.id)


def _see_off(hub: Hub, listener: Listener, says: str) -> None:
    """Tell somebody why, and hang up for good."""
    try:
        listener.push(says)
        listener.hang_up(CLOSED)
    except Exception:
        hub.metrics.fault("somebody was not seen off", "")

"""Sharing: this process among others on one store, from the first lease to the handover at the end."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.routing import Router

from bullpen.server.doors.door import Door
from bullpen.server.doors.guests import Host, Hosts
from bullpen.server.doors.http import routes
from bullpen.server.doors.link import Link, link_key
from bullpen.server.doors.neighbours import Dial, Neighbours
from bullpen.server.doors.routes import TABLE
from bullpen.server.live.chores import Chores
from bullpen.server.live.metrics import Gauge
from bullpen.server.live.order import announce
from bullpen.server.live.owners import Owners
from bullpen.server.network import ANYWHERE, own_address
from bullpen.server.protocol import Announcement

Listen: TypeAlias = Callable[[Callable[[], Link]], Awaitable[str]]
"""Lets links come in, and returns the address at which they do."""


class Sharing:
    """Serves for others what belongs to tables here, and passes on what belongs to tables there."""

    def __init__(self, door: Door, owners: Owners, listen: Listen, dial: Dial) -> None:
        self._hub = door.hub
        self._owners = owners
        self._listen = listen
        self._key = link_key(door.hub.store.secret())
        self._hosts = Hosts(lambda: owners.process)
        self._neighbours = door.neighbours = Neighbours(owners, door.hub.sources, self._key, dial)
        self._door = door
        self._router = Router(routes(door, TABLE))
        self.chores = Chores(door.hub.metrics)
        self._leaving: asyncio.Task[None] | None = None
        owners.lost = self._lost

    async def open(self) -> None:
        """Let other processes in, so that the address can be told before the first lease."""
        self._owners.address = await self._listen(
            lambda: Host(self._door, self._router, self._key, self._hosts)
        )

    def begin(self) -> None:
        """Keep the lease, and look for tables and processes, until the end."""
        self.chores.begin(
            self._owners.keep, self._hub.adopt, self._neighbours.look_around, self._door.index.tell
        )

    def _lost(self) -> None:
        self._hub.lose_all()
        self._hosts.close()

    def leave(self) -> asyncio.Task[None]:
        """Hand all tables over, once."""
        if self._leaving is None:
            self._leaving = asyncio.create_task(self._hand_over())
        return self._leaving

    async def _hand_over(self) -> None:
        heirs = await self._neighbours.heirs()
        if not heirs.any:
            announce(self._hub, Announcement(restarts=True))
        await self._hub.hand_over(heirs.bequeath)

    async def close(self) -> None:
        """Hand all tables over, and end."""
        await self.leave()
        self.chores.end()
        self._hosts.close()
        self._neighbours.close()

    def gauges(self) -> dict[str, Gauge]:
        """Return what is measured at this moment."""
        return {
            "owned_tables": Gauge(len(self._owners.epochs), "Tables that this process owns."),
            "lease_held": Gauge(self._owners.held, "Whether this process has a lease."),
            "passed_on_sockets": Gauge(self._neighbours.sockets, "Sockets here that others serve."),
            "guest_sockets": Gauge(self._hosts.guests, "Sockets of other processes that are served here."),
            "link_seconds": Gauge(self._neighbours.latency, "There and back to the slowest neighbour."),
        }


def listening_at(address: str) -> Listen:
    """Return what listens at an address such as `0.0.0.0:8267`; port 0 is any that is free."""

    async def listen(make: Callable[[], Link]) -> str:
        host, _, port = address.rpartition(":")
        server = await asyncio.get_running_loop().create_server(make, host.strip("[]"), int(port))
        bound = server.sockets[0].getsockname()
        reached = own_address() if bound[0] in ANYWHERE else bound[0]
        return f"{reached}:{bound[1]}"

    return listen

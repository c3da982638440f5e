"""The application: everything put together."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, MutableMapping
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bullpen.server.config import Config
from bullpen.server.doors import pages
from bullpen.server.doors.about import host_texts
from bullpen.server.doors.callers import address
from bullpen.server.doors.crowd import Crowd
from bullpen.server.doors.door import Door
from bullpen.server.doors.headers import with_safe_headers
from bullpen.server.doors.hosts import UNKNOWN_HOST
from bullpen.server.doors.http import STATUS, refuse, routes
from bullpen.server.doors.neighbours import dial
from bullpen.server.doors.openapi import DESCRIPTION
from bullpen.server.doors.operating import Operating, forbidden
from bullpen.server.doors.routes import TABLE
from bullpen.server.doors.sharing import Sharing, listening_at
from bullpen.server.doors.sockets import Sockets
from bullpen.server.errors import Refused
from bullpen.server.live.bots import Pool, levels_here
from bullpen.server.live.hub import Hub
from bullpen.server.live.keeper import Keeper
from bullpen.server.live.order import announce, keep_order
from bullpen.server.live.readiness import Readiness, missing_here
from bullpen.server.live.visits import look_for_revocations
from bullpen.server.logs import REQUESTS
from bullpen.server.protocol import Announcement
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Registry, Store, StoreError
from bullpen.server.store.places import open_registry, open_store
from bullpen.server.supervisor import Supervisor

OPERATING = {"/healthz", "/readyz", "/metrics"}
"""What operators reach from any address, banned or not."""
LOCAL = {"127.0.0.1", "::1", "localhost"}
ARCHIVE_EVERY = 600.0
COMPRESSION = 4
"""Good enough, and a third of the time of the best."""
log = logging.getLogger(REQUESTS)


class App:
    """An ASGI application: sockets go their own way, everything else through Starlette."""

    def __init__(
        self,
        config: Config,
        store: Store,
        sources: Sources | None = None,
        registry: Registry | None = None,
        readiness: Readiness | None = None,
    ) -> None:
        self.config = config
        self.hub = Hub(config, store, sources or Sources(), registry)
        self.hub.readiness = readiness or Readiness()
        self.hub.readiness.changed = self._tell_all
        self.door = Door(self.hub)
        self.door.about = host_texts(config)
        self.sharing: Sharing | None = None
        if self.hub.owners is not None:
            self.sharing = Sharing(self.door, self.hub.owners, listening_at(config.link), dial)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.crowd = Crowd(config)
        self.sockets = Sockets(self.door)
        pool = Pool.of(config, self.hub.metrics, self.hub.readiness)
        self._keeper = Keeper(self.hub, pool)
        self._operating = Operating(self.door, self.crowd, pool, self.sharing)
        own = [
            Route("/healthz", self._health),
            Route("/readyz", self._ready),
            Route("/metrics", self._metrics),
            *routes(self.door, (*TABLE, DESCRIPTION)),
        ]
        self.http = Starlette(
            routes=[*own, *pages.routes()],
            middleware=[
                Middleware(GZipMiddleware, minimum_size=2000, compresslevel=COMPRESSION),
            ],
            lifespan=self._lifespan,
        )

    @classmethod
    def from_config(cls, config: Config, sources: Sources | None = None) -> "App":
        """Open the store that a configuration names, and build the application."""
        place = config.store_place
        readiness = Readiness(missing_here(levels_here(), hints=config.analysis))
        return cls(config, open_store(place), sources, open_registry(place), readiness)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection."""
        if scope["type"] == "websocket":
            await self.sockets(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self.http(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request and write a line about it: which route, and nothing that the caller said."""
        began, done = time.monotonic(), {"status": 0, "bytes": 0}

        async def counted(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                done["status"] = message["status"]
            else:
                done["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            await self._answer(scope, receive, with_safe_headers(scope, counted))
        finally:
            spent = round(1000 * (time.monotonic() - began), 1)
            route = scope.get("state", {}).get("route", "page")
            extra = {"method": scope["method"], "route": route, **done, "milliseconds": spent}
            if self.config.log_addresses:
                extra["address"] = address(HTTPConnection(scope))
            log.log(logging.DEBUG if route == pages.FILE else logging.INFO, "request", extra=extra)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HTTPConnection(scope)
        of_interface = request.url.path.startswith("/api")
        try:
            if not self.door.hosts.known(request):
                raise Refused("forbidden", UNKNOWN_HOST)
            if request.url.path not in OPERATING:
                self.hub.moderation.check(address(request), "")
            if not of_interface:
                self.door.count("pages", address(request))
        except Refused as error:
            self.hub.metrics.refused(error.code)
            banned = PlainTextResponse(error.says, STATUS["banned"])
            answer = banned if error.code == "banned" and not of_interface else refuse(error)
            await answer(scope, receive, send)
            return
        await self.http(scope, receive, send)

    def end_streams(self) -> None:
        """End what would otherwise go on for ever, and let other processes have the tables."""
        self.door.closing.set()
        if self._loop is not None:
            alone = partial(announce, self.hub, Announcement(restarts=True))
            self._loop.call_soon_threadsafe(alone if self.sharing is None else self.sharing.leave)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        if self.sharing is not None:
            await self.sharing.open()
        await self.hub.open()
        if self.sharing is not None:
            self.sharing.begin()
        supervisor = Supervisor()
        self.hub.chores.begin(
            self._archive,
            self.door.pulse.beat,
            lambda: look_for_revocations(self.hub),
            lambda: keep_order(self.hub),
            lambda: supervisor.reassure(self._operating.dead),
        )
        compiling = asyncio.create_task(self.hub.readiness.compile())
        supervisor.tell("READY=1")
        yield
        supervisor.tell("STOPPING=1")
        compiling.cancel()
        self.hub.chores.end()
        await self.door.library.close()
        await self.door.analyst.close()
        await self._keeper.close()
        await self._note_devices()
        if self.sharing is not None:
            await self.sharing.close()
        await self.hub.writer.stop()

    def _tell_all(self) -> None:
        """Tell everybody at a table which bots can decide by now."""
        now = self.hub.sources.monotonic()
        for room in self.hub.rooms.values():
            room.tell_presence(now)

    async def _archive(self) -> None:
        await asyncio.sleep(min(ARCHIVE_EVERY, max(1.0, self.config.archive_after)))
        await self.hub.archive_unvisited()
        await self._note_devices()

    async def _note_devices(self) -> None:
        """Write down which devices were here; it matters for a list only, so it may fail."""
        with contextlib.suppress(StoreError):
            await self.hub.writer.call(self.hub.people.write_down)

    async def _health(self, _: Request) -> Response:
        """Liveness: whether this process is worth keeping."""
        return _state(self._operating.dead(), len(self.hub.rooms))

    async def _ready(self, _: Request) -> Response:
        """Readiness: whether new visitors should be sent here."""
        return _state(self._operating.unready(), len(self.hub.rooms))

    async def _metrics(self, request: Request) -> Response:
        # What a proxy brings is never from this machine, even if the proxy is and nobody has named it.
        passed_on = any(name.startswith("x-forwarded-") for name in request.headers)
        local = address(request) in LOCAL and not passed_on
        if not (local or self.config.metrics_for_all):
            return forbidden()
        text = self.hub.metrics.text(self._operating.gauges())
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def _state(why: str, tables: int) -> Response:
    return JSONResponse({"status": why or "ok", "tables": tables}, 503 if why else 200)

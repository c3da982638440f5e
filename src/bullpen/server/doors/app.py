"""The application: everything put together."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bullpen.server.config import Config
from bullpen.server.doors import pages
from bullpen.server.doors.http import Door, routes
from bullpen.server.doors.openapi import document
from bullpen.server.doors.routes import TABLE
from bullpen.server.doors.sockets import Sockets
from bullpen.server.live.bots import Pool
from bullpen.server.live.hub import Hub
from bullpen.server.live.keeper import Keeper
from bullpen.server.sources import Sources
from bullpen.server.store.interface import Store
from bullpen.server.store.sqlite import SQLite

LOCAL = {"127.0.0.1", "::1", "localhost"}
ARCHIVE_EVERY = 600.0


class App:
    """An ASGI application: sockets go their own way, everything else through Starlette."""

    def __init__(self, config: Config, store: Store, sources: Sources | None = None) -> None:
        self.config = config
        self.hub = Hub(config, store, sources or Sources())
        self.sockets = Sockets(self.hub)
        self._keeper = Keeper(self.hub, Pool.of(config, self.hub.metrics))
        self._door = Door(self.hub)
        own = [
            Route("/healthz", self._health),
            Route("/metrics", self._metrics),
            Route("/api", self._openapi),
            *routes(self._door, TABLE),
        ]
        self.http = Starlette(
            routes=[*own, *pages.routes()],
            middleware=[Middleware(pages.SafeHeaders), Middleware(GZipMiddleware, minimum_size=2000)],
            lifespan=self._lifespan,
        )

    @classmethod
    def from_config(cls, config: Config, sources: Sources | None = None) -> "App":
        """Open the store that a configuration names, and build the application."""
        config.store_path.parent.mkdir(parents=True, exist_ok=True)
        # The file holds what signs identities and deals: it is nobody else's to read.
        config.store_path.touch(mode=0o600)
        return cls(config, SQLite(config.store_path), sources)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection."""
        if scope["type"] == "websocket":
            await self.sockets(scope, receive, send)
        else:
            await self.http(scope, receive, send)

    def end_streams(self) -> None:
        """End what would otherwise go on for ever."""
        self._door.closing.set()

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        await self.hub.open()
        archivist = asyncio.create_task(self._archive())
        yield
        archivist.cancel()
        await self._door.library.close()
        await self._keeper.close()
        await self.hub.writer.stop()

    async def _archive(self) -> None:
        while True:
            await asyncio.sleep(min(ARCHIVE_EVERY, max(1.0, self.config.archive_after)))
            await self.hub.archive_unvisited()

    async def _openapi(self, _: Request) -> Response:
        return JSONResponse(document())

    async def _health(self, _: Request) -> Response:
        trouble = self.hub.writer.trouble
        body = {"status": trouble or "ok", "tables": len(self.hub.rooms)}
        return JSONResponse(body, 200 if trouble is None else 503)

    async def _metrics(self, request: Request) -> Response:
        local = request.client is not None and request.client.host in LOCAL
        if not (local or self.config.metrics_for_all):
            return PlainTextResponse("Metrics are for this machine only.", 403)
        gauges = {
            "connections": float(self.sockets.count),
            "tables": float(len(self.hub.rooms)),
            "storage_ok": float(self.hub.writer.trouble is None),
        }
        return PlainTextResponse(self.hub.metrics.text(gauges), media_type="text/plain; version=0.0.4")

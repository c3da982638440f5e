"""Proxies: a trusted one tells from which address a request comes, and which origin the browser asked."""

from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from bullpen.server.network import within

ASKED_HOST = "bullpen.asked-host"
"""The place in a scope of the Host header that a proxy sent beside another one in X-Forwarded-Host."""
USUAL_PORTS = (b"80", b"443")
"""Ports that proxies tell of themselves; a browser leaves them out."""


class BehindProxies:
    """Reads X-Forwarded-For, -Proto, -Host and -Port where a trusted proxy sends them, and nowhere else."""

    def __init__(self, app: Any, proxies: tuple[str, ...]) -> None:
        named: Any = ProxyHeadersMiddleware(app, list(proxies))
        self._app: ASGIApp = named
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection."""
        peer = scope.get("client")
        if peer and any(within(peer[0], proxy) for proxy in self._proxies):
            scope = _as_seen_outside(scope)
        await self._app(scope, receive, send)


def _as_seen_outside(scope: Scope) -> Scope:
    """Return a scope whose Host header is the one that the visitor's browser sent to the proxy."""
    # Of several values the last one is that of the nearest proxy, which is the one that is trusted.
    said = dict(scope["headers"])
    asked = said.get(b"host", b"")
    host = said.get(b"x-forwarded-host", asked).rpartition(b",")[2].strip()
    port = said.get(b"x-forwarded-port", b"").rpartition(b",")[2].strip()
    names_port = host.rpartition(b"]")[2].rpartition(b":")[1]
    if host and port.isdigit() and port not in USUAL_PORTS and not names_port:
        host += b":" + port
    if host == asked:
        return scope
    others = [pair for pair in scope["headers"] if pair[0] != b"host"]
    return {**scope, "headers": [(b"host", host), *others], ASKED_HOST: asked.decode("latin-1")}

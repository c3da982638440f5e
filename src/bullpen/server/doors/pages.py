"""The pages: the built client, or a word that it is missing; and the headers that go with everything."""

import mimetypes
import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
HOST = re.compile(r"[A-Za-z0-9.\-\[\]:]{1,200}\Z")
mimetypes.add_type("application/manifest+json", ".webmanifest")

MISSING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>bullpen</title>
<h1>bullpen</h1>
<p>The server runs, but this copy was built without the browser client.</p>
<p>Programs find the interface described at <a href="/api">/api</a>.</p>
</html>
"""


def routes() -> list[Route]:
    """Return the paths of the pages."""
    return [Route("/{path:path}", page)]


async def page(request: Request) -> Response:
    """A file of the client; or, for a browser that wants a page, the client's one document."""
    path = request.path_params["path"]
    found = file(path)
    if found is not None:
        return found
    wanted = "text/html" in request.headers.get("accept", "") or not path
    if not wanted or path.startswith(("api/", "ws/")):
        return Response("There is no such page.", 404, media_type="text/plain")
    return document()


def document() -> Response:
    """The client's one document, the same for every view."""
    index = STATIC / "index.html"
    if index.is_file():
        return FileResponse(index, headers={"cache-control": "no-cache"})
    return HTMLResponse(MISSING)


def file(name: str) -> Response | None:
    """A file of the client, if it is one; names with a hash in them never change."""
    path = (STATIC / name).resolve()
    if not path.is_relative_to(STATIC) or not path.is_file():
        return None
    fixed = path.parent.name == "assets"
    return FileResponse(
        path, headers={"cache-control": "max-age=31536000, immutable" if fixed else "no-cache"}
    )


def policy(host: str, secure: bool) -> str:
    """Return the Content-Security-Policy: everything from here, nothing inline, no frames."""
    sockets = f" {'wss' if secure else 'ws'}://{host}" if HOST.match(host) else ""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"connect-src 'self'{sockets}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )


class SafeHeaders:
    """Adds the headers that keep a browser from doing what the client never asks for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request with safe headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = next((value.decode("latin-1") for key, value in scope["headers"] if key == b"host"), "")
        extra = [
            (b"content-security-policy", policy(host, scope["scheme"] == "https").encode("latin-1")),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

        async def send_with(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *extra]
            await send(message)

        await self._app(scope, receive, send_with)

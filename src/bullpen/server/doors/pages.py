"""The pages: the built client, or a word that it is missing; and the headers that go with everything."""

import mimetypes
import re
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static"
NOT_FOUND = 404
HOST = re.compile(r"[A-Za-z0-9.\-\[\]:]{1,200}\Z")
mimetypes.add_type("application/manifest+json", ".webmanifest")

MISSING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>bullpen</title>
<h1>bullpen</h1>
<p>The server runs, but this copy was built without the browser client.</p>
<p>Programs find the interface described at <a href="/api">/api</a>.</p>
</html>
"""


def routes() -> list[BaseRoute]:
    """Return the paths of the pages: everything that is nothing else."""
    return [Mount("/", Pages(directory=STATIC, check_dir=False))]


class Pages(StaticFiles):
    """The files of the client; or, for a browser that wants a page, the client's one document."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, the document, or that there is no such page."""
        try:
            response = await super().get_response(path, scope)
        except OSError:
            # A path that the file system does not like leads to no file either.
            return self._document(path, scope)
        except HTTPException as error:
            if error.status_code != NOT_FOUND:
                raise
            return self._document(path, scope)
        fixed = path.startswith("assets/")
        response.headers["cache-control"] = "max-age=31536000, immutable" if fixed else "no-cache"
        return response

    def _document(self, path: str, scope: Scope) -> Response:
        accepts = Headers(scope=scope).get("accept", "")
        home = path in ("", ".")
        if not (home or "text/html" in accepts) or path.startswith(("api/", "ws/")):
            return PlainTextResponse("There is no such page.", NOT_FOUND)
        index = STATIC / "index.html"
        if index.is_file():
            return FileResponse(index, headers={"cache-control": "no-cache"})
        return HTMLResponse(MISSING)

    async def check_config(self) -> None:
        """A copy without the client is no fault: `MISSING` says so."""


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

"""The pages: the built client, or a word that it is missing."""

import mimetypes
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parents[1] / "static"
NOT_FOUND = 404
FILE = "file"
"""What a file of the client is called in the log, where dozens of them would hide the rest."""
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
        scope.setdefault("state", {})["route"] = FILE
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

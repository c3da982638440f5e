"""Callers: who sends a request, and from where."""

from starlette.requests import HTTPConnection

from bullpen.server.live.hub import Hub
from bullpen.server.live.people import COOKIE


def identity(hub: Hub, request: HTTPConnection) -> str:
    """Return who is calling: by a bot's token or a guest's cookie; "" for nobody."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        found = hub.signer.read(token, "bot")
    else:
        found = hub.signer.read(request.cookies.get(COOKIE, ""), "guest")
    return "" if found is None else found.who


def address(request: HTTPConnection) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else ""

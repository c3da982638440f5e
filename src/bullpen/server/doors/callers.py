"""Callers: who sends a request, and from where."""

from starlette.requests import HTTPConnection

from bullpen.server.live.hub import Hub
from bullpen.server.live.people import COOKIE, Identity


def caller(hub: Hub, request: HTTPConnection) -> Identity | None:
    """Return who is calling: by a bot's token or a guest's cookie."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return hub.people.bot(token)
    return hub.people.known(request.cookies.get(COOKIE, ""))


def identity(hub: Hub, request: HTTPConnection) -> str:
    """Return who is calling; "" for nobody."""
    found = caller(hub, request)
    return "" if found is None else found.who


def address(request: HTTPConnection) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else ""

"""Callers: who sends a request, and from which page."""

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


def allowed_origin(request: HTTPConnection, others: tuple[str, ...]) -> bool:
    """Whether the page that sends this came from here; programs that are no browser name no origin."""
    origin = request.headers.get("origin")
    if origin is None:
        return True
    scheme = {"ws": "http", "wss": "https"}.get(request.url.scheme, request.url.scheme)
    return origin in others or origin == f"{scheme}://{request.headers.get('host', '')}"

"""Hosts: under which names the server may be reached, and which pages may speak to it.

A stranger's page can let its own name lead to this machine (DNS rebinding) and would then count as ours. An
address of numbers cannot be taken over in this way, so it is always good; a name has to be known.

Browsers send a visitor's cookies to every port of a name, so a page counts as ours only if its whole origin
is that of the request: scheme, name and port.
"""

import ipaddress
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from bullpen.server.doors.proxies import ASKED_HOST
from bullpen.server.errors import Refused

NEARBY = ("local", "lan", "internal", "home.arpa")
"""Ends of names that nobody can register, given by machines and routers at home."""
PORTS = {"http": 80, "https": 443}
"""The port of an address that names none."""
UNKNOWN_HOST = "This server does not answer to that name; its host can allow it with --host-name."
FOREIGN_PAGE = "This server takes nothing from pages of other sites, other ports included."


class Origin(NamedTuple):
    """Where a page comes from."""

    scheme: str
    name: str
    port: int

    def __str__(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        port = "" if PORTS[self.scheme] == self.port else f":{self.port}"
        return f"{self.scheme}://{name}{port}"


class Hosts:
    """The names that this server answers to."""

    def __init__(self, names: tuple[str, ...], own: str | None = None) -> None:
        machine = (own if own is not None else socket.gethostname()).lower().partition(".")[0]
        self._own = {"localhost", machine, *(f"{machine}.{end}" for end in NEARBY)}
        self._given = {name.lower().rstrip(".") for name in names}

    def known(self, request: HTTPConnection) -> bool:
        """Whether a request came to one of our names; what names no host is no browser."""
        named = (request.headers.get("host"), request.scope.get(ASKED_HOST))
        return all(host is None or self._is_ours(host) for host in named)

    def check_page(self, request: HTTPConnection) -> None:
        """Refuse what a page of another origin sends; programs that are no browser name no origin."""
        if not request.headers.getlist("origin"):
            if _brought_by_another_page(request):
                raise Refused("forbidden", FOREIGN_PAGE)
            return
        page, here = _page(request), _reached_as(request)
        if page is None or here is None:
            raise Refused("forbidden", FOREIGN_PAGE)
        if page != here:
            raise Refused(
                "forbidden",
                f"This server was reached as {here} and takes nothing from pages of {page}. If both are the"
                " same place, its proxy must pass on Host with the port and X-Forwarded-Proto, and --proxy"
                " must name it.",
            )

    def _is_ours(self, host: str) -> bool:
        found = _origin("http", host)
        if found is None:
            return False
        name = found.name
        if name in self._own or name in self._given or name.endswith(".localhost"):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _page(request: HTTPConnection) -> Origin | None:
    """Return the origin of the page that sends a request; None for one that cannot be ours."""
    named = request.headers.getlist("origin")
    scheme, separator, place = named[0].partition("://")
    return _origin(scheme.lower(), place) if separator and len(named) == 1 else None


def _reached_as(request: HTTPConnection) -> Origin | None:
    """Return the origin under which a request reached the server, as a trusted proxy tells it."""
    secure = request.scope.get("scheme") in ("https", "wss")
    return _origin("https" if secure else "http", request.headers.get("host", ""))


def _origin(scheme: str, place: str) -> Origin | None:
    try:
        found = urlsplit(f"//{place}")
        name, port = (found.hostname or "").rstrip("."), found.port
    except ValueError:
        return None
    if scheme not in PORTS or not name or found.netloc != place or "@" in place:
        return None
    return Origin(scheme, name, PORTS[scheme] if port is None else port)


def _brought_by_another_page(request: HTTPConnection) -> bool:
    """Whether the browser says that another page asks, other than by a link that the visitor follows.

    Requests that only load something name no origin; the answer to a followed link is shown to the visitor,
    and the other page cannot read it.
    """
    said = request.headers
    if said.get("sec-fetch-site") not in ("same-site", "cross-site"):
        return False
    followed = said.get("sec-fetch-mode") == "navigate" and said.get("sec-fetch-dest") == "document"
    return not (followed and request.scope.get("method") == "GET")

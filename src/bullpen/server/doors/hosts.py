"""Hosts: under which names the server may be reached, so that no other name can be turned to its address.

A stranger's page can let its own name lead to this machine (DNS rebinding) and would then count as ours. An
address of numbers cannot be taken over in this way, so it is always good; a name has to be known.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

NEARBY = ("local", "lan", "internal", "home.arpa")
"""Ends of names that nobody can register, given by machines and routers at home."""
UNKNOWN_HOST = "This server does not answer to that name; its host can allow it with --host-name."


class Hosts:
    """The names that this server answers to."""

    def __init__(self, names: tuple[str, ...], own: str | None = None) -> None:
        machine = (own if own is not None else socket.gethostname()).lower().partition(".")[0]
        self._own = {"localhost", machine, *(f"{machine}.{end}" for end in NEARBY)}
        self._given = {name.lower().rstrip(".") for name in names}

    def known(self, request: HTTPConnection) -> bool:
        """Whether a request came to one of our names; what names no host is no browser."""
        host = request.headers.get("host")
        return host is None or self._is_ours(host)

    def own_page(self, request: HTTPConnection) -> bool:
        """Whether the page that sends this is ours; programs that are no browser name no origin."""
        origin = request.headers.get("origin")
        if origin is None:
            return True
        try:
            page = urlsplit(origin)
            name = (page.hostname or "").rstrip(".")
        except ValueError:
            return False
        if page.scheme not in ("http", "https"):
            return False
        return page.netloc.lower() == request.headers.get("host", "").lower() or name in self._given

    def _is_ours(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self._own or name in self._given or name.endswith(".localhost"):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

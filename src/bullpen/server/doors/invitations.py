"""Invitations: where a table is for somebody with another device, drawn as a QR code."""

import ipaddress
from itertools import groupby

import segno

from bullpen.server.doors.http import Call
from bullpen.server.network import ANYWHERE, own_address
from bullpen.server.protocol import Invitation


async def invitation(call: Call[None]) -> Invitation:
    """A table's address, and the code for it."""
    room = await call.room()
    asked = call.request.url
    url = f"{asked.scheme}://{reachable(asked.netloc, call.hub.config.host)}/t/{room.table.code}"
    size, path = drawn(url)
    return Invitation(url, size, path)


def reachable(netloc: str, listens: str) -> str:
    """Return the host as other devices know it, for "localhost" means something else to each of them.

    >>> reachable("cards.example:8266", "0.0.0.0")
    'cards.example:8266'
    >>> reachable("localhost:8266", "127.0.0.1")
    'localhost:8266'
    """
    named, colon, port = netloc.rpartition(":")
    host, port = (named, colon + port) if colon and port.isdecimal() else (netloc, "")
    return f"{own_address()}{port}" if listens in ANYWHERE and _loopback(host) else netloc


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def drawn(url: str) -> tuple[int, str]:
    """Return the modules a side of a QR code, and its dark ones as the runs of an SVG path.

    >>> drawn("HELLO")[0]
    21
    """
    matrix = segno.make(url, micro=False).matrix
    runs = []
    for y, line in enumerate(matrix):
        x = 0
        for dark, modules in groupby(line, bool):
            length = len(list(modules))
            if dark:
                runs.append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    return len(matrix), "".join(runs)

"""Headers of every answer, so that a browser does nothing that the client never asks for."""

import re
from collections.abc import MutableMapping
from typing import Any, TypeAlias

from starlette.types import Scope, Send

Pairs: TypeAlias = list[tuple[bytes, bytes]]
HOST = re.compile(r"[A-Za-z0-9.\-\[\]:]{1,200}\Z")
STEADY: Pairs = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
NOTHING: Pairs = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
    *STEADY,
]
"""The headers of an answer to something that was no request."""
ONLY_TLS = (b"strict-transport-security", b"max-age=31536000")
"""A year in which a browser that came by https comes by nothing else."""


def policy(host: str, secure: bool) -> str:
    """Return the Content-Security-Policy: everything from here, nothing inline, no frames."""
    sockets = f" {'wss' if secure else 'ws'}://{host}" if HOST.match(host) else ""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"connect-src 'self'{sockets}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )


def safe(scope: Scope, own: Pairs) -> Pairs:
    """Return the headers of an answer with those that go with every one.

    An answer is not kept anywhere unless it says how long it may be.
    """
    host = next((value.decode("latin-1") for key, value in scope["headers"] if key == b"host"), "")
    secure = scope["scheme"] in ("https", "wss")
    found = [*own, (b"content-security-policy", policy(host, secure).encode("latin-1")), *STEADY]
    if secure:
        found.append(ONLY_TLS)
    if not any(key.lower() == b"cache-control" for key, _ in own):
        found.append((b"cache-control", b"no-store"))
    return found


def with_safe_headers(scope: Scope, send: Send) -> Send:
    """Return what sends answers to a request, safe headers included."""

    async def send_safely(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = safe(scope, list(message.get("headers", ())))
        await send(message)

    return send_safely

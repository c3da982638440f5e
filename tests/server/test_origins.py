"""Which pages may speak to the server: those of its whole origin, as a trusted proxy tells it."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from bullpen.server.config import Config
from bullpen.server.doors.app import App
from bullpen.server.doors.hosts import Hosts
from bullpen.server.doors.proxies import BehindProxies
from bullpen.server.errors import Refused
from bullpen.server.live.people import COOKIE
from tests.server.client import create, person, run
from tests.server.places import Place
from tests.server.running import Server, server

NAME = "play.example.org"
PROXY = "198.51.100.7"


def accepted(
    host: str, secure: bool, headers: dict[str, str], kind: str = "http", method: str = "POST"
) -> bool:
    """Whether the page that sends this may speak to the server."""
    scheme = {"http": "http", "websocket": "ws"}[kind] + "s" * secure
    raw = [(name.encode(), value.encode()) for name, value in {"host": host, **headers}.items()]
    request = HTTPConnection({"type": kind, "scheme": scheme, "method": method, "headers": raw})
    try:
        Hosts((NAME,), own="box").check_page(request)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("host", "secure", "origin", "own"),
    [
        ("127.0.0.1:8266", False, "http://127.0.0.1:8266", True),
        ("127.0.0.1:8266", False, "http://127.0.0.1:9999", False),
        ("127.0.0.1:8266", False, "https://127.0.0.1:8266", False),
        ("127.0.0.1:8266", False, "http://localhost:8266", False),
        (f"{NAME}:8456", False, f"http://{NAME}:8456", True),
        (f"{NAME}:8456", False, f"http://{NAME}:8461", False),
        (f"{NAME}:8456", False, f"http://{NAME}", False),
        (f"{NAME}:8456", False, f"https://{NAME}", False),
        ("127.0.0.1:8266", False, f"https://{NAME}", False),
        (NAME, True, f"https://{NAME}", True),
        (NAME, True, f"https://{NAME}:443", True),
        (f"{NAME}:443", True, f"https://{NAME}", True),
        (NAME, True, f"http://{NAME}", False),
        (NAME, True, f"https://{NAME}:8461", False),
        (NAME, False, f"http://{NAME}:80", True),
        (NAME, False, f"http://{NAME}:443", False),
        (NAME, True, f"https://sub.{NAME}", False),
        (NAME.upper(), True, f"https://{NAME}", True),
        ("[::1]:8266", False, "http://[::1]:8266", True),
        ("[::1]:8266", False, "http://[::1]:8267", False),
        ("[fe80::1]", False, "http://[fe80::1]:80", True),
        (NAME, True, "null", False),
        (NAME, True, "", False),
        (NAME, True, f"file://{NAME}", False),
        (NAME, True, f"https://{NAME}/", False),
        (NAME, True, f"https://somebody@{NAME}", False),
        (NAME, True, f"https://{NAME}:x", False),
        (NAME, True, "https://[", False),
        (NAME, True, "https://", False),
    ],
)  # fmt: skip
def test_the_whole_origin_of_a_page_counts(
    host: str, secure: bool, origin: str, own: bool, kind: str
) -> None:
    assert accepted(host, secure, {"origin": origin}, kind) is own


@pytest.mark.parametrize(
    ("site", "mode", "method", "own"),
    [
        ("same-origin", "cors", "GET", True), ("none", "navigate", "GET", True),
        ("same-site", "no-cors", "GET", False), ("cross-site", "cors", "GET", False),
        ("same-site", "navigate", "GET", True), ("cross-site", "navigate", "GET", True),
        ("same-site", "navigate", "POST", False), ("same-site", "websocket", "GET", False),
    ],
)  # fmt: skip
def test_what_names_no_origin_is_judged_by_what_the_browser_says_of_it(
    site: str, mode: str, method: str, own: bool
) -> None:
    said = {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": "document"}
    assert accepted(NAME, True, said, method=method) is own
    assert not accepted(NAME, True, {**said, "sec-fetch-dest": "iframe", "sec-fetch-site": "same-site"})


def test_programs_name_no_origin() -> None:
    assert accepted(NAME, True, {})
    assert accepted(NAME, False, {"sec-fetch-site": "same-origin", "origin": f"http://{NAME}"})
    assert not accepted(NAME, False, {"sec-fetch-site": "same-origin", "origin": f"http://{NAME}:8461"})


@pytest.mark.parametrize(
    ("proxy", "headers", "page", "status"),
    [
        # The usual two, as in our recipes.
        (PROXY, {"host": NAME, "x-forwarded-proto": "https"}, f"https://{NAME}", 200),
        (PROXY, {"host": f"{NAME}:8443", "x-forwarded-proto": "https"}, f"https://{NAME}:8443", 200),
        (PROXY, {"host": NAME, "x-forwarded-proto": "https"}, f"http://{NAME}", 403),
        (PROXY, {"host": NAME, "x-forwarded-proto": "https"}, f"https://{NAME}:8443", 403),
        # A proxy that drops the port can tell it, and one that asks by another name can tell that.
        (PROXY, {"host": NAME, "x-forwarded-port": "8461"}, f"http://{NAME}:8461", 200),
        (PROXY, {"host": NAME, "x-forwarded-port": "8461"}, f"http://{NAME}", 403),
        (PROXY, {"host": "127.0.0.1:8266", "x-forwarded-host": f"{NAME}:8461"}, f"http://{NAME}:8461", 200),
        (PROXY, {"host": "127.0.0.1:8266", "x-forwarded-host": f"x.example, {NAME}"}, f"http://{NAME}", 200),
        (PROXY, {"host": "127.0.0.1:8266", "x-forwarded-host": "[::1]", "x-forwarded-port": "81"},
         "http://[::1]:81", 200),
        # Behind the end of TLS a proxy listens at 80, and says so.
        (PROXY, {"host": NAME, "x-forwarded-proto": "https", "x-forwarded-port": "80"},
         f"https://{NAME}", 200),
        # Both names must be ours.
        (PROXY, {"host": "evil.example", "x-forwarded-host": NAME}, f"http://{NAME}", 403),
        (PROXY, {"host": NAME, "x-forwarded-host": "evil.example"}, "http://evil.example", 403),
        # What others say about themselves counts for nothing.
        ("192.0.2.9", {"host": NAME, "x-forwarded-proto": "https"}, f"https://{NAME}", 403),
        ("192.0.2.9", {"host": NAME, "x-forwarded-port": "8461"}, f"http://{NAME}:8461", 403),
        ("192.0.2.9", {"host": "127.0.0.1", "x-forwarded-host": NAME}, f"http://{NAME}", 403),
        ("192.0.2.9", {"host": NAME, "x-forwarded-port": "8461"}, f"http://{NAME}", 200),
    ],
)  # fmt: skip
def test_the_origin_is_what_a_trusted_proxy_says(
    tmp_path: Path, proxy: str, headers: dict[str, str], page: str, status: int
) -> None:
    async def ask() -> httpx.Response:
        app = App(Config(host_names=(NAME,)), Place.usual(tmp_path / "store.sqlite3").open())
        outside: Any = BehindProxies(app, ("198.51.100.0/24",))
        async with app.http.router.lifespan_context(app.http):
            near = httpx.ASGITransport(outside, client=(proxy, 1))
            async with httpx.AsyncClient(transport=near, base_url="http://x") as client:
                return await client.post("/api/me", json={"name": "Ann"}, headers={**headers, "origin": page})

    answer = asyncio.run(ask())
    assert answer.status_code == status, answer.text
    secure = proxy == PROXY and headers.get("x-forwarded-proto") == "https"
    assert ("strict-transport-security" in answer.headers) is secure, "over https, and then always"
    if status == 200:
        assert ("secure" in answer.headers["set-cookie"].lower()) is secure


# A server that runs.


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(
        Place.usual(tmp_path_factory.mktemp("origins") / "store.sqlite3"), "--host-name", NAME
    ) as begun:
        yield begun


def opened(running: Server, code: str, cookie: str, origin: str | None) -> int:
    """Open a socket as a page of an origin does, with a visitor's cookie, and return the status."""

    async def open_it() -> int:
        there: Any = {"origin": origin, "additional_headers": {"cookie": cookie}}
        address = f"ws://{NAME}:{running.port}/ws/{code}"
        try:
            async with connect(address, host="127.0.0.1", **there):
                return 101
        except InvalidStatus as refused:
            answer = refused.response
            return answer.status_code if "content-security-policy" in answer.headers else 0

    return run(open_it())


def test_a_page_at_another_port_opens_no_socket_and_changes_nothing(running: Server) -> None:
    ann = person(running, "Ann")
    cookie, code = f"{COOKIE}={ann}", create(running, ann, "base", 2)
    here, there = f"http://{NAME}:{running.port}", f"http://{NAME}:{running.port + 1}"
    assert opened(running, code, cookie, here) == 101
    assert opened(running, code, cookie, None) == 101, "a program"
    for origin in (there, f"http://{NAME}", f"https://{NAME}", f"https://{NAME}:{running.port}", "null"):
        assert opened(running, code, cookie, origin) == 403
    for origin, status in ((here, 200), (there, 403), ("null", 403)):
        headers = {"host": f"{NAME}:{running.port}", "cookie": cookie, "origin": origin}
        for method, path in (("POST", "/api/me"), ("GET", "/api/me")):
            body = {"json": {"name": "Mallory"}} if method == "POST" else {}
            answer: httpx.Response = httpx.request(method, running.url + path, headers=headers, **body)  # type: ignore[arg-type]
            assert answer.status_code == status
            assert status == 200 or here in answer.json()["says"] or origin == "null"

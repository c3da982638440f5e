"""What every answer has: safe headers, no copy kept on the way, one length of the request."""

import asyncio
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from bullpen.server.config import Config
from bullpen.server.doors.app import App
from tests.server.client import call, http, post
from tests.server.places import Place
from tests.server.running import Server, server

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("answers") / "store.sqlite3") as begun:
        yield begun


def raw(running: Server, request: bytes) -> bytes:
    """Send bytes, and return all that comes until the server hangs up."""
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as made:
        made.sendall(request)
        found = b""
        while part := made.recv(65536):
            found += part
    return found


def named(head: bytes) -> dict[str, str]:
    lines = head.decode("latin-1").split("\r\n\r\n")[0].lower().split("\r\n")[1:]
    return dict(line.split(": ", 1) for line in lines)


@pytest.mark.parametrize(
    "lengths",
    [
        b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 4\r\ncontent-length: 4\r\n",
        b"Content-Length: 4\r\nContent-Length: 5\r\n",
        b"Content-Length: 4, 5\r\n",
        b"Content-Length: 4, 4\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    ],
)
def test_a_request_of_two_lengths_is_refused_and_nothing_after_it_is_heard(
    running: Server, lengths: bytes
) -> None:
    hidden = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    head = b"POST /api/me HTTP/1.1\r\nHost: localhost\r\n" + lengths + b"\r\n"
    answer = raw(running, head + b"0\r\n\r\n" + hidden)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert named(answer)["connection"] == "close"
    assert named(answer)["content-security-policy"].startswith("default-src 'none'")


def test_an_old_request_has_no_chunks(running: Server) -> None:
    head = b"POST /api/me HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert raw(running, head).startswith(b"HTTP/1.1 400 ")


def test_requests_of_one_length_follow_each_other_as_ever(running: Server) -> None:
    one = b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nX: \r\nContent-Length: 14\r\n\r\n" + b'{"name":"Ann"}'
    chunked = (
        one.replace(b"Content-Length: 14\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\ne\r\n")
        + b"\r\n0\r\n\r\n"
    )
    last = one.replace(b"X: \r\n", b"Connection: close\r\n")
    assert raw(running, one + chunked + last).count(b"HTTP/1.1 200 ") == 3


def test_every_answer_has_the_safe_headers(running: Server) -> None:
    answers = {
        "page": call(running, "GET", "/"),
        "nothing there": call(running, "GET", "/nothing.png"),
        "no such path": call(running, "GET", "/api/nothing"),
        "wrong method": call(running, "DELETE", "/api/me"),
        "nobody": call(running, "GET", "/api/me"),
        "malformed": post(running, "/api/me", "", {"name": 1}),
        "unknown table": call(running, "GET", "/api/tables/ZZZZ"),
        "another page": http().post(f"{running.url}/api/me", headers={"origin": "http://x"}),
        "another name": http().get(running.url, headers={"host": "evil.example"}),
        "health": call(running, "GET", "/healthz"),
        "no socket": call(running, "GET", "/ws/QUXA"),
    }
    for what, answer in answers.items():
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"], what
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS, what
        assert "strict-transport-security" not in answer.headers, "this is not https"
        assert len(answer.headers.get_list("content-security-policy")) == 1, what
    handshake = (
        b"GET /ws/QUXA HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    )
    refused = raw(running, handshake)
    assert refused.startswith(b"HTTP/1.1 400 ")
    assert "frame-ancestors 'none'" in named(refused)["content-security-policy"]
    assert "frame-ancestors 'none'" in named(raw(running, b"nonsense\r\n\r\n"))["content-security-policy"]


def test_a_fault_has_the_safe_headers_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> list[httpx.Response]:
        app = App(Config(), Place.usual(tmp_path / "store.sqlite3").open())
        monkeypatch.setattr(app.hub.people, "new", None)
        monkeypatch.setattr(app._operating, "dead", None)
        near = httpx.ASGITransport(cast(Any, app), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=near, base_url="http://localhost") as client:
            return [await client.post("/api/me", json={"name": "Ann"}), await client.get("/healthz")]

    for answer in asyncio.run(ask()):
        assert answer.status_code == 500
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert answer.headers["cache-control"] == "no-store"


def test_nothing_of_a_person_is_kept_on_the_way(running: Server) -> None:
    made = post(running, "/api/me", "", {"name": "Ann"})
    cookie = made.cookies["bullpen"]
    http().cookies.clear()
    kept = {
        path: call(running, "GET", path, cookie).headers["cache-control"]
        for path in (
            "/api/me",
            "/api/me/devices",
            "/api/tables",
            "/api/tables/ZZZZ",
            "/api/records",
            "/api/games",
        )
    }
    assert made.headers["cache-control"] == "no-store"
    assert kept.pop("/api/games") == "no-cache", "the same for everybody"
    assert set(kept.values()) == {"no-store"}


def test_what_is_wrong_with_a_body_is_said_in_our_words(running: Server) -> None:
    wrong = post(running, "/api/tables", "", {"game": "base", "players": "two"})
    assert wrong.json()["says"] == (
        "The body of this request cannot be used: `players` should be a whole number, not text."
    )
    for body in (b"", b"{", b"[]", b"\xff", b"[" * 4000, b'{"name": 1}'):
        says = http().post(f"{running.url}/api/me", content=body).json()["says"]
        assert "xpected" not in says, says
        assert "`str`" not in says, says


def test_nobody_outside_learns_where_the_store_is(tmp_path: Path) -> None:
    with server(tmp_path / "store.sqlite3") as alone:
        path = alone.place.path
        alone.place.path.rename(path.with_name("elsewhere"))
        path.write_bytes(b"another file")
        end = time.monotonic() + 20
        while (ready := call(alone, "GET", "/readyz")).status_code == 200 and time.monotonic() < end:
            time.sleep(0.1)
        assert ready.status_code == 503
        assert ready.json()["status"] == "The store cannot be written; the log says why."
        assert str(path) in alone.log.read_text()

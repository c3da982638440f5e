"""Hostile clients: whatever they send, they get a typed answer and nobody else notices."""

import asyncio
import contextlib
import random
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bullpen.server.doors.routes import TABLE
from bullpen.server.protocol import FromClient
from tests.conftest import SOAK
from tests.server.client import Person, call, create, full_table, person, post, run
from tests.server.places import USUAL, Place
from tests.server.running import Server, server

FUZZED = 1_000_000 if SOAK else 10_000
REQUESTS = 100_000 if SOAK else 1_000


@pytest.fixture(scope="module", params=USUAL)
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(Place(request.param, tmp_path_factory.mktemp("hostile"))) as started:
        yield started


@pytest.fixture(scope="module", params=USUAL)
def limited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(Place(request.param, tmp_path_factory.mktemp("limited")), "--limited") as started:
        yield started


async def at_table(running: Server, players: int = 2) -> tuple[Person, Person]:
    """Two people at a table whose game has begun."""
    code, cookies = full_table(running, "base", players)
    one, other = (Person(running, code, cookie, seed) for seed, cookie in enumerate(cookies))
    for somebody in (one, other):
        await somebody.ready()
    await one.request({"type": "start"})
    await other.until(lambda: other.phase == "playing")
    return one, other


MALFORMED = [
    "", "{", "[]", "null", "1", '"choose"', "{}", '{"type":"choose"}', '{"type":"nothing","id":"1"}',
    '{"type":"choose","id":"1","ask":"two","choice":"4"}', '{"type":"choose","id":"1","ask":-1,"choice":"4"}',
    '{"type":"choose","id":"1","ask":1,"choice":"4","extra":1}',
    '{"type":"choose","id":"","ask":1,"choice":""}',
    '{"type":"resume","id":"1","last":1e400}', '{"type":"resume","id":"1","last":99999999999999999999}',
    '{"type":"say","id":"1","phrase":"<script>"}', '{"type":"sit","id":"1","name":7}',
    '{"type":"mix","id":"1","commitment":"xy","nonce":"xyz"}', "[" * 2000,
    '{"id":' * 500, '{"type":"ping","id":"\\ud800"}',
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_malformed_messages_get_a_typed_answer(running: Server, text: str) -> None:
    async def attack() -> dict[str, Any]:
        code = create(running, person(running, "P0"), "base", 2)
        somebody = Person(running, code)
        await somebody.connect()
        await somebody.until(lambda: bool(somebody.acks))
        await somebody.send_text(text)
        answer = await somebody.receive()
        assert (await somebody.request({"type": "ping"}))["type"] == "pong"
        await somebody.close()
        return answer

    answer = run(attack())
    assert answer["type"] == "error"
    assert answer["code"] == "malformed"


def test_other_seats_asks_are_not_mine_to_answer(running: Server) -> None:
    async def attack() -> None:
        one, other = await at_table(running)
        watcher = Person(running, one.code)
        await watcher.connect()
        await watcher.until(lambda: bool(watcher.acks))
        assert one.open_ask is not None
        assert other.open_ask is not None
        number, theirs = one.open_ask["number"], other.open_ask["options"][0]["notation"]
        choose = {"type": "choose", "ask": number, "choice": theirs}
        assert (await one.request(choose))["code"] == "illegal"
        assert (await watcher.request(choose))["code"] == "not-seated"
        assert (await one.request({**choose, "ask": number + 1}))["code"] == "not-asked"
        assert (await one.request({**choose, "ask": number - 1}))["code"] == "too-late"
        assert (await other.request({"type": "rematch"}))["code"] == "not-host"
        assert (await other.request({"type": "remove", "seat": 0}))["code"] == "not-host"
        assert (await watcher.request({"type": "say", "phrase": "moo"}))["code"] == "not-seated"
        assert other.open_ask is not None
        for somebody in (one, other, watcher):
            await somebody.close()

    run(attack())


def test_a_replayed_id_is_answered_and_not_applied(running: Server) -> None:
    async def attack() -> None:
        one, other = await at_table(running)
        ask = one.open_ask
        assert ask is not None
        message = {"id": "again", "type": "choose", "ask": ask["number"], "choice": one.pick(ask)}
        first = await one.request(message)
        for _ in range(5):
            assert await one.request(message) == first
        assert one.last == other.last or (await other.receive())
        another = Person(running, one.code, one.cookie, 9)
        await another.connect()
        assert await another.request(message) == first
        other_content = await another.request({**message, "choice": "1"})
        assert other_content["code"] == "bad-request"
        assert "another message" in other_content["says"]
        for somebody in (one, other, another):
            await somebody.close()

    run(attack())


def test_giant_messages_end_the_connection_and_nothing_else(running: Server) -> None:
    async def attack() -> int:
        one, other = await at_table(running)
        await one.send_text('{"type":"ping","id":"' + "x" * 5000 + '"}')
        with pytest.raises(ConnectionClosed) as closed:
            await one.until(lambda: False)
        assert (await other.choose())["type"] == "ack"
        await other.close()
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code

    assert run(attack()) == 1009
    answer = post(running, "/api/me", "", {"name": "x" * 5000})
    assert answer.status_code == 413
    assert answer.json()["code"] == "too-large"


def test_foreign_pages_are_turned_away(running: Server) -> None:
    code = create(running, person(running, "P0"), "base", 2)

    async def attack(origin: str) -> None:
        async with connect(running.ws + code, origin=origin):  # type: ignore[arg-type]
            pass

    with pytest.raises(InvalidStatus) as refused:
        run(attack("https://elsewhere.example"))
    assert refused.value.response.status_code == 403
    run(attack(running.url))
    answer = call(running, "GET", "/api/games")
    assert "access-control-allow-origin" not in answer.headers
    forged = msgspec.json.encode({"name": "Eve"})
    answer = httpx.post(
        f"{running.url}/api/me", content=forged, headers={"origin": "https://elsewhere.example"}
    )
    assert answer.status_code == 403


def test_a_flood_is_slowed_down_with_waiting_times(limited: Server) -> None:
    async def attack() -> list[dict[str, Any]]:
        code = create(limited, person(limited, "P0"), "base", 2)
        somebody = Person(limited, code)
        await somebody.connect()
        with contextlib.suppress(ConnectionClosed):
            for _ in range(400):
                await somebody.send({"type": "ping"})
            while True:
                await somebody.receive()
        return somebody.refusals

    refusals = run(attack())
    assert len(refusals) >= 200
    assert {refusal["code"] for refusal in refusals} == {"too-fast"}
    assert all(0 < refusal["retry"] <= 1000 for refusal in refusals)


def test_a_flood_of_requests_is_slowed_down(limited: Server) -> None:
    answers = [call(limited, "GET", "/api/me") for _ in range(160)]
    late = [answer for answer in answers if answer.status_code == 429]
    assert late
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in late)
    time.sleep(late[-1].json()["retry"] / 1000)
    assert call(limited, "GET", "/api/me").status_code == 401


def test_half_open_connections_are_found(running: Server) -> None:
    """A peer that never answers a ping is gone within ten seconds."""
    code = create(running, person(running, "P0"), "base", 2)
    with opened(running, code) as raw:
        raw.settimeout(12)
        began = time.monotonic()
        while raw.recv(4096):
            pass
        assert time.monotonic() - began < 10


def frame(opcode: int, body: bytes, *, masked: bool = True, final: bool = True) -> bytes:
    """A frame as bytes, right or wrong."""
    head = bytes([(128 if final else 0) | opcode, (128 if masked else 0) | len(body)])
    return head + (b"\0\0\0\0" if masked else b"") + body


GARBAGE = {
    "no UTF-8": frame(1, b"\xff\xfe\xfd"),
    "unknown kind of frame": frame(3, b"hello"),
    "not masked": frame(1, b"{}", masked=False),
    "a continuation of nothing": frame(0, b"{}"),
    "a ping in pieces": frame(9, b"x", final=False),
    "no frame at all": b"GET / HTTP/1.1\r\n\r\n",
    "too much in pieces": frame(1, b"x" * 120, final=False) + frame(0, b"x" * 120, final=False) * 60,
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_on_the_socket_ends_only_that_socket(running: Server, name: str) -> None:
    code = create(running, person(running, "P0"), "base", 2)
    with opened(running, code) as raw:
        raw.sendall(GARBAGE[name])
        while raw.recv(4096):
            pass
    assert call(running, "GET", f"/api/tables/{code}").status_code == 200


@contextlib.contextmanager
def opened(running: Server, code: str, address: str = "127.0.0.1") -> Iterator[socket.socket]:
    """A socket after the handshake, without anybody who knows the protocol."""
    with socket.create_connection(("127.0.0.1", running.port), 10, (address, 0)) as raw:
        raw.sendall(
            f"GET /ws/{code} HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        read_until(raw, lambda received: received.endswith(b"\r\n\r\n"))
        yield raw


def read_until(raw: socket.socket, enough: Callable[[bytes], bool]) -> bytes:
    """Read until there is enough; a connection that ends sooner fails the test."""
    received = b""
    while not enough(received):
        part = raw.recv(4096)
        assert part, f"the connection ended after {received[-200:]!r}"
        received += part
    return received


def test_a_slow_reader_is_dropped_and_can_resume(running: Server) -> None:
    async def attack() -> None:
        one, other = await at_table(running)
        slow = Person(running, one.code, other.cookie, 5)
        # A reader with next to no buffer that never reads.
        await slow.connect(max_queue=1, sock=_small_socket(running.port))
        with contextlib.suppress(ConnectionClosed):
            for _ in range(8000):
                await slow.send({"type": "resume", "last": 0})
        # The server may still be reading what was sent.
        for _ in range(400):
            if "bullpen_dropped_total 0" not in call(running, "GET", "/metrics").text:
                break
            await asyncio.sleep(0.05)
        assert "bullpen_dropped_total 1" in call(running, "GET", "/metrics").text
        assert (await one.choose())["type"] == "ack"
        fresh = Person(running, one.code, other.cookie, 6)
        await fresh.ready()
        assert fresh.state["number"] >= one.last
        for somebody in (one, other, fresh):
            await somebody.close()
        slow.abort()

    run(attack())


def _small_socket(port: int) -> socket.socket:
    small = socket.socket()
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    small.connect(("127.0.0.1", port))
    small.setblocking(False)
    return small


WORDS = [*(kind.__struct_config__.tag for kind in FromClient.__args__), "update", ""]
FIELDS = ["id", "last", "name", "seat", "nonce", "level", "ask", "choice", "phrase", "x"]


def fuzzed(dice: random.Random) -> str:
    """A message that is nearly one."""
    values: list[Any] = [
        0, 1, -1, 2**53, 10**30, 1.5, True, None, "", "44", "r1", "-", "k1,2", "stop:1", "\x00", "é" * 30, [],
        {}, [1], {"a": 1}, "moo", "random", "ff",
    ]  # fmt: skip
    message = {"type": dice.choice(WORDS), "id": str(dice.randrange(10**9))}
    message |= {dice.choice(FIELDS): dice.choice(values) for _ in range(dice.randrange(5))}
    text = msgspec.json.encode(message).decode()
    if dice.random() < 0.2:
        place = dice.randrange(len(text) + 1)
        text = text[:place] + chr(dice.randrange(1, 0x250)) + text[place + dice.randrange(3) :]
    return text


def test_fuzzed_messages_leave_other_tables_alone(running: Server) -> None:
    async def attack() -> None:
        victim, partner = await at_table(running)
        one, other = await at_table(running)
        dice = random.Random(11)
        answered = 0
        codes: set[str] = set()
        for _ in range(FUZZED // 50):
            for _ in range(50):
                await one.send_text(fuzzed(dice))
            name = await one.send({"type": "ping"})
            while (await one.receive()).get("id") != name:
                answered += 1
            codes |= {refusal["code"] for refusal in one.refusals}
            for said in (one.raw, one.refusals, one.events, one.updates, one.acks):
                said.clear()
        assert answered >= FUZZED * 0.9
        assert codes <= {
            "malformed", "illegal", "not-asked", "too-late", "closed", "bad-request", "full", "not-seated",
            "not-host", "too-fast",
        }  # fmt: skip
        assert (await victim.choose())["type"] == "ack"
        assert (await partner.choose())["type"] == "ack"
        for somebody in (victim, partner, one, other):
            await somebody.close()

    run(attack())
    assert "bullpen_errors_total 0" in call(running, "GET", "/metrics").text


TARGETS = sorted(
    {each.path for each in TABLE if each.path != "/api/bot/stream"} | {"/", "/t/QUXA", "/assets/x"}
)
ODD_TEXTS = [
    "",
    "QUXA",
    "%00",
    "..",
    "%2e%2e%2f",
    "9" * 300,
    "-1",
    "%ff",
    "%F0%9F%90%82",
    "a" * 3000,
    "base",
    "?",
    "%",
]
LIE = b"content-length: 1000000000000"
ODD_HEADERS = [
    b"cookie: bullpen=a.b.c", b"cookie: bullpen=%00;;=;", b"authorization: Bearer x", b"authorization: \xff",
    b"origin: null", b"origin: http://[", b"accept-encoding: gzip", b"accept: text/html", b"range: bytes=9-1",
    b"range: bytes=-", b"if-none-match: *", b"if-modified-since: never", b"x-forwarded-for: ::::",
    b"content-type: text/plain", b"host: [", b"expect: 100-continue", b"x: " + b"y" * 2000,
]  # fmt: skip


def fuzzed_request(dice: random.Random) -> bytes:
    """A request that is nearly one."""
    target = dice.choice(TARGETS)
    while "{" in target:
        before, _, rest = target.partition("{")
        target = before + dice.choice(ODD_TEXTS) + rest.partition("}")[2]
    if dice.random() < 0.3:
        keys = ["seat", "from", "x", "%00"]
        target += f"?{dice.choice(keys)}={dice.choice(ODD_TEXTS)}"
    method = dice.choice(["GET", "GET", "POST", "POST", "HEAD", "PUT", "OPTIONS", "get", "\x01"])
    body = fuzzed_body(dice) if method in ("POST", "PUT") else b""
    length = len(body) if dice.random() < 0.97 else dice.choice([-1, 10**12, "x"])
    lines = [f"{method} {target} HTTP/1.1".encode("latin-1", "replace"), b"host: 127.0.0.1"]
    lines += [f"content-length: {length}".encode()] if body else []
    lines += dice.sample(ODD_HEADERS, dice.randrange(3))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def fuzzed_body(dice: random.Random) -> bytes:
    """A body that some path might nearly take."""
    values: list[Any] = [
        0,
        -1,
        10**30,
        1.5,
        True,
        None,
        "",
        "Ann",
        "\u202e",
        "base",
        "random",
        [],
        {},
        ["easy"],
        "\x00",
    ]
    fields = [
        "name", "key", "game", "players", "options", "bots", "settings", "start", "seat", "nonce", "ask",
        "choice", "id", "format", "version", "rounds",
    ]  # fmt: skip
    body = msgspec.json.encode({dice.choice(fields): dice.choice(values) for _ in range(dice.randrange(6))})
    if dice.random() < 0.2:
        body = (
            body[: dice.randrange(len(body) + 1)]
            + dice.randbytes(dice.randrange(4))
            + b"[" * dice.randrange(300)
        )
    return body


async def status_of(running: Server, request: bytes, wire: list[Any]) -> int:
    """Send a request over the open connection, or a new one; 0 if the server hung up without a word."""
    if not wire:
        wire[:] = await asyncio.open_connection("127.0.0.1", running.port)
    reader, writer = wire
    try:
        writer.write(request)
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        while head.startswith(b"HTTP/1.1 100"):
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
        if not request.startswith(b"HEAD"):
            await asyncio.wait_for(reader.readexactly(int(fields.get(b"content-length", b"0"))), 20)
        # After a body that is shorter than announced nothing more can be said on the same connection.
        ends = fields.get(b"connection") == b"close" or b"transfer-encoding" in fields or LIE in request
    except (OSError, asyncio.IncompleteReadError):
        head, ends = b"HTTP/1.1 000", True
    if ends:
        writer.close()
        wire.clear()
    return int(head[9:12])


def test_fuzzed_requests_are_answered_and_are_no_fault(running: Server) -> None:
    async def attack() -> Counter[int]:
        victim, partner = await at_table(running)
        dice, wire = random.Random(12), list[Any]()
        found: Counter[int] = Counter()
        for _ in range(REQUESTS):
            found[await status_of(running, fuzzed_request(dice), wire)] += 1
        for somebody in (victim, partner):
            assert (await somebody.choose())["type"] == "ack"
            await somebody.close()
        if wire:
            wire[1].close()
        return found

    found = run(attack())
    assert found[500] == 0
    assert set(found) <= {0, 200, 201, 206, 304, 307, 400, 401, 403, 404, 405, 409, 413, 416, 503}, found
    assert found[200] > REQUESTS / 50
    assert found[400] > REQUESTS / 20
    assert "bullpen_errors_total 0" in call(running, "GET", "/metrics").text

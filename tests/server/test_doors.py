"""The doors from the inside: names, budgets, load, pages, logs and gauges, without a socket."""

import asyncio
import contextlib
import json
import logging
import queue
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
import uvicorn
from starlette.requests import HTTPConnection
from uvicorn.server import ServerState

from bullpen.server.config import Config
from bullpen.server.doors import pages, sockets, transport
from bullpen.server.doors.app import App
from bullpen.server.doors.bots_api import StreamResponse
from bullpen.server.doors.connection import Connection
from bullpen.server.doors.crowd import Crowd
from bullpen.server.doors.hosts import Hosts
from bullpen.server.doors.pages import Pages
from bullpen.server.doors.pulse import BETTER, WORSE, Pulse
from bullpen.server.errors import Refused
from bullpen.server.limits import Gate, Limits, Rate, neighbours, unlimited
from bullpen.server.live.people import COOKIE, Identity
from bullpen.server.live.room import Room
from bullpen.server.logs import REQUESTS, Later, Lines
from bullpen.server.store.interface import Replaced, StoreError
from tests.server.places import Place

T = TypeVar("T")
Use = Callable[[App, httpx.AsyncClient], Awaitable[T]]


@contextlib.asynccontextmanager
async def opened(folder: Path, **settings: Any) -> AsyncIterator[tuple[App, httpx.AsyncClient]]:
    """An application that runs, and somebody who asks it things without a network between them."""
    app = App(Config(**settings), Place.usual(folder / "store.sqlite3").open())
    async with app.http.router.lifespan_context(app.http):
        away = httpx.ASGITransport(app, client=("192.0.2.1", 1))
        async with httpx.AsyncClient(transport=away, base_url="http://127.0.0.1:8266") as client:
            yield app, client


def using(folder: Path, use: Use[T], **settings: Any) -> T:
    async def main() -> T:
        async with opened(folder, **settings) as (app, client):
            return await use(app, client)

    return asyncio.run(main())


async def seated(client: httpx.AsyncClient) -> str:
    """Make a table with a seat of one's own and return its code."""
    await client.post("/api/me", json={"name": "Ann"})
    made = await client.post("/api/tables", json={"game": "base", "players": 2, "name": "Ann"})
    assert made.status_code == 201, made.text
    code: str = made.json()["table"]["code"]
    return code


# Names of the server.


def asked(host: str | None) -> HTTPConnection:
    headers = [] if host is None else [(b"host", host.encode())]
    return HTTPConnection({"type": "http", "headers": headers})


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8266", True), ("192.168.1.20:8266", True), ("[::1]:8266", True), ("[fe80::1]", True),
        ("localhost", True), ("LOCALHOST:1", True), ("x.localhost", True), (None, True),
        ("box:8266", True), ("Box.local", True), ("box.lan:80", True), ("play.example.org", True),
        ("play.example.org.:443", True),
        ("evil.example", False), ("box.evil.example", False), ("127.0.0.1.evil.example", False), ("", False),
        ("notlocalhost", False), ("sub.play.example.org", False), ("0x7f.1.evil", False), ("[", False),
    ],
)  # fmt: skip
def test_the_server_answers_to_its_own_names_only(host: str | None, known: bool) -> None:
    assert Hosts(("Play.example.org",), own="box.domain").known(asked(host)) is known


def test_a_name_that_was_turned_to_our_address_gets_nothing(tmp_path: Path) -> None:
    async def use(_: App, client: httpx.AsyncClient) -> list[httpx.Response]:
        paths = ["/", "/api/me", "/api/tables", "/healthz", "/metrics"]
        return [await client.get(path, headers={"host": "evil.example"}) for path in paths]

    for answer in using(tmp_path, use):
        assert answer.status_code == 403
        assert "--host-name" in answer.json()["says"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]


# Budgets.


def test_a_gate_remembers_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    gate = Gate(Rate(2, 1), lambda: now, most=100)
    for number in range(1000):
        gate.enter(str(number))
    assert len(gate) <= 100
    gate.enter("greedy")
    gate.enter("greedy")
    for number in range(150):
        gate.enter(f"other {number}")
    with pytest.raises(Refused):
        gate.enter("greedy")
    now = 1000.0
    for number in range(100):
        gate.enter(f"late {number}")
    assert len(gate) <= 100


def test_an_ipv6_customer_is_one_address() -> None:
    gate = Gate(Rate(1, 1), lambda: 0.0)
    gate.enter("2001:db8::1")
    assert gate.wait("2001:db8::ffff:2") == 1000
    assert gate.wait("2001:db8:0:1::1") == 0
    assert [neighbours(odd) for odd in ("", "testclient", "::1%lo", ":::")] == [
        "",
        "testclient",
        "::/64",
        ":::",
    ]


def test_a_crowd_is_bounded_by_address_but_not_behind_a_proxy() -> None:
    limits = Limits(connections_per_address=3, connections=Rate(5, 1), frames_of_address=Rate(2, 1))
    crowd = Crowd(Config(limits=limits, trusted_proxies=("10.0.0.0/8", "192.0.2.9", "proxy")), lambda: 0.0)
    assert [crowd.arrive("192.0.2.1") for _ in range(5)] == [True] * 3 + [False] * 2
    crowd.leave("192.0.2.1")
    assert [crowd.arrive("192.0.2.1") for _ in range(2)] == [True, False]
    assert [crowd.frame("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert all(crowd.arrive("10.1.2.3") and crowd.arrive("192.0.2.9") for _ in range(50))
    assert all(crowd.frame("10.1.2.3") and crowd.frame("proxy") for _ in range(50))
    assert (crowd.total, crowd.refused) == (103, 3)
    for _ in range(3):
        crowd.leave("192.0.2.1")
    assert crowd.total == 100


def test_whoever_guesses_too_often_finds_only_the_own_table(tmp_path: Path) -> None:
    async def use(_: App, client: httpx.AsyncClient) -> list[int]:
        own = await seated(client)
        guesses = [await client.get(f"/api/tables/Z{number:03}") for number in range(35)]
        stranger = await client.get(f"/api/tables/{own}", headers={"cookie": f"{COOKIE}=nobody"})
        mine = await client.get(f"/api/tables/{own}")
        codes = [answer.status_code for answer in guesses]
        return [codes.count(404), codes.count(429), stranger.status_code, mine.status_code]

    assert using(tmp_path, use, limits=Limits(guesses=Rate(30, 0.001))) == [30, 5, 429, 200]


def test_a_refusal_for_haste_ends_the_connection_and_says_how_long(tmp_path: Path) -> None:
    async def use(_: App, client: httpx.AsyncClient) -> list[httpx.Response]:
        return [await client.get("/api/games") for _ in range(4)] + [await client.get("/") for _ in range(4)]

    limits = Limits(requests=Rate(3, 0.5), pages=Rate(3, 0.5))
    answers = using(tmp_path, use, limits=limits)
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429] * 2
    for late in answers[3::4]:
        assert late.headers["connection"] == "close"
        assert 0 < int(late.headers["retry-after"]) <= 2


def test_a_request_waits_for_all_its_budgets_at_once(tmp_path: Path) -> None:
    async def use(_: App, client: httpx.AsyncClient) -> list[httpx.Response]:
        return [await client.get("/api/me") for _ in range(2)]

    first, late = using(tmp_path, use, limits=Limits(requests=Rate(1, 0.1), people=Rate(1, 0.01)))
    assert first.status_code == 401
    assert late.json()["retry"] > 50_000, "the longer of both times"


# Load.


def test_the_pulse_is_neither_nervous_nor_lazy() -> None:
    behind = 0.0
    pulse = Pulse(lambda: behind, 0.3)
    for _ in range(WORSE - 1):
        pulse.feel(0.5)
    pulse.feel(0.0)
    assert not pulse.busy, "one late beat is none"
    behind = 0.4
    found = [_felt(pulse) for _ in range(WORSE)]
    assert found == [False, False, True], "answers are late though the loop is not"
    behind = 0.1
    assert [_felt(pulse) for _ in range(BETTER)] == [True] * (BETTER - 1) + [False]


def _felt(pulse: Pulse) -> bool:
    pulse.feel(0.0)
    return pulse.busy


def test_the_pulse_beats() -> None:
    async def main() -> float:
        pulse = Pulse(lambda: 0.0, 0.3)
        task = asyncio.create_task(pulse.beat())
        pulse.lag = -1.0
        while pulse.lag < 0:
            await asyncio.sleep(0.05)
        task.cancel()
        return pulse.lag

    assert asyncio.run(main()) >= 0


def test_a_busy_server_asks_newcomers_to_wait_and_nobody_else(tmp_path: Path) -> None:
    async def use(app: App, client: httpx.AsyncClient) -> None:
        code = await seated(client)
        app.door.pulse.busy = True
        for path, body in (
            ("/api/tables", {"game": "base", "players": 2, "name": "Ann"}),
            (f"/api/tables/{code}/seat", {"name": "Ben"}),
        ):
            answer = await client.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (503, "busy")
            assert answer.headers["retry-after"] == "2"
        room = await app.hub.find(code)
        who = room.table.chairs[0].who
        app.door.welcome(code, "192.0.2.1", who)
        with pytest.raises(Refused, match="busy"):
            app.door.welcome(code, "192.0.2.1", "somebody else")
        assert (await client.get(f"/api/tables/{code}")).status_code == 200
        assert (await client.get("/healthz")).status_code == 200
        ready = await client.get("/readyz")
        assert (ready.status_code, ready.json()["status"]) == (503, "The server is busy.")
        app.door.pulse.busy = False
        assert (await client.get("/readyz")).status_code == 200
        app.end_streams()
        assert (await client.get("/readyz")).json()["status"] == "The server stops."

    using(tmp_path, use)


def test_whoever_waits_for_a_table_hears_that_the_line_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "REASSURING", 0.01)
    heard: list[str] = []

    def push(text: str) -> bool:
        heard.append(text)
        return True

    async def send(_: object) -> None: ...

    async def receive() -> dict[str, str]:
        return {"type": "websocket.disconnect"}

    async def use(app: App, client: httpx.AsyncClient) -> None:
        code = await seated(client)
        room = await app.hub.find(code)
        found = asyncio.Event()

        async def reach(*_: str) -> Room:
            await found.wait()
            return room

        monkeypatch.setattr(app.door, "reach", reach)
        connection = Connection(app.hub, "", "192.0.2.1", send, push=push)
        served = asyncio.create_task(sockets.Sockets(app.door).serve(code, connection, receive))
        async with asyncio.timeout(10):
            while len(heard) < 3:
                await asyncio.sleep(0.005)
        found.set()
        await served
        heard.clear()
        await asyncio.sleep(0.05)
        assert not heard, "once it is found, only what is new is said"

    using(tmp_path, use)
    assert not heard


# Streams.


def test_a_stream_parts_when_its_reader_is_gone(tmp_path: Path) -> None:
    async def use(app: App, client: httpx.AsyncClient) -> None:
        code = await seated(client)
        room = await app.hub.find(code)
        who = room.table.chairs[0].who
        gone, sent = asyncio.Event(), asyncio.Event()

        async def receive() -> dict[str, Any]:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.set()

        stream = StreamResponse(app.door, "192.0.2.1", Identity(who, ""))
        task = asyncio.create_task(stream({"type": "http"}, receive, send))
        await sent.wait()
        while not room.listeners:
            await asyncio.sleep(0)
        assert app.door.streams.total() == 1
        gone.set()
        await asyncio.wait_for(task, 5)
        assert not room.listeners
        assert not app.hub.streams
        assert app.door.streams.total() == 0

    using(tmp_path, use)


def test_a_stream_parts_when_its_reader_is_stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bullpen.server.doors.bots_api.SLOWEST", 0.01)
    monkeypatch.setattr("bullpen.server.doors.bots_api.KEEP_ALIVE", 0.01)

    async def use(app: App, client: httpx.AsyncClient) -> None:
        code = await seated(client)
        room = await app.hub.find(code)
        asleep = asyncio.Event()

        async def send(message: Any) -> None:
            if message.get("more_body"):
                await asleep.wait()

        async def receive() -> dict[str, Any]:
            await asleep.wait()
            return {"type": "http.disconnect"}

        stream = StreamResponse(app.door, "192.0.2.1", Identity(room.table.chairs[0].who, ""))
        await asyncio.wait_for(stream({"type": "http"}, receive, send), 5)
        assert not room.listeners
        assert app.hub.metrics.dropped == 1

    using(tmp_path, use)


def test_a_stream_ends_with_the_token_of_its_bot(tmp_path: Path) -> None:
    async def use(app: App, _: httpx.AsyncClient) -> None:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        key = Identity("robbie", "Robbie", "robbie", ends=app.hub.people.now)
        stream = StreamResponse(app.door, "192.0.2.1", key)
        await asyncio.wait_for(stream({"type": "http"}, receive, send), 5)
        assert not sent[-1].get("more_body")

    using(tmp_path, use)


def test_streams_of_a_bot_and_an_address_are_few(tmp_path: Path) -> None:
    async def use(app: App, _: httpx.AsyncClient) -> None:
        app.door.streams["192.0.2.1"] = 40
        with pytest.raises(Refused, match="from this address"):
            app.door.check_streams("192.0.2.1", "bot")
        app.hub.streams["bot"] = set("abcd")  # type: ignore[arg-type]
        with pytest.raises(Refused, match="A bot may have 4 streams"):
            app.door.check_streams("192.0.2.2", "bot")
        app.hub.streams.clear()

    using(tmp_path, use)


# Pages.


ODD = [
    "/%00", "/" + "a" * 5000, "/" + "a/" * 3000, "/%ff%fe", "/..%2f..%2fetc%2fpasswd", "//etc/passwd",
    "/%5c..", "/assets/%00.js", "/api/%00", "/api/tables/%00", "/api/tables/" + "9" * 5000, "/ws/%00",
    "/api/records/%00/replay", "/api/records/x/replay?seat=" + "9" * 5000, "/api/games/%00/rules",
    "/api/games/%F0%9F%90%82/rules", "/CON", "/.", "/%2e%2e", "/assets/", "/assets",
]  # fmt: skip


def test_odd_paths_are_no_fault(tmp_path: Path) -> None:
    async def use(_: App, client: httpx.AsyncClient) -> list[httpx.Response]:
        kinds = [{"accept": "*/*"}, {"accept": "text/html"}]
        return [await client.get(path, headers=kind) for path in ODD for kind in kinds]

    for answer in using(tmp_path, use):
        assert answer.status_code in (200, 307, 400, 404), answer.url
        assert "root:" not in answer.text


def test_assets_are_found_below_a_symbolic_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = tmp_path / "real"
    (real / "assets").mkdir(parents=True)
    (real / "assets" / "app.js").write_text("1")
    (real / "index.html").write_text("<title>here</title>")
    (tmp_path / "secret").write_text("secret")
    (real / "way-out").symlink_to(tmp_path / "secret")
    (tmp_path / "link").symlink_to(real)
    monkeypatch.setattr(pages, "STATIC", tmp_path / "link")

    async def use() -> list[httpx.Response]:
        files = httpx.ASGITransport(Pages(directory=tmp_path / "link", check_dir=False))
        async with httpx.AsyncClient(transport=files, base_url="http://x") as client:
            paths = ["/assets/app.js", "/", "/t/ABCD", "/way-out", "/assets/none.js"]
            return [await client.get(path, headers={"accept": "text/html"}) for path in paths]

    script, home, page, out, none = asyncio.run(use())
    assert (script.text, script.headers["cache-control"]) == ("1", "max-age=31536000, immutable")
    assert home.text == page.text == out.text == none.text == "<title>here</title>"
    assert home.headers["cache-control"] == "no-cache"


# Operating.


def test_a_request_is_a_line_without_secrets(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def use(_: App, client: httpx.AsyncClient) -> str:
        code = await seated(client)
        await client.get(f"/api/tables/{code}")
        await client.get("/api/records/none/replay?seat=all")
        await client.get("/somewhere")
        return code

    logger = logging.getLogger(REQUESTS)
    logger.propagate = True
    with caplog.at_level(logging.INFO, REQUESTS):
        code = using(tmp_path, use, log_addresses=True)
    lines = [Lines().format(record) for record in caplog.records if record.name == REQUESTS]
    read = [json.loads(line) for line in lines]
    assert [(line["method"], line["route"], line["status"]) for line in read] == [
        ("POST", "/api/me", 200),
        ("POST", "/api/tables", 201),
        ("GET", "/api/tables/{name}", 200),
        ("GET", "/api/records/{record}/replay", 404),
        ("GET", "page", 404),
    ]
    assert all(line["address"] == "192.0.2.1" and line["milliseconds"] >= 0 for line in read)
    assert all(line["bytes"] > 0 for line in read)
    for secret in (code, "Ann", "somewhere", "bullpen="):
        assert not any(secret in line for line in lines)


def test_files_of_the_client_are_logged_for_those_who_look_for_faults(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "STATIC", tmp_path / "client")
    (tmp_path / "client" / "assets").mkdir(parents=True)
    (tmp_path / "client" / "assets" / "app.js").write_text("1")
    (tmp_path / "client" / "index.html").write_text("<title>here</title>")

    async def use(_: App, client: httpx.AsyncClient) -> None:
        for path in ("/", "/assets/app.js", "/assets/gone.js"):
            await client.get(path)

    logging.getLogger(REQUESTS).propagate = True
    with caplog.at_level(logging.DEBUG, REQUESTS):
        using(tmp_path, use)
    found = [(record.levelname, getattr(record, "route", "")) for record in caplog.records]
    assert [each for each in found if each[1]] == [("INFO", "page"), ("DEBUG", "file"), ("INFO", "page")]


def test_addresses_are_logged_only_on_request(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def use(_: App, client: httpx.AsyncClient) -> None:
        await client.get("/api/games")

    logging.getLogger(REQUESTS).propagate = True
    with caplog.at_level(logging.INFO, REQUESTS):
        using(tmp_path, use)
    assert "192.0.2.1" not in "".join(Lines().format(record) for record in caplog.records)


def test_nobody_waits_for_a_slow_reader_of_the_log() -> None:
    waiting: queue.Queue[Any] = queue.Queue(2)
    handler = Later(waiting)
    for number in range(5):
        handler.emit(logging.LogRecord("x", logging.INFO, "", 0, str(number), (), None))
    assert waiting.qsize() == 2


GAUGES = {
    "memory_bytes", "loop_lag_seconds", "behind_seconds", "busy", "storage_ok", "writer_alive",
    "pending_messages", "writer_queue", "bot_queue", "record_queue", "tables", "people", "listeners",
    "connections", "sockets", "streams", "turned_away", "remembered",
}  # fmt: skip


def test_the_gauges_say_what_is(tmp_path: Path) -> None:
    async def use(app: App, client: httpx.AsyncClient) -> dict[str, float]:
        await seated(client)
        for _ in range(3):
            await client.get("/api/tables/ZZZZ")
        text = (await client.get("/metrics")).text
        for line in text.splitlines():
            assert line.startswith("#") or len(line.split()) == 2, line
        return {name: float(value) for name, value in (
            line.split() for line in text.splitlines() if not line.startswith("#"))}  # fmt: skip

    found = using(tmp_path, use, metrics_for_all=True)
    assert {f"bullpen_{name}" for name in GAUGES} <= found.keys()
    assert found["bullpen_memory_bytes"] > 10_000_000
    assert found["bullpen_tables"] == found["bullpen_storage_ok"] == found["bullpen_writer_alive"] == 1
    assert found['bullpen_refusals_total{code="unknown-table"}'] == 3
    assert found["bullpen_remembered"] > 0


@pytest.mark.parametrize(
    ("where", "headers", "status"),
    [
        ("192.0.2.1", {}, 403),
        ("127.0.0.1", {}, 200),
        ("127.0.0.1", {"x-forwarded-for": "192.0.2.1"}, 403),
        ("127.0.0.1", {"x-forwarded-proto": "https"}, 403),
    ],
)
def test_figures_are_for_this_machine_only(
    tmp_path: Path, where: str, headers: dict[str, str], status: int
) -> None:
    async def use(app: App, _: httpx.AsyncClient) -> int:
        near = httpx.ASGITransport(app, client=(where, 1))
        async with httpx.AsyncClient(transport=near, base_url="http://127.0.0.1") as client:
            return (await client.get("/metrics", headers=headers)).status_code

    assert using(tmp_path, use) == status


def test_a_dead_writer_is_found(tmp_path: Path) -> None:
    async def use(app: App, client: httpx.AsyncClient) -> list[int]:
        task: Any = app.hub.writer._task
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        answers = [(await client.get(path)).status_code for path in ("/healthz", "/readyz")]
        app.hub.writer.start()
        return answers

    assert using(tmp_path, use) == [503, 503]


def test_health_fails_when_only_a_restart_would_help(tmp_path: Path) -> None:
    async def use(app: App, client: httpx.AsyncClient) -> None:
        async def health() -> tuple[int, str]:
            answer = await client.get("/healthz")
            return answer.status_code, answer.json()["status"]

        hub = app.hub
        assert await health() == (200, "ok")
        hub.writer.fault = StoreError("the disk is full")
        assert await health() == (200, "ok"), "a new process would find the same disk"
        hub.writer.fault = Replaced("Another file lies there now.")
        assert await health() == (
            503,
            "Another store lies where this one was; start the server again to use it.",
        )
        hub.writer.fault = None
        forgotten = hub.metrics.began()
        hub.metrics._pending[forgotten] -= 61
        assert await health() == (503, "Messages are not answered.")
        hub.writer.fault = StoreError("the disk is full")
        assert await health() == (200, "ok"), "they wait for the disk"
        hub.writer.fault = None
        hub.metrics.settled(forgotten, acked=False)
        hub.chores._tasks[0].cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert await health() == (503, "What should go on for ever has ended.")

    using(tmp_path, use)


# Transport.


def with_server(config: Config, talk: Callable[[int], Coroutine[Any, Any, T]]) -> T:
    """Serve with the product's own protocols in this process."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def main() -> T:
        http, ws = transport.protocols(Crowd(config))
        settings = uvicorn.Config(app, http=http, ws=ws, log_config=None, lifespan="off")
        settings.load()
        state = ServerState()
        make = lambda: http(config=settings, server_state=state, app_state={})  # noqa: E731
        running = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
        try:
            return await talk(running.sockets[0].getsockname()[1])
        finally:
            running.close()

    return asyncio.run(main())


@pytest.mark.parametrize(
    "owed",
    [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab"],
)
def test_whoever_owes_the_rest_of_a_request_is_cut_off(owed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "OWED_SECONDS", 0.02)

    async def talk(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(owed)
        found = b""
        with contextlib.suppress(ConnectionError):
            while part := await asyncio.wait_for(reader.read(100), 10):
                found += part
        writer.close()
        return found

    assert b"200" not in with_server(Config(limits=unlimited()), talk)


def test_one_connection_too_many_is_ended_unheard() -> None:
    async def talk(port: int) -> list[bool]:
        answered, writers = [], []
        for _ in range(5):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writers.append(writer)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            try:
                answered.append(b"204" in await asyncio.wait_for(reader.read(100), 10))
            except ConnectionError:
                answered.append(False)
        for writer in writers:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
        return answered

    limits = Limits(connections_per_address=3)
    assert with_server(Config(limits=limits), talk) == [True] * 3 + [False] * 2


def test_the_machine_has_a_name() -> None:
    assert Hosts(()).known(asked(socket.gethostname().partition(".")[0]))

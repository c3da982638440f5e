"""How much one server process carries, beside a bare echo server on the same stack in the same run.

    python benchmarks/server.py [--players 2000] [--seconds 10] [--tables 200] [--games 20]

Both servers and the clients are processes of their own on this machine and talk over the loopback device.
CPU time is the server process's own (user and system), memory is its resident set.
"""

import argparse
import asyncio
import base64
import json
import os
import random
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop

from bullpen.server.config import Config
from bullpen.server.doors.app import App
from bullpen.server.limits import unlimited
from bullpen.server.protocol import Settings
from bullpen.server.run import listen, raise_file_limit, run
from bullpen.server.store.interface import Batch, NewTableRow, Row
from bullpen.server.store.sqlite import SQLite
from bullpen.server.tables import steps
from bullpen.server.tables.table import Table

SEATS = 4
NEVER_ENDS = {"end.kind": "rounds", "end.value": 100_000}


# The servers.


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Send every message back."""
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    await receive()
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": event["text"]})


def serve(kind: str, folder: str) -> None:
    config = Config(port=0, store=f"{folder}/store.sqlite3", limits=unlimited())
    app: Any = echo if kind == "echo" else App.from_config(config)
    listening = listen(config)
    print(listening.getsockname()[1], flush=True)
    run(app, config, listening)


class Process:
    """A server in a process of its own."""

    def __init__(self, kind: str, folder: str) -> None:
        command = [sys.executable, __file__, "--serve", kind, "--folder", folder]
        if kind == "product":
            command = [
                sys.executable,
                "-m",
                "bullpen.server",
                "--port",
                "0",
                "--store",
                f"{folder}/store.sqlite3",
            ]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline().rstrip("/\n").rpartition(":")[2])
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                time.sleep(0.05)

    def cpu(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


# A client as lean as can be: what is measured is the server.


class Client(asyncio.Protocol):
    """Speaks just enough of the WebSocket protocol."""

    def __init__(self, path: str, port: int, cookie: str, on_text: Callable[["Client", bytes], None]) -> None:
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: bullpen={cookie}\r\n\r\n"
        )
        self._buffer = b""
        self._open = False
        self.ready = asyncio.get_running_loop().create_future()
        self.on_text = on_text
        self.sent_at: dict[str, float] = {}
        self.count = 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._request.encode())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            head, found, self._buffer = self._buffer.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            self._open = True
            self.ready.set_result(None)
        while len(self._buffer) >= 2:
            code, size, start = self._buffer[0] & 15, self._buffer[1] & 127, 2
            if size == 126:
                size, start = struct.unpack("!H", self._buffer[2:4])[0], 4
            elif size == 127:
                size, start = struct.unpack("!Q", self._buffer[2:10])[0], 10
            if len(self._buffer) < start + size:
                return
            body, self._buffer = self._buffer[start : start + size], self._buffer[start + size :]
            if code == 1:
                self.on_text(self, body)
            elif code == 9:
                self._frame(10, body)

    def send(self, text: bytes) -> None:
        self._frame(1, text)

    def _frame(self, code: int, body: bytes) -> None:
        size = len(body)
        head = bytes([128 | code, 128 | size]) if size < 126 else struct.pack("!BBH", 128 | code, 254, size)
        # A mask of zeros is a mask.
        self._transport.write(head + b"\0\0\0\0" + body)

    def close(self) -> None:
        self._transport.close()


async def connect(path: str, port: int, cookie: str, on_text: Callable[[Client, bytes], None]) -> Client:
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(lambda: Client(path, port, cookie, on_text), "127.0.0.1", port)
    await client.ready
    return client


# What is measured.


async def measure_echo(server: Process, players: int, seconds: float) -> dict[str, float]:
    """Messages a second, CPU per message and memory per connection of the bare echo server."""
    text = b'{"type":"choose","id":"c-000000","ask":1234,"choice":"44"}'
    counting, count = False, 0

    def answer(client: Client, _: bytes) -> None:
        nonlocal count
        count += counting
        if running:
            client.send(text)

    running = True
    before = server.memory()
    clients = [await connect("/echo", server.port, "", answer) for _ in range(players)]
    await asyncio.sleep(1)
    memory = (server.memory() - before) / players
    for client in clients:
        client.send(text)
    await asyncio.sleep(1)
    counting, cpu, began = True, server.cpu(), time.perf_counter()
    await asyncio.sleep(seconds)
    counting, running = False, False
    spent, took = server.cpu() - cpu, time.perf_counter() - began
    for client in clients:
        client.close()
    return {"rate": count / took, "cpu": spent / count, "memory": memory}


class AskPart(msgspec.Struct):
    number: int
    options: list[dict[str, Any]]


class Heard(msgspec.Struct):
    type: str
    id: str = ""
    ask: AskPart | None = None


heard = msgspec.json.Decoder(Heard).decode


class Players:
    """Everybody at the tables: answers each question after a while of thinking."""

    def __init__(self, think: float) -> None:
        self.think = think
        self.latencies: list[float] = []
        self.refused = 0
        self.counting = False
        self.stopped = False
        self._random = random.Random(1)

    def __call__(self, client: Client, text: bytes) -> None:
        message = heard(text)
        if message.type == "ack":
            began = client.sent_at.pop(message.id, None)
            if began is not None and self.counting:
                self.latencies.append(time.perf_counter() - began)
        elif message.type == "error":
            self.refused += 1
        elif message.ask is not None and not self.stopped:
            if self.think:
                delay = self._random.random() * 2 * self.think
                asyncio.get_running_loop().call_later(delay, self._answer, client, message.ask)
            else:
                self._answer(client, message.ask)

    def _answer(self, client: Client, ask: AskPart) -> None:
        client.count += 1
        name = f"c-{client.count}"
        choice = ask.options[int(self._random.random() * len(ask.options))]["notation"]
        client.sent_at[name] = time.perf_counter()
        client.send(
            b'{"type":"choose","id":"%s","ask":%d,"choice":"%s"}'
            % (name.encode(), ask.number, choice.encode())
        )


async def seat_everybody(server: Process, players: int) -> list[tuple[str, str]]:
    """Make the tables; return the code and cookie of every seat."""
    url = f"http://127.0.0.1:{server.port}"
    async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as http:

        async def post(path: str, body: Any, cookie: str = "") -> httpx.Response:
            http.cookies.clear()
            answer = await http.post(
                path, json=body, headers={"cookie": f"bullpen={cookie}"} if cookie else {}
            )
            answer.raise_for_status()
            return answer

        names = [{"name": f"P{seat}"} for seat in range(SEATS)]
        cookies = [(await post("/api/me", name)).cookies["bullpen"] for name in names]
        found = []
        for _ in range(players // SEATS):
            wish = {
                "game": "base", "players": SEATS, "name": "P0", "options": NEVER_ENDS, "unlimited": True
            }  # fmt: skip
            code = (await post("/api/tables", wish, cookies[0])).json()["table"]["code"]
            for seat in range(1, SEATS):
                await post(f"/api/tables/{code}/seat", {"name": f"P{seat}"}, cookies[seat])
            found += [(code, cookie) for cookie in cookies]
    return found


async def measure_tables(server: Process, players: int, seconds: float) -> dict[str, Any]:
    """Memory of the idle tables, latency at a human pace, and the most that goes through."""
    seats = await seat_everybody(server, players)
    before = server.memory()
    everybody = Players(think=1.0)
    clients = []
    for code, cookie in seats:
        client = await connect(f"/ws/{code}", server.port, cookie, everybody)
        client.send(b'{"type":"resume","id":"r","last":0}')
        clients.append(client)
    await asyncio.sleep(2)
    results: dict[str, Any] = {"memory": (server.memory() - before) / len(clients)}
    return results | await both_speeds(clients, everybody, lambda: window(server, everybody, seconds))


async def both_speeds(
    clients: list[Client], everybody: Players, look: Callable[[], Awaitable[dict[str, float]]]
) -> dict[str, Any]:
    """Start every table, look at it at a human pace and at full speed, and leave."""
    for client in clients[::SEATS]:
        client.send(b'{"type":"start","id":"s"}')
    await asyncio.sleep(4)
    results: dict[str, Any] = {"pace": await look()}
    everybody.think = 0.0
    await asyncio.sleep(3)
    results["full"] = await look()
    results["refused"] = everybody.refused
    everybody.stopped = True
    for client in clients:
        client.close()
    return results


async def window(server: Process, everybody: Players, seconds: float) -> dict[str, float]:
    everybody.latencies, everybody.counting = [], True
    cpu, own, began = server.cpu(), time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    everybody.counting = False
    own = time.process_time() - own
    spent, took = server.cpu() - cpu, time.perf_counter() - began
    times = everybody.latencies
    cuts = statistics.quantiles(times, n=100)
    return {
        "rate": len(times) / took,
        "p50": cuts[49],
        "p99": cuts[98],
        "cpu": spent / len(times),
        "busy": spent / took,
        "clients": own / took,
    }


# A start with many tables that have seen many games.


def play_game(table: Table, dice: random.Random, most: int) -> Iterator[steps.AnyStep]:
    """Apply and yield the steps of a game, up to so many choices."""
    started = steps.Started(at=1)
    table.apply(started)
    yield started
    while table.phase == "playing" and most:
        assert table.position is not None
        ask = table.position.open_asks[0]
        seat, name = ask.seats[0], f"c-{table.number}"
        choice = steps.Chosen(
            at=1_700_000_000_000,
            who=f"{seat:020x}",
            message=name,
            content=2**29,
            seat=seat,
            choice=dice.choice(ask.options).notation,
        )
        table.apply(choice)
        most -= 1
        yield choice


def created(code: str, **options: Any) -> steps.Created:
    return steps.Created(
        at=1, code=code, game="base", players=SEATS, options=options, settings=Settings(), secret="ab" * 32
    )


def many_games(store: SQLite, tables: int, games: int) -> None:
    """Fill a store: so many tables after so many whole games, in the middle of another."""
    for place in range(tables):
        name, code, dice = f"bench{place:011}", f"B{place:03}", random.Random(place)
        table = Table(name, created(code))
        for seat in range(SEATS):
            table.apply(steps.Sat(at=1, who=f"{seat:020x}", seat=seat, name=f"P{seat}"))
        for _ in range(games):
            for _ in play_game(table, dice, 10_000):
                pass
        fold = Row(name, table.number, steps.encode(table.fold(1)))
        running = [
            Row(name, fold.number + number, steps.encode(step))
            for number, step in enumerate(play_game(table, dice, 150), start=1)
        ]
        store.write(Batch([NewTableRow(name, code, 1)], running, folds=[fold]))


def measure_start(tables: int, games: int) -> dict[str, float]:
    """How long a start takes and what memory it needs, beside a start without any table."""
    results: dict[str, float] = {}
    for kind, count in (("empty", 0), ("full", tables)):
        with tempfile.TemporaryDirectory() as folder:
            store = SQLite(Path(folder) / "store.sqlite3")
            many_games(store, count, games)
            store.close()
            began = time.perf_counter()
            server = Process("product", folder)
            answer = httpx.get(f"http://127.0.0.1:{server.port}/healthz", trust_env=False, timeout=60)
            assert answer.json()["tables"] == count
            results[f"{kind}_seconds"] = time.perf_counter() - began
            results[f"{kind}_cpu"] = server.cpu()
            results[f"{kind}_memory"] = server.memory()
            server.stop()
    return results


def measure_step() -> dict[str, float]:
    """What a choice takes in memory: the growth of a table in a game of usual length and in a long one."""
    results = {}
    for kind, choices in (("usual", 400), ("long", 8_000)):
        table = Table("long", created("LONG", **NEVER_ENDS))
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        count = sum(1 for _ in play_game(table, random.Random(1), choices))
        results[kind] = (tracemalloc.get_traced_memory()[0] - before) / count
        tracemalloc.stop()
    return results


def on(kind: str, work: Callable[[Process], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        server = Process(kind, folder)
        try:
            return uvloop.run(work(server))  # type: ignore[arg-type]
        finally:
            server.stop()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--serve")
    parser.add_argument("--folder", default="")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    raise_file_limit()
    if arguments.serve:
        serve(arguments.serve, arguments.folder)
        return
    players, seconds = arguments.players, arguments.seconds
    bare = on("echo", lambda server: measure_echo(server, players, seconds))
    tables = on("tables", lambda server: measure_tables(server, players, seconds))
    tables |= {"start": measure_start(arguments.tables, arguments.games), "step": measure_step()}
    if arguments.json:
        print(json.dumps({"echo": bare, "tables": tables}, indent=1))
        return
    report(players, seconds, bare, tables)
    report_start(arguments.tables, arguments.games, tables["start"], tables["step"])


def report(players: int, seconds: float, bare: dict[str, float], tables: dict[str, Any]) -> None:
    pace, full = tables["pace"], tables["full"]
    ratio = full["cpu"] / bare["cpu"]
    lines = {
        "connections": f"{players} at {players // SEATS} tables, {seconds:.0f} s each",
        "echo": f"{bare['rate']:.0f} messages/s, {1e6 * bare['cpu']:.0f} µs CPU each",
        "human pace": f"{pace['rate']:.0f} choices/s, {_times(pace)}",
        "full speed": f"{full['rate']:.0f} choices/s, {_times(full)}, {1e6 * full['cpu']:.0f} µs CPU each",
        "CPU ratio": f"{ratio:.1f} times the echo's",
        "memory": f"{tables['memory'] / 1000:.1f} kB a player, {bare['memory'] / 1000:.1f} kB an echo",
        "refused": str(tables["refused"]),
    }
    for name, line in lines.items():
        print(f"{name:<12} {line}")


def report_start(tables: int, games: int, start: dict[str, float], step: dict[str, float]) -> None:
    more = {kind: start[f"full_{kind}"] - start[f"empty_{kind}"] for kind in ("seconds", "cpu")}
    lines = {
        "start": f"{tables} tables after {games} games each, in the middle of another",
        "": f"{more['seconds']:.2f} s ({more['cpu']:.2f} s CPU) more than an empty one",
        " ": f"{start['full_memory'] / 1e6:.0f} MB, an empty one {start['empty_memory'] / 1e6:.0f} MB",
        "a step": f"{step['usual']:.0f} B of memory in a usual game, {step['long']:.0f} B in a long one",
    }
    for name, line in lines.items():
        print(f"{name:<12} {line}")


def _times(window: dict[str, float]) -> str:
    return f"p50 {1e3 * window['p50']:.1f} ms, p99 {1e3 * window['p99']:.1f} ms"


if __name__ == "__main__":
    main()

"""What several processes on one PostgreSQL cost, beside one process on SQLite in the same run.

    python benchmarks/processes.py [--processes 3] [--players 300] [--seconds 10] [--rounds 3]

A database server of its own is started from what is installed (as the user `postgres` when root). The same
players at the same tables, four at each, choose at the same pace in both; they come to any process, so with
three of them two sockets of three are passed on to the process that owns their table. CPU time is that of all
server processes and of the database together; all with the disk's own durability. One and several take turns,
so that whatever else the machine does meets both, and the middle one of the rounds counts.
"""

import argparse
import asyncio
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.server import SEATS, Client, Players, Process, both_speeds, connect, seat_everybody, window
from benchmarks.stores import database_seconds

from bullpen.server.config import Config
from bullpen.server.doors.app import App
from bullpen.server.limits import unlimited
from bullpen.server.run import listen, raise_file_limit, run
from tests.postgres import Cluster


class One(Process):
    """A server process on a store of either kind."""

    def __init__(self, store: str) -> None:
        command = [sys.executable, __file__, "--serve", store]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                time.sleep(0.05)


class Together:
    """Several processes, measured as one."""

    def __init__(self, processes: list[One], cluster: Cluster | None) -> None:
        self.processes = processes
        self._cluster = cluster
        self.port = processes[0].port

    def cpu(self) -> float:
        return sum(process.cpu() for process in self.processes)

    def database_cpu(self) -> float:
        """What the processes of the database have spent, those that are gone included."""
        if self._cluster is None:
            return 0.0
        return database_seconds(self._cluster)


def serve(store: str) -> None:
    config = Config(port=0, store=store, limits=unlimited())
    app = App.from_config(config)
    listening = listen(config)
    print(listening.getsockname()[1], flush=True)
    run(app, config, listening, app.end_streams, app.crowd)


async def measure(servers: Together, players: int, seconds: float) -> dict[str, Any]:
    """Choices a second, latency and CPU at a human pace and at full speed."""
    dice, everybody, clients = random.Random(2), Players(think=1.0), list[Client]()
    seats = []
    share = players // SEATS // len(servers.processes) * SEATS
    for process in servers.processes:
        seats += await seat_everybody(process, share)
    for code, cookie in seats:
        port = dice.choice(servers.processes).port
        client = await connect(f"/ws/{code}", port, cookie, everybody)
        client.send(b'{"type":"resume","id":"r","last":0}')
        clients.append(client)
    await asyncio.sleep(2)
    found = await both_speeds(clients, everybody, lambda: _window(servers, everybody, seconds))
    return {"players": len(clients), **found}


async def _window(servers: Together, everybody: Players, seconds: float) -> dict[str, float]:
    before = servers.database_cpu()
    found = await window(servers, everybody, seconds)  # type: ignore[arg-type]
    spent = servers.database_cpu() - before
    return {**found, "database": spent / max(1, len(everybody.latencies))}


def on(store: str, count: int, players: int, seconds: float, cluster: Cluster | None) -> dict[str, Any]:
    processes = [One(store) for _ in range(count)]
    try:
        return uvloop.run(measure(Together(processes, cluster), players, seconds))
    finally:
        for process in processes:
            process.stop()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", default="")
    arguments = parser.parse_args()
    raise_file_limit()
    if arguments.serve:
        serve(arguments.serve)
        return
    cluster = Cluster.make("synchronous_commit=on")
    cluster.start()
    try:
        rounds = [play_round(number, cluster, arguments) for number in range(arguments.rounds)]
    finally:
        cluster.remove()
    report(rounds)


def play_round(number: int, cluster: Cluster, arguments: argparse.Namespace) -> tuple[float, float]:
    """Measure one process, then several; return how much a choice costs more, and how long 99 % take."""
    size = (arguments.players, arguments.seconds)
    with tempfile.TemporaryDirectory() as folder:
        one = on(f"{folder}/store.sqlite3", 1, *size, None)
    show("one on SQLite", one)
    cluster.do(f"CREATE DATABASE tables{number}")
    several = on(cluster.address(f"tables{number}"), arguments.processes, *size, cluster)
    show(f"{arguments.processes} on PostgreSQL", several)
    return total(several["full"]) / total(one["full"]), several["pace"]["p99"]


def total(part: dict[str, float]) -> float:
    """Return what a choice costs, wherever it is spent."""
    return part["cpu"] + part["database"]


def show(name: str, found: dict[str, Any]) -> None:
    load = os.getloadavg()[0]
    print(f"{name} ({found['players']} players, {found['refused']} refusals, load {load:.1f})")
    for kind, says in (("pace", "human pace"), ("full", "full speed")):
        part = found[kind]
        print(
            f"  {says}: {part['rate']:.0f} choices/s, p50 {1e3 * part['p50']:.1f} ms,"
            f" p99 {1e3 * part['p99']:.1f} ms, {1e6 * total(part):.0f} µs CPU a choice,"
            f" {1e6 * part['database']:.0f} µs of it in the database",
            flush=True,
        )


def report(rounds: list[tuple[float, float]]) -> None:
    ratios, late = zip(*rounds, strict=True)
    each = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"CPU a choice at full speed: {statistics.median(ratios):.2f} times ({each}); at most 1.4 wanted")
    each = ", ".join(f"{1e3 * seconds:.0f}" for seconds in late)
    print(f"99 % at a human pace within {1e3 * statistics.median(late):.0f} ms ({each}); 100 wanted")


if __name__ == "__main__":
    main()

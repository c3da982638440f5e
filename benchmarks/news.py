"""How news of a step get from the process that wrote it to the others: over links, or by NOTIFY and the log.

    python benchmarks/news.py [--processes 3] [--groups 400] [--group 10]

Starts a PostgreSQL of its own. Every process commits groups of steps, fenced as the server does it, as fast
as it can: telling nobody; sending the texts for the seats at other processes over a connection to each; and
with one NOTIFY in each group, after which all others read the new steps back. What a process that follows the
log would have to do besides, replaying the steps and making the texts itself, is not counted.
"""

import argparse
import multiprocessing
import select
import socket
import statistics
import struct
import sys
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.stores import BODY, database_seconds

from bullpen.server.doors.link import HEAD, Kind
from bullpen.server.store.interface import Batch, NewTableRow, Row
from bullpen.server.store.places import open_registry
from bullpen.server.store.postgres.store import FENCE, STEPS, Postgres
from tests.postgres import Cluster

TEXT = b"x" * 700
"""About what an update of the base game takes."""
SEATS = 4
TABLES = 100
TIME = struct.Struct("!d")
WRITE = f"SELECT bullpen_write_1({FENCE}, {STEPS})"
READ = (
    "SELECT body FROM steps JOIN unnest(%s::text[], %s::integer[]) AS new (id, place)"
    " ON table_id = id AND number = place"
)
WAYS = ("telling nobody", "over links", "by NOTIFY")


class Place:
    """What the processes of one trial share."""

    def __init__(self, way: str, address: str, options: argparse.Namespace) -> None:
        self.way, self.address = way, address
        self.group, self.groups = options.group, options.groups
        self.processes: int = options.processes
        self.servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(self.processes)]
        self.begin: Barrier = multiprocessing.Barrier(2 * self.processes + 1)
        self.results: Any = multiprocessing.SimpleQueue()


def write(place: Place, me: int) -> None:
    """Commit groups for a while, and tell of each."""
    process = f"p{me}"
    names = [f"{process}-{number}" for number in range(TABLES)]
    heads = [NewTableRow(name, name, 1) for name in names]
    store = Postgres(place.address)
    store.write(Batch(heads, [Row(name, 1, BODY) for name in names], process=process))
    others = [server for number, server in enumerate(place.servers) if number != me]
    links = [socket.create_connection(server.getsockname()) for server in others]
    texts = round(place.group * SEATS / place.processes)
    query = f"{WRITE}, pg_notify('news', %s)" if place.way == "by NOTIFY" else WRITE
    with psycopg.connect(place.address, autocommit=True) as db:
        place.begin.wait()
        cpu = time.process_time()
        for count in range(place.groups):
            start = count * place.group % TABLES
            number = 2 + count * place.group // TABLES
            group = names[start : start + place.group]
            numbers, bodies = [number] * len(group), [BODY] * len(group)
            values: list[Any] = [process, group, [1] * len(group), group, numbers, bodies]
            if place.way == "by NOTIFY":
                values.append(f"{process} {time.perf_counter()} {number} {','.join(group)}")
            now = TIME.pack(time.perf_counter())
            db.execute(query.encode(), values, prepare=True)
            if place.way == "over links":
                for link in links:
                    link.sendall((HEAD.pack(len(TEXT) + TIME.size, Kind.TEXT, 1) + now + TEXT) * texts)
    place.results.put(("written", time.process_time() - cpu, []))
    for link in links:
        link.close()
    store.close()


def hear_links(place: Place, me: int) -> tuple[float, list[float]]:
    """Take frames apart as a link does, until all writers have hung up."""
    links = [place.servers[me].accept()[0] for _ in range(place.processes - 1)]
    rest, late = dict.fromkeys(links, b""), list[float]()
    place.begin.wait()
    cpu = time.process_time()
    while rest:
        for link in select.select(list(rest), [], [])[0]:
            if data := link.recv(2**18):
                data, start = rest[link] + data, 0
                while len(data) - start >= HEAD.size + len(TEXT) + TIME.size:
                    late.append(time.perf_counter() - TIME.unpack_from(data, start + HEAD.size)[0])
                    start += HEAD.size + len(TEXT) + TIME.size
                rest[link] = data[start:]
            else:
                del rest[link]
    return time.process_time() - cpu, late


def hear_bell(place: Place, me: int) -> tuple[float, list[float]]:
    """Read every group of another process back when the bell rings."""
    late: list[float] = []
    with (
        psycopg.connect(place.address, autocommit=True) as bell,
        psycopg.connect(place.address, autocommit=True) as db,
    ):
        bell.execute("LISTEN news")
        place.begin.wait()
        cpu, wanted = time.process_time(), place.groups * (place.processes - 1)
        while len(late) < wanted:
            for note in bell.notifies(timeout=0.2):
                who, at, number, names = note.payload.split(" ", 3)
                if who != f"p{me}":
                    tables = names.split(",")
                    db.execute(READ, (tables, [int(number)] * len(tables)), prepare=True).fetchall()
                    late.append(time.perf_counter() - float(at))
    return time.process_time() - cpu, late


def hear(place: Place, me: int) -> None:
    cpu, late = (hear_bell if place.way == "by NOTIFY" else hear_links)(place, me)
    place.results.put(("heard", cpu, late))


def trial(way: str, cluster: Cluster, options: argparse.Namespace) -> None:
    """Let everybody write and hear for a while, and print what it took."""
    name = "news_" + way.rsplit(maxsplit=1)[-1].lower()
    cluster.do(f"CREATE DATABASE {name}")
    place = Place(way, cluster.address(name), options)
    registry = open_registry(place.address)
    assert registry is not None
    for number in range(place.processes):
        registry.enlist(f"p{number}", "", 3_600_000)
    work = [
        multiprocessing.Process(target=each, args=(place, me))
        for me in range(place.processes)
        for each in (write, hear)
    ]
    for process in work:
        process.start()
    place.begin.wait()
    before, began = database_seconds(cluster), time.perf_counter()
    found = [place.results.get() for _ in work]
    took = time.perf_counter() - began
    database = database_seconds(cluster) - before
    for process in work:
        process.join()
    registry.close()
    commits = place.groups * place.processes
    each = 1e6 / (commits * place.group)
    late = [1000 * seconds for _, _, late in found for seconds in late]
    cuts = statistics.quantiles(late, n=100) if len(late) > 1 else [0.0] * 99
    spent = {kind: sum(cpu for name, cpu, _ in found if name == kind) for kind in ("written", "heard")}
    print(
        f"{way:<15} {commits / took:6.0f} commits/s; CPU a step:"
        f" {spent['written'] * each:5.1f} µs to write, {spent['heard'] * each:5.1f} µs to hear,"
        f" {database * each:5.1f} µs of the database;"
        f" known elsewhere after {cuts[49]:.1f} ms (99 %: {cuts[98]:.1f} ms)",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--groups", type=int, default=400)
    parser.add_argument("--group", type=int, default=10)
    options = parser.parse_args()
    cluster = Cluster.make()
    try:
        cluster.start()
        for way in WAYS:
            trial(way, cluster, options)
    finally:
        cluster.remove()


if __name__ == "__main__":
    main()

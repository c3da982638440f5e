"""What a step costs in a file and in a database, in one run: CPU of the process, CPU of the database, time.

    python benchmarks/stores.py [--tables 500] [--steps 8000]

Starts a PostgreSQL of its own, with all that keeps what is confirmed through a power cut, as the tests do.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bullpen.server.store.interface import Batch, NewTableRow, Row, Store
from bullpen.server.store.places import open_registry, open_store

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.postgres import Cluster

BODY = (
    b'{"kind":"chosen","at":1800000000000,"who":"0123456789abcdef0123","message":"m-123456","content":1234567,'
    b'"seat":2,"choice":"44","by":"person"}'
)
GROUPS = (1, 10, 100)
TICKS = os.sysconf("SC_CLK_TCK")


def database_seconds(cluster: Cluster) -> float:
    """Return the CPU time of all processes of a cluster, those that are gone included."""
    postmaster = (cluster.data / "postmaster.pid").read_text().split()[0]
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    return sum(_spent(process) for process in (postmaster, *children))


def _spent(process: str) -> float:
    """Return the CPU time of a process and of the children that it has outlived."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS


class Writing:
    """Writes groups of steps, each at another table, and measures it."""

    def __init__(self, store: Store, process: str, tables: int) -> None:
        self._store, self._process = store, process
        self._names = [f"table{number:011d}" for number in range(tables)]
        self._number = 1
        heads = [NewTableRow(name, f"C{number}", 1) for number, name in enumerate(self._names)]
        store.write(Batch(heads, [Row(name, 1, BODY) for name in self._names], process=process))

    def group(self, size: int) -> float:
        """Write a group; return how long that took."""
        self._number += 1
        names = self._names[:size]
        batch = Batch(
            steps=[Row(name, self._number, BODY) for name in names],
            process=self._process,
            epochs=dict.fromkeys(names, 1),
        )
        began = time.perf_counter()
        self._store.write(batch)
        return time.perf_counter() - began


def measure(name: str, writing: Writing, size: int, steps: int, cluster: Cluster) -> None:
    """Print what a step costs in groups of a size."""
    count = max(20, min(600, steps // size))
    own, theirs = time.process_time(), database_seconds(cluster)
    took = [writing.group(size) for _ in range(count)]
    each = 1e6 / (count * size)
    print(
        f"{name:<10} groups of {size:>3}: {(time.process_time() - own) * each:6.1f} µs of the process and"
        f" {(database_seconds(cluster) - theirs) * each:6.1f} µs of the database a step,"
        f" {1000 * statistics.median(took):5.2f} ms a group (median)",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--steps", type=int, default=8000)
    options = parser.parse_args()
    cluster = Cluster.make()
    try:
        cluster.start()
        cluster.do("CREATE DATABASE tables")
        address = cluster.address("tables")
        with tempfile.TemporaryDirectory() as folder:
            stores = {"SQLite": open_store(f"{folder}/store.sqlite3"), "PostgreSQL": open_store(address)}
            registry = open_registry(address)
            assert registry is not None
            registry.enlist("bench", "", 3_600_000)
            names = {"SQLite": "", "PostgreSQL": "bench"}
            all_writing = {
                name: Writing(store, names[name], options.tables) for name, store in stores.items()
            }
            for size in GROUPS:
                for name, writing in all_writing.items():
                    measure(name, writing, size, options.steps, cluster)
            registry.close()
            for store in stores.values():
                store.close()
    finally:
        cluster.remove()


if __name__ == "__main__":
    main()

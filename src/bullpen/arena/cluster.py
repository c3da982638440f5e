"""Running matches on a Ray cluster: the same portions of work, on as many machines as there are."""

import importlib
import socket
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from bullpen.arena.errors import ArenaError
from bullpen.arena.match import Job
from bullpen.arena.outcome import Outcome
from bullpen.arena.play import play_deal
from bullpen.arena.run import AHEAD, Runner

PATIENCE = 5.0
"""Seconds that a cluster may take to answer."""


def on_cluster(address: str | None = None, workers: int | None = None) -> Runner:
    """Return a runner that hands the work to Ray: to the cluster at an address, or to one of its own here."""
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise ArenaError("A cluster needs Ray: pip install 'bullpen-games[cluster]'.") from None

    def runner(portions: Iterable[list[Job]]) -> Iterator[list[Outcome]]:
        _join(ray, address, workers)
        try:
            task = ray.remote(max_retries=2)(play_deal)
            waiting = iter(portions)
            most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            open_work = [task.remote(jobs) for jobs in islice(waiting, most)]
            while open_work:
                ended, open_work = ray.wait(open_work)
                open_work += [task.remote(jobs) for jobs in islice(waiting, len(ended))]
                yield from ray.get(ended)
        finally:
            ray.shutdown()

    return runner


def _join(ray: Any, address: str | None, workers: int | None) -> None:
    """Join the cluster at an address, or start one here; a failure is one sentence."""
    here: dict[str, Any] = {"address": address} if address else {"num_cpus": workers}
    if address:
        _check_open(address)
    try:
        ray.init(**here, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    except (Exception, SystemExit) as error:  # Ray exits where it has given up, after two minutes
        why = f": {str(error).splitlines()[0]}" if isinstance(error, Exception) and str(error) else ""
        raise ArenaError(
            f"Ray cannot use {f'the cluster at {address}' if address else 'this machine'}{why}. "
            "A cluster that wants a token needs RAY_AUTH_MODE=token and RAY_AUTH_TOKEN."
        ) from None


def _check_open(address: str) -> None:
    """Raise a sentence if nothing listens at HOST:PORT; Ray itself would try for two minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        return
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise ArenaError(f"There is no Ray cluster at {address}: {why}.") from None

"""Running matches on a Ray cluster: the same portions of work, on as many machines as there are."""

import importlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from bullpen.arena.errors import ArenaError
from bullpen.arena.match import Job
from bullpen.arena.outcome import Outcome
from bullpen.arena.play import play_deal
from bullpen.arena.run import AHEAD, Runner


def on_cluster(address: str | None = None, workers: int | None = None) -> Runner:
    """Return a runner that hands the work to Ray: to the cluster at an address, or to one of its own here."""
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise ArenaError("A cluster needs Ray: pip install 'bullpen-games[cluster]'.") from None

    def runner(portions: Iterable[list[Job]]) -> Iterator[list[Outcome]]:
        here: dict[str, Any] = {"address": address} if address else {"num_cpus": workers}
        ray.init(**here, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
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

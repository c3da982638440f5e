"""Running matches on all cores, with a bar and an estimate, so that they can be stopped and gone on with."""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from typing import Any, TypeAlias

from bullpen.arena.match import Job, Match
from bullpen.arena.outcome import Outcome
from bullpen.arena.play import play_deal
from bullpen.arena.results import Results

Runner: TypeAlias = Callable[[Iterable[list[Job]]], Iterator[list[Outcome]]]
"""Takes portions of work as there is room, plays them in any order and yields their outcomes as they come."""

AHEAD = 4
"""How many portions for each worker are handed out at a time: enough to keep all busy."""


def missing(matches: Iterable[Match], results: Results) -> list[list[Job]]:
    """Return the deals, each as its games, that a results file does not hold yet."""
    done, left = results.done(), []
    for match in matches:
        for deal in match.jobs():
            jobs = [job for job in deal if job not in done]
            # Two rungs of a ladder may share a game, which is played once.
            done.update(jobs)
            left += [jobs] if jobs else []
    return left


def run(matches: Sequence[Match], results: Results, runner: Runner) -> Iterator[int]:
    """Play what is missing, write it down, and yield how many games each step has added."""
    for match in matches:
        match.check()
    results.repair()
    for outcomes in runner(missing(matches, results)):
        results.add(outcomes)
        yield len(outcomes)


def one_process(portions: Iterable[list[Job]]) -> Iterator[list[Outcome]]:
    """Play here, one portion after another."""
    return map(play_deal, portions)


def all_cores(workers: int | None = None) -> Runner:
    """Return a runner with so many processes of its own (all cores, if not said)."""

    def runner(portions: Iterable[list[Job]]) -> Iterator[list[Outcome]]:
        count = max(1, workers or os.cpu_count() or 1)
        # A fresh interpreter: forking one that runs threads, as bars and compiled bots do, is not safe.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(count, mp_context=context) as pool:
            try:
                yield from _keep_busy(pool, portions, count * AHEAD)
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    return runner


def _keep_busy(
    pool: ProcessPoolExecutor, portions: Iterable[list[Job]], most: int
) -> Iterator[list[Outcome]]:
    waiting = iter(portions)
    open_work: set[Future[Any]] = {pool.submit(play_deal, jobs) for jobs in islice(waiting, most)}
    while open_work:
        ended, open_work = wait(open_work, return_when=FIRST_COMPLETED)
        open_work |= {pool.submit(play_deal, jobs) for jobs in islice(waiting, len(ended))}
        for future in ended:
            yield future.result()

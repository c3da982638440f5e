"""Games of one card a trick on the processor, against C, NumPy and the engine."""

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.fast_parts.limits import in_c
from benchmarks.fast_parts.rates import COUNTS, SEED, Seconds, best_rates, show
from benchmarks.fast_parts.uncompiled import engine_rounds, numpy_rounds

import bullpen
from bullpen.engine import OptionValue
from bullpen.fast import Batch, Player, from_view, plan_for, simulate
from bullpen.fast.games import CODES
from bullpen.fast.rules import BASE
from bullpen.fast.trick import NO_FLIP

BLOCK = 128 * 1024
"""Rounds a timed run in lockstep: a multiple of the lanes, and long enough to forget the call itself."""
FEW = BLOCK // 16
"""Rounds a timed run of a slower loop."""


def measure_games(limits: Any, seconds: float) -> list[dict[str, Any]]:
    table = []
    for game in CODES:
        for players in COUNTS:
            # The base game carries the targets, so it gets the time to meet a quiet moment.
            patience = seconds * (4 if game == "base" else 1)
            table.append({"game": game, "players": players, **measure_game(limits, game, players, patience)})
            show(table[-1])
    return table


def measure_game(limits: Any, game: str, players: int, seconds: float) -> dict[str, float]:
    options: dict[str, OptionValue] = {"logic.maxPlayers": 10} if game == "logic" else {}
    plan = plan_for(game, players, options)

    def ours(rounds: int, plain: bool = False) -> Any:
        return simulate(game, players, rounds=rounds, seed=SEED, options=options, plain=plain).total

    tasks: dict[str, tuple[Callable[[], Any], float]] = {
        "simulate": (lambda: ours(BLOCK), BLOCK),
        "plain": (lambda: ours(FEW, plain=True), FEW),
        "C scalar": (lambda: in_c(limits.scalar_rounds, plan, FEW), FEW),
    }
    assert (in_c(limits.scalar_rounds, plan, BLOCK) == ours(BLOCK)).all(), (game, players)
    if plan.code == BASE and plan.digits == NO_FLIP:
        tasks["C SIMD"] = (lambda: in_c(limits.simd_rounds, plan, BLOCK), BLOCK)
        assert (in_c(limits.simd_rounds, plan, BLOCK) == ours(BLOCK)).all(), (game, players)
    return best_rates(tasks, seconds)


def measure_layers(limits: Any, seconds: float) -> dict[str, float]:
    """Four players, one core: playouts from one view, a batch, NumPy and the engine."""
    plan = plan_for("base", 4)
    view = bullpen.new_game("base", 4, seed=SEED).view(0)
    one = Player(from_view(view), view.hand[:1])
    every = Player(from_view(view), view.hand)
    steps = BatchSteps(low_card="cheapest")
    asking = BatchSteps(low_card="ask")
    piling = BatchSteps(low_card="cheapest", piles=True)
    rng = np.random.default_rng(SEED)
    rates = best_rates(
        {
            "C scalar": (lambda: in_c(limits.scalar_rounds, plan, FEW), FEW),
            "C scalar, plain arrays": (lambda: in_c(limits.array_rounds, plan, FEW), FEW),
            "playouts, one candidate": (lambda: one.run(BLOCK), BLOCK),
            "playouts, ten candidates": (lambda: every.run(BLOCK // 10), BLOCK // 10 * len(view.hand)),
            "playouts, plain loop": (lambda: one.run_plain(FEW), FEW),
            "simulate, plain loop": (lambda: simulate("base", 4, rounds=FEW, plain=True), FEW),
            "Batch.step, ten steps": (steps.run, steps.tens),
            "Batch.step with questions, ten steps": (asking.run, asking.tens),
            "Batch.step with piles, ten steps": (piling.run, piling.tens),
            "NumPy": (lambda: numpy_rounds(4, 4096, rng), 4096),
            "engine": (lambda: engine_rounds(4, 10), 10),
        },
        seconds * 5,
    )
    show(rates)
    return rates


class BatchSteps:
    """A round of 4,096 games whose choices are known, so that only the steps are timed."""

    def __init__(self, **settings: Any) -> None:
        self.batch = Batch("base", 4, 4096, seed=SEED, **settings)
        self.parts = (*self.batch.table, *self.batch.seats)
        self.start = [part.copy() for part in self.parts]
        self.choices = []
        while not self.batch.over.all():
            self.choices.append(self.batch.random_choices())
            self.batch.step(self.choices[-1])
        self.tens = self.batch.size * len(self.choices) / 10

    def run(self) -> Seconds:
        """Play the round again."""
        for part, old in zip(self.parts, self.start, strict=True):
            part[...] = old
        begin = time.perf_counter()
        for given in self.choices:
            self.batch.step(given)
        return Seconds(time.perf_counter() - begin)


def measure_cores(seconds: float) -> dict[str, float]:
    cores = os.cpu_count() or 1
    counts = sorted({1, *(2**k for k in range(1, 8) if 2**k < cores), cores})
    rounds = 262_144 * 8
    rates = best_rates(
        {
            str(threads): (
                lambda threads=threads: simulate("base", 4, rounds=rounds, threads=threads),  # type: ignore[misc]
                rounds,
            )
            for threads in counts
        },
        seconds * 4,
    )
    show({f"{threads} threads": rate for threads, rate in rates.items()})
    return rates


def targets(report: dict[str, Any]) -> dict[str, float]:
    """Return the ratios that the project set itself, four players on one core."""
    four = next(row for row in report["games"] if row["game"] == "base" and row["players"] == 4)
    layers = report["layers"]
    return {
        "simulate / C SIMD (aim 0.75)": four["simulate"] / four["C SIMD"],
        "playouts / C scalar (aim 0.9)": layers["playouts, one candidate"] / layers["C scalar"],
        "Batch.step / a trick's share of playouts (aim at most 1.5)": layers["playouts, one candidate"]
        / layers["Batch.step, ten steps"],
        "Batch.step with questions / the same": layers["playouts, one candidate"]
        / layers["Batch.step with questions, ten steps"],
        "Batch.step / a trick's share of the plain loop": layers["playouts, plain loop"]
        / layers["Batch.step, ten steps"],
    }

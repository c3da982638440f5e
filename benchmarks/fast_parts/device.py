"""Rounds a second on a CUDA device, against CUDA C where that plays them."""

import importlib
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.fast_parts.agreement import check_device_batch, check_rounds_on_device, check_twin_on_device
from benchmarks.fast_parts.limits import SOURCES
from benchmarks.fast_parts.rates import COUNTS, SEED, show
from benchmarks.fast_parts.twins import TWIN_OPTIONS, twin_counts

from bullpen.fast import Batch, plan_for
from bullpen.fast.games import CODES, Plan
from bullpen.fast.policies import minds_of
from bullpen.fast.twins.batch import TwinBatch


def device_present() -> bool:
    try:
        return bool(importlib.import_module("bullpen.fast.cuda").is_available())
    except ImportError:
        return False


def the_device() -> Any:
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda still asks for it
    return importlib.import_module("bullpen.fast.cuda")


def measure_device(rounds: int) -> dict[str, Any]:
    """Build and run the CUDA C kernel, then ours on the same rounds; then the games that C does not play."""
    device = the_device()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "device"
        build = ["nvcc", "-O3", "-arch=native", str(SOURCES / "device.cu"), "-o", str(program)]
        subprocess.run(build, check=True)
        command = [str(program), str(rounds), str(SEED)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True)
    report: dict[str, Any] = {"rounds": rounds, "limits": [], "games": []}
    limits = [json.loads(line) for line in printed.stdout.splitlines()]
    for players in COUNTS:
        rate, total = device_rate(device, plan_for("base", players), rounds)
        report["limits"].append({"players": players, "numba-cuda": rate})
        for limit in limits:
            if limit["players"] == players:
                assert total.tolist() == limit["total"], f"{players} players: totals differ from CUDA C"
                name = f"CUDA C, {limit['method']}"
                report["limits"][-1] |= {name: limit["per_second"], f"/ {name}": rate / limit["per_second"]}
        show(report["limits"][-1])
    check_device_batch(device)
    for game in CODES:
        for players in COUNTS if game != "logic" else (2, 4):
            rate, _ = device_rate(device, plan_for(game, players), rounds // 40)
            check_rounds_on_device(device, game, players, {})
            report["games"].append({"game": game, "players": players, "numba-cuda": rate})
            show(report["games"][-1])
    report["twins"] = measure_twins_on_device(device, device.PLAYED)
    return report


def device_rate(device: Any, plan: Plan, rounds: int) -> tuple[float, Any]:
    """Return our rounds a second, as the median of seven launches timed by device events, and the totals."""
    cuda = device.cuda
    minds, _ = minds_of("random", plan.players)
    total = cuda.to_device(np.zeros((2, plan.players), np.uint64))
    times = []
    for run in range(8):
        total.copy_to_device(np.zeros((2, plan.players), np.uint64))
        begin, end = cuda.event(), cuda.event()
        begin.record()
        device.launch_rounds(plan, minds, rounds, SEED, total)
        end.record()
        end.synchronize()
        if run:
            times.append(cuda.event_elapsed_time(begin, end) * 1e-3)
    return rounds / statistics.median(times), total.copy_to_host()[0]


def measure_twins_on_device(device: Any, games: Iterable[str]) -> list[dict[str, Any]]:
    """Hold games with a course of their own against the CPU, and measure them."""
    table = []
    for game in games:
        for players in twin_counts(game):
            check_twin_on_device(device, game, players)
            check_rounds_on_device(device, game, players, TWIN_OPTIONS.get(game, {}))
            rates = twin_rates_on_device(device, game, players)
            table.append({"game": game, "players": players, **rates})
            show(table[-1])
    return table


def twin_rates_on_device(device: Any, game: str, players: int) -> dict[str, float]:
    """Return rounds a second: whole ones, and in steps of a batch whose choices are drawn on the device."""
    cuda, options = device.cuda, TWIN_OPTIONS.get(game)
    rounds = 1 << 18
    # The options of all seats shall fit into two gigabytes.
    most = TwinBatch(game, players, 1, options=options).room.options
    games = min(rounds, (1 << 30) // (players * most))
    batch = device.DeviceBatch(Batch(game, players, games, seed=SEED, options=options))

    def play() -> float:
        batch.reset()
        begin, end = cuda.event(), cuda.event()
        begin.record()
        steps = 0
        while steps % 16 or not batch.over.copy_to_host().all():
            batch.step(batch.random_choices(), check=False)
            steps += 1
        end.record()
        end.synchronize()
        return float(cuda.event_elapsed_time(begin, end)) * 1e-3

    def roll(rounds: int) -> float:
        begin = time.perf_counter()
        device.simulate_on_device(game, players, rounds, seed=SEED, options=options)
        return time.perf_counter() - begin

    # The difference of two is what the rounds cost, without the games' coming to the device.
    many = statistics.median(roll(5 * rounds) - roll(rounds) for _ in range(3))
    return {
        "simulate": 4 * rounds / many,
        "Batch.step": games / statistics.median(play() for _ in range(3)),
    }

"""How fast the twin plays, against the same loops in C, NumPy and the engine, all in one run.

    python benchmarks/fast.py [--only cpu|twins|device] [--games GAME,GAME] [--seconds S] [--json FILE]

Every figure is the best of several short runs that take turns, so that a busy moment hits all alike.
Where C plays the same rounds, its totals must equal the twin's to the last bullhead.
"""

import argparse
import ctypes
import importlib
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import bullpen
from bullpen.engine import OptionValue
from bullpen.fast import CHOICES, ROW, BadChoice, Batch, Player, from_view, number_of, plan_for, simulate
from bullpen.fast.games import CODES, Plan
from bullpen.fast.policies import minds_of
from bullpen.fast.rules import BASE
from bullpen.fast.trick import NO_FLIP
from bullpen.fast.twins.batch import TwinBatch
from bullpen.fast.twins.games import TWINS
from bullpen.fast.twins.state import arrays_of
from bullpen.rulesets import find

SOURCES = Path(__file__).parent / "fast_c"
RESULTS = Path(__file__).parent / "results" / "fast.json"
SEED = 7
COUNTS = (2, 4, 10)
BLOCK = 128 * 1024
"""Rounds a timed run in lockstep: a multiple of the lanes, and long enough to forget the call itself."""
FEW = BLOCK // 16
"""Rounds a timed run of a slower loop."""


class Seconds(float):
    """What a task returns that has timed itself."""


def best_rates(tasks: dict[str, tuple[Callable[[], Any], float]], seconds: float) -> dict[str, float]:
    """Run the tasks in turn for some seconds; return the best rate of each, its units a second."""
    best = dict.fromkeys(tasks, 0.0)
    for run, _ in tasks.values():
        run()
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop:
        for name, (run, units) in tasks.items():
            begin = time.perf_counter()
            result = run()
            spent = result if isinstance(result, Seconds) else time.perf_counter() - begin
            best[name] = max(best[name], units / spent)
    return best


# The limits in C.


def compile_limits(folder: str) -> Any:
    library = Path(folder) / "limits.so"
    compiler = os.environ.get("CC", "cc")
    sources = [str(SOURCES / "scalar.c"), str(SOURCES / "simd.c")]
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", *sources, "-o", str(library)]
    subprocess.run(command, check=True)
    limits = ctypes.CDLL(str(library))
    limits.simd_kind.restype = ctypes.c_char_p
    for name in ("scalar_rounds", "array_rounds", "simd_rounds"):
        function = getattr(limits, name)
        numbers = [ctypes.c_int64, ctypes.c_int64, ctypes.c_uint64]
        function.argtypes = [ctypes.c_void_p, *numbers, ctypes.c_void_p]
        function.restype = None
    return limits


def in_c(function: Any, plan: Plan, rounds: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    total = np.zeros(10, np.int64)
    function((ctypes.c_int64 * 8)(*plan), 0, rounds, SEED, total.ctypes.data)
    return total[: plan.players]


# What one would write without a compiler.


def numpy_rounds(players: int, rounds: int, rng: np.random.Generator) -> float:
    """Play base rounds with NumPy, all games at once; return bullheads a seat and round."""
    printed = np.zeros(105, np.int64)
    printed[1:] = [bullpen.bullheads(card) for card in range(1, 105)]
    deck = rng.permuted(np.tile(np.arange(1, 105), (rounds, 1)), axis=1)
    game = np.arange(rounds)
    ends, counts = deck[:, -4:].copy(), np.ones((rounds, 4), np.int64)
    heads, points = printed[ends], np.zeros((rounds, players), np.int64)
    for trick in range(10):
        plays = deck[:, trick * players : (trick + 1) * players]
        order = plays.argsort(axis=1)
        for place in range(players):
            seat = order[:, place]
            card = plays[game, seat]
            fits = np.where(ends < card[:, None], ends, 0)
            low = fits.max(axis=1) == 0
            row = np.where(low, heads.argmin(axis=1), fits.argmax(axis=1))
            taken = low | (counts[game, row] == 5)
            points[game, seat] += np.where(taken, heads[game, row], 0)
            heads[game, row] = printed[card] + np.where(taken, 0, heads[game, row])
            counts[game, row] = 1 + np.where(taken, 0, counts[game, row])
            ends[game, row] = card
    return float(points.mean())


def engine_rounds(players: int, count: int) -> None:
    """Play rounds through the engine: random cards, the cheapest row."""
    for seed in range(count):
        engine_round(players, seed)


def engine_round(players: int, seed: int) -> None:
    luck = random.Random(seed)
    game = bullpen.new_game("base", players, seed=seed, options={"end.kind": "rounds", "end.value": 1})
    while not game.over:
        ask = game.asks[0]
        if ask.kind == "choose_row":
            rows = game.position.rows
            choice = min(ask.options, key=lambda option: bullpen.bullheads(*rows[number_of(option) - ROW]))
        else:
            choice = luck.choice(ask.options)
        game.choose(ask.seats[0], choice)


# The measurements.


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


# The games with a course of their own, against the engine.


class Steps:
    """Whole rounds of many games whose choices are known: only the steps are timed, in processor time."""

    def __init__(self, game: str, players: int, size: int) -> None:
        self.batch = TwinBatch(game, players, size, seed=SEED, options=TWIN_OPTIONS.get(game))
        self.memory = self.batch.state.memory.copy()
        self.choices = []
        while not self.batch.over.all():
            self.choices.append(self.batch.random_choices())
            self.batch.step(self.choices[-1])

    def run(self) -> Seconds:
        """Play the rounds again."""
        self.batch.state.memory[...] = self.memory
        begin = time.thread_time()
        for given in self.choices:
            self.batch.step(given)
        return Seconds(time.thread_time() - begin)


FEW_GAMES = 1024
TWIN_OPTIONS: dict[str, dict[str, OptionValue]] = {
    "tournament": {"tournament.maxPlayers": 10},
    # By chance some games would go on for long while all others are over.
    "hand": {"hand.maxRounds": 12},
}


def after_draft(game: str, players: int, seed: int, luck: random.Random) -> bullpen.Game:
    table = bullpen.new_game(game, players, seed=seed, options=TWIN_OPTIONS.get(game))
    while any(ask.kind == "draft_pick" for ask in table.asks):
        table.choose(table.asks[0].seats[0], luck.choice(table.asks[0].options))
    return table


def engine_twin_rounds(game: str, players: int, seeds: range) -> Seconds:
    """Play rounds through the engine by chance, from after the draft on; only the playing is timed."""
    spent = 0.0
    for seed in seeds:
        luck = random.Random(seed)
        table = after_draft(game, players, seed, luck)
        begin = time.thread_time()
        while not table.over and table.position.round == 1:
            ask = table.asks[0]
            table.choose(ask.seats[0], luck.choice(ask.options))
        spent += time.thread_time() - begin
    return Seconds(spent)


def twin_counts(game: str) -> list[int]:
    """Return the fewest players, four, and the most."""
    counts = find(game).player_counts(TWIN_OPTIONS.get(game, {}))
    return sorted({counts[0], 4, counts[-1]})


def measure_twins(seconds: float, games: Iterable[str]) -> list[dict[str, Any]]:
    """Measure rounds a second of `Batch.step` and of the engine, in turns, at three numbers of players."""
    table = []
    for game in games:
        for players in twin_counts(game):
            steps = Steps(game, players, FEW_GAMES)
            rates = best_rates(
                {
                    "Batch.step": (steps.run, FEW_GAMES),
                    "engine": (partial(engine_twin_rounds, game, players, range(3)), 3),
                },
                seconds,
            )
            ratio = rates["Batch.step"] / rates["engine"]
            table.append({"game": game, "players": players, **rates, "ratio": round(ratio)})
            show(table[-1])
    return table


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


def check_rounds_on_device(device: Any, game: str, players: int, options: dict[str, OptionValue]) -> None:
    """Hold whole rounds on the device against those on the CPU, to the last bullhead."""
    small = device.simulate_on_device(game, players, 20_000, seed=SEED, options=options)
    same = simulate(game, players, rounds=20_000, seed=SEED, options=options)
    assert (small.total == same.total).all(), (game, players)
    assert (small.squares == same.squares).all(), (game, players)


def check_twin_on_device(device: Any, game: str, players: int) -> None:
    """Hold a batch on the device against one on the CPU, array by array after every step of two rounds."""
    ours = Batch(game, players, 1000, seed=SEED, options=TWIN_OPTIONS.get(game))
    theirs = device.DeviceBatch(ours)
    for _ in range(2):
        while not ours.over.all():
            compare_twin_with_device(ours, theirs)
            choices = ours.random_choices()
            assert (theirs.random_choices().copy_to_host() == choices).all(), game
            ours.step(choices)
            theirs.step(device.cuda.to_device(choices))
        ours.next_round()
        theirs.next_round()
    ours.reset(np.arange(1000, dtype=np.uint64))
    theirs.reset(np.arange(1000, dtype=np.uint64))
    compare_twin_with_device(ours, theirs)
    try:
        theirs.step(np.zeros((1000, players), np.uint16))
    except BadChoice:
        compare_twin_with_device(ours, theirs)
    else:
        raise AssertionError(f"{game}: an illegal choice was taken on the device")


def compare_twin_with_device(ours: Any, theirs: Any) -> None:
    for name, here in arrays_of(ours.state).items():
        there = getattr(theirs.state, name).copy_to_host()
        assert (here[: ours.size] == there[: ours.size]).all(), (ours.game, name)
    last = ours.plan.players - 1
    seen = theirs.seen(last)
    for name, here in ours.observe(last).items():
        assert here.size == 0 or (here == seen[name].copy_to_host()).all(), (ours.game, name, "as seen")
    assert (theirs.over.copy_to_host() == ours.over).all(), ours.game


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


def check_device_batch(device: Any) -> None:
    """Hold a batch on the device against one on the CPU, array by array after every step."""
    for game in CODES:
        for piles in (True, False):
            ours = Batch(game, 4, 5000, seed=SEED, piles=piles)
            theirs = device.DeviceBatch(ours)
            while not ours.over.all():
                compare_with_device(ours, theirs)
                choices = ours.random_choices()
                assert (theirs.random_choices().copy_to_host() == choices).all(), game
                ours.step(choices)
                theirs.step(device.cuda.to_device(choices))
            ours.reset(None, ours.over)
            theirs.reset(None, theirs.over)
            compare_with_device(ours, theirs)
    print("  batches on the device and on the CPU agree", flush=True)


def compare_with_device(ours: Batch, theirs: Any) -> None:
    for mine, other in ((ours.table, theirs.table), (ours.seats, theirs.seats)):
        for name in mine._fields:
            here, there = getattr(mine, name), getattr(other, name).copy_to_host()
            if name == "plays":
                # In lockstep, plays are written down only where they have to wait.
                waits = ours.asked >= 0
                here, there = here[waits], there[waits]
            assert (here == there).all(), (ours.game, name)
    seats = ours.size, ours.plan.players
    seen, legal = np.zeros((*seats, ours.observation_size), np.uint8), np.zeros((*seats, CHOICES), np.uint8)
    ours.observe_into(seen)
    ours.legal_into(legal)
    assert (theirs.observe().copy_to_host() == seen).all(), ours.game
    assert (theirs.legal().copy_to_host() == legal).all(), ours.game
    assert (theirs.over.copy_to_host() == ours.over).all(), ours.game


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


def show(row: dict[str, Any]) -> None:
    """Print a line of figures, rates in millions a second."""
    cells = []
    for name, value in row.items():
        big = isinstance(value, float) and value > 1000
        cells.append(f"{name} {value / 1e6:.3f} M/s" if big else f"{name} {value}")
    print("  " + "   ".join(cells), flush=True)


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


def device_present() -> bool:
    try:
        return bool(importlib.import_module("bullpen.fast.cuda").is_available())
    except ImportError:
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("cpu", "twins", "device"))
    parser.add_argument(
        "--games",
        type=lambda names: names.split(","),
        help="with --only twins or device: only these of the games with a course of their own",
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each line of the table")
    parser.add_argument("--rounds", type=int, default=400_000_000, help="rounds a launch on a device")
    parser.add_argument("--json", type=Path, default=RESULTS)
    given = parser.parse_args()
    if given.games and (given.only not in ("twins", "device") or not TWINS.keys() >= set(given.games)):
        parser.error(f"--games goes with --only twins or device, and with {', '.join(TWINS)}.")
    report: dict[str, Any] = {"machine": platform.processor() or platform.machine(), "cores": os.cpu_count()}
    if given.only == "twins":
        report["twins"] = measure_twins(given.seconds, given.games or TWINS)
    if given.only in (None, "cpu"):
        with tempfile.TemporaryDirectory() as folder:
            limits = compile_limits(folder)
            report["simd"] = limits.simd_kind().decode()
            print(f"Rounds a second on one core ({report['simd']}):")
            report["games"] = measure_games(limits, given.seconds)
            print("Four players, one core:")
            report["layers"] = measure_layers(limits, given.seconds)
            print("Rounds a second, steps of a batch against the engine:")
            report["twins"] = measure_twins(given.seconds, TWINS)
            print("Four players, all cores:")
            report["cores scaling"] = measure_cores(given.seconds)
            report["targets"] = targets(report)
            show(report["targets"])
    if given.only == "device" or (given.only is None and device_present()):
        print("On the device:")
        if given.games:
            report["device"] = {"twins": measure_twins_on_device(the_device(), given.games)}
        else:
            report["device"] = measure_device(given.rounds)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"Written to {given.json}.", file=sys.stderr)


if __name__ == "__main__":
    main()

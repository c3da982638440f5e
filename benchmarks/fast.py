"""How fast the twin plays, against the same loops in C, NumPy and the engine, all in one run.

    python benchmarks/fast.py [--only cpu|twins|device] [--games GAME,GAME] [--seconds S] [--json FILE]

Every figure is the best of several short runs that take turns, so that a busy moment hits all alike.
Where C plays the same rounds, its totals must equal the twin's to the last bullhead.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from bullpen.fast.twins.games import TWINS

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.fast_parts.cpu import measure_cores, measure_games, measure_layers, targets
from benchmarks.fast_parts.device import device_present, measure_device, measure_twins_on_device, the_device
from benchmarks.fast_parts.limits import compile_limits
from benchmarks.fast_parts.rates import show
from benchmarks.fast_parts.twins import measure_twins

RESULTS = Path(__file__).parent / "results" / "fast.json"


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

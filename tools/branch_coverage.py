"""Fail when a package of bullpen has too few of its branches tested: REPORT.json PERCENT PACKAGE..."""

import json
import sys
from pathlib import Path
from typing import Any


def branch_percent(files: dict[str, Any], package: str) -> float:
    """The share of branches taken in all files of one package, in percent."""
    inside = [f["summary"] for name, f in files.items() if f"bullpen/{package}/" in Path(name).as_posix()]
    if not inside:
        raise SystemExit(f"No file of bullpen.{package} was measured.")
    branches = sum(summary["num_branches"] for summary in inside)
    covered = sum(summary["covered_branches"] for summary in inside)
    return 100 * covered / branches if branches else 100.0


def main(report: str, least: str, *packages: str) -> None:
    """Say nothing when every package is covered, else one sentence per package."""
    files = json.loads(Path(report).read_text())["files"]
    percents = {package: branch_percent(files, package) for package in packages}
    lacking = {package: percent for package, percent in percents.items() if percent < float(least)}
    for package, percent in lacking.items():
        print(f"bullpen.{package}: {percent:.1f} % of branches are tested, {least} % are wanted.")
    sys.exit(bool(lacking))


if __name__ == "__main__":
    main(*sys.argv[1:])

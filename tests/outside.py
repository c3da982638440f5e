"""Packages from outside, as if they were installed: what `pip install` leaves behind, without pip."""

import os
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHEPHERD = ROOT / "examples" / "shepherd"


def leave(folder: Path, name: str, games: dict[str, str]) -> Path:
    """Write the metadata of a distribution with entry points for games; the folder belongs on the path."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{key} = {value}" for key, value in games.items()]
    (info / "entry_points.txt").write_text("\n".join(["[bullpen.games]", *lines, ""]))
    return folder


def shepherd_installed(folder: Path) -> list[Path]:
    """Return what belongs on the path of a program that shall find the example game."""
    project = tomllib.loads((SHEPHERD / "pyproject.toml").read_text())["project"]
    return [leave(folder, project["name"], project["entry-points"]["bullpen.games"]), SHEPHERD / "src"]


def others_installed(folder: Path) -> list[Path]:
    """Return the same for the games of `tests/other_games.py`."""
    games = {"nines": "Nines", "five-rows": "FiveRows", "wolves": "Wolves"}
    return [
        leave(folder, "other-games", {key: f"tests.other_games:{kind}" for key, kind in games.items()}),
        ROOT,
    ]


def environment_with(paths: list[Path]) -> dict[str, str]:
    """Return the environment of a program that shall find these folders."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}

"""Every vector of examples.json (or of the file that BULLPEN_VECTORS names) on the public engine."""

import importlib
import json
import os
import pkgutil
from pathlib import Path

import pytest

from tests import rulebook
from tests.rulebook.tables import Runner, Vector

HERE = Path(__file__).parent


def load() -> list[Vector]:
    """Return the vectors to run."""
    vectors: list[Vector] = json.loads(
        Path(os.environ.get("BULLPEN_VECTORS", HERE / "examples.json")).read_text()
    )
    return vectors


def runners() -> dict[str, Runner]:
    """Return what each kind of vector is run by: every module of this folder may name some in RUNNERS."""
    found: dict[str, Runner] = {}
    for module in pkgutil.iter_modules(rulebook.__path__):
        if module.name.startswith("run_"):
            found |= importlib.import_module(f"tests.rulebook.{module.name}").RUNNERS
    return found


@pytest.mark.parametrize("vector", load(), ids=lambda vector: vector["id"])
def test_vector(vector: Vector) -> None:
    """A kind of vector that nothing can run is a failure, not a skip."""
    known = runners()
    assert vector["variant"] in known, f"{vector['id']}: nothing runs vectors of {vector['variant']!r}"
    known[vector["variant"]](vector)

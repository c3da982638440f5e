"""Several processes on one store, under everything that can go wrong: what must hold, over many histories."""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import SOAK
from tests.simulation.history import deploy, live
from tests.simulation.mutants import MUTANTS, RARE, Mutant
from tests.simulation.people import PING
from tests.simulation.world import Broken

ROOT = Path(__file__).parents[2]
HISTORIES = 20_000 if SOAK else 80
PARTS = 20 if SOAK else 4
DEPLOYS = 100 if SOAK else 3
MOMENT = 1.0
"""So many seconds somebody waits at most whose process stops, beside the time until the next word is due."""
MOST_TRIALS = 2000 if SOAK else 300
"""So many histories a planted fault may survive."""
PLANTED = {**MUTANTS, **(RARE if SOAK else {})}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """What goes wrong on purpose is not worth a line each."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("part", range(PARTS))
def test_promises_hold_whatever_goes_wrong(part: int) -> None:
    each = HISTORIES // PARTS
    for seed in range(part * each, (part + 1) * each):
        live(seed)


@pytest.mark.parametrize("mutant", PLANTED, ids=lambda mutant: mutant.__name__)
def test_every_planted_fault_is_found(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant(monkeypatch)
    for seed in range(MOST_TRIALS):
        try:
            live(seed, *PLANTED[mutant])
        except Broken:
            return
    pytest.fail("nobody has noticed")


def test_a_rolling_deploy_is_a_moment_of_waiting() -> None:
    for seed in range(DEPLOYS):
        people = deploy(seed).people
        assert all(person.over for person in people)
        assert max(person.longest for person in people) < PING + MOMENT


def test_the_same_seed_gives_the_same_history() -> None:
    code = "from tests.simulation.history import live; print(*[live(seed).digest for seed in range(3)])"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hashed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashed in ("1", "2")
    }
    assert len(said) == 1
    assert len(set(said.pop().split())) == 3

"""Profiles for random tests: the usual one, and a long one for `make soak`."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.workers import pytest_xdist_make_scheduler

__all__ = ["SOAK", "pytest_xdist_make_scheduler"]

SOAK = bool(os.environ.get("BULLPEN_SOAK"))

slow_is_fine = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "default", max_examples=20, deadline=None, derandomize=True, suppress_health_check=slow_is_fine
)
settings.register_profile("soak", max_examples=1000, deadline=None, suppress_health_check=slow_is_fine)
settings.load_profile("soak" if SOAK else "default")

MEASURED = frozenset({"engine", "games", "golden", "records", "rulebook"})
"""The folders whose tests are to reach every branch of the rules; counting makes a test far slower."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count branches where that is the point, and nowhere else."""
    for item in items:
        if not MEASURED & set(item.path.relative_to(Path(__file__).parents[1]).parts[:2]):
            item.add_marker("no_cover")

"""Profiles for random tests: the usual one, and a long one for `make soak`."""

import os

from hypothesis import HealthCheck, settings

from tests.counting import pytest_runtest_protocol
from tests.workers import pytest_xdist_make_scheduler

__all__ = ["SOAK", "pytest_runtest_protocol", "pytest_xdist_make_scheduler"]

SOAK = bool(os.environ.get("BULLPEN_SOAK"))
if SOAK:
    # A long run of one test is no hang.
    os.environ.setdefault("PYTEST_TIMEOUT", "7200")

slow_is_fine = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "default", max_examples=20, deadline=None, derandomize=True, suppress_health_check=slow_is_fine
)
settings.register_profile("soak", max_examples=1000, deadline=None, suppress_health_check=slow_is_fine)
settings.load_profile("soak" if SOAK else "default")

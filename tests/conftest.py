"""Profiles for random tests: the usual one, and a long one for `make soak`."""

import os
import sys
from collections.abc import Iterator

import pytest
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

MOST_MEGABYTES = 1_500
"""A process of the soak may hold so much memory, its browsers and servers not counted."""


@pytest.fixture(autouse=SOAK and sys.platform == "linux")
def _keeps_little() -> Iterator[None]:
    """Fail the test that makes a long run hold too much memory."""
    before = most_megabytes()
    yield
    assert not before <= MOST_MEGABYTES < most_megabytes()


def most_megabytes() -> int:
    """The most memory that this process has held."""
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

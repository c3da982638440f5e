"""Which tests count the branches of the rules: those whose point that is; counting makes a test far slower.

pytest-cov has a mark for it (`no_cover`), but a worker of pytest-xdist starts coverage twice, and the mark
stops the second only.
"""

import sys
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]
COUNTED = (
    "src/bullpen/engine",
    "src/bullpen/rulesets",
    "tests/engine",
    "tests/games",
    "tests/golden",
    "tests/positions",
    "tests/records",
    "tests/rulebook",
)
"""Where the tests are that are to reach every branch of the rules."""


def counted(path: Path) -> bool:
    """Tell whether the tests of a file count branches.

    >>> counted(HOUSE / "tests/games/test_base.py"), counted(HOUSE / "tests/browser/test_fit.py")
    (True, False)
    """
    return path.relative_to(HOUSE).as_posix().startswith(COUNTED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Count branches where that is the point, and nowhere else."""
    counting = sys.gettrace()
    if counting is None or counted(item.path):
        return (yield)
    threads = threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(counting)
        threading.settrace(threads)

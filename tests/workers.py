"""Which tests stay together: what one of them builds, plays or compiles is not made again by another worker.

Marks would say the same (`xdist_group`), but pytest-xdist 3.8 does not hear them under pytest 9.2, and says
nothing (pytest-xdist#1386).
"""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

TOGETHER = {
    "src/bullpen/envs/": "kernels",
    "src/bullpen/fast/twins/": "twins",
    "src/bullpen/fast/": "kernels",
    "tests/bots/test_estimates.py": "bots",
    "tests/bots/test_levels.py": "bots",
    "tests/bots/test_memory.py": "memory",
    "tests/bots/test_onward.py": "memory",
    "tests/differential/test_twins.py": "twins",
    "tests/differential/": "kernels",
    "tests/envs/test_compiled_observation.py": "kernels",
    "tests/envs/test_vector.py": "kernels",
    "tests/packaging/": "packaging",
    "tests/rulings/": "rulings",
}
"""What a test's name begins with, and its company; the first that fits counts."""


def company(nodeid: str) -> str:
    """Return the name of those that one worker runs together with a test: itself alone, as a rule.

    >>> company("tests/rulings/test_rulings.py::test_a_module_docstring_cites_nothing")
    'rulings'
    >>> company("tests/engine/test_view.py::test_a_hand")
    'tests/engine/test_view.py::test_a_hand'
    """
    return next((name for start, name in TOGETHER.items() if nodeid.startswith(start)), nodeid)


class Companies(LoadScopeScheduling):
    """Gives whole companies to the workers, the largest first, then one test after the other."""

    def _split_scope(self, nodeid: str) -> str:
        return company(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Companies | None:
    """Keep companies together wherever tests are given out one by one or by group."""
    return Companies(config, log) if config.getvalue("dist") == "loadgroup" else None

"""The lock file pins, with hashes, all that the project file asks for, and names no place to get it."""

import re
import tomllib
from collections import defaultdict
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.repository import LOCK, ROOT

ENTRY = re.compile(
    r"^(?P<requirement>[^\s#].*?) \\\n(?P<hashes>(?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def pinned() -> dict[str, set[str]]:
    versions: dict[str, set[str]] = defaultdict(set)
    for entry in ENTRY.finditer(LOCK.read_text()):
        requirement = Requirement(entry["requirement"])
        (pin,) = requirement.specifier
        assert pin.operator == "=="
        versions[canonicalize_name(requirement.name)].add(pin.version)
    return versions


TOO_LARGE = {"cluster", "ppo"}
"""Ray and PyTorch are larger than everything else together, and few need a cluster or an example."""


def wanted() -> list[Requirement]:
    table = project()
    extras = table["project"]["optional-dependencies"]
    lists = [
        table["project"]["dependencies"],
        *(extras[extra] for extra in extras if extra not in TOO_LARGE),
        *table["dependency-groups"].values(),
    ]
    names = [name for names in lists for name in names if isinstance(name, str)]
    requirements = [Requirement(name) for name in names]
    return [requirement for requirement in requirements if requirement.name != table["project"]["name"]]


def test_every_line_belongs_to_an_entry_with_hashes() -> None:
    left_over = ENTRY.sub("", LOCK.read_text())
    assert [line for line in left_over.splitlines() if not line.startswith("#")] == []


def test_the_lock_satisfies_the_project_file() -> None:
    lock = pinned()
    unmet = [
        str(requirement)
        for requirement in wanted()
        if not any(version in requirement.specifier for version in lock[canonicalize_name(requirement.name)])
    ]
    assert unmet == []


def test_torch_is_left_to_those_who_want_it() -> None:
    assert "torch" not in pinned()


def test_everything_in_the_extra_all_is_every_extra() -> None:
    extras: dict[str, list[str]] = project()["project"]["optional-dependencies"]
    (everything,) = (Requirement(name) for name in extras["all"])
    assert everything.extras == set(extras) - {"all"} - TOO_LARGE

"""The lock files pin, with hashes, all that the project file asks for, and name no place to get it."""

import re
import shutil
import subprocess
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.repository import LOCK, MAKEFILE, ROOT

SMALL = [LOCK.with_name(name) for name in ("play.txt", "page.txt")]

ENTRY = re.compile(
    r"^(?P<requirement>[^\s#].*?) \\\n(?P<hashes>(?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def pinned(lock: Path = LOCK) -> dict[str, set[str]]:
    versions: dict[str, set[str]] = defaultdict(set)
    for entry in ENTRY.finditer(lock.read_text()):
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


@pytest.mark.parametrize("lock", [LOCK, *SMALL], ids=lambda lock: lock.name)
def test_every_line_belongs_to_an_entry_with_hashes(lock: Path) -> None:
    left_over = ENTRY.sub("", lock.read_text())
    assert [line for line in left_over.splitlines() if not line.startswith("#")] == []


def test_the_lock_satisfies_the_project_file() -> None:
    lock = pinned()
    unmet = [
        str(requirement)
        for requirement in wanted()
        if not any(version in requirement.specifier for version in lock[canonicalize_name(requirement.name)])
    ]
    assert unmet == []


@pytest.mark.parametrize(
    ("lock", "lists"),
    [
        (SMALL[0], (("dependencies",), ("extra", "server"), ("extra", "fast"), ("group", "play"))),
        (SMALL[1], (("group", "page"),)),
    ],
    ids=["play", "page"],
)
def test_a_small_lock_has_what_it_is_for_in_the_versions_of_the_large_one(
    lock: Path, lists: tuple[tuple[str, ...], ...]
) -> None:
    """Otherwise the developers' environment could not grow out of the one to play."""
    table, small, large = project(), pinned(lock), pinned()
    kinds = {"extra": table["project"]["optional-dependencies"], "group": table["dependency-groups"]}
    for kind, *names in lists:
        for text in kinds[kind][names[0]] if names else table["project"][kind]:
            requirement = Requirement(text)
            assert any(each in requirement.specifier for each in small[canonicalize_name(requirement.name)])
    assert small.items() <= large.items()
    assert 3 * len(small) < len(large), "nobody needs to install a laboratory to play cards"


def test_playing_builds_little_and_uses_what_developers_have(tmp_path: Path) -> None:
    named = "requirements/play.txt requirements/dev.txt web/package-lock.json web/index.html tools/make-env"
    for name in ("pyproject.toml", *named.split()):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    shutil.copy(MAKEFILE, tmp_path)

    def says(word: str) -> list[str]:
        command = ["make", "--dry-run", "--no-print-directory", word]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return [line for line in done.stdout.splitlines() if "make-env" in line]

    page, small = says("play")
    assert page.endswith("tools/make-env page"), "Node has gone before the rest comes"
    assert "LOCK=requirements/play.txt" in small
    assert "LOCK=requirements/dev.txt" in says("web")[0]
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv/.ready").touch()
    assert says("play") == []


def test_torch_is_left_to_those_who_want_it() -> None:
    assert "torch" not in pinned()


def test_everything_in_the_extra_all_is_every_extra() -> None:
    extras: dict[str, list[str]] = project()["project"]["optional-dependencies"]
    (everything,) = (Requirement(name) for name in extras["all"])
    assert everything.extras == set(extras) - {"all"} - TOO_LARGE

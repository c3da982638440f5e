"""Nothing in the repository betrays one machine, and what the pages name exists."""

import re
from pathlib import Path

import pytest

from tests.house.repository import ROOT, files, pages, targets

REGISTRY = re.compile(
    r"pypi\.org|pythonhosted\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|"
    r"conda\.anaconda\.org|download\.pytorch\.org|--(?:extra-)?index[-]url|--find[-]links"
)
MACHINE_PATH = re.compile(r"(?<![\w.:/-])/(?:root|home|work|Users)/")
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)


def text_of(path: Path) -> str:
    return path.read_bytes().decode(errors="ignore")


def test_the_repository_is_not_empty() -> None:
    assert ROOT / "pyproject.toml" in files()


@pytest.mark.parametrize("forbidden", [REGISTRY, MACHINE_PATH], ids=["registry host", "path of one machine"])
def test_no_file_contains(forbidden: re.Pattern[str]) -> None:
    found = {
        str(path.relative_to(ROOT)): match.group()
        for path in files()
        if (match := forbidden.search(text_of(path)))
    }
    assert not found


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda path: path.name)
def test_every_make_target_named_exists(path: Path) -> None:
    named = set(re.findall(r"(?:`|\$ )make ([a-z]+)", path.read_text()))
    assert named
    assert named <= targets()


def test_the_promised_make_targets_exist() -> None:
    assert {"env", "play", "test", "lint", "bench", "docs", "soak", "clean", "lock", "help"} <= targets()


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    prose = FENCE.sub("", path.read_text())
    links = [link.partition("#")[0] for link in LINK.findall(prose) if "://" not in link]
    missing = [link for link in links if link and not (path.parent / link).exists()]
    assert not missing

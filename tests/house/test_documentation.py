"""The documentation builds without a warning, and reading it asks nothing of any other machine."""

import json
import os
import re
import subprocess
import sys
import zlib
from importlib import import_module
from pathlib import Path

from bullpen.engine import Choice, Event
from tests.house.repository import ROOT

FETCHED = re.compile(
    r"<(?:script|img|iframe)[^>]*\bsrc=[\"']?(?:https?:)?//|"
    r"<link[^>]*\brel=[\"']?(?:stylesheet|preconnect|icon)[^>]*\bhref=[\"']?(?:https?:)?//"
)


def test_the_site_builds_and_is_self_contained(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(command, cwd=ROOT, check=True, env=environment)
    built = list(tmp_path.rglob("*.html"))
    assert tmp_path / "index.html" in built
    assert [str(page) for page in built if FETCHED.search(page.read_text())] == []
    assert sorted(public() - documented(tmp_path / "objects.inv")) == []
    # Markdown takes the prompt of an example for three quotes.
    assert [page.name for page in (tmp_path / "api").glob("*.html") if QUOTED in page.read_text()] == []
    assert languages(tmp_path) == {"": ["en"], "rules/play/de": ["de"], "rules/play/fr": ["fr"]}


QUOTED = "<blockquote>\n<blockquote>"


def languages(site: Path) -> dict[str, list[str]]:
    """Return the languages of each index for searching, having looked that it lists its own pages."""
    found = {}
    for index in sorted(site.rglob("search_index.json")):
        folder = index.parents[1]
        read = json.loads(index.read_text())
        pages = {entry["location"].partition("#")[0] for entry in read["docs"]} - {""}
        assert pages
        assert [page for page in pages if not (folder / page).is_file()] == []
        place = folder.relative_to(site).as_posix()
        found["" if place == "." else place] = read["config"]["lang"]
        if place == ".":
            assert [page for page in pages if re.match("rules/play/(?!en/)", page)] == []
    return found


def public() -> set[str]:
    """Return the names that scripts may rely on: of the packages, every choice and event with its fields."""
    modules = (
        "bullpen",
        "bullpen.engine",
        "bullpen.records",
        "bullpen.bots",
        "bullpen.arena",
        "bullpen.fast",
    )
    names = {f"{module}.{name}" for module in modules for name in import_module(module).__all__}
    for kind in (Choice, Event):
        module = import_module(kind.__module__)
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, kind) and found.__module__ == module.__name__:
                own = f"{module.__name__}.{found.__name__}"
                names |= {own, *(f"{own}.{field}" for field in found.__annotations__)}
    return {name for name in names if "._" not in name}


def documented(inventory: Path) -> set[str]:
    """Return the names that the built site has an entry for, also as the package hands them on."""
    packed = inventory.read_bytes().split(b"\n", 4)[4]
    names = {line.split(" ")[0] for line in zlib.decompress(packed).decode().splitlines()}
    parts = [name.split(".") for name in names]
    return names | {".".join((*part[:2], part[3])) for part in parts if len(part) == 4}

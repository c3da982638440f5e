"""The documentation builds without a warning, and reading it asks nothing of any other machine."""

import os
import re
import subprocess
import sys
from pathlib import Path

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

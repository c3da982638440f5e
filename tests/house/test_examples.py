"""The Python on the pages runs as it stands."""

import re
import textwrap
from pathlib import Path

import pytest

from tests.house.repository import ROOT, pages

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = [
    pytest.param(code, id=f"{page.relative_to(ROOT)}-{number}")
    for page in pages()
    for number, code in enumerate(BLOCK.findall(page.read_text()), start=1)
]


def test_the_readme_has_an_example() -> None:
    assert BLOCK.search((ROOT / "README.md").read_text())


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "example", "exec"), {"__name__": "example"})


def test_the_example_game_is_the_one_in_its_package() -> None:
    source = (ROOT / "examples/shepherd/src/bullpen_shepherd/shepherd.py").read_text()
    shown = textwrap.dedent(
        (ROOT / "CONTRIBUTING.md").read_text().split("    ```python\n")[1].split("    ```\n")[0]
    )
    assert shown == source

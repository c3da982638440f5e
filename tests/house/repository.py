"""The files of the repository, as the tests of this folder see them."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements" / "dev.txt"
MAKEFILE = ROOT / "Makefile"

_BUILT = {".git", ".venv", ".hypothesis", "__pycache__", "dist", "site", "node_modules"}


def files() -> list[Path]:
    """Every file that is, or is about to be, part of the repository."""
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listing = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        paths = [ROOT / name for name in listing.split("\0") if name]
    else:  # an unpacked source distribution
        paths = [path for path in ROOT.rglob("*") if not _BUILT & set(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def targets() -> set[str]:
    """The words one can say after `make`."""
    return set(re.findall(r"^([a-z]+):", MAKEFILE.read_text(), re.MULTILINE))


def pages() -> list[Path]:
    """Every page of prose: the ones at the root and the documentation."""
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]

"""Where compiled kernels are kept between runs, who compiles them, and when they are too old to be used.

Numba keeps code beside the source, and throws it away when the file of the function changes. That is not
enough for us twice over: a kernel takes in functions of other files, and an installation may be read-only
with no home folder either. So our code is kept in the first folder that can be written, and is as old as
the whole of the source that it may have been made of. Each state of the source has a folder of its own:
the index that an older one left may name types that are gone, and then cannot even be read.
"""

import contextlib
import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import IO

PACKAGE = Path(__file__).parent
SOURCES = {
    "fast": ("fast", "engine/cards.py"),
    "bots": ("fast", "engine/cards.py", "bots"),
    "analysis/compiled": ("fast", "engine/cards.py", "bots", "analysis/compiled"),
}
"""The places whose source a kernel of a folder may be made of."""


@cache
def stamp(folder: str) -> str:
    """Return a digest of all source that machine code of a folder may be made of."""
    found = hashlib.sha256()
    for part in SOURCES.get(folder, ("",)):
        place = PACKAGE / part
        for source in [place] if place.is_file() else sorted(place.rglob("*.py")):
            found.update(source.read_bytes())
    return found.hexdigest()


def shelf(place: Path, part: str, module: str) -> Path:
    """Return where the code of a module is kept, which belongs to a part of the package."""
    return place / "machine-code" / f"{part.replace('/', '-')}-{stamp(part)[:12]}" / module


def clear(shelf: Path) -> None:
    """Throw away what other states of the same source have left beside a shelf."""
    mine = shelf.parent
    for old in mine.parent.glob("*-*"):
        if old != mine and old.name.rpartition("-")[0] == mine.name.rpartition("-")[0]:
            shutil.rmtree(old, ignore_errors=True)


def noted(part: str, name: str) -> bool:
    """Whether everything under a name has been compiled, and is kept. Nothing is imported for this answer.

    Where nothing can be kept, there is nothing to be noted either.
    """
    place = folder()
    return place is not None and _mark(place, part, name).exists()


def note(part: str, name: str) -> None:
    """Note that everything under a name has been compiled."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):
            mark = _mark(place, part, name)
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()


def _mark(place: Path, part: str, name: str) -> Path:
    """Return the file that stands for compiled code: code is for a version of Numba, and for a machine."""
    made_by = [
        sys.version,
        platform.machine(),
        platform.node(),
        *map(version, ("numba", "llvmlite", "numpy")),
    ]
    return shelf(place, part, "ready") / f"{name}-{hashlib.sha256(repr(made_by).encode()).hexdigest()[:12]}"


@contextlib.contextmanager
def alone(place: Path | None, name: str) -> Iterator[None]:
    """Let one process at a time compile a function: the others wait, and then find what it has kept."""
    with contextlib.ExitStack() as stack:
        # A folder that cannot be locked is no reason not to compile.
        with contextlib.suppress(OSError):
            if place is not None:
                place.mkdir(parents=True, exist_ok=True)
                _lock(stack.enter_context((place / f"{name}.lock").open("ab")))
        yield


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        """Wait for a lock that ends with its file."""
        while True:
            with contextlib.suppress(OSError):
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                return

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        """Wait for a lock that ends with its file."""
        fcntl.flock(file, fcntl.LOCK_EX)


@cache
def folder() -> Path | None:
    """Return the first folder that code can be kept in; None if there is none."""
    for find in (_wished, _beside_the_source, _of_the_user, _temporary):
        place = find()
        if place is not None and _can_be_written(place):
            return place
    return None


def _wished() -> Path | None:
    wish = os.environ.get("NUMBA_CACHE_DIR")
    return Path(wish) / "bullpen" if wish else None


def _beside_the_source() -> Path:
    return PACKAGE / "__pycache__"


def _of_the_user() -> Path | None:
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home)) / "bullpen"
    if sys.platform == "darwin":
        return home / "Library/Caches/bullpen"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "bullpen"


def _temporary() -> Path | None:
    """Return a folder for temporary files that is ours alone: whoever writes there writes what we run."""
    if sys.platform == "win32":
        return Path(tempfile.gettempdir()) / "bullpen"
    place = Path(tempfile.gettempdir()) / f"bullpen-{os.getuid()}"
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        found = place.lstat()
    except OSError:
        return None
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return place if ours else None


def _can_be_written(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return False
    return True

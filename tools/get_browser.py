"""`make browser`: a browser for the tests; the first of these that can be had.

1. An installed Chrome or Chromium, or one that Playwright has fetched before.
2. Playwright's own Chromium, fetched into the user's cache.
3. Debian's `chromium-headless-shell`, or else the distribution's `chromium`, with apt-get, which needs root.

It says what it is about to install before it does, lets every installer speak for itself, and fails with the
reason when none of this works. A browser counts once it has started: one that lacks a library would fail all
tests. Two of these at a time wait for each other.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Error, sync_playwright

from tests.browser.browser import INSTALLED, find, launch

Run = Callable[[Sequence[str]], bool]
FETCH_SECONDS = 300
APT_WAITS_SECONDS = 600


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process of this user is looking for a browser."""
    if os.name == "nt":
        yield
        return
    import fcntl  # noqa: PLC0415 (there is none on Windows)

    path = Path(tempfile.gettempdir()) / f"bullpen-browser-{os.getuid()}.lock"
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run(command: Sequence[str]) -> bool:
    """Run an installer in full view, and return whether it says that it has succeeded."""
    print("  $", *command, flush=True)
    try:
        return subprocess.run(command, check=False, timeout=APT_WAITS_SECONDS + FETCH_SECONDS).returncode == 0
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  {error}", flush=True)
        return False


def from_playwright(run: Run) -> str | None:
    """Fetch Playwright's own Chromium; return why that did not work."""
    print("Fetching Playwright's own Chromium into your cache (about 170 MB) ...", flush=True)
    if run([sys.executable, "-m", "playwright", "install", "chromium"]):
        return None
    return "Playwright could not fetch its own Chromium"


def from_apt(run: Run, root: bool, apt: str | None) -> str | None:
    """Install the distribution's Chromium; return why that did not work."""
    if apt is None:
        return "there is no apt-get here"
    if not root:
        return "apt-get needs root (sudo apt-get install chromium)"
    print("Installing the distribution's Chromium for the whole system with apt-get, as root ...", flush=True)
    wait = ["-o", f"DPkg::Lock::Timeout={APT_WAITS_SECONDS}"]
    run([apt, *wait, "update", "-q"])
    for package in ("chromium-headless-shell", "chromium"):
        if run([apt, *wait, "install", "-y", "-q", "--no-install-recommends", package]):
            return None
    return "apt-get could not install chromium"


def get(found: Callable[[], str | None], run: Run, root: bool, apt: str | None) -> str:
    """Return a browser's path, installing one if there is none, or stop with the reasons."""
    reasons = []
    path = found()
    for source in (from_playwright, lambda run: from_apt(run, root, apt)):
        if path is not None:
            return path
        why = source(run)
        path = found()
        reasons.append(why or "what was installed does not start")
    if path is not None:
        return path
    raise SystemExit(
        f"The browser tests need Chrome or Chromium ({', '.join(INSTALLED[:6])}), and none can be had: "
        f"{'; '.join(reasons)}."
    )


def starting() -> str | None:
    """Return the path of a browser that starts, or None."""
    find.cache_clear()
    with sync_playwright() as playwright:
        path = find(playwright.chromium.executable_path)
        if path is None:
            return None
        try:
            browser = launch(playwright)
        except Error as error:
            print(f"{path} does not start: {error.message.splitlines()[0]}", flush=True)
            return None
        print(f"Browser for the tests: {path}, version {browser.version}", flush=True)
        browser.close()
        return path


def main() -> None:
    """Have a browser that starts, or say why not."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with alone():
        get(starting, run, root, shutil.which("apt-get"))


if __name__ == "__main__":
    main()

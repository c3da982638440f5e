"""A person at a page: clicks what can be clicked, knowing no rule."""

import random

from playwright.sync_api import Page

READY = """() => {
  const seen = (node) => node && node.offsetParent !== null && !node.disabled;
  const one = (selector) => [...document.querySelectorAll(selector)].find(seen);
  if (document.querySelector('#result-title')) return 'over';
  if (one('[data-do=next-round]')) return 'next-round';
  if (document.querySelector('[role=alert]')) return 'alert';
  if (one('.actions [data-do=confirm]')) return 'confirm';
  const tokens = [...document.querySelectorAll('[data-token]')].filter(
    (node) => seen(node) && node.getAttribute('aria-disabled') !== 'true' && node.getAttribute('aria-pressed') !== 'true');
  if (tokens.length) return 'tokens';
  if (one('.actions [data-do=pass]')) return 'pass';
  return null;
}"""
"""What there is to do now, or null while others are being waited for."""

TAP = """(pick) => {
  const tokens = [...document.querySelectorAll('[data-token]')].filter(
    (node) => node.offsetParent !== null && node.getAttribute('aria-disabled') !== 'true'
      && node.getAttribute('aria-pressed') !== 'true');
  const node = tokens[Math.floor(pick * tokens.length)];
  return node ? node.getAttribute('data-token') : null;
}"""


class Clicker:
    """Plays one seat through a page until the result is shown."""

    def __init__(self, page: Page, seed: int = 0, pass_rate: float = 0.5) -> None:
        self.page = page
        self.random = random.Random(seed)
        self.pass_rate = pass_rate
        self.clicks = 0

    def wait(self, timeout: float = 30_000) -> str:
        """Return what there is to do next."""
        found = self.page.wait_for_function(READY, timeout=timeout).json_value()
        assert isinstance(found, str)
        return found

    def act(self, todo: str) -> None:
        """Do one thing."""
        page = self.page
        if todo == "next-round":
            page.locator("[data-do=next-round]").click()
        elif todo == "alert":
            raise AssertionError(page.locator("[role=alert]").first.inner_text())
        elif todo == "confirm":
            page.locator(".actions [data-do=confirm]").click()
        elif todo == "pass" or (self._may_pass() and self.random.random() < self.pass_rate):
            page.locator(".actions [data-do=pass]").click()
        else:
            self._tap()
        self.clicks += 1

    def _may_pass(self) -> bool:
        return self.page.locator(".actions [data-do=pass]").is_visible()

    def _tap(self) -> None:
        token = self.page.evaluate(TAP, self.random.random())
        if token is not None:
            # A row's button lies under its cards, so the middle of it may be a card: the element itself is told.
            self.page.locator(f'[data-token="{token}"]').first.dispatch_event("click")

    def play(self, most: int = 2000) -> None:
        """Play until the game is over."""
        for _ in range(most):
            todo = self.wait()
            if todo == "over":
                return
            self.act(todo)
        raise AssertionError(f"no result after {most} clicks")

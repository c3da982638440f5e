"""A person at a page: clicks what can be clicked, knowing no rule."""

import random

from playwright.sync_api import Page

READY = """() => {
  const seen = (node) => node && node.offsetParent !== null && !node.disabled;
  const one = (selector) => [...document.querySelectorAll(selector)].find(seen);
  if (document.querySelector('#result-title')) return 'over';
  if (one('[data-do=next-round]')) return 'next-round';
  if (document.querySelector('[role=alert]')) return 'alert';
  if (one('.actions [data-do=confirm], .actions .go[data-answer]')) return 'confirm';
  const tokens = [...document.querySelectorAll('[data-token]')].filter(
    (node) => seen(node) && node.getAttribute('aria-disabled') !== 'true'
      && node.getAttribute('aria-pressed') !== 'true');
  if (tokens.length) return 'tokens';
  if (one('.actions [data-do=pass]')) return 'pass';
  return null;
}"""
"""What there is to do now, or null while others are being waited for."""

FREE = """() => [...document.querySelectorAll('[data-token]')].filter(
  (node) => node.offsetParent !== null && node.getAttribute('aria-disabled') !== 'true'
    && !node.disabled && node.getAttribute('aria-pressed') !== 'true').map((node) => node.dataset.token)"""
"""What can be tapped and is not chosen yet."""


ALONE = """(seed) => {
  const free = (node) => !node.disabled && node.getAttribute('aria-disabled') !== 'true';
  const all = (selector) =>
    [...document.querySelectorAll(selector)].filter((node) => node.offsetParent !== null && free(node));
  let state = seed + 1;
  const chance = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const timer = setInterval(() => {
    if (document.querySelector('#result-title')) return clearInterval(timer);
    const [next] = all('[data-do=next-round]');
    const [confirm] = all('.actions [data-do=confirm], .actions .go[data-answer]');
    const [pass] = all('.actions [data-do=pass]');
    const tokens = all('[data-token]').filter((node) => node.getAttribute('aria-pressed') !== 'true');
    const token = tokens[Math.floor(chance() * tokens.length)];
    (next ?? confirm ?? (pass && chance() < 0.5 ? pass : token ?? pass))?.click();
  }, 10);
}"""
"""Goes on by itself within the page, a click at a time, until the result is shown."""


class Clicker:
    """Plays one seat through a page until the result is shown."""

    def __init__(self, page: Page, seed: int = 0, real: bool = True) -> None:
        self.page = page
        self.random = random.Random(seed)
        self.real = real
        """Whether the mouse really goes there, or the element is told that it did."""

    def todo(self, timeout: float = 30_000) -> str:
        """Return what there is to do next, as soon as there is something."""
        found = self.page.wait_for_function(READY, timeout=timeout).json_value()
        assert isinstance(found, str)
        return found

    def step(self) -> str:
        """Do the next thing, unless the game is over, and return what it was."""
        todo = self.todo()
        if todo == "alert":
            raise AssertionError(self.page.locator("[role=alert]").first.inner_text())
        if todo == "next-round":
            self._click("[data-do=next-round]")
        elif todo == "confirm":
            self._click(".actions [data-do=confirm], .actions .go[data-answer]")
        elif todo == "pass" or (todo == "tokens" and self._rather_passes()):
            self._click(".actions [data-do=pass]")
        elif todo == "tokens":
            tokens = self.page.evaluate(FREE)
            self._click(f'[data-token="{self.random.choice(tokens)}"]')
        return todo

    def _rather_passes(self) -> bool:
        return self.random.random() < 0.5 and self.page.locator(".actions [data-do=pass]").is_visible()

    def _click(self, selector: str) -> None:
        element = self.page.locator(selector).first
        if self.real and "special:" in selector:
            # Of a special card that lies under another one the upper edge shows.
            element.click(position={"x": 14, "y": 8})
        elif self.real and "row:" not in selector:
            element.click()
        else:
            # A row's button lies under its cards, and its middle may be one of them.
            element.dispatch_event("click")

    def go_alone(self) -> None:
        """Let the page play on by itself."""
        self.page.evaluate(ALONE, self.random.randrange(1, 10**6))

    def play(self, most: int = 3000) -> None:
        """Play until the game is over."""
        if not self.real:
            self.go_alone()
            self.page.locator("#result-title").wait_for(timeout=120_000)
            return
        for _ in range(most):
            if self.step() == "over":
                return
        raise AssertionError(f"no result after {most} steps")

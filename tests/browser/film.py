"""Filming a page: time goes on by steps, and of each the document's facts and a picture are kept."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

EVERY = 50
"""Milliseconds between two frames."""
MOST = 200
"""No film is longer than so many frames."""

WATCH = """({ row, seat, card }) => {
  const shifts = (window.shifted = []);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      for (const { node } of entry.sources) shifts.push(`${node?.nodeName}: ${node?.textContent.trim()}`);
  }).observe({ type: 'layout-shift' });
  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, width, height };
  };
  const inRow = () => [...document.querySelectorAll(`[data-row="${row}"] [data-card]`)];
  const stalls = new Map(inRow().map((node) => [node.dataset.card, middle(node)]));
  const near = (one, other, reach) =>
    Math.abs(one.x - other.x) <= reach * other.width && Math.abs(one.y - other.y) <= reach * other.height;
  const left = new Set();
  const home = new Set();
  const held = new Set();
  // The clock of the page stands still, so what is animated is put where it would be by now.
  window.goOn = (ms) => {
    for (const animation of document.getAnimations()) {
      const { endTime, iterations } = animation.effect.getComputedTiming();
      if (iterations === Infinity || animation.playState === 'finished') continue;
      if (!held.has(animation)) animation.pause();
      held.add(animation);
      animation.currentTime = Math.min(endTime, (animation.currentTime ?? 0) + ms);
      if (animation.currentTime >= endTime) animation.finish();
    }
  };
  window.look = () => {
    const flying = new Map([...document.querySelectorAll('.air .ghost')]
      .filter((node) => getComputedStyle(node).opacity > 0.5)
      .map((node) => [node.textContent.trim(), middle(node)]));
    const gate = document.querySelector(`[data-gate="${row}"]`);
    const place = document.querySelector(`[data-seat="${seat}"]`);
    for (const [one, stall] of stalls) {
      const seen = flying.get(one);
      if (seen && !near(seen, stall, 0.3)) left.add(one);
      if (left.has(one) && (!seen || near(seen, middle(place), 0.7))) home.add(one);
    }
    const mine = flying.get(String(card));
    return {
      turnedUp: Boolean(document.querySelector(`[data-lane] [data-card="${card}"]`)),
      atGate: Boolean(mine && gate && near(mine, middle(gate), 0.5)),
      gate: ['hit', 'broken', 'open'].find((state) => gate?.classList.contains(state)) ?? '',
      lit: place.classList.contains('lit'),
      left: left.size,
      home: home.size,
      points: Number(/this round ([-\\d]+)/.exec(place.getAttribute('aria-label'))?.[1] ?? 0),
      lying: inRow().map((node) => Number(node.dataset.card)),
      says: document.querySelector(`[data-row="${row}"] .flag`)?.textContent.trim() ?? '',
      over: Boolean(document.querySelector('.hand button:not([aria-disabled=true])')),
    };
  };
}"""

Frame = dict[str, Any]


class Film:
    """A film of one scene: facts by frame, and pictures; from its beginning the page's time stands still."""

    def __init__(self, page: Page, row: int, seat: int, card: int) -> None:
        self._page = page
        self._pictures: list[bytes] = []
        page.evaluate(WATCH, {"row": row, "seat": seat, "card": card})
        page.clock.install()
        page.clock.pause_at(page.evaluate("() => Date.now() + 1000"))

    def shoot(self, pictures: bool = True) -> tuple[list[Frame], list[str]]:
        """Let time go on until the next question; return the facts of every frame, and what has shifted."""
        frames: list[Frame] = []
        while not (frames and frames[-1]["over"] and any(not frame["over"] for frame in frames)):
            assert len(frames) < MOST
            self._page.clock.run_for(EVERY)
            self._page.evaluate("(ms) => window.goOn(ms)", EVERY)
            frames.append(self._page.evaluate("() => window.look()"))
            if pictures:
                self._pictures.append(self._page.screenshot(type="jpeg", quality=60))
        return frames, self._page.evaluate("() => window.shifted")

    def keep(self, folder: Path, browser: Browser) -> None:
        """Leave the pictures in a folder, with all of them on one sheet."""
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.jpg"):
            old.unlink()
        sheet = ["<body style='margin:0;background:#333;color:#fff;font:14px sans-serif'>"]
        for number, picture in enumerate(self._pictures):
            (folder / f"{number * EVERY:05d}.jpg").write_bytes(picture)
            data = base64.b64encode(picture).decode()
            sheet.append(
                "<figure style='display:inline-block;margin:2px'>"
                f"<img width=280 src='data:image/jpeg;base64,{data}'><br>{number * EVERY} ms</figure>"
            )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_content("".join(sheet))
        page.screenshot(path=folder.with_suffix(".png"), full_page=True)
        page.close()


def first(frames: list[Frame], holds: Callable[[Frame], bool]) -> int:
    """Return the first frame of which something holds."""
    return next(index for index, frame in enumerate(frames) if holds(frame))

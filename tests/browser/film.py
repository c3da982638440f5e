"""Filming a page: what the document says at every frame, and the pictures to be looked at."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

EVERY = 50
"""Milliseconds between two pictures that are kept."""

WATCH = """({ row, seat, card }) => {
  const frames = (window.filmed = []);
  const shifts = (window.shifted = []);
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.value)))
    .observe({ type: 'layout-shift' });
  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2, width, height };
  };
  const inRow = () => [...document.querySelectorAll(`[data-row="${row}"] [data-card]`)];
  const cards = inRow().map((node) => node.dataset.card);
  const stalls = new Map(cards.map((one) =>
    [one, middle(document.querySelector(`[data-row="${row}"] [data-card="${one}"]`))]));
  const near = (one, other, reach) =>
    Math.abs(one.x - other.x) <= reach * other.width && Math.abs(one.y - other.y) <= reach * other.height;
  const left = new Set();
  const home = new Set();
  const begun = performance.now();
  const look = () => {
    const flying = new Map([...document.querySelectorAll('.air .ghost')]
      .filter((node) => getComputedStyle(node).opacity > 0.5)
      .map((node) => [node.textContent.trim(), middle(node)]));
    const gate = document.querySelector(`[data-gate="${row}"]`);
    const place = document.querySelector(`[data-seat="${seat}"]`);
    for (const one of cards) {
      const seen = flying.get(one);
      if (seen && !near(seen, stalls.get(one), 0.3)) left.add(one);
      if (left.has(one) && (!seen || near(seen, middle(place), 0.7))) home.add(one);
    }
    const mine = flying.get(String(card));
    frames.push({
      at: Math.round(performance.now() - begun),
      turnedUp: Boolean(document.querySelector(`[data-lane] [data-card="${card}"]`)),
      atGate: Boolean(mine && gate && near(mine, middle(gate), 0.5)),
      gate: ['hit', 'broken', 'open'].find((state) => gate?.classList.contains(state)) ?? '',
      lit: place.classList.contains('lit'),
      left: left.size,
      home: home.size,
      points: Number(/this round ([-\\d]+)/.exec(place.getAttribute('aria-label'))?.[1] ?? 0),
      lying: inRow().map((node) => Number(node.dataset.card)),
      says: document.querySelector(`[data-row="${row}"] .flag`)?.textContent.trim() ?? '',
    });
    window.filming = requestAnimationFrame(look);
  };
  look();
}"""

Frame = dict[str, Any]


class Film:
    """A film of one scene: facts by frame, and pictures."""

    def __init__(self, page: Page, row: int, seat: int, card: int) -> None:
        self._page = page
        self._pictures: list[tuple[float, str]] = []
        self._camera: CDPSession = page.context.new_cdp_session(page)
        self._camera.on("Page.screencastFrame", self._keep)
        page.evaluate(WATCH, {"row": row, "seat": seat, "card": card})
        self._camera.send("Page.startScreencast", {"format": "jpeg", "quality": 70, "maxWidth": 960})

    def _keep(self, event: dict[str, Any]) -> None:
        self._pictures.append((event["metadata"]["timestamp"], event["data"]))
        self._camera.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    def stop(self) -> tuple[list[Frame], float]:
        """Return the facts of every frame, and by how much the layout has shifted."""
        self._camera.remove_listener("Page.screencastFrame", self._keep)
        self._camera.send("Page.stopScreencast")
        frames, shifts = self._page.evaluate(
            "() => (cancelAnimationFrame(window.filming), [window.filmed, window.shifted])"
        )
        return frames, sum(shifts)

    def keep(self, folder: Path, browser: Browser) -> None:
        """Leave the pictures in a folder, with all of them on one sheet."""
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.jpg"):
            old.unlink()
        sheet = ["<body style='margin:0;background:#333;color:#fff;font:14px sans-serif'>"]
        last = -EVERY
        for when, data in self._pictures:
            at = round((when - self._pictures[0][0]) * 1000)
            if at - last < EVERY:
                continue
            last = at
            (folder / f"{at:05d}.jpg").write_bytes(base64.b64decode(data))
            sheet.append(
                "<figure style='display:inline-block;margin:2px'>"
                f"<img width=470 src='data:image/jpeg;base64,{data}'><br>{at} ms</figure>"
            )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_content("".join(sheet))
        page.screenshot(path=folder.with_suffix(".png"), full_page=True)
        page.close()


def first(frames: list[Frame], holds: Callable[[Frame], bool]) -> int:
    """Return the first frame of which something holds."""
    return next(index for index, frame in enumerate(frames) if holds(frame))

"""`make screenshots`: pictures of the browser client for the README and the documentation, made afresh.

A server is started, people sit down at its tables, and what they see is kept under docs/images. The trick in
motion is an animated WebP of at most 400 kB, put together here from single frames. `--games` takes all twenty
games instead, on a desktop and a phone, by day and by night, and puts them on contact sheets in a folder that
git ignores: they are there to be looked at.
"""

import argparse
import base64
import json
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, WebSocketRoute, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bullpen.rulesets import own_games  # noqa: E402
from tests.browser.browser import launch  # noqa: E402
from tests.browser.film import WATCH  # noqa: E402
from tests.browser.house import House  # noqa: E402
from tests.browser.player import Clicker  # noqa: E402
from tests.browser.staged import CODE, Staged, full_table  # noqa: E402
from tests.browser.tables import open_table  # noqa: E402

IMAGES = ROOT / "docs" / "images"
SHEETS = ROOT / "tests" / "browser" / "shots" / "games"
DESKTOP = (1280, 800)
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
THEMES = ("day", "night")
EVERY_MS, REST_MS, SCALE = 100, 1500, 0.45
MOST_BYTES = 400_000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", action="store_true", help="contact sheets of all games")
    parser.add_argument("--trick", action="store_true", help="the trick in motion only")
    arguments = parser.parse_args()
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        house.start()
        browser = launch(playwright)
        try:
            if arguments.games:
                sheets(browser, house)
            else:
                film(browser, house)
            if not arguments.games and not arguments.trick:
                take_all(browser, house)
        finally:
            browser.close()
            house.stop()


def take_all(browser: Browser, house: House) -> None:
    """A table in the middle of a round, with a card lifted."""
    page = visit(browser, house, DESKTOP, drawer=False)
    open_table(page, "base", 4)
    play(page, 14)
    page.locator(".hand button[aria-disabled=false]").nth(1).click()
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / "table.jpg", type="jpeg", quality=84)


def visit(browser: Browser, house: House, size: tuple[int, int], **likes: object) -> Page:
    context = browser.new_context(base_url=house.url, viewport={"width": size[0], "height": size[1]})
    kept = {
        "name": "Ann",
        "language": "en",
        "speed": 0,
        "level": "random",
        "theme": "day",
        "seen": ["*"],
        **likes,
    }
    kept = {"askedToCall": True, **kept}
    context.add_init_script(
        f"if (!localStorage.bullpen) localStorage.bullpen = {json.dumps(json.dumps(kept))}"
    )
    page = context.new_page()
    page.goto("/")
    return page


def play(page: Page, steps: int) -> None:
    clicker = Clicker(page, seed=7, real=False)
    for _ in range(steps):
        clicker.step()
    while clicker.todo() == "confirm" or not page.locator(".hand button:not([aria-disabled=true])").count():
        clicker.step()


# The trick in motion.


def film(browser: Browser, house: House) -> None:
    """A trick in which a gate breaks, frame by frame, with the page's time standing still between them."""
    page = visit(browser, house, DESKTOP, speed=1, preview=False, drawer=False)
    hands = ((81, 3, 17, 33, 46, 90, 104), (24, 1, 100), (50, 2, 97), (99, 6, 98))
    table = Staged(((12, 19, 23), (41, 44), (58, 59, 60, 65, 75), (88, 89)), hands)
    table.open(page)
    page.locator(".hand button").nth(6).wait_for()
    for seat, hand in enumerate(hands[1:], start=1):
        table.choose(seat, str(hand[0]))
    table.tell()
    page.wait_for_timeout(300)
    page.evaluate(WATCH, {"row": 2, "seat": 0, "card": 81})
    page.clock.install()
    page.clock.pause_at(page.evaluate("() => Date.now() + 1000"))
    camera = page.context.new_cdp_session(page)
    shots = [picture(camera)]
    table.choose(0, "81")
    table.tell()
    over = False
    while not over and len(shots) < 120:
        page.clock.run_for(EVERY_MS)
        page.evaluate("(ms) => window.goOn(ms)", EVERY_MS)
        over = page.evaluate("() => window.look().over") and len(shots) > 10
        shots.append(picture(camera))
    page.close()
    for quality in (0.6, 0.45, 0.3, 0.2, 0.1):
        made = animated(changed(browser, shots, quality))
        if len(made) <= MOST_BYTES:
            break
    else:
        raise SystemExit(f"the trick in motion weighs {len(made)} bytes")
    (IMAGES / "trick.webp").write_bytes(made)


def picture(camera: CDPSession) -> str:
    """Return what is seen, as a small PNG in base64."""
    clip = {"x": 0, "y": 0, "width": DESKTOP[0], "height": DESKTOP[1], "scale": SCALE}
    found: str = camera.send("Page.captureScreenshot", {"format": "png", "clip": clip})["data"]
    return found


CHANGED = """async ({ shots, quality }) => {
  const found = [];
  let before = null;
  for (const shot of shots) {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${shot}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    pen.drawImage(image, 0, 0);
    const now = new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer);
    let [left, top, right, bottom] = [image.width, image.height, -1, -1];
    if (!before) [left, top, right, bottom] = [0, 0, image.width - 1, image.height - 1];
    for (let place = 0; before && place < now.length; place += 1) {
      if (now[place] === before[place]) continue;
      const [x, y] = [place % image.width, Math.floor(place / image.width)];
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    }
    before = now;
    if (right < 0) {
      found.at(-1).times += 1;
      continue;
    }
    [left, top] = [left - (left % 2), top - (top % 2)];
    const part = new OffscreenCanvas(right - left + 1, bottom - top + 1);
    part.getContext('2d').drawImage(image, -left, -top);
    const webp = await part.convertToBlob({ type: 'image/webp', quality });
    const bytes = new Uint8Array(await webp.arrayBuffer());
    const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    found.push({ left, top, width: part.width, height: part.height, data, times: 1 });
  }
  return found;
}"""
"""Of each picture the part that differs from the one before, as a WebP."""


def changed(browser: Browser, shots: list[str], quality: float) -> list[dict[str, Any]]:
    """Return the parts of a film that change, and for how many frames each stays."""
    page = browser.new_page()
    found: list[dict[str, Any]] = page.evaluate(CHANGED, {"shots": shots, "quality": quality})
    page.close()
    return found


def animated(parts: list[dict[str, Any]]) -> bytes:
    """Put WebPs together as an animated WebP that repeats for ever, resting at its end."""
    width, height = parts[0]["width"], parts[0]["height"]
    body = chunk(b"VP8X", bytes([2, 0, 0, 0]) + u24(width - 1) + u24(height - 1))
    body += chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0))
    for number, part in enumerate(parts):
        lasts = REST_MS if number in (0, len(parts) - 1) else EVERY_MS * part["times"]
        webp = base64.b64decode(part["data"])
        still = b"".join(chunk(name, data) for name, data in chunks(webp) if name in (b"VP8 ", b"VP8L"))
        place = u24(part["left"] // 2) + u24(part["top"] // 2)
        size = u24(part["width"] - 1) + u24(part["height"] - 1)
        # The flag says that what was there before stays, with nothing shining through the new part.
        body += chunk(b"ANMF", place + size + u24(lasts) + b"\x02" + still)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def u24(number: int) -> bytes:
    return struct.pack("<I", number)[:3]


def chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def chunks(webp: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 12
    while place < len(webp):
        size = struct.unpack("<I", webp[place + 4 : place + 8])[0]
        yield webp[place : place + 4], webp[place + 8 : place + 8 + size]
        place += 8 + size + size % 2


# All games on sheets.


def sheets(browser: Browser, house: House) -> None:
    """Every game where most lies on its table, on a sheet for each size and theme."""
    for size, (width, height) in SIZES.items():
        for theme in THEMES:
            page = visit(browser, house, (width, height), theme=theme, preview=False)
            folder = SHEETS / f"{size}-{theme}"
            folder.mkdir(parents=True, exist_ok=True)
            for game in own_games():
                show(page, game)
                page.screenshot(path=folder / f"{game}.jpg", type="jpeg", quality=80)
            page.context.close()
            sheet(browser, folder, 470 if width > height else 230)


def show(page: Page, game: str) -> None:
    """Open a table of a game at its fullest position, with four players where it allows them."""
    snapshot = full_table(game)

    def connected(socket: WebSocketRoute) -> None:
        def heard(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "resume":
                socket.send(snapshot)
            kind = "pong" if message["type"] == "ping" else "ack"
            socket.send(json.dumps({"type": kind, "id": message["id"]}))

        socket.on_message(heard)

    page.route_web_socket(f"**/ws/{CODE}{game}", connected)
    page.goto(f"/t/{CODE}{game}")
    page.locator("[data-seat]").first.wait_for()
    page.wait_for_timeout(300)


def sheet(browser: Browser, folder: Path, width: int) -> None:
    """Put all pictures of a folder on one sheet beside it."""
    parts = ["<body style='margin:0;background:#333;color:#fff;font:14px sans-serif'>"]
    for path in sorted(folder.glob("*.jpg")):
        data = base64.b64encode(path.read_bytes()).decode()
        image = f"<img width={width} src='data:image/jpeg;base64,{data}'>"
        parts.append(f"<figure style='display:inline-block;margin:2px'>{image}<br>{path.stem}</figure>")
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_content("".join(parts))
    page.screenshot(path=folder.with_suffix(".png"), full_page=True)
    page.close()


if __name__ == "__main__":
    main()

"""`make screenshots`: pictures of the browser client for the README and the documentation, made afresh.

A server is started, people sit down at its tables, and what they see is kept under docs/images. The
animation is an animated PNG, put together here from single frames, since every browser shows that format.
"""

import itertools
import json
import struct
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.browser import launch  # noqa: E402
from tests.browser.house import House  # noqa: E402
from tests.browser.player import Clicker  # noqa: E402
from tests.browser.tables import open_table  # noqa: E402

IMAGES = ROOT / "docs" / "images"
DESKTOP, PHONE = (1280, 800), (390, 780)
FRAMES, EVERY_MS = 24, 160
STAGE: FloatRect = {"x": 0, "y": 52, "width": 390, "height": 640}


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        house.start()
        browser = launch(playwright)
        try:
            take_all(browser, house)
        finally:
            browser.close()
            house.stop()


def take_all(browser: Browser, house: House) -> None:
    page = visit(browser, house, DESKTOP)
    page.locator(".gallery li").first.wait_for()
    keep(page, "home")
    open_table(page, "base", 4)
    play(page, 14)
    page.locator(".hand button").nth(1).click()
    keep(page, "table")
    Clicker(page, seed=4, real=False).play()
    keep(page, "result")
    dark = visit(browser, house, DESKTOP, theme="dark")
    open_table(dark, "board-expert-luck", 4)
    play(dark, 12)
    keep(dark, "board-dark")
    for game in ("anniversary", "jumping-cow", "buffalo"):
        phone = visit(browser, house, PHONE)
        open_table(phone, game, 3)
        play(phone, 9)
        keep(phone, f"phone-{game}")
    film(browser, house)


def visit(browser: Browser, house: House, size: tuple[int, int], **likes: object) -> Page:
    context = browser.new_context(base_url=house.url, viewport={"width": size[0], "height": size[1]})
    kept = {"name": "Ann", "language": "en", "speed": 0, "level": "random", "theme": "light", **likes}
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


def keep(page: Page, name: str) -> None:
    page.screenshot(path=IMAGES / f"{name}.png")


def film(browser: Browser, house: House) -> None:
    """A trick as it is seen on a phone: lift, play, reveal, placements."""
    page = visit(browser, house, PHONE)
    open_table(page, "base", 4)
    play(page, 8)
    page.evaluate("localStorage.bullpen = JSON.stringify({ ...JSON.parse(localStorage.bullpen), speed: 1 })")
    page.reload()
    page.locator(".hand button").first.wait_for()
    page.locator(".hand button").nth(2).click()
    frames = [page.screenshot(clip=STAGE)]
    page.locator("[data-do=confirm]").click()
    for _ in range(FRAMES):
        page.wait_for_timeout(EVERY_MS // 3)
        frames.append(page.screenshot(clip=STAGE))
    (IMAGES / "trick.png").write_bytes(animated(frames, EVERY_MS))


SIGNATURE = b"\x89PNG\r\n\x1a\n"


def animated(frames: list[bytes], every_ms: int) -> bytes:
    """Put PNGs of one size together as an animated PNG that repeats for ever."""
    shown = [(frame, len(list(same))) for frame, same in itertools.groupby(frames)]
    first = dict(chunks(frames[0]))
    width, height = struct.unpack("!II", first[b"IHDR"][:8])
    parts = [SIGNATURE, chunk(b"IHDR", first[b"IHDR"]), chunk(b"acTL", struct.pack("!II", len(shown), 0))]
    number = 0
    for index, (frame, times) in enumerate(shown):
        control = struct.pack("!IIIIIHHBB", number, width, height, 0, 0, times * every_ms, 1000, 0, 0)
        parts.append(chunk(b"fcTL", control))
        number += 1
        pixels = b"".join(body for kind, body in chunks(frame) if kind == b"IDAT")
        if index == 0:
            parts.append(chunk(b"IDAT", pixels))
        else:
            parts.append(chunk(b"fdAT", struct.pack("!I", number) + pixels))
            number += 1
    return b"".join([*parts, chunk(b"IEND", b"")])


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the body of every chunk of a PNG."""
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack("!I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def chunk(kind: bytes, body: bytes) -> bytes:
    """Return a chunk with its length and checksum."""
    return struct.pack("!I", len(body)) + kind + body + struct.pack("!I", zlib.crc32(kind + body))


if __name__ == "__main__":
    main()

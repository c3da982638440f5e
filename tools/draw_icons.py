"""Draw the icons of the client and of the documentation from the woodcut bull: `python tools/draw_icons.py`.

The head is taken from the sheet of the built client (`make web`), so that it is drawn in one place only.
"""

import re
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.browser import launch  # noqa: E402

SHEET = ROOT / "src" / "bullpen" / "server" / "static" / "index.html"
PUBLIC = ROOT / "web" / "public"
INK, PAPER, SKY, SUN, GOLD = "#1b1713", "#fbf3df", "#f2dca8", "#d1492e", "#f0b429"
PNGS = {"icon-192": (192, False), "icon-512": (512, False), "icon-maskable-512": (512, True)}
EDGE = (
    "M11 2.5 54 1.8C59 2 62 6 62.2 11L61.6 53C61.4 58 58 62 53 62.2"
    "L10 61.6C5 61 2 58 1.8 53L2.6 10C3 5 6 3 11 2.5Z"
)
DOT = f'<circle cx="51" cy="13" r="11" fill="{GOLD}" stroke="{INK}" stroke-width="4"/>'


def main() -> None:
    head = symbol(SHEET.read_text(encoding="utf-8"), "head5")
    plain = icon(head)
    (PUBLIC / "favicon.svg").write_text(plain, encoding="utf-8")
    (PUBLIC / "favicon-turn.svg").write_text(icon(head, more=DOT), encoding="utf-8")
    (ROOT / "docs" / "images" / "logo.svg").write_text(plain, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, (size, masked) in PNGS.items():
            print_png(browser, icon(head, masked=masked), size, PUBLIC / "icons" / f"{name}.png")
        browser.close()


def symbol(sheet: str, name: str) -> str:
    """Return a picture of the sheet as a drawing of its own, in ink on paper."""
    found = re.search(rf'<symbol id="{name}" viewBox="([^"]+)"[^>]*>(.*?)</symbol>', sheet, re.DOTALL)
    if found is None:
        raise SystemExit(f"The sheet has no picture {name}: make web")
    box, body = found.groups()
    drawn = body.replace("currentColor", INK).replace("var(--cut)", PAPER)
    return f'<svg x="%s" y="%s" width="%s" height="%s" viewBox="{box}">{drawn}</svg>'


def icon(head: str, more: str = "", masked: bool = False) -> str:
    """Return the bull before the sun; a phone cuts the edges of a masked icon off."""
    if masked:
        ground = f'<rect width="64" height="64" fill="{SKY}"/>'
        sun = f'<circle cx="32" cy="33" r="21" fill="{SUN}"/>'
        place = (13, 14, 38, 37)
    else:
        edge = f'fill="{SKY}" stroke="{INK}" stroke-width="3.5"'
        ground = f'<path d="{EDGE}" {edge}/>'
        sun = f'<circle cx="32" cy="34" r="24" fill="{SUN}"/>'
        place = (6, 8, 52, 50)
    inside = ground + sun + head % place + more
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">{inside}</svg>\n'


def print_png(browser: Browser, drawing: str, size: int, path: Path) -> None:
    """Keep a drawing as a PNG with a clear ground."""
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<body style='margin:0'>{drawing}")
    page.locator("svg").first.evaluate("(svg, size) => svg.setAttribute('width', size)", size)
    page.screenshot(path=path, omit_background=True)
    page.close()


if __name__ == "__main__":
    main()

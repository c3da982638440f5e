"""Drawing a view: as text, as a picture made of bytes, and as a page that a browser shows.

Picture and page are one drawing (`scene`) in the colours of the browser client: rows with their bullheads,
cards waiting to be placed, the hands as far as they may be seen, and the scores.
"""

import tempfile
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from bullpen.engine import FACE_DOWN, View
from bullpen.engine.drawing import Line, table_lines, table_text
from bullpen.rulesets import find

FIELD, INK, BACK, PALE = "#0a4436", "#1b1713", "#8e2b1d", "#dfe9c4"
PAPERS = {1: "#e3d3a6", 2: "#1f727a", 3: "#e0a02c", 5: "#b93a22", 7: "#2b1533"}
INKS = {2: "#fbf3df", 5: "#fff3dc", 7: "#f3b93f"}
CARD_WIDTH, CARD_HEIGHT, GAP, LEFT = 40, 52, 6, 96
LINE = CARD_HEIGHT + GAP


class Box(NamedTuple):
    """A filled rectangle."""

    x: int
    y: int
    width: int
    height: int
    fill: str


class Words(NamedTuple):
    """A text whose middle line is at y; x is its left end."""

    x: int
    y: int
    text: str
    size: int
    fill: str


class Scene(NamedTuple):
    """A drawing: its size, and what lies on it from the bottom up."""

    width: int
    height: int
    parts: tuple[Box | Words, ...]


def as_text(seen: View) -> str:
    """Return a view as lines of text.

    >>> import bullpen
    >>> print(as_text(bullpen.new_game("base", players=2, seed=1).view(None)).splitlines()[1])
    row 1      95
    """
    return table_text(find(seen.game, seen.behaviour), seen)


def scene(seen: View) -> Scene:
    """Return the drawing of a view."""
    table = table_lines(find(seen.game, seen.behaviour), seen)
    longest = max(12, *(len(line.cards) for line in table))
    width = LEFT + longest * (CARD_WIDTH + GAP) + 240
    height = 40 + LINE * len(table) + GAP
    parts: list[Box | Words] = [Box(0, 0, width, height, FIELD)]
    parts.append(Words(GAP, 20, as_text(seen).splitlines()[0], 16, PALE))
    for place, line in enumerate(table):
        parts += _line_parts(seen, line, 40 + place * LINE)
    return Scene(width, height, tuple(parts))


def _line_parts(seen: View, line: Line, y: int) -> Iterator[Box | Words]:
    heads = find(seen.game, seen.behaviour).heads_in(seen.position)
    middle = y + CARD_HEIGHT // 2
    yield Words(GAP, middle, line.title, 14, PALE)
    for place, card in enumerate(line.cards):
        x = LEFT + place * (CARD_WIDTH + GAP)
        if card is None or card == FACE_DOWN:
            yield Box(x, y, CARD_WIDTH, CARD_HEIGHT, BACK if card is not None else INK)
            continue
        worth = heads[card]
        yield Box(x, y, CARD_WIDTH, CARD_HEIGHT, PAPERS.get(worth, PAPERS[1]))
        yield Words(x + 6, y + 20, str(card), 16, INKS.get(worth, INK))
        for head in range(worth):
            yield Box(x + 6 + 4 * head, y + 38, 3, 6, INKS.get(worth, INK))
    yield Words(LEFT + len(line.cards) * (CARD_WIDTH + GAP) + GAP, middle, line.remark, 12, PALE)


def as_picture(drawn: Scene) -> NDArray[np.uint8]:
    """Return a drawing as bytes: height × width × red, green, blue."""
    picture = Image.new("RGB", (drawn.width, drawn.height))
    pen = ImageDraw.Draw(picture)
    for part in drawn.parts:
        if isinstance(part, Box):
            corner = (part.x + part.width - 1, part.y + part.height - 1)
            pen.rectangle([(part.x, part.y), corner], fill=part.fill)
        else:
            font = ImageFont.load_default(part.size)
            pen.text((part.x, part.y), part.text, fill=part.fill, font=font, anchor="lm")
    return np.asarray(picture, np.uint8).copy()


def as_svg(drawn: Scene) -> str:
    """Return a drawing as the text of an SVG picture."""
    size = f'viewBox="0 0 {drawn.width} {drawn.height}"'
    parts = "".join(map(_svg_part, drawn.parts))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="serif">{parts}</svg>'


def _svg_part(part: Box | Words) -> str:
    if isinstance(part, Box):
        size = f'width="{part.width}" height="{part.height}"'
        return f'<rect x="{part.x}" y="{part.y}" {size} rx="4" fill="{part.fill}"/>'
    place = f'x="{part.x}" y="{part.y}" font-size="{part.size}" fill="{part.fill}"'
    return f'<text {place} dominant-baseline="middle">{escape(part.text)}</text>'


PAGE = f"""<!doctype html><meta charset="utf-8"><title>bullpen</title>
<style>body {{ margin: 0; background: {FIELD} }} img {{ max-width: 100vw; max-height: 100vh }}</style>
<img src="table.svg" alt="the table">
<script>
const shown = document.querySelector("img");
setInterval(() => {{
  const next = new Image();
  next.onload = () => {{ shown.src = next.src; }};
  next.src = "table.svg?" + Date.now();
}}, 500);
</script>
"""
"""Looks for a newer drawing twice a second, and shows it when it is there as a whole."""


class Window:
    """A page in the browser that shows the latest drawing."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def show(self, seen: View) -> None:
        """Show a view, opening the page for the first one."""
        opened = self._folder is not None
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="bullpen-")
        folder = Path(self._folder.name)
        # The page must never come upon half a drawing.
        fresh = folder / "next.svg"
        fresh.write_text(as_svg(scene(seen)), "utf-8")
        fresh.replace(folder / "table.svg")
        if not opened:
            page = folder / "table.html"
            page.write_text(PAGE, "utf-8")
            webbrowser.open(page.as_uri())

    def close(self) -> None:
        """Forget the page."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __getstate__(self) -> dict[str, None]:
        return {"_folder": None}


RENDER_MODES = ("human", "ansi", "rgb_array")


class Renderer:
    """Renders views in one mode, None being not at all."""

    def __init__(self, mode: str | None) -> None:
        self.mode = mode
        self._window = Window()

    def render(self, seen: View) -> NDArray[np.uint8] | str | None:
        """Return the text or the picture, or show the page and return nothing."""
        if self.mode == "ansi":
            return as_text(seen)
        if self.mode == "rgb_array":
            return as_picture(scene(seen))
        if self.mode == "human":
            self._window.show(seen)
        return None

    def close(self) -> None:
        """Close the page, if there is one."""
        self._window.close()

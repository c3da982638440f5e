"""Draw boards: python tools/draw_boards.py [FILE] draws our own boards, or those of a file, as SVG and text.

Our own pictures go to docs/rules/board-basic.svg and board-expert.svg, those of a file beside it; the text is
printed.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from bullpen.rulesets.boards.check import load_board
from bullpen.rulesets.boards.data import BoardData, Rows

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
CELL, GAP, LEFT, TOP = 64, 8, 48, 56
GREEN, RED, INK, PAPER, SPACE = "#2e7d32", "#c62828", "#33302b", "#f4efe4", "#fffdf8"
BLUE, GOLD = "#1f5fa8", "#b07a10"


class Side(NamedTuple):
    """One side of the board and how its picture is called."""

    name: str
    title: str
    rows: Rows
    colour: str


# Symbols, each drawn around the middle of a space.


def text(x: float, y: float, words: str, colour: str = INK, size: int = 24, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">{words}</text>'
    )


def ox(x: float, y: float, colour: str, scale: float = 1.0) -> str:
    """A head with horns and a muzzle."""
    return (
        f'<g transform="translate({x:g} {y:g}) scale({scale:g})" fill="{colour}">'
        f'<path d="M-20 -14 Q-20 -2 -9 -3 L-9 -8 Q-15 -8 -16 -15 Z"/>'
        f'<path d="M20 -14 Q20 -2 9 -3 L9 -8 Q15 -8 16 -15 Z"/>'
        f'<path d="M-9 -9 Q0 -13 9 -9 L7 8 Q6 16 0 16 Q-6 16 -7 8 Z"/>'
        f'<ellipse cx="0" cy="11" rx="8" ry="6"/>'
        f'<g fill="{SPACE}"><circle cx="-4" cy="-2" r="1.6"/><circle cx="4" cy="-2" r="1.6"/>'
        f'<circle cx="-3" cy="11" r="1.4"/><circle cx="3" cy="11" r="1.4"/></g></g>'
    )


def signed(x: float, y: float, oxen: str, sign: str, colour: str) -> str:
    """Add a sign, for those who do not tell the colours apart."""
    return oxen + text(x, y - 16, sign, colour, 20)


def tile(x: float, y: float, colour: str, sign: str = "") -> str:
    box = (
        f'<rect x="{x - 11:g}" y="{y - 13:g}" width="22" height="26" rx="3" fill="{SPACE}" '
        f'stroke="{colour}" stroke-width="2"/>'
    )
    return box + (text(x, y + 7, sign, colour, 20) if sign else "")


def clover(x: float, y: float) -> str:
    leaves = "".join(
        f'<circle cx="{x + dx:g}" cy="{y + dy:g}" r="3.4"/>'
        for dx, dy in ((-2.6, -2.6), (2.6, -2.6), (-2.6, 2.6), (2.6, 2.6))
    )
    return f'<g fill="{GREEN}">{leaves}<rect x="{x - 0.7:g}" y="{y:g}" width="1.4" height="9"/></g>'


def symbol(name: str, x: float, y: float) -> str:
    """Draw what is printed on a space."""
    if name[0] in "+-":
        return text(x, y + 9, name.replace("-", "−"), GREEN if name[0] == "+" else RED, 28)
    drawn = {
        "blank": "",
        "green1": signed(x, y, ox(x, y + 3, GREEN), "+", GREEN),
        "red1": signed(x, y, ox(x, y + 3, RED), "−", RED),
        "green2": signed(x, y, ox(x - 14, y + 4, GREEN, 0.7) + ox(x + 14, y + 4, GREEN, 0.7), "+", GREEN),
        "red2": signed(x, y, ox(x - 14, y + 4, RED, 0.7) + ox(x + 14, y + 4, RED, 0.7), "−", RED),
        "double": tile(x - 7, y - 4, BLUE) + tile(x + 7, y + 4, BLUE),
        "draw_tile": tile(x, y, BLUE, "+"),
        "draw_action": tile(x, y, GOLD, "★"),
        "take_ox": ox(x, y - 6, INK, 0.9) + text(x, y + 26, "take", INK, 13),
        "take_tiles": tile(x - 6, y - 9, INK) + tile(x + 6, y - 5, INK) + text(x, y + 26, "take", INK, 13),
    }
    return drawn[name]


# The board.


def draw(side: Side, data: BoardData) -> str:
    """Return the picture of one side."""
    widest = max(len(row) for row in side.rows)
    width = LEFT + max(widest * (CELL + GAP), 640) + 24
    below = TOP + len(side.rows) * (CELL + GAP)
    height = below + 150
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = 'font-family="sans-serif" font-weight="bold"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}>',
        f"<title>{side.title}</title>",
        f'<rect width="{width}" height="{height}" rx="16" fill="{PAPER}"/>',
        text(LEFT, 34, side.title, side.colour, 20, "start"),
        *(row for index, spaces in enumerate(side.rows) for row in draw_row(index, spaces, side.colour)),
        *draw_track(data, width, below + 34),
        *draw_legend(side.rows, below + 92),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def draw_row(index: int, spaces: tuple[str, ...], colour: str) -> list[str]:
    y = TOP + index * (CELL + GAP)
    parts = [text(28, y + CELL / 2 + 7, str(index + 1), colour, 20)]
    for place, name in enumerate(spaces):
        x = LEFT + place * (CELL + GAP)
        last = place == len(spaces) - 1
        fill, line = ("#e6ddc8", 3) if last else (SPACE, 1)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="8" fill="{fill}" '
            f'stroke="{colour}" stroke-width="{line}"/>'
        )
        if name != "blank":
            parts.append(symbol(name, x + CELL / 2, y + CELL / 2))
    return parts


def draw_track(data: BoardData, width: int, y: float) -> list[str]:
    step = (width - LEFT - 40) / 88

    def at(points: int) -> float:
        return LEFT + (points + 44) * step

    line = f'<line x1="{at(-44):g}" y1="{y:g}" x2="{at(44):g}" y2="{y:g}" stroke="{INK}" stroke-width="2"/>'
    ticks = [
        f'<line x1="{at(mark):.1f}" y1="{y - 5:g}" x2="{at(mark):.1f}" y2="{y + 5:g}" stroke="{INK}"/>'
        + text(at(mark), y + 20, str(mark).replace("-", "−"), INK, 12)
        for mark in (-44, -30, -20, -10, 0, 10, 20, 30, 44)
    ]
    return [line, *ticks, *(clover(round(at(mark), 1), y - 14) for mark in data.clovers)]


LEGEND = {
    "green1": "plus the tile's oxen (two: twice)",
    "red1": "minus the tile's oxen (two: twice)",
    "double": "everybody plays two tiles",
    "draw_tile": "draw a tile",
    "draw_action": "draw an action card",
    "take_ox": "take the row for its oxen",
    "take_tiles": "take the row's tiles",
}


def draw_legend(rows: Rows, y: float) -> list[str]:
    used = [name for name in LEGEND if any(name in row for row in rows)]
    parts = []
    for index, name in enumerate(used):
        x, line = LEFT + (index % 3) * 224, y + (index // 3) * 26
        words = LEGEND[name].replace("'", "’")
        small = symbol(name, 0, 0).replace(text(0, 26, "take", INK, 13), "")
        parts.append(f'<g transform="translate({x + 8} {line - 5:g}) scale(0.42)">{small}</g>')
        parts.append(text(x + 24, line, words, INK, 11, "start"))
    return parts


# The same as text.

WORDS = {
    "blank": ".",
    "green1": "ox+",
    "green2": "2ox+",
    "red1": "ox-",
    "red2": "2ox-",
    "double": "two",
    "draw_tile": "tile",
    "draw_action": "card",
    "take_ox": "|OXEN",
    "take_tiles": "|TILES",
}


def as_text(rows: Rows) -> str:
    """Return a side of the board for a terminal.

    >>> print(as_text((("blank", "green2", "-3", "take_ox"),)))
     1   .     2ox+  -3    |OXEN
    """
    return "\n".join(
        f"{index:2}   " + "".join(f"{WORDS.get(name, name):6}" for name in row).rstrip()
        for index, row in enumerate(rows, 1)
    )


def sides(data: BoardData) -> list[Side]:
    """Return both sides with their titles."""
    return [
        Side("basic", "bullpen: the basic board", data.basic, BLUE),
        Side("expert", "bullpen: the expert board", data.expert, RED),
    ]


def main() -> None:
    """Draw the boards of a file, or our own."""
    source = sys.argv[1] if len(sys.argv) > 1 else "own"
    data = load_board(source)
    stem = FOLDER / "board" if source == "own" else Path(source).with_suffix("")
    for side in sides(data):
        stem.with_name(f"{stem.name}-{side.name}.svg").write_text(draw(side, data), encoding="utf-8")
        print(f"\n{side.title}\n\n{as_text(side.rows)}")


if __name__ == "__main__":
    main()

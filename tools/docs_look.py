"""A hook of MkDocs: draws the examples of the rules, and ships the type of the client."""

import html
import re
import shutil
from pathlib import Path
from typing import Any

FONTS = Path(__file__).parents[1] / "web" / "src" / "fonts"
KINDS = ("pens", "cards", "tiles", "board")
STALLS = 5
CARD = re.compile(r"(\+?)(\d+)(?:>(\d+))?(?:\*(\d))?\Z")
SPACES = {
    "ox": "+ox", "ox2": "+2 ox", "-ox": "−ox", "-ox2": "−2 ox", "two": "two", "take": "take", "tiles": "hand",
    "tile": "tile", "action": "card", "clover": "clover", ".": "",
}  # fmt: skip


def on_config(config: Any) -> Any:
    """Let fenced blocks of these kinds be drawn."""
    fences = [{"name": kind, "class": kind, "format": drawn} for kind in KINDS]
    config.mdx_configs.setdefault("pymdownx.superfences", {})["custom_fences"] = fences
    return config


def on_post_build(config: Any) -> None:
    """Put the type beside the style sheet that names it."""
    there = Path(config.site_dir) / "stylesheets" / "fonts"
    there.mkdir(parents=True, exist_ok=True)
    for font in FONTS.glob("*.woff2"):
        shutil.copy(font, there / font.name)


def drawn(source: str, language: str, *_: Any, **__: Any) -> str:
    """Return a drawing as HTML; the format is told in CONTRIBUTING."""
    lines = [line for line in source.splitlines() if line.strip()]
    draw = {"pens": pen, "board": row}.get(language, hand)
    inside = "".join(f'<div class="line">{draw(line, place + 1)}</div>' for place, line in enumerate(lines))
    return f'<div class="drawn {language}">{inside}</div>'


def heads(card: int) -> int:
    """Return the bullheads that give a card its colour."""
    if card == 55:
        return 7
    return next((count for by, count in ((11, 5), (10, 3), (5, 2)) if card % by == 0), 1)


def piece(word: str) -> str:
    """Return a card, a twin, the Cow or a special card by its word."""
    if "/" in word:
        return "".join(piece(part) for part in word.split("/"))
    found = CARD.match(word)
    if not found:
        return f'<span class="card other">{html.escape("?" if word == "?" else word)}</span>'
    fresh, number, value, oxen = found.groups()
    count = int(oxen) if oxen else heads(int(number))
    shown = f"{number}<small>→{value}</small>" if value else number
    return f'<span class="card h{count}{" fresh" if fresh else ""}">{shown}</span>'


def pen(line: str, number: int) -> str:
    """Return a pen with its stalls and its gate."""
    stand, _, signs = line.partition("|")
    left, gate_left, rest = stand.rpartition("<")
    inside, _, at_gate = rest.partition(">")
    stalls = [f'<span class="stall">{piece(word)}</span>' for word in inside.split()]
    stalls += ['<span class="stall"></span>'] * (STALLS - len(stalls))
    before = f'<span class="gate broken">{piece(left.strip())}</span>' if gate_left else ""
    sign = f'<span class="sign">{html.escape(signs.strip())}</span>' if signs.strip() else ""
    gate = piece(at_gate.strip()) if at_gate.strip() else sign
    state = " broken" if at_gate.strip() else ""
    return f'<span class="no">{number}</span>{before}{"".join(stalls)}<span class="gate{state}">{gate}</span>'


def row(line: str, _: int) -> str:
    """Return a row of a board: tiles and spaces."""
    return "".join(piece(word.strip("[]")) if word.startswith("[") else space(word) for word in line.split())


def space(word: str) -> str:
    """Return a space of a board by its word."""
    return f'<span class="space">{html.escape(SPACES.get(word, word))}</span>'


def hand(line: str, _: int) -> str:
    """Return cards with their owners, or the hand of one."""
    owner, colon, rest = line.rpartition(":")
    groups = []
    for group in rest.split(","):
        words = group.split()
        named = [word for word in words if not CARD.match(word) and (word[:1].isupper())]
        cards = "".join(piece(word) for word in words if word not in named)
        groups.append(f'<span class="group">{cards}<em>{html.escape(" ".join(named))}</em></span>')
    return (f"<em>{html.escape(owner.strip())}</em>" if colon else "") + "".join(groups)

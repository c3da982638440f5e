"""Draw a learning curve: `python -m training.plot trained/base.csv docs/images/learning-curve.svg`."""

import argparse
import csv
from pathlib import Path

WIDTH, HEIGHT, EDGE = 640, 300, 46
LINES = (
    ("medium_heads", "#b3541e", "against three of medium"),
    ("guesser_heads", "#1e5fb3", "against three of Monte Carlo, as guessed"),
    ("chance_heads", "#4d7d3a", "against three that play any card"),
)


def points(rows: list[dict[str, str]], field: str, low: float, high: float) -> str:
    """Return a curve as the points of a polyline."""
    last = float(rows[-1]["rounds"])
    placed = []
    for row in rows:
        x = EDGE + float(row["rounds"]) / last * (WIDTH - 2 * EDGE)
        y = HEIGHT - EDGE - (float(row[field]) - low) / (high - low) * (HEIGHT - 2 * EDGE)
        placed.append(f"{x:.1f},{y:.1f}")
    return " ".join(placed)


def text(x: float, y: float, words: str, more: str = "") -> str:
    """Return a piece of text."""
    return f'<text x="{x:.0f}" y="{y:.0f}" font-family="sans-serif" font-size="12" {more}>{words}</text>'


def draw(rows: list[dict[str, str]]) -> str:
    """Return the picture."""
    values = [float(row[field]) for row in rows for field, _, _ in LINES]
    low, high = int(min(values)), int(max(values)) + 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>Learning curve: bullheads a round over rounds played</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for value in range(low, high + 1):
        y = HEIGHT - EDGE - (value - low) / (high - low) * (HEIGHT - 2 * EDGE)
        parts.append(f'<path d="M{EDGE} {y:.1f}H{WIDTH - EDGE}" stroke="#dddddd"/>')
        parts.append(text(EDGE - 24, y + 4, str(value)))
    for i, (field, colour, words) in enumerate(LINES):
        curve = points(rows, field, low, high)
        parts.append(f'<polyline points="{curve}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(text(WIDTH - EDGE - 8, EDGE + 8 + 18 * i, words, f'fill="{colour}" text-anchor="end"'))
    millions = float(rows[-1]["rounds"]) / 1e6
    parts.append(text(EDGE, HEIGHT - 14, f"rounds played, up to {millions:.1f} million"))
    parts.append(text(EDGE - 24, 22, "bullheads a round of one seat of the network, without search"))
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("curve", type=Path)
    parser.add_argument("picture", type=Path)
    given = parser.parse_args()
    with given.curve.open(newline="") as file:
        rows = list(csv.DictReader(file))
    given.picture.parent.mkdir(parents=True, exist_ok=True)
    given.picture.write_text(draw(rows))


if __name__ == "__main__":
    main()

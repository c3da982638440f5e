"""Plots as SVG, drawn without a library: curves over a game, bars of luck and skill, calibration."""

from collections.abc import Sequence
from html import escape

from msgspec import Struct

WIDTH, HEIGHT, LEFT, BOTTOM = 720, 260, 36, 22
ROW = 26


class Line(Struct, frozen=True):
    """A curve with a name and a colour; some of its points are ringed."""

    label: str
    colour: str
    values: Sequence[float]
    ringed: Sequence[int] = ()


def curves(lines: Sequence[Line], caption: str, low: float = 0.0, high: float = 100.0) -> str:
    """Draw curves over a common scale."""
    steps = max((len(line.values) for line in lines), default=1)

    def at(place: int, value: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - 8) * place / max(1, steps - 1)
        return across, 8 + (HEIGHT - BOTTOM - 8) * (high - value) / (high - low)

    drawn = [_level(at(0, value)[1], value) for value in (low, (low + high) / 2, high)]
    for line in lines:
        points = [at(place, value) for place, value in enumerate(line.values)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{line.colour}" stroke-width="2.5"/>')
        drawn += [
            f'<circle cx="{points[place][0]:.1f}" cy="{points[place][1]:.1f}" r="4.5" fill="none" '
            f'stroke="{line.colour}" stroke-width="2"/>'
            for place in line.ringed
        ]
    return _svg(drawn, HEIGHT, caption)


def _level(y: float, value: float) -> str:
    return (
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
    )


def halves(rows: Sequence[tuple[str, float, float]], caption: str) -> str:
    """Draw two bars a row from a common middle: luck above, skill below it."""
    most = max((abs(value) for _, *values in rows for value in values), default=1.0) or 1.0
    middle, half = WIDTH / 2, WIDTH / 2 - 60
    drawn = [f'<line class="grid" x1="{middle}" x2="{middle}" y1="0" y2="{ROW * len(rows) + 4}"/>']
    for place, (label, luck, skill) in enumerate(rows):
        top = ROW * place + 4
        drawn.append(f'<text x="0" y="{top + 15}">{escape(label)}</text>')
        for value, kind, y in ((luck, "luck", top), (skill, "good" if skill >= 0 else "bad", top + 11)):
            width = half * abs(value) / most
            start = middle if value >= 0 else middle - width
            drawn.append(f'<rect class="{kind}" x="{start:.1f}" y="{y}" width="{width:.1f}" height="9"/>')
            drawn.append(f'<text x="{WIDTH}" y="{y + 9}" text-anchor="end">{value:+.1f}</text>')
    return _svg(drawn, ROW * len(rows) + 8, caption)


def _svg(drawn: Sequence[str], height: int, caption: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(caption)}"><title>{escape(caption)}</title>{"".join(drawn)}</svg>'
    )


def calibration(
    title: str, means: Sequence[tuple[float, float]], chances: Sequence[tuple[float, float]]
) -> str:
    """Draw what was said against what came: means on the left, chances of taking on the right."""
    most = max((value for pair in means for value in pair), default=1.0) or 1.0
    least = min(0.0, min((value for pair in means for value in pair), default=0.0))
    drawn = [
        *_square(10, f"{title}: mean to come", [_within(pair, least, most) for pair in means], f"{most:.0f}"),
        *_square(370, f"{title}: chance of taking", list(chances), "100 %"),
    ]
    style = "text{font:12px Georgia,serif;fill:#6b5f48}"
    return _svg([f"<style>{style}</style>", *drawn], 330, f"Calibration of {title}")


def _within(pair: tuple[float, float], least: float, most: float) -> tuple[float, float]:
    said, came = ((value - least) / (most - least) for value in pair)
    return said, came


def _square(left: int, title: str, points: Sequence[tuple[float, float]], end: str) -> list[str]:
    """Draw a square from 0 to 1 with its diagonal, and points."""
    size, top = 280, 24
    drawn = [
        f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="#fbf3df" stroke="#b9a67c"/>',
        f'<line x1="{left}" y1="{top + size}" x2="{left + size}" y2="{top}" stroke="#b9a67c"/>',
        f'<text x="{left}" y="16">{escape(title)}</text>',
        f'<text x="{left + size}" y="{top + size + 16}" text-anchor="end">said, up to {end}</text>',
    ]
    for said, came in points:
        x, y = left + size * said, top + size * (1 - came)
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#a52a14"/>')
    return drawn

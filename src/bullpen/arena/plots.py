"""Plots as SVG, drawn by hand: a page needs nothing from anywhere else."""

from collections.abc import Sequence
from html import escape

from msgspec import Struct

LEFT, RIGHT, LINE, WIDTH = 150, 110, 26, 720
"""The margins, the height of a line and the width of a plot, in pixels."""


class Mark(Struct, frozen=True):
    """A labelled value with an interval, and the words at its right."""

    label: str
    value: float
    low: float
    high: float
    words: str


def dots(marks: Sequence[Mark], caption: str, zero: float | None = None) -> str:
    """Draw values with their intervals on a common scale; `zero` is a line to compare with."""
    ends = [end for mark in marks for end in (mark.low, mark.high) if abs(end) < 1e9]
    ends += [mark.value for mark in marks] + ([] if zero is None else [zero])
    low, high = min(ends), max(ends)
    room = (high - low) * 0.05 or 1.0
    low, high = low - room, high + room

    def place(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (min(max(value, low), high) - low) / (high - low)

    body = [_axis(low, high, len(marks), place(low), place(high))]
    if zero is not None:
        body.append(_upright(place(zero), len(marks), "zero"))
    for line, mark in enumerate(marks):
        y = LINE * line + LINE / 2
        body.append(_words(mark.label, LEFT - 8, y, "end"))
        body.append(
            f'<line class="reach" x1="{place(mark.low):.1f}" x2="{place(mark.high):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle cx="{place(mark.value):.1f}" cy="{y}" r="4.5"/>'
        )
        body.append(_words(mark.words, WIDTH - RIGHT + 8, y, "start"))
    return _figure(body, len(marks), caption)


def bars(rows: Sequence[tuple[str, Sequence[float]]], parts: Sequence[str], caption: str) -> str:
    """Draw shares that add up to one, a bar a row."""
    body = []
    for line, (label, shares) in enumerate(rows):
        y, start = LINE * line, float(LEFT)
        body.append(_words(label, LEFT - 8, y + LINE / 2, "end"))
        for number, (part, share) in enumerate(zip(parts, shares, strict=True)):
            width = (WIDTH - LEFT - RIGHT) * share
            shade = 0.9 - 0.75 * number / max(1, len(parts) - 1)
            body.append(
                f'<rect x="{start:.1f}" y="{y + 4}" width="{width:.1f}" height="{LINE - 8}" '
                f'fill-opacity="{shade:.2f}"><title>{escape(part)}: {100 * share:.1f} %</title></rect>'
            )
            start += width
    return _figure(body, len(rows), caption)


def course(low: Sequence[float], middle: Sequence[float], high: Sequence[float], caption: str) -> str:
    """Draw how an estimate and its interval settle as deals come in."""
    lines, count = 7, len(middle)
    bottom, top = min(0.0, *low), max(0.0, *high)
    scale = (LINE * lines - 10) / ((top - bottom) or 1.0)

    def point(place: int, value: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * place / max(1, count - 1)
        return f"{x:.1f},{LINE * lines - 5 - (value - bottom) * scale:.1f}"

    upper = [point(place, value) for place, value in enumerate(high)]
    lower = [point(place, value) for place, value in enumerate(low)]
    y = LINE * lines - 5 + bottom * scale
    final = LINE * lines - 5 - (middle[-1] - bottom) * scale
    body = [
        f'<polygon class="band" points="{" ".join(upper + lower[::-1])}"/>',
        f'<line class="zero" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<polyline points="{" ".join(point(place, value) for place, value in enumerate(middle))}"/>',
        _words("0", LEFT - 8, y, "end"),
        _words(f"{top:.2f}", LEFT - 8, 8, "end"),
        _words(f"{middle[-1]:+.2f}", WIDTH - RIGHT + 8, final, "start"),
    ]
    return _figure(body, lines, caption)


def _axis(low: float, high: float, lines: int, start: float, end: float) -> str:
    y = LINE * lines
    return (
        f'<line class="axis" x1="{start:.1f}" x2="{end:.1f}" y1="{y}" y2="{y}"/>'
        + _words(f"{low:.3g}", start, y + 12, "start")
        + _words(f"{high:.3g}", end, y + 12, "end")
    )


def _upright(x: float, lines: int, kind: str) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{LINE * lines}"/>'


def _words(text: str, x: float, y: float, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _figure(body: Sequence[str], lines: int, caption: str) -> str:
    height = LINE * lines + 22
    head = f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(caption)}">'
    return f"<figure>{head}{''.join(body)}</svg><figcaption>{escape(caption)}</figcaption></figure>"

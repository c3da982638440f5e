"""Plots without a library: rows of HTML that are as wide as there is room, and a curve as SVG."""

from collections.abc import Callable, Sequence
from html import escape

from msgspec import Struct

WIDTH, HEIGHT = 600, 180
"""Of a curve, in its own units: it is stretched to the width of the page."""


class Mark(Struct, frozen=True):
    """A labelled value with an interval, and the words at its right."""

    label: str
    value: float
    low: float
    high: float
    words: str


def dots(marks: Sequence[Mark], caption: str) -> str:
    """Draw values with their intervals on a common scale."""
    ends = [end for mark in marks for end in (mark.low, mark.high) if abs(end) < 1e9]
    ends += [mark.value for mark in marks]
    low, high = min(ends), max(ends)
    room = (high - low) * 0.05 or 1.0
    low, high = low - room, high + room

    def place(value: float) -> float:
        return 100 * (min(max(value, low), high) - low) / (high - low)

    rows = [_row(mark.label, _reach(mark, place), mark.words) for mark in marks]
    return _figure([*rows, _row("", f"<i>{low:.3g}</i><i>{high:.3g}</i>", "", "scale")], caption)


def _reach(mark: Mark, place: Callable[[float], float]) -> str:
    start, end = place(mark.low), place(mark.high)
    return (
        f'<b class="reach" style="left:{start:.1f}%;width:{end - start:.1f}%"></b>'
        f'<b class="dot" style="left:{place(mark.value):.1f}%"></b>'
    )


def bars(rows: Sequence[tuple[str, Sequence[float]]], parts: Sequence[str], caption: str) -> str:
    """Draw shares that add up to one, a bar a row."""
    drawn = []
    for label, shares in rows:
        pieces = "".join(
            f'<b class="part" style="width:{100 * share:.1f}%;opacity:{_shade(number, len(parts)):.2f}" '
            f'title="{escape(part)}: {100 * share:.1f} %"></b>'
            for number, (part, share) in enumerate(zip(parts, shares, strict=True))
        )
        drawn.append(_row(label, pieces, "", "bar"))
    return _figure(drawn, caption)


def _shade(number: int, count: int) -> float:
    return 0.9 - 0.75 * number / max(1, count - 1)


def course(low: Sequence[float], middle: Sequence[float], high: Sequence[float], caption: str) -> str:
    """Draw how an estimate and its interval settle as deals come in; the figures stand beside the curve."""
    bottom, top = min(0.0, *low), max(0.0, *high)
    scale = HEIGHT / ((top - bottom) or 1.0)

    def point(place: int, value: float) -> str:
        return f"{WIDTH * place / max(1, len(middle) - 1):.1f},{(top - value) * scale:.1f}"

    upper = [point(place, value) for place, value in enumerate(high)]
    lower = [point(place, value) for place, value in enumerate(low)]
    zero = f"{top * scale:.1f}"
    drawn = (
        f'<polygon points="{" ".join(upper + lower[::-1])}"/>'
        f'<line x1="0" x2="{WIDTH}" y1="{zero}" y2="{zero}"/>'
        f'<polyline points="{" ".join(point(place, value) for place, value in enumerate(middle))}"/>'
    )
    curve = (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(caption)}">{drawn}</svg>'
    )
    figures = f"from {bottom:+.2f} to {top:+.2f}, in the end {middle[-1]:+.2f}"
    return _figure([curve], f"{caption}: {figures}")


def _row(label: str, track: str, words: str, kind: str = "") -> str:
    return (
        f'<div class="row {kind}"><span class="label">{escape(label)}</span>'
        f'<span class="track">{track}</span><span class="words">{escape(words)}</span></div>'
    )


def _figure(body: Sequence[str], caption: str) -> str:
    return f"<figure>{''.join(body)}<figcaption>{escape(caption)}</figcaption></figure>"

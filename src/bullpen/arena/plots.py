"""Plots without a library: rows of HTML and a curve as SVG, as wide as the page, with axes and grid lines."""

import math
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


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return round numbers from `low` to `high` for an axis, at most so many.

    >>> ticks(-3.76, 8.08)
    [0.0, 5.0]
    >>> ticks(6.01, 20.7)
    [10.0, 15.0, 20.0]
    """
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    while math.floor(high / step) - math.ceil(low / step) + 1 > most:
        step = _next_step(step)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _next_step(step: float) -> float:
    """Return the step after this one, of 1, 2, 5, 10, 20, 50 and so on."""
    leading = round(step / 10.0 ** math.floor(math.log10(step) + 1e-9))
    return step * (2.5 if leading == 2 else 2)


def dots(marks: Sequence[Mark], caption: str) -> str:
    """Draw values with their intervals on a common scale."""
    ends = [end for mark in marks for end in (mark.low, mark.high) if abs(end) < 1e9]
    ends += [mark.value for mark in marks]
    room = (max(ends) - min(ends)) * 0.05 or 1.0
    low, high = min(ends) - room, max(ends) + room

    def place(value: float) -> float:
        return 100 * (min(max(value, low), high) - low) / (high - low)

    axis = {f"{tick:g}": place(tick) for tick in ticks(low, high)}
    return _rows([(mark.label, _reach(mark, place), mark.words) for mark in marks], axis, caption)


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
        drawn.append((label, pieces, " · ".join(f"{100 * share:.0f}" for share in shares) + " %"))
    return _rows(drawn, {f"{tick} %": tick for tick in (0, 25, 50, 75, 100)}, caption)


def _shade(number: int, count: int) -> float:
    return 0.9 - 0.75 * number / max(1, count - 1)


def course(
    deals: Sequence[int], low: Sequence[float], middle: Sequence[float], high: Sequence[float], caption: str
) -> str:
    """Draw how an estimate and its interval settle as deals come in."""
    bottom, top = min(0.0, *low), max(0.0, *high)
    first, last = deals[0], deals[-1]
    tall, wide = (top - bottom) or 1.0, (last - first) or 1

    def point(deal: int, value: float) -> str:
        return f"{WIDTH * (deal - first) / wide:.1f},{HEIGHT * (top - value) / tall:.1f}"

    def line(values: Sequence[float]) -> list[str]:
        return [point(deal, value) for deal, value in zip(deals, values, strict=True)]

    across = {f"{tick:g}": 100 * (tick - first) / wide for tick in ticks(first, last)}
    up = {f"{tick:+g}" if tick else "0": 100 * (top - tick) / tall for tick in ticks(bottom, top)}
    grid = "".join(
        f'<line {"class=zero " if label == "0" else ""}x1="0" x2="{WIDTH}" y1="{y}" y2="{y}"/>'
        for label, y in ((label, f"{HEIGHT * place / 100:.1f}") for label, place in up.items())
    )
    band = f'<polygon points="{" ".join(line(high) + line(low)[::-1])}"/>'
    curve = f'<polyline points="{" ".join(line(middle))}"/>'
    says = f"{caption}; at the end {middle[-1]:+.2f}"
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none"'
    drawn = f'<svg {box} role="img" aria-label="{escape(says)}">{grid}{band}{curve}</svg>'
    axes = f'{_marks(up, "top")}{_marks(across, "left")}<i class="across">deals</i>'
    return f'<figure><div class="plot">{drawn}{axes}</div><figcaption>{escape(says)}</figcaption></figure>'


def _marks(axis: dict[str, float], side: str) -> str:
    """Return the labels of an axis at their places in percent."""
    return "".join(
        f'<i class="{side}" style="{side}:{place:.1f}%">{escape(label)}</i>' for label, place in axis.items()
    )


def _rows(rows: Sequence[tuple[str, str, str]], axis: dict[str, float], caption: str) -> str:
    """Draw rows of a label, a track and words, over one axis."""
    grid = "".join(f'<u style="left:{place:.1f}%"></u>' for place in axis.values())
    drawn = [
        f'<div class="row"><span class="label">{escape(label)}</span>'
        f'<span class="track">{grid}{track}</span><span class="words">{escape(words)}</span></div>'
        for label, track, words in rows
    ]
    labels = _marks(axis, "left")
    scale = f'<div class="row scale"><span class="label"></span><span class="axis">{labels}</span></div>'
    return f"<figure>{''.join(drawn)}{scale}<figcaption>{escape(caption)}</figcaption></figure>"

"""Drawing a table with rich: rows, hands and scores."""

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from bullpen.engine import FACE_DOWN, HEADS, Position, View
from bullpen.terminal.words import name

COLOURS = {1: "white", 2: "cyan", 3: "yellow", 5: "bright_red", 7: "bright_magenta"}
SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def card(number: int) -> Text:
    """Return a card: its number, and its bullheads small beside it.

    >>> card(55).plain
    ' 55⁷'
    """
    if number == FACE_DOWN:
        return Text("  ▒▒", style="dim")
    heads = HEADS[number]
    return Text(f"{number:>3}{str(heads).translate(SMALL)}", style=f"bold {COLOURS[heads]}")


def line(cards: Iterable[int]) -> Text:
    """Return cards side by side."""
    return Text("  ").join(card(number) for number in cards)


def rows(view: View) -> Table:
    """Return the rows of a view as a drawing."""
    drawing = Table(show_header=False, box=None, padding=(0, 1))
    for index, row in enumerate(view.rows):
        drawing.add_row(Text(f"row {index + 1}", style="dim"), line(row))
    return drawing


def seats(view: View, names: Sequence[str]) -> Table:
    """Return names, the size of hands and piles, and scores as a drawing."""
    drawing = Table(box=None, padding=(0, 2))
    for heading in ("", "cards", "this round", "total"):
        drawing.add_column(heading, justify="right" if heading else "left")
    position = view.position
    for seat, hand in enumerate(position.hands):
        points = str(position.points[seat]) if seat < len(position.points) else ""
        drawing.add_row(name(names, seat), str(len(hand)), points, str(position.scores[seat]))
    return drawing


def furniture(view: View) -> Table:
    """Return what else lies on the table in this game: markers, special cards and the like."""
    drawing = Table(show_header=False, box=None, padding=(0, 1))
    position = view.position
    for field in position.__struct_fields__:
        value = getattr(position, field)
        if field not in Position.__struct_fields__ and value not in ((), [], "", None):
            drawing.add_row(Text(field.replace("_", " "), style="dim"), str(value))
    return drawing

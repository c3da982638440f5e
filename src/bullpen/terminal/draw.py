"""Drawing a table with rich: rows, hands, scores, and whatever else the game declares to lie on it."""

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from bullpen.engine import FACE_DOWN, HEADS, BoardParts, View
from bullpen.engine.drawing import cards_held, marker_at
from bullpen.rulesets import find
from bullpen.terminal.words import Names, name

COLOURS = {1: "white", 2: "cyan", 3: "yellow", 5: "bright_red", 7: "bright_magenta"}
SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def card(number: int, heads: Sequence[int] = HEADS) -> Text:
    """Return a card: its number, and its bullheads small beside it.

    >>> card(55).plain
    ' 55⁷'
    """
    if number == FACE_DOWN:
        return Text("  ▒▒", style="dim")
    worth = heads[number]
    return Text(f"{number:>3}{str(worth).translate(SMALL)}", style=f"bold {COLOURS.get(worth, 'white')}")


def line(cards: Iterable[int], heads: Sequence[int] = HEADS) -> Text:
    """Return cards side by side."""
    return Text("  ").join(card(number, heads) for number in cards)


def hand(view: View) -> Text:
    """Return the viewer's hand."""
    return line(view.hand, find(view.game, view.behaviour).heads_in(view.position))


def rows(view: View) -> Table:
    """Return the rows of a view as a drawing, with the markers that lie at them."""
    kind = find(view.game, view.behaviour)
    furniture, heads = kind.furniture, kind.heads_in(view.position)
    drawing = Table(show_header=False, box=None, padding=(0, 1))
    for index, row in enumerate(view.rows):
        lying = line(row, heads) if furniture.board is None else _track(view, furniture.board, index)
        notes = ", ".join(
            note
            for marker in furniture.markers
            if marker.at == "row" and (note := marker_at(view.position, marker, index))
        )
        drawing.add_row(Text(f"row {index + 1}", style="dim"), lying, Text(notes, style="italic"))
    return drawing


def _track(view: View, board: BoardParts, row: int) -> Text:
    """Return a row of a board: its tiles on their spaces, and what is printed on the empty ones."""
    position = view.position
    tiles = dict(zip(getattr(position, board.spaces)[row], position.rows[row], strict=True))
    heads = getattr(position, board.heads)
    places = [
        card(tiles[place], heads) if place in tiles else Text(printed.replace("_", " "), style="dim")
        for place, printed in enumerate(getattr(position, board.printed)[row])
    ]
    return Text(" · ", style="dim").join(places)


def seats(view: View, names: Names) -> Table:
    """Return names, the size of hands and piles, scores and markers as a drawing."""
    furniture = find(view.game, view.behaviour).furniture
    drawing = Table(box=None, padding=(0, 2))
    for heading in ("", "cards", "this round", "total"):
        drawing.add_column(heading, justify="right" if heading else "left")
    drawing.add_column("")
    position = view.position
    for seat, held in enumerate(position.hands):
        points = str(position.points[seat]) if seat < len(position.points) else ""
        notes = [marker_at(position, marker, seat) for marker in furniture.markers if marker.at == "seat"]
        drawing.add_row(
            name(names, seat),
            str(len(held)),
            points,
            str(position.scores[seat]),
            Text(", ".join(filter(None, notes)), style="italic"),
        )
    return drawing


def holdings(view: View, names: Names) -> Table:
    """Return the other cards of this game: displays, special cards, piles to draw from."""
    furniture = find(view.game, view.behaviour).furniture
    drawing = Table(show_header=False, box=None, padding=(0, 1))
    for holding in furniture.holdings:
        held = getattr(view.position, holding.field)
        if not holding.each_seat:
            _add(drawing, holding.title, cards_held(furniture, holding, held))
            continue
        for seat, own in enumerate(held):
            _add(drawing, f"{holding.title}, {name(names, seat)}", cards_held(furniture, holding, own))
    return drawing


def _add(drawing: Table, title: str, cards: str) -> None:
    if cards:
        drawing.add_row(Text(title, style="dim"), cards)

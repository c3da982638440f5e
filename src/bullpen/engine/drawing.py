"""A view as lines of text: for `print(view)`, and for whatever draws a table without knowing its rules."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bullpen.engine.cards import FACE_DOWN, FACE_DOWN_NAME, Card
from bullpen.engine.furniture import BoardParts, Furniture, Holding, Marker
from bullpen.engine.ruleset import Ruleset

if TYPE_CHECKING:
    from bullpen.engine.views import View

HIDDEN_CARD, EMPTY_SPACE = "▒▒", "··"


class Line(NamedTuple):
    """One line of the table: what it is called, its cards (0 face down, None an empty space), a remark."""

    title: str
    cards: Sequence[Card | None]
    remark: str = ""


def as_text(kind: type[Ruleset[Any]], seen: "View") -> str:
    """Return all that a view shows: the table, the other cards of the game, and what the viewer is asked."""
    lines = [table_text(kind, seen), *_other_cards(kind.furniture, seen.position)]
    return "\n".join([*lines, seen.ask.prompt] if seen.ask is not None else lines)


def table_text(kind: type[Ruleset[Any]], seen: "View") -> str:
    """Return the table as lines of text."""
    position = seen.position
    head = f"{kind.name}: round {position.round}, trick {position.trick}"
    if position.result is not None:
        head += f", over: {position.result.reason}"
    return "\n".join([head, *map(_text_line, table_lines(kind, seen))])


def _text_line(line: Line) -> str:
    marks = {FACE_DOWN: HIDDEN_CARD, None: EMPTY_SPACE}
    cards = " ".join(f"{marks.get(card, card):>3}" for card in line.cards)
    return f"{line.title:<10}{cards}   {line.remark}".rstrip()


def table_lines(kind: type[Ruleset[Any]], seen: "View") -> list[Line]:
    """Return the table line by line: rows, waiting cards, then the seats."""
    position, furniture = seen.position, kind.furniture
    table = [_row_line(furniture, position, row) for row in range(len(position.rows))]
    if position.table:
        owners = " ".join("?" if played.seat < 0 else str(played.seat) for played in position.table)
        table.append(Line("to place", [played.card for played in position.table], f"of {owners}"))
    for seat, hand in enumerate(position.hands):
        points = position.points[seat] if seat < len(position.points) else 0
        says = [f"{points} this round, {position.scores[seat]} in all"]
        says += _lying(furniture, position, "seat", seat)
        table.append(Line(f"seat {seat}", hand, " ".join(says)))
    return table


def _row_line(furniture: Furniture, position: Any, row: int) -> Line:
    cards, notes = position.rows[row], _lying(furniture, position, "row", row)
    board = furniture.board
    if board is None:
        return Line(f"row {row + 1}", cards, " ".join(notes))
    printed = getattr(position, board.printed)[row]
    return Line(f"row {row + 1}", _on_spaces(position, board, row), " ".join((*printed, *notes)))


def _on_spaces(position: Any, board: BoardParts, row: int) -> list[Card | None]:
    """Return the tiles of a row on their spaces."""
    cells: list[Card | None] = [None] * len(getattr(position, board.printed)[row])
    for tile, space in zip(position.rows[row], getattr(position, board.spaces)[row], strict=True):
        cells[space] = tile
    return cells


def _lying(furniture: Furniture, position: Any, at: str, place: int) -> list[str]:
    notes = [marker_at(position, marker, place) for marker in furniture.markers if marker.at == at]
    return [f"[{note}]" for note in notes if note]


def marker_at(position: Any, marker: Marker, place: int) -> str:
    """Return what a marker says at a row or a seat, or nothing if it is not there.

    >>> from bullpen.engine.position import Position
    >>> marker_at(Position(2, trick=1), Marker("dog", "the dog", "trick"), 1)
    'the dog'
    """
    if marker.during and not getattr(position, marker.during):
        return ""
    held = getattr(position, marker.field)
    if marker.holds == "place":
        there = held == place
    elif marker.holds == "places":
        there = place in held
    else:
        there = marker.name in held[place] if marker.holds == "names" else bool(held[place])
    if not there:
        return ""
    side = marker.sides.get(str(getattr(position, marker.side)), "") if marker.side else ""
    return side or marker.title


def _other_cards(furniture: Furniture, position: Any) -> list[str]:
    """Return the other cards of the game: displays, special cards, piles to draw from."""
    held = [
        (f"{holding.title}{f', seat {seat}' if holding.each_seat else ''}", holding, cards)
        for holding in furniture.holdings
        for seat, cards in enumerate(_parts(position, holding))
    ]
    return [f"{title}: {cards_held(furniture, holding, cards)}" for title, holding, cards in held if cards]


def _parts(position: Any, holding: Holding) -> Sequence[Sequence[int | str]]:
    value = getattr(position, holding.field)
    return value if holding.each_seat else [value]


def cards_held(furniture: Furniture, holding: Holding, held: Sequence[int | str]) -> str:
    """Return cards as people say them; those that cannot be seen are only counted."""
    titles = {special.name: special.title for special in furniture.specials}
    hidden = sum(each in (FACE_DOWN, FACE_DOWN_NAME) for each in held)
    if held and (holding.counted or hidden == len(held)):
        return "1 card" if len(held) == 1 else f"{len(held)} cards"
    known = Counter(
        titles.get(str(each), str(each)) for each in held if each not in (FACE_DOWN, FACE_DOWN_NAME)
    )
    shown = [title if times == 1 else f"{times} × {title}" for title, times in known.items()]
    return ", ".join([*shown, *([f"{hidden} face down"] if hidden else [])])

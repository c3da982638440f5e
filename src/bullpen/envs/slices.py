"""The slices that not every game has: markers, holdings, boards and the like, each read from a view."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from bullpen.engine import FACE_DOWN, Card, Holding, Marker, Ruleset, Seat, View
from bullpen.envs.layout import CARDS, LONGEST_SPEECH, SHIFT, Layout

MOST = 255

Read: TypeAlias = Callable[[View], bytes]
"""Reads a slice, with seats counted from seat 0."""
Turn: TypeAlias = Callable[[bytes, Seat], bytes]
"""Counts the seats of a slice from a viewer instead."""


class Writer(NamedTuple):
    """How a slice is read from a view, and how its seats are counted from the viewer."""

    read: Read
    turn: Turn


def writers(rules: Ruleset[Any], layout: Layout) -> list[Writer]:
    """Return how to write the slices of a game behind those that all games have, in their order."""
    return [*_markers(rules), *_holdings(rules), *_others(rules, layout)]


# Turning.


def translation(viewer: Seat, players: int) -> bytes:
    """Return the translation of bytes that name seats into the same seats counted from the viewer."""
    table = bytearray(range(256))
    for seat in range(players):
        table[seat + 1] = (seat - viewer) % players + 1
    return bytes(table)


def _same(part: bytes, seat: Seat) -> bytes:  # noqa: ARG001 all turns take what one needs
    return part


def _turned(part: bytes, seat: Seat) -> bytes:
    return part[seat:] + part[:seat]


def _naming_seats(players: int) -> Turn:
    tables = [translation(viewer, players) for viewer in range(players)]
    return lambda part, seat: part.translate(tables[seat])


def _turned_by(width: int) -> Turn:
    return lambda part, seat: part[seat * width :] + part[: seat * width]


# Markers.


def _markers(rules: Ruleset[Any]) -> Iterator[Writer]:
    for marker in rules.furniture.markers:
        if marker.at == "row":
            yield Writer(marked(marker, rules.table_size()[0]), _same)
        else:
            turn = _naming_seats(rules.players) if marker.holds == "place" else _turned
            yield Writer(marked(marker, rules.players), turn)
        if marker.side:
            yield Writer(_side(marker), _same)


def marked(marker: Marker, places: int) -> Read:
    """Return how to read where a marker lies: 1 + the place, or for every place whether it lies there."""
    ways: dict[str, Callable[[Any], bytes]] = {
        "place": lambda held: bytes((held + 1,)),
        "places": lambda held: bytes(
            [held.index(place) + 1 if place in held else 0 for place in range(places)]
        ),
        "names": lambda held: bytes([names.count(marker.name) for names in held]).ljust(places, b"\0"),
        "flags": lambda held: bytes(map(bool, held)).ljust(places, b"\0"),
    }
    read, nowhere = ways[marker.holds], bytes(1 if marker.holds == "place" else places)

    def find(seen: View) -> bytes:
        idle = marker.during and not getattr(seen.position, marker.during)
        return nowhere if idle else read(getattr(seen.position, marker.field))

    return find


def _side(marker: Marker) -> Read:
    sides = {side: place + 1 for place, side in enumerate(marker.sides)}
    return lambda seen: bytes((sides[getattr(seen.position, marker.side)],))


# Holdings.


def _holdings(rules: Ruleset[Any]) -> Iterator[Writer]:
    names = {card.name: place for place, card in enumerate(rules.furniture.specials)}
    for holding in rules.furniture.holdings:
        width = len(names) if holding.specials else CARDS
        place = _place_of(names) if holding.specials else _place_of_number
        if holding.counted:
            yield Writer(_number_of(holding), _same)
        elif holding.each_seat:
            yield Writer(_held_by_seats(holding, place, width + 1), _turned_by(width + 1))
        else:
            yield Writer(_lying(holding, place, width), _same)


def _place_of_number(card: Card) -> int:
    return CARDS if card == FACE_DOWN else card - 1


def _place_of(names: dict[str, int]) -> Callable[[str], int]:
    """Return in which column a special card is counted; face-down ones in the last."""
    last = len(names)
    return lambda name: names.get(name, last)


def _number_of(holding: Holding) -> Read:
    return lambda seen: bytes((len(getattr(seen.position, holding.field)),))


def _held_by_seats(holding: Holding, place: Callable[[Any], int], width: int) -> Read:
    return lambda seen: b"".join(
        [_tally(map(place, cards), width) for cards in getattr(seen.position, holding.field)]
    )


def _lying(holding: Holding, place: Callable[[Any], int], width: int) -> Read:
    return lambda seen: _tally(map(place, getattr(seen.position, holding.field)), width)


def _tally(places: Iterable[int], width: int) -> bytes:
    tally = bytearray(width)
    for place in places:
        tally[place] += 1
    return bytes(tally)


# What else there is.


def _others(rules: Ruleset[Any], layout: Layout) -> list[Writer]:
    players = rules.players
    known = {
        "known": Writer(_known, _naming_seats(players)),
        "hand_sizes": Writer(lambda seen: _sizes(seen.position.hands, players), _turned),
        "pile_sizes": Writer(lambda seen: _sizes(seen.piles, players), _turned),
        "deck": Writer(lambda seen: bytes((len(seen.position.deck),)), _same),
        "round": Writer(lambda seen: bytes((min(seen.position.round, MOST),)), _same),
        "said": Writer(lambda seen: bytes(LONGEST_SPEECH), _same),  # noqa: ARG005 the observer fills it in
        **(_board(rules) if rules.furniture.board else {}),
    }
    return [known[part.name] for part in layout if part.name in known]


def _known(seen: View) -> bytes:
    """Return by card in whose hand everybody knows it to be."""
    known = bytearray(CARDS + 1)
    for seat, cards in enumerate(seen.position.known):
        for card in cards:
            known[card] = seat + 1
    return bytes(known[1:])


def _sizes(piles: Sequence[Sequence[Card]], players: int) -> bytes:
    return bytes([len(pile) for pile in piles][:players]).ljust(players, b"\0")


# Boards.


def _board(rules: Ruleset[Any]) -> dict[str, Writer]:
    board, (_, width) = rules.furniture.board, rules.table_size()
    assert board is not None
    kinds = {"": 0, **{kind.name: place + 1 for place, kind in enumerate(board.kinds)}}
    names = {card.name: place for place, card in enumerate(rules.furniture.specials)}
    field = board.printed

    def spaces(seen: View) -> list[str]:
        return [name for row in getattr(seen.position, field) for name in [*row, *[""] * (width - len(row))]]

    return {
        # A signed number is a space of points.
        "printed": Writer(
            lambda seen: bytes([kinds.get(name, kinds["points"]) for name in spaces(seen)]), _same
        ),
        "printed.points": Writer(lambda seen: bytes([SHIFT + _points(name) for name in spaces(seen)]), _same),
        "plan": Writer(lambda seen: _plan(seen, names), _same),
    }


def _points(name: str) -> int:
    return int(name) if name.startswith(("+", "-")) else 0


def _plan(seen: View, names: dict[str, int]) -> bytes:
    position: Any = seen.position
    if not position.table:
        return bytes(4)
    plan = position.turn.plan
    rows = [0 if row is None else row + 1 for row in (plan.ascending, plan.at_start)]
    return bytes((plan.skips, *rows, names[plan.luck] + 1 if plan.luck else 0))

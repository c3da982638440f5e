"""Observing: what a seat may know, written into the slices of `layout`, from views alone.

Most of an observation is the same for all seats. It is read once from what a spectator sees (`Shared`); the
rest comes from a seat's own view.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import Card, Ruleset, Seat, View
from bullpen.envs.layout import CARDS, SHIFT, layout_of, most_waiting
from bullpen.envs.slices import MOST, translation, writers

Observation: TypeAlias = NDArray[np.uint8]


class Shared(NamedTuple):
    """What every seat may know, as bytes; seats are still counted from seat 0."""

    head: bytes
    """Rows, counts and bullheads."""
    seen: bytes
    table: bytes
    """The waiting cards and their values."""
    owners: bytes
    question: bytes
    """The low card and the kind of question."""
    asked: bytes
    points: bytes
    scores: bytes
    trick: bytes


class Observer:
    """Writes the observations of one game."""

    def __init__(self, rules: Ruleset[Any]) -> None:
        self._rules = rules
        self.layout: Final = layout_of(rules)
        self._players = rules.players
        self._rows, self._width = rules.table_size()
        self._waiting = most_waiting(rules)
        self._kinds = {kind: place + 1 for place, kind in enumerate(rules.questions)}
        self._names_row = {kind for kind, asked in rules.questions.items() if asked.does in ("take", "join")}
        self._board = rules.furniture.board
        self._heads = rules.heads
        self._turns = [translation(seat, self._players) for seat in range(self._players)]
        self._more = writers(rules, self.layout)

    def share(self, seen: View) -> Shared:
        """Read what a spectator sees, which is what all seats see."""
        position = seen.position
        waiting = position.table[: self._waiting]
        asks = position.asks
        names_row = bool(asks) and asks[0].kind in self._names_row
        asked = bytearray(self._players)
        for ask in asks:
            for seat in ask.seats:
                asked[seat] = 1
        return Shared(
            head=self._head(seen),
            seen=_counted(_face_up(seen)),
            table=self._row([played.card for played in waiting]) + self._row([p.value for p in waiting]),
            owners=self._row([self._owner(played.seat) for played in waiting]),
            question=bytes(
                (int(asks[0].about[0]) if names_row else 0, self._kinds[asks[0].kind] if asks else 0)
            ),
            asked=bytes(asked),
            points=_clipped(position.points, self._players),
            scores=_clipped(
                [score + SHIFT for score in position.scores] if self._board else position.scores,
                self._players,
            ),
            trick=bytes((min(position.trick, MOST),)),
        )

    def _owner(self, seat: Seat) -> int:
        """Return 1 + the seat; the opponent of a team comes behind all seats."""
        return 1 + (seat if 0 <= seat < self._players else self._players)

    def _row(self, numbers: Sequence[int]) -> bytes:
        return bytes(numbers).ljust(self._waiting, b"\0")

    def _head(self, seen: View) -> bytes:
        """Write the rows, how many places of them are taken, and the bullheads in them."""
        rows = seen.rows[: self._rows]
        none = [0] * (self._rows - len(rows))
        if self._board is None:
            heads, cells = self._heads, [bytes(row[: self._width]) for row in rows]
        else:
            heads = getattr(seen.position, self._board.heads)
            cells = [
                _by_space(row, at) for row, at in zip(rows, _spaces(seen, self._board.spaces), strict=True)
            ]
        lying = b"".join([cell.ljust(self._width, b"\0") for cell in cells]).ljust(
            self._rows * self._width, b"\0"
        )
        counts = [len(set(row)) for row in rows]
        worth = [min(MOST, sum([heads[card] for card in row])) for row in rows]
        return lying + bytes((*counts, *none, *worth, *none))

    def write(self, shared: Shared, seen: View, said: Sequence[int] = ()) -> Observation:
        """Return the observation of the seat that this is the view of."""
        seat = seen.seat
        assert seat is not None
        turn = self._turns[seat]
        parts = [
            shared.head,
            _counted(seen.hand),
            shared.seen,
            shared.table,
            shared.owners.translate(turn),
            shared.question,
            shared.asked[seat:] + shared.asked[:seat],
            shared.points[seat:] + shared.points[:seat],
            shared.scores[seat:] + shared.scores[:seat],
            shared.trick,
            *[turn(read(seen), seat) for read, turn in self._more],
        ]
        observation = np.frombuffer(bytearray().join(parts), np.uint8)
        if said:
            place = self.layout["said"].offset
            observation[place : place + len(said)] = said
        return observation

    def __reduce__(self) -> tuple[Any, ...]:
        return Observer, (self._rules,)


def _counted(cards: Iterable[Card]) -> bytes:
    """Return how many there are of each card."""
    held = bytearray(CARDS + 1)
    for card in cards:
        held[card] += 1
    return bytes(held[1:])


def _face_up(seen: View) -> list[Card]:
    """Return the cards that are out of the hands and that everybody has seen."""
    position = seen.position
    cards = [*position.aside, *getattr(position, "taken", ()), *(played.card for played in position.table)]
    for row in position.rows:
        cards += row
    for pile in seen.piles:
        cards += pile
    return cards


def _clipped(numbers: Sequence[int], players: int) -> bytes:
    """Return numbers as bytes, cut where they do not fit."""
    return bytes([0 if number < 0 else min(number, MOST) for number in numbers]).ljust(players, b"\0")


def _by_space(row: Sequence[Card], spaces: Sequence[int]) -> bytes:
    cells = bytearray(max(spaces, default=-1) + 1)
    for card, space in zip(row, spaces, strict=True):
        cells[space] = card
    return bytes(cells)


def _spaces(seen: View, field: str) -> Sequence[Sequence[int]]:
    spaces: Sequence[Sequence[int]] = getattr(seen.position, field)
    return spaces

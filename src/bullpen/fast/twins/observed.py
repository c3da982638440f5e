"""What a seat may know as bytes, in games with a course of their own whose answers are one card or one row.

The bytes lie as `bullpen.envs.layout` says, which the same bytes made of the engine's views are held
against. A byte that names a seat counts from the viewer, and 0 is nobody, no row, no card.
"""

from typing import NamedTuple

import numpy as np

from bullpen.fast.compiled import Array, Int, kernel, rule
from bullpen.fast.rules import HEADS
from bullpen.fast.twins.state import CHOOSE_ROW, State, is_asked

CARDS, MOST = 104, 255


class Frame(NamedTuple):
    """How the observations of a game are laid out."""

    players: int
    rows: int
    places: int
    own: int
    """Bytes that only this game has, between the number of the trick and the cards that are known."""
    marker: int
    """The place in `State.own` of a seat that the first of them names; -1 where there is none."""

    @property
    def size(self) -> int:
        """The bytes of an observation."""
        return self.rows * (self.places + 2) + 3 * CARDS + 8 * self.players + 5 + self.own


@rule
def _at_hand(f: Frame) -> Int:
    return f.rows * (f.places + 2)


@rule
def _at_waiting(f: Frame) -> Int:
    return _at_hand(f) + 2 * CARDS


@rule
def _at_question(f: Frame) -> Int:
    return _at_waiting(f) + 3 * f.players


@rule
def _at_sizes(f: Frame) -> Int:
    return _at_question(f) + 3 + 3 * f.players + f.own + CARDS


@rule
def place_of(f: Frame, seat: Int, viewer: Int) -> Int:
    """Return the place of a seat, counted from the viewer's."""
    return seat - viewer if seat >= viewer else seat - viewer + f.players


@rule
def tell_rows(f: Frame, s: State, b: Int, out: Array) -> None:
    """Write the rows, how many places of them are taken, and the bullheads in them; their cards are seen."""
    counts, seen = f.rows * f.places, _at_hand(f) + CARDS - 1
    for row in range(f.rows):
        last: Int = 0
        for i in range(np.int64(s.counts[b, row])):
            card = np.int64(s.rows[b, row, i])
            out[row * f.places + i] = card
            out[counts + row] += card != last
            out[counts + f.rows + row] += HEADS[card]
            out[seen + card] += 1
            last = card


@rule
def tell_cards(f: Frame, s: State, b: Int, viewer: Int, out: Array) -> None:
    """Write the hand, and the cards that were taken, which are seen; and how many each seat has."""
    hand, seen, sizes = _at_hand(f) - 1, _at_hand(f) + CARDS - 1, _at_sizes(f)
    for i in range(np.int64(s.held[b, viewer])):
        out[hand + s.hands[b, viewer, i]] += 1
    for seat in range(f.players):
        out[sizes + place_of(f, seat, viewer)] = s.held[b, seat]
    for i in range(np.int64(s.logged[b])):
        out[seen + s.taken[b, i]] += 1
        if s.takers[b, i] < f.players:
            out[sizes + f.players + place_of(f, np.int64(s.takers[b, i]), viewer)] += 1
    out[sizes + 2 * f.players] = min(s.deck.shape[1] - np.int64(s.drawn[b]), MOST)


@rule
def tell_waiting(f: Frame, s: State, b: Int, viewer: Int, out: Array) -> None:
    """Write the cards that wait to be placed, what they are placed by, and whose they are."""
    at, seen = _at_waiting(f), _at_hand(f) + CARDS - 1
    placed = np.int64(s.placed[b])
    for i in range(np.int64(s.laid[b]) - placed):
        card = np.int64(s.waits[b, placed + i, 0])
        out[at + i] = out[at + f.players + i] = card
        out[at + 2 * f.players + i] = 1 + place_of(f, np.int64(s.waits[b, placed + i, 1]), viewer)
        out[seen + card] += 1


@rule
def tell_seats(f: Frame, s: State, b: Int, viewer: Int, kinds: Array, out: Array) -> None:
    """Write what is asked and of whom, what each seat has paid, and the number of the trick."""
    at = _at_question(f)
    out[at] = s.waits[b, s.placed[b], 0] if s.kind[b] == CHOOSE_ROW else 0
    out[at + 1] = kinds[s.kind[b]]
    for seat in range(f.players):
        to = at + 2 + place_of(f, seat, viewer)
        out[to] = is_asked(s, b, seat)
        out[to + f.players] = min(s.points[b, seat], MOST)
        out[to + 2 * f.players] = min(s.scores[b, seat], MOST)
    out[at + 2 + 3 * f.players] = min(s.trick[b], MOST)
    if f.marker >= 0:
        out[at + 3 + 3 * f.players] = 1 + place_of(f, np.int64(s.own[b, f.marker]), viewer)


@kernel
def tell_games(f: Frame, s: State, first: int, rounds: Array, kinds: Array, where: Array, out: Array) -> None:
    """Write what the seats from `first` on may know of the games named by the mask."""
    for b in range(where.size):
        if where[b]:
            for k in range(out.shape[1]):
                seen = out[b, k]
                seen[:] = 0
                tell_rows(f, s, b, seen)
                tell_cards(f, s, b, first + k, seen)
                tell_waiting(f, s, b, first + k, seen)
                tell_seats(f, s, b, first + k, kinds, seen)
                seen[seen.size - 1] = min(rounds[b], MOST)

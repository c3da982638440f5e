"""What lies on the tables of many games, and the verbs that most games share. For the CPU and CUDA alike.

A *choice* is a number: a card, `ROW` + row (counted from 0), `PASS`, or two cards at once, low << 7 | high. A
game adds numbers of its own where it needs them.
"""

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bullpen.fast.chance import U, deal
from bullpen.fast.compiled import Array, Int, rule
from bullpen.fast.rules import FAR, HEADS, NOWHERE

ROW = 240
PASS = 127
PAIRS = 105 << 7
"""All pairs are below this number."""
ASIDE = 255
"""The taker of cards that have left the round and belong to nobody."""
FULL = 5

OVER, CARD, CHOOSE_ROW = range(3)
"""The kinds of question that most games have; a game counts its own from OTHERS on."""
OTHERS = 3


class State(NamedTuple):
    """Many games; every array has the game as its first axis, and lies over `memory`.

    The verbs below take a game as `s` and `b`. For the CPU that is a record, `games[b]`, and 0: one address,
    and all distances known, where the arrays would be a hundred numbers to hand on. A device has the arrays.
    """

    memory: Array
    """uint64 [B, words]: all that follows, game by game."""
    rows: Array
    """uint8 [B, rows, places]: the cards of each row from left to right."""
    counts: Array
    """uint8 [B, rows]: the number of cards in each row."""
    hands: Array
    """uint8 [B, n, most]: the hands, ascending."""
    held: Array
    """uint8 [B, n]: the number of cards in each hand."""
    known: Array
    """uint8 [B, n, most]: cards of the hands that everybody saw going there; [B, n, 0] where none do."""
    knows: Array
    """uint8 [B, n]: how many of them there are."""
    waits: Array
    """uint8 [B, most, 2]: the cards of the trick and their owners, in the order of placing."""
    laid: Array
    """uint8 [B]: how many of them there are."""
    placed: Array
    """uint8 [B]: how many of them lie in rows."""
    taken: Array
    """uint8 [B, most]: the cards that have left the rows, in order."""
    takers: Array
    """uint8 [B, most]: the seat that took each of them, or ASIDE."""
    logged: Array
    """uint8 [B]: how many of them there are."""
    deck: Array
    """uint8 [B, most]: the shuffled deck."""
    drawn: Array
    """uint8 [B]: how many of its cards have been drawn."""
    points: Array
    """int16 [B, n]: what the round has cost each seat so far."""
    scores: Array
    """int32 [B, n]: the points of the finished rounds."""
    asked: Array
    """uint16 [B]: the seats that must answer now, as bits; none when the round is over."""
    kind: Array
    """uint8 [B]: the kind of question."""
    trick: Array
    """int32 [B]: the number of the trick, from 1."""
    own: Array
    """int16 [B, most]: what only this game has; its module says what."""
    states: Array
    """uint64 [B]: the random streams."""
    games: Array
    """[B]: the same memory as records, whose arrays are those above with one game each."""


Fields: TypeAlias = dict[str, tuple[type, tuple[int, ...]]]
"""The type and the shape of each array of one game."""


class Room(NamedTuple):
    """How much room a game needs."""

    deck: int = 104
    hand: int = 10
    waits: int = 10
    own: int = 0
    rows: int = 4
    places: int = 5
    known: int = 0
    options: int = 16
    """The most answers that a question can have."""
    numbers: int = 256
    """All choices are below this number."""

    def fields(self, players: int) -> Fields:
        """Return the type and the shape of each array of a state.

        What every question touches comes first and lies close together, since memory is read line by line.
        """
        return {
            "asked": (np.uint16, ()),
            "kind": (np.uint8, ()),
            "laid": (np.uint8, ()),
            "placed": (np.uint8, ()),
            "counts": (np.uint8, (self.rows,)),
            "rows": (np.uint8, (self.rows, self.places)),
            "waits": (np.uint8, (self.waits, 2)),
            "held": (np.uint8, (players,)),
            "knows": (np.uint8, (players,)),
            "own": (np.int16, (self.own,)),
            "points": (np.int16, (players,)),
            "trick": (np.int32, ()),
            "logged": (np.uint8, ()),
            "drawn": (np.uint8, ()),
            "hands": (np.uint8, (players, self.hand)),
            "known": (np.uint8, (players, self.known)),
            "taken": (np.uint8, (self.deck,)),
            "takers": (np.uint8, (self.deck,)),
            "scores": (np.int32, (players,)),
            "deck": (np.uint8, (self.deck,)),
            "states": (np.uint64, ()),
        }


WORD = 8


def offsets(fields: Fields) -> tuple[dict[str, int], int]:
    """Return where each array begins in the memory of a game, in bytes, and the words of that memory."""
    places: dict[str, int] = {}
    end = 0
    for name, (kind, shape) in fields.items():
        places[name] = end
        size = np.dtype(kind).itemsize * int(np.prod(shape, dtype=np.int64))
        end += -(-size // WORD) * WORD
    return places, end // WORD


def strides_of(kind: type, shape: tuple[int, ...], words: int) -> tuple[int, ...]:
    """Return how far apart in memory neighbours are, along each axis of an array of all games."""
    steps = [np.dtype(kind).itemsize]
    for count in reversed(shape[1:]):
        steps.append(steps[-1] * count)
    return (WORD * words, *reversed(steps)) if shape else (WORD * words,)


def record_type(fields: Fields, places: dict[str, int], words: int) -> np.dtype[Any]:
    """Return a game as a record: every array with that one game as its first axis."""
    return np.dtype(
        {
            "names": list(fields),
            "formats": [(of, (1, *shape)) for of, shape in fields.values()],
            "offsets": [places[name] for name in fields],
            "itemsize": WORD * words,
        }
    )


def new_state(own: Fields, widest: Fields, size: int) -> State:
    """Return the memory of that many games, all of it zero, the arrays over it, and the records.

    Records are of the widest fields that a game can have, and therefore of one type, arrays of those that it
    has. A spare game lies behind the last one: arrays of one game would have another type.
    """
    places, words = offsets(widest)
    memory = np.zeros((size + 1, words), np.uint64)
    arrays = {
        name: np.ndarray((size + 1, *shape), of, memory, places[name], strides_of(of, shape, words))
        for name, (of, shape) in own.items()
    }
    games = memory.reshape(-1).view(record_type(widest, places, words))
    return State(memory=memory, games=games, **arrays)


def arrays_of(s: Any) -> dict[str, Any]:
    """Return every array of all games by name, also those that a game has in its records only."""
    if "games" not in s._fields:  # by themselves already
        return dict(s._asdict())
    names = s.games.dtype.names
    return {name: getattr(s, name) if name in s._fields else s.games[name][:, 0] for name in names}


def by_themselves(s: State, copy: Callable[[Array], Array]) -> Any:
    """Return copies of all arrays as a device has them: without memory that they share, and without records.

    The verbs take what is returned as they take a `State`.
    """
    arrays = {name: copy(array) for name, array in arrays_of(s).items()}
    return _arrays_type(tuple(arrays))(**arrays)


@cache
def _arrays_type(names: tuple[str, ...]) -> Any:
    """Return a named tuple; it is the same for the same names, so that kernels are compiled once."""
    return namedtuple("Arrays", names)  # noqa: PYI024  the names are told when it is made


# Hands.


@rule
def insert_card(s: State, b: Int, seat: Int, card: Int) -> None:
    """Sort a card into a hand."""
    at = np.int64(s.held[b, seat])
    while at > 0 and s.hands[b, seat, at - 1] > card:
        s.hands[b, seat, at] = s.hands[b, seat, at - 1]
        at -= 1
    s.hands[b, seat, at] = card
    s.held[b, seat] += 1


@rule
def holds(s: State, b: Int, seat: Int, card: Int) -> Int:
    """Whether a card is in a hand."""
    found: Int = False
    for i in range(np.int64(s.held[b, seat])):
        found |= s.hands[b, seat, i] == card
    return found


@rule
def leave_hand(s: State, b: Int, seat: Int, card: Int) -> None:
    """Take a card out of a hand."""
    left = np.int64(s.held[b, seat]) - 1
    at = left
    last = np.int64(s.hands[b, seat, left])
    while last != card:
        at -= 1
        before = np.int64(s.hands[b, seat, at])
        s.hands[b, seat, at] = last
        last = before
    s.held[b, seat] = left


@rule
def know(s: State, b: Int, seat: Int, card: Int) -> None:
    """Note that everybody saw this card going into a hand."""
    s.known[b, seat, s.knows[b, seat]] = card
    s.knows[b, seat] += 1


@rule
def forget(s: State, b: Int, seat: Int, card: Int) -> None:
    """Note that a card has left a hand, if it was known to be there."""
    count = np.int64(s.knows[b, seat])
    for i in range(count):
        if s.known[b, seat, i] == card:
            for j in range(i, count - 1):
                s.known[b, seat, j] = s.known[b, seat, j + 1]
            s.knows[b, seat] = count - 1
            return


@rule
def deal_hands(players: Int, s: State, b: Int, size: Int) -> None:
    """Deal that many cards to each seat from the top of the deck."""
    for seat in range(players):
        for _ in range(size):
            insert_card(s, b, seat, s.deck[b, s.drawn[b]])
            s.drawn[b] += 1


@rule
def list_hand(s: State, b: Int, seat: Int, out: Array) -> Int:
    """List the cards of a hand."""
    count = np.int64(s.held[b, seat])
    for i in range(count):
        out[i] = s.hands[b, seat, i]
    return count


@rule
def list_pairs(s: State, b: Int, seat: Int, out: Array) -> Int:
    """List all pairs of cards of a hand, the lower one first."""
    count = 0
    for i in range(np.int64(s.held[b, seat])):
        for j in range(i + 1, np.int64(s.held[b, seat])):
            out[count] = np.int64(s.hands[b, seat, i]) << 7 | np.int64(s.hands[b, seat, j])
            count += 1
    return count


@rule
def list_rows(count: Int, out: Array) -> Int:
    """List all rows."""
    for row in range(count):
        out[row] = ROW + row
    return count


@rule
def is_among(options: Array, count: Int, choice: Int) -> Int:
    """Whether a choice is among those listed."""
    found: Int = False
    for i in range(count):
        found |= options[i] == choice
    return found


# The start of a round.


@rule
def clear_table(players: Int, s: State, b: Int) -> None:
    """Put every card back."""
    s.laid[b] = s.placed[b] = s.logged[b] = s.drawn[b] = 0
    s.trick[b] = 1
    for row in range(s.counts.shape[1]):
        s.counts[b, row] = 0
    for seat in range(players):
        s.held[b, seat] = s.knows[b, seat] = 0
        s.points[b, seat] = 0


@rule
def shuffle(s: State, b: Int, size: Int, count: Int) -> None:
    """Mix the deck, of which the first `count` cards will be needed."""
    s.states[b] = deal(s.deck[b], U(size), s.deck[b], U(count), s.states[b])


@rule
def start_rows(s: State, b: Int) -> None:
    """The next cards start the rows as they are turned up (BASE-8)."""
    for row in range(4):
        s.rows[b, row, 0] = s.deck[b, s.drawn[b]]
        s.counts[b, row] = 1
        s.drawn[b] += 1


# Questions.


@rule
def ask(s: State, b: Int, seat: Int, kind: Int) -> None:
    """Ask one seat."""
    s.asked[b] = 1 << seat
    s.kind[b] = kind


@rule
def ask_everybody(players: Int, s: State, b: Int, kind: Int) -> None:
    """Ask all seats at the same time."""
    s.asked[b] = (1 << players) - 1
    s.kind[b] = kind


@rule
def is_asked(s: State, b: Int, seat: Int) -> Int:
    """Whether a seat must answer now."""
    return (np.int64(s.asked[b]) >> seat) & 1


@rule
def the_asked(s: State, b: Int) -> Int:
    """Return the lowest seat that must answer."""
    seat = 0
    while not is_asked(s, b, seat):
        seat += 1
    return seat


@rule
def end_round(players: Int, s: State, b: Int) -> None:
    """Write the points down."""
    for seat in range(players):
        s.scores[b, seat] += s.points[b, seat]
    s.asked[b] = 0
    s.kind[b] = OVER


# Placing: the rules of the base game.


@rule
def lay(s: State, b: Int, seat: Int, card: Int) -> None:
    """Lay a card on the table, behind those that wait there."""
    s.waits[b, s.laid[b], 0] = card
    s.waits[b, s.laid[b], 1] = seat
    s.laid[b] += 1


@rule
def line_up(s: State, b: Int) -> None:
    """Sort the cards on the table, the lowest first."""
    for i in range(1, np.int64(s.laid[b])):
        card, seat = s.waits[b, i, 0], s.waits[b, i, 1]
        at = i
        while at > 0 and s.waits[b, at - 1, 0] > card:
            s.waits[b, at, 0], s.waits[b, at, 1] = s.waits[b, at - 1, 0], s.waits[b, at - 1, 1]
            at -= 1
        s.waits[b, at, 0], s.waits[b, at, 1] = card, seat


@rule
def clear_waits(s: State, b: Int) -> None:
    """All cards of the trick lie in rows."""
    s.laid[b] = s.placed[b] = 0


@rule
def row_end(s: State, b: Int, row: Int) -> Int:
    """Return the last card of a row."""
    return np.int64(s.rows[b, row, np.int64(s.counts[b, row]) - 1])


@rule
def row_for(s: State, b: Int, card: Int) -> Int:
    """Return the row with the highest end below the card; NOWHERE for a low card."""
    best = NOWHERE
    nearest: Int = 0
    for row in range(4):
        end = row_end(s, b, row)
        if nearest < end < card:
            best = row
            nearest = end
    return best


@rule
def heads_of(s: State, b: Int, row: Int) -> Int:
    """Return the bullheads in a row."""
    worth: Int = 0
    for i in range(np.int64(s.counts[b, row])):
        worth += np.int64(HEADS[s.rows[b, row, i]])
    return worth


@rule
def cheapest_row(s: State, b: Int) -> Int:
    """Return the row with the fewest bullheads, the topmost of equals."""
    best: Int = 0
    least: Int = FAR
    for row in range(4):
        worth = heads_of(s, b, row)
        if worth < least:
            best, least = row, worth
    return best


@rule
def append(s: State, b: Int, row: Int, card: Int) -> None:
    """Put a card at the end of a row."""
    s.rows[b, row, s.counts[b, row]] = card
    s.counts[b, row] += 1


@rule
def pick_up(s: State, b: Int, row: Int, taker: Int) -> None:
    """Move the cards of a row to a bull pile, or aside."""
    at = np.int64(s.logged[b])
    count = np.int64(s.counts[b, row])
    for i in range(count):
        s.taken[b, at + i] = s.rows[b, row, i]
        s.takers[b, at + i] = taker
    s.logged[b] = at + count
    s.counts[b, row] = 0


@rule
def take(s: State, b: Int, row: Int) -> None:
    """The owner of the next card takes a row, which that card starts again."""
    at = np.int64(s.placed[b])
    seat = np.int64(s.waits[b, at, 1])
    s.points[b, seat] += heads_of(s, b, row)
    pick_up(s, b, row, seat)
    append(s, b, row, s.waits[b, at, 0])
    s.placed[b] = at + 1


@rule
def place_one(s: State, b: Int) -> Int:
    """Place the next card on the table; False if it fits no row and its owner was asked for one."""
    at = np.int64(s.placed[b])
    card = np.int64(s.waits[b, at, 0])
    row = row_for(s, b, card)
    if row == NOWHERE:
        ask(s, b, np.int64(s.waits[b, at, 1]), CHOOSE_ROW)
        return False
    if s.counts[b, row] >= FULL:
        take(s, b, row)
    else:
        append(s, b, row, card)
        s.placed[b] = at + 1
    return True


@rule
def place_waiting(s: State, b: Int) -> Int:
    """Place all cards on the table in order; False if an owner must name a row first."""
    while s.placed[b] < s.laid[b]:
        if not place_one(s, b):
            return False
    clear_waits(s, b)
    return True

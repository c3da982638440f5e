"""What an observation holds, and where: one flat array of bytes with named slices.

`layout(game, players)` says which slices there are. Seats are counted from the viewer: place 0 is the
viewer, place 1 the left-hand neighbour, and so on; where a byte names a seat it is 1 + that place, 0 being
nobody (and players + 1 the opponent of a team). A row, a kind of question, a side of a marker is likewise 1
+ its place, 0 being none. Cards are their numbers, 0 being none; a set of cards is 104 bytes, card c at c -
1, each saying how many of it there are (more than one only in Double). Numbers that do not fit a byte are
cut at 255; a slice with a `shift` holds signed numbers with 128 added.

Every game has, in this order:

| slice | shape | holds |
|---|---|---|
| `rows` | rows × width | the cards of each row from left to right (on boards: by space) |
| `counts` | rows | how many places of each row are taken: its cards, twins counting once |
| `bullheads` | rows | the bullheads (on boards: oxen) in each row |
| `hand` | 104 | the viewer's hand |
| `seen` | 104 | cards out of the hands and face up: in rows, on the table, aside, or in piles as remembered |
| `table` | waiting | revealed cards still to be placed, the next first |
| `values` | waiting | the values they are placed by (their numbers, unless flipped) |
| `owners` | waiting | whose they are |
| `low_card` | 1 | the card whose owner has to name a row now |
| `question` | 1 | the kind of the open question, in the order of the ruleset's `questions` |
| `asked` | players | who is asked now |
| `points` | players | what the running round has cost so far |
| `scores` | players | the finished rounds (on boards: the score track, shifted) |
| `trick` | 1 | the number of the trick |

Then `mark.NAME` (and `mark.NAME.side`) for every marker of its furniture, `held.FIELD` for every holding.
Games in which cards are seen going into hands have `known`: by card, in whose hand everybody knows it to
be. All games but the nine of one card a trick have `hand_sizes`, `pile_sizes`, `deck` (how many cards are
left) and `round`, and where a choice has several parts `said`: the numbers that the viewer has said of
it so far. Boards have `printed`, `printed.points` and `plan`.

When an episode is over nobody is asked: `question`, `asked`, `low_card` and `table` are 0, `points` are
those of the last round, and `scores` include them. A batch that deals the hands of Logic or the tournament
has no draft: there `known`, `held.display` and `mark.first` are 0.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import Holding, Marker, OptionValue, Ruleset
from bullpen.envs.actions import FULL, TWIN, action_count
from bullpen.rulesets import make

CARDS = 104
SHIFT = 128
LONGEST_SPEECH = 8
"""Room for what a seat has said of a choice: all cards of a row that are kept, one by one."""


class Slice(NamedTuple):
    """A named part of an observation: where it lies, its shape, and what its bytes say."""

    name: str
    offset: int
    shape: tuple[int, ...]
    meaning: str
    shift: int = 0
    """What was added to signed numbers."""
    dtype: str = "uint8"

    @property
    def length(self) -> int:
        """The number of bytes."""
        return prod(self.shape)

    @property
    def place(self) -> slice:
        """The part of the array, to index it with."""
        return slice(self.offset, self.offset + self.length)


class Layout:
    """The slices of a game's observations, in order.

    >>> base = layout("base", 4)
    >>> base.size, base["hand"].offset, base["hand"].shape
    (263, 28, (104,))
    >>> [part.name for part in layout("even-odd", 2)][-2:]
    ['mark.even-odd', 'mark.even-odd.side']
    """

    def __init__(self, game: str, players: int, slices: tuple[Slice, ...]) -> None:
        self.game: Final = game
        self.players: Final = players
        self.slices: Final = slices
        self.size: Final = sum(part.length for part in slices)
        self._named = {part.name: part for part in slices}

    def __iter__(self) -> Iterator[Slice]:
        return iter(self.slices)

    def __contains__(self, name: str) -> bool:
        return name in self._named

    def __getitem__(self, name: str) -> Slice:
        return self._named[name]

    def read(self, observation: NDArray[np.uint8]) -> dict[str, NDArray[np.int64]]:
        """Return an observation, or several along leading axes, slice by slice, without shifts."""
        lead = observation.shape[:-1]
        return {
            part.name: observation[..., part.place].reshape(*lead, *part.shape).astype(np.int64) - part.shift
            for part in self.slices
        }


class _Part(NamedTuple):
    """A slice that has no place yet."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    shift: int = 0


def layout(game: str, players: int, options: Mapping[str, OptionValue] | None = None) -> Layout:
    """Return which slices the observations of a game have."""
    return layout_of(make(game, players, options))


def layout_of(rules: Ruleset[Any]) -> Layout:
    """Return which slices the observations of these rules have."""
    return _laid_out(rules.id, rules.players, tuple(_parts(rules)))


@lru_cache(maxsize=256)
def _laid_out(game: str, players: int, parts: tuple[_Part, ...]) -> Layout:
    slices, offset = [], 0
    for part in parts:
        slices.append(Slice(part.name, offset, part.shape, part.meaning, part.shift))
        offset += prod(part.shape)
    return Layout(game, players, tuple(slices))


def most_waiting(rules: Ruleset[Any]) -> int:
    """Return how many revealed cards an observation has room for."""
    furniture = rules.furniture
    second_card = any(question.does == "lay" and question.passing for question in rules.questions.values())
    each = 2 if furniture.pairs or second_card else 1
    # Action cards let a seat lay further tiles; a team's opponent has a card of its own.
    more = 4 if any(card.name == "another" for card in furniture.specials) else 0
    return each * rules.players + more + (furniture.team is not None)


def _parts(rules: Ruleset[Any]) -> Iterator[_Part]:
    yield from _common(rules)
    for marker in rules.furniture.markers:
        yield from _marker(rules, marker)
    for holding in rules.furniture.holdings:
        yield _holding(rules, holding)
    if rules.id not in TWIN or rules.id == "logic":
        yield _Part("known", (CARDS,), "by card, in whose hand everybody knows it to be")
    if rules.id not in TWIN:
        yield from _beyond_the_twin(rules)
    if rules.furniture.board is not None:
        yield from _board(rules)


def _common(rules: Ruleset[Any]) -> Iterator[_Part]:
    (rows, width), players, waiting = rules.table_size(), rules.players, most_waiting(rules)
    on_board = rules.furniture.board is not None
    yield _Part("rows", (rows, width), "the cards of each row from left to right" + " (by space)" * on_board)
    yield _Part("counts", (rows,), "how many places of each row are taken")
    yield _Part("bullheads", (rows,), "the oxen in each row" if on_board else "the bullheads in each row")
    yield _Part("hand", (CARDS,), "the viewer's hand")
    yield _Part("seen", (CARDS,), "cards out of the hands and face up, or taken and remembered")
    yield _Part("table", (waiting,), "revealed cards still to be placed, the next first")
    yield _Part("values", (waiting,), "the values they are placed by")
    yield _Part("owners", (waiting,), "whose they are")
    yield _Part("low_card", (1,), "the card whose owner has to name a row now")
    yield _Part("question", (1,), "the kind of the open question: " + ", ".join(rules.questions))
    yield _Part("asked", (players,), "who is asked now")
    yield _Part("points", (players,), "what the running round has cost so far")
    yield _Part("scores", (players,), "the score so far", SHIFT if on_board else 0)
    yield _Part("trick", (1,), "the number of the trick")


def _marker(rules: Ruleset[Any], marker: Marker) -> Iterator[_Part]:
    places = rules.table_size()[0] if marker.at == "row" else rules.players
    shape = (1,) if marker.holds == "place" else (places,)
    yield _Part(f"mark.{marker.name}", shape, f"{marker.title}: {marker.holds} at the {marker.at}s")
    if marker.side:
        yield _Part(f"mark.{marker.name}.side", (1,), "the side it shows: " + ", ".join(marker.sides))


def _holding(rules: Ruleset[Any], holding: Holding) -> _Part:
    kinds = len(rules.furniture.specials) if holding.specials else CARDS
    if holding.counted:
        shape: tuple[int, ...] = (1,)
    elif holding.each_seat:
        shape = (rules.players, kinds + 1)
    else:
        shape = (kinds,)
    back = ", face-down ones in the last column" if len(shape) == 2 else ""
    return _Part(f"held.{holding.field}", shape, f"{holding.title}: how many of each{back}")


def _beyond_the_twin(rules: Ruleset[Any]) -> Iterator[_Part]:
    yield _Part("hand_sizes", (rules.players,), "how many cards each seat holds")
    yield _Part("pile_sizes", (rules.players,), "how many cards lie in each bull pile")
    yield _Part("deck", (1,), "how many cards are left")
    yield _Part("round", (1,), "the number of the round")
    if rules.furniture.pairs or action_count(rules) == FULL:
        yield _Part("said", (LONGEST_SPEECH,), "the numbers that the viewer has said of a choice so far")


def _board(rules: Ruleset[Any]) -> Iterator[_Part]:
    board = rules.furniture.board
    assert board is not None
    kinds = ", ".join(kind.name for kind in board.kinds)
    yield _Part("printed", rules.table_size(), f"the kind of each space: {kinds}")
    yield _Part("printed.points", rules.table_size(), "the points on each space", SHIFT)
    yield _Part(
        "plan", (4,), "cards played for the next tile: skips, ascending row, start of a row, luck card"
    )

"""The printed parts of the board game as data: both boards, the oxen on the tiles, the clovers, the cards.

The rulebook shows them in pictures only, so they are a file that anybody can replace (BRD-1). It is read
here and checked in `check`; `own` names the boards of this package, which we designed ourselves.
"""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct, field

from bullpen.engine import BadOption
from bullpen.engine.misread import misread

OWN = "own"
"""The value of `board.data` that means the boards of this package."""

LARGEST = 100_000
"""No board file is as long as this; whatever is longer is something else."""

ACTIONS = {
    "Stop!": "stop",
    "Tile exchange": "exchange",
    "Skip": "skip",
    "Place at the start": "start",
    "Place in ascending order": "ascending",
    "Play another tile": "another",
}
"""The action cards: their printed names and the short ones that choices are written with."""

LUCK = {"5 positive points": "plus-five", "Positive ox": "positive-ox"}
"""The luck cards, likewise."""

Rows: TypeAlias = tuple[tuple[str, ...], ...]


class BadBoard(BadOption):
    """A board file cannot be read or breaks a constraint; the sentence says where."""


class BoardData(Struct, frozen=True):
    """What is printed on the parts of the board game.

    `oxen[0]` is unused, so that a tile's oxen are found by its number.
    """

    oxen: tuple[int, ...]
    basic: Rows
    expert: Rows
    clovers: tuple[int, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    """How many there are of each card, by short name."""


class Side(Struct, frozen=True):
    """One side of the board as it is written in a file: rows from the top, spaces from the left."""

    rows: Rows


class Track(Struct, frozen=True):
    """The score track as it is written in a file."""

    min: int
    max: int
    clovers: tuple[int, ...]
    start: int = 0


class Cards(Struct, frozen=True):
    """The numbers of cards as they are written in a file, by printed or short name."""

    actions: dict[str, int]
    luck: dict[str, int]


class BoardFile(Struct, frozen=True):
    """A board file as it is written; unknown entries, such as remarks, are left alone."""

    tiles: dict[str, int]
    board_basic: Side
    board_expert: Side
    track: Track
    cards: Cards

    def data(self) -> BoardData:
        """Return the checked file as the rules use it."""
        return BoardData(
            oxen=(0, *(self.tiles[str(tile)] for tile in range(1, 101))),
            basic=self.board_basic.rows,
            expert=self.board_expert.rows,
            clovers=tuple(sorted(self.track.clovers)),
            counts={**short_names(self.cards.actions, ACTIONS), **short_names(self.cards.luck, LUCK)},
        )


def short_names(counts: Mapping[str, int], names: Mapping[str, str]) -> dict[str, int]:
    """Return the counts under the short names of the cards.

    >>> short_names({"Positive ox": 6}, LUCK)
    {'positive-ox': 6}
    """
    return {names.get(name, name): count for name, count in counts.items()}


def read_source(source: str) -> tuple[str, str]:
    """Return a board's name for error messages and its text; a text that is JSON is its own source."""
    if source == OWN:
        return OWN, (resources.files("bullpen.rulesets.boards") / "board.json").read_text("utf-8")
    if source.lstrip().startswith("{"):
        return "the board text", source
    path = Path(source)
    try:
        if not path.is_file():
            raise BadBoard(f"There is no board file {source[:200]!r}.")
        if path.stat().st_size > LARGEST:
            raise BadBoard(f"{path.name} is too long for a board file.")
        return path.name, path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise BadBoard(f"The board file {source[:200]!r} cannot be read.") from error


def decode(name: str, text: str) -> BoardFile:
    """Return the file that a text holds, not checked yet."""
    try:
        return msgspec.json.decode(text, type=BoardFile)
    except msgspec.DecodeError as error:
        raise BadBoard(f"{name} is not a board file: {misread(error)}.") from error


def encode(file: BoardFile) -> str:
    """Return a board file as one line of text, which can stand for the file in the options of a game."""
    return msgspec.json.encode(file).decode()

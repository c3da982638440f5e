"""What a board file must keep: the constraints that the rulebook's text and examples put on it.

D9, D18 and D19 hold only if the examples show one board in consecutive tricks, and D17 (ten rows) comes from
elsewhere: a file that breaks one of the first three is played with a warning. Our own boards keep them all.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from os import PathLike, fspath

from msgspec import Struct

from bullpen.engine import HEADS
from bullpen.rulesets.boards.data import (
    ACTIONS,
    LUCK,
    BadBoard,
    BoardData,
    BoardFile,
    Rows,
    decode,
    encode,
    read_source,
    short_names,
)
from bullpen.rulesets.boards.spaces import BASIC_NAMES, EXPERT_NAMES, TAKE_NAMES, is_points

OXEN = {1, 2, 3, 5}
TRACK_END = 44


class Constraint(Struct, frozen=True):
    """A numbered demand on the data: what it says, and which places of a file break it.

    A soft one is a guess: whoever owns the printed board may know better.
    """

    number: str
    says: str
    broken: Callable[[BoardFile], Iterator[str]]
    soft: bool = False


def _tile(value: int | str) -> str:
    return f"tiles, row {value}"


def _row(side: str, index: int) -> str:
    return f"board_{side}, row {index + 1}"


def _sides(file: BoardFile) -> list[tuple[str, Rows]]:
    return [("basic", file.board_basic.rows), ("expert", file.board_expert.rows)]


def _faces(file: BoardFile) -> Iterator[str]:
    wanted = {str(value) for value in range(1, 101)}
    yield from (_tile(value) for value in sorted(file.tiles.keys() ^ wanted))
    yield from (_tile(value) for value, oxen in file.tiles.items() if oxen not in OXEN)
    if not set(file.tiles.values()) >= OXEN:
        yield "tiles"


def _oxen(value: int, oxen: int) -> Callable[[BoardFile], Iterator[str]]:
    return lambda file: iter([] if file.tiles.get(str(value)) == oxen else [_tile(value)])


def _eight(file: BoardFile) -> Iterator[str]:
    if sum(file.tiles.get(tile, 0) for tile in ("15", "18", "19")) != 8:
        yield "tiles, rows 15, 18 and 19"


def _card_function(file: BoardFile) -> Iterator[str]:
    known = (15, 18, 19, 22, 23, 83)
    if all(file.tiles.get(str(value)) == HEADS[value] for value in known):
        yield "tiles"


def _last_spaces(file: BoardFile) -> Iterator[str]:
    for side, rows in _sides(file):
        for index, row in enumerate(rows):
            takes = [place for place, space in enumerate(row) if space in TAKE_NAMES]
            if len(row) < 2 or takes != [len(row) - 1]:
                yield _row(side, index)


def _known_spaces(file: BoardFile) -> Iterator[str]:
    for (side, rows), names in zip(_sides(file), (BASIC_NAMES, EXPERT_NAMES), strict=True):
        for index, row in enumerate(rows):
            if not all(space in names or is_points(space) for space in row):
                yield _row(side, index)


def _listed_spaces(file: BoardFile) -> Iterator[str]:
    """Every sort of space that the book lists for a side is somewhere on it."""
    for (side, rows), more in zip(
        _sides(file), ((), ("take_tiles", "draw_tile", "draw_action")), strict=True
    ):
        found = {_sort_of(space) for row in rows for space in row}
        missing = {"blank", "double", "green", "red", "points", "take_ox", *more} - found
        if missing:
            yield f"board_{side}, without {' and '.join(sorted(missing))},"


def _sort_of(space: str) -> str:
    return "points" if is_points(space) else space.rstrip("12")


def _four_spaces(file: BoardFile) -> Iterator[str]:
    if [len(row) for row in file.board_basic.rows[:1]] != [4]:
        yield _row("basic", 0)


def _three_spaces(file: BoardFile) -> Iterator[str]:
    for index in (1, 3):
        if any(len(row) < 3 for row in file.board_basic.rows[index : index + 1]):
            yield _row("basic", index)


def _blank_first(file: BoardFile) -> Iterator[str]:
    for index, row in enumerate(file.board_basic.rows):
        if row[:1] != ("blank",):
            yield _row("basic", index)


def _no_row(side: str, test: Callable[[tuple[str, ...]], bool]) -> Callable[[BoardFile], Iterator[str]]:
    return lambda file: iter([] if any(map(test, dict(_sides(file))[side])) else [f"board_{side}, every row"])


def _five_rows(file: BoardFile) -> Iterator[str]:
    yield from (f"board_{side}, row {len(rows)}" for side, rows in _sides(file) if len(rows) < 5)


def _card_counts(file: BoardFile) -> Iterator[str]:
    cards = file.cards
    for place, counts, names, total in (
        ("cards.actions", cards.actions, ACTIONS, 24),
        ("cards.luck", cards.luck, LUCK, 12),
    ):
        short = short_names(counts, names)
        all_kinds = set(short) == set(names.values()) and min(short.values()) >= 1
        if not all_kinds or len(counts) != len(short) or sum(short.values()) != total:
            yield place


def _track(file: BoardFile) -> Iterator[str]:
    track = file.track
    inside = all(-TRACK_END <= clover <= TRACK_END for clover in track.clovers)
    once = len(set(track.clovers)) == len(track.clovers)
    if (track.min, track.start, track.max) != (-TRACK_END, 0, TRACK_END) or not inside or not once:
        yield "track"


CONSTRAINTS = (
    Constraint("D1", "there are tiles 1 to 100 with 1, 2, 3 or 5 oxen, and all four occur", _faces),
    Constraint("D2", "tile 23 shows 5 oxen", _oxen(23, 5)),
    Constraint("D3", "tile 83 shows 5 oxen", _oxen(83, 5)),
    Constraint("D4", "tile 22 shows 3 oxen", _oxen(22, 3)),
    Constraint("D5", "tiles 15, 18 and 19 show 8 oxen together", _eight),
    Constraint("D6", "tiles do not carry the bullheads of the cards", _card_function),
    Constraint("D7", "the last space of a row, and no other, takes the row", _last_spaces),
    Constraint("D8", "there are no other spaces than those of this side of the board", _known_spaces),
    Constraint("D8", "every sort of space that belongs to this side occurs on it", _listed_spaces),
    Constraint("D9", "row 1 of the basic board has four spaces", _four_spaces, soft=True),
    Constraint(
        "D10", "some row has two double spaces or more", _no_row("basic", lambda row: row.count("double") > 1)
    ),
    Constraint("D11", "some row has a red2 space", _no_row("basic", lambda row: "red2" in row)),
    Constraint("D12", "some row has five spaces or more", _no_row("basic", lambda row: len(row) >= 5)),
    Constraint(
        "D13", "some row has green2 on space 6 and at least seven spaces",
        _no_row("expert", lambda row: len(row) >= 7 and row[5] == "green2"),
    ),
    Constraint("D14", "some row has a -7 space", _no_row("expert", lambda row: "-7" in row[:-1])),
    Constraint("D15", "there are more than four rows", _five_rows),
    Constraint("D16", "there are 24 action cards of six kinds and 12 luck cards of two", _card_counts),
    Constraint("D18", "rows 2 and 4 of the basic board have three spaces or more", _three_spaces, soft=True),
    # BRD-7: then nobody has to ask whether the first space acts after a take.
    Constraint("D19", "the first space of every row of the basic board is blank", _blank_first, soft=True),
    Constraint("BRD-11", "the track runs from -44 over 0 to 44, with its clovers on it", _track),
)  # fmt: skip


def problems(name: str, file: BoardFile, *, soft: bool = False) -> list[str]:
    """Return a sentence for every place of a file that breaks a constraint, a hard or a soft one."""
    return [
        f"{name}: {place} breaks {constraint.number}: {constraint.says}."
        for constraint in CONSTRAINTS
        if constraint.soft == soft
        for place in constraint.broken(file)
    ]


class Verdict(Struct, frozen=True):
    """What is wrong with a board file, and what is only doubtful; without wrongs it can be played."""

    wrong: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()


def check_board(source: str | PathLike[str]) -> Verdict:
    """Return everything that is wrong or doubtful with a board file, one sentence each."""
    try:
        name, text = read_source(fspath(source))
        file = decode(name, text)
    except BadBoard as error:
        return Verdict((str(error),))
    return Verdict(tuple(problems(name, file)), tuple(problems(name, file, soft=True)))


def load_board(source: str | PathLike[str]) -> BoardData:
    """Return the data of `own`, of a board file or of a file's text; what it breaks is an error."""
    return load_with_text(fspath(source))[0]


def load_with_text(source: str) -> tuple[BoardData, str]:
    """Return the data of a source, and a text that stands for them wherever the file is not at hand."""
    name, text = read_source(source)
    return _load(name, text)


@lru_cache(maxsize=64)
def _load(name: str, text: str) -> tuple[BoardData, str]:
    file = decode(name, text)
    found = problems(name, file)
    if found:
        raise BadBoard(found[0])
    return file.data(), encode(file)

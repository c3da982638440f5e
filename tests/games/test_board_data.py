"""Board files: every constraint, what breaks it and what the error says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tools.draw_boards import FOLDER, as_text, draw, sides

from bullpen.engine import HEADS, BadOption
from bullpen.game import new_game
from bullpen.rulesets import make
from bullpen.rulesets.boards.check import CONSTRAINTS, Verdict, check_board, load_board
from bullpen.rulesets.boards.data import read_source

Data = dict[str, Any]
Change = Callable[[Data], None]


def own() -> Data:
    """Return our own board file, to be spoilt."""
    data: Data = json.loads(read_source("own")[1])
    return data


def set_tile(value: int, oxen: int) -> Change:
    return lambda data: data["tiles"].update({str(value): oxen})


def set_row(side: str, row: int, spaces: list[str]) -> Change:
    return lambda data: data[f"board_{side}"]["rows"].__setitem__(row - 1, spaces)


def replace(side: str, old: str, new: str) -> Change:
    def change(data: Data) -> None:
        rows = data[f"board_{side}"]["rows"]
        data[f"board_{side}"]["rows"] = [[new if space == old else space for space in row] for row in rows]

    return change


def only_one_double(data: Data) -> None:
    replace("basic", "double", "blank")(data)
    data["board_basic"]["rows"][4][1] = "double"


def short_basic_rows(data: Data) -> None:
    data["board_basic"]["rows"] = [
        ["blank", "double", "double", "take_ox"],
        *[["blank", "red2", "take_ox"]] * 9,
    ]


def no_green2_on_space_6(data: Data) -> None:
    rows = data["board_expert"]["rows"]
    for row in rows:
        if len(row) > 5 and row[5] == "green2":
            row[5] = "blank"


def card_heads(data: Data) -> None:
    data["tiles"] = {str(value): HEADS[value] for value in range(1, 101)}


def keep_rows(side: str, count: int) -> Change:
    return lambda data: data[f"board_{side}"].update(rows=data[f"board_{side}"]["rows"][:count])


def set_actions(kinds: dict[str, int]) -> Change:
    return lambda data: data["cards"].update(actions=kinds)


def set_luck(kinds: dict[str, int]) -> Change:
    return lambda data: data["cards"].update(luck=kinds)


def no_green(data: Data) -> None:
    for space in ("green1", "green2"):
        replace("basic", space, "blank")(data)


def no_fives(data: Data) -> None:
    data["tiles"] = {value: min(oxen, 3) for value, oxen in data["tiles"].items()}


SPOILT: list[tuple[str, str, Change]] = [
    ("D1", "tiles, row 100", lambda data: data["tiles"].pop("100")),
    ("D1", "tiles, row 101", set_tile(101, 1)),
    ("D1", "tiles, row 40", set_tile(40, 4)),
    ("D1", "tiles", no_fives),
    ("D2", "tiles, row 23", set_tile(23, 3)),
    ("D3", "tiles, row 83", set_tile(83, 1)),
    ("D4", "tiles, row 22", set_tile(22, 5)),
    ("D5", "tiles, rows 15, 18 and 19", set_tile(18, 1)),
    ("D6", "tiles", card_heads),
    ("D7", "board_basic, row 2", set_row("basic", 2, ["blank", "blank", "blank"])),
    ("D7", "board_expert, row 3", set_row("expert", 3, ["blank", "take_ox", "blank", "take_tiles"])),
    ("D7", "board_basic, row 10", set_row("basic", 10, ["take_ox"])),
    ("D8", "board_basic, row 2", set_row("basic", 2, ["blank", "draw_tile", "blank", "take_ox"])),
    ("D8", "board_basic, row 2", set_row("basic", 2, ["blank", "blank", "blank", "take_tiles"])),
    ("D8", "board_expert, row 9", set_row("expert", 9, ["blank", "banana", "take_ox"])),
    ("D8", "board_expert, row 9", set_row("expert", 9, ["blank", "+45", "take_ox"])),
    ("D8", "board_expert, without draw_tile,", replace("expert", "draw_tile", "blank")),
    ("D8", "board_expert, without take_tiles,", replace("expert", "take_tiles", "take_ox")),
    ("D8", "board_basic, without green,", no_green),
    ("D10", "board_basic, every row", only_one_double),
    ("D11", "board_basic, every row", replace("basic", "red2", "red1")),
    ("D12", "board_basic, every row", short_basic_rows),
    ("D13", "board_expert, every row", no_green2_on_space_6),
    ("D14", "board_expert, every row", replace("expert", "-7", "-6")),
    ("D15", "board_basic, row 4", keep_rows("basic", 4)),
    ("D15", "board_expert, row 4", keep_rows("expert", 4)),
    ("D16", "cards.actions", set_actions({"Stop!": 24})),
    ("D16", "cards.luck", set_luck({"5 positive points": 6, "Positive ox": 5})),
    ("D16", "cards.luck", set_luck({"5 positive points": 6, "plus-five": 6})),
    ("BRD-11", "track", lambda data: data["track"].update(max=50)),
    ("BRD-11", "track", lambda data: data["track"].update(clovers=[-5, -45])),
    ("BRD-11", "track", lambda data: data["track"].update(clovers=[-5, -5])),
]


@pytest.mark.parametrize(
    ("number", "place", "change"), SPOILT, ids=[f"{each[0]}-{each[1]}" for each in SPOILT]
)
def test_a_broken_constraint_is_named_with_its_file_and_row(
    number: str, place: str, change: Change, tmp_path: Path
) -> None:
    data = own()
    change(data)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    says = [constraint.says for constraint in CONSTRAINTS if constraint.number == number]
    wanted = {f"mine.json: {place} breaks {number}: {each}." for each in says}
    assert wanted & {*check_board(path).wrong}
    with pytest.raises(BadOption, match=r"^mine\.json: .* breaks .*\.$"):
        load_board(path)
    with pytest.raises(BadOption, match=r"^mine\.json: "):
        make("board-basic", 3, {"board.data": str(path)})


def test_every_constraint_has_a_test_that_breaks_it() -> None:
    numbers = [constraint.number for constraint in CONSTRAINTS]
    assert {*numbers} == {number for number, _, _ in [*SPOILT, *DOUBTED]}
    wanted = [f"D{number}" for number in range(1, 20) if number != 17]
    assert [*dict.fromkeys(number for number in numbers if number.startswith("D"))] == wanted


DOUBTED: list[tuple[str, str, Change]] = [
    ("D9", "board_basic, row 1", set_row("basic", 1, ["blank", "blank", "blank", "blank", "take_ox"])),
    ("D18", "board_basic, row 4", set_row("basic", 4, ["blank", "take_ox"])),
    ("D19", "board_basic, row 7", set_row("basic", 7, ["+1", "blank", "take_ox"])),
]


@pytest.mark.parametrize(("number", "place", "change"), DOUBTED)
def test_a_soft_constraint_is_doubted_but_the_board_is_played_on(
    number: str, place: str, change: Change, tmp_path: Path
) -> None:
    data = own()
    change(data)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    (says,) = [constraint.says for constraint in CONSTRAINTS if constraint.number == number]
    found = check_board(path)
    assert found.wrong == ()
    assert f"mine.json: {place} breaks {number}: {says}." in found.doubtful
    assert make("board-basic", 3, {"board.data": str(path)}).players == 3


def test_our_own_boards_keep_everything() -> None:
    assert check_board("own") == Verdict()


def test_our_own_boards_keep_d17_too() -> None:
    rows = load_board("own").basic
    assert len(rows) == 10
    assert len({len(row) for row in rows}) > 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "mine.json is not a board file: "),
        ("[]", "mine.json is not a board file: "),
        ('{"tiles": {}}', "mine.json is not a board file: `board_basic` is missing"),
        (
            '{"tiles": {"1": "one"}}',
            "mine.json is not a board file: `tiles[...]` should be a whole number, not text",
        ),
        ("x" * 100_001, "mine.json is too long for a board file."),
        ("\udcff", "cannot be read."),
    ],
)
def test_what_is_no_board_file_gets_one_sentence(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    (problem,) = check_board(path).wrong
    assert says in problem
    assert problem.endswith(".")


@pytest.mark.parametrize("source", ["nowhere.json", ".", "", "\0"])
def test_a_file_that_is_not_there_gets_one_sentence(source: str) -> None:
    with pytest.raises(BadOption, match=r"board file .*\.$"):
        make("board-expert", 3, {"board.data": source})


def test_brd_1_a_game_is_played_on_the_board_of_the_file(tmp_path: Path) -> None:
    data = own()
    data["board_basic"]["rows"].append(["blank", "+9", "take_ox"])
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    position: Any = new_game("board-basic", 3, seed=1, options={"board.data": str(path)}).position
    assert position.board[-1] == ("blank", "+9", "take_ox")
    assert len(position.rows) == 11


def test_brd_1_a_game_carries_the_board_it_is_played_on(tmp_path: Path) -> None:
    data = own()
    data["track"]["clovers"] = [-13]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    rules: Any = make("board-basic-luck", 3, {"board.data": str(path)})
    path.unlink()
    again: Any = make("board-basic-luck", 3, rules.options)
    assert again.data == rules.data
    assert again.options == rules.options
    assert make("board-basic", 3).options == {"board.data": "own"}


def test_short_names_of_cards_do_as_well(tmp_path: Path) -> None:
    data = own()
    data["cards"]["luck"] = {"plus-five": 7, "positive-ox": 5}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    assert load_board(path).counts["plus-five"] == 7


def test_the_pictures_and_the_page_show_our_boards() -> None:
    """`python tools/draw_boards.py` draws them again after a change."""
    page = (FOLDER / "board.md").read_text(encoding="utf-8")
    data = load_board("own")
    for side in sides(data):
        assert (FOLDER / f"board-{side.name}.svg").read_text(encoding="utf-8") == draw(side, data)
        assert as_text(side.rows) in page
    shown = {oxen: [tile for tile in range(1, 101) if data.oxen[tile] == oxen] for oxen in (5, 3)}
    for oxen, tiles in shown.items():
        assert f"| {oxen} | {', '.join(map(str, tiles))} | {len(tiles)} |" in page

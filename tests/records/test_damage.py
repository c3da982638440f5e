"""Damaged, truncated, hostile and future files: one sentence, never anything else."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullpen.cli import main
from bullpen.engine import BadOption, BullpenError, RecordError, Seeded
from bullpen.game import Game, new_game
from bullpen.records import Record, check
from bullpen.rulesets import games
from bullpen.testing import step
from tests.sentences import is_sentence
from tests.strategies import GAMES, short

Document = dict[str, Any]


def whole_game(game: str, players: int | None = None) -> str:
    """Return the record of a short game as text."""
    running = Game(short(game, players or games()[game].player_range[0]), Seeded(7))
    rng = random.Random(7)
    while not running.over:
        step(running, rng)
    return running.record.dumps()


BASE = whole_game("base", 2)
SMALL = {game: whole_game(game) for game in GAMES}


def refusal(text: str | bytes) -> str | None:
    """Return why a text is refused, or None if it holds a game; any other exception is a failure."""
    try:
        check(Record.loads(text))
    except BullpenError as error:
        return str(error)
    return None


def assert_refused(text: str | bytes) -> None:
    """Check that a text is refused with a sentence."""
    said = refusal(text)
    assert said is not None
    assert is_sentence(said), said


def test_the_games_themselves_are_in_order() -> None:
    for text in SMALL.values():
        assert refusal(text) is None


# Files that are cut short or have a wrong byte.


def test_every_truncation_is_refused() -> None:
    whole = BASE.rstrip().encode()
    for length in range(len(whole)):
        said = refusal(whole[:length])
        assert said is not None
        assert is_sentence(said), said


def test_every_truncation_by_a_character_is_refused_by_the_reader() -> None:
    for length in range(0, len(BASE.rstrip()), 7):
        with pytest.raises(RecordError):
            Record.loads(BASE[:length])


@given(game=st.sampled_from(GAMES), data=st.data())
def test_any_wrong_byte_is_refused_or_does_no_harm(game: str, data: st.DataObject) -> None:
    content = bytearray(SMALL[game].encode())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    said = refusal(bytes(content))
    assert said is None or is_sentence(said)


@given(game=st.sampled_from(GAMES), data=st.data())
def test_any_lost_or_repeated_part_is_refused_or_does_no_harm(game: str, data: st.DataObject) -> None:
    text = SMALL[game]
    one, other = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    for damaged in (text[:one] + text[other:], text[:other] + text[one:]):
        said = refusal(damaged)
        assert said is None or is_sentence(said)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(content: bytes) -> None:
    assert_refused(content)


@given(st.text(max_size=200))
def test_any_text_is_refused(text: str) -> None:
    assert_refused(text)


# Documents whose parts are something else.

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every part of a document."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return the document with another value in one place."""
    if not path:
        return value
    twin = copy.deepcopy(document)
    part = twin
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return twin


@given(game=st.sampled_from(GAMES), data=st.data())
def test_any_other_value_in_any_place_is_refused_or_does_no_harm(game: str, data: st.DataObject) -> None:
    document = json.loads(SMALL[game])
    path = data.draw(st.sampled_from(places(document)))
    text = json.dumps(replaced(document, path, data.draw(anything)))
    said = refusal(text)
    assert said is None or is_sentence(said), said


@given(game=st.sampled_from(GAMES), data=st.data())
def test_any_other_choice_is_refused_or_a_game(game: str, data: st.DataObject) -> None:
    document = json.loads(SMALL[game])
    tricks = document["rounds"][0]["tricks"]
    line = data.draw(st.integers(0, len(tricks) - 1))
    words = tricks[line].split(" ")
    index = data.draw(st.integers(0, len(words) - 1))
    words[index] = data.draw(
        st.sampled_from(["0:1", "9:44", "0:r9", "1:-", "0:44*", "x", ":", "1:", "0:stop:1", "1."])
        | st.text(max_size=8)
    )
    tricks[line] = " ".join(words)
    said = refusal(json.dumps(document))
    assert said is None or is_sentence(said), said


# One thing wrong at a time.


def changed(**fields: Any) -> Callable[[Document], None]:
    """Return a change that sets fields of a document."""

    def change(document: Document) -> None:
        document.update(fields)

    return change


def dropped(field: str) -> Callable[[Document], None]:
    """Return a change that drops a field."""

    def change(document: Document) -> None:
        del document[field]

    return change


def deal(cards: Callable[[list[str]], list[str]], pile: str = "deck") -> Callable[[Document], None]:
    """Return a change of the cards of the first deal."""

    def change(document: Document) -> None:
        document["rounds"][0]["deals"][0] = [
            pile,
            " ".join(cards(document["rounds"][0]["deals"][0][1].split())),
        ]

    return change


def rounds(change_rounds: Callable[[list[Any]], object]) -> Callable[[Document], None]:
    """Return a change of the rounds."""

    def change(document: Document) -> None:
        change_rounds(document["rounds"])

    return change


def tricks(change_tricks: Callable[[list[str]], object]) -> Callable[[Document], None]:
    """Return a change of the tricks of the first round."""

    def change(document: Document) -> None:
        change_tricks(document["rounds"][0]["tricks"])

    return change


def trick(line: str, index: int = 2) -> Callable[[Document], None]:
    """Return a change that writes another line for a trick."""
    return tricks(lambda lines: lines.__setitem__(index, line))


def result(**fields: Any) -> Callable[[Document], None]:
    """Return a change of the result."""

    def change(document: Document) -> None:
        document["result"].update(fields)

    return change


CHANGES: dict[str, tuple[Callable[[Document], None], str]] = {
    "no format": (dropped("format"), "format"),
    "another format": (changed(format="chess"), "format"),
    "no version": (dropped("version"), "version"),
    "an old version": (changed(version=0), "version 0"),
    "a future version": (changed(version=2), "version 2"),
    "a negative version": (changed(version=-1), "version"),
    "a huge version": (changed(version=10**30), "version"),
    "a version in words": (changed(version="1"), "version"),
    "a version that is true": (changed(version=True), "version"),
    "no game": (dropped("game"), "game"),
    "an unknown game": (changed(game="chess"), "chess"),
    "a game that is a number": (changed(game=1), "game"),
    "a game full of escapes": (changed(game="\x1b[2J\n"), "no game"),
    "no behaviour": (dropped("behaviour"), "behaviour"),
    "another behaviour": (changed(behaviour=999), "behaviour 999"),
    "no players": (dropped("players"), "players"),
    "too many players": (changed(players=11), "11"),
    "no player at all": (changed(players=0), "0"),
    "a huge number of players": (changed(players=10**30), "players"),
    "players in words": (changed(players="two"), "players"),
    "half a player": (changed(players=2.5), "players"),
    "one player more": (changed(players=3), "choice"),
    "options as a list": (changed(options=["end.kind"]), "options"),
    "an unknown option": (changed(options={"end.card": 1}), "end.card"),
    "an option out of range": (changed(options={"end.value": 0}), "end.value"),
    "an option of the wrong type": (changed(options={"end.value": "66"}), "end.value"),
    "an option that is true": (changed(options={"end.value": True}), "end.value"),
    "an option with a list": (changed(options={"end.value": [66]}), "options"),
    "an option with a fraction": (changed(options={"end.value": 1.5}), "options"),
    "other options": (changed(options={"end.kind": "rounds", "end.value": 2}), "deal 2"),
    "one name only": (changed(names=["Ann"]), "1 name"),
    "too many names": (changed(names=["Ann", "Ben", "Cleo"]), "3 names"),
    "names that are numbers": (changed(names=[1, 2]), "names"),
    "names as a text": (changed(names="Ann, Ben"), "names"),
    "an extra field": (changed(comment="hello"), "comment"),
    "an extra field full of escapes": (changed(**{"a\nb\x1b[2J": 1}), "no field"),
    "an extra field in a round": (rounds(lambda all_: all_[0].update(comment=1)), "rounds[0]"),
    "an extra field in the result": (result(comment="hello"), "comment"),
    "rounds as an object": (changed(rounds={}), "rounds"),
    "a round that is a number": (rounds(lambda all_: all_.append(7)), "rounds[1]"),
    "no rounds": (changed(rounds=[]), "deal 1"),
    "a deal with a card missing": (deal(lambda cards: cards[1:]), "deal 1"),
    "a deal with a card twice": (deal(lambda cards: [*cards[1:], cards[1]]), "deal 1"),
    "a deal with a foreign card": (deal(lambda cards: ["105", *cards[1:]]), "deal 1"),
    "a deal with a huge card": (deal(lambda cards: ["9" * 5000, *cards[1:]]), "deal 1"),
    "a deal with a name": (deal(lambda cards: ["stop", *cards[1:]]), "deal 1"),
    "a deal with nothing": (deal(lambda _: []), "deal 1"),
    "a deal of another pile": (deal(list, "special_deck"), "special_deck"),
    "a deal of a pile full of escapes": (deal(list, "\x1b[2J\n"), "deal 1"),
    "another deal": (deal(lambda cards: cards[::-1]), "choice"),
    "a missing deal": (rounds(lambda all_: all_[0].update(deals=[])), "deal 1"),
    "a surplus deal": (rounds(lambda all_: all_[0]["deals"].append(all_[0]["deals"][0])), "1 of 2 deals"),
    "a surplus round": (rounds(lambda all_: all_.append(copy.deepcopy(all_[0]))), "choice"),
    "a deal of three parts": (rounds(lambda all_: all_[0]["deals"][0].append("x")), "deals[0]"),
    "a deal that is a text": (rounds(lambda all_: all_[0].update(deals=["deck"])), "deals[0]"),
    "a trick that is a number": (rounds(lambda all_: all_[0]["tricks"].append(3)), "tricks"),
    "a trick without a number": (trick("0:44"), "tricks[2]"),
    "an empty trick": (trick(""), "tricks[2]"),
    "a trick that is only a dot": (trick("."), "tricks[2]"),
    "a trick of a huge number": (trick("9" * 5000 + ". 0:44"), "tricks[2]"),
    "a trick with a negative number": (trick("-3. 0:44"), "tricks[2]"),
    "a choice without a seat": (trick("3. 44"), "tricks[2]"),
    "a choice of seat minus one": (trick("3. -1:44"), "tricks[2]"),
    "a choice of a seat in foreign digits": (trick("3. ٠:44"), "tricks[2]"),
    "a choice of nobody": (trick("3. 7:44"), "choice"),
    "a choice that is none": (trick("3. 0:banana"), "banana"),
    "a choice full of escapes": (trick("3. 0:\x1b[2J"), "choice"),
    "an illegal choice": (trick("3. 0:105"), "trick 3"),
    "a choice for nothing": (trick("3. 0:"), "choice"),
    "a choice left out": (tricks(lambda lines: lines.__setitem__(2, lines[2].rsplit(" ", 1)[0])), "choice"),
    "a trick left out": (tricks(lambda lines: lines.pop(2)), "choice"),
    "a trick twice": (tricks(lambda lines: lines.insert(2, lines[2])), "choice"),
    "a trick under a wrong number": (tricks(lambda lines: lines.__setitem__(2, "7" + lines[2])), "trick 73"),
    "the last trick left out": (tricks(lambda lines: lines.pop()), "result"),
    "no result": (dropped("result"), "result"),
    "another score": (result(scores=[0, 0]), "result"),
    "another rank": (result(ranks=[1, 1]), "result"),
    "another reason": (result(reason="because"), "result"),
    "a result for three": (result(scores=[1, 2, 3]), "result"),
    "a result in words": (changed(result="won"), "result"),
    "a result without ranks": (changed(result={"scores": [1, 2], "reason": ""}), "result"),
    "a score that is a text": (result(scores=["1", "2"]), "scores"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_damaged_record_is_refused_with_the_place_of_the_error(what: str) -> None:
    change, place = CHANGES[what]
    document = json.loads(BASE)
    change(document)
    said = refusal(json.dumps(document))
    assert said is not None
    assert is_sentence(said), said
    assert place in said


NESTED = {
    "an array": "[" * 100_000,
    "an object": '{"a":' * 100_000,
    "a field": '{"format":"bullpen","version":1,"x":' + "[" * 100_000,
    "a closed field": '{"format":"bullpen","version":1,"rounds":' + "[" * 50_000 + "]" * 50_000 + "}",
}


@pytest.mark.parametrize("what", NESTED)
def test_a_file_nested_too_deeply_is_refused(what: str) -> None:
    assert_refused(NESTED[what])


@pytest.mark.parametrize(
    "text", ["", " ", "null", "1", "[]", '"bullpen"', "{}", "NaN", "\ufeff" + BASE, BASE + BASE, BASE + "x"]
)
def test_other_json_is_refused(text: str) -> None:
    assert_refused(text)


@pytest.mark.parametrize("digits", ["9" * 20, "9" * 5000, "1e5", "1e999", "-1e999", "1.0"])
@pytest.mark.parametrize("field", ["version", "behaviour", "players"])
def test_huge_numbers_are_refused(digits: str, field: str) -> None:
    document = json.loads(BASE)
    document[field] = 987654321
    assert_refused(json.dumps(document).replace("987654321", digits))


def test_a_file_of_many_megabytes_is_refused_unread() -> None:
    assert_refused(b'{"format":"bullpen","version":1,"names":["' + b"x" * (9 * 1024 * 1024) + b'"]}')


# The same at the command line.


def check_by_hand(path: Path, capsys: pytest.CaptureFixture[str], verb: str) -> str:
    """Run `bullpen record check|show` on a bad file, and return what it said."""
    assert main(["record", verb, str(path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.endswith("\n")
    assert said.startswith("bullpen: ")
    assert is_sentence(said.rstrip("\n")), said
    return said


@pytest.mark.parametrize("verb", ["check", "show"])
@pytest.mark.parametrize("what", CHANGES)
def test_the_command_line_says_the_same(
    what: str, verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(BASE)
    CHANGES[what][0](document)
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert CHANGES[what][1] in check_by_hand(path, capsys, verb)


@pytest.mark.parametrize("verb", ["check", "show"])
@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"\x00" * 100, BASE[:-30].encode(), NESTED["a field"].encode()]
)
def test_the_command_line_refuses_rubbish(
    content: bytes, verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rubbish.json"
    path.write_bytes(content)
    assert "rubbish.json" in check_by_hand(path, capsys, verb)


@pytest.mark.parametrize("verb", ["check", "show"])
def test_the_command_line_refuses_what_is_no_file(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_by_hand(tmp_path, capsys, verb)
    assert "missing.json" in check_by_hand(tmp_path / "missing.json", capsys, verb)


@pytest.mark.parametrize("name", ["[/b]", "[red]", "[link=x]", "\x1b[2J", "a\nb", "%s", "{0}", ""])
def test_a_name_cannot_break_the_telling(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(BASE)
    document["names"] = [name, "Ben"]
    path = tmp_path / "names.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main(["record", "show", str(path)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "\x1b" not in told.out
    if name.isprintable():
        assert f"{name} " in told.out


@pytest.mark.parametrize("game", GAMES)
def test_a_sound_record_is_shown_and_checked(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sound.json"
    path.write_text(SMALL[game], encoding="utf-8")
    assert main(["record", "check", str(path)]) == 0
    checked = capsys.readouterr()
    assert f"{game}, " in checked.out
    assert "over: " in checked.out
    assert main(["record", "show", str(path)]) == 0
    shown = capsys.readouterr()
    assert games()[game].name in shown.out
    assert checked.err == shown.err == ""


def test_an_unfinished_record_is_sound_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "running.json"
    Game(short("base", 3), Seeded(1)).record.save(path)
    assert main(["record", "check", str(path)]) == 0
    assert "not finished" in capsys.readouterr().out


def test_a_record_cannot_make_us_read_a_file() -> None:
    """Options of a record hold data; a path in them is refused, whatever lies there."""
    record = new_game("board-basic", 3, seed=1).record
    record.options["board.data"] = __file__
    with pytest.raises(BadOption, match="not the name of a file"):
        check(record)

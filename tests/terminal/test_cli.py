"""The command `bullpen`."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from bullpen.cli import main
from bullpen.rulesets import games
from tests.sentences import is_sentence
from tests.strategies import GAMES, SHORTENING

Said = pytest.CaptureFixture[str]


def shortening(game: str) -> list[str]:
    """Return the options that make a game short, as they are typed."""
    offered = {option.key for option in games()[game].offers}
    return [
        word for key, value in SHORTENING.items() if key in offered for word in ("--option", f"{key}={value}")
    ]


def refused(capsys: Said, *words: str) -> str:
    """Check that a command is refused with one sentence, and return it."""
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.err.startswith("bullpen: ")
    assert said.err.count("\n") == 1
    assert is_sentence(said.err.rstrip("\n")), said.err
    return said.err


# bullpen games


def test_games_are_listed_with_their_options(capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["games"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    listed = " ".join(printed.split())
    for game, kind in games().items():
        assert f"{game} " in listed
        assert kind.summary in listed
        for option in kind.offers:
            assert option.key in listed
            assert option.says in listed


def test_games_are_told_to_programs(capsys: Said) -> None:
    assert main(["games", "--json"]) == 0
    cards = json.loads(capsys.readouterr().out)
    assert [card["id"] for card in cards] == list(games())
    for card in cards:
        kind = games()[card["id"]]
        assert set(card) >= {"id", "name", "players", "source", "description", "options"}
        assert card["players"] == list(kind.player_range)
        for key in ("name", "source", "description"):
            assert card[key].strip() == card[key] != ""
        assert "\n" not in card["description"]
        assert [option["key"] for option in card["options"]] == [option.key for option in kind.offers]


WORDS: dict[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "text": (str,), "choice": (str, int)}


@pytest.mark.parametrize("game", GAMES)
def test_the_options_of_a_game_are_told_in_full(game: str, capsys: Said) -> None:
    main(["games", "--json"])
    (card,) = [card for card in json.loads(capsys.readouterr().out) if card["id"] == game]
    for option in card["options"]:
        assert set(option) == {"key", "type", "default", "instead", "allowed", "description"}
        assert type(option["default"]) in WORDS[option["type"]]
        assert option["description"].endswith(".")
        if isinstance(option["allowed"], list):
            assert option["default"] in option["allowed"]
            assert len(option["allowed"]) >= 2
        else:
            assert option["type"] in ("int", "text")
            assert option["allowed"]


def test_the_other_default_of_an_option_is_told(capsys: Said) -> None:
    main(["games", "--json"])
    cards = {card["id"]: card for card in json.loads(capsys.readouterr().out)}
    for game in ("base", "double", "hand"):
        options = {option["key"]: option for option in cards[game]["options"]}
        assert options["end.value"]["instead"] == {"key": "end.kind", "value": "rounds", "default": 4}
        assert options["end.kind"]["instead"] is None
    main(["games"])
    told = " ".join(capsys.readouterr().out.split())
    assert "With end.kind = rounds it is 4 if nothing is said." in told


# bullpen rules


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_are_told(game: str, capsys: Said) -> None:
    assert main(["rules", game]) == 0
    page = capsys.readouterr().out
    for heading in ("At a glance", "How it is played", "An example", "Fine points", "Notation"):
        assert heading in page
    assert "## " not in page
    assert "```" not in page
    for option in games()[game].offers:
        assert option.key in page


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_alias_are_those_of_the_game(game: str, capsys: Said) -> None:
    main(["rules", game])
    page = capsys.readouterr().out
    for alias in games()[game].aliases:
        assert main(["rules", alias]) == 0
        assert capsys.readouterr().out == page


def test_the_boards_have_a_page_of_their_own(capsys: Said) -> None:
    assert main(["rules", "board"]) == 0
    assert "Our boards" in capsys.readouterr().out


def test_pro_means_logic(capsys: Said) -> None:
    assert main(["rules", "pro"]) == 0
    assert "Logic" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("command", ["rules", "watch", "play"])
@pytest.mark.parametrize("game", ["chess", "", "../base", "BASE", "\x1b[2J", "x" * 5000])
def test_unknown_games_are_refused(command: str, game: str, capsys: Said) -> None:
    assert "base" in refused(capsys, command, game)


# bullpen watch


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("most", [False, True])
def test_random_players_can_be_watched(game: str, most: bool, capsys: Said) -> None:
    players = games()[game].player_range[-1 if most else 0]
    words = ["watch", game, "--players", str(players), "--seed", "1", *shortening(game)]
    assert main(words) == 0
    first = capsys.readouterr()
    assert first.err == ""
    assert games()[game].name in first.out
    assert "Round 1." in first.out
    assert main(words) == 0
    assert capsys.readouterr().out == first.out


def test_another_seed_is_another_game(capsys: Said) -> None:
    told = []
    for seed in ("1", "2"):
        main(["watch", "base", "--seed", seed, *shortening("base")])
        told.append(capsys.readouterr().out.replace(f"seed {seed}", ""))
    assert told[0] != told[1]
    for _ in range(2):
        main(["watch", "base", *shortening("base")])
        told.append(capsys.readouterr().out)
    assert told[2] != told[3]


@pytest.mark.parametrize("command", ["watch", "play"])
@pytest.mark.parametrize(
    "words",
    [
        ["--players", "1"],
        ["--players", "11"],
        ["--players", "-3"],
        ["--players", "0"],
        ["--option", "end.kind"],
        ["--option", ""],
        ["--option", "="],
        ["--option", "end.kind="],
        ["--option", "end.kind=never"],
        ["--option", "end.card=3"],
        ["--option", "end.value=0"],
        ["--option", "end.value=-1"],
        ["--option", "end.value=1.5"],
        ["--option", "end.value=many"],
        ["--option", "end.value=" + "9" * 5000],
        ["--option", "show.bullPiles=true"],
    ],
    ids=lambda words: " ".join(words)[:30],
)
def test_tables_that_cannot_be_are_refused(command: str, words: list[str], capsys: Said) -> None:
    refused(capsys, command, "base", *words)


def test_options_are_typed_as_key_and_value(capsys: Said) -> None:
    words = ["--option", "end.kind=ROUNDS", "--option", "end.value=2", "--option", "show.bullPiles=all"]
    assert main(["watch", "base", "--seed", "1", *words]) == 0
    told = capsys.readouterr().out
    assert "Round 2 is over" in told
    assert "Round 3." not in told
    assert (
        main(
            ["watch", "logic", "--players", "2", "--seed", "1", "--option", "logic.rotate=false", *words[:4]]
        )
        == 0
    )
    assert capsys.readouterr().out.count("The first marker is at Ann.") == 2


@pytest.mark.parametrize(
    "words", [[], ["dance"], ["record"], ["record", "burn", "x"], ["watch", "base", "--players", "four"]]
)
def test_commands_that_do_not_exist(words: list[str], capsys: Said) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert "usage: bullpen" in capsys.readouterr().err


# bullpen play


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let a person type these lines, and then nothing more."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


class Typist(io.StringIO):
    """Asks for help before every choice, and types the example that the help gives."""

    def __init__(self, capsys: Said) -> None:
        super().__init__()
        self.capsys = capsys
        self.told = ""
        self.choices = 0
        self.helped = False

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """Return the next line that is typed."""
        self.told += self.capsys.readouterr().out
        self.helped = not self.helped
        if self.helped:
            return "?\n"
        self.choices += 1
        assert self.choices < 3000, "the example that the help gives is never accepted"
        return self.told.rpartition("such as ")[2].partition(";")[0] + "\n"


def test_a_whole_round_can_be_played(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    typist = Typist(capsys)
    monkeypatch.setattr("sys.stdin", typist)
    assert main(["play", "base", "--players", "3", "--seed", "5", *shortening("base")]) == 0
    told = typist.told + capsys.readouterr().out
    # Nine cards are chosen, the tenth goes by itself, and a card that fits nowhere asks for a row.
    assert typist.choices == 9 + sum(
        "Ann (you) takes" in line and "nowhere" in line for line in told.splitlines()
    )
    assert "Trick 10." in told
    assert "Round 1 is over: Ann (you) +" in told
    assert " won (" in told
    assert told.rstrip().splitlines()[-3].split()[0] == "Ann"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_to_its_end(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    typist = Typist(capsys)
    monkeypatch.setattr("sys.stdin", typist)
    players = str(max(2, games()[game].player_range[0]))
    assert main(["play", game, "--players", players, "--seed", "5", *shortening(game)]) == 0
    told = typist.told + capsys.readouterr().out
    assert typist.choices > 0
    assert "Goodbye" not in told


WRONG = [
    "banana",
    "105",
    "r1",
    "44*",
    "1+2",
    "-",
    "044",
    "stop:1",
    "[/b]",
    "[bold]",
    "{0}",
    "%s",
    "\x1b[2J",
    "x" * 5000,
]


@pytest.mark.parametrize("wrong", WRONG, ids=[repr(text[:9]) for text in WRONG])
def test_a_wrong_input_is_answered_with_a_sentence(
    wrong: str, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    type_in(monkeypatch, wrong, "quit")
    assert main(["play", "base", "--seed", "5"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "is no answer to this" in told.out or "is not a choice" in told.out
    assert told.out.count("Choose a card from your hand.") >= 2
    assert "Goodbye." in told.out
    assert "\x1b" not in told.out


def test_a_person_can_ask_for_help_options_and_rules(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    type_in(monkeypatch, "help", "?", "", "options", "rules", "quit")
    assert main(["play", "base", "--seed", "5"]) == 0
    told = capsys.readouterr().out
    assert told.count("options lists them all") == 3
    assert "Taking a row" in told
    assert told.count("Choose a card from your hand.") == 6


@pytest.mark.parametrize("word", ["quit", "q", "exit", "  quit  "])
def test_a_person_can_leave(word: str, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    type_in(monkeypatch, word)
    assert main(["play", "base", "--seed", "5"]) == 0
    assert capsys.readouterr().out.endswith("Goodbye.\n")


def test_the_end_of_the_input_is_a_goodbye(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    type_in(monkeypatch)
    assert main(["play", "base", "--seed", "5"]) == 0
    assert capsys.readouterr().out.endswith("Goodbye.\n")


def test_an_interrupt_is_a_goodbye(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    def interrupt(*_: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    assert main(["play", "base", "--seed", "5"]) == 0
    assert capsys.readouterr().out.endswith("Goodbye.\n")


def test_a_chosen_card_is_played(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    type_in(monkeypatch, "help")
    main(["play", "base", "--seed", "5"])
    told = capsys.readouterr().out
    card = told.split("Type a choice such as ")[1].split(";")[0]
    type_in(monkeypatch, card)
    main(["play", "base", "--seed", "5"])
    assert f"Ann (you) {card}" in capsys.readouterr().out


def test_nobody_else_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    """Before the first reveal a person reads of no card but the own hand and the rows."""
    from bullpen.game import new_game

    game = new_game("base", 4, seed="5")
    type_in(monkeypatch)
    main(["play", "base", "--seed", "5"])
    words = set(capsys.readouterr().out.replace("|", " ").replace(",", " ").replace(".", " ").split())
    shown = {int(word) for word in words if word.isdecimal() and word.isascii()}
    own = {*game.position.hands[0], *(row[0] for row in game.position.rows)}
    assert shown <= own | {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}


# The rest.


def test_a_reader_that_goes_away_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str, /) -> int:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stdout", Closed())
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert main(["games"]) == 0


def test_without_rich_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    for module in ("rich", "rich.console"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    assert "bullpen-games[terminal]" in refused(capsys, "watch", "base")
    assert main(["games"]) == 0


def test_without_rich_the_rules_are_printed_as_they_are_written(
    monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    for module in ("rich", "rich.console", "rich.markdown"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["rules", "base"]) == 0
    assert "## At a glance" in capsys.readouterr().out


def test_a_record_file_can_be_shown(tmp_path: Path, capsys: Said) -> None:
    from bullpen.game import new_game

    path = tmp_path / "game.json"
    game = new_game("base", 2, seed=1, names=("Xaver", "Yvonne"))
    for seat in (0, 1):
        game.choose(seat, game.position.asks[seat].options[0])
    game.record.save(path)
    assert main(["record", "show", str(path)]) == 0
    told = capsys.readouterr().out
    assert "Xaver" in told
    assert "Yvonne" in told


@pytest.mark.parametrize("seed", ["[/b]", "[red]", ":cow:", "%s", "{0}"])
def test_a_seed_is_shown_as_it_was_typed(seed: str, capsys: Said) -> None:
    assert main(["watch", "base", "--seed", seed, *shortening("base")]) == 0
    assert f"seed {seed} " in capsys.readouterr().out

"""Standings: rungs go on from a small file as from all their games; the page in the docs says the same."""

from itertools import islice
from pathlib import Path

import pytest

from bullpen.arena.__main__ import main
from bullpen.arena.errors import ArenaError
from bullpen.arena.results import Results
from bullpen.arena.rung_page import rung_page
from bullpen.arena.rungs import Rung, Table, all_rungs, measure
from bullpen.arena.sequential import Tally, Verdict
from bullpen.arena.standings import Standings
from bullpen.rulesets import games
from tests.arena.test_rungs import RUNGS, one_by_one

REPOSITORY = Path(__file__).parents[2]


def test_a_rung_goes_on_from_its_standing_to_the_same_verdict_without_its_games(tmp_path: Path) -> None:
    whole, standings = Table(RUNGS, "1"), Standings(tmp_path / "standings")
    list(measure(whole, Results(tmp_path / "whole"), one_by_one))
    begun = Table(RUNGS, "1")
    list(islice(measure(begun, Results(tmp_path / "begun"), one_by_one), 40))
    standings.write("1", begun.tallies())
    again, results = Table(RUNGS, "1", stood=standings.read("1")), Results(tmp_path / "again")
    list(measure(again, results, one_by_one))
    assert again.findings() == whole.findings()
    assert len(results.read()) < len(Results(tmp_path / "whole").read())


def test_games_that_a_standing_has_counted_are_not_counted_again(tmp_path: Path) -> None:
    table, results = Table(RUNGS[:1], "1"), Results(tmp_path / "results")
    list(islice(measure(table, results, one_by_one), 10))
    stood = table.tallies()
    assert stood[RUNGS[0]].deals == 10
    again = Table(RUNGS[:1], "1", stood=stood)
    again.take(results.read())
    assert again.tallies() == stood


def test_writing_keeps_what_other_rungs_and_seeds_came_to(tmp_path: Path) -> None:
    standings = Standings(tmp_path / "standings")
    one, other = Tally(20, 30.0, 90.0, 3.0, Verdict.BETTER), Tally(5, 1.0, 2.0, 0.1)
    standings.write("1", {RUNGS[0]: one, RUNGS[1]: other})
    standings.write("2", {RUNGS[0]: other})
    standings.write("1", {RUNGS[1]: one})
    assert standings.read("1") == {RUNGS[0]: one, RUNGS[1]: one}
    assert standings.read("2") == {RUNGS[0]: other}
    assert standings.read("3") == {}


def test_what_a_changed_bot_had_come_to_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    standings, tally = Standings(tmp_path / "standings"), Tally(20, 30.0, 90.0, 3.0, Verdict.BETTER)
    base = [Rung("base", 2, "easy", "medium"), Rung("base", 2, "random", "easy")]
    elsewhere = Rung("open", 2, "easy", "medium")
    standings.write("1", dict.fromkeys([*base, elsewhere], tally))
    standings.write("2", dict.fromkeys(base, tally))
    standings.forget("1", base, ["medium"])
    assert standings.read("1") == dict.fromkeys([base[1], elsewhere], tally)
    assert standings.read("2") == dict.fromkeys(base, tally)


def test_the_command_plays_nothing_that_the_standings_have_settled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = str(tmp_path / "standings.jsonl")
    words = ["rungs", "base", "--bots", "random~1,random", "--players", "2", "--seed", "9", "--workers", "1"]
    main([*words, "--out", str(tmp_path / "first"), "--standings", kept, "--page", str(tmp_path / "a")])
    before = Path(kept).read_bytes()
    main([*words, "--out", str(tmp_path / "second"), "--standings", kept, "--page", str(tmp_path / "b")])
    assert not (tmp_path / "second").exists()
    assert Path(kept).read_bytes() == before
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()
    capsys.readouterr()
    main([*words, "--out", str(tmp_path / "third"), "--standings", kept, "--anew", "random"])
    assert "base, 2 players: random is" in capsys.readouterr().out
    assert Path(kept).read_bytes() == before


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"seed":"1","rung":{},"tally":{}}', "\xff"])
def test_a_file_of_anything_else_is_refused_and_left_alone(tmp_path: Path, line: str) -> None:
    path = tmp_path / "standings"
    path.write_bytes(line.encode("latin1") + b"\n")
    with pytest.raises(ArenaError, match="line 1 is no standing"):
        Standings(path).write("1", {RUNGS[0]: Tally(1, 1.0, 1.0)})
    assert path.read_bytes() == line.encode("latin1") + b"\n"
    assert [file.name for file in tmp_path.iterdir()] == ["standings"]


@pytest.mark.parametrize(("place", "says"), [("none/kept", "There is no folder"), (".", "is a folder")])
def test_standings_that_cannot_be_written_are_refused_before_anything_is_played_or_forgotten(
    tmp_path: Path, place: str, says: str
) -> None:
    out = tmp_path / "results"
    words = ["rungs", "base", "--bots", "random,easy", "--players", "2", "--out", str(out), "--anew", "easy"]
    with pytest.raises(ArenaError, match=says):
        main([*words, "--standings", str(tmp_path / place)])
    assert not out.exists()


def test_the_page_in_the_documentation_says_what_the_kept_standings_do() -> None:
    rungs = all_rungs(list(games()))
    table = Table(rungs, "rungs", stood=Standings(REPOSITORY / "benchmarks" / "rungs.jsonl").read("rungs"))
    page = rung_page(rungs, table.findings(), "bullpen arena rungs all --seed rungs")
    assert (REPOSITORY / "docs" / "bots-rungs.md").read_text() == page

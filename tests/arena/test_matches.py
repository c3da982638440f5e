"""Matches: paired deals, all rotations, results that can be gone on with and played again."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bullpen.arena.errors import ArenaError
from bullpen.arena.ladder import ladder
from bullpen.arena.match import Match
from bullpen.arena.play import job_of, play
from bullpen.arena.results import Results
from bullpen.arena.run import all_cores, missing, one_process, run
from bullpen.arena.summary import summarise
from bullpen.engine import BullpenError
from tests.arena.tables import ONE_ROUND


def match(**changes: object) -> Match:
    settings: dict[str, Any] = {
        "game": "base",
        "players": 3,
        "bots": ("random", "random~0.5"),
        "deals": 4,
        "options": dict(ONE_ROUND),
    }
    return Match(**(settings | changes))


def test_every_bot_sits_everywhere_on_every_deal() -> None:
    (first, *others) = match().jobs()
    assert Counter(job.seating.index("random") for job in first) == {0: 1, 1: 1, 2: 1}
    assert all(job.seating.count("random~0.5") == 2 for job in first)
    assert [job.deal for jobs in others for job in jobs] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_a_full_table_of_different_bots_is_turned() -> None:
    turned = match(bots=("random", "easy", "medium")).seatings
    assert turned == (
        ("random", "easy", "medium"),
        ("medium", "random", "easy"),
        ("easy", "medium", "random"),
    )


def test_bots_that_win_together_play_with_their_own() -> None:
    teams = match(game="buffalo", options={}).seatings
    assert teams == (("random",) * 3, ("random~0.5",) * 3)


def test_the_deals_of_a_match_are_the_same_whoever_sits_there() -> None:
    (jobs,) = match(deals=1, bots=("random~1", "random~1.0")).jobs()
    again = [play(job) for job in jobs]
    assert len({outcome.scores for outcome in again}) == 1


def test_a_match_is_written_down_and_gone_on_with(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    assert sum(run([match(deals=2)], results, one_process)) == 6
    first = results.path.read_bytes()
    with results.path.open("ab") as file:
        file.write(b'{"game":"base","pla')
    assert len(missing([match()], results)) == 2
    assert sum(run([match()], results, one_process)) == 6
    assert results.path.read_bytes().startswith(first)
    assert len(results.read()) == 12
    assert sum(run([match()], results, one_process)) == 0


def test_all_cores_come_to_the_same(tmp_path: Path) -> None:
    alone, together = Results(tmp_path / "alone"), Results(tmp_path / "together")
    sum(run([match()], alone, one_process))
    sum(run([match()], together, all_cores(2)))
    pairs = zip(alone.read(), together.read(), strict=True)
    assert all(one.same_game(other) for one, other in pairs)


def test_a_line_can_be_played_again(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl")
    sum(run([match(bots=("easy", "random"))], results, one_process))
    assert all(outcome.same_game(play(job_of(outcome))) for outcome in results.read())


def test_a_ladder_plays_a_shared_game_once(tmp_path: Path) -> None:
    rungs = ladder("buffalo", 2, ["random", "random~0.5", "easy"], [3], "1", {})
    results = Results(tmp_path / "results.jsonl")
    assert sum(run(rungs, results, one_process)) == 9
    (summary,) = summarise(results.read())
    assert summary.together
    assert len(summary.comparisons) == 3


def test_each_rung_may_have_its_own_number_of_deals() -> None:
    rungs = ladder("base", 4, ["random", "easy", "medium", "hard"], [10, 20], "1", {})
    assert [(rung.bots, rung.deals) for rung in rungs] == [
        (("easy", "random"), 10), (("medium", "easy"), 20), (("hard", "medium"), 20),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"bots": ("nobody",)}, "There is no bot 'nobody'; there are random"),
        ({"bots": ("easy~2",)}, "A handicap is a share from 0 to 1"),
        ({"bots": ("easy~x",)}, "A handicap is a share from 0 to 1"),
        ({"bots": ("cmd:no-such-program-anywhere",)}, "there is no such program"),
        ({"bots": ("cmd:'",)}, "has a quote that is not closed"),
        ({"deals": 0}, "at least one deal"),
        ({"players": 40}, "is for 2 to 10 players"),
        ({"options": {"end.kind": "never"}}, "end.kind takes"),
    ],
)
def test_what_cannot_be_played_gets_one_sentence(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(BullpenError, match=says):
        match(**changes).check()


def test_too_many_bots_for_the_table_get_one_sentence() -> None:
    with pytest.raises(ArenaError, match="There are 4 bots for 3 seats"):
        _ = match(bots=("random", "easy", "medium", "hard")).seatings


def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text("{}\n")
    with pytest.raises(ArenaError, match="line 1 is no result"):
        Results(path).read()

"""Rungs: the error rates of their test, verdicts that do not hang on how a run went, and the page."""

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from bullpen.arena.__main__ import main
from bullpen.arena.errors import ArenaError
from bullpen.arena.match import Job
from bullpen.arena.outcome import Outcome
from bullpen.arena.results import Results
from bullpen.arena.rung_page import heat_map, rung_page
from bullpen.arena.rungs import MOST, UNDER_WAY, Rung, Table, all_rungs, measure
from bullpen.arena.sequential import AHEAD, ERROR, Trial, Verdict
from bullpen.arena.statistics import FEWEST
from bullpen.engine import ranked
from bullpen.rulesets import games

TRIALS = 200
Draw = Callable[[random.Random], float]


def normal(rng: random.Random) -> float:
    return rng.gauss(0, 3)


def heavy(rng: random.Random) -> float:
    """As deals are: mostly little, now and then much; the mean is 0 and the spread 1."""
    return (rng.expovariate(1) - rng.expovariate(1)) / math.sqrt(2)


def shares(draw: Draw, spread: float, effect: float, seats: int) -> dict[Verdict, float]:
    """Return how often each verdict is reached where the upper bot is ahead by so many spreads of a game."""
    rng, count = random.Random(f"{spread}/{effect}/{seats}"), dict.fromkeys(Verdict, 0)
    for _ in range(TRIALS):
        trial = Trial(seats, MOST)
        while not trial.settled:
            trial.add(draw(rng) + effect * spread * math.sqrt(seats))
        count[trial.finding.verdict] += 1
    return {verdict: number / TRIALS for verdict, number in count.items()}


@pytest.mark.parametrize(("draw", "spread", "seats"), [(normal, 3.0, 2), (heavy, 1.0, 4)])
def test_the_error_rates_are_those_that_are_stated(draw: Draw, spread: float, seats: int) -> None:
    # Three standard errors of 200 trials are allowed on top of 5 %.
    most = ERROR + 3 * math.sqrt(ERROR * (1 - ERROR) / TRIALS)
    even, ahead = shares(draw, spread, 0.0, seats), shares(draw, spread, AHEAD, seats)
    assert even[Verdict.BETTER] <= most
    assert ahead[Verdict.NOT_BETTER] <= most
    # And it does settle things: what is neither is a minority.
    assert even[Verdict.NOT_BETTER] > 0.6
    assert ahead[Verdict.BETTER] > 0.6


def test_a_large_difference_is_settled_soon_and_in_either_direction() -> None:
    rng = random.Random(1)
    for sign, verdict in ((1, Verdict.BETTER), (-1, Verdict.NOT_BETTER)):
        trial = Trial(4, MOST)
        while not trial.settled:
            trial.add(sign * 3 + rng.gauss(0, 1))
        assert trial.finding.verdict is verdict
        assert FEWEST * 4 <= trial.finding.games <= 30 * 4


def test_bots_that_always_come_out_even_are_left_open() -> None:
    trial = Trial(2, 100)
    while not trial.settled:
        trial.add(0.0)
    assert (trial.finding.verdict, trial.finding.games, trial.finding.effect) == (Verdict.OPEN, 100, 0.0)
    trial.add(50.0)
    assert trial.finding.points.mean == 0


def pretended(jobs: list[Job]) -> list[Outcome]:
    """Play nothing: whoever is called easy is ahead of the others by about four points."""
    found = []
    for job in jobs:
        rng = random.Random(f"{job.game}/{job.deal}/{job.seating}")
        scores = tuple(round(rng.gauss(10 if bot == "easy" else 14, 4)) for bot in job.seating)
        found.append(
            Outcome(
                game=job.game, players=job.players, seed=job.seed, deal=job.deal, seating=job.seating,
                options=dict(job.options), limit=job.limit, behaviour=1, scores=scores,
                ranks=ranked(list(scores), "").ranks,
            )
        )  # fmt: skip
    return found


def one_by_one(portions: Iterable[list[Job]]) -> Iterator[list[Outcome]]:
    return map(pretended, portions)


def many_at_once(portions: Iterable[list[Job]]) -> Iterator[list[Outcome]]:
    """Take up to forty portions ahead, and let the last one end first."""
    waiting, held = iter(portions), list[list[Job]]()
    while True:
        held += islice(waiting, 40 - len(held))
        if not held:
            return
        yield pretended(held.pop())


RUNGS = all_rungs(["base", "open"], ["random", "easy", "medium"], [2, 4])


def test_the_verdicts_are_the_same_however_the_deals_were_played(tmp_path: Path) -> None:
    alone, together = Table(RUNGS, "1"), Table(RUNGS, "1")
    settled = [each for each in measure(alone, Results(tmp_path / "a"), one_by_one) if each is not None]
    assert {each.rung for each in settled} == set(RUNGS)
    list(measure(together, Results(tmp_path / "b"), many_at_once))
    assert alone.findings() == together.findings()
    verdicts = {(rung.lower, rung.upper): found.verdict for rung, found in alone.findings().items()}
    assert verdicts == {
        ("random", "easy"): Verdict.BETTER,
        ("easy", "medium"): Verdict.NOT_BETTER,
        ("mcs", "medium"): verdicts["mcs", "medium"],
    }


def test_a_killed_run_goes_on_to_the_same_verdicts_and_plays_nothing_twice(tmp_path: Path) -> None:
    whole, results = Table(RUNGS, "1"), Results(tmp_path / "killed")
    list(measure(whole, Results(tmp_path / "whole"), one_by_one))
    steps = measure(Table(RUNGS, "1"), results, many_at_once)
    for _ in range(30):
        next(steps)
    with results.path.open("ab") as file:
        file.write(b'{"game":"base","pl')
    again = Table(RUNGS, "1")
    list(measure(again, results, one_by_one))
    assert again.findings() == whole.findings()
    played = [(one.game, one.players, one.deal, one.seating) for one in results.read()]
    assert len(played) == len(set(played))
    assert list(measure(Table(RUNGS, "1"), results, one_by_one)) == []


def test_a_bot_that_has_changed_is_measured_anew_and_only_it(tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    list(measure(Table(RUNGS, "1"), results, one_by_one))
    before = results.read()
    table = Table(all_rungs(["open"], ["random", "easy", "medium"], [2]), "1")
    gone = table.forget(["medium"], results)
    after = results.read()
    lost = [one for one in before if one not in after]
    assert len(lost) == gone == len(before) - len(after) > 0
    assert all(one.game == "open" and one.players == 2 and "medium" in one.seating for one in lost)
    assert not any(one.game == "open" and one.players == 2 and "medium" in one.seating for one in after)
    assert table.forget(["medium"], results) == 0
    with pytest.raises(ArenaError, match="'hard' plays none of these rungs"):
        table.forget(["hard"], results)
    with pytest.raises(ArenaError, match="There is no bot 'nobody'"):
        Table(all_rungs(["base"], ["nobody", "easy"], [2]), "1").forget(["easy"], results)
    assert results.read() == after
    assert [file.name for file in tmp_path.iterdir()] == ["results"]


def test_games_of_another_seed_do_not_count(tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    list(measure(Table(RUNGS, "1"), results, one_by_one))
    other = Table(RUNGS, "2")
    other.take(results.read())
    assert other.findings() == {}


def test_another_rung_is_begun_before_too_many_deals_of_one_are_under_way() -> None:
    table = Table(RUNGS, "1")
    given = [jobs[0] for jobs in islice(table.portions(), 3 * UNDER_WAY)]
    assert [len({job.deal for job in given[start : start + UNDER_WAY]}) for start in (0, 16, 32)] == [16] * 3
    assert len({(job.game, job.players) for job in given}) == 3


def test_teams_play_a_game_once_for_both_rungs_that_it_counts_in() -> None:
    table = Table(all_rungs(["buffalo"], ["random", "easy", "medium"], [3]), "1")
    jobs = [job for portion in islice(table.portions(), 32) for job in portion]
    assert len(jobs) == len(set(jobs)) == 16 * 3


def test_no_more_deals_are_given_out_than_a_rung_may_have() -> None:
    (rung,) = all_rungs(["base"], ["random", "easy"], [4])
    table = Table([rung], "1", most=200)
    assert len(list(table.portions())) == 50


def test_the_rungs_of_all_games_begin_with_the_quickest() -> None:
    rungs = all_rungs(list(games()))
    counts = {
        game: sorted({rung.players for rung in rungs if rung.game == game}) for game in ("base", "buffalo")
    }
    assert counts == {"base": [2, 3, 4, 6, 10], "buffalo": [1, 3, 6]}
    assert {rung.upper for rung in rungs[:90]} == {"easy"}
    assert Rung("base", 3, "mcs", "medium") in rungs
    assert Rung("tactics", 3, "mcs", "medium") not in rungs


def test_the_page_says_what_was_not_played_and_needs_no_script(tmp_path: Path) -> None:
    table = Table(RUNGS[:3], "1")
    list(measure(table, Results(tmp_path / "results"), one_by_one))
    page = rung_page(RUNGS, table.findings(), "bullpen arena rungs base open")
    assert f"Of {len(RUNGS)} rungs 3 have been played" in page.replace("\n", " ")
    assert page.count("not played |") == len(RUNGS) - 3
    drawn = heat_map(RUNGS, table.findings())
    assert drawn.count("<rect") == len(RUNGS)
    assert drawn.count("stroke=") == len(RUNGS) - 3
    assert not re.search(r"<script|href|\n|nan|inf", drawn)


def test_the_command_measures_goes_on_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, page = str(tmp_path / "rungs.jsonl"), tmp_path / "rungs.md"
    words = ["rungs", "base", "--bots", "random~1,random", "--players", "2", "--seed", "9", "--out", out]
    words += ["--workers", "1"]
    # One that always names the first row is soon found out.
    main([*words, "--page", str(page)])
    said = capsys.readouterr().out
    assert "base, 2 players: random is" in said
    assert "1 of 1 rungs need no more deals; seed 9" in said
    first = page.read_text()
    main([*words, "--page", str(page), "--page-only"])
    assert page.read_text() == first
    assert "--seed 9" in first


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rungs", "base", "--players", "1"], "There is no such table"),
        (["rungs", "base", "--bots", "easy"], "at least two bots"),
        (["rungs", "base", "--bots", "easy,nobody"], "There is no bot 'nobody'"),
        (["rungs", "base", "--out", "."], "is a folder"),
        (["rungs", "base", "--bots", "random,easy", "--anew", "expert"], "'expert' plays none"),
    ],
)
def test_a_mistake_gets_one_sentence(words: list[str], says: str) -> None:
    with pytest.raises(ArenaError, match=says):
        main(words)


def test_a_file_that_holds_anything_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text('{"game":"base"}\n{"other":1}\n')
    with pytest.raises(ArenaError, match="line 1 is no result"):
        main(["rungs", "base", "--bots", "random,easy", "--players", "2", "--out", str(path)])
    assert path.read_text() == '{"game":"base"}\n{"other":1}\n'

"""Reports: figures that can be checked by hand, ratings with ties, and a page that needs nothing else."""

import re
from pathlib import Path
from typing import Any

import pytest

from bullpen.arena.__main__ import main
from bullpen.arena.errors import ArenaError
from bullpen.arena.outcome import Faults, Outcome
from bullpen.arena.page import page
from bullpen.arena.rating import rate
from bullpen.arena.summary import summarise
from bullpen.engine import ranked


def outcome(deal: int, seating: tuple[str, ...], scores: tuple[int, ...], **more: object) -> Outcome:
    fields: dict[str, Any] = {"ranks": ranked(list(scores), "").ranks} | more
    return Outcome(
        game="base", players=len(seating), seed="1", deal=deal, seating=seating, limit=1.0, behaviour=1,
        scores=scores, decisions=(10,) * len(seating), thought=(0.01,) * len(seating), **fields,
    )  # fmt: skip


def test_the_figures_of_a_small_match() -> None:
    played = [
        outcome(0, ("a", "b"), (10, 20)),
        outcome(0, ("b", "a"), (30, 12)),
        outcome(1, ("a", "b"), (5, 5)),
        outcome(1, ("b", "a"), (7, 9), faults={"1": Faults(late=2)}),
    ]
    (summary,) = summarise(played)
    a, b = summary.standings
    assert (a.bot, a.score.mean, b.score.mean) == ("a", 9.0, 15.5)
    # Two wins, half a win, none.
    assert a.wins.mean == 2.5 / 4
    assert [share.mean for share in a.ranks] == [0.75, 0.25]
    assert (a.faults, b.faults) == (2, 0)
    assert a.milliseconds == pytest.approx(1.0)
    (comparison,) = summary.comparisons
    # Deal 0: 25 - 11 = 14 ahead; deal 1: 6 - 7 = 1 behind.
    assert comparison.points.mean == 6.5
    assert comparison.points.count == 2


def test_a_high_score_is_better_where_the_ranks_say_so() -> None:
    played = [outcome(deal, ("a", "b"), (10, 20), ranks=(2, 1)) for deal in range(3)]
    (summary,) = summarise(played)
    assert summary.standings[0].bot == "b"
    assert summary.comparisons[0].points.mean == 10


def test_a_team_is_compared_by_its_margin_over_the_table() -> None:
    played = []
    for deal in range(3):
        played.append(outcome(deal, ("a", "a"), (10, 10), ranks=(1, 1), won=True, against=20))
        played.append(outcome(deal, ("b", "b"), (30, 30), ranks=(1, 1), won=False, against=25))
    (summary,) = summarise(played)
    assert [(each.bot, each.wins.mean) for each in summary.standings] == [("a", 1.0), ("b", 0.0)]
    assert summary.comparisons[0].points.mean == 15
    assert [rating.bot for rating in rate(played)] == ["a", "(the base)", "b"]


def test_ties_leave_ratings_equal() -> None:
    tied = [outcome(deal, ("a", "b", "c"), (7, 7, 7)) for deal in range(10)]
    means = [rating.mean for rating in rate(tied)]
    assert max(means) - min(means) < 1e-9


def test_the_winner_of_most_games_is_rated_highest() -> None:
    played = [outcome(deal, ("a", "b", "b"), (1, 2, 3) if deal % 4 else (3, 1, 2)) for deal in range(60)]
    first, second = rate(played)
    assert first.bot == "a"
    assert first.low > second.mean


def test_a_page_needs_nothing_but_itself_and_trusts_no_name() -> None:
    name = "cmd:<script>alert(1)</script>"
    played = [outcome(deal, (name, "b"), (deal % 7, 5)) for deal in range(12)]
    html = page(played)
    assert "<script" not in html
    assert not re.search(r"(?:src|href)=|https?:|@import|url\(", html)
    assert html.count("<svg") == 5
    assert html.count("<svg") == html.count("</svg>")


def run(*words: str) -> None:
    main(words)


def test_the_commands_play_go_on_and_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, html = str(tmp_path / "out.jsonl"), tmp_path / "page.html"
    match = ["match", "base", "random", "random~0.5", "--players", "2", "--rounds", "1", "--out", out]
    run(*match, "--deals", "3", "--workers", "1")
    run(*match, "--deals", "4", "--workers", "1")
    rungs = ["ladder", "buffalo", "open", "--bots", "random,easy", "--players", "2", "--rounds", "1"]
    run(*rungs, "--deals", "2", "--out", out, "--workers", "1")
    capsys.readouterr()
    run("report", out, "--html", str(html), "--replay", "3")
    said = capsys.readouterr().out
    assert "3 of 3 games came out the same" in said
    assert "4 deals" in said
    assert "buffalo" in html.read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["report", "nowhere.jsonl"], "There is no results file"),
        (["ladder", "base", "--deals", "many"], "numbers divided by commas"),
        (["ladder", "base", "--bots", "easy"], "at least two bots"),
    ],
)
def test_a_mistake_gets_one_sentence(words: list[str], says: str) -> None:
    with pytest.raises(ArenaError, match=says):
        run(*words)

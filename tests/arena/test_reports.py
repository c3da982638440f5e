"""Reports: figures that can be checked by hand, ratings with ties, and a page that needs nothing else."""

import io
import math
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bullpen.arena.__main__ import main
from bullpen.arena.errors import ArenaError
from bullpen.arena.outcome import Faults, Outcome
from bullpen.arena.page import page
from bullpen.arena.rating import rate
from bullpen.arena.report import print_report
from bullpen.arena.results import Results
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
    assert max(means) - min(means) < 1e-6


def test_the_winner_of_most_games_is_rated_highest() -> None:
    played = [outcome(deal, ("a", "b", "b"), (1, 2, 3) if deal % 4 else (3, 1, 2)) for deal in range(60)]
    first, second = rate(played)
    assert first.bot == "a"
    assert first.low > second.mean


def test_a_rating_says_how_often_one_comes_out_ahead() -> None:
    # Three of four, and as many the other way round: odds of three to one are 400 * log10(3) points.
    played = [outcome(deal, ("a", "b"), (1, 2) if deal % 4 else (2, 1)) for deal in range(4000)]
    a, b = rate(played)
    assert a.mean - b.mean == pytest.approx(400 * math.log10(3), abs=1)
    assert a.low < a.mean < a.high


def test_ratings_do_not_hang_on_the_order_of_the_games() -> None:
    played = [outcome(deal, ("a", "b", "c"), (deal % 5, deal % 3, deal % 7)) for deal in range(50)]
    there, back = rate(played), rate(played[::-1])
    assert [each.bot for each in there] == [each.bot for each in back]
    assert [each.mean for each in there] == pytest.approx([each.mean for each in back])


def test_ratings_agree_with_the_comparisons_over_a_chain_of_matches() -> None:
    # A ladder: neighbours have met, the ends have not.
    played = [outcome(deal, ("b", "a"), (1, 2) if deal % 3 else (2, 1)) for deal in range(300)]
    played += [outcome(300 + deal, ("c", "b"), (1, 2) if deal % 5 else (2, 1)) for deal in range(300)]
    c, b, a = rate(played)
    assert [c.bot, b.bot, a.bot] == ["c", "b", "a"]
    assert b.mean - a.mean == pytest.approx(400 * math.log10(2), abs=3)
    assert c.mean - b.mean == pytest.approx(400 * math.log10(4), abs=3)


def test_who_never_lost_is_not_infinitely_strong() -> None:
    best, *_ = rate([outcome(deal, ("a", "b"), (1, 2)) for deal in range(50)])
    assert best.bot == "a"
    assert best.mean < 600


def test_the_more_deals_the_narrower_the_interval() -> None:
    def width(deals: int) -> float:
        best, *_ = rate([outcome(deal, ("a", "b"), (1, 2) if deal % 3 else (2, 1)) for deal in range(deals)])
        return best.high - best.low

    assert width(900) < 0.5 * width(100)
    assert width(1) == math.inf


def test_a_page_of_one_deal_has_no_figure_that_is_none() -> None:
    html = page([outcome(0, ("a", "b"), (1, 2)), outcome(0, ("b", "a"), (2, 1))])
    assert not re.search(r"(?:left|width|x|y|points)[:=]\"?[^;>\"]*(?:nan|inf)", html)


def test_a_page_needs_nothing_but_itself_and_trusts_no_name() -> None:
    name = "cmd:<script>alert(1)</script>"
    played = [outcome(deal, (name, "b"), (deal % 7, 5)) for deal in range(12)]
    html = page(played)
    assert "<script" not in html
    assert not re.search(r"(?:src|href)=|https?:|@import|url\(", html)
    assert html.count("<svg") == html.count("</svg>") == 1
    assert html.count("<figure>") == html.count("</figure>") == 5


def test_plots_have_axes_with_round_numbers() -> None:
    html = page([outcome(deal, ("a", "b"), (deal % 7, 5)) for deal in range(40)])
    score, _, ranks, curve, _ = html.split("<figure>")[1:]
    assert "the first on the left" in ranks  # in a dark theme the first is the brightest
    assert re.findall(r'<i class="left"[^>]*>([^<]*)', score) == ["3", "4", "5"]
    assert re.findall(r'<i class="left"[^>]*>([^<]*)', ranks) == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert re.findall(r'<i class="left"[^>]*>([^<]*)', curve) == ["10", "20", "30", "40"]
    assert re.findall(r'<i class="top"[^>]*>([^<]*)', curve) == ["0", "+1", "+2", "+3", "+4"]
    assert ">deals<" in curve


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
        (["match", "base", "easy", "random", "--out", "no/such/folder/a.jsonl"], "There is no folder"),
        (["match", "base", "easy", "random", "--out", "."], "is a folder, not a results file"),
        (["ladder", "base", "--deals", "many"], "numbers divided by commas"),
        (["ladder", "base", "--bots", "easy"], "at least two bots"),
    ],
)
def test_a_mistake_gets_one_sentence(words: list[str], says: str) -> None:
    with pytest.raises(ArenaError, match=says):
        run(*words)


def test_tables_fit_eighty_columns_whatever_the_bots_are_called() -> None:
    name = "cmd:/home/somebody/projects/bullhead/bots/target/release/bot --threads 1 --seed 5"
    seating = (name, "b", "c", "d", "e", "f", "g", "h", "i", "j")
    played = [
        outcome(
            deal,
            seating,
            tuple((deal * k) % 70 for k in range(1, 11)),
            faults={"0": Faults(late=1, first="x" * 200)},
        )
        for deal in range(8)
    ]
    console = Console(width=80, file=io.StringIO())
    print_report(console, played)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(len(line) for line in lines) <= 80
    assert any(re.search(r"^ *cmd:/home/som\S* .*± .* 8 *$", line) for line in lines)
    assert any("lost 8 decisions to chance." in line for line in lines)


def test_progress_is_told_in_lines_when_nobody_can_see_a_bar(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = [
        "match",
        "base",
        "random",
        "--players",
        "2",
        "--rounds",
        "1",
        "--out",
        str(tmp_path / "out.jsonl"),
    ]
    run(*match, "--deals", "20", "--workers", "1")
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 10
    assert re.fullmatch(r"2 of 20 games, about \d+ s left", said[0])


def test_without_a_seed_the_deals_cannot_be_guessed_and_the_file_keeps_it(tmp_path: Path) -> None:
    seeds = []
    for name in ("one", "other"):
        out = tmp_path / name
        match = [
            "match",
            "base",
            "random",
            "--players",
            "2",
            "--rounds",
            "1",
            "--out",
            str(out),
            "--workers",
            "1",
        ]
        run(*match, "--deals", "1")
        run(*match, "--deals", "2")
        played = Results(out).read()
        assert [each.deal for each in played] == [0, 1]
        seeds += [{each.seed for each in played}]
    assert all(len(each) == 1 and len(min(each)) == 32 for each in seeds)
    assert seeds[0] != seeds[1]

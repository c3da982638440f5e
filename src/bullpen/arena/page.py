"""A report as one HTML page that needs nothing but itself."""

from collections.abc import Sequence
from html import escape

from bullpen.arena.outcome import Outcome
from bullpen.arena.plots import Mark, bars, course, dots
from bullpen.arena.report import fault, figure, ratings_by_game, sentence, shown, title
from bullpen.arena.statistics import estimate
from bullpen.arena.summary import Comparison, Summary, differences, summarise

STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --line: #bbb; --mark: #5e35b1; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eee; --paper: #16161c; --line: #555; --mark: #b39ddb; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 64rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 7rem; }
figure { margin: 1.5rem 0; } figcaption { font-size: .85em; opacity: .8; margin-top: .3rem; }
.row { display: grid; grid-template-columns: minmax(6rem, 12rem) 1fr 9rem; gap: 0 .8rem;
  align-items: center; }
.track { position: relative; height: 1.4rem; display: flex; border-bottom: 1px solid var(--line); }
.track u { position: absolute; top: 0; bottom: 0; width: 1px; background: var(--line); opacity: .6; }
.words { font-size: .85em; font-variant-numeric: tabular-nums; }
.reach { position: absolute; top: calc(50% - 1px); height: 2px; background: var(--mark); }
.dot { position: absolute; top: calc(50% - 5px); width: 10px; height: 10px; margin-left: -5px;
  border-radius: 50%; background: var(--mark); }
.part { background: var(--mark); margin: .15rem 0; z-index: 1; }
.axis { position: relative; height: 1.2rem; }
i { font: .8em/1 system-ui, sans-serif; font-variant-numeric: tabular-nums; position: absolute;
  white-space: nowrap; }
.axis i { top: .25rem; transform: translateX(-50%); }
.plot { position: relative; height: 11rem; margin: 0 1rem 2.6rem 3.2rem; }
.plot i.top { right: calc(100% + .4rem); transform: translateY(-50%); }
.plot i.left { top: calc(100% + .4rem); transform: translateX(-50%); }
.plot i.across { top: calc(100% + 1.5rem); left: 50%; transform: translateX(-50%); }
svg { display: block; width: 100%; height: 100%; overflow: visible;
  border: solid var(--line); border-width: 0 0 1px 1px; }
svg * { vector-effect: non-scaling-stroke; }
polygon { fill: var(--mark); opacity: .25; } polyline { fill: none; stroke: var(--mark); stroke-width: 2; }
line { stroke: var(--line); opacity: .5; } .zero { stroke: var(--ink); stroke-dasharray: 4 3; opacity: .8; }
@media (max-width: 40rem) {
  table, tbody { display: block; } tr:first-child { display: none; }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td, td:first-child { display: flex; justify-content: space-between; border: 0; padding: .1rem 0; }
  td:first-child { font-weight: bold; } td + td::before { content: attr(data-label); opacity: .8; }
  .row { grid-template-columns: 1fr auto; gap: 0 .5rem; } .label { grid-area: 1 / 1; }
  .words { grid-area: 1 / 2; }
  .track, .axis { grid-column: 1 / 3; margin: 0 .8rem; } .scale .label { display: none; } }
"""


def page(outcomes: Sequence[Outcome]) -> str:
    """Return the page."""
    games = len(outcomes)
    parts = [
        "<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<title>bullpen arena</title>", f"<style>{STYLE}</style>", "</head>", "<body>",
        "<h1>Arena</h1>",
        f"<p>{games} games. Intervals are 95 %, over deals: the games of one deal share their cards.</p>",
    ]  # fmt: skip
    for summary in summarise(outcomes):
        parts += _section(summary, outcomes)
    for game, ratings in ratings_by_game(outcomes).items():
        marks = [
            Mark(shown(each.bot), each.mean, each.low, each.high, f"{each.mean:+.0f}") for each in ratings
        ]
        says = "Bradley–Terry, with 95 % intervals: 400 points are odds of ten to one to come out ahead"
        parts += [f"<h2>{escape(game)}: rating</h2>", dots(marks, says)]
    return "\n".join([*parts, "</body>", "</html>", ""])


def _section(summary: Summary, outcomes: Sequence[Outcome]) -> list[str]:
    parts = [f"<h2>{escape(title(summary.setting))}</h2>", _table(summary)]
    scores = [
        Mark(shown(each.bot), each.score.mean, each.score.low, each.score.high, figure(each.score))
        for each in summary.standings
    ]
    wins = [
        Mark(shown(each.bot), 100 * each.wins.mean, 100 * each.wins.low, 100 * each.wins.high,
             figure(each.wins, percent=True))
        for each in summary.standings
    ]  # fmt: skip
    parts += [dots(scores, "Mean score"), dots(wins, "Games won, in percent")]
    if not summary.together:
        names = [f"rank {place + 1}" for place in range(summary.setting.players)]
        rows = [(shown(each.bot), [share.mean for share in each.ranks]) for each in summary.standings]
        parts.append(bars(rows, names, "Share of ranks, the first on the left"))
    parts += [f"<p>{escape(line)}</p>" for line in map(fault, summary.standings) if line]
    for comparison in summary.comparisons:
        parts += [f"<p>{escape(sentence(comparison))}.</p>", _course(summary, comparison, outcomes)]
    return parts


def _course(summary: Summary, comparison: Comparison, outcomes: Sequence[Outcome]) -> str:
    """Draw how the difference in points settled."""
    ahead = differences(summary.setting, comparison.better, comparison.worse, outcomes)
    if len(ahead) < 6:
        return ""
    steps = sorted({max(5, len(ahead) * step // 60) for step in range(1, 61)})
    found = [estimate(ahead[:count]) for count in steps]
    return course(
        steps,
        [each.low for each in found],
        [each.mean for each in found],
        [each.high for each in found],
        f"Points ahead of {shown(comparison.worse)}, with the 95 % interval, after 5 to {len(ahead)} deals",
    )


def _table(summary: Summary) -> str:
    heads = ["bot", "games", "score", "won" if summary.together else "win share"]
    heads += [] if summary.together else ["mean rank"]
    heads += ["ms a decision", "faults"]
    rows = []
    for each in summary.standings:
        rank = [] if summary.together else [f"{each.mean_rank:.2f}"]
        score, wins = figure(each.score), figure(each.wins, percent=True)
        cells = [shown(each.bot), str(each.games), score, wins, *rank]
        cells += [f"{each.milliseconds:.2f}", str(each.faults)]
        labelled = zip(heads, cells, strict=True)
        rows.append("".join(f'<td data-label="{head}">{escape(cell)}</td>' for head, cell in labelled))
    head = "".join(f"<th>{text}</th>" for text in heads)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

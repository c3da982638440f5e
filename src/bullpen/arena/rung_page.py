"""The rungs as a page of documentation: a heat map that needs no script, and a table for each game."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby

from bullpen.arena.report import figure
from bullpen.arena.rungs import MOST, Rung, tables
from bullpen.arena.sequential import AHEAD, BOUND, ERROR, Finding, Verdict
from bullpen.arena.statistics import FEWEST

Findings = Mapping[Rung, Finding]
Step = tuple[str, str]

CELL, LINE, LEFT, HEAD = 40, 24, 130, 26
"""Of the heat map: the size of a cell, and the room for names."""
GAP = 14
"""Between the columns of two steps."""
STRONG = 0.8
"""The effect, in standard deviations of a game, from which on a colour no longer deepens."""
SAYS = {Verdict.BETTER: "better", Verdict.NOT_BETTER: "**not better**", Verdict.OPEN: "*open*"}
TOLD = {
    Verdict.BETTER: "is better than",
    Verdict.NOT_BETTER: "is not better than",
    Verdict.OPEN: "is still open against",
}
MARKS = {Verdict.BETTER: "", Verdict.NOT_BETTER: "×", Verdict.OPEN: "?"}
HUES = {Verdict.BETTER: 115, Verdict.NOT_BETTER: 8, Verdict.OPEN: 48}

LEGEND = (
    "In each cell: the number of players, and the effect in hundredths of a standard deviation of a game. "
    "Green: the upper level is better, the deeper the clearer. Red with ×: it is not. Yellow with ?: open. "
    "Empty: not played."
)
PAGE = """\
# Every rung at every table

Of {rungs} rungs {measured} have been played, {games:,} games in all: in {better} the upper level is better,
in {worse} it is not, {open} are open. {missing} have not been played.

{map}

A rung is the upper level alone against a table of the lower one. Every deal is played once from each seat
(in Beat the Buffalo once by a team of each). After each deal a generalised sequential probability ratio
test weighs two claims: the upper level is ahead by nothing, or by {ahead:g} standard deviations of a game.
Either is taken for the other in at most {error:g} % of all tests: the logarithm of the ratio settles a rung
at ±{bound:.2f}, after {fewest} deals at the earliest. What {most:,} games do not settle is open. A game is
one round where the players can agree to end there, else a whole game. *Points ahead* are the mean a game
with a 95 % interval; a test that stops because all went well flatters them a little. *Effect* is the same
in standard deviations of a game.

```
{command}
```

The same seed plays the same deals; the same results file, or the standings in `benchmarks/rungs.jsonl`, go on
where they stopped ([how to run it](arena.md#every-rung-at-every-table)). The page is written by this command.
"""


def rung_page(rungs: Sequence[Rung], findings: Findings, command: str) -> str:
    """Return the page in Markdown: what is settled, what is not, and what was never played."""
    found = [findings[rung] for rung in rungs if rung in findings]
    count = {verdict: sum(one.verdict is verdict for one in found) for verdict in Verdict}
    parts = [
        PAGE.format(
            rungs=len(rungs),
            measured=len(found),
            missing=len(rungs) - len(found),
            games=sum(one.games for one in found),
            better=count[Verdict.BETTER],
            worse=count[Verdict.NOT_BETTER],
            open=count[Verdict.OPEN],
            map=heat_map(rungs, findings),
            ahead=AHEAD,
            error=100 * ERROR,
            bound=BOUND,
            fewest=FEWEST,
            most=MOST,
            command=command,
        )
    ]
    for game in dict.fromkeys(rung.game for rung in rungs):
        own = sorted((rung for rung in rungs if rung.game == game), key=lambda rung: rung.players)
        parts.append("\n".join([f"## {game}", "", *_table(own, findings), ""]))
    return "\n".join(parts)


def sentence(rung: Rung, found: Finding) -> str:
    """Return what a rung came to as a sentence."""
    return (
        f"{rung.game}, {rung.players} players: {rung.upper} {TOLD[found.verdict]} {rung.lower} "
        f"after {found.games} games ({figure(found.points, signed=True)} points, "
        f"log ratio {found.ratio:+.2f})"
    )


def _table(rungs: Sequence[Rung], findings: Findings) -> list[str]:
    heads = ("players", "upper", "lower", "verdict", "games", "points ahead", "effect", "log ratio")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for rung in rungs:
        found, cells = findings.get(rung), [str(rung.players), f"`{rung.upper}`", f"`{rung.lower}`"]
        if found is None:
            cells += ["not played", "", "", "", ""]
        else:
            points = figure(found.points, signed=True)
            cells += [SAYS[found.verdict], str(found.games), points]
            cells += [f"{found.effect:+.2f}", f"{found.ratio:+.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def heat_map(rungs: Sequence[Rung], findings: Findings) -> str:
    """Draw all rungs: a line for each game, a column for each step and table; the tables say it in words."""
    games_of = {
        step: tuple(dict.fromkeys(rung.game for rung in rungs if (rung.lower, rung.upper) == step))
        for step in dict.fromkeys((rung.lower, rung.upper) for rung in rungs)
    }
    drawn, width, top = "", 0, 0
    for games, steps in groupby(games_of, key=lambda step: games_of[step]):
        block, across = _block(games, list(steps), rungs, findings)
        drawn += f'<g transform="translate(0 {top})">{block}</g>'
        width, top = max(width, across), top + HEAD + len(games) * LINE + GAP
    return (
        f'<figure><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" role="img" '
        'aria-label="Heat map of all rungs" '
        'style="width:100%;height:auto;font:11px sans-serif;fill:currentColor">'
        f"{drawn}</svg><figcaption>{LEGEND}</figcaption></figure>"
    )


def _block(
    games: Sequence[str], steps: Sequence[Step], rungs: Sequence[Rung], findings: Findings
) -> tuple[str, int]:
    """Draw the steps that the same games have side by side; return that and how wide it is."""
    drawn, x, wanted = "", LEFT, set(rungs)
    for place, game in enumerate(games):
        drawn += f'<text x="0" y="{HEAD + place * LINE + 15}">{escape(game)}</text>'
    for lower, upper in steps:
        drawn += f'<text x="{x}" y="16">{escape(upper)} over {escape(lower)}</text>'
        for place, game in enumerate(games):
            for column, players in enumerate(tables(game)):
                rung = Rung(game, players, lower, upper)
                if rung in wanted:
                    at = (x + column * CELL, HEAD + place * LINE)
                    drawn += _cell(at, players, findings.get(rung))
        x += max(len(tables(game)) for game in games) * CELL + GAP
    return drawn, x


def _cell(at: tuple[int, int], players: int, found: Finding | None) -> str:
    x, y = at
    size = f'x="{x}" y="{y}" width="{CELL - 2}" height="{LINE - 2}" rx="3"'
    if found is None:
        return f'<rect {size} fill="none" stroke="currentColor" stroke-opacity=".3"/>'
    words = f"{players}: {100 * found.effect:+.0f}{MARKS[found.verdict]}"
    depth = min(1.0, abs(found.effect) / STRONG)
    # The ink on a cell does not follow the theme: every fill is light enough for a dark one.
    return (
        f'<rect {size} fill="hsl({HUES[found.verdict]} 55% {88 - 30 * depth:.0f}%)"/>'
        f'<text x="{x + CELL // 2 - 1}" y="{y + 15}" text-anchor="middle" style="font-size:10px" '
        f'fill="#14210f">{words}</text>'
    )

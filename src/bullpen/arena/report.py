"""Reports in the terminal: tables of standings, differences and ratings."""

from collections import defaultdict
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bullpen.arena.contenders import name_of
from bullpen.arena.outcome import Outcome
from bullpen.arena.rating import Rating, rate
from bullpen.arena.statistics import FEWEST, Estimate
from bullpen.arena.summary import Comparison, Setting, Standing, Summary, summarise

LONGEST_NAME = 24
"""Letters of a bot's name in a report."""


def title(setting: Setting) -> str:
    """Return a setting in words."""
    options = "".join(f", {key}={str(value)[:30]}" for key, value in setting.options)
    return f"{setting.game}, {setting.players} players{options}"


def figure(value: Estimate, percent: bool = False, signed: bool = False) -> str:
    """Return an estimate as people write it.

    >>> figure(Estimate(0.25, 0.02, 100), percent=True)
    '25.0 % ± 2.0'
    """
    scale, digits, unit = (100, 1, " %") if percent else (1, 2, "")
    mean = f"{value.mean * scale:{'+' if signed else ''}.{digits}f}"
    return f"{mean}{unit} ± {value.margin * scale:.{digits}f}"


def print_report(console: Console, outcomes: Sequence[Outcome]) -> None:
    """Print everything that can be said about these games."""
    for summary in summarise(outcomes):
        console.print(standings(summary))
        for line in (*map(sentence, summary.comparisons), *map(fault, summary.standings)):
            if line:
                console.print(Padding(Text(line), (0, 0, 0, 2)))
        console.print()
    for game, ratings in ratings_by_game(outcomes).items():
        console.print(rating_table(game, ratings))


def ratings_by_game(outcomes: Sequence[Outcome]) -> dict[str, list[Rating]]:
    """Rate the bots of each game."""
    games: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        games[outcome.game].append(outcome)
    found = {game: rate(played) for game, played in games.items()}
    return {game: ratings for game, ratings in found.items() if ratings}


def shown(bot: str) -> str:
    """Return a bot's name for reports: its label, cut in the middle if it is long.

    >>> shown("mine=cmd:python bot.py"), shown("cmd:/a/very/long/path/to/some/program --deep")
    ('mine', 'cmd:/a/very/lon…m --deep')
    """
    label = name_of(bot).label
    return label if len(label) <= LONGEST_NAME else f"{label[:15]}…{label[16 - LONGEST_NAME :]}"


def standings(summary: Summary) -> Table:
    """Return the table of a setting: narrow, so that it fits a terminal of 80 columns."""
    over = f"{title(summary.setting)}: {summary.deals} deal{'s' if summary.deals != 1 else ''}"
    table = Table(title=over, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("bot", overflow="fold", min_width=10)
    heads = ["games", "score", "won" if summary.together else "win share"]
    heads += [] if summary.together else ["rank"]
    for head in (*heads, "ms", "faults"):
        table.add_column(head, justify="right", no_wrap=True)
    for standing in summary.standings:
        rank = [] if summary.together else [f"{standing.mean_rank:.2f}"]
        table.add_row(
            Text(shown(standing.bot)),
            str(standing.games),
            figure(standing.score),
            figure(standing.wins, percent=True),
            *rank,
            f"{standing.milliseconds:.3g}",
            str(standing.faults),
        )
    return table


def sentence(comparison: Comparison) -> str:
    """Return a comparison as a sentence."""
    return (
        f"{shown(comparison.better)} against {shown(comparison.worse)}: "
        f"{figure(comparison.points, signed=True)} points, "
        f"{figure(comparison.wins, percent=True, signed=True)} wins: {verdict(comparison)}"
    )


def verdict(comparison: Comparison) -> str:
    """Return what a comparison shows; points alone decide."""
    if not comparison.enough:
        return f"too few deals for a verdict (at least {FEWEST})"
    if comparison.clear:
        return f"{shown(comparison.better)} is ahead"
    needed = comparison.needed
    return "no clear difference" + (f"; about {needed} deals would show one of this size" if needed else "")


def fault(standing: Standing) -> str:
    """Return what a bot did wrong as a sentence, or nothing."""
    if not standing.faults:
        return ""
    first = f" The first: {standing.first_fault}" if standing.first_fault else ""
    return f"{shown(standing.bot)} lost {standing.faults} decisions to chance.{first}"


def rating_table(game: str, ratings: Sequence[Rating]) -> Table:
    """Return the ratings of a game."""
    table = Table(title=f"{game}: rating (Bradley–Terry, 400 points are odds of ten to one)",
                  title_justify="left", box=SIMPLE_HEAD)  # fmt: skip
    table.add_column("bot", overflow="fold", min_width=10)
    for head in ("rating", "from", "to"):
        table.add_column(head, justify="right", no_wrap=True)
    for rating in ratings:
        table.add_row(Text(shown(rating.bot)), *(f"{x:+.0f}" for x in (rating.mean, rating.low, rating.high)))
    return table

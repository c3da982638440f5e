"""Reports in the terminal: tables of standings, differences and ratings."""

from collections import defaultdict
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bullpen.arena.outcome import Outcome
from bullpen.arena.rating import Rating, rate
from bullpen.arena.statistics import Estimate
from bullpen.arena.summary import Comparison, Setting, Summary, summarise


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
        for comparison in summary.comparisons:
            console.print(f"  {sentence(comparison)}", highlight=False)
        console.print()
    for game, ratings in ratings_by_game(outcomes).items():
        console.print(rating_table(game, ratings))


def ratings_by_game(outcomes: Sequence[Outcome]) -> dict[str, list[Rating]]:
    """Rate the bots of each game, deal by deal as they were played."""
    games: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        games[outcome.game].append(outcome)
    return {
        game: rate(sorted(played, key=lambda each: (each.deal, each.seating)))
        for game, played in games.items()
    }


def standings(summary: Summary) -> Table:
    """Return the table of a setting."""
    table = Table(title=f"{title(summary.setting)}: {summary.deals} deals", title_justify="left")
    table.add_column("bot", overflow="fold", min_width=6)
    heads = ["games", "score", "won" if summary.together else "win share"]
    heads += [] if summary.together else [f"rank {place + 1}" for place in range(summary.setting.players)]
    for head in (*heads, "ms", "faults"):
        table.add_column(head, justify="right")
    for standing in summary.standings:
        ranks = [] if summary.together else [figure(share, percent=True) for share in standing.ranks]
        table.add_row(
            standing.bot,
            str(standing.games),
            figure(standing.score),
            figure(standing.wins, percent=True),
            *ranks,
            f"{standing.milliseconds:.2f}",
            str(standing.faults),
        )
    return table


def sentence(comparison: Comparison) -> str:
    """Return a comparison as a sentence."""
    verdict = "clear" if comparison.clear else "not clear"
    needed = comparison.needed
    more = f"; about {needed} deals show such a difference" if needed and not comparison.clear else ""
    return (
        f"{comparison.better} against {comparison.worse}: {figure(comparison.points, signed=True)} points, "
        f"{figure(comparison.wins, percent=True, signed=True)} wins: {verdict}{more}"
    )


def rating_table(game: str, ratings: Sequence[Rating]) -> Table:
    """Return the ratings of a game."""
    table = Table(title=f"{game}: rating (Plackett–Luce)", title_justify="left")
    table.add_column("bot")
    for head in ("rating", "from", "to"):
        table.add_column(head, justify="right")
    for rating in ratings:
        table.add_row(rating.bot, f"{rating.mean:.2f}", f"{rating.low:.2f}", f"{rating.high:.2f}")
    return table

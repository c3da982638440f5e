"""Evaluations and reviews as tables for the terminal."""

from typing import TYPE_CHECKING

from bullpen.analysis.shapes import Evaluation, Review
from bullpen.analysis.words import sentence
from bullpen.engine import BullpenError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MOST_MISTAKES, MOST_REASONS = 20, 2
STYLES = {"best": "green", "inaccuracy": "yellow", "mistake": "red", "blunder": "bold red"}


def console() -> "Console":
    """Return a console to draw on, or say what to install."""
    try:
        from rich.console import Console  # noqa: PLC0415 an extra
    except ImportError:
        raise BullpenError(
            "This command draws with rich: pip install 'bullpen-games[terminal]', or use --json."
        ) from None
    # Names and notation are no markup.
    return Console(markup=False, emoji=False)


def _table(title: str, heads: str) -> "Table":
    """Return an empty table; a head that ends in < is that of words, all others are of numbers."""
    from rich.table import Table  # noqa: PLC0415 an extra

    table = Table(title=title, title_justify="left")
    for head in heads.split("|"):
        table.add_column(head.rstrip("<"), justify="left" if head.endswith("<") else "right")
    return table


def evaluation_table(found: Evaluation) -> "Table":
    """Return the options of a question, best first."""
    heads = "choice|to come|±|90 %|takes|costs|round|game|why<"
    title = f"{found.game}, seat {found.seat}, {found.kind}: {found.unit}, {found.better} is better"
    table = _table(title, heads)
    for option in found.ranked:
        table.add_row(
            option.choice,
            f"{option.mean:.2f}",
            f"{option.error:.2f}",
            f"{option.low:.0f}–{option.high:.0f}",
            f"{option.take_chance:.0%}",
            f"{option.take_cost:.1f}" if option.take_chance else "",
            f"{option.round_win_chance:.0%}",
            f"{option.win_chance:.0%}",
            "; ".join(sentence(reason) for reason in option.reasons[:MOST_REASONS]),
        )
    return table


def review_tables(found: Review) -> "list[Table]":
    """Return the players, and the dearest mistakes."""
    players = _table(
        f"{found.game}: luck and skill", "player<|result|usual|deal|others|own|accuracy|decisions<"
    )
    for each in found.players:
        words = ", ".join(f"{count} {word}" for word, count in sorted(each.words.items()))
        amounts = [f"{part / 1000:+.1f}" for part in (each.deal, each.others, each.own)]
        players.add_row(
            each.name, str(each.result), f"{each.par / 1000:.1f}", *amounts, f"{each.accuracy:.0f}", words
        )
    mistakes = _table("What cost most", "round|trick|player<|played|best|cost|chance lost|word<")
    for made in sorted(found.decisions, key=lambda made: -made.cost)[:MOST_MISTAKES]:
        if made.word in ("inaccuracy", "mistake", "blunder"):
            mistakes.add_row(
                str(made.round), str(made.trick), found.players[made.seat].name, made.choice, made.best,
                f"{made.cost:.2f}", f"{made.win_cost:.0%}", made.word, style=STYLES.get(made.word),
            )  # fmt: skip
    return [players, mistakes]

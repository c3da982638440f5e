"""Whether a game can be watched in the terminal: what the conformance kit tries of it."""

from io import StringIO
from typing import Any

from rich.console import Console

from bullpen.engine import Ruleset
from bullpen.terminal import draw
from bullpen.terminal.watch import watch
from bullpen.terminal.words import NAMES, called


def try_game(kind: type[Ruleset[Any]], players: int, seed: int) -> str:
    """Watch a game, and draw what a seat sees of its table."""
    from bullpen.game import new_game  # noqa: PLC0415

    console = Console(file=StringIO(), width=120)
    watch(console, kind.id, players, seed, {})
    now = new_game(kind.id, players, seed).view(0)
    names = called(NAMES[:players], kind.furniture)
    console.print(draw.rows(now), draw.holdings(now, names), draw.seats(now, names), draw.hand(now))
    return "the terminal"

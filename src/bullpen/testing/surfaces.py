"""Playing a game where people and programs meet it: in the environments, the terminal, the server."""

from importlib import import_module
from typing import Any

from msgspec import Struct

from bullpen.engine import Ruleset
from bullpen.rulesets import lent
from bullpen.testing.claims import claim
from bullpen.testing.tables import player_counts

SURFACES = {
    "environments": "bullpen.envs.trying",
    "terminal": "bullpen.terminal.trying",
    "server": "bullpen.server.trying",
}
"""What is tried, and the module with its `try_game`; they stand above the kit, which names them only."""
PAGE = "the page in a browser (open a table of the game and look)"


class Tried(Struct, frozen=True):
    """What a game was tried with, and what was left out because it is not installed."""

    tried: tuple[str, ...]
    left_out: tuple[str, ...]

    def __str__(self) -> str:
        return f"Tried: {', '.join(self.tried)}. Left out: {', '.join(self.left_out)}."


def try_surfaces(kind: type[Ruleset[Any]], seed: int) -> Tried:
    """Play a game at its largest table with whatever is installed here."""
    players, tried, left_out = player_counts(kind)[-1], ["the rules"], []
    for name, path in SURFACES.items():
        try:
            module = import_module(path)
        except ModuleNotFoundError as error:
            left_out.append(f"the {name} (needs {error.name})")
            continue
        try:
            with lent(kind):
                tried.append(module.try_game(kind, players, seed))
        except Exception as error:
            claim(
                False,
                f"{kind.id}: with {players} players it does not get through the {name}: "
                f"{type(error).__name__}: {str(error)[:300]}",
            )
    return Tried(tuple(tried), (*left_out, PAGE))

"""Small endgames of every game, in which all ways to go on can be counted.

`python -m tests.golden.endgames` writes the counts anew; look at every difference before keeping it.
"""

import json
import random
from pathlib import Path

from bullpen.engine import Seeded
from bullpen.game import Game
from bullpen.testing import Perft, at_random, perft, step
from tests.strategies import GAMES, short

COUNTS = Path(__file__).parent / "endgames.json"
PLAYERS = 3
CARDS = {"nifty": 4}
"""So many cards in each hand make a small endgame, if not two."""
LATE = {"hand": 60, "board-expert": 30, "board-expert-luck": 30}
"""Where hands do not run out, the endgame begins after so many choices."""
DEPTHS = {"tournament": 5, "nifty": 5, "hand": 4, "board-expert": 4, "board-expert-luck": 4}
"""How many questions are answered, if not six."""


def endgame(game: str) -> Game:
    """Return a game of three at the beginning of its last tricks."""
    running, rng = Game(short(game, PLAYERS), Seeded(f"endgame {game}")), random.Random(f"endgame {game}")
    choices = 0
    while not begins(running, choices) and not running.over:
        step(running, rng, at_random)
        choices += 1
    return running


def begins(game: Game, choices: int) -> bool:
    """Whether an endgame begins: a new question to all, or to whoever has the turn, with few cards left."""
    position, name = game.position, game.rules.id
    few = sum(map(len, position.hands)) <= PLAYERS * CARDS.get(name, 2) and getattr(position, "half", 2) == 2
    small = choices >= LATE[name] if name in LATE else few
    return small and bool(position.trick) and not position.answers and not position.table


def count(game: str) -> Perft:
    """Count the ways of an endgame."""
    running = endgame(game)
    return perft(running.rules, running.position, DEPTHS.get(game, 6))


if __name__ == "__main__":
    found = {game: {"ways": (counted := count(game)).ways, "totals": counted.totals} for game in GAMES}
    lines = ",\n".join(f' "{game}": {json.dumps(counted)}' for game, counted in found.items())
    COUNTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")

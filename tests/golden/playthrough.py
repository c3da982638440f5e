"""Writing a game out: every question, choice and event.

`python -m tests.golden.playthrough` writes the files anew; look at every difference before keeping it.
"""

import random
from pathlib import Path

import msgspec

from bullpen.engine import Event, Seeded
from bullpen.game import Game
from bullpen.rulesets import games
from bullpen.testing import eagerly
from tests.strategies import GAMES, short

HERE = Path(__file__).parent


def tables() -> list[tuple[str, int]]:
    """Every game at its smallest and largest player count."""
    ends = [(game, games()[game].player_range) for game in GAMES]
    return [(game, players) for game, counts in ends for players in (counts[0], counts[-1])]


def path(game: str, players: int) -> Path:
    """Return where a playthrough is kept."""
    return HERE / "games" / f"{game}-{players}.txt"


def playthrough(game: str, players: int) -> str:
    """Play a short game and return it as text."""
    rules = short(game, players)
    rng = random.Random(f"golden {game} {players}")
    running = Game(rules, Seeded(f"{game} {players}"))
    lines = [f"{game} {players} behaviour {rules.behaviour}", *map(line, running.events)]
    while not running.over:
        ask = running.asks[0]
        choice = eagerly(rng, ask) if rng.random() < 0.5 else rng.choice(ask.options)
        seat = rng.choice(ask.seats)
        options = " ".join(option.notation for option in ask.options[:12])
        lines.append(f"? {ask.kind} {list(ask.seats)} {len(ask.options)}: {options}")
        lines.append(f"> {seat}:{choice.notation}")
        lines += map(line, running.choose(seat, choice))
    return "\n".join(lines) + "\n"


def line(event: Event) -> str:
    """Return an event as a line."""
    return msgspec.json.encode(event).decode()


if __name__ == "__main__":
    for table in tables():
        path(*table).parent.mkdir(exist_ok=True)
        path(*table).write_text(playthrough(*table), encoding="utf-8")

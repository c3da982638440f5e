"""A first look at an installed bullpen: a game, a bot, and a server that answers. For systems without make.

`python tools/smoke.py` ends with exit code 0 and one line for each thing that was tried.
"""

import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import bullpen
from bullpen.bots import player

SECONDS = 120


def play() -> None:
    """Play a round with bots of a level that searches."""
    game = bullpen.new_game("base", players=3, seed=1)
    bots = [player(level, seed=1) for level in ("random", "medium", "hard")]
    while not game.over and game.position.round == 1:
        ask = game.asks[0]
        game.choose(ask.seats[0], bots[ask.seats[0]].choose(game.view(ask.seats[0]), ask))
    print(f"bots: a round of base, {game.position.scores}")


def serve() -> None:
    """Start the server, ask how it is and what it plays, and end it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = str(Path(folder) / "tables.sqlite3")
        command = [sys.executable, "-m", "bullpen", "serve", "--port", "0", "--store", store]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = server.stdout.readline().removeprefix("Tables are open at ").strip()
                for path in ("healthz", "api/games"):
                    with urllib.request.urlopen(f"{address}{path}", timeout=SECONDS) as answer:
                        print(f"server: /{path} {answer.status}, {len(answer.read())} bytes")
            finally:
                server.terminate()


if __name__ == "__main__":
    print(f"bullpen {bullpen.__version__}, Python {sys.version.split()[0]}, {sys.platform}")
    play()
    serve()

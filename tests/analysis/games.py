"""Games to analyse, played quickly."""

import bullpen
from bullpen.bots import player
from bullpen.engine import BullpenError
from bullpen.game import Game


def finished(game: str, players: int = 2, level: str = "random", seed: int = 1) -> Game:
    """Return a finished game, of one round where the game knows rounds."""
    try:
        running = bullpen.new_game(game, players, seed, {"end.kind": "rounds", "end.value": 1})
    except BullpenError:
        running = bullpen.new_game(game, players, seed)
    bots = [player(level, f"{seed}/{seat}") for seat in range(players)]
    while not running.over:
        ask = running.asks[0]
        seat = ask.seats[0]
        running.choose(seat, bots[seat].choose(running.view(seat), ask))
    return running

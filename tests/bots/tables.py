"""Games played by bots, for the tests: everything goes through views, as at a real table."""

from collections.abc import Sequence
from typing import Any

from bullpen.bots import Player
from bullpen.engine import Ask, Choice, Seeded, View, new_game, submit, view
from bullpen.rulesets import make

TWIN_GAMES = (
    "base",
    "tactics",
    "logic",
    "two-halves",
    "professional",
    "even-odd",
    "mountain",
    "jumping-cow",
    "flippin-digits",
)


def one_round(game: str) -> dict[str, Any]:
    """The options that end a game after a round."""
    return {} if game in ("two-halves", "hand") else {"end.kind": "rounds", "end.value": 1}


class Witness:
    """A player that lets another one choose, and keeps what was asked and answered."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.seen: list[tuple[View, Ask, Choice]] = []

    def choose(self, seen: View, ask: Ask) -> Choice:
        choice = self._player.choose(seen, ask)
        self.seen.append((seen, ask, choice))
        return choice


def play_round(game: str, players: Sequence[Player], seed: int) -> tuple[int, ...]:
    """Play a round; every choice is checked by the engine. Returns the bullheads by seat."""
    rules = make(game, len(players), one_round(game))
    chance = Seeded(seed)
    position, _ = new_game(rules, chance)
    while position.asks:
        seat = position.open_asks[0].seats[0]
        seen = view(rules, position, seat)
        assert seen.ask is not None
        choice = players[seat].choose(seen, seen.ask)
        position, _ = submit(rules, position, seat, choice, chance)
    assert position.result is not None
    scores: tuple[int, ...] = position.result.scores
    return scores

"""Whole games in which everybody chooses by chance, for tests of what comes after a game."""

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

from bullpen.engine import Seeded
from bullpen.game import Game
from bullpen.records import Record
from bullpen.rulesets import find, make

SHORT: Mapping[str, int] = {"hand.maxRounds": 6, "expert.maxTricks": 12}
"""Games that may go on for long stop after so many rounds or tricks."""


@cache
def by_chance(
    game: str, players: int | None = None, rounds: int = 1, seed: int = 3, names: tuple[str, ...] = ()
) -> Record:
    """Return a game of so many rounds; whoever may do something does, as far as there is a choice."""
    players = players or min(find(game).player_range, key=lambda count: abs(count - 3))
    offers = {option.key for option in find(game).offers}
    options: dict[str, Any] = {key: most for key, most in SHORT.items() if key in offers}
    if "end.kind" in offers:
        options |= {"end.kind": "rounds", "end.value": rounds}
    played = Game(make(game, players, options), Seeded(seed), names[:players])
    dice = random.Random(seed)
    while not played.over:
        ask = dice.choice(played.asks)
        useful = [option for option in ask.options if option.notation != "-"] or ask.options
        played.choose(dice.choice(ask.seats), dice.choice(useful))
    return played.record

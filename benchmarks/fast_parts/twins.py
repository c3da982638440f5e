"""The games with a course of their own, against the engine."""

import random
import time
from collections.abc import Iterable
from functools import partial
from typing import Any

from benchmarks.fast_parts.rates import SEED, Seconds, best_rates, show

import bullpen
from bullpen.engine import OptionValue
from bullpen.fast.twins.batch import TwinBatch
from bullpen.rulesets import find

FEW_GAMES = 1024
TWIN_OPTIONS: dict[str, dict[str, OptionValue]] = {
    "tournament": {"tournament.maxPlayers": 10},
    # By chance some games would go on for long while all others are over.
    "hand": {"hand.maxRounds": 12},
}


class Steps:
    """Whole rounds of many games whose choices are known: only the steps are timed, in processor time."""

    def __init__(self, game: str, players: int, size: int) -> None:
        self.batch = TwinBatch(game, players, size, seed=SEED, options=TWIN_OPTIONS.get(game))
        self.memory = self.batch.state.memory.copy()
        self.choices = []
        while not self.batch.over.all():
            self.choices.append(self.batch.random_choices())
            self.batch.step(self.choices[-1])

    def run(self) -> Seconds:
        """Play the rounds again."""
        self.batch.state.memory[...] = self.memory
        begin = time.thread_time()
        for given in self.choices:
            self.batch.step(given)
        return Seconds(time.thread_time() - begin)


def after_draft(game: str, players: int, seed: int, luck: random.Random) -> bullpen.Game:
    table = bullpen.new_game(game, players, seed=seed, options=TWIN_OPTIONS.get(game))
    while any(ask.kind == "draft_pick" for ask in table.asks):
        table.choose(table.asks[0].seats[0], luck.choice(table.asks[0].options))
    return table


def engine_twin_rounds(game: str, players: int, seeds: range) -> Seconds:
    """Play rounds through the engine by chance, from after the draft on; only the playing is timed."""
    spent = 0.0
    for seed in seeds:
        luck = random.Random(seed)
        table = after_draft(game, players, seed, luck)
        begin = time.thread_time()
        while not table.over and table.position.round == 1:
            ask = table.asks[0]
            table.choose(ask.seats[0], luck.choice(ask.options))
        spent += time.thread_time() - begin
    return Seconds(spent)


def twin_counts(game: str) -> list[int]:
    """Return the fewest players, four, and the most."""
    counts = find(game).player_counts(TWIN_OPTIONS.get(game, {}))
    return sorted({counts[0], 4, counts[-1]})


def measure_twins(seconds: float, games: Iterable[str]) -> list[dict[str, Any]]:
    """Measure rounds a second of `Batch.step` and of the engine, in turns, at three numbers of players."""
    table = []
    for game in games:
        for players in twin_counts(game):
            steps = Steps(game, players, FEW_GAMES)
            rates = best_rates(
                {
                    "Batch.step": (steps.run, FEW_GAMES),
                    "engine": (partial(engine_twin_rounds, game, players, range(3)), 3),
                },
                seconds,
            )
            ratio = rates["Batch.step"] / rates["engine"]
            table.append({"game": game, "players": players, **rates, "ratio": round(ratio)})
            show(table[-1])
    return table

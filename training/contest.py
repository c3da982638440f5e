"""Let a trained network play against a level: `python -m training.contest trained/hand.npz expert`.

One seat takes the answer that costs least by the network, without any search; all others are played by the
level. The game is what the file is named after. Prints the share of rounds won and the points of both.
"""

import argparse
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import bullpen
from bullpen.bots import Mind, player
from bullpen.bots.network.course_network import Weights, load
from bullpen.bots.search.course import Search
from bullpen.engine import Ask, Choice, OptionValue, View

FIRST = 10_000_000
"""Deals from here on are nobody's in training."""


def choose(net: Weights, view: View, ask: Ask) -> Choice:
    """Return the answer that costs least by the network."""
    return Search(view, ask, net, Mind(0, view, ask)).by_network()


def play_round(net: Weights, game: str, level: str, players: int, seed: int) -> list[int]:
    """Play a round in which the network has one seat; return the points, its own first."""
    me = seed % players
    options: dict[str, OptionValue] = {} if game == "hand" else {"end.kind": "rounds", "end.value": 1}
    table = bullpen.new_game(game, players, seed=FIRST + seed, options=options)
    bot = player(level, seed)
    while not table.over:
        ask = table.asks[0]
        seat = ask.seats[0]
        view = table.view(seat)
        table.choose(seat, choose(net, view, ask) if seat == me else bot.choose(view, ask))
    scores = list(table.position.scores)
    return [scores.pop(me), *scores]


def play_for(path: Path, level: str, players: int, seconds: float, seeds: range) -> list[list[int]]:
    """Play rounds for that long."""
    net, stop = load(path), time.monotonic() + seconds

    def rounds() -> Iterator[list[int]]:
        for seed in seeds:
            if time.monotonic() > stop:
                return
            yield play_round(net, path.stem, level, players, seed)

    return list(rounds())


def main() -> None:
    """Read the command line, play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("level")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores) as pool:
        seeds = [range(core, FIRST, cores) for core in range(cores)]
        same = given.weights, given.level, given.players, given.seconds
        parts = list(pool.map(play_for, *([part] * cores for part in same), seeds))
    points = np.array([row for part in parts for row in part], np.float64)
    best = points.min(axis=1, keepdims=True)
    wins = (points[:, 0] == best[:, 0]) / (points == best).sum(axis=1)
    ahead = points[:, 1:].mean(axis=1) - points[:, 0]
    root = len(points) ** 0.5
    print(
        f"{given.weights.stem} against {given.players - 1} {given.level}, {len(points)} rounds:"
        f" wins {wins.mean():.3f} ± {wins.std() / root:.3f} (fair {1 / given.players:.3f}),"
        f" {points[:, 0].mean():.2f} points, {ahead.mean():.2f} ± {ahead.std() / root:.2f} fewer than others"
    )


if __name__ == "__main__":
    main()

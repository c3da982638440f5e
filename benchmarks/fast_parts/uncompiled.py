"""What one would write without a compiler: rounds of the base game by NumPy, and by the engine."""

import random

import numpy as np

import bullpen
from bullpen.fast import ROW, number_of


def numpy_rounds(players: int, rounds: int, rng: np.random.Generator) -> float:
    """Play base rounds with NumPy, all games at once; return bullheads a seat and round."""
    printed = np.zeros(105, np.int64)
    printed[1:] = [bullpen.bullheads(card) for card in range(1, 105)]
    deck = rng.permuted(np.tile(np.arange(1, 105), (rounds, 1)), axis=1)
    game = np.arange(rounds)
    ends, counts = deck[:, -4:].copy(), np.ones((rounds, 4), np.int64)
    heads, points = printed[ends], np.zeros((rounds, players), np.int64)
    for trick in range(10):
        plays = deck[:, trick * players : (trick + 1) * players]
        order = plays.argsort(axis=1)
        for place in range(players):
            seat = order[:, place]
            card = plays[game, seat]
            fits = np.where(ends < card[:, None], ends, 0)
            low = fits.max(axis=1) == 0
            row = np.where(low, heads.argmin(axis=1), fits.argmax(axis=1))
            taken = low | (counts[game, row] == 5)
            points[game, seat] += np.where(taken, heads[game, row], 0)
            heads[game, row] = printed[card] + np.where(taken, 0, heads[game, row])
            counts[game, row] = 1 + np.where(taken, 0, counts[game, row])
            ends[game, row] = card
    return float(points.mean())


def engine_rounds(players: int, count: int) -> None:
    """Play rounds through the engine: random cards, the cheapest row."""
    for seed in range(count):
        engine_round(players, seed)


def engine_round(players: int, seed: int) -> None:
    luck = random.Random(seed)
    game = bullpen.new_game("base", players, seed=seed, options={"end.kind": "rounds", "end.value": 1})
    while not game.over:
        ask = game.asks[0]
        if ask.kind == "choose_row":
            rows = game.position.rows
            choice = min(ask.options, key=lambda option: bullpen.bullheads(*rows[number_of(option) - ROW]))
        else:
            choice = luck.choice(ask.options)
        game.choose(ask.seats[0], choice)

"""The engine's speed, against a bare loop of the same rules in the same run.

Whole rounds of the base game with random players: once through the public verbs (a `Game` that knows
events, views and records), once through a loop that knows nothing but cards. And `Position.copy()`.
"""

import json
import random
import sys
import time
import timeit
from collections.abc import Callable

import bullpen
from bullpen.engine import HEADS

PLAYERS, SECONDS, REPEATS = 4, 0.1, 50
"""Short turns, so that both loops meet the quiet moments of a busy machine."""


def row_for(rows: list[list[int]], card: int) -> int | None:
    """Return the row with the highest end below a card."""
    fitting = [index for index, row in enumerate(rows) if row[-1] < card]
    return max(fitting, key=lambda index: rows[index][-1]) if fitting else None


def place(rows: list[list[int]], piles: list[list[int]], card: int, seat: int, rng: random.Random) -> None:
    """Place a card, and take a row if it has to be taken."""
    row = row_for(rows, card)
    if row is None:
        row = rng.randrange(len(rows))
    elif len(rows[row]) < 5:
        rows[row].append(card)
        return
    piles[seat] += rows[row]
    rows[row] = [card]


def bare_round(rng: random.Random) -> list[int]:
    """Play a round of the base game with random players and return the points."""
    deck = list(range(1, 105))
    rng.shuffle(deck)
    hands = [sorted(deck[seat * 10 : seat * 10 + 10]) for seat in range(PLAYERS)]
    rows = [[card] for card in deck[PLAYERS * 10 : PLAYERS * 10 + 4]]
    piles: list[list[int]] = [[] for _ in range(PLAYERS)]
    for _ in range(10):
        plays = []
        for seat, hand in enumerate(hands):
            card = rng.choice(hand)
            hand.remove(card)
            plays.append((card, seat))
        for card, seat in sorted(plays):
            place(rows, piles, card, seat, rng)
    return [sum(HEADS[card] for card in pile) for pile in piles]


def bare_rounds(seed: int) -> int:
    """Play a hundred bare rounds."""
    rng = random.Random(seed)
    for _ in range(100):
        bare_round(rng)
    return 100


def engine_rounds(seed: int) -> int:
    """Play a hundred rounds through the public verbs."""
    rng = random.Random(seed)
    game = bullpen.new_game("base", PLAYERS, seed, {"end.kind": "rounds", "end.value": 100})
    while not game.over:
        for ask in game.asks:
            game.choose(ask.seats[0], rng.choice(ask.options))
    return game.position.round


def per_second(play: Callable[[int], int]) -> float:
    """Return rounds a second over one turn."""
    rounds, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        rounds += play(rounds)
    return rounds / (time.perf_counter() - started)


def copy_microseconds() -> float:
    """Return the best time of a copy in the middle of a round."""
    game = bullpen.new_game("base", PLAYERS, seed=1)
    rng = random.Random(1)
    while game.position.trick < 6:
        ask = game.asks[0]
        game.choose(ask.seats[0], rng.choice(ask.options))
    return min(timeit.repeat(game.position.copy, number=5000, repeat=REPEATS)) / 5000 * 1e6


def main() -> None:
    """Measure alternately, keep the best of each, print a table and JSON."""
    pairs = [(per_second(engine_rounds), per_second(bare_rounds)) for _ in range(REPEATS)]
    engine, bare = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
    copy = copy_microseconds()
    print(f"base game, {PLAYERS} random players, best of {REPEATS}")
    print(f"  bare loop      {bare:9.0f} rounds/s")
    print(f"  public verbs   {engine:9.0f} rounds/s   {engine / bare:.2f} of the bare loop (at least 0.33)")
    print(f"  Position.copy  {copy:9.2f} µs           (at most 5)")
    json.dump({"bare": bare, "engine": engine, "ratio": engine / bare, "copy_us": copy}, sys.stdout)
    print()


if __name__ == "__main__":
    main()

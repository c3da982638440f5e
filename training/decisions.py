"""Gather decisions of the levels, for `training.habits` to learn from.

    python -m training.decisions DECISIONS.npy --minutes 3

Needs bullpen with its bots and no GPU. Rounds by `hard`, `expert`, `mcs` and `medium` are played, and every
decision between several plays is written down with the play that was made.
"""

import argparse
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bullpen.arena.ladder import rounds_option
from bullpen.bots import player
from bullpen.bots.search.decision import ROOT, question
from bullpen.engine import Choice, Seeded, View, apply, new_game, view
from bullpen.fast.convert import number_of
from bullpen.rulesets import make

Records = NDArray[np.void]

GAMES = ("base", "two-halves", "flippin-digits", "professional", "even-odd", "mountain", "jumping-cow")
SHARES = (40, 5, 10, 12, 11, 11, 11)
"""How many of the rounds are of each game."""
TABLES = {2: 20, 3: 15, 4: 35, 6: 15, 10: 15}
"""How many are played at tables of so many."""
LEVELS = ("hard", "expert", "mcs", "medium")
AMONG = (45, 20, 20, 15)
"""How often each level sits at a table, whether it has the table to itself or not."""
ALIKE = 0.6
"""How many tables one level has to itself."""
MOST = 25
RECORD = np.dtype([
    ("game", "u1"), ("players", "u1"), ("level", "u1"), ("later", "u1"),
    ("ends", "u1", 4), ("firsts", "u1", 4), ("counts", "u1", 4), ("heads", "u1", 4), ("mark", "i1", 2),
    ("hand", "u1", MOST), ("hidden", "u8", 2), ("flip", "u1"), ("others_flips", "u1"), ("choice", "u2"),
])  # fmt: skip
"""A decision; `hidden` are all cards that have not been face up, the own hand included."""


def play_round(rng: random.Random) -> Records:
    """Play a round of some game by some levels and return its decisions."""
    game = rng.choices(range(len(GAMES)), SHARES)[0]
    players = rng.choices(list(TABLES), list(TABLES.values()))[0]
    rules = make(GAMES[game], players, dict(rounds_option(GAMES[game], 1)))
    chance = Seeded(rng.getrandbits(60))
    position, _ = new_game(rules, chance)
    kinds = rng.choices(range(len(LEVELS)), AMONG, k=players)
    if rng.random() < ALIKE:
        kinds = kinds[:1] * players
    minds = [player(LEVELS[kind], rng.getrandbits(60)) for kind in kinds]
    found: list[Records] = []
    while position.result is None:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        seen = view(rules, position, seat)
        choice = minds[seat].choose(seen, ask)
        if ask.kind == "commit" and len(ask.options) > 1:
            found.append(note(seen, choice, (game, players, kinds[seat])))
        apply(rules, position, ask, seat, choice, chance)
    return np.concatenate(found)


def note(seen: View, choice: Choice, who: tuple[int, int, int]) -> Records:
    """Return a decision as a record."""
    assert seen.ask is not None
    asked = question(seen, seen.ask.options)
    decision, table = asked.decision, asked.decision.table
    record = np.zeros(1, RECORD)
    one = record[0]
    one["game"], one["players"], one["level"] = who
    one["later"] = decision.later
    one["ends"], one["counts"], one["heads"] = table.ends[ROOT], table.counts[ROOT], table.heads[ROOT]
    one["firsts"], one["mark"] = table.rows[ROOT, :, 0], table.mark[ROOT]
    one["hand"][: len(seen.hand)] = sorted(seen.hand)
    one["hidden"] = decision.hidden
    one["flip"] = decision.flips[decision.seat]
    one["others_flips"] = int(decision.flips.sum()) - int(decision.flips[decision.seat])
    one["choice"] = number_of(choice)
    return record


def play_for(seconds: float, seed: str) -> Records:
    """Play rounds for that long."""
    rng, stop = random.Random(seed), time.monotonic() + seconds
    parts = [play_round(rng)]
    while time.monotonic() < stop:
        parts.append(play_round(rng))
    return np.concatenate(parts)


def gather(file: Path, seconds: float, processes: int, seed: str) -> None:
    """Play in many processes at once and write all decisions down."""
    with ProcessPoolExecutor(processes) as pool:
        seeds = [f"{seed}-{number}" for number in range(processes)]
        parts = list(pool.map(play_for, [seconds] * processes, seeds))
    records = np.concatenate(parts)
    np.save(file, records)
    counts = [int((records["game"] == game).sum()) for game in range(len(GAMES))]
    print(f"{len(records)} decisions:", dict(zip(GAMES, counts, strict=True)))


def main() -> None:
    """Read the command line and gather."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", default="habits")
    given = parser.parse_args()
    gather(given.file, given.minutes * 60, given.processes, given.seed)


if __name__ == "__main__":
    main()

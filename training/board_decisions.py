"""Gather decisions about tiles on the boards, for `training.boards` to learn from.

    python -m training.board_decisions DECISIONS.npz board-basic --minutes 3

Needs bullpen with its bots and no GPU. Games are played by the search, and of every decision it is written
down what each tile, or pair of tiles, came to in the same imagined worlds. There the others choose by the
heuristic, or by a network that has learned before (`--net`).
"""

import argparse
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots import player
from bullpen.bots.games.heuristic_games import BOARDS
from bullpen.bots.network.board_features import INPUTS
from bullpen.bots.network.board_network import Weights, read, untaught
from bullpen.bots.registry import Mind
from bullpen.bots.search.boards import EFFORT, guide_with
from bullpen.bots.search.worlds import GUIDES, Inquiry
from bullpen.engine import Ask, Choice, Seeded, View, apply, new_game, view
from bullpen.fast.twins.board_state import BoardPlan
from bullpen.rulesets import make

TABLES = (2, 3, 4, 4, 5, 6)
"""How many play, four most often."""
BEST, OTHERS = 10, 2
"""How many options are tried: those that seem best, and some of the rest."""
WORLDS = 50
"""In how many imagined worlds each is tried."""
STRAY = 0.1
"""How often any of them is played, so that positions are met that good play would not lead to."""


class Decisions(NamedTuple):
    """Decisions one after the other; each has some options of one or two tiles."""

    tiles: NDArray[np.float16]
    """[options, 2, INPUTS]: what the network is told of the tiles; where there is no second one, nothing."""
    sizes: NDArray[np.int32]
    """[decisions]: how many options each has."""
    values: NDArray[np.float32]
    """[options]: what the search found, in points."""


def decide(seen: View, ask: Ask, rng: random.Random) -> tuple[Choice, Decisions]:
    """Try options in the same worlds; return the best, or now and then any, and what was found."""
    inquiry = Inquiry(seen, ask, Mind(rng.getrandbits(60), seen, ask), EFFORT)
    hand = sorted(seen.hand)
    # What the network was told when the options were weighed; trying them writes over it.
    told = inquiry.desk.eyes.page.told[: len(hand)].astype(np.float16)
    order = np.argsort(-inquiry.gains, kind="stable").tolist()
    tried = order[:BEST] + rng.sample(order[BEST:], min(OTHERS, len(order[BEST:])))
    inquiry.try_in_worlds(np.array(tried), WORLDS)
    values = inquiry.sums[tried] / inquiry.tried
    tiles = np.zeros((len(tried), 2, INPUTS), np.float16)
    for place, number in enumerate(inquiry.numbers[tried].tolist()):
        tiles[place, 0] = told[hand.index(number & 127)]
        if number >> 7:
            tiles[place, 1] = told[hand.index(number >> 7)]
    best = rng.choice(tried) if rng.random() < STRAY else tried[int(values.argmax())]
    return ask.options[best], Decisions(tiles, np.array([len(tried)], np.int32), values.astype(np.float32))


def play_game(game: str, rng: random.Random) -> Iterator[Decisions]:
    """Play a game by the search, cards by the heuristic, and yield the decisions about tiles."""
    rules, chance = make(game, rng.choice(TABLES)), Seeded(rng.getrandbits(60))
    position, _ = new_game(rules, chance)
    cards = player("medium", rng.getrandbits(60))
    while position.result is None:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        choice = ask.options[0]
        if len(ask.options) > 1:
            seen = view(rules, position, seat)
            if ask.kind == "commit":
                choice, found = decide(seen, ask, rng)
                yield found
            else:
                choice = cards.choose(seen, ask)
        apply(rules, position, ask, seat, choice, chance)


def together(parts: list[Decisions]) -> Decisions:
    """Return decisions one after the other."""
    return Decisions(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def play_for(game: str, seconds: float, net: Path | None, seed: str) -> Decisions:
    """Play games for that long."""
    weights: Weights = read(net) if net else untaught()
    GUIDES[BoardPlan] = guide_with(lambda: weights)
    rng, stop = random.Random(seed), time.monotonic() + seconds
    parts = [*play_game(game, rng)]
    while time.monotonic() < stop:
        parts += play_game(game, rng)
    return together(parts)


def gather(file: Path, game: str, seconds: float, net: Path | None, processes: int, seed: str) -> None:
    """Play in many processes at once and write all decisions down."""
    with ProcessPoolExecutor(processes) as pool:
        asked = [
            pool.submit(play_for, game, seconds, net, f"{game}-{seed}-{number}")
            for number in range(processes)
        ]
        found = together([one.result() for one in asked])
    np.savez_compressed(file, **found._asdict())
    print(f"{game}: {len(found.sizes)} decisions, {len(found.values)} options", flush=True)


def main() -> None:
    """Read the command line and gather."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("game", choices=BOARDS)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--net", type=Path, help="the network that others choose their tiles by")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    gather(given.file, given.game, given.minutes * 60, given.net, given.processes, given.seed)


if __name__ == "__main__":
    main()

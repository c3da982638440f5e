"""Gather decisions about tiles on the boards, for `training.boards` to learn from.

Of a decision is kept what a network is told of the tiles of every option, and a value for each: whether a
level has chosen it, or what it came to in imagined worlds. Needs bullpen with its bots and no GPU.
"""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots import player
from bullpen.bots.games.heuristic_games import BOARDS
from bullpen.bots.network.board_features import INPUTS
from bullpen.bots.network.board_network import Weights
from bullpen.bots.registry import Mind
from bullpen.bots.search.boards import TILE_EFFORT, guide_with
from bullpen.bots.search.worlds import GUIDES, Inquiry
from bullpen.engine import Ask, Choice, Seeded, View, apply, new_game, view
from bullpen.fast.twins.board_state import BoardPlan
from bullpen.rulesets import make

TABLES = (2, 3, 4, 4, 5, 6)
"""How many play, four most often."""
LEVELS, AMONG = ("hard", "expert", "medium"), (5, 3, 2)
"""The levels whose habits are learned, and how often each sits at a table."""
ALIKE = 0.6
"""How many tables one level has to itself."""
BEST, OTHERS = 10, 2
"""How many options are tried by the search: those that seem best, and some of the rest."""
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
    """[options]: what the search found, in points; or 1 for what a level has chosen, and 0."""


Networks = tuple[Weights, Weights]
Decider = Callable[[View, Ask], tuple[Choice, Decisions]]


def question(seen: View, ask: Ask, rng: random.Random) -> Inquiry:
    """Return a question of which the options have been weighed."""
    return Inquiry(seen, ask, Mind(rng.getrandbits(60), seen, ask), TILE_EFFORT)


def noted(inquiry: Inquiry, options: list[int], values: NDArray[np.float32]) -> Decisions:
    """Return a decision among some options; nothing may have been tried since they were weighed."""
    hand = sorted(inquiry.view.hand)
    told = inquiry.desk.eyes.page.told
    tiles = np.zeros((len(options), 2, INPUTS), np.float16)
    for place, number in enumerate(inquiry.numbers[options].tolist()):
        tiles[place, 0] = told[hand.index(number & 127)]
        if number >> 7:
            tiles[place, 1] = told[hand.index(number >> 7)]
    return Decisions(tiles, np.array([len(options)], np.int32), values)


def by_level(level: str, rng: random.Random) -> Decider:
    """Return how a level decides: what it chooses has the value 1."""
    mind = player(level, rng.getrandbits(60))

    def decide(seen: View, ask: Ask) -> tuple[Choice, Decisions]:
        choice = mind.choose(seen, ask)
        values = np.array([option == choice for option in ask.options], np.float32)
        return choice, noted(question(seen, ask, rng), list(range(len(values))), values)

    return decide


def by_search(rng: random.Random) -> Decider:
    """Return how the search decides: options are tried in the same worlds, and now and then any is played."""

    def decide(seen: View, ask: Ask) -> tuple[Choice, Decisions]:
        inquiry = question(seen, ask, rng)
        order = np.argsort(-inquiry.gains, kind="stable").tolist()
        tried = order[:BEST] + rng.sample(order[BEST:], min(OTHERS, len(order[BEST:])))
        found = noted(inquiry, tried, np.zeros(len(tried), np.float32))
        inquiry.try_in_worlds(np.array(tried), WORLDS)
        found.values[:] = inquiry.sums[tried] / inquiry.tried
        best = rng.choice(tried) if rng.random() < STRAY else tried[int(found.values.argmax())]
        return ask.options[best], found

    return decide


def deciders(levels: bool, players: int, rng: random.Random) -> list[Decider]:
    """Return who sits at a table."""
    if not levels:
        return [by_search(rng)] * players
    kinds = rng.choices(LEVELS, AMONG, k=players)
    return [by_level(kind, rng) for kind in (kinds[:1] * players if rng.random() < ALIKE else kinds)]


def play_game(levels: bool, rng: random.Random) -> Iterator[Decisions]:
    """Play a game, by levels or by the search, cards by the heuristic; yield the decisions about tiles."""
    rules, chance = make(rng.choice(BOARDS), rng.choice(TABLES)), Seeded(rng.getrandbits(60))
    position, _ = new_game(rules, chance)
    seats = deciders(levels, len(position.hands), rng)
    cards = player("medium", rng.getrandbits(60))
    while position.result is None:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        choice = ask.options[0]
        if len(ask.options) > 1:
            seen = view(rules, position, seat)
            if ask.kind == "commit":
                choice, found = seats[seat](seen, ask)
                yield found
            else:
                choice = cards.choose(seen, ask)
        apply(rules, position, ask, seat, choice, chance)


def together(parts: list[Decisions]) -> Decisions:
    """Return decisions one after the other."""
    return Decisions(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def play_for(levels: bool, seconds: float, networks: Networks, seed: str) -> Decisions:
    """Play games for that long; the search, and with it `expert`, goes by these networks."""
    GUIDES[BoardPlan] = guide_with(lambda: networks)
    rng, stop = random.Random(seed), time.monotonic() + seconds
    parts = [*play_game(levels, rng)]
    while time.monotonic() < stop:
        parts += play_game(levels, rng)
    return together(parts)


def gather(levels: bool, seconds: float, networks: Networks, processes: int, seed: str) -> Decisions:
    """Play in many processes at once; return the decisions of levels, or of the search."""
    play_for(levels, 0, networks, seed)  # what is compiled here is there for all
    with ProcessPoolExecutor(processes) as pool:
        asked = [
            pool.submit(play_for, levels, seconds, networks, f"{seed}-{number}")
            for number in range(processes)
        ]
        return together([one.result() for one in asked])

"""Search for a game of which nothing is known but its rules: imagine, let everybody play at random, compare.

Every option is tried in the same imagined worlds with the same chance. What is compared is the end of the
game, which is made to come with the running round where the game's options allow that.
"""

import random
import time
from collections.abc import Sequence
from typing import Any

from bullpen.bots.registry import Mind
from bullpen.bots.search.any_game import rules_for
from bullpen.engine import Ask, Choice, Result, Ruleset, Seat, Seeded, View, apply, imagine

LONGEST = 600
"""Choices after which a playout is given up: random play need not come to an end."""


def worths(
    view: View, ask: Ask, options: Sequence[Choice], mind: Mind, effort: tuple[int, float]
) -> list[float]:
    """Return what options come to in all worlds; `effort`: how many, and seconds after which none begins."""
    assert view.seat is not None
    worlds, seconds = effort
    rules, sums = rules_for(view), [0.0] * len(options)
    end = time.thread_time() + seconds
    for number in range(worlds):
        if number and (time.thread_time() > end or mind.stop()):
            break
        rng = random.Random(mind.rng.getrandbits(64))
        world, later = imagine(rules, view, rng), rng.getrandbits(64)
        for place, option in enumerate(options):
            sums[place] += _play_out(rules, world.copy(), (ask, view.seat, option), later)
    return sums


def _play_out(rules: Ruleset[Any], position: Any, first: tuple[Ask, Seat, Choice], later: int) -> float:
    ask, seat, option = first
    chance, rng = Seeded(later), random.Random(later)
    apply(rules, position, ask, seat, option, chance)
    for _ in range(LONGEST):
        if position.result is not None:
            return advantage(rules, position.result, seat)
        asked = position.open_asks[0]
        apply(rules, position, asked, asked.seats[0], rng.choice(asked.options), chance)
    return 0.0


def advantage(rules: Ruleset[Any], result: Result, seat: Seat) -> float:
    """Return by how much a seat's score is better than the table's opponent's, or the others' mean."""
    own, sign = result.scores[seat], 1 if rules.furniture.scoring.better == "more" else -1
    if result.against is not None:
        return float(sign * (own - result.against))
    others = [score for other, score in enumerate(result.scores) if other != seat]
    return sign * (own - sum(others) / len(others)) if others else float(sign * own)

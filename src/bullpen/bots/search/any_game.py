"""Search for any game: imagine what the hidden cards could be, play on with a heuristic, compare.

All candidates are tried in the same imagined worlds with the same chance (common random numbers), and the
worse half of them is dropped again and again (sequential halving). The number of playouts is fixed, so a
seed gives the same choice everywhere, unless the cap on time has to cut it short.
"""

import random
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from bullpen.bots.heuristics import Heuristic
from bullpen.bots.registry import Mind
from bullpen.engine import (
    Ask,
    Choice,
    OptionValue,
    Ruleset,
    Seat,
    Seeded,
    View,
    apply,
    imagine,
)
from bullpen.rulesets import make


class Effort(Struct, frozen=True):
    """How hard to think."""

    playouts: int
    """How many games are played on in mind, over all candidates."""
    seconds: float
    """The cap on processor time: whatever has been found out by then decides."""
    candidates: int
    """How many options are looked at, the best ones by the heuristic."""
    prior: float
    """How many playouts the heuristic's own opinion is worth."""
    slips: float
    """How often others are expected to play something else than the heuristic would."""
    reach: int
    """How many times further than usual in this game the playouts go."""


def rules_for(view: View) -> Ruleset[Any]:
    """Return the rules of a view's game, made to end with the running round: no search looks further."""
    options = dict(view.options)
    if "end.kind" in options:
        options |= {"end.kind": "rounds", "end.value": max(1, view.position.round)}
    return _rules(view.game, view.players, tuple(sorted(options.items())), view.behaviour)


@lru_cache(maxsize=64)
def _rules(
    game: str, players: int, options: tuple[tuple[str, OptionValue], ...], behaviour: int
) -> Ruleset[Any]:
    return make(game, players, dict(options), behaviour)


def weigh(view: View, ask: Ask, mind: Mind, heuristic: Heuristic) -> Sequence[float]:
    """Return what each option costs by the heuristic alone."""
    rules = rules_for(view)
    position = imagine(rules, view, mind.rng)
    assert view.seat is not None
    return heuristic.costs(rules, position, view.seat, ask)


def search(view: View, ask: Ask, mind: Mind, heuristic: Heuristic, effort: Effort) -> Choice:
    """Return the option that does best in imagined worlds."""
    inquiry = _Inquiry(view, ask, mind, heuristic, effort)
    costs = weigh(view, ask, mind, heuristic)
    order = sorted(range(len(costs)), key=lambda place: costs[place])[: effort.candidates]
    if ask.kind in heuristic.unsearched or len(order) == 1:
        return ask.options[order[0]]
    return ask.options[inquiry.halve(order, costs)]


class _Inquiry:
    """One question under search: the worlds tried so far and what each candidate came to in them."""

    def __init__(self, view: View, ask: Ask, mind: Mind, heuristic: Heuristic, effort: Effort) -> None:
        assert view.seat is not None
        self.seat: Seat = view.seat
        self.rules, self.view, self.ask = rules_for(view), view, ask
        self.mind, self.heuristic, self.effort = mind, heuristic, effort
        self.deadline = time.thread_time() + effort.seconds
        self.sums: dict[int, float] = {}

    def halve(self, alive: list[int], costs: Sequence[float]) -> int:
        """Drop the worse half until one candidate is left."""
        self.sums = dict.fromkeys(alive, 0.0)
        stages = max(1, (len(alive) - 1).bit_length())
        for _ in range(stages):
            for _ in range(max(1, self.effort.playouts // (stages * len(alive)))):
                self._try(alive)
                if self._late():
                    return self._ranked(alive, costs)[0]
            alive = self._ranked(alive, costs)[: (len(alive) + 1) // 2]
        return alive[0]

    def _ranked(self, alive: list[int], costs: Sequence[float]) -> list[int]:
        """Order candidates by what they came to, the heuristic's opinion counting for some playouts."""
        prior = self.effort.prior
        return sorted(alive, key=lambda place: prior * costs[place] - self.sums[place])

    def _try(self, alive: list[int]) -> None:
        """Let all candidates live through one world."""
        rng = random.Random(self.mind.rng.getrandbits(64))
        world = imagine(self.rules, self.view, rng)
        self._expect(world, rng)
        later = rng.getrandbits(64)
        found = {}
        for place in alive:
            position = world.copy()
            chance = Seeded(later)
            apply(self.rules, position, self.ask, self.seat, self.ask.options[place], chance)
            if not self._play_on(position, random.Random(later), chance):
                # Candidates can be compared only if all of them have lived through the same worlds.
                return
            found[place] = self.heuristic.worth(self.rules, position, self.seat, self.view.position.round)
        for place, worth in found.items():
            self.sums[place] += worth

    def _late(self) -> bool:
        return time.thread_time() > self.deadline or self.mind.stop()

    def _expect(self, world: Any, rng: random.Random) -> None:
        """Let the others answer their hidden questions as the heuristic would in their place."""
        if len(world.asks) < 2:
            return
        world.answers = {}
        for ask in world.asks:
            if self.seat not in ask.seats:
                world.answers[ask.seats[0]] = self._answer(world, ask, rng)

    def _answer(self, position: Any, ask: Ask, rng: random.Random) -> Choice:
        if len(ask.options) == 1:
            return ask.options[0]
        if rng.random() < self.effort.slips and ask.seats[0] != self.seat:
            return rng.choice(ask.options)
        costs = self.heuristic.swift.costs(self.rules, position, ask.seats[0], ask)
        return ask.options[min(range(len(costs)), key=costs.__getitem__)]

    def _play_on(self, position: Any, rng: random.Random, chance: Seeded) -> bool:
        """Play some tricks, at most to the end of the round; return whether there was time for them."""
        ahead = self.heuristic.tricks_ahead * self.effort.reach
        number, last = position.round, self.view.position.trick + ahead - 1
        while position.result is None and position.round == number and position.trick <= last:
            if self._late():
                return False
            for ask in position.open_asks:
                apply(self.rules, position, ask, ask.seats[0], self._answer(position, ask, rng), chance)
        return True

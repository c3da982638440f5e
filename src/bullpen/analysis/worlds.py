"""Playouts of any question of any game, on the engine: imagine, let everybody answer by heuristics, count."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from bullpen.analysis.measure import of_round, round_is_over, so_far
from bullpen.analysis.opponents import MIX, PEOPLE
from bullpen.analysis.samples import Cancelled, Progress, Sample, Samples
from bullpen.bots import Mind, player
from bullpen.bots.games.heuristic_games import HEURISTICS, OVERLOOKED, haste_among
from bullpen.bots.heuristics import Heuristic
from bullpen.bots.levels.human import hasty_choice
from bullpen.bots.search.any_game import rules_for
from bullpen.engine import Ask, Choice, Position, Ruleset, Seat, Seeded, View, apply, imagine, view
from bullpen.engine.events import Event, RoundEnded, Shared, Took, TrickStarted
from bullpen.fast.games import CODES, plays
from bullpen.rulesets import is_newest

LONGEST = 2_000
"""Answers after which a playout is given up: random play need not come to an end."""
LEAST_OPTIONS, FIRST_SHARE = 2, 0.6
"""So many options are played out at least, and more of them until this share of the work is done."""
LOOKED_THROUGH, GLANCE = frozenset({"team_window"}), 5
"""Questions whose options a heuristic plays out one by one, and how many of them it is shown in a playout."""
WORLD_WORK = 1_200.0
"""What imagining a world costs, in units of work."""

Answer = Callable[[Any, Ask, random.Random], Choice]
"""Answers a question in a playout."""


def sample_any(
    seen: View, expected: tuple[str, ...], seed: int, work: float, watch: tuple[Progress, Cancelled]
) -> Samples:
    """Try the options in imagined worlds; the better ones in more of them."""
    inquiry = _Inquiry(seen, expected, seed)
    return inquiry.run(work, watch)


class _Inquiry:
    """A question, and what its options have come to so far."""

    def __init__(self, seen: View, expected: tuple[str, ...], seed: int) -> None:
        assert seen.ask is not None
        assert seen.seat is not None
        self.seen, self.ask, self.seat = seen, seen.ask, seen.seat
        self.rules = rules_for(seen)
        self.table = Manners(self.rules, expected)
        self.rng = random.Random(f"{seed}/{seen.game}/{seen.position.round}/{seen.position.trick}")
        self.before = so_far(self.rules, seen.position)
        self.found: list[list[tuple[list[int], int, bool]]] = [[] for _ in self.ask.options]
        self.spent = 0.0
        self.prior = self.table.opinion(seen, self.ask)

    def run(self, work: float, watch: tuple[Progress, Cancelled]) -> Samples:
        """Go through all options, then through the better half of them, and so on, while work is left.

        Where that is too much work, only those are played out that a heuristic likes best.
        """
        progress, cancelled = watch
        alive = self._first(work)
        stages = max(1, (len(alive) - 1).bit_length())
        for stage in range(stages):
            while self.spent < work * (stage + 1) / stages:
                if cancelled():
                    return self._samples(False)
                self._try(alive)
                progress(min(1.0, self.spent / work))
            alive = self._better_half(alive)
        progress(1.0)
        return self._samples(True)

    def _first(self, work: float) -> list[int]:
        """Let the options live through a first world, and return those that could within half of the work."""
        tried: list[int] = []
        world, kinds, later = self._imagined()
        for place in self._order():
            if len(tried) >= LEAST_OPTIONS and self.spent > work * FIRST_SHARE:
                break
            self.found[place].append(self._play_out(world.copy(), self.ask.options[place], kinds, later))
            tried.append(place)
        return tried

    def _order(self) -> list[int]:
        """Return the options, those first that the heuristic likes; without one, evenly spread ones first."""
        places = range(len(self.ask.options))
        if self.prior is None:
            return sorted(places, key=lambda place: (f"{place:010b}"[::-1], place))
        prior = self.prior
        return sorted(places, key=lambda place: prior[place])

    def _try(self, alive: Sequence[int]) -> None:
        """Let all options that are left live through one world."""
        world, kinds, later = self._imagined()
        for place in alive:
            self.found[place].append(self._play_out(world.copy(), self.ask.options[place], kinds, later))

    def _imagined(self) -> tuple[Position, list[str], int]:
        """Return a world, as what everybody plays there, and the seed of all that comes later."""
        rng = random.Random(self.rng.getrandbits(64))
        world = imagine(self.rules, self.seen, rng)
        kinds = self.table.draw(rng)
        self._expect(world, kinds, rng)
        self.spent += WORLD_WORK
        return world, kinds, rng.getrandbits(64)

    def _expect(self, world: Position, kinds: Sequence[str], rng: random.Random) -> None:
        """Let the others answer their hidden questions as they are expected to."""
        if len(world.asks) > 1:
            world.answers = {}
            for ask in world.asks:
                if self.seat not in ask.seats:
                    world.answers[ask.seats[0]] = self.table.answer(world, ask, kinds[ask.seats[0]], rng)

    def _play_out(
        self, position: Any, option: Choice, kinds: Sequence[str], later: int
    ) -> tuple[list[int], int, bool]:
        """Play the round to its end after an option; return what all are counted, and the seat's take."""
        chance, rng, number = Seeded(later), random.Random(later), self.seen.position.round
        apply(self.rules, position, self.ask, self.seat, option, chance)
        watch = _Takes(self.seat)
        watch.see(position.news)
        for _ in range(LONGEST):
            if round_is_over(position, number):
                break
            ask = position.open_asks[0]
            self.spent += self.table.work
            apply(
                self.rules,
                position,
                ask,
                ask.seats[0],
                self.table.answer(position, ask, kinds[ask.seats[0]], rng),
                chance,
            )
            watch.see(position.news)
        after = of_round(self.rules, position, number)
        return [end - before for end, before in zip(after, self.before, strict=True)], watch.heads, watch.took

    def _better_half(self, alive: list[int]) -> list[int]:
        sign = -1 if self.rules.furniture.scoring.better == "more" else 1
        # All that are left have lived through the same worlds, so sums over those compare.
        common = min(len(self.found[place]) for place in alive)
        sums = {
            place: sign * sum(points[self.seat] for points, _, _ in self.found[place][-common:])
            for place in alive
        }
        return sorted(alive, key=lambda place: sums[place])[: (len(alive) + 1) // 2]

    def _samples(self, complete: bool) -> Samples:
        options = [
            Sample(
                np.array([points for points, _, _ in found], np.int64).reshape(-1, self.rules.players),
                np.array([heads for _, heads, _ in found], np.int64),
                np.array([took for _, _, took in found], np.bool_),
            )
            for found in self.found
        ]
        return Samples(options, complete, self.prior, dropped=True)


class _Takes:
    """What a seat takes until the trick is over."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.heads, self.took, self._over = seat, 0, False, False

    def see(self, news: Sequence[Event]) -> None:
        """Look at what happened."""
        for event in news:
            if isinstance(event, TrickStarted | RoundEnded):
                self._over = True
            if self._over:
                return
            if isinstance(event, Took) and event.seat == self.seat:
                self.took, self.heads = True, self.heads + event.bullheads
            if isinstance(event, Shared) and self.seat in event.seats:
                self.took, self.heads = True, self.heads + event.charged


def _glanced_at(ask: Ask, rng: random.Random) -> Ask:
    """Return a question with some of its options, where looking through all would take a playout too long."""
    if ask.kind not in LOOKED_THROUGH or len(ask.options) <= GLANCE:
        return ask
    first, *others = ask.options
    return replace(ask, options=(first, *rng.sample(others, GLANCE - 1)))


class Manners:
    """How everybody answers in a playout."""

    def __init__(self, rules: Ruleset[Any], expected: tuple[str, ...]) -> None:
        self.rules, self.expected = rules, expected
        today = is_newest(rules.id, rules.behaviour)
        self.heuristic: Heuristic | None = HEURISTICS.get(rules.id) if today else None
        self.compiled = rules.id in CODES and plays(rules.id, rules.behaviour)
        self.work = WORK_IN.get(rules.id, USUAL_WORK)

    def draw(self, rng: random.Random) -> list[str]:
        """Return as what each seat plays in a world: people are drawn from their mix."""
        names, shares = [name for name, _ in MIX], [share for _, share in MIX]
        return [rng.choices(names, shares)[0] if name == PEOPLE else name for name in self.expected]

    def answer(self, position: Any, ask: Ask, level: str, rng: random.Random) -> Choice:
        """Answer as a level does, or as what stands in for it."""
        if len(ask.options) == 1:
            return ask.options[0]
        if level == "random" and not self.compiled:
            return rng.choice(ask.options)
        seat = ask.seats[0]
        if self.heuristic is None:
            return self._by_view(position, ask, seat, level, rng)
        ask = _glanced_at(ask, rng)
        costs = self.heuristic.swift.costs(self.rules, position, seat, ask)
        if level == "human":
            return hasty_choice(ask.options, list(costs), haste_among(costs, len(position.hands[seat])), rng)
        places: Sequence[int] = range(len(costs))
        if level == "easy":
            seen = [place for place in places if rng.random() >= OVERLOOKED]
            places = seen or [rng.randrange(len(costs))]
        return ask.options[min(places, key=costs.__getitem__)]

    def _by_view(self, position: Any, ask: Ask, seat: Seat, level: str, rng: random.Random) -> Choice:
        """Answer where there is no heuristic: as the bots of the twin's games do, or by chance."""
        if not self.compiled:
            return rng.choice(ask.options)
        plain = level if level in ("random", "easy", "human") else "medium"
        return player(plain, rng.getrandbits(32)).choose(view(self.rules, position, seat), ask)

    def opinion(self, seen: View, ask: Ask) -> list[float] | None:
        """Return what the heuristic makes of the options, if there is one for this kind of question."""
        if self.heuristic is None or not hasattr(self.heuristic, f"cost_{ask.kind}"):
            return None
        world = imagine(self.rules, seen, Mind(0, seen, ask).rng)
        assert seen.seat is not None
        return [float(cost) for cost in self.heuristic.costs(self.rules, world, seen.seat, ask)]


WORK_IN = {
    "logic": 110.0,
    "tournament": 30.0,
    "anniversary": 32.0,
    "buffalo": 110.0,
    "board-basic": 115.0,
    "board-basic-luck": 95.0,
    "board-expert": 100.0,
    "board-expert-luck": 115.0,
}
"""What an answer costs in a playout of a game, in units of work; elsewhere `USUAL_WORK`."""
USUAL_WORK = 50.0

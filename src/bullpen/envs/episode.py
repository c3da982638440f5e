"""An episode: a round or a game, asked and answered in action numbers, whatever library wants to know."""

import random
import secrets
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import (
    Chance,
    IllegalChoice,
    Position,
    Seat,
    Seeded,
    View,
    apply,
    new_game,
    stream,
    view,
)
from bullpen.envs.actions import WAIT, Alphabet
from bullpen.envs.asking import Asking
from bullpen.envs.observing import Observation, Observer, Shared
from bullpen.envs.rewards import penalty, standing, step_rewards
from bullpen.envs.terms import Terms, rules_for


class Episode:
    """A running episode: who may say what, what each seat sees, and what it was worth.

    The seats that are asked say their answers number by number. What they said takes effect when all have
    finished; until then nobody else sees anything of it.

    >>> episode = Episode(Terms(game="base", players=2))
    >>> episode.reset(seed=7)
    >>> episode.legal(0)[:3]
    (18, 24, 28)
    >>> episode.step({0: 18, 1: episode.legal(1)[0]})
    [0.0, 0.0]
    """

    def __init__(self, terms: Terms) -> None:
        self.terms: Final = terms
        self.rules: Final = rules_for(terms)
        self.players: Final = self.rules.players
        self.alphabet: Final = Alphabet(self.rules)
        self.observer: Final = Observer(self.rules)
        self.position: Position
        self.loser: Seat | None = None
        """The seat that has lost the episode by an illegal action."""
        self.corrected: set[Seat] = set()
        """The seats whose latest action was illegal, so that another one was taken."""
        self._seeds = random.Random(secrets.randbits(64))

    def reset(self, seed: int | None = None) -> None:
        """Start anew: with a seed on the deals of `new_game(…, seed)`, without one on those that follow."""
        self._chance = self.chance(seed)
        self.position, _ = new_game(self.rules, self._chance)
        self.loser = None
        self.corrected = set()
        self._look()
        self._standing = standing(self.rules, self.view(None))

    def chance(self, seed: int | None) -> Chance:
        """Return the chance that the next episode is dealt by."""
        if seed is not None:
            self._seeds = stream(seed, "episodes")
        return Seeded(self._seeds.getrandbits(64) if seed is None else seed)

    def _look(self) -> None:
        """Open the questions of the position; what was seen before is out of date."""
        self._views: dict[Seat | None, View] = {}
        self._shared: Shared | None = None
        self.asking = Asking(self.alphabet, self.position)

    # What can be seen.

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.loser is not None or self.position.result is not None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have to say something, in order."""
        return () if self.over else self.asking.waiting

    def view(self, seat: Seat | None) -> View:
        """Return what a seat (None: a spectator) may know."""
        if seat not in self._views:
            self._views[seat] = view(self.rules, self.position, seat)
        return self._views[seat]

    def legal(self, seat: Seat) -> tuple[int, ...]:
        """Return the numbers that a seat may say now, ascending and never none."""
        return self.asking.legal(seat) if self.loser is None else (WAIT,)

    def mask(self, seat: Seat) -> NDArray[np.int8]:
        """Return which numbers a seat may say now."""
        mask = np.zeros(self.alphabet.size, np.int8)
        mask[list(self.legal(seat))] = 1
        return mask

    def observe(self, seat: Seat) -> Observation:
        """Return what a seat sees, as `layout` says."""
        if self._shared is None:
            self._shared = self.observer.share(self.view(None))
        return self.observer.write(self._shared, self.view(seat), self.asking.said(seat))

    def state(self) -> Observation:
        """Return what all seats see, one after the other: everything but the undealt cards."""
        return np.concatenate([self.observe(seat) for seat in range(self.players)])

    # What can be done.

    def step(self, actions: Mapping[Seat, int]) -> list[float]:
        """Let every seat say a number (0 where none is given), and return the rewards."""
        self.check(actions)
        for seat in range(self.players):
            self.say(seat, actions.get(seat, WAIT))
        return self.settle()

    def check(self, actions: Mapping[Seat, int]) -> None:
        """Raise a sentence if an action is illegal and illegal ones are to be raised; nothing is changed."""
        for seat, number in actions.items() if self.terms.illegal == "raise" else ():
            legal = self.legal(seat)
            if number not in legal:
                raise IllegalChoice(
                    f"Seat {seat} cannot say {number} now; it may say {', '.join(map(str, legal))}."
                )

    def say(self, seat: Seat, number: int) -> None:
        """Let a seat say a number; an illegal one is dealt with as the terms say."""
        legal = self.legal(seat)
        self.corrected.discard(seat)
        if number not in legal:
            self.check({seat: number})
            self.corrected.add(seat)
            if self.terms.illegal == "lose":
                self.loser = seat if self.loser is None else self.loser
                return
            number = legal[0]
        if self.loser is None:
            self.asking.say(seat, number)

    def settle(self) -> list[float]:
        """Carry out what was said if all have finished, and return the rewards for it."""
        if self.loser is not None:
            lost = penalty(self.rules, self.terms.reward)
            return [lost if seat == self.loser else 0.0 for seat in range(self.players)]
        if not self.asking.done:
            return [0.0] * self.players
        for seat, choice in self.asking.choices.items():
            apply(self.rules, self.position, self.asking.asks[seat], seat, choice, self._chance)
        self._look()
        before, self._standing = self._standing, standing(self.rules, self.view(None))
        return step_rewards(self.terms.reward, before, self._standing, self.position.result)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_views": {}, "_shared": None}

"""Bots, weakest to strongest: they answer questions from a view, and never see more than it.

>>> import bullpen
>>> game = bullpen.new_game("base", players=4, seed=7)
>>> view = game.view(0)
>>> player("medium", seed=1).choose(view, view.ask).notation in {o.notation for o in view.ask.options}
True
"""

from collections.abc import Callable
from typing import Protocol

from bullpen.bots.registry import Mind, NeedsFast, Thinker, UnknownLevel, find, never, register
from bullpen.engine import Ask, Choice, Seeded, View, new_game, submit, view
from bullpen.rulesets import make

LEVELS = ("random", "easy", "medium", "hard", "expert")
"""The levels of play, weakest first."""

COMPARISON = ("mcs",)
"""Bots that are kept to be measured against: flat Monte Carlo with uniform opponents."""


class Player(Protocol):
    """A bot."""

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return one of the ask's options."""


class Bot:
    """A level with a seed; it remembers nothing between decisions.

    `stop` is asked now and then by the levels that search: once it says yes, they answer with the
    best they have so far.
    """

    def __init__(self, level: str, seed: int | str = 0, stop: Callable[[], bool] = never) -> None:
        if level not in LEVELS + COMPARISON:
            raise UnknownLevel(f"There is no bot {level[:20]!r}; there are {', '.join(LEVELS + COMPARISON)}.")
        self.level, self.seed, self.stop = level, seed, stop

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return one of the ask's options; with one option only there is nothing to think about."""
        if len(ask.options) == 1:
            return ask.options[0]
        return find(self.level, view.game)(view, ask, Mind(self.seed, view, ask, self.stop))


def player(level: str, seed: int | str = 0, stop: Callable[[], bool] = never) -> Player:
    """Return a bot of a level: the same seed, view and question give the same choice."""
    return Bot(level, seed, stop)


def prepare(*levels: str) -> None:
    """Compile what these levels need, so that no first decision waits for it (about half a minute, once)."""
    for level in levels:
        _prepare(level)


def _prepare(level: str) -> None:
    """Let the level think once about each kind of question; low cards soon lead to one about rows."""
    rules, chance = make("base", 2), Seeded(0)
    position, _ = new_game(rules, chance)
    kinds = {"commit", "choose_row"}
    while kinds:
        ask = position.open_asks[0]
        if ask.kind in kinds:
            kinds.discard(ask.kind)
            player(level).choose(view(rules, position, ask.seats[0]), ask)
        position, _ = submit(rules, position, ask.seats[0], ask.options[0], chance)


__all__ = [
    "COMPARISON",
    "LEVELS",
    "Bot",
    "Mind",
    "NeedsFast",
    "Player",
    "Thinker",
    "UnknownLevel",
    "find",
    "player",
    "prepare",
    "register",
]

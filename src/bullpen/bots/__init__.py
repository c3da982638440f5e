"""Bots, weakest to strongest: they answer questions from a view, and never see more than it.

>>> import bullpen
>>> game = bullpen.new_game("base", players=4, seed=7)
>>> view = game.view(0)
>>> player("medium", seed=1).choose(view, view.ask).notation in {o.notation for o in view.ask.options}
True
"""

from collections.abc import Callable

from bullpen.bots import preparing
from bullpen.bots.registry import (
    Mind,
    NeedsFast,
    Player,
    Thinker,
    UnknownLevel,
    check,
    find,
    find_by_rules,
    known,
    never,
    register,
    register_player,
)
from bullpen.engine import Ask, Choice, View
from bullpen.rulesets import is_newest

LEVELS = ("random", "easy", "medium", "hard", "expert")
"""Our levels of play, weakest first."""

COMPARISON = ("mcs",)
"""Bots that are kept to be measured against: flat Monte Carlo with uniform opponents."""


BY_NAME = ("human",)
"""Bots that are found by their name only, and not offered as a level: this one imitates beginners."""

PATIENT = ("deep",)
"""Bots that think longer, found by their name only: this one remembers the round, in the base game."""


class Bot:
    """A bot by name, with a seed; our own levels remember nothing between decisions.

    `stop` is asked now and then by the levels that search: once it says yes, they answer with the
    best they have so far.
    """

    def __init__(self, level: str, seed: int | str = 0, stop: Callable[[], bool] = never) -> None:
        if level not in known():
            find(level, "")
        self.level, self.seed, self.stop = level, seed, stop
        self._player: Player | None = None

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return one of the ask's options; with one option only there is nothing to think about.

        Under an earlier behaviour of a game the rules alone are asked: levels know those of today.
        """
        if len(ask.options) == 1:
            return ask.options[0]
        check(self.level, view.game)
        today = is_newest(view.game, view.behaviour)
        entry = find(self.level, view.game) if today else find_by_rules(self.level)
        if entry.thinker is not None:
            return entry.thinker(view, ask, Mind(self.seed, view, ask, self.stop))
        if self._player is None:
            assert entry.maker is not None
            self._player = entry.maker(self.seed)
        return self._player.choose(view, ask)


def player(level: str, seed: int | str = 0, stop: Callable[[], bool] = never) -> Player:
    """Return a bot by the name of its level: the same seed, view and question give the same choice."""
    return Bot(level, seed, stop)


def levels_for(game: str | None = None) -> tuple[str, ...]:
    """Return the levels that can be played (in a game) with what is installed, weakest of ours first.

    >>> levels_for("base")[:3]
    ('random', 'easy', 'medium')
    """
    names = [name for name in known(game) if name not in (*COMPARISON, *BY_NAME, *PATIENT)]
    return tuple(name for name in names if _works(name, game))


def _works(name: str, game: str | None) -> bool:
    try:
        check(name, game or "base")
    except NeedsFast:
        return False
    except UnknownLevel:
        return game is None
    return True


def prepare(*levels: str) -> None:
    """Compile what these levels need, on two cores at once, so that no first decision waits for it."""
    preparing.prepare(levels)


__all__ = [
    "BY_NAME",
    "COMPARISON",
    "LEVELS",
    "PATIENT",
    "Bot",
    "Mind",
    "NeedsFast",
    "Player",
    "Thinker",
    "UnknownLevel",
    "check",
    "find",
    "known",
    "levels_for",
    "player",
    "prepare",
    "register",
    "register_player",
]

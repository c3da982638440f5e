"""Contenders: bots by the names that a match gives them.

`medium` is a level of ours, `cmd:PROGRAM` a program that speaks the line protocol, and `medium~0.1` is
`medium` with a handicap: one decision in ten is made by chance.
"""

import random
from typing import Protocol

from bullpen.arena.errors import ArenaError
from bullpen.arena.outcome import Faults
from bullpen.arena.outside import Outside, program_of
from bullpen.bots import COMPARISON, LEVELS, Player, player
from bullpen.engine import Ask, Choice, View

PROGRAM = "cmd:"


class Contender(Protocol):
    """A bot at a table: it answers, counts what went wrong, and is sent away at the end."""

    faults: Faults

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return one of the ask's options."""

    def leave(self) -> None:
        """Give back whatever it holds."""


class Inside:
    """A bot of this package, or any other object that can choose."""

    def __init__(self, bot: Player, seed: str) -> None:
        self.faults = Faults()
        self._bot = bot
        self._chance = random.Random(f"{seed}/instead")

    def choose(self, view: View, ask: Ask) -> Choice:
        """Let the bot choose; what it does wrong costs it the decision."""
        try:
            choice = self._bot.choose(view, ask)
        except Exception:  # whatever a bot does wrong must not stop the match
            self.faults.crashed += 1
            return self._chance.choice(ask.options)
        if choice not in ask.options:
            self.faults.nonsense += 1
            return self._chance.choice(ask.options)
        return choice

    def leave(self) -> None:
        """There is nothing to give back."""


class Handicapped:
    """A bot that makes a share of its decisions by chance."""

    def __init__(self, bot: Contender, share: float, seed: str) -> None:
        self._bot, self._share = bot, share
        self._chance = random.Random(f"{seed}/handicap")

    @property
    def faults(self) -> Faults:
        """The bot's own; a handicap is no fault."""
        return self._bot.faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        self._bot.faults = faults

    def choose(self, view: View, ask: Ask) -> Choice:
        """Choose by chance now and then."""
        if self._chance.random() < self._share:
            return self._chance.choice(ask.options)
        return self._bot.choose(view, ask)

    def leave(self) -> None:
        """Send the bot away."""
        self._bot.leave()


def split_name(name: str) -> tuple[str, float]:
    """Return a name without its handicap, and the handicap.

    >>> split_name("medium~0.1"), split_name("easy")
    (('medium', 0.1), ('easy', 0.0))
    """
    plain, tilde, share = name.rpartition("~")
    if name.startswith(PROGRAM) or not tilde:
        return name, 0.0
    try:
        value = float(share)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ArenaError(f"A handicap is a share from 0 to 1, as in medium~0.1, not {name[:40]!r}.")
    return plain, value


def check_name(name: str) -> None:
    """Raise one sentence if there is no bot of this name."""
    plain, _ = split_name(name)
    if plain.startswith(PROGRAM):
        program_of(plain.removeprefix(PROGRAM))
    elif plain not in LEVELS + COMPARISON:
        known = ", ".join(LEVELS + COMPARISON)
        raise ArenaError(f"There is no bot {plain[:40]!r}; there are {known} and cmd:PROGRAM.")


def contender(name: str, seed: str, limit: float) -> Contender:
    """Return the bot of this name; `limit` is how many seconds a program has for a decision."""
    plain, share = split_name(name)
    bot: Contender
    if plain.startswith(PROGRAM):
        bot = Outside(plain.removeprefix(PROGRAM), seed, limit)
    else:
        bot = Inside(player(plain, seed), seed)
    return Handicapped(bot, share, seed) if share else bot

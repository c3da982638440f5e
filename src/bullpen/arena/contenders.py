"""Contenders: bots by the names that a match gives them.

`medium` is a level (ours, or one that another package brings), `cmd:PROGRAM` a program that speaks the line
protocol, `py:MODULE:CLASS` a class that can be imported here. `medium~0.1` is `medium` with a handicap: one
decision in ten is made by chance. `name=cmd:PROGRAM` is told by that name in reports.
"""

import importlib
import random
import re
import sys
import traceback
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from bullpen.arena.errors import ArenaError
from bullpen.arena.outcome import Faults
from bullpen.arena.outside import Outside, program_of
from bullpen.bots import Player, check, player
from bullpen.engine import Ask, BullpenError, Choice, View

PROGRAM, CLASS = "cmd:", "py:"
NAMED = re.compile(r"([\w.+-]{1,40})=(.+)", re.DOTALL)


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
        """Let the bot choose; what it does wrong costs it the decision, and is told in the report."""
        try:
            choice = self._bot.choose(view, ask)
        except Exception as error:  # whatever a bot does wrong must not stop the match
            self.faults.note("crashed", _told(error))
            return self._chance.choice(ask.options)
        if choice not in ask.options:
            self.faults.note("nonsense", f"answered {str(choice)[:60]} to {ask.kind}")
            return self._chance.choice(ask.options)
        return choice

    def leave(self) -> None:
        """There is nothing to give back."""


def _told(error: Exception) -> str:
    """Return an exception with the place where it was raised."""
    *_, last = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"


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


class Name(Struct, frozen=True):
    """A bot's name taken apart."""

    label: str
    """What it is called in reports."""
    bot: str
    share: float = 0.0
    """Its handicap."""


def name_of(text: str) -> Name:
    """Take a name apart.

    >>> name_of("medium~0.1")
    Name(label='medium~0.1', bot='medium', share=0.1)
    >>> name_of("mine=cmd:./bot --deep")
    Name(label='mine', bot='cmd:./bot --deep', share=0.0)
    """
    named = NAMED.fullmatch(text)
    label, bot = named.groups() if named and not text.startswith(PROGRAM) else (text, text)
    if bot.startswith((PROGRAM, CLASS)):
        return Name(label, bot)
    plain, tilde, share = bot.rpartition("~")
    if not tilde:
        return Name(label, bot)
    try:
        value = float(share)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ArenaError(f"A handicap is a share from 0 to 1, as in medium~0.1, not {text[:40]!r}.")
    return Name(label, plain, value)


def class_of(path: str) -> Any:
    """Return the class that `MODULE:CLASS` names, looked for where modules are, then in this folder."""
    module, colon, kind = path.partition(":")
    if not (colon and module and kind):
        raise ArenaError(f"{CLASS}{path[:60]} should be {CLASS}MODULE:CLASS.")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        found = getattr(importlib.import_module(module), kind)
    except Exception as error:  # whatever happens while a stranger's module is imported
        raise ArenaError(f"{CLASS}{path[:60]} cannot be imported: {_in_a_line(error)}") from None
    if not callable(getattr(found, "choose", None)):
        raise ArenaError(f"{CLASS}{path[:60]} has no method choose(view, ask).")
    return found


def _in_a_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def made(path: str, seed: str) -> Player:
    """Return a bot of the class that `MODULE:CLASS` names."""
    try:
        bot: Player = class_of(path)(seed)
    except ArenaError:
        raise
    except Exception as error:  # whatever a stranger's class does when it is made
        raise ArenaError(
            f"{CLASS}{path[:60]} cannot be made with a seed, as in {path.rpartition(':')[2][:60]}('1'): "
            f"{_in_a_line(error)}"
        ) from None
    return bot


def check_name(text: str, game: str) -> None:
    """Raise one sentence if there is no bot of this name, or if it cannot play this game here."""
    bot = name_of(text).bot
    if bot.startswith(PROGRAM):
        program_of(bot.removeprefix(PROGRAM))
    elif bot.startswith(CLASS):
        made(bot.removeprefix(CLASS), "1")
    else:
        try:
            check(bot, game)
        except BullpenError as error:
            raise ArenaError(str(error)) from None


def contender(text: str, seed: str, limit: float) -> Contender:
    """Return the bot of this name; `limit` is how many seconds a program has for a decision."""
    name = name_of(text)
    bot: Contender
    if name.bot.startswith(PROGRAM):
        bot = Outside(name.bot.removeprefix(PROGRAM), seed, limit)
    elif name.bot.startswith(CLASS):
        bot = Inside(made(name.bot.removeprefix(CLASS), seed), seed)
    else:
        bot = Inside(player(name.bot, seed), seed)
    return Handicapped(bot, name.share, seed) if name.share else bot

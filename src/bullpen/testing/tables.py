"""Tables to try a game at: how many sit there, what they agreed on, and how they choose."""

import random
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from bullpen.engine import Ask, Choice, Event, Option, OptionValue, Pass, Ruleset, UseSpecial
from bullpen.game import Game

Chooser: TypeAlias = Callable[[random.Random, Ask], Choice]


def at_random(rng: random.Random, ask: Ask) -> Choice:
    """Choose any option."""
    return rng.choice(ask.options)


def eagerly(rng: random.Random, ask: Ask) -> Choice:
    """Use a special card whenever one can be used, and pass only when nothing else is left."""
    specials = [option for option in ask.options if isinstance(option, UseSpecial)]
    others = [option for option in ask.options if not isinstance(option, Pass)]
    return rng.choice(specials or others or list(ask.options))


def step(game: Game, rng: random.Random, chooser: Chooser = at_random) -> tuple[Event, ...]:
    """Answer one open question."""
    ask = rng.choice(game.asks)
    return game.choose(rng.choice(ask.seats), chooser(rng, ask))


def player_counts(kind: type[Ruleset[Any]]) -> tuple[int, ...]:
    """Return the smallest and the largest table of a game, and one of four between them."""
    counts = kind.player_counts({option.key: option.default for option in kind.offers})
    return tuple(sorted({counts[0], max(counts[0], min(4, counts[-1])), counts[-1]}))


def values(option: Option) -> tuple[OptionValue, ...]:
    """Return values that an option takes: all of a few, the least ones of many, or its default alone."""
    if option.allowed:
        return option.allowed
    if option.least is not None:
        return (option.least, option.least + 1)
    return (option.default,)


def agreements(kind: type[Ruleset[Any]]) -> Iterator[dict[str, OptionValue]]:
    """Yield one agreement for every value of every option that is not the default."""
    seats = player_counts(kind)[-1]
    for option in kind.offers:
        for value in values(option):
            no_seat = option.seat and isinstance(value, int) and value >= seats
            if value != option.default and not no_seat:
                yield {option.key: value}

"""How the frozen games are played, when they are made and again by every later version."""

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import msgspec

from bullpen.engine import Ask, Choice, Event, Option, OptionValue, Ruleset
from bullpen.records import Record, replay
from bullpen.rulesets import behaviours, find, own_games
from bullpen.rulesets.boards.check import load_with_text
from bullpen.server.protocol import Choose
from bullpen.server.tables.requests import Caller, steps_for
from bullpen.server.tables.steps import AnyStep
from bullpen.server.tables.table import Table

Do: TypeAlias = Callable[[AnyStep], object]
"""Carries a step out at a table."""
PLAYERS = 3
"""So many play, or as near as a game allows."""
SHORT: dict[str, OptionValue] = {"hand.maxRounds": 4, "expert.maxTricks": 6}
"""Games that may go on for long stop after so many rounds or tricks."""
LEAST_END: dict[OptionValue, OptionValue] = {"target": 5, "rounds": 1, "deal": 66}
"""The least that `end.value` is set to, by `end.kind`."""


def digest(events: Iterable[Event]) -> str:
    """Return what stands for a list of events: equal for equal ones, in the same order."""
    told = hashlib.sha256()
    for event in events:
        told.update(msgspec.json.encode(event) + b"\n")
    return told.hexdigest()[:24]


def events_of(record: Record) -> list[Event]:
    """Return all that happens in a record."""
    return [event for moment in replay(record) for event in moment.events]


def games_and_options() -> Iterator[tuple[type[Ruleset[Any]], dict[str, OptionValue]]]:
    """Yield every game under each of its behaviours, as usual and with every value of every option."""
    for game in own_games():
        for behaviour in behaviours(game):
            kind = find(game, behaviour)
            yield kind, {}
            for option in kind.offers:
                for value in _values(option):
                    yield kind, {option.key: value}


def _values(option: Option) -> list[OptionValue]:
    """Return the values besides the default: all, or of a number the least and one more."""
    if option.file:
        # The text of a board stands for the name of its file.
        return [load_with_text(str(option.default))[1]]
    if option.least is not None:
        return [value for value in (option.least, option.least + 1) if value != option.default]
    values = [value for value in option.allowed if value != option.default]
    return [value for value in values if not (option.seat and type(value) is int and value >= PLAYERS)]


def shortened(kind: type[Ruleset[Any]], options: dict[str, OptionValue]) -> dict[str, OptionValue]:
    """Return options under which the game is over soon."""
    offered = {option.key: option.default for option in kind.offers}
    short = {key: value for key, value in SHORT.items() if key in offered}
    if "end.kind" in offered:
        ending = options.get("end.kind", "rounds" if offered["end.kind"] == "target" else "deal")
        short |= {"end.kind": ending, "end.value": LEAST_END[ending]}
    return short | options


def choose(dice: random.Random, ask: Ask) -> Choice:
    """Choose by chance, with passing less likely than any action."""
    eager = [option for option in ask.options if option.notation != "-"]
    return dice.choice(eager if eager and dice.random() < 0.6 else ask.options)


def play(table: Table, dice: random.Random, do: Do, most: int = 100_000) -> None:
    """Let everybody at a table choose by chance, until the game ends or so many choices were made."""
    for _ in range(most):
        if table.game is None or table.game.over:
            return
        ask = dice.choice(table.game.asks)
        choice = choose(dice, ask).notation
        # All members of a team say the same.
        for seat in ask.seats:
            if ask in table.game.asks:
                answer = Choose(id=f"m{table.number}", ask=table.asked, choice=choice)
                for step in steps_for(answer, table, caller(table, seat)):
                    do(step)


def caller(table: Table, seat: int) -> Caller:
    """Return who sits there, with everybody present."""
    seats = range(len(table.chairs))
    return Caller(f"who{seat}", 2_000_000 + table.number, lambda: set(seats), ("random",))


def state(table: Table) -> dict[str, Any]:
    """Return what a table must still be when it is read again."""
    position = table.position
    if position is None:
        return {"phase": table.phase, "names": [chair.name for chair in table.chairs]}
    return {
        "phase": table.phase,
        "names": [chair.name for chair in table.chairs],
        "when": [position.round, position.trick],
        "rows": [list(row) for row in position.rows],
        "hands": [list(hand) for hand in position.hands],
        "scores": list(position.scores),
        "asks": [ask.kind for ask in position.asks],
    }

"""Replaying: a record played again on the rules, choice by choice."""

from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from msgspec import Struct

from bullpen.engine import (
    BullpenError,
    Choice,
    Event,
    NoMoreDeals,
    Position,
    RecordError,
    Ruleset,
    Scripted,
    Seat,
    apply,
    find_ask,
    go_on,
    parse,
    refuse_files,
)
from bullpen.records.record import Entry, Record
from bullpen.rulesets import find, make


class Moment(Struct, frozen=True):
    """A position of a replayed game, and the choice and events that led to it (none for the first)."""

    position: Position
    events: tuple[Event, ...]
    seat: Seat | None = None
    choice: Choice | None = None


def rules_of(record: Record) -> Ruleset[Any]:
    """Return the rules that a record was played by, under the behaviour of then."""
    offers = find(record.game, record.behaviour).offers
    refuse_files(offers, record.options)
    # What a record leaves out had its plain default, whatever else was agreed on.
    agreed = {option.key: option.default for option in offers} | record.options
    rules = make(record.game, record.players, agreed, record.behaviour)
    if record.names and len(record.names) != record.players:
        raise RecordError(f"there are {len(record.names)} names for {record.players} players.")
    return rules


def replay(record: Record, rules: Ruleset[Any] | None = None) -> Iterator[Moment]:
    """Yield every moment of a recorded game; raise one sentence with the place where it breaks the rules.

    The rules are those that the record names, unless others are given, of a game that is not registered.
    """
    rules = rules or rules_of(record)
    chance = Scripted((deal.pile, deal.cards) for deal in record.deals)
    position: Position = rules.position_type(rules.players)
    rules.start(position)
    with _up_to_a_deal(record.running and not record.choices):
        go_on(rules, position, chance)
    yield Moment(position, tuple(position.news))
    for number, entry in enumerate(record.choices, start=1):
        last = number == len(record.choices)
        try:
            if (entry.round, entry.trick) != (position.round, position.trick):
                raise RecordError(f"it belongs to round {position.round}, trick {position.trick}.")
            choice = parse(entry.notation)
            ask = find_ask(position, entry.seat, choice)
            position = position.copy()
            with _up_to_a_deal(record.running and last):
                apply(rules, position, ask, entry.seat, choice, chance)
        except BullpenError as error:
            raise RecordError(f"{_place(number, entry)}: {error}") from None
        yield Moment(position, tuple(position.news), entry.seat, choice)
    if chance.used < len(record.deals):
        raise RecordError(f"only {chance.used} of {len(record.deals)} deals are used.")
    if position.result != record.result:
        raise RecordError("the written result is not the one that the choices lead to.")


def _up_to_a_deal(stops: bool) -> AbstractContextManager[None]:
    """Stop where the next deal is not told yet, if the record says that it does."""
    return suppress(NoMoreDeals) if stops else nullcontext()


def check(record: Record, rules: Ruleset[Any] | None = None) -> Position:
    """Return the last position of a record after replaying all of it."""
    # A long game has thousands of positions, so only the latest one is kept.
    (last,) = deque(replay(record, rules), maxlen=1)
    return last.position


def _place(number: int, entry: Entry) -> str:
    written = "".join(letter if letter.isprintable() else "?" for letter in entry.notation[:30])
    return f"choice {number} ({entry.seat}:{written}, round {entry.round}, trick {entry.trick})"

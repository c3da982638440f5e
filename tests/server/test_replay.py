"""A table is its log: whatever happens, replaying the log leads to the same table."""

import random
from typing import Any

import pytest

from bullpen.bots import LEVELS
from bullpen.rulesets import games
from bullpen.server import protocol
from bullpen.server.errors import Refused
from bullpen.server.tables import steps, wire
from bullpen.server.tables.requests import Caller, steps_for
from bullpen.server.tables.table import Table
from tests.server.test_play import two_or_more


def caller(seat: int, now: int) -> Caller:
    return Caller(f"who{seat}", now, lambda: range(10), LEVELS)


def opened(game: str) -> Table:
    """A table with a person on every seat."""
    players = two_or_more(game)
    created = steps.Created(
        at=0,
        code="ABCD",
        game=game,
        players=players,
        options={},
        settings=protocol.Settings(),
        secret="ab" * 32,
    )
    table = Table("t", created)
    for seat in range(players):
        for step in steps_for(protocol.Sit(id="sit", name=f"P{seat}"), table, caller(seat, 1)):
            table.apply(step)
    return table


def anything(table: Table, dice: random.Random) -> tuple[int, protocol.ClientMessage]:
    """Something that somebody might send now, often something sensible."""
    seat, name = dice.randrange(len(table.chairs)), str(dice.random())
    ask = table.ask_of(seat)
    if table.phase == "playing" and ask is not None and dice.random() < 0.85:
        choice = (ask.options[-1] if len(ask.seats) > 1 else dice.choice(ask.options)).notation
        return seat, protocol.Choose(
            id=name, ask=table.asked, choice=choice, nonce=dice.choice([None, "ab", ""])
        )
    messages: list[tuple[protocol.ClientMessage, float]] = [
        (protocol.TakeBack(id=name, ask=table.asked), 4),
        (protocol.Start(id=name), 4),
        (protocol.Rematch(id=name), 4),
        (protocol.Sit(id=name, name="again"), 8),
        (protocol.Mix(id=name, nonce="cd"), 2),
        (protocol.HandOver(id=name, seat=dice.randrange(10)), 1),
        (protocol.Leave(id=name), 0.3),
        (protocol.Remove(id=name, seat=dice.randrange(10)), 0.3),
        (protocol.AddBot(id=name, level="random"), 0.3),
    ]
    kinds, weights = zip(*messages, strict=True)
    return seat, dice.choices(kinds, weights)[0]


def bots_answer(table: Table, now: int, dice: random.Random) -> None:
    """Let the bots choose that are being asked."""
    for ask in table.position.open_asks if table.position is not None else ():
        if all(table.chairs[seat].level for seat in ask.seats):
            choice = dice.choice(ask.options).notation
            table.apply(steps.Chosen(at=now, seat=ask.seats[0], choice=choice, by="bot"))
            return


def told(table: Table) -> list[Any]:
    """All that anybody could learn of a table."""
    nobody: list[bool] = [False] * len(table.chairs)
    teller = wire.Teller(table, lambda: (nobody, 0), 0)
    seats = [None, *range(len(table.chairs))]
    return [table.host, table.asked, table.votes, table.chairs, *(teller.snapshot(seat) for seat in seats)]


@pytest.mark.parametrize("game", games())
def test_replaying_the_log_leads_to_the_same_table(game: str) -> None:
    table, dice = opened(game), random.Random(game)
    done = refused = 0
    for now in range(2, 400):
        bots_answer(table, now, dice)
        seat, message = anything(table, dice)
        try:
            new = steps_for(message, table, caller(seat, now))
        except Refused:
            refused += 1
            continue
        for step in new:
            table.apply(step)
        done += 1
        if now % 40 == 0:
            log = [steps.decode(steps.encode(step)) for step in table.steps]
            assert told(Table.replayed("t", log)) == told(table)
    assert done > 100
    assert refused > 10


def test_a_refused_message_changes_nothing() -> None:
    table, dice = opened("base"), random.Random(5)
    for now in range(2, 300):
        seat, message = anything(table, dice)
        before = told(table)
        try:
            new = steps_for(message, table, caller(seat, now))
        except Refused:
            new = []
        assert told(table) == before, "asking what would follow changes nothing"
        for step in new:
            table.apply(step)

"""A table is its log: whatever happens, replaying the log leads to the same table."""

import pickle
import random
from collections import Counter
from typing import Any

import pytest

from bullpen.bots import LEVELS
from bullpen.engine import IllegalChoice
from bullpen.rulesets import find, games
from bullpen.server import protocol
from bullpen.server.errors import Refused
from bullpen.server.tables import steps, wire
from bullpen.server.tables.requests import Caller, steps_for
from bullpen.server.tables.table import News, Table
from tests.server.test_play import two_or_more


class Logged(Table):
    """A table that keeps its whole log, and the shortest one: from its latest fold on."""

    def __init__(self, table_id: str, created: steps.Created) -> None:
        super().__init__(table_id, created)
        self.whole: list[steps.AnyStep | steps.Folded] = [created]
        self.short = self.whole[:]

    def apply(self, step: steps.AnyStep) -> News:
        news = super().apply(step)
        self.whole.append(step)
        self.short = [self.fold(step.at)] if news.over else [*self.short, step]
        return news


def written(log: list[steps.AnyStep | steps.Folded]) -> list[steps.AnyStep | steps.Folded]:
    """A log as it comes back from the disk."""
    return [steps.decode(steps.encode(step)) for step in log]


def caller(seat: int, now: int) -> Caller:
    return Caller(f"who{seat}", now, lambda: range(10), LEVELS)


def opened(game: str) -> Logged:
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
        behaviour=find(game).behaviour,
    )
    table = Logged("t", created)
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
        return seat, protocol.Choose(id=name, ask=table.asked, choice=choice)
    messages: list[tuple[protocol.ClientMessage, float]] = [
        (protocol.TakeBack(id=name, ask=table.asked), 4),
        (protocol.Start(id=name), 4),
        (protocol.Rematch(id=name), 4),
        (protocol.Sit(id=name, name="again"), 8),
        (protocol.Mix(id=name, commitment=table.dealer.commitment, nonce="cd" * 8), 2),
        (protocol.HandOver(id=name, seat=dice.randrange(10)), 1),
        (protocol.Leave(id=name), 0.3),
        (protocol.Remove(id=name, seat=dice.randrange(10)), 0.3),
        (protocol.AddBot(id=name, level="random"), 0.3),
        (protocol.StandIn(id=name, seat=dice.randrange(10)), 0.6),
        (protocol.Forget(id=name), 0.2),
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
    done = refused = folded = 0
    for now in range(2, 400):
        bots_answer(table, now, dice)
        seat, message = anything(table, dice)
        if follow(table, message, caller(seat, now)):
            done += 1
        else:
            refused += 1
        if now % 40 == 0 or (folded < table.folded):
            folded = table.folded
            assert told(Table.replayed("t", written(table.whole))) == told(table)
            assert told(Table.replayed("t", written(table.short))) == told(table)
    assert done > 100
    assert refused > 10


def follow(table: Table, message: protocol.ClientMessage, who: Caller) -> bool:
    """Do what a message asks, or nothing at all."""
    before = told(table)
    try:
        new = steps_for(message, table, who)
        assert told(table) == before, "asking what would follow changes nothing"
        table.apply(new[0])
    except (Refused, IllegalChoice):
        assert told(table) == before, "what is refused changes nothing"
        return False
    for step in new[1:]:
        table.apply(step)
    return True


@pytest.mark.parametrize("game", games())
def test_a_finished_game_folds_into_one_step_and_the_next_goes_on_from_there(game: str) -> None:
    table, dice = opened(game), random.Random(game)
    table.apply(steps.Started(at=2))
    while table.phase == "playing":
        assert table.position is not None
        ask = dice.choice(table.position.open_asks)
        table.apply(steps.Chosen(at=3, seat=ask.seats[0], choice=dice.choice(ask.options).notation))
    (fold,) = written(table.short)
    again = Table.replayed("t", [fold])
    assert told(again) == told(table)
    assert (again.number, again.folded, again.played) == (len(table.whole), len(table.whole), 1)
    for one in (table, again):
        one.apply(steps.Mixed(at=4, seat=0, nonce="ab"))
        one.apply(steps.Started(at=5))
    assert told(again) == told(table)
    assert again.asked == table.asked == len(table.whole)


WRONG = ("104", "r1", "-", "banana", "44*")


def test_a_refused_message_changes_nothing() -> None:
    """Not even what nobody is told, such as which ids were heard or how often a choice was taken back."""
    table, dice = opened("base"), random.Random(5)
    table.apply(steps.Started(at=2))
    refused = Counter[str]()
    for now in range(2, 300):
        message, who = _wrong(table, dice, now)
        before = pickle.dumps(vars(table))
        if not follow(table, message, who):
            refused[message.choice if isinstance(message, protocol.Choose) else type(message).__name__] += 1
            assert pickle.dumps(vars(table)) == before
    assert refused.keys() >= {*WRONG, "Start", "Rematch", "Sit", "TakeBack"}
    assert told(Table.replayed("t", written(table.whole))) == told(table)


def _wrong(table: Table, dice: random.Random, now: int) -> tuple[protocol.ClientMessage, Caller]:
    """Something that somebody might send, often a card that is not in the hand."""
    seat, message = anything(table, dice)
    if isinstance(message, protocol.Choose) and dice.random() < 0.5:
        message = protocol.Choose(id=message.id, ask=message.ask, choice=dice.choice(WRONG))
    return message, caller(seat, now)

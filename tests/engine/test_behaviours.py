"""A game whose rules have changed: what began under the earlier ones is replayed and played on under them."""

import random
from typing import Any, ClassVar, TypeAlias

import pytest

from bullpen import bots, rulesets
from bullpen.analysis.evaluating import sampler_for
from bullpen.analysis.worlds import sample_any
from bullpen.engine import Event, OptionValue, RecordError, UnknownBehaviour, preview
from bullpen.fast import games as twin
from bullpen.fast import plan_for
from bullpen.fast.errors import NotCovered
from bullpen.game import Game, new_game
from bullpen.records import Record, replay
from bullpen.rulesets import behaviours, find, make
from bullpen.rulesets.base import Base
from bullpen.server.protocol import ClientMessage, NewTable, Settings, Sit, Start
from bullpen.server.sources import Sources
from bullpen.server.tables import steps
from bullpen.server.tables.opening import new_table
from bullpen.server.tables.proof import verify
from bullpen.server.tables.requests import steps_for
from bullpen.server.tables.table import Table
from tests.frozen.playing import caller, play


class Narrow(Base[Any]):
    """The base game with rows of four; they were rows of three at first."""

    id = "narrow"
    number = 99
    behaviour = 2
    name = "Narrow"
    summary = "Rows of four cards."
    row_limit: ClassVar[int] = 4


class NarrowerThen(Narrow):
    """Behaviour 1."""

    behaviour = 1
    row_limit: ClassVar[int] = 3


ROUND: dict[str, OptionValue] = {"end.kind": "rounds", "end.value": 1}


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is registered like one of ours."""
    known = {**rulesets.games(), "narrow": Narrow}
    monkeypatch.setattr(rulesets, "games", lambda: known)


def played(behaviour: int | None) -> tuple[Game, list[Event]]:
    """Play a round by chance; the same seed deals the same cards under every behaviour."""
    game = new_game("narrow", 3, seed=7, options=ROUND, behaviour=behaviour)
    dice, events = random.Random(7), list(game.events)
    while not game.over:
        ask = dice.choice(game.asks)
        events += game.choose(ask.seats[0], dice.choice(ask.options))
    return game, events


@pytest.mark.usefixtures("narrow")
def test_new_games_are_played_by_the_newest_rules() -> None:
    assert behaviours("narrow") == (1, 2)
    assert find("narrow") is Narrow
    assert find("narrow", 1) is NarrowerThen
    assert new_game("narrow", 2).record.behaviour == 2
    table = new_table(NewTable(game="narrow", players=2), Sources(), ())
    assert (table.created.behaviour, table.rules.behaviour) == (2, 2)
    assert [*rulesets.games()].count("narrow") == 1


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("behaviour", [1, 2])
def test_a_record_replays_to_the_same_events_under_the_rules_of_then(behaviour: int) -> None:
    game, events = played(behaviour)
    assert game.record.behaviour == behaviour
    record = Record.loads(game.record.dumps())
    assert [event for moment in replay(record) for event in moment.events] == events
    assert Game.from_record(record).result == game.result
    # The two really differ: under the other rules the same choices lead elsewhere.
    record.behaviour = 3 - behaviour
    assert told(record) != events


def told(record: Record) -> list[Event] | None:
    """Return what happens in a record, or None if the rules do not allow it."""
    try:
        return [event for moment in replay(record) for event in moment.events]
    except RecordError:
        return None


Log: TypeAlias = list[steps.AnyStep]


def opened(game: str, behaviour: int, options: dict[str, OptionValue]) -> tuple[Table, Log]:
    """Return a table that was made when these were the rules, its game begun, and its log."""
    created = steps.Created(
        at=1, code="ABCD", game=game, players=3, options=options, settings=Settings(), secret="ab" * 32,
        behaviour=behaviour, fair=2,
    )  # fmt: skip
    table = Table("t", created)
    log: Log = [created]
    messages: list[tuple[ClientMessage, int]] = [
        (Sit(id=f"s{seat}", name=f"P{seat}"), seat) for seat in range(3)
    ]
    for message, seat in [*messages, (Start(id="start"), 0)]:
        for step in steps_for(message, table, caller(table, seat)):
            table.apply(step)
            log.append(step)
    return table, log


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("behaviour", [1, 2])
def test_a_running_table_goes_on_under_the_rules_it_began_with(behaviour: int) -> None:
    table, log = opened("narrow", behaviour, ROUND)

    def do(step: steps.AnyStep) -> None:
        table.apply(step)
        log.append(step)

    play(table, random.Random(1), do, 10)
    # The server is started anew, with newer rules.
    again = Table.replayed("t", [steps.decode(steps.encode(step)) for step in log])
    assert again.rules.behaviour == behaviour
    assert again.position == table.position
    play(again, random.Random(2), again.apply)
    record = Record.loads(again.record().dumps())
    assert record.behaviour == behaviour
    assert verify(record).piles == 1
    assert again.position is not None
    longest = max(len(row) for trick in again.position.past for row in trick.rows)
    assert longest == 2 + behaviour


@pytest.mark.usefixtures("narrow")
def test_rules_that_are_gone_are_named_in_a_sentence() -> None:
    with pytest.raises(UnknownBehaviour, match="behaviour 3 of narrow; this program plays 1 and 2"):
        make("narrow", 2, behaviour=3)
    with pytest.raises(UnknownBehaviour, match="behaviour 1 of board-basic; this program plays 2"):
        make("board-basic", 2, behaviour=1)


ANYTIME: dict[str, OptionValue] = {"buffalo.anytime": True}


def test_a_view_knows_under_which_rules_it_is_seen_and_bots_play_by_them() -> None:
    game = new_game("buffalo", 3, seed=1, options=ANYTIME, behaviour=1)
    levels = [bots.player(level, 5) for level in ("random", "easy", "medium", "hard", "expert")]
    for number in range(30):
        ask = game.asks[0]
        view = game.view(ask.seats[0])
        assert view.behaviour == 1
        choice = levels[number % 5].choose(view, ask)
        assert choice in ask.options
        preview(game.rules, view, choice)
        game.choose(ask.seats[0], choice)


def test_an_evaluation_follows_the_rules_of_then(monkeypatch: pytest.MonkeyPatch) -> None:
    view = new_game("base", 3, seed=1).view(0)
    assert sampler_for(view) is not sample_any
    # As if the rules of the base game had changed since the twin was written.
    monkeypatch.setitem(twin.BEHAVIOURS, "base", 2)
    assert sampler_for(view) is sample_any


def test_the_compiled_twin_declines_rules_that_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    plan_for("base", 3)
    plan_for("double", 3)
    for game in ("base", "double"):
        monkeypatch.setitem(twin.BEHAVIOURS, game, 2)
        with pytest.raises(NotCovered, match=f"plays behaviour 2 of '{game}', and not behaviour 1"):
            plan_for(game, 3)

"""Real positions for pages that are looked at, not played: every kind of question that a game can ask."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from bullpen.engine import Ask, OptionValue, Position, Ruleset, Seeded, view
from bullpen.game import Game
from bullpen.rulesets import find, make
from bullpen.server.doors.looks import looks
from bullpen.server.protocol import FairInfo, SeatInfo, Settings, Snapshot, TableInfo, You
from bullpen.server.tables import wire

NAMES = (
    "Ann", "Hilda", "Otto", "Mimi", "Bartholomew", "Agnieszka", "Fritz", "Maximiliane", "Ida", "Wilhelmine",
)  # fmt: skip
LEVELS = ("random", "easy", "normal", "hard")
MOST_STEPS = 6000


class Scene(msgspec.Struct):
    """A position through the eyes of a seat: the message that shows it, and what its looks say."""

    game: str
    players: int
    kind: str
    seat: int
    number: int
    snapshot: str
    looks: bytes
    hand: tuple[int, ...]


def counts(game: str) -> tuple[int, ...]:
    """Return two, four, six and the most players, as far as a game allows."""
    allowed = list(find(game).player_range)
    return tuple(sorted({min(allowed, key=lambda one: abs(one - wish)) for wish in (2, 4, 6, 10)}))


ASKING: dict[str, OptionValue] = {"anniv.cancelled": "chosen", "buffalo.anytime": True}
"""Options with which games ask what they do not ask otherwise."""


@cache
def scenes(game: str, players: int) -> tuple[Scene, ...]:
    """Return a scene of every kind of question, each where most lies on the table."""
    found: dict[str, tuple[int, Scene]] = {}
    wanted = set(find(game).questions)
    steps = 0
    for seed in range(30):
        for played, ask in _asks(game, players, seed):
            steps += 1
            weight = _weight(played.position, ask)
            if ask.kind not in found or weight > found[ask.kind][0]:
                found[ask.kind] = weight, _scene(game, played, ask, steps)
        if wanted <= set(found) or steps > MOST_STEPS:
            break
    return tuple(scene for _, scene in found.values())


def _asks(game: str, players: int, seed: int) -> Iterator[tuple[Game, Ask]]:
    """Play at random and stop at every question, for the first of those it is for."""
    rng = random.Random(seed)
    offered = {option.key for option in find(game).offers}
    played = Game(make(game, players, {key: ASKING[key] for key in ASKING if key in offered}), Seeded(seed))
    for _ in range(400):
        if played.over:
            return
        ask = rng.choice(played.asks)
        yield played, ask
        useful = [option for option in ask.options if option.notation != "-"]
        options = useful if useful and rng.random() < 0.7 else ask.options
        played.choose(rng.choice(ask.seats), rng.choice(options))


def _weight(position: Position, ask: Ask) -> int:
    """Tell how full a table is: fuller is harder to show."""
    lying = sum(len(row) for row in position.rows) + len(position.table)
    held = max(len(getattr(position, field, [()])[ask.seats[0]]) for field in _held(position))
    return lying + 3 * held + len(position.rows) * 4


def _held(position: Position) -> list[str]:
    return [field for field in ("specials", "actions", "luck") if getattr(position, field, None)] or ["hands"]


def _scene(game: str, played: Game, ask: Ask, number: int) -> Scene:
    seat = ask.seats[0]
    seen = view(played.rules, played.position, seat)
    return Scene(
        game, played.rules.players, ask.kind, seat, number,
        snapshot(played.rules, played.position, seat, ask, number),
        msgspec.json.encode(looks(played.rules, seen)),
        tuple(played.position.hands[seat]),
    )  # fmt: skip


def first_asks(game: str, players: int, seeds: int = 6) -> Iterator[tuple[Game, Ask]]:
    """Play until every kind of question was asked that leaves a choice; yield the first of each."""
    wanted = set(find(game).questions)
    for seed in range(seeds):
        for played, ask in _asks(game, players, seed):
            if ask.kind in wanted and len(ask.options) > 1:
                wanted.remove(ask.kind)
                yield played, ask
        if not wanted:
            return


def snapshot(
    rules: Ruleset[Any],
    position: Position,
    seat: int | None,
    ask: Ask | None,
    number: int,
    *,
    hints: bool = False,
) -> str:
    """Return the message that shows a position to a seat."""
    seats = tuple(
        SeatInfo(
            kind="person" if index == seat else "bot",
            name=NAMES[index],
            level="" if index == seat else LEVELS[index % len(LEVELS)],
            away=False,
            connected=True,
        )
        for index in range(rules.players)
    )
    message = Snapshot(
        number=number,
        you=You(seat, True),
        table=TableInfo(
            id="t", code="ABCD", game=rules.id, behaviour=rules.behaviour, title=rules.name, options={},
            settings=Settings(),
            phase="playing", seats=seats, host=seat, captain=None, played=0, records=(),
            fair=FairInfo(0, "", ()), locked=False, hints=hints, hinted=(0,) * rules.players,
        ),
        view=wire.view_info(rules, position, seat),
        ask=None if ask is None else wire.ask_info(number, ask),
        mine=None,
        waiting=wire.waiting(position),
        votes={},
        clock=None,
        watching=0,
    )  # fmt: skip
    return msgspec.json.encode(message).decode()

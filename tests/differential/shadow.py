"""A game of the twin that follows a game of the engine, event by event."""

import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import Event, OptionValue, Position, Scripted, Seeded, parse
from bullpen.engine.events import Chose, Placed, Revealed, RoundEnded, RoundStarted, Used
from bullpen.fast import FLIP, Batch, from_position, load, number_of, to_position
from bullpen.game import Game
from bullpen.records import Deal, Entry, Record
from bullpen.rulesets import make
from tests.conftest import SOAK

FAILURES = Path(__file__).parent / "failures"
TABLES: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    ("base", {}),
    ("tactics", {}),
    ("logic", {"logic.maxPlayers": 10}),
    ("professional", {}),
    ("professional", {"pro.tie": "right"}),
    ("professional", {"pro.tie": "left"}),
    ("professional", {"experimental.shortDeck": True}),
    ("two-halves", {}),
    ("even-odd", {}),
    ("mountain", {}),
    ("jumping-cow", {}),
    ("flippin-digits", {}),
    ("flippin-digits", {"flip.singleDigit": "identity"}),
    ("flippin-digits", {"flip.singleDigit": "forbidden", "flip.supply": "game"}),
)
"""Every covered game, with every option that changes how cards are placed or dealt."""


class Disagreement(Exception):
    """Engine and twin differ; the record leads there."""

    def __init__(self, record: Record, differences: list[str]) -> None:
        super().__init__("; ".join(differences))
        self.record = record
        self.differences = differences


LOCKSTEP_GAMES = ("base", "tactics", "logic", "two-halves")
LOCKSTEP_COUNTS = range(2, 11) if SOAK else (2, 4, 10)
"""What is compared in lockstep as well: base placement, and a few player counts, each compiled by itself."""
ASIDE = {"taken", "takers", "logged", "plays"}
"""What only a batch with piles keeps, and the plays, of which only those that still wait count."""


def differing(one: Batch, other: Batch) -> list[str]:
    """Return the names of what differs between two batches, one of which may be without piles."""
    pairs = [
        (name, getattr(mine, name), getattr(theirs, name))
        for mine, theirs in ((one.table, other.table), (one.seats, other.seats))
        for name in mine._fields
        if name not in ASIDE
    ]
    pairs.append(("waiting", one.observe(0).waiting, other.observe(0).waiting))
    return [name for name, mine, theirs in pairs if not np.array_equal(mine, theirs)]


class Shadow:
    """Plays in the twin what happens in the engine, and says where they differ.

    One batch keeps the bull piles and is the one that becomes a position again. Where a batch without them
    plays in lockstep, such a one follows as well and must stay like the first.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        options, players = own_options(game), game.rules.players
        self.batch = Batch(game.rules.id, players, 1, options=options, piles=True)
        self.batches = [self.batch]
        if game.rules.id in LOCKSTEP_GAMES and players in LOCKSTEP_COUNTS:
            self.batches.append(Batch(game.rules.id, players, 1, options=options))
        self.dealt: Position | None = None
        self.placements = 0
        self._flips: set[int] = set()

    def follow(self, events: tuple[Event, ...]) -> list[str]:
        """Do what the events tell; return how the twin then differs from the engine."""
        differences: list[str] = []
        for event in events:
            self.placements += isinstance(event, Placed)
            if isinstance(event, RoundStarted):
                self.dealt = None
            elif isinstance(event, Used):
                self._flips.add(event.seat)
            elif self.dealt is not None:
                differences += self._follow_one(event)
        position = self.game.position
        if position.answers or position.result or not any(ask.kind == "commit" for ask in position.asks):
            return differences + (self._compare() if self.dealt and not position.answers else [])
        if self.dealt is None:
            self.dealt = position.copy()
            for batch in self.batches:
                load(batch, 0, from_position(self.game.rules, position))
        return differences + self._compare()

    def _follow_one(self, event: Event) -> list[str]:
        choices = np.zeros((1, self.game.rules.players), np.uint8)
        if isinstance(event, Revealed):
            for play in event.plays:
                choices[0, play.seat] = play.card + FLIP * (play.seat in self._flips)
            self._flips.clear()
            return self._step(choices)
        if isinstance(event, Chose) and event.kind in ("choose_row", "choose_side") and not event.forced:
            choices[0, event.seat] = number_of(parse(event.notation))
            return self._step(choices)
        if isinstance(event, RoundEnded):
            self.dealt = None
            got = tuple(self.batch.points[0].tolist()), bool(self.batch.over[0])
            return [] if got == (event.points, True) else [f"the round ended with {event.points}, not {got}"]
        return []

    def _step(self, choices: NDArray[np.uint8]) -> list[str]:
        for batch in self.batches:
            batch.step(choices)
        return [
            f"{name} differs in lockstep"
            for other in self.batches[1:]
            for name in differing(self.batch, other)
        ]

    def _compare(self) -> list[str]:
        if self.dealt is None:
            return []
        position = self.game.position.copy()
        # A batch keeps no memory of tricks.
        position.news, position.past = [], []
        ours = to_position(self.batch, 0, self.game.rules, self.dealt)
        if ours != position:
            return [
                f"{field}: {getattr(position, field)} there, {getattr(ours, field)} here"
                for field in position.__struct_fields__
                if getattr(position, field) != getattr(ours, field)
            ]
        legal = self.batch.legal()[0]
        asked = np.zeros_like(legal)
        for ask in position.asks:
            asked[ask.seats[0], [number_of(option) for option in ask.options]] = True
        return [] if (legal == asked).all() else ["the legal choices differ"]


def own_options(game: Game) -> dict[str, OptionValue]:
    """Return the options that were agreed on."""
    return {option.key: game.rules.options[option.key] for option in game.rules.offers}


Judge = Callable[[Shadow, tuple[Event, ...]], list[str]]


def honest(shadow: Shadow, events: tuple[Event, ...]) -> list[str]:
    """Judge by what the twin really does."""
    return shadow.follow(events)


def play(
    name: str, players: int, options: Mapping[str, OptionValue], seed: int, judge: Judge = honest
) -> int:
    """Play a random game in both; return the placements, or raise `Disagreement`."""
    game = Game(make(name, players, options), Seeded(seed))
    luck = random.Random(seed)
    shadow = Shadow(game)
    differences = judge(shadow, game.events)
    while not game.over and not differences:
        ask = luck.choice(game.asks)
        differences = judge(shadow, game.choose(ask.seats[0], luck.choice(ask.options)))
    if differences:
        raise Disagreement(game.record, differences)
    return shadow.placements


def replayed(record: Record, judge: Judge = honest) -> tuple[Game, list[str]]:
    """Play a record again in both, up to the first difference."""
    rules = make(record.game, record.players, record.options)
    game = Game(rules, Scripted((deal.pile, deal.cards) for deal in record.deals))
    shadow = Shadow(game)
    differences = judge(shadow, game.events)
    for entry in record.choices:
        if differences:
            break
        differences = judge(shadow, game.choose(entry.seat, entry.notation))
    return game, differences


def shrunk(record: Record, judge: Judge = honest) -> Record:
    """Return the shortest of some shorter records that still show a difference."""
    for shorter in _shorter(record):
        try:
            game, differences = replayed(shorter, judge)
        except Exception:  # whatever a cut record breaks, it is no smaller case
            continue
        if differences:
            return game.record
    return record


def _shorter(record: Record) -> Iterator[Record]:
    """Yield the record with fewer of the rounds before its last one."""
    rounds = max((deal.round for deal in record.deals), default=1)
    for first in range(rounds, 1, -1):
        yield Record(
            game=record.game,
            behaviour=record.behaviour,
            players=record.players,
            options=record.options,
            deals=[
                Deal(deal.round - first + 1, deal.pile, deal.cards)
                for deal in record.deals
                if deal.round >= first
            ],
            choices=[
                Entry(entry.round - first + 1, entry.trick, entry.seat, entry.notation)
                for entry in record.choices
                if entry.round >= first
            ],
        )


def save(record: Record, folder: Path = FAILURES) -> Path:
    """Write a record down and return where."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{record.game}-{record.players}-{len(record.choices)}.json"
    record.save(path)
    return path

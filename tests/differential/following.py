"""A batch of the twin that follows a game of the engine, question by question."""

import random
from collections.abc import Mapping

import numpy as np

from bullpen.engine import Event, OptionValue, Position, Seeded
from bullpen.engine.events import Placed, RoundEnded
from bullpen.fast import Batch, from_position, load, number_of, to_position
from bullpen.fast.twins.board_state import record_of
from bullpen.fast.twins.board_twin import NAMES
from bullpen.game import Game
from bullpen.rulesets import make
from bullpen.rulesets.boards.events import ActionsShuffled
from tests.differential.shadow import Disagreement

TABLES: tuple[tuple[str, dict[str, OptionValue]], ...] = (
    ("tournament", {"tournament.maxPlayers": 10}),
    ("open", {}),
    ("open", {"open.rotateAcrossRounds": False, "open.firstSeat": 1}),
    ("nifty", {}),
    ("hand", {"hand.maxRounds": 12}),
    ("hand", {"hand.maxRounds": 5, "end.kind": "rounds", "end.value": 2}),
    ("hand", {"hand.secondCard": "sequential", "hand.firstSeat": 1}),
    ("double", {}),
    ("double", {"double.deck": 113, "double.lowChooser": "seat"}),
    ("double", {"double.deck": 113, "double.lowChooser": "cheapestRow"}),
    ("board-basic", {}),
    ("board-basic-luck", {}),
    ("board-expert", {"expert.maxTricks": 20}),
    ("board-expert-luck", {}),
)
"""Every game with a course of its own, with every option that changes how it goes."""
PASSING_ON = ("tournament",)
"""The games whose next round follows from the one before."""
AFRESH = 0.05
"""How often the batch takes the engine's position over instead of going on with its own."""


class Follower:
    """One game in both; the engine asks every question, also those with one answer, as the twin does."""

    def __init__(self, name: str, players: int, options: Mapping[str, OptionValue], seed: int) -> None:
        rules = make(name, players, options)
        rules.asks_always = True
        self.game = Game(rules, Seeded(seed))
        self.luck = random.Random(seed)
        self.batch = Batch(name, players, 1, options=options)
        self.like: Position | None = None
        self.placements = 0

    def step(self) -> list[str]:
        """Answer the open questions by chance in both; return how they differ then."""
        game = self.game
        if any(ask.kind == "draft_pick" for ask in game.asks):
            game.choose(game.asks[0].seats[0], self.luck.choice(game.asks[0].options))
            return []
        if self.like is None or self.luck.random() < AFRESH:
            self.like = game.position.copy()
            load(self.batch, 0, from_position(game.rules, game.position))
        differences = self._compare()
        if differences:
            return differences
        answers = {ask.seats[0]: self.luck.choice(ask.options) for ask in game.asks}
        choices = np.zeros((1, game.rules.players), np.uint16)
        for seat, choice in answers.items():
            choices[0, seat] = number_of(choice, game.position, game.rules.id)
        events = [event for seat, choice in answers.items() for event in game.choose(seat, choice)]
        self._foretell(events)
        self.batch.step(choices)
        self.placements += sum(isinstance(event, Placed) for event in events)
        differences = self._judge(events)
        if any(isinstance(event, RoundEnded) for event in events):
            self.like = None
            self._pass_on()
        return differences

    def _foretell(self, events: list[Event]) -> None:
        """Let the pile that chance has mixed in the engine be the one that the twin gets."""
        if any(isinstance(event, ActionsShuffled) for event in events):
            (*_, deal) = [deal for deal in self.game.record.deals if deal.pile == "action_deck"]
            coming = [1 + NAMES.index(card) for card in deal.cards]
            record_of(self.batch.state, 0).coming[0, : len(coming)] = coming  # type: ignore[attr-defined]

    def _pass_on(self) -> None:
        """Go on with the twin's own next round, where that follows from the one before."""
        if self.game.rules.id in PASSING_ON and not self.game.over:
            self.batch.next_round()
            self.like = self.game.position.copy()

    def _judge(self, events: list[Event]) -> list[str]:
        for event in events:
            if isinstance(event, RoundEnded):
                got = tuple(self.batch.points[0].tolist()), bool(self.batch.over[0])
                return (
                    [] if got == (event.points, True) else [f"the round ended so: {event.points}, not {got}"]
                )
        return []

    def _compare(self) -> list[str]:
        """Return what differs: fields of the position, or the answers that there are."""
        assert self.like is not None
        position = self.game.position.copy()
        # A batch keeps no memory of tricks.
        position.news, position.past = [], []
        ours = to_position(self.batch, 0, self.game.rules, self.like)
        if ours != position:
            return [
                f"{field}: {getattr(position, field)} there, {getattr(ours, field)} here"
                for field in position.__struct_fields__
                if getattr(position, field) != getattr(ours, field)
            ]
        numbers, counts = self.batch.options()  # type: ignore[attr-defined]
        for ask in position.asks:
            (seat,) = ask.seats
            here = numbers[0, seat, : counts[0, seat]].tolist()
            there = [number_of(option, position, self.game.rules.id) for option in ask.options]
            if sorted(here) != sorted(there):
                return [f"seat {seat} may choose {there} there, {here} here"]
        asked = sum(counts[0] > 0)
        return [] if asked == len(position.asks) else [f"{len(position.asks)} asked there, {asked} here"]


def follow(name: str, players: int, options: Mapping[str, OptionValue], seed: int) -> int:
    """Play a random game in both; return the placements, or raise `Disagreement`."""
    follower = Follower(name, players, options, seed)
    while not follower.game.over:
        differences = follower.step()
        if differences:
            raise Disagreement(follower.game.record, differences)
    return follower.placements

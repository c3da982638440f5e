"""A machine that plays any game in any way, and looks at everything after every choice."""

import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bullpen.engine import IllegalChoice, PlayCard, Position, Seeded, View, imagine, submit
from bullpen.game import Game
from bullpen.records import Record, check
from bullpen.testing import at_random, eagerly, step
from bullpen.testing.ruleset import scramble
from tests.conftest import SOAK
from tests.properties.invariants import check_events, check_position
from tests.strategies import GAMES, rulesets


class AnyTable(RuleBasedStateMachine):
    """Any number of choices, take-backs and nonsense at one table."""

    game_id: str | None = None

    @initialize(data=st.data(), seed=st.integers(0, 2**32))
    def sit_down(self, data: st.DataObject, seed: int) -> None:
        """Start a game."""
        self.game = Game(data.draw(rulesets(self.game_id)), Seeded(seed))
        self.rng = random.Random(seed)
        self.history = [self.game.events]

    @precondition(lambda self: not self.game.over)
    @rule(eager=st.booleans(), choices=st.integers(1, 30))
    def choose(self, eager: bool, choices: int) -> None:
        """Somebody answers, several times."""
        for _ in range(choices):
            if not self.game.over:
                self.history.append(step(self.game, self.rng, eagerly if eager else at_random))
                check_position(self.game.rules, self.game.position)
                check_events(self.game.rules, self.game.events)

    @precondition(lambda self: not self.game.over)
    @rule()
    def submit_is_pure(self) -> None:
        """A submitted choice leaves the old position as it was, and a copy does not follow the original."""
        before = self.game.position.copy()
        ask = self.rng.choice(self.game.asks)
        choice = self.rng.choice(ask.options)
        chance = Seeded("elsewhere")
        after, _ = submit(self.game.rules, self.game.position, ask.seats[0], choice, chance)
        assert self.game.position == before
        scramble(after)
        assert self.game.position == before

    @precondition(lambda self: not self.game.over)
    @rule(seat=st.integers(-2, 12), card=st.integers(-5, 300))
    def nonsense_changes_nothing(self, seat: int, card: int) -> None:
        """A choice that is not among the options is refused."""
        choice = PlayCard(card, flipped=bool(card % 2))
        options = [option for ask in self.game.asks if seat in ask.seats for option in ask.options]
        if choice not in options:
            before = self.game.position.copy()
            with pytest.raises(IllegalChoice):
                self.game.choose(seat, choice)
            assert self.game.position == before

    @rule()
    def take_back(self) -> None:
        """A hidden answer can be taken back while others are missing, and given again."""
        position = self.game.position
        for ask in position.asks:
            seat = ask.seats[0]
            if ask.secret and not ask.forced and seat in position.answers:
                answer = position.answers[seat]
                self.game.retract(seat)
                assert seat not in self.game.position.answers
                self.game.choose(seat, answer)
                return

    @rule(data=st.data())
    def imagination_fits_the_view(self, data: st.DataObject) -> None:
        """Whatever a seat imagines looks to it like what it sees, and is a possible position."""
        seat = data.draw(st.sampled_from([None, *range(self.game.rules.players)]))
        seen = self.game.view(seat)
        imagined = imagine(self.game.rules, seen, self.rng)
        check_position(self.game.rules, imagined)
        assert Game.view(with_position(self.game, imagined), seat) == seen

    @rule()
    def a_record_meets_the_same_position(self) -> None:
        """Saved, loaded and replayed, a game is the same game with the same events."""
        record = Record.loads(self.game.record.dumps())
        assert record == self.game.record
        assert without_news(check(record)) == without_news(self.game.position)

    @invariant()
    def views_are_no_positions(self) -> None:
        """Nobody's view holds an answer that is not theirs to see."""
        if hasattr(self, "game"):
            spectator: View = self.game.view()
            assert not [ask for ask in spectator.position.asks if ask.secret and ask.options]


def with_position(game: Game, position: Position) -> Any:
    """Return something with a view like a game's, at another position."""
    other = object.__new__(Game)
    other.rules, other.position = game.rules, position
    return other


def without_news(position: Position) -> Position:
    """Return the position without what led to it."""
    twin = position.copy()
    twin.news = []
    return twin


@pytest.mark.parametrize("game_id", GAMES)
def test_any_table(game_id: str) -> None:
    """Every game survives the machine."""
    machine = type("Machine", (AnyTable,), {"game_id": game_id})
    examples, steps = (300, 40) if SOAK else (12, 12)
    machine.TestCase.settings = settings(max_examples=examples, stateful_step_count=steps)  # type: ignore[attr-defined]
    machine.TestCase("runTest").runTest()  # type: ignore[attr-defined]

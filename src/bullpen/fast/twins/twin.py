"""A game of the twin as Python sees it: its plan, its room, and the way from and to positions."""

from collections.abc import Callable
from typing import Any, ClassVar

from numpy.typing import NDArray

from bullpen.engine import Choice, Pass, PlaceFirst, PlayCard, PlayPair, Ruleset, TakeRow
from bullpen.fast.errors import NotCovered
from bullpen.fast.games import check_rules
from bullpen.fast.twins.observed import Frame
from bullpen.fast.twins.state import CARD, PASS, ROW, Fields, Room, State, new_state
from bullpen.rulesets.base import TRICK


def add_up_here(parts: NDArray[Any]) -> NDArray[Any]:
    """Return sums along the last axis."""
    sums: NDArray[Any] = parts.sum(axis=-1)
    return sums


def front(array: Any, size: int) -> Any:
    """Return an array of the first games; nothing of one that holds nothing, which a device cannot divide."""
    return array[:size] if array.size else array


class Twin:
    """The parent of the games: what they say of themselves."""

    game: ClassVar[str]
    kinds: ClassVar[tuple[str, ...]]
    """The engine's kinds of question; the first is CARD, and so on."""
    seats: ClassVar[int] = 10
    """The most players."""
    cards: ClassVar[int] = 104
    """The most cards in a deck."""
    nobody: ClassVar[tuple[str, ...]] = ("memory", "games", "deck", "states")
    """The arrays that nobody may look at."""
    owner: ClassVar[tuple[str, ...]] = ("hands",)
    """The arrays of which a seat may look at its own part."""

    own_bytes: ClassVar[int] = 0
    """Bytes of an observation that only this game has; the first may name the seat at `marker` of `own`."""
    marker: ClassVar[int] = -1
    one_word: ClassVar[bool] = False
    """Whether every answer is one card or one row, as environments need it to tell and to hear it."""

    def frame(self, plan: Any) -> Frame:
        """Return how observations are laid out."""
        room = self.room(plan)
        return Frame(plan.players, room.rows, room.places, self.own_bytes, self.marker)

    def plan_of(self, rules: Ruleset[Any]) -> Any:
        """Return the game's plan, if the twin plays these rules."""
        check_rules(rules)
        return self.plan(rules)

    def plan(self, rules: Ruleset[Any]) -> Any:
        """Return the game with its players and options, in numbers that compiled code can read."""
        raise NotImplementedError

    def room(self, plan: Any) -> Room:
        """Return how much room a game needs."""
        raise NotImplementedError

    def widest(self, plan: Any) -> Fields:
        """Return the arrays of a game's record, with room for the most players and cards."""
        return self.room(plan)._replace(deck=self.cards).fields(self.seats)

    def new_state(self, plan: Any, size: int) -> State:
        """Return the memory of that many games."""
        return new_state(self.room(plan).fields(plan.players), self.widest(plan), size)

    def seen(
        self, s: Any, seat: int, size: int, add_up: Callable[[Any], Any] = add_up_here
    ) -> dict[str, NDArray[Any]]:
        """Return what a seat may know of every game: what all see, and its own hand.

        Where something is counted, `add_up` does it along the last axis, wherever the arrays lie.
        """
        parts = {name: front(getattr(s, name), size) for name in s._fields if name not in self.nobody}
        for name in self.owner:
            parts[name] = parts[name][:, seat]
        return parts

    def read(self, plan: Any, position: Any, s: Any) -> None:
        """Take from a position what only this game has."""

    def write(self, plan: Any, s: Any, b: int, rules: Any, position: Any) -> None:
        """Give a position what only this game has, the agenda, and the questions that are open."""
        raise NotImplementedError

    def reopen(self, s: Any, b: int, rules: Any, position: Any) -> None:
        """Let the rules ask again where all choose cards at once and then place them."""
        if s.kind[b] == CARD:
            position.trick -= 1
            rules.play_trick(position)
        else:
            position.agenda = [TRICK]
            rules.place_next(position)

    def number(self, choice: Choice, position: Any) -> int:
        """Return a choice of the engine as the number that the twin uses."""
        if isinstance(choice, PlayCard | PlaceFirst):
            return choice.card
        if isinstance(choice, PlayPair):
            return choice.low << 7 | choice.high
        if isinstance(choice, TakeRow):
            return ROW + choice.row
        if isinstance(choice, Pass):
            return PASS
        raise NotCovered(f"The fast twin knows no choice {choice.notation} in {self.game}.")

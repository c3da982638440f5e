"""Setting up a table in the middle of a round, as a rulebook's picture does."""

from collections.abc import Callable
from typing import Any

from bullpen.engine import Choice, Event, Position, Ruleset, Seeded, go_on, submit
from bullpen.engine.events import Took
from bullpen.rulesets.base import TRICK

Vector = dict[str, Any]
Runner = Callable[[Vector], None]


class Table:
    """A position that was set up by hand and is played on through the public verbs."""

    def __init__(self, rules: Ruleset[Any], position: Position) -> None:
        self.rules = rules
        self.position = position
        self.chance = Seeded("table")
        self.events: list[Event] = []

    def go_on(self) -> None:
        """Let the engine run to the next question."""
        go_on(self.rules, self.position, self.chance)
        self.events += self.position.news
        self.position.news = []

    def choose(self, seat: int, choice: Choice) -> None:
        """Answer for a seat."""
        self.position, events = submit(self.rules, self.position, seat, choice, self.chance)
        self.events += events

    def happened(self, kind: type[Event]) -> list[Any]:
        """Return the events of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def takes(self, names: list[str]) -> list[dict[str, Any]]:
        """Return the takes in the form of the vectors."""
        return [
            {
                "player": names[took.seat],
                "row": took.row + 1,
                "cards": list(took.cards),
                "points": took.bullheads,
            }
            for took in self.happened(Took)
        ]


def set_up(
    rules: Ruleset[Any], rows: list[list[int]], plays: list[list[int]], spares: int = 2, **fields: Any
) -> Table:
    """Return a table at which each seat is about to choose.

    A seat holds its plays and cards to spare, so that no choice is forced and the round goes on afterwards.
    """
    used = {card for row in rows for card in row} | {card for hand in plays for card in hand}
    spare = [card for card in rules.universe("numbers") if card not in used]
    position: Position = rules.position_type(rules.players)
    position.rows = [row[:] for row in rows]
    position.hands = [sorted([*hand, *(spare.pop() for _ in range(spares))]) for hand in plays]
    position.piles = [[] for _ in plays]
    position.known = [[] for _ in plays]
    position.points, position.scores = [0] * rules.players, [0] * rules.players
    position.round = 1
    for name, value in fields.items():
        setattr(position, name, value)
    position.agenda = [TRICK]
    table = Table(rules, position)
    table.go_on()
    return table

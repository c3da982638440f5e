"""Outcomes: what is written down of a game, one line of JSON each."""

from msgspec import Struct, field

from bullpen.engine import OptionValue

LONGEST = 240
"""How much is kept of what a bot did wrong."""


class Faults(Struct, omit_defaults=True):
    """How often a bot lost a decision to chance, and why."""

    late: int = 0
    crashed: int = 0
    nonsense: int = 0
    first: str = ""
    """What it did wrong the first time."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.late + self.crashed + self.nonsense

    def note(self, kind: str, what: str) -> None:
        """Count a fault of a kind; the first one is kept in words."""
        setattr(self, kind, getattr(self, kind) + 1)
        self.first = self.first or f"{kind}: {what}"[:LONGEST]


class Outcome(Struct, kw_only=True, omit_defaults=True):
    """A game that was played: all that is needed to play it again, and how it ended.

    `thought` and `decisions` say how many seconds each seat thought and about how many questions; they
    are measurements, and the only fields that may differ when the game is played again.
    """

    game: str
    players: int
    seed: str
    deal: int
    seating: tuple[str, ...]
    options: dict[str, OptionValue] = field(default_factory=dict)
    limit: float
    behaviour: int
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    won: bool | None = None
    against: int | None = None
    faults: dict[str, Faults] = field(default_factory=dict)
    """By seat, only those that had any."""
    decisions: tuple[int, ...] = ()
    thought: tuple[float, ...] = ()

    def same_game(self, other: "Outcome") -> bool:
        """Whether both tell of the same course of a game, however long it took."""
        fields = ("game", "players", "seed", "deal", "seating", "options", "behaviour", "scores", "ranks")
        return all(getattr(self, name) == getattr(other, name) for name in fields)

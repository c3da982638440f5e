"""A board game at one moment, and what a player has planned for the tile about to be placed."""

from msgspec import Struct, field
from msgspec.structs import replace

from bullpen.engine import NOBODY, OWNER, Card, Position, Zone

ACTIONS, LUCK = "actions", "luck"
"""The families of cards beside the tiles."""


class Plan(Struct, frozen=True):
    """The cards played for the tile that is placed next: rows count from 0, None is no such card."""

    skips: int = 0
    ascending: int | None = None
    at_start: int | None = None
    luck: str = ""


NO_PLAN = Plan()


class Turn(Struct, frozen=True):
    """All that decides where a tile goes: its number, the stopped rows and the plan."""

    tile: Card
    stops: tuple[int, ...] = ()
    plan: Plan = NO_PLAN

    def planned(self, **changes: int | str) -> "Turn":
        """Return the turn with a changed plan."""
        return replace(self, plan=replace(self.plan, **changes))


class Landing(Struct, frozen=True):
    """Where a tile goes: its row, the space that is newly covered, and whether that is the last one."""

    row: int
    space: int
    last: bool


class BoardPosition(Position):
    """Where the tiles lie, who holds which cards, and what is printed.

    `rows` holds the tiles of each row from the left; `spaces`, alongside it, the space (from 0) of each.
    """

    spaces: tuple[tuple[int, ...], ...] = ()
    deals: int = 0
    """How many hands everybody has been dealt."""
    stops: tuple[int, ...] = ()
    """The rows with a stop sign."""
    plans: tuple[tuple[Card, Plan], ...] = ()
    """What the cards played so far mean for tiles on the table; most tiles have no plan."""
    actions: list[list[str]] = field(default_factory=list)
    action_deck: list[str] = field(default_factory=list)
    action_discard: list[str] = field(default_factory=list)
    luck: list[list[str]] = field(default_factory=list)
    luck_piles: list[str] = field(default_factory=list)
    """The luck cards that nobody holds; cards of one name are a pile."""
    board: tuple[tuple[str, ...], ...] = ()
    """What is printed on each space, top row first."""
    oxen: tuple[int, ...] = ()
    """The oxen on each tile, found by its number."""
    clovers: tuple[int, ...] = ()

    def copy_lists(self) -> None:
        """Replace the lists of cards too."""
        super().copy_lists()
        self.actions = [held[:] for held in self.actions]
        self.action_deck = self.action_deck[:]
        self.action_discard = self.action_discard[:]
        self.luck = [held[:] for held in self.luck]
        self.luck_piles = self.luck_piles[:]

    @property
    def active(self) -> list[int]:
        """The rows with at least one tile: always four."""
        return [index for index, row in enumerate(self.rows) if row]

    @property
    def turn(self) -> Turn:
        """All that decides where the next tile on the table goes."""
        tile = self.table[0].card
        return Turn(tile, self.stops, dict(self.plans).get(tile, NO_PLAN))

    def plan_for(self, tile: Card, plan: Plan) -> None:
        """Let a plan be that of a tile from now on; one that says nothing is forgotten."""
        others = tuple((other, made) for other, made in self.plans if other != tile)
        self.plans = others if plan == NO_PLAN else (*others, (tile, plan))

    def lay_out(self, row: int, tiles: list[Card], spaces: tuple[int, ...]) -> None:
        """Let these tiles lie on these spaces of a row."""
        self.rows[row] = tiles
        self.spaces = (*self.spaces[:row], spaces, *self.spaces[row + 1 :])


ZONES = (
    Zone("hands", OWNER),
    Zone("deck", NOBODY),  # BRD-18: with four to six players nobody sees the leftover tiles either
    Zone("rows"),
    Zone("table"),
    Zone("aside"),
    Zone("actions", OWNER, ACTIONS),
    Zone("action_deck", NOBODY, ACTIONS),
    Zone("action_discard", family=ACTIONS),
    Zone("luck", family=LUCK),  # LUCK-12: drawn from open piles, so held openly
    Zone("luck_piles", family=LUCK),
)

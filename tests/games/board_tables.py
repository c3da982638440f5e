"""What the tests of the board games share: a board set up in the middle of a game."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bullpen.engine import Choice, Position, go_on, parse
from bullpen.engine.events import Scored
from bullpen.rulesets import make
from bullpen.rulesets.base import TRICK
from bullpen.rulesets.boards.data import BoardData
from bullpen.rulesets.boards.position import BoardPosition
from tests.rulebook.tables import Table

PLAIN = ("blank", "blank", "blank", "blank", "blank", "take_ox")
Tiles = dict[int, dict[int, int]]
START: Tiles = {1: {1: 10}, 2: {1: 30}, 3: {1: 50}, 4: {1: 70}}
"""Tiles by row and space, both counted from 1."""


class BoardTable(Table):
    """A board at which everybody is about to choose."""

    rules: Any
    position: BoardPosition

    def play(self, *choices: str) -> "BoardTable":
        """Let the open questions be answered in this order, by whoever is asked first."""
        for text in choices:
            self.choose(self.position.open_asks[0].seats[0], parse(text))
        return self

    @property
    def options(self) -> list[str]:
        """What the first open question allows."""
        return [option.notation for option in self.position.open_asks[0].options]

    @property
    def kind(self) -> str:
        """What the first open question is."""
        return self.position.open_asks[0].kind

    def tiles(self, row: int) -> dict[int, int]:
        """The tiles of a row by space, counted from 1."""
        places = zip(self.position.spaces[row - 1], self.position.rows[row - 1], strict=True)
        return {space + 1: tile for space, tile in places}

    @property
    def scored(self) -> list[tuple[int, int]]:
        """Who scored what, in order."""
        return [(scored.seat, scored.change) for scored in self.happened(Scored)]

    def choose(self, seat: int, choice: Choice) -> None:
        """Answer for a seat, and see that nothing is lost or doubled."""
        super().choose(seat, choice)
        assert_conserved(self.rules, self.position)


def board(
    game: str,
    *hands: list[int],
    rows: Mapping[int, tuple[str, ...]] | None = None,
    tiles: Tiles | None = None,
    oxen: dict[int, int] | None = None,
    clovers: tuple[int, ...] = (),
    actions: tuple[tuple[str, ...], ...] = (),
    luck: tuple[tuple[str, ...], ...] = (),
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> BoardTable:
    """Return a board of ten plain rows but for those named, with these tiles, hands and cards.

    Every tile shows one ox unless it is named. There is no second hand unless `deals` says so.
    """
    rules: Any = make(game, len(hands), options)
    layout = tuple((rows or {}).get(row, PLAIN) for row in range(1, 11))
    faces = (0, *((oxen or {}).get(tile, 1) for tile in range(1, 101)))
    counts: dict[str, int] = rules.data.counts
    rules.data = BoardData(faces, layout, layout, clovers, counts)
    position = BoardPosition(len(hands))
    rules.start(position)
    rules.play_round(position)
    position.agenda, position.news = [], []
    for row, places in (tiles or START).items():
        position.lay_out(row - 1, list(places.values()), tuple(space - 1 for space in places))
    position.hands = [sorted(hand) for hand in hands]
    used = {tile for held in [*position.rows, *position.hands] for tile in held}
    position.deck = [tile for tile in rules.deck() if tile not in used]
    position.deals = 2
    deal_cards(position, actions, luck)
    for name, value in fields.items():
        setattr(position, name, value)
    position.agenda = [TRICK]
    table = BoardTable(rules, position)
    go_on(rules, position, table.chance)
    table.events, position.news = list(position.news), []
    return table


def deal_cards(position: BoardPosition, *held: tuple[tuple[str, ...], ...]) -> None:
    """Give the named action and luck cards to the seats in order."""
    for field, pile, hands in zip(("actions", "luck"), ("action_deck", "luck_piles"), held, strict=True):
        for seat, names in enumerate(hands):
            getattr(position, field)[seat] = list(names)
        left = Counter(getattr(position, pile)) - Counter(name for names in hands for name in names)
        setattr(position, pile, sorted(left.elements()))


def assert_conserved(rules: Any, position: Position) -> None:
    """Every tile and every card is in exactly one place."""
    for family in ("numbers", "actions", "luck"):
        places = Counter(
            card for zone in rules.zones if zone.family == family for card in zone.cards(position)
        )
        assert places == Counter(rules.universe(family)), family

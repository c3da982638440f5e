"""What all four board games share: tiles on a board, a score track, and cards played before a tile."""

from itertools import combinations
from typing import Any, ClassVar

from bullpen.engine import (
    PASS,
    PLAY,
    Card,
    Choice,
    Option,
    Played,
    PlayPair,
    Ruleset,
    Seat,
    UseSpecial,
    ranked,
    step,
)
from bullpen.engine.events import GameEnded, Moved, Placed, RoundEnded, Scored, Took
from bullpen.rulesets.base import PLACE_NEXT, Base
from bullpen.rulesets.board_cards import BoardCard
from bullpen.rulesets.board_check import TRACK_END, load_with_text
from bullpen.rulesets.board_data import OWN, Rows
from bullpen.rulesets.board_events import LuckDrawn, StopsRemoved
from bullpen.rulesets.board_luck import LuckCard
from bullpen.rulesets.board_position import LUCK, NO_PLAN, ZONES, BoardPosition, Landing, Turn
from bullpen.rulesets.board_spaces import Covered, Double, Space, Take, space_named

DATA = Option("board.data", OWN, "The boards: our own, or a file (its path or its text) with others.")
"""A file's text takes the place of its path, so that a game can be taken up where the file is not (BRD-1)."""

OPEN_WINDOW, PUT_DOWN = step("open_window"), step("put_down")


class Board(Base[BoardPosition]):
    """Tiles go to the row with the nearest lower end; the spaces they cover act on whoever placed them."""

    source = "6 nimmt! Brettspiel (RB)"
    player_range = range(2, 7)
    offers = (DATA,)  # GEN-15: the board has its own end, so no target and no number of rounds
    position_type = BoardPosition
    zones = ZONES
    prompts: ClassVar[dict[str, str]] = {
        "commit": "Choose {0} of your tiles to play.",
        "play_actions": "Play a card for your {0}, or go on.",
        "choose_luck": "You passed a clover: choose a luck card.",
        "choose_two_tiles": "Choose the tiles of row {0} that count plus.",
    }
    hand_size = 12
    start_tiles: ClassVar[int] = 4
    cards: ClassVar[tuple[BoardCard, ...]] = ()
    """The kinds of card in play beside the tiles."""

    def __init__(self, players: int, options: Any = None) -> None:
        super().__init__(players, options)
        source = str(self.options[DATA.key])
        self.data, text = load_with_text(source)
        if source != OWN:
            self.options[DATA.key] = text

    @property
    def layout(self) -> Rows:
        """The side of the board that is played on."""
        raise NotImplementedError

    def space_at(self, row: int, space: int) -> Space:
        """Return the space of a row, counted from 0 (-1: the last one)."""
        return space_named(self.layout[row][space])

    def universe(self, family: str) -> list[Any]:
        """The tiles, or all cards of a family that is in play."""
        if family not in ("actions", LUCK):
            return self.deck()
        kinds = sorted(card.name for card in self.cards if card.family == family)
        return [name for name in kinds for _ in range(self.data.counts[name])]

    def deck(self) -> list[Card]:
        """The tiles 1 to 100."""
        return list(range(1, 101))

    # Set-up.

    def clear_table(self, position: BoardPosition) -> None:
        """The board is empty, and the luck cards lie open beside it."""
        super().clear_table(position)
        position.rows = [[] for _ in self.layout]
        position.spaces = tuple(() for _ in self.layout)
        position.actions, position.luck = ([[] for _ in range(self.players)] for _ in range(2))
        position.action_deck = self.universe("actions")
        position.luck_piles = self.universe(LUCK)
        position.board, position.oxen, position.clovers = self.layout, self.data.oxen, self.data.clovers

    def deal_hands(self, position: BoardPosition, size: int) -> None:
        """Deal a hand and count it."""
        super().deal_hands(position, size)
        position.deals += 1

    # Choosing tiles.

    def ask_for_cards(self, position: BoardPosition) -> None:
        """Whether two tiles are due is looked at once, before anybody chooses (BRD-12)."""
        due = 2 if self.two_tiles_due(position) else 1
        for seat in range(self.players):
            # BRD-13, EXP-28: whoever has one tile left plays that one.
            self.ask(position, "commit", seat, about=(min(due, len(position.hands[seat])),))

    def two_tiles_due(self, position: BoardPosition) -> bool:
        """Some active row shows a two-tile symbol: only a tile covers one, and empty rows are silent.

        Symbols of a cleared row count again once it is active (BRD-19); a skipped one stays visible (EXP-13).
        """
        return any(
            isinstance(self.space_at(row, space), Double) and space not in position.spaces[row]
            for row in position.active
            for space in range(len(self.layout[row]))
        )

    def options_commit(self, position: BoardPosition, seat: Seat, due: int = 1) -> tuple[Choice, ...]:
        """Any tile, or any two tiles, from behind the screen."""
        hand = position.hands[seat]
        if due == 2:
            return tuple(PlayPair(low, high) for low, high in combinations(hand, 2))
        return tuple(PLAY[tile] for tile in hand)

    def leave_hand(self, position: BoardPosition, seat: Seat, choice: Any) -> list[Played]:
        """All tiles of a trick are one ascending sequence, whoever played how many (BRD-14)."""
        tiles = (choice.low, choice.high) if isinstance(choice, PlayPair) else (choice.card,)
        return [self.from_hand(position, seat, tile) for tile in tiles]

    # Before a tile is placed.

    def place_next(self, position: BoardPosition) -> None:
        """Each tile is placed completely, with all that its space brings about, before the next one."""
        if position.table:
            position.plan = NO_PLAN
            position.next(OPEN_WINDOW, PUT_DOWN, PLACE_NEXT)

    def open_window(self, position: BoardPosition) -> None:
        """Whoever holds cards may play some now, before the tile lies: one gained later is too late (LUCK-13)."""
        played = position.table[0]
        if position.actions[played.seat] or position.luck[played.seat]:
            position.next(step("close_window", played.seat))
            self.ask(position, "play_actions", played.seat, about=(played.card,))

    def options_play_actions(self, position: BoardPosition, seat: Seat, tile: Card) -> tuple[Choice, ...]:
        """Go on, or any card in any way that leaves the tile a space to go to (EXP-7)."""
        held = {*position.actions[seat], *position.luck[seat]}
        ways = [
            UseSpecial(card.name, targets)
            for card in self.cards
            if card.name in held
            for targets, turn in card.ways(position, seat, position.turn)
            if self.landing(position, turn) is not None
        ]
        return (PASS, *ways)

    def close_window(self, position: BoardPosition, seat: Seat) -> None:
        """Play the chosen card and ask again, until the owner goes on."""
        choice = self.answer(position)
        if isinstance(choice, UseSpecial):
            self.card_named(choice.name).play(self, position, seat, choice.targets)
            position.next(OPEN_WINDOW)

    def card_named(self, name: str) -> BoardCard:
        """Return the card in play that has this name."""
        return next(card for card in self.cards if card.name == name)

    # Where a tile goes.

    def row_for(self, position: BoardPosition, value: int) -> int:
        """The row with the nearest lower end; if all are higher, the row with the highest end.

        A tile that is too low takes nothing for that, and its owner has no choice (BRD-4). Stopped rows are
        closed in both cases (EXP-9).
        """
        ends = {position.rows[row][-1]: row for row in position.active if row not in position.stops}
        lower = [end for end in ends if end < value]
        return ends[max(lower or ends)]

    def landing(self, position: BoardPosition, turn: Turn) -> Landing | None:
        """Where the tile of a turn goes, or None if the cards played for it leave it nowhere to go."""
        landing = self.landing_at_start(position, turn) or self.landing_at_end(position, turn)
        luck = turn.plan.luck
        if landing is None or (luck and not self.card_named(luck).admits(landing)):
            return None
        return landing

    def landing_at_end(self, position: BoardPosition, turn: Turn) -> Landing | None:
        """The first free space right of the row's last tile, or as many further as there are Skips."""
        row = turn.plan.ascending
        if turn.plan.at_start is not None:
            return None
        if row is None:
            row = self.row_for_turn(position, turn)
        elif row in turn.stops or position.rows[row][-1] > turn.tile:
            return None
        space = position.spaces[row][-1] + 1 + turn.plan.skips
        last = len(self.layout[row]) - 1
        # EXP-12: the last space may be landed on, never skipped.
        return Landing(row, space, space == last) if space <= last else None

    def landing_at_start(self, position: BoardPosition, turn: Turn) -> Landing | None:
        """The first gap of the row, into which its tiles slide (EXP-14)."""
        row = turn.plan.at_start
        if row is None or row in turn.stops or position.rows[row][0] < turn.tile:
            return None
        covered = position.spaces[row]
        gap = next(space for space in range(len(covered) + 1) if space not in covered)
        return Landing(row, gap, gap == len(self.layout[row]) - 1)

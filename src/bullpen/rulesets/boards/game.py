"""What the board games have beside the board: data, a score track, and cards played before a tile.

The games say which cards are in play; where there are none, nobody is ever asked about any.
"""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, ClassVar

from bullpen.engine import (
    PASS,
    Card,
    Choice,
    Option,
    OptionValue,
    Question,
    Ruleset,
    Seat,
    UseSpecial,
    ranked,
    step,
)
from bullpen.engine.events import GameEnded, RoundEnded, Scored
from bullpen.rulesets.base import PLACE_NEXT, Base
from bullpen.rulesets.boards.cards import BoardCard
from bullpen.rulesets.boards.check import TRACK_END, load_with_text
from bullpen.rulesets.boards.data import OWN, Rows
from bullpen.rulesets.boards.events import LuckDrawn
from bullpen.rulesets.boards.furniture import furnished
from bullpen.rulesets.boards.position import ACTIONS, LUCK, NO_PLAN, ZONES, BoardPosition, Landing, Turn
from bullpen.rulesets.boards.spaces import Space, space_named

DATA = Option(
    "board.data", OWN, "The boards: our own, or others from a file (its path or its text).", file=True
)

OPEN_WINDOW, PUT_DOWN = step("open_window"), step("put_down")


class Board(Base[BoardPosition]):
    """The frame of a board game; how tiles go onto the board is for its children to say."""

    source = "6 nimmt! Brettspiel (RB)"
    player_range = range(2, 7)
    # GEN-15: the board has its own end, so neither a target nor rounds can be agreed on.
    offers: ClassVar[tuple[Option, ...]] = (DATA,)
    position_type = BoardPosition
    ascending = False
    zones = ZONES
    open_fields = frozenset({"board", "clovers", "oxen", "plans", "spaces", "stops"})
    questions: ClassVar[dict[str, Question]] = {
        "commit": Question("Choose {0} of your tiles to play.", secret=True)
    }
    furniture = furnished()
    alone: ClassVar[dict[str, str]] = {"open_window": "drop_lost_plan"}
    hand_size = 12
    cards: ClassVar[tuple[BoardCard, ...]] = ()
    """The kinds of card in play beside the tiles."""

    def __init__(self, players: int, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(players, options)
        source = str(self.options[DATA.key])
        self.data, text = load_with_text(source)
        # BRD-1: a file may change or be elsewhere, so a game carries what was in it.
        self.options[DATA.key] = OWN if source == OWN else text

    @property
    def layout(self) -> Rows:
        """The side of the board that is played on, row by row."""
        raise NotImplementedError

    def space_at(self, row: int, space: int) -> Space:
        """Return a space of a row, both counted from 0 (-1 is the last one)."""
        return space_named(self.layout[row][space])

    def oxen(self, *tiles: Card) -> int:
        """Return the oxen on these tiles, which are not the bullheads of the cards (BRD-3)."""
        return sum(self.data.oxen[tile] for tile in tiles)

    # Set-up.

    def deck(self) -> list[Card]:
        """The tiles 1 to 100."""
        return list(range(1, 101))

    def universe(self, family: str) -> list[Any]:
        """The tiles, or the cards of a family, as many as the data say (LUCK-1, EXP-1)."""
        if family not in (ACTIONS, LUCK):
            return self.deck()
        kinds = sorted(card.name for card in self.cards if card.family == family)
        return [name for name in kinds for _ in range(self.data.counts[name])]

    def clear_table(self, position: BoardPosition) -> None:
        """The board is empty, and the cards lie beside it."""
        super().clear_table(position)
        position.rows = [[] for _ in self.layout]  # BRD-2: as many as the board has
        position.spaces = tuple(() for _ in self.layout)
        position.actions = [[] for _ in range(self.players)]
        position.luck = [[] for _ in range(self.players)]
        position.action_deck, position.luck_piles = self.universe(ACTIONS), self.universe(LUCK)
        position.board, position.oxen, position.clovers = self.layout, self.data.oxen, self.data.clovers

    # Before a tile is placed: cards.

    def place_next(self, position: BoardPosition) -> None:
        """Each tile is placed with all that its space brings about before the next one is looked at."""
        if position.table:
            position.next(OPEN_WINDOW, PUT_DOWN, PLACE_NEXT)

    def open_window(self, position: BoardPosition) -> None:
        """Whoever holds cards may play some before the tile lies; what it brings comes too late (LUCK-13).

        The number of cards alone decides whether there is a question, since action cards are hidden.
        """
        self.drop_lost_plan(position)
        played = position.table[0]
        actions, luck = position.actions[played.seat], position.luck[played.seat]
        if actions or luck:
            position.next(step("close_window", played.seat))
            self.ask(position, "play_actions" if actions else "play_luck", played.seat, about=(played.card,))

    def drop_lost_plan(self, position: BoardPosition) -> None:
        """A plan that cannot be kept lapses (EXP-25): all of the window that a preview is about."""
        turn = position.turn
        if self.landing(position, turn) is None:
            # Another tile came first and changed the rows.
            position.plan_for(turn.tile, NO_PLAN)

    def rows_on_table(self, position: BoardPosition) -> int:
        """As many as the board has."""
        return len(self.layout)

    def table_size(self) -> tuple[int, int]:
        """As many rows as are printed, the longest with a tile on each of its spaces."""
        return len(self.layout), max(map(len, self.layout))

    def row_limits(self, position: BoardPosition) -> None:
        """Spaces take rows here, not the number of tiles."""
        return

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

    def options_play_luck(self, position: BoardPosition, seat: Seat, tile: Card) -> tuple[Choice, ...]:
        """The same, asked openly of somebody who holds luck cards alone."""
        return self.options_play_actions(position, seat, tile)

    def close_window(self, position: BoardPosition, seat: Seat) -> None:
        """Play the chosen card and ask again, until the owner goes on."""
        choice = self.answer(position)
        if isinstance(choice, UseSpecial):
            self.card_named(choice.name).play(self, position, seat, choice.targets)
            position.next(OPEN_WINDOW)

    def card_named(self, name: str) -> BoardCard:
        """Return the card in play that has this name."""
        return next(card for card in self.cards if card.name == name)

    def landing(self, position: BoardPosition, turn: Turn) -> Landing | None:
        """Where the tile of a turn goes, or None if the cards played for it leave it nowhere to go."""
        raise NotImplementedError

    def to_screen(self, position: BoardPosition, seat: Seat, tiles: list[Card]) -> None:
        """Put tiles behind a screen before everybody's eyes, to be played from now on (EXP-23)."""
        position.hands[seat] = sorted([*position.hands[seat], *tiles])
        position.known[seat] += tiles

    # The score track.

    def score(self, position: BoardPosition, seat: Seat, change: int, why: str) -> None:
        """Move the counter at once; what goes beyond the end of the track is forgotten (BRD-11).

        The score is signed, and the highest wins (GEN-16).
        """
        before = position.scores[seat]
        after = self.on_track(before + change)
        position.scores[seat] = after
        position.happened(Scored(seat, change, after, why))
        # LUCK-3: clovers landed on or passed on the way down; LUCK-4: not those beyond the end of the track.
        # LUCK-2: where they are is for the data to say.
        passed = sum(after <= clover < before for clover in self.data.clovers)
        if passed:
            position.next(step("gain_luck", seat, passed))

    def on_track(self, points: int) -> int:
        """Return the nearest place on the track."""
        return max(-TRACK_END, min(TRACK_END, points))

    def gain_luck(self, position: BoardPosition, seat: Seat, clovers: int) -> None:
        """A luck card for each clover, as long as there are any; no claim is kept (LUCK-6)."""
        if clovers and position.luck_piles:
            position.next(step("draw_luck", seat), step("gain_luck", seat, clovers - 1))
            self.ask(position, "choose_luck", seat)

    def options_choose_luck(self, position: BoardPosition, seat: Seat) -> tuple[Choice, ...]:
        """Either pile that has cards (LUCK-6)."""
        return tuple(UseSpecial(name) for name in sorted(set(position.luck_piles)))

    def draw_luck(self, position: BoardPosition, seat: Seat) -> None:
        """Take the chosen card, for everybody to see (LUCK-12)."""
        choice = self.answer(position)
        assert isinstance(choice, UseSpecial)
        position.luck_piles.remove(choice.name)
        position.luck[seat] = sorted([*position.luck[seat], choice.name])
        position.happened(LuckDrawn(seat, choice.name))

    def choose_plus(self, position: BoardPosition, seat: Seat, row: int, played: Card) -> None:
        """Positive ox: two tiles of the row count plus, chosen now."""
        position.next(step("take_with_luck", seat, row, played))
        self.ask(position, "choose_two_tiles", seat, about=(row + 1, played))

    def options_choose_two_tiles(
        self, position: BoardPosition, seat: Seat, row: int, played: Card
    ) -> tuple[Choice, ...]:
        """Any two of the row's other tiles, or as many as there are (LUCK-9)."""
        others = sorted(tile for tile in position.rows[row - 1] if tile != played)
        return tuple(UseSpecial("positive-ox", two) for two in combinations(others, min(2, len(others))))

    def take_with_luck(self, position: BoardPosition, seat: Seat, row: int, played: Card) -> None:
        """Take the row with two tiles counting plus."""
        choice = self.answer(position)
        assert isinstance(choice, UseSpecial)
        position.next(step("take_row", seat, row, played, *choice.targets))

    # The end.

    def score_round(self, position: BoardPosition) -> None:
        """There is one deal; its scores are the result."""
        self.final_count(position)
        totals = tuple(position.scores)
        position.score_sheet.append(totals)
        position.happened(RoundEnded(position.round, totals, totals))
        self.finish(position, self.why_over(position))

    def final_count(self, position: BoardPosition) -> None:
        """Whatever is counted at the end; luck cards are worth nothing (LUCK-12)."""

    def why_over(self, position: BoardPosition) -> str:
        """Why the game has ended."""
        raise NotImplementedError

    def finish(self, position: BoardPosition, reason: str) -> None:
        """The highest score wins, equal ones share (GEN-12, GEN-16)."""
        position.result = ranked(position.scores, reason, lowest_wins=False)
        position.happened(GameEnded(position.result))

    def hide(self, position: BoardPosition, seat: Seat | None) -> None:
        """Tiles and action cards are hidden from others, piles from everybody; there are no bull piles."""
        Ruleset.hide(self, position, seat)

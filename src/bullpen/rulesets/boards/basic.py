"""The board game: tiles on a board whose spaces give and take points."""

from itertools import combinations
from typing import Any

from bullpen.engine import PLAY, Card, Choice, Played, PlayPair, Seat, Step, step
from bullpen.engine.events import Moved, Placed, ReturnedToHand, RowsStarted, Took
from bullpen.rulesets.boards.data import Rows
from bullpen.rulesets.boards.events import StopsRemoved
from bullpen.rulesets.boards.game import Board
from bullpen.rulesets.boards.luck import LuckCard
from bullpen.rulesets.boards.position import NO_PLAN, BoardPosition, Landing, Turn
from bullpen.rulesets.boards.spaces import Covered, Double, Take


class BoardBasic(Board):
    """Four active rows, twelve tiles each, and the last space of a row takes it."""

    id = "board-basic"
    number = 17
    behaviour = 2
    name = "Board game: basic"
    summary = (
        "Tiles on a board: spaces give and take points, the last one takes the row; the highest score wins."
    )

    @property
    def layout(self) -> Rows:
        """The side with the blue ox."""
        return self.data.basic

    # Set-up.

    def start_rows(self, position: BoardPosition) -> None:
        """A tile on the first space of each start row; these trigger nothing (BRD-16)."""
        for row in self.first_rows():
            position.lay_out(row, [position.deck.pop(0)], (0,))
        position.happened(RowsStarted(tuple(tuple(row) for row in position.rows)))

    def first_rows(self) -> range:
        """The top four rows."""
        return range(4)

    def deal_hands(self, position: BoardPosition, size: int) -> None:
        """Deal twelve tiles to each seat and keep count of how often."""
        super().deal_hands(position, size)
        position.deals += 1

    def play_trick(self, position: BoardPosition) -> None:
        """With two or three players everybody gets a second hand."""
        if not any(position.hands) and position.deals < self.hands_each():
            # BRD-15: before the next choice.
            self.deal_hands(position, self.hand_size)
        super().play_trick(position)

    def hands_each(self) -> int:
        """Two hands with two or three players, one with more."""
        return 2 if self.players <= 3 else 1

    # Choosing tiles.

    def ask_for_cards(self, position: BoardPosition) -> None:
        """Whether two tiles are due is looked at once, before anybody chooses (BRD-12)."""
        due = 2 if self.two_tiles_due(position) else 1
        for seat in range(self.players):
            # BRD-13, EXP-28: whoever has one tile left plays that one.
            self.ask(position, "commit", seat, about=(min(due, len(position.hands[seat])),))

    def two_tiles_due(self, position: BoardPosition) -> bool:
        """Whether an active row shows a two-tile symbol.

        A row cleared and started again shows its symbols anew (BRD-19); a skipped one stays visible (EXP-13).
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
        """All tiles of a trick form one ascending sequence, whoever played two (BRD-14)."""
        tiles = (choice.low, choice.high) if isinstance(choice, PlayPair) else (choice.card,)
        return [self.from_hand(position, seat, tile) for tile in tiles]

    # Where a tile goes.

    def row_for(self, position: BoardPosition, value: int, *stops: int) -> int:
        """The row with the nearest lower end; for a tile below all ends the row with the highest end.

        Nobody takes a row or chooses one for a low tile (BRD-4); stopped rows do not count (EXP-9).
        """
        ends = {position.rows[row][-1]: row for row in position.active if row not in stops}
        lower = [end for end in ends if end < value]
        return ends[max(lower or ends)]

    def landing(self, position: BoardPosition, turn: Turn) -> Landing | None:
        """Where the tile goes: to the end of its row, unless a card sends it to the start of one."""
        if turn.plan.at_start is not None:
            landing = self.at_start(position, turn, turn.plan.at_start)
        else:
            landing = self.at_end(position, turn)
        luck = turn.plan.luck
        if landing is None or (luck and not self.card_named(luck).admits(landing)):
            return None
        return landing

    def at_end(self, position: BoardPosition, turn: Turn) -> Landing | None:
        """The first free space right of the row's last tile, and one further for each Skip (EXP-12).

        The last space may be landed on, never skipped. A row chosen with Place in ascending order must be
        open and end lower than the tile (EXP-17).
        """
        row = turn.plan.ascending
        if row is None:
            row = self.row_for(position, turn.tile, *turn.stops)
        elif row in turn.stops or not position.rows[row] or position.rows[row][-1] > turn.tile:
            return None
        space = position.spaces[row][-1] + 1 + turn.plan.skips
        last = len(self.layout[row]) - 1
        return Landing(row, space, space == last) if space <= last else None

    def at_start(self, position: BoardPosition, turn: Turn, row: int) -> Landing | None:
        """The first gap of an open row that starts higher: the tiles before it slide there (EXP-14)."""
        if row in turn.stops or not position.rows[row] or position.rows[row][0] < turn.tile:
            return None
        covered = position.spaces[row]
        gap = next(space for space in range(len(covered) + 1) if space not in covered)
        return Landing(row, gap, gap == len(self.layout[row]) - 1)

    # Placing a tile.

    def put_down(self, position: BoardPosition) -> None:
        """Lay the tile down; the space that is newly covered acts at once."""
        turn = position.turn
        landing = self.landing(position, turn)
        assert landing is not None
        played = position.table.pop(0)
        position.plan_for(played.card, NO_PLAN)
        if turn.plan.at_start is None:
            self.append(position, played, landing)
        else:
            self.slide_in(position, played, landing)
        # EXP-16: the oxen that count are those of the tile on the space, which may have slid there.
        tile = position.rows[landing.row][position.spaces[landing.row].index(landing.space)]
        covered = Covered(played.seat, landing.row, played.card, self.oxen(tile))
        position.next(*self.effect(covered, landing.space, turn.plan.luck))

    def append(self, position: BoardPosition, played: Played, landing: Landing) -> None:
        """Put the tile behind the last one of its row."""
        row = landing.row
        position.lay_out(row, [*position.rows[row], played.card], (*position.spaces[row], landing.space))
        position.happened(Placed(played.seat, played.card, row, landing.space))

    def slide_in(self, position: BoardPosition, played: Played, landing: Landing) -> None:
        """Slide the tiles before the first gap one space to the right, and put the tile first (EXP-14)."""
        row, gap = landing.row, landing.space
        tiles, spaces = position.rows[row], position.spaces[row]
        for space in reversed(range(gap)):
            position.happened(Moved(played.seat, tiles[space], row, row, space + 1))
        position.lay_out(row, [played.card, *tiles], (*range(gap + 1), *spaces[gap:]))
        position.happened(Placed(played.seat, played.card, row, 0))

    def effect(self, covered: Covered, space: int, luck: str) -> tuple[Step, ...]:
        """What the covered space brings about, or what a luck card makes of it."""
        card = self.card_named(luck) if luck else None
        if isinstance(card, LuckCard):
            return card.steps(covered)
        return self.space_at(covered.row, space).steps(covered)

    # Taking a row.

    def take_row(self, position: BoardPosition, seat: Seat, row: int, played: Card, *plus: Card) -> None:
        """Take all tiles of the row but the one played, wherever in the row that lies (BRD-6, EXP-15)."""
        take = self.space_at(row, -1)  # BRD-5
        assert isinstance(take, Take)
        if position.stops:
            # EXP-10: with either kind of take, before the new row is started.
            position.happened(StopsRemoved(position.stops))
            position.stops = ()
        others = [tile for tile in position.rows[row] if tile != played]
        position.lay_out(row, [played], (position.spaces[row][position.rows[row].index(played)],))
        position.happened(Took(seat, row, tuple(others), self.oxen(*others), take.name))
        position.next(step("start_row", seat, row, played))
        if take.to_screen:
            self.to_screen(position, seat, others)
            position.happened(ReturnedToHand(seat, tuple(others)))
        else:
            position.aside += others
        points = take.balance(self.oxen(*others), self.oxen(*plus))
        if points:
            self.score(position, seat, points, take.name)

    def start_row(self, position: BoardPosition, seat: Seat, row: int, played: Card) -> None:
        """The tile starts the next empty row below, failing that the topmost empty one (BRD-8).

        The row just taken is empty too, but counts only in the search from the top. Some row is always
        empty, because four are active (BRD-9).
        """
        empty = [index for index, tiles in enumerate(position.rows) if not tiles or index == row]
        below = [index for index in empty if index > row]
        self.start_with(position, seat, row, played, (below or empty)[0])

    def start_with(self, position: BoardPosition, seat: Seat, row: int, played: Card, target: int) -> None:
        """Move the tile to the first space of its new row; that space acts as well (BRD-7, EXP-4).

        It is never a take, so nothing chains; and the tile has been placed, so no card helps (EXP-27).
        """
        position.lay_out(row, [], ())
        position.lay_out(target, [played], (0,))
        position.happened(Moved(seat, played, row, target, 0))
        position.next(*self.effect(Covered(seat, target, played, self.oxen(played)), 0, ""))

    def why_over(self, position: BoardPosition) -> str:
        """All tiles have been played."""
        return "all tiles were placed"

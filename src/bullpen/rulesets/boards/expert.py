"""The expert board game: rows that go behind the screen, and action cards that bend the rules of placing."""

from typing import ClassVar

from bullpen.engine import ROWS, Card, Choice, Event, Option, Question, Seat, StartRow, shuffle, step
from bullpen.engine.events import Dealt, Scored, SpecialsDrawn
from bullpen.rulesets.boards.actions import ACTION_CARDS
from bullpen.rulesets.boards.basic import BoardBasic
from bullpen.rulesets.boards.cards import BoardCard
from bullpen.rulesets.boards.data import Rows
from bullpen.rulesets.boards.events import ActionsShuffled, StopsRemoved
from bullpen.rulesets.boards.furniture import action_questions, furnished
from bullpen.rulesets.boards.game import DATA, Board
from bullpen.rulesets.boards.position import ACTIONS, BoardPosition

MAX_TRICKS = Option("expert.maxTricks", 60, "After so many tricks the game is stopped and scored.", least=1)


class BoardExpert(BoardBasic):
    """The other side of the board, a free choice of the next row, and two action cards each to begin with."""

    id = "board-expert"
    number = 19
    name = "Board game: expert"
    summary = "The other side of the board: rows taken into the hand, and action cards that bend the rules."
    offers = (DATA, MAX_TRICKS)
    questions: ClassVar[dict[str, Question]] = {
        **Board.questions,
        "choose_empty_row": Question("Choose an empty row for your {0}.", (ROWS,), "start"),
        **action_questions(ACTIONS),
    }
    own_events: ClassVar[tuple[type[Event], ...]] = (StopsRemoved, ActionsShuffled)
    furniture = furnished(*ACTION_CARDS)
    cards: ClassVar[tuple[BoardCard, ...]] = ACTION_CARDS
    action_hand: ClassVar[int] = 2

    @property
    def layout(self) -> Rows:
        """The side with the red ox."""
        return self.data.expert

    # Set-up.

    def play_round(self, position: BoardPosition) -> None:
        """Shuffle the action cards as well."""
        super().play_round(position)
        position.next(shuffle("action_deck"))

    def deal(self, position: BoardPosition) -> None:
        """Two action cards for everybody; all tiles left over are a draw pile."""
        super().deal(position)
        for seat in range(self.players):
            for _ in range(self.action_hand):
                self.draw_action(position, seat)

    def first_rows(self) -> range:
        """The top four rows with two or three players, the bottom four with more (EXP-2)."""
        rows = len(self.layout)
        return range(4) if self.players <= 3 else range(rows - 4, rows)

    # The new spaces.

    def draw_tile(self, position: BoardPosition, seat: Seat) -> None:
        """Draw a tile behind the screen, if there is one left (EXP-5)."""
        if position.deck:
            tile = position.deck.pop(0)
            position.hands[seat] = sorted([*position.hands[seat], tile])
            position.happened(Dealt(seat, (tile,)))

    def draw_action(self, position: BoardPosition, seat: Seat) -> None:
        """Draw an action card; an empty pile is made anew from the discards."""
        if position.action_deck:
            card = position.action_deck.pop(0)
            position.actions[seat] = sorted([*position.actions[seat], card])
            position.happened(SpecialsDrawn(seat, (card,)))
        elif position.action_discard:
            # EXP-6: without discards there is nothing to draw.
            position.action_deck, position.action_discard = position.action_discard, []
            position.happened(ActionsShuffled(len(position.action_deck)))
            position.next(shuffle("action_deck"), step("draw_action", seat))

    def start_row(self, position: BoardPosition, seat: Seat, row: int, played: Card) -> None:
        """The taker chooses where to start."""
        position.next(step("row_chosen", seat, row, played))
        self.ask(position, "choose_empty_row", seat, about=(played,))

    def options_choose_empty_row(
        self, position: BoardPosition, seat: Seat, played: Card
    ) -> tuple[Choice, ...]:
        """Any empty row but the one just taken, where the tile still lies (EXP-3)."""
        return tuple(StartRow(row) for row, tiles in enumerate(position.rows) if not tiles)

    def row_chosen(self, position: BoardPosition, seat: Seat, row: int, played: Card) -> None:
        """The tile starts the chosen row."""
        choice = self.answer(position)
        assert isinstance(choice, StartRow)
        self.start_with(position, seat, row, played, choice.row)

    # The end.

    def hands_each(self) -> int:
        """There is no second hand, whatever the number of players (EXP-22)."""
        return 1

    def round_over(self, position: BoardPosition) -> bool:
        """After a trick somebody has no tile; whoever drew or took some in time has (EXP-19).

        Nothing forces that to happen, so there is a limit (EXP-21).
        """
        return not all(position.hands) or position.trick >= int(self.options[MAX_TRICKS.key])

    def why_over(self, position: BoardPosition) -> str:
        """Which of the two it was."""
        return f"{position.trick} tricks were played" if all(position.hands) else "somebody has no tile left"

    def final_count(self, position: BoardPosition) -> None:
        """Minus the oxen of tiles left, then one for each action card, both cut at the track's end (EXP-20).

        Clovers are not looked at any more (LUCK-12).
        """
        for seat in range(self.players):
            for change in (-self.oxen(*position.hands[seat]), len(position.actions[seat])):
                if change:
                    position.scores[seat] = self.on_track(position.scores[seat] + change)
                    position.happened(Scored(seat, change, position.scores[seat], "final count"))

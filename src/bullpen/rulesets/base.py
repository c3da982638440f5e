"""The base game: ten cards each, four rows, and whoever lays the sixth card takes five.

All other card games of the family are told as what they change here.
"""

from operator import attrgetter
from typing import Any, ClassVar

from bullpen.engine import (
    NOBODY,
    OWNER,
    PLAY,
    ROWS,
    TAKE,
    YES_NO,
    Card,
    Choice,
    Instead,
    Option,
    P,
    Played,
    Position,
    Question,
    Ruleset,
    Seat,
    TakeRow,
    Trick,
    Zone,
    ranked,
    shuffle,
    step,
)
from bullpen.engine.events import (
    Dealt,
    GameEnded,
    Placed,
    Revealed,
    RoundEnded,
    RoundStarted,
    RowsStarted,
    Took,
    TrickStarted,
)
from bullpen.engine.ruleset import face_down

END = (
    # BASE-9: a target or a number of rounds, never both; BASE-10: from 1 up.
    Option("end.kind", "target", "Play to a target score or a fixed number of rounds.", ("target", "rounds")),
    Option(
        "end.value", 66, "The target score, or how many rounds are played.", least=1,
        instead=Instead("end.kind", "rounds", 4),
    ),
)  # fmt: skip
PILES = Option(
    "show.bullPiles", "own", "Whose bull piles may be looked into: one's own, nobody's or all.",
    ("own", "counts", "all"),
)  # fmt: skip

PLAY_ROUND, DEAL, TRICK = step("play_round"), step("deal"), step("play_trick")
REVEAL, PLACE_NEXT, TAKE_CHOSEN = step("reveal"), step("place_next"), step("take_chosen")
SCORE_ROUND, SHUFFLE = step("score_round"), shuffle("deck")

MOST_IN_A_ROW = 12
"""No row of the family is as long as this."""

__all__ = ["END", "PILES", "YES_NO", "Base"]


class Base(Ruleset[P]):
    """Lowest card first, each to the row with the nearest lower end; the sixth card takes the row."""

    id = "base"
    number = 1
    name = "Base game"
    source = "All rulebooks of the card games (R30, R94, R25, R6)"
    summary = "Play a card at the same time as everybody else; whoever lays the sixth of a row takes it."
    player_range = range(2, 11)
    offers: ClassVar[tuple[Option, ...]] = (*END, PILES)
    position_type: ClassVar[type[Any]] = Position
    zones: ClassVar[tuple[Zone, ...]] = (
        Zone("hands", OWNER),
        Zone("deck", NOBODY),  # GEN-8: undealt cards are shown to nobody
        Zone("rows"),
        Zone("piles"),
        Zone("table"),
        Zone("aside"),
    )
    questions: ClassVar[dict[str, Question]] = {
        "commit": Question("Choose a card from your hand.", secret=True),
        "choose_row": Question("Your {0} fits no row: choose a row to take.", (ROWS,), "take"),
    }

    row_count: ClassVar[int] = 4
    row_limit: ClassVar[int] = 5
    hand_size: ClassVar[int] = 10
    ascending: ClassVar[bool] = True
    """Whether the numbers in a row only ever go up."""
    order: ClassVar[Any] = attrgetter("value")
    """What the cards of a trick are sorted by: the lowest number is placed first."""

    # The deck and the deal.

    def deck(self) -> list[Card]:
        """The cards of a round: 1 to 104, one each (BASE-13: number cards only)."""
        return list(range(1, 105))

    def universe(self, family: str) -> list[Any]:
        """Every number card of the round."""
        return self.deck()

    def start(self, position: P) -> None:
        """Nobody has a score and the first round begins."""
        position.scores = [0] * self.players
        position.next(PLAY_ROUND)

    def play_round(self, position: P) -> None:
        """Gather the cards, shuffle, deal, and play until the hands are empty."""
        self.clear_table(position)
        position.round += 1
        position.happened(RoundStarted(position.round))
        position.next(SHUFFLE, DEAL, TRICK)

    def clear_table(self, position: P) -> None:
        """Put every card back into the deck."""
        seats = range(self.players)
        position.deck = self.deck()
        position.rows = [[] for _ in range(self.row_count)]
        position.hands = [[] for _ in seats]
        position.piles = [[] for _ in seats]
        position.known = [[] for _ in seats]
        position.aside = []
        position.past = []
        position.points = [0] * self.players
        position.trick = 0

    def deal(self, position: P) -> None:
        """Deal the hands, then turn up a card for each row; ten players use the deck up (BASE-6)."""
        self.deal_hands(position, self.hand_size)
        self.start_rows(position)

    def deal_hands(self, position: P, size: int) -> None:
        """Deal that many cards to each seat from the top of the deck."""
        for seat in range(self.players):
            hand = sorted(position.deck[seat * size : (seat + 1) * size])
            position.hands[seat] = hand
            position.happened(Dealt(seat, tuple(hand)))
        del position.deck[: self.players * size]

    def start_rows(self, position: P) -> None:
        """The next cards start the rows as they are turned up, the first at the top (BASE-8)."""
        position.rows = [[card] for card in position.deck[: self.row_count]]
        del position.deck[: self.row_count]
        position.happened(RowsStarted(tuple(tuple(row) for row in position.rows)))

    # A trick: commit, reveal, place.

    def play_trick(self, position: P) -> None:
        """Everybody chooses a card in secret; a round has as many tricks as a hand has cards (BASE-3)."""
        if self.round_over(position):
            position.next(SCORE_ROUND)
            return
        position.trick += 1
        position.happened(TrickStarted(position.trick))
        position.next(REVEAL, PLACE_NEXT, TRICK)
        self.ask_for_cards(position)

    def resume(self, position: P) -> None:
        """Go on from cards that were laid out by hand: with those on the table, or with a new trick."""
        position.next(PLACE_NEXT, TRICK)

    def round_over(self, position: P) -> bool:
        """The round ends when the hands are empty."""
        return not any(position.hands)

    def ask_for_cards(self, position: P) -> None:
        """Ask every seat at the same time."""
        self.ask_everybody(position, "commit")

    def options_commit(self, position: P, seat: Seat) -> tuple[Choice, ...]:
        """Any card of the hand."""
        return tuple([PLAY[card] for card in position.hands[seat]])

    def reveal(self, position: P) -> None:
        """Turn all chosen cards up together, to be placed lowest first."""
        plays = []
        for seat, choice in position.answers.items():
            plays += self.leave_hand(position, seat, choice)
        position.table = sorted(plays, key=self.order)
        position.past.append(Trick(tuple(map(tuple, position.rows)), tuple(position.table)))
        position.happened(Revealed(tuple(position.table)))

    def leave_hand(self, position: P, seat: Seat, choice: Any) -> list[Played]:
        """Move a chosen card from the hand to the table."""
        return [self.from_hand(position, seat, choice.card)]

    def from_hand(self, position: P, seat: Seat, card: Card) -> Played:
        """Take a card out of a hand."""
        position.hands[seat].remove(card)
        if card in position.known[seat]:
            position.known[seat].remove(card)
        return Played(card, seat, card)

    # Placing: rules 1 to 4.

    def place_next(self, position: P) -> None:
        """Place the first card on the table completely before the next one is looked at."""
        if not position.table:
            return
        position.agenda.append(PLACE_NEXT)
        played = position.table[0]
        row = self.row_for(position, played.value)
        if row is None:
            self.choose_row(position, played)
        else:
            self.add(position, row)

    def row_for(self, position: P, value: int) -> int | None:
        """The row with the highest end below the card, which is the nearest one; None for a low card."""
        nearest, found = 0, None
        for index, row in enumerate(position.rows):
            if nearest < row[-1] < value:
                nearest, found = row[-1], index
        return found

    def choose_row(self, position: P, played: Played) -> None:
        """A card that fits no row: its owner names a row now, all that was placed being known (GEN-5)."""
        position.next(TAKE_CHOSEN)
        self.ask(position, "choose_row", played.seat, about=(played.card,))

    def options_choose_row(self, position: P, seat: Seat, card: Card) -> tuple[Choice, ...]:
        """Any row, also a full or an expensive one (BASE-5, GEN-2)."""
        return TAKE[: len(position.rows)]

    def take_chosen(self, position: P) -> None:
        """The owner of the low card takes the row of choice."""
        choice = self.answer(position)
        assert isinstance(choice, TakeRow)
        self.take(position, choice.row, "low")

    def add(self, position: P, row: int) -> None:
        """Put the card at the end of its row, or take the row if it is full."""
        if self.is_full(position, row):
            self.take(position, row, "full")
        else:
            self.put(position, row)

    def is_full(self, position: P, row: int) -> bool:
        """A row holds five cards."""
        return len(position.rows[row]) >= self.row_limit

    def row_limits(self, position: P) -> tuple[int, ...] | None:
        """How many cards each row holds, found out with cards that are not there."""
        trial = position.copy()
        return tuple(self.limit_of(trial, row) for row in range(len(trial.rows)))

    def rows_on_table(self, position: P) -> int:
        """How many rows there are."""
        return self.row_count

    def table_size(self) -> tuple[int, int]:
        """Four rows of five cards."""
        return self.row_count, self.row_limit

    def limit_of(self, trial: P, row: int) -> int:
        """How many cards a row holds, in a position that may be spoilt."""
        for count in range(1, MOST_IN_A_ROW):
            trial.rows[row] = list(range(1, count + 1))
            if self.is_full(trial, row):
                return count
        return MOST_IN_A_ROW

    def put(self, position: P, row: int) -> None:
        """Lay the card being placed at the end of a row."""
        played = position.table.pop(0)
        cards = position.rows[row]
        cards.append(played.card)
        position.happened(Placed(played.seat, played.card, row, len(cards) - 1))

    def take(self, position: P, row: int, why: str) -> None:
        """All cards of the row go to the owner's bull pile; the card restarts it in its place (GEN-4)."""
        seat = position.table[0].seat
        self.pick_up(position, row, seat, position.rows[row], why)
        position.rows[row] = []
        self.put(position, row)

    def pick_up(self, position: P, row: int, seat: Seat, cards: list[Card], why: str) -> None:
        """Charge a seat with cards of a row and put them on its bull pile."""
        heads = self.bullheads(cards)
        position.piles[seat] += cards
        position.points[seat] += heads
        position.happened(Took(seat, row, tuple(cards), heads, why))

    # Scoring.

    def score_round(self, position: P) -> None:
        """Write the bullheads down; only then is the end of the game looked at (BASE-4)."""
        points = tuple(position.points)
        position.score_sheet.append(points)
        position.scores = [total + more for total, more in zip(position.scores, points, strict=True)]
        position.happened(RoundEnded(position.round, points, tuple(position.scores)))
        reason = self.game_over(position)
        if reason is None:
            position.next(PLAY_ROUND)
        else:
            self.finish(position, reason)

    def game_over(self, position: P) -> str | None:
        """Why the game ends after this round, or None if it goes on."""
        value = self.options["end.value"]
        assert isinstance(value, int)
        if self.options["end.kind"] == "rounds":
            played = "1 round was" if value == 1 else f"{value} rounds were"
            return f"{played} played" if position.round >= value else None
        return f"somebody reached {value}" if max(position.scores) >= value else None

    def finish(self, position: P, reason: str) -> None:
        """The lowest total wins, equal totals share (GEN-12)."""
        position.result = ranked(position.scores, reason)
        position.happened(GameEnded(position.result))

    # What others see.

    def hide(self, position: P, seat: Seat | None) -> None:
        """Hands are their owners' business, and bull piles lie face down."""
        super().hide(position, seat)
        self.hide_piles(position, seat)

    def hide_piles(self, position: P, seat: Seat | None) -> None:
        """An owner may look into the own pile, unless the table agreed otherwise (GEN-7)."""
        show = self.options[PILES.key]
        for owner, pile in enumerate(position.piles):
            if show == "counts" or (show == "own" and owner != seat):
                position.piles[owner] = face_down(pile)

"""Beat the Buffalo: one team against a buffalo that plays from the top of its pile."""

from bisect import insort
from typing import Any, ClassVar

from bullpen.engine import (
    NOBODY,
    NUMBERS,
    PASS,
    PLAY,
    PLAYED,
    ROW_CARDS,
    ROWS,
    YES_NO,
    Aim,
    Card,
    Choice,
    Furniture,
    Holding,
    Marker,
    Option,
    Pass,
    PlaceFirst,
    PlayCard,
    Played,
    Question,
    Result,
    Scoring,
    Seat,
    SpecialCard,
    TakeRow,
    Team,
    UseSpecial,
    Zone,
    shuffle,
    step,
)
from bullpen.engine.events import (
    Dealt,
    GameEnded,
    Laid,
    MarkerGone,
    Reordered,
    Revealed,
    SpecialsGone,
    SpecialsShown,
    Took,
    Used,
)
from bullpen.engine.ruleset import face_down
from bullpen.rulesets.base import PLACE_NEXT, TRICK, Base
from bullpen.rulesets.buffalo_cards import (
    BUFFALO,
    REPLACE_TIMING,
    SORT_TIMING,
    SPECIALS,
    STOP,
    TAKE_7,
    BuffaloPosition,
)

ANYTIME = Option(
    "buffalo.anytime", False, "Special cards may also be used before each trick, before cards are chosen.",
    YES_NO,
)  # fmt: skip
SHOW_PILE = Option("buffalo.showBuffaloPile", False, "The buffalo's bull pile may be looked into.", YES_NO)

SPECIAL_CARDS = "specials"
TEAM_PILE, BUFFALO_PILE = 0, 1
LIFT = "lift"


class Buffalo(Base[BuffaloPosition]):
    """The base game as a team: special cards help to leave the bullheads to the buffalo (R30)."""

    id = "buffalo"
    number = 15
    behaviour = 2
    name = "Beat the Buffalo"
    source = "30th anniversary edition (R30), cooperative variant"
    summary = "All against the buffalo: leave it more bullheads than you take, with special cards to help."
    player_range = range(1, 7)
    offers = (REPLACE_TIMING, SORT_TIMING, ANYTIME, SHOW_PILE)
    position_type = BuffaloPosition
    ascending = False
    zones = (
        *Base.zones,
        Zone("herd", NOBODY),
        Zone("special_deck", NOBODY, SPECIAL_CARDS),
        Zone("box", NOBODY, SPECIAL_CARDS),  # BUF-7: what was put back unseen stays unseen
        Zone("face_up", family=SPECIAL_CARDS),
        Zone("markers", family=SPECIAL_CARDS),
        Zone("spent", family=SPECIAL_CARDS),
    )
    open_fields = frozenset({"firsts", "lasts", "must_fill"})
    questions: ClassVar[dict[str, Question]] = {
        **Base.questions,
        "team_window": Question(
            "Before {0} is placed: use a special card, lift a Stop!, or go on.",
            ("face_up", ROWS, ROW_CARDS, PLAYED), "use", passing="Go on",
        ),
        "team_break": Question(
            "Before cards are chosen: use a special card, lift a Stop!, or go on.",
            ("face_up", ROWS, ROW_CARDS), "use", passing="Go on",
        ),
        "replace_card": Question(
            "You took {0} back: choose another card, which is placed at once.", secret=True
        ),
        "sort_pick": Question(
            "Sort: choose the card that is placed as number {0} of those left.", (PLAYED,), "first"
        ),
    }  # fmt: skip
    furniture = Furniture(
        specials=(
            *(special.declared for special in SPECIALS.values()),
            SpecialCard(LIFT, "Lift a Stop", "A row is open again.", (Aim(ROWS),), loose=True),
        ),
        markers=(
            Marker(STOP, "Stop", "markers", holds="names", says="Closed until the team lifts it."),
            Marker(TAKE_7, "Take 7", "markers", holds="names", says="This row holds six cards."),
            Marker(
                "must-fill", "must be filled", "must_fill", holds="places",
                says="The next card goes here, whatever its number.",
            ),
        ),
        holdings=(
            Holding("face_up", "The team's special cards", "offer", specials=True),
            Holding("special_deck", "Special cards to come", "draw", specials=True, counted=True),
            Holding("spent", "Used special cards", "discard", specials=True),
            Holding("herd", "The buffalo's cards", "draw", counted=True),
        ),
        team=Team("Buffalo", BUFFALO, "herd"),
        scoring=Scoring(charges="team", piles="sides"),
    )  # fmt: skip
    alone: ClassVar[dict[str, str]] = {"place_next": "place_card"}
    specials_in_play: ClassVar[dict[int, int]] = {1: 0, 2: 2, 3: 4, 4: 6, 5: 11, 6: 16}
    """By the number of players; alone there are none (BUF-36)."""
    display_size: ClassVar[int] = 2

    # The deal.

    def universe(self, family: str) -> list[Any]:
        """The number cards; two of each special card."""
        return self.deck() if family == NUMBERS else [name for name in SPECIALS for _ in range(2)]

    def play_round(self, position: BuffaloPosition) -> None:
        """The special cards are shuffled too; one round is the game (BUF-31)."""
        super().play_round(position)
        position.next(shuffle("special_deck"))

    def clear_table(self, position: BuffaloPosition) -> None:
        """There are two bull piles, and no special card lies out."""
        super().clear_table(position)
        position.piles = [[], []]
        position.special_deck = self.universe(SPECIAL_CARDS)
        position.markers = [[] for _ in position.rows]

    def deal(self, position: BuffaloPosition) -> None:
        """Ten cards each, ten that nobody looks at to the buffalo, the rows, the special cards."""
        self.deal_hands(position, self.hand_size)
        position.herd = position.deck[: self.hand_size]
        del position.deck[: self.hand_size]
        position.happened(Dealt(BUFFALO, tuple(position.herd)))
        self.start_rows(position)
        in_play = self.specials_in_play[self.players]
        position.box = position.special_deck[in_play:]
        del position.special_deck[in_play:]
        self.turn_up(position)

    def turn_up(self, position: BuffaloPosition) -> None:
        """Two special cards lie face up while there are enough; with two players those are all (BUF-6)."""
        missing = self.display_size - len(position.face_up)
        names = position.special_deck[:missing]
        del position.special_deck[:missing]
        position.face_up += names
        if names:
            position.happened(SpecialsShown(tuple(names)))

    # A trick.

    def reveal(self, position: BuffaloPosition) -> None:
        """The top card of the buffalo is turned up with the others and placed in its turn."""
        top = position.herd.pop(0)
        plays = [Played(top, BUFFALO, top)]
        for seat, choice in position.answers.items():
            plays += self.leave_hand(position, seat, choice)
        position.table = sorted(plays, key=lambda played: played.value)
        position.placed = position.placed_first = 0
        position.happened(Revealed(tuple(position.table)))

    def place_next(self, position: BuffaloPosition) -> None:
        """Before every placement, the first one too, the team may act as one (BUF-1, BUF-2).

        A window in which nothing could be done is not opened.
        """
        if not position.table:
            return
        card = position.table[0].card
        if len(self.options_team_window(position, 0, card)) == 1:
            self.place_card(position)
            return
        position.next(step("team_acted"))
        self.ask(position, "team_window", *range(self.players), about=(card,))

    def play_trick(self, position: BuffaloPosition) -> None:
        """Before every trick, the first one too, the team may act if that was agreed on (BUF-2)."""
        if self.options[ANYTIME.key] and not self.round_over(position):
            self.take_break(position)
        else:
            super().play_trick(position)

    def take_break(self, position: BuffaloPosition) -> None:
        """Ask the team what it does before cards are chosen, if anything can be done."""
        if len(self.options_team_break(position, 0)) == 1:
            super().play_trick(position)
            return
        position.next(step("team_rested"))
        self.ask(position, "team_break", *range(self.players))

    def options_team_break(self, position: BuffaloPosition, seat: Seat) -> tuple[Choice, ...]:
        """Whatever needs no card that is about to be placed."""
        return self.options_team_window(position, seat, 0)

    def team_rested(self, position: BuffaloPosition) -> None:
        """Do what the team wants and ask again, until it goes on."""
        if isinstance(self.answer(position), Pass):
            super().play_trick(position)
        else:
            position.next(TRICK)
            self.team_acted(position)

    def cards_to_place(self, position: BuffaloPosition) -> int:
        """How many cards are still to be placed; before a trick, all that it will bring."""
        return len(position.table) or (self.players + 1 if any(position.hands) else 0)

    def in_order(self, position: BuffaloPosition) -> bool:
        """Whether cards lie in an order that can be changed (BUF-2)."""
        return bool(position.table)

    def options_team_window(self, position: BuffaloPosition, seat: Seat, card: Card) -> tuple[Choice, ...]:
        """Go on; use a face-up special card, also without effect (BUF-37); or lift a Stop!."""
        uses = [
            UseSpecial(name, targets)
            for name in dict.fromkeys(position.face_up)
            for targets in SPECIALS[name].targets(self, position)
        ]
        lifts = [UseSpecial(LIFT, (row + 1,)) for row, names in enumerate(position.markers) if STOP in names]
        return (PASS, *uses, *lifts)

    def sentence(self, kind: str, options: tuple[Choice, ...]) -> str:
        """The team is offered a special card, or to lift a Stop!, only where it can."""
        sentence = super().sentence(kind, options)
        names = {choice.name for choice in options if isinstance(choice, UseSpecial)}
        if names and LIFT not in names:
            return sentence.replace(", lift a Stop!", "")
        return sentence.replace(" use a special card,", "") if names == {LIFT} else sentence

    def team_acted(self, position: BuffaloPosition) -> None:
        """Place the card, or do what the team wants and open another window."""
        ((seat, choice),) = position.answers.items()
        if isinstance(choice, Pass):
            self.place_card(position)
            return
        assert isinstance(choice, UseSpecial)
        position.happened(Used(seat, choice.name, choice.targets))
        if choice.name == LIFT:
            # BUF-10: in any window, for nothing, and no new card for it.
            self.remove_marker(position, choice.targets[0] - 1, STOP, "lifted")
            position.next(PLACE_NEXT)
        else:
            self.use_special(position, seat, choice)

    def use_special(self, position: BuffaloPosition, seat: Seat, choice: UseSpecial) -> None:
        """A used card makes room at once for a new one, usable in the same window (BUF-5)."""
        special = SPECIALS[choice.name]
        position.face_up.remove(special.name)
        if not special.stays:
            position.spent.append(special.name)
            position.happened(SpecialsGone((special.name,), "used"))
        self.turn_up(position)
        position.next(*special.then)
        special.use(self, position, seat, choice.targets)

    def remove_marker(self, position: BuffaloPosition, row: int, marker: str, why: str) -> None:
        """A special card beside a row leaves the game; none is turned up for it."""
        position.markers[row].remove(marker)
        position.spent.append(marker)
        position.happened(MarkerGone(marker, row, why))

    # Placing.

    def place_card(self, position: BuffaloPosition) -> None:
        """Place the next card by the usual rules, unless there is an empty row to fill."""
        if position.must_fill:
            position.next(PLACE_NEXT)
            # BUF-17: whosever card it is, it goes there without fitting or taking.
            # BUF-19: one card each, in the order in which the rows were emptied.
            row, *later = position.must_fill
            position.must_fill = tuple(later)
            self.put(position, row)
        else:
            super().place_next(position)

    def open_rows(self, position: BuffaloPosition) -> list[int]:
        """The rows without a Stop!; two such cards exist, so two rows at least are open (BUF-11)."""
        return [row for row, names in enumerate(position.markers) if STOP not in names]

    def row_for(self, position: BuffaloPosition, value: int) -> int | None:
        """As ever, but as if locked rows were not there (BUF-8, BUF-9)."""
        ends = {position.rows[row][-1]: row for row in self.open_rows(position)}
        nearest = max((end for end in ends if end < value), default=None)
        return None if nearest is None else ends[nearest]

    def choose_row(self, position: BuffaloPosition, played: Played) -> None:
        """With a card that fits nowhere a member chooses; the buffalo has its habit."""
        if played.seat == BUFFALO:
            self.take(position, self.cheapest_row(position), "low")
        else:
            super().choose_row(position, played)

    def options_choose_row(self, position: BuffaloPosition, seat: Seat, card: Card) -> tuple[Choice, ...]:
        """The owner of the card picks among the open rows (BUF-9, BUF-34)."""
        return tuple(TakeRow(row) for row in self.open_rows(position))

    def cheapest_row(self, position: BuffaloPosition) -> int:
        """The open row (BUF-4) with the fewest bullheads, among equals that with the highest end (BUF-3)."""
        rows = position.rows
        return min(self.open_rows(position), key=lambda row: (self.bullheads(rows[row]), -rows[row][-1]))

    def limit(self, position: BuffaloPosition, row: int) -> int:
        """How many cards a row holds: one more with a Take 7!, also when one is inserted or pushed."""
        return self.row_limit + (TAKE_7 in position.markers[row])

    def table_size(self) -> tuple[int, int]:
        """A row with a Take 7! holds a card more."""
        return self.row_count, self.row_limit + 1

    def is_full(self, position: BuffaloPosition, row: int) -> bool:
        """Five cards, or six with a Take 7!."""
        return len(position.rows[row]) >= self.limit(position, row)

    def put(self, position: BuffaloPosition, row: int) -> None:
        """Lay the card at the end of its row and note in which order it came."""
        self.note_placement(position, position.table[0].card)
        super().put(position, row)

    def leave_table(self, position: BuffaloPosition) -> Played:
        """Take the next card from the table, to be placed by other rules than usual."""
        self.note_placement(position, position.table[0].card)
        return position.table.pop(0)

    def note_placement(self, position: BuffaloPosition, card: Card) -> None:
        """First Card is too late once a card was placed that no First Card had put forward."""
        position.placed += 1
        position.placed_first += card in position.firsts
        position.firsts = tuple(other for other in position.firsts if other != card)
        position.lasts = tuple(other for other in position.lasts if other != card)

    # What special cards do to rows.

    def fit_in(self, position: BuffaloPosition, row: int, card: Card) -> int:
        """Put a card into a row where the order stays ascending, and return the place."""
        insort(position.rows[row], card)
        return position.rows[row].index(card)

    def take_overflow(self, position: BuffaloPosition, row: int, seat: Seat, why: str) -> None:
        """A row that a card was fitted into is taken if it was full."""
        cards = position.rows[row]
        if len(cards) > self.limit(position, row):
            # BUF-13, BUF-16: the team takes all but the last card, even if that is the new one.
            position.rows[row] = cards[-1:]
            self.pick_up(position, row, seat, cards[:-1], why)

    def pick_up(self, position: BuffaloPosition, row: int, seat: Seat, cards: list[Card], why: str) -> None:
        """Taken cards go to the pile of the team or of the buffalo.

        The team's points are public, the buffalo's are counted at the end (BUF-33).
        """
        heads = self.bullheads(cards)
        position.piles[BUFFALO_PILE if seat == BUFFALO else TEAM_PILE] += cards
        if seat != BUFFALO:
            position.points = [points + heads for points in position.points]
        position.happened(Took(seat, row, tuple(cards), heads, why))
        if TAKE_7 in position.markers[row]:
            # BUF-22: whatever the take and however many cards.
            self.remove_marker(position, row, TAKE_7, "taken")

    # Replace! and Sort, which need more than one answer.

    def options_replace_card(self, position: BuffaloPosition, seat: Seat, card: Card) -> tuple[Choice, ...]:
        """Any card of the member's hand except the one that was just taken back."""
        return tuple(PLAY[other] for other in position.hands[seat] if other != card)

    def replaced(self, position: BuffaloPosition, seat: Seat, forward: int) -> None:
        """The new card has the turn of the old one and is placed without another window (BUF-25)."""
        choice = self.answer(position)
        assert isinstance(choice, PlayCard)
        played = self.from_hand(position, seat, choice.card)
        position.happened(Laid(seat, played.card))
        if forward:
            position.firsts = (played.card, *position.firsts)
        position.reorder(played, 0)
        self.place_card(position)

    def sort_from(self, position: BuffaloPosition, place: int) -> None:
        """The team picks card after card until the order is settled."""
        if place >= len(position.table) - 1:
            position.happened(Reordered(tuple(position.table)))
            return
        position.next(step("sort_picked", place))
        self.ask(position, "sort_pick", *range(self.players), about=(place + 1,))

    def options_sort_pick(self, position: BuffaloPosition, seat: Seat, number: int) -> tuple[Choice, ...]:
        """Any card that has not been picked, the buffalo's too (BUF-29)."""
        return tuple(PlaceFirst(played.card) for played in position.table[number - 1 :])

    def sort_picked(self, position: BuffaloPosition, place: int) -> None:
        """The picked card comes next in the order."""
        choice = self.answer(position)
        assert isinstance(choice, PlaceFirst)
        position.table.insert(place, position.pull(choice.card))
        position.next(step("sort_from", place + 1))

    # The end.

    def score_round(self, position: BuffaloPosition) -> None:
        """One or two players count their bullheads twice (BUF-30)."""
        heads = self.bullheads(position.piles[TEAM_PILE])
        position.points = [heads * 2 if self.players <= 2 else heads] * self.players
        super().score_round(position)

    def game_over(self, position: BuffaloPosition) -> str | None:
        """Ten tricks are the whole game (BUF-31); what lies beside a row then counts nothing (BUF-35)."""
        return "all cards were played"

    def finish(self, position: BuffaloPosition, reason: str) -> None:
        """The team has won if it has fewer bullheads than the buffalo; as many is not enough (BUF-30)."""
        team, buffalo = position.scores[0], self.bullheads(position.piles[BUFFALO_PILE])
        ranks = (1,) * self.players
        position.result = Result(tuple(position.scores), ranks, reason, won=team < buffalo, against=buffalo)
        position.happened(GameEnded(position.result))

    # What others see.

    def remembered(self, position: BuffaloPosition, seat: Seat | None) -> tuple[tuple[Card, ...], ...]:
        """The team keeps track of its own pile; the other one only if it may be looked into (BUF-33)."""
        team, buffalo = position.piles
        return tuple(team), tuple(buffalo if self.options[SHOW_PILE.key] else face_down(buffalo))

    def hide_piles(self, position: BuffaloPosition, seat: Seat | None) -> None:
        """All members may look into the team's pile (GEN-7), though not into each other's hands (BUF-32)."""
        if seat is None:
            position.piles[TEAM_PILE] = face_down(position.piles[TEAM_PILE])
        if not self.options[SHOW_PILE.key]:
            position.piles[BUFFALO_PILE] = face_down(position.piles[BUFFALO_PILE])


class BreakAfterTricks(Buffalo):
    """Behaviour 1: the break of `buffalo.anytime` came only after tricks, and no row was emptied in it."""

    behaviour = 1

    def play_trick(self, position: BuffaloPosition) -> None:
        """There was no break before the first trick, and those between tricks came at the end of one."""
        Base.play_trick(self, position)

    def place_next(self, position: BuffaloPosition) -> None:
        """The break followed the last card of a trick."""
        goes_on = any(position.hands) and position.result is None
        if position.table:
            super().place_next(position)
        elif self.options[ANYTIME.key] and goes_on and len(self.options_team_break(position, 0)) > 1:
            position.next(step("team_rested"))
            self.ask(position, "team_break", *range(self.players))

    def team_rested(self, position: BuffaloPosition) -> None:
        """A used card led to another break by itself."""
        if not isinstance(self.answer(position), Pass):
            self.team_acted(position)

    def cards_to_place(self, position: BuffaloPosition) -> int:
        """Only cards on the table could fill an emptied row."""
        return len(position.table)

    def in_order(self, position: BuffaloPosition) -> bool:
        """Sort was offered in the break, too."""
        return True

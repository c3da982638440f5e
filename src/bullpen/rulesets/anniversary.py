"""Anniversary: special cards that bend the placement of one's own card.

Whoever's card is about to be placed may use one special card with it. The question is asked whenever the seat
holds a special card. It is secret, as its options are the special cards held, and patient, as a pass made by
itself would tell that none of them can be used. Everything that can be decided then is part of the answer:
the row of Stop, the new card of Replace, the card and the row of Shift. Negative = Positive is offered there
too, but only if the card is about to take a row; the card to be turned is asked for once it is settled which
row that is, and the take follows as a whole. Which cards it cancels is asked only where that was agreed on:
they are worth the same.
"""

from bisect import insort
from collections import Counter
from typing import Any, ClassVar

from bullpen.engine import (
    HAND,
    NOBODY,
    NUMBERS,
    OWNER,
    PASS,
    ROW_CARDS,
    ROWS,
    Card,
    Choice,
    Draft,
    Furniture,
    Holding,
    Marker,
    Played,
    Question,
    Seat,
    TakeRow,
    UseSpecial,
    Zone,
    shuffle,
    step,
)
from bullpen.engine.events import (
    MarkerGone,
    MarkerMoved,
    Placed,
    RowRemoved,
    SpecialsDrawn,
    SpecialsGone,
    Used,
)
from bullpen.engine.ruleset import Whereabouts
from bullpen.rulesets.anniversary_cards import (
    CANCELLED,
    FIFTH_ROW,
    NEG_POS,
    NO_SPECIAL,
    SEVEN_ROW,
    SHIFT_INTO_FULL,
    SPECIALS,
    AnniversaryPosition,
    Cancelled,
    FifthRow,
    NegativePositive,
    Seven,
    Stop,
    cancelled_by,
)
from bullpen.rulesets.base import PILES, PLACE_NEXT, Base

SPECIAL_CARDS = "specials"
SHUFFLE_SPECIALS = shuffle("special_deck")


class Anniversary(Base[AnniversaryPosition]):
    """Two rounds of twelve tricks with special cards in every hand (R25)."""

    id = "anniversary"
    number = 16
    name = "Anniversary"
    source = "25th anniversary edition (R25), anniversary variant"
    summary = "Hold special cards and play one when your own card is about to be placed; two rounds."
    player_range = range(2, 9)
    # GEN-15: two rounds are the game, so there is no target to agree on.
    offers = (PILES, SEVEN_ROW, FIFTH_ROW, SHIFT_INTO_FULL, NEG_POS, CANCELLED)
    position_type = AnniversaryPosition
    ascending = False
    zones = (
        *Base.zones,
        Zone("specials", OWNER, SPECIAL_CARDS),
        Zone("special_deck", NOBODY, SPECIAL_CARDS),
        Zone("discards", family=SPECIAL_CARDS),
        Zone("markers", family=SPECIAL_CARDS),
    )
    open_fields = frozenset({"cancellable", "cancelling", "drew", "sunk"})
    own_events = (Cancelled,)
    questions: ClassVar[dict[str, Question]] = {
        **Base.questions,
        "use_special": Question(
            "Your {0} is about to be placed: use a special card with it, or pass.",
            ("specials", ROWS, ROW_CARDS, HAND), "use", secret=True, patient=True, passing="Go on",
        ),
        "np_card": Question(
            "You take row {0}: choose the card of it that turns positive.", (ROW_CARDS,), "use"
        ),
        "np_cancel": Question(
            "Choose a card that the {0} cancels, or go on.", ("cancellable",), "pick", passing="Go on"
        ),
        "swap_special": Question(
            "You have taken a row: swap one of your special cards, or pass.",
            ("specials",), "swap", secret=True, passing="Keep them",
        ),
    }  # fmt: skip
    furniture = Furniture(
        specials=tuple(special.declared for special in SPECIALS.values()),
        markers=tuple(
            Marker(special.name, special.title, "markers", holds="names", says=special.says)
            for special in SPECIALS.values()
            if special.stays
        ),
        holdings=(
            Holding("specials", "Special cards", "held", specials=True, each_seat=True),
            Holding("special_deck", "Special cards to come", "draw", specials=True, counted=True),
            Holding("discards", "Used special cards", "discard", specials=True),
            Holding("cancellable", "Cards to cancel", "taken"),
        ),
    )
    alone: ClassVar[dict[str, str]] = {"place_next": "place_card"}
    hand_size = 12
    rounds: ClassVar[int] = 2
    copies: ClassVar[int] = 4
    specials_a_round: ClassVar[int] = 3

    # The deal.

    def universe(self, family: str) -> list[Any]:
        """The number cards; four of each special card."""
        return self.deck() if family == NUMBERS else [name for name in SPECIALS for _ in range(self.copies)]

    def start(self, position: AnniversaryPosition) -> None:
        """All special cards are in their deck."""
        super().start(position)
        position.specials = [[] for _ in range(self.players)]
        position.special_deck = self.universe(SPECIAL_CARDS)

    def play_round(self, position: AnniversaryPosition) -> None:
        """Both decks are shuffled, the number cards that were put away included (ANN-26)."""
        super().play_round(position)
        position.next(SHUFFLE_SPECIALS)

    def clear_table(self, position: AnniversaryPosition) -> None:
        """Specials stay in the hands; all others are the supply of the new round (ANN-22)."""
        super().clear_table(position)
        position.markers = [[] for _ in position.rows]
        self.rebuild_deck(position)

    def rebuild_deck(self, position: AnniversaryPosition) -> None:
        """Put the discards into the deck, which is shuffled next."""
        position.sunk, position.drew = tuple(position.discards), (0,) * self.players
        position.special_deck += position.discards
        position.discards = []

    def deal(self, position: AnniversaryPosition) -> None:
        """Numbers and rows, then three special cards each, or as many as there are for all (ANN-22)."""
        super().deal(position)
        each = min(self.specials_a_round, len(position.special_deck) // self.players)
        for seat in range(self.players):
            self.draw_specials(position, seat, each)

    def draw_specials(self, position: AnniversaryPosition, seat: Seat, count: int) -> None:
        """Special cards go from the top of the deck to a hand."""
        names = position.special_deck[:count]
        del position.special_deck[:count]
        position.specials[seat] = sorted([*position.specials[seat], *names])
        position.drew = tuple(drawn + count * (other == seat) for other, drawn in enumerate(position.drew))
        if names:
            position.happened(SpecialsDrawn(seat, tuple(names)))

    # Before a placement: one special card.

    def place_next(self, position: AnniversaryPosition) -> None:
        """The owner of the next card may use one special card with it (ANN-1), nobody else may (ANN-28)."""
        position.using = ""
        if not position.table:
            return
        position.next(PLACE_NEXT)
        played = position.table[0]
        if position.specials[played.seat]:
            position.next(step("use_special"))
            self.ask(position, "use_special", played.seat, about=(played.card,))
        else:
            self.place_card(position)

    def options_use_special(
        self, position: AnniversaryPosition, seat: Seat, card: Card
    ) -> tuple[Choice, ...]:
        """None, or one special card of the hand with all that it may be used on."""
        played = position.table[0]
        uses = [
            UseSpecial(name, targets)
            for name in dict.fromkeys(position.specials[seat])
            for targets in SPECIALS[name].targets(self, position, played)
        ]
        return (PASS, *uses)

    def use_special(self, position: AnniversaryPosition) -> None:
        """Place the card, or let the special card of this placement take effect first."""
        choice, seat = self.answer(position), position.table[0].seat
        if not isinstance(choice, UseSpecial):
            self.place_card(position)
            return
        special = SPECIALS[choice.name]
        position.using = special.name
        self.show_special(position, seat, special.name)
        position.happened(Used(seat, special.name, choice.targets))
        if not special.stays:
            self.discard(position, special.name, "used")
        special.use(self, position, choice.targets)

    def show_special(self, position: AnniversaryPosition, seat: Seat, name: str) -> None:
        """A special card leaves a hand; if the hand has drawn lately, it may be one that was in the deck."""
        position.specials[seat].remove(name)
        if position.drew[seat] and name in position.sunk:
            place = position.sunk.index(name)
            position.sunk = position.sunk[:place] + position.sunk[place + 1 :]

    def discard(self, position: AnniversaryPosition, name: str, why: str) -> None:
        """Lay a special card face up beside the deck."""
        position.discards.append(name)
        position.happened(SpecialsGone((name,), why))

    # Special cards at rows.

    def lay_at(self, position: AnniversaryPosition, row: int, marker: str) -> None:
        """Lay a special card at a row."""
        position.markers[row].append(marker)
        position.happened(MarkerMoved(marker, row))

    def lift(self, position: AnniversaryPosition, row: int, marker: str, why: str) -> None:
        """Put a special card that lies at a row to the discards."""
        position.markers[row].remove(marker)
        position.discards.append(marker)
        position.happened(MarkerGone(marker, row, why))

    def lift_all(self, position: AnniversaryPosition, marker: str, why: str) -> None:
        """Put all special cards of that name to the discards."""
        for row, names in enumerate(position.markers):
            if marker in names:
                self.lift(position, row, marker, why)

    def open_rows(self, position: AnniversaryPosition) -> list[int]:
        """The rows without a Stop; two or three there always are (ANN-14)."""
        return [row for row, names in enumerate(position.markers) if Stop.name not in names]

    def rows_on_table(self, position: AnniversaryPosition) -> int:
        """Four, or five where a fifth one has a place for markers too."""
        return self.row_count + (len(position.markers) > self.row_count)

    def has_fifth_row(self, position: AnniversaryPosition) -> bool:
        """Whether there are five rows."""
        return len(position.rows) > self.row_count

    # Placing.

    def place_card(self, position: AnniversaryPosition) -> None:
        """By the rules of the base game."""
        played = position.table[0]
        row = self.row_for(position, played.value)
        if row is None:
            self.choose_row(position, played)
        else:
            self.add(position, row)

    def row_for(self, position: AnniversaryPosition, value: int) -> int | None:
        """As ever, but as if stopped rows were not there (ANN-14)."""
        ends = {position.rows[row][-1]: row for row in self.open_rows(position)}
        nearest = max((end for end in ends if end < value), default=None)
        return None if nearest is None else ends[nearest]

    def options_choose_row(self, position: AnniversaryPosition, seat: Seat, card: Card) -> tuple[Choice, ...]:
        """Only an open row can be taken (ANN-14), with five rows too (ANN-5)."""
        return tuple(TakeRow(row) for row in self.open_rows(position))

    def table_size(self) -> tuple[int, int]:
        """There can be a fifth row, and a row with a 7 nimmt! holds a card more."""
        return self.row_count + 1, self.row_limit + 1

    def is_full(self, position: AnniversaryPosition, row: int) -> bool:
        """Five cards, or six with 7 nimmt!."""
        limit = self.row_limit + (Seven.name in position.markers[row])
        return len(position.rows[row]) >= limit

    def would_take(self, position: AnniversaryPosition, played: Played) -> bool:
        """Whether the card takes a row if nothing else happens before."""
        row = self.row_for(position, played.value)
        return row is None or self.is_full(position, row)

    def fit_in(self, position: AnniversaryPosition, row: int, card: Card) -> int:
        """Put a card into a row where the order stays ascending, and return the place."""
        insort(position.rows[row], card)
        return position.rows[row].index(card)

    # Taking.

    def take(self, position: AnniversaryPosition, row: int, why: str) -> None:
        """The special card of this placement may have its say."""
        SPECIALS.get(position.using, NO_SPECIAL).on_take(self, position, row, why)

    def options_np_card(self, position: AnniversaryPosition, seat: Seat, row: int) -> tuple[Choice, ...]:
        """A card of the row that is taken, never the card played (ANN-21)."""
        return tuple(UseSpecial(NegativePositive.name, (card,)) for card in position.rows[row - 1])

    def turn_card(self, position: AnniversaryPosition, row: int, why: str) -> None:
        """The row is taken, and one of its cards turned."""
        choice = self.answer(position)
        assert isinstance(choice, UseSpecial)
        (turned,) = choice.targets
        if self.options[CANCELLED.key] == "chosen" and self.options[NEG_POS.key] == "cards":
            position.cancelling = (turned,)
            self.pick_cancelled(position, row, why)
        else:
            self.complete_take(position, row, why, turned)

    def pick_cancelled(self, position: AnniversaryPosition, row: int, why: str) -> None:
        """The owner picks card after card while one fits into the rest of the card's worth (ANN-20)."""
        turned, *picked = position.cancelling
        left = self.heads[turned] - self.bullheads(picked)
        seat, played = position.table[0].seat, position.table[0].card
        along = [played] if self.has_fifth_row(position) else []
        cards = [*position.rows[row], *along, *position.piles[seat]]
        position.cancellable = tuple(
            card for card in cards if card not in position.cancelling and self.heads[card] <= left
        )
        if position.cancellable:
            position.next(step("cancel_picked", row, why))
            self.ask(position, "np_cancel", seat, about=(turned,))
        else:
            self.complete_take(position, row, why, turned)

    def options_np_cancel(
        self, position: AnniversaryPosition, seat: Seat, turned: Card
    ) -> tuple[Choice, ...]:
        """Enough, or any card that is not worth too much."""
        return (PASS, *(Draft(card) for card in position.cancellable))

    def cancel_picked(self, position: AnniversaryPosition, row: int, why: str) -> None:
        """One more card is picked, or the row is taken."""
        choice = self.answer(position)
        if isinstance(choice, Draft):
            position.cancelling = (*position.cancelling, choice.card)
            self.pick_cancelled(position, row, why)
        else:
            position.cancellable = ()
            self.complete_take(position, row, why, position.cancelling[0])

    def complete_take(self, position: AnniversaryPosition, row: int, why: str, turned: Card = 0) -> None:
        """The card played is the last card of a row that overflows: it stays there, or goes along."""
        played = position.table.pop(0)
        position.rows[row].append(played.card)
        if self.clear_row(position, played.seat, row, why, turned):
            position.happened(Placed(played.seat, played.card, row, 0))

    def clear_row(
        self, position: AnniversaryPosition, seat: Seat, row: int, why: str, turned: Card = 0
    ) -> bool:
        """A row that overflows is taken: cards, Stops, Negative = Positive, the row, the swap (ANN-24).

        The last card starts the row afresh; but with five rows it is taken too and the row is gone (ANN-3).
        Returns whether the row is still there.
        """
        cards, five = position.rows[row], self.has_fifth_row(position)
        taken = cards if five else cards[:-1]
        self.pick_up(position, row, seat, taken, why)
        # ANN-12: all of them, also one that the taker has just used.
        self.lift_all(position, Stop.name, "take")
        if Seven.name in position.markers[row]:
            # ANN-7, ANN-8: in whatever way and with however few cards the row is taken.
            self.lift(position, row, Seven.name, "take")
        if turned:
            self.turn(position, seat, turned, taken)
        if five:
            self.remove_row(position, row)
        else:
            position.rows[row] = cards[-1:]
        self.offer_swap(position, seat)
        return not five

    def remove_row(self, position: AnniversaryPosition, row: int) -> None:
        """Whichever of five rows is taken disappears, whatever lies at it (ANN-3, ANN-30)."""
        self.lift_all(position, FifthRow.name, "take")
        # ANN-4: the rows below move up.
        del position.rows[row], position.markers[row]
        position.happened(RowRemoved(row))

    def turn(self, position: AnniversaryPosition, seat: Seat, turned: Card, taken: list[Card]) -> None:
        """The turned card leaves and so do others worth at most as much: as picked, or of the row (ANN-20).

        Or, if agreed, its bullheads are subtracted from what the others cost.
        """
        pile = position.piles[seat]
        others = [card for card in (*taken, *pile[: -len(taken)]) if card != turned]
        plain = self.options[NEG_POS.key] == "plain"
        picked = position.cancelling[1:] if position.cancelling else cancelled_by(turned, others, self.heads)
        position.cancelling = ()
        cards = () if plain else picked
        gone = (turned, *cards)
        heads = self.bullheads(gone)
        less = min(2 * heads, position.points[seat]) if plain else heads
        position.piles[seat] = [card for card in pile if card not in gone]
        position.aside += gone
        position.points[seat] -= less
        position.happened(Cancelled(seat, turned, cards, less))

    # Swapping.

    def offer_swap(self, position: AnniversaryPosition, seat: Seat) -> None:
        """Once after every take, if the taker has a special card left (ANN-23)."""
        if position.specials[seat]:
            position.next(step("swap_special", seat))
            self.ask(position, "swap_special", seat)

    def options_swap_special(self, position: AnniversaryPosition, seat: Seat) -> tuple[Choice, ...]:
        """None, or any special card of the hand."""
        return (PASS, *(UseSpecial(name) for name in dict.fromkeys(position.specials[seat])))

    def swap_special(self, position: AnniversaryPosition, seat: Seat) -> None:
        """First discard, then draw; an empty deck is made of all discards, the latest included (ANN-23)."""
        choice = self.answer(position)
        if not isinstance(choice, UseSpecial):
            return
        self.show_special(position, seat, choice.name)
        self.discard(position, choice.name, "swapped")
        position.next(step("draw_specials", seat, 1))
        if not position.special_deck:
            self.rebuild_deck(position)
            position.next(SHUFFLE_SPECIALS)

    # The end.

    def score_round(self, position: AnniversaryPosition) -> None:
        """Special cards on the table go to the discards (ANN-25)."""
        for marker in (Stop.name, Seven.name, FifthRow.name):
            self.lift_all(position, marker, "round")
        super().score_round(position)

    def game_over(self, position: AnniversaryPosition) -> str | None:
        """Two rounds, always (ANN-27); special cards held at the end count nothing (ANN-31)."""
        return "two rounds were played" if position.round == self.rounds else None

    # What can be known.

    def whereabouts(self, position: AnniversaryPosition, seat: Seat | None) -> list[Whereabouts]:
        """Special cards seen going into the deck are there, or with somebody who has drawn since (ANN-23).

        A seat that has drawn itself does not count on those that it may hold now.
        """
        hidden = Counter(position.sunk)
        if seat is not None and position.drew[seat]:
            hidden -= Counter(position.specials[seat])
        places = [(position.special_deck, place) for place in range(len(position.special_deck))]
        for owner, held in enumerate(position.specials):
            if owner != seat:
                places += [(held, place) for place in range(min(position.drew[owner], len(held)))]
        return [(sorted(hidden.elements()), places)]

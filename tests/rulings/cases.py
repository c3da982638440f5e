"""The case that a ruling is about, recognised when it comes up in play.

A statement that does a ruling often runs without it: rows are looked at for locks when nothing is locked. For
such rulings of the games with special cards the case itself has to have been met. Rulings whose branch of the
code is run only in their case are not listed.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, TypeVar

from msgspec import Struct

from bullpen.engine import Ask, Choice, Event, PlayCard, Position, TakeRow, UseSpecial
from bullpen.engine.events import (
    MarkerGone,
    MarkerMoved,
    Placed,
    Revealed,
    RowRemoved,
    RowsStarted,
    SpecialsDrawn,
    SpecialsShown,
    Took,
    Used,
)
from bullpen.rulesets.anniversary_cards import Cancelled
from bullpen.rulesets.buffalo_cards import BUFFALO, STOP, TAKE_7

E = TypeVar("E", bound=Event)


class Moment(Struct, frozen=True):
    """A choice, the positions before and after it, and what it brought about."""

    rules: Any
    before: Any
    ask: Ask
    choice: Choice
    events: tuple[Event, ...]
    after: Any

    def all(self, kind: type[E]) -> list[E]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def uses(self, special: str) -> bool:
        """Return whether the choice was to use that special card."""
        return isinstance(self.choice, UseSpecial) and self.choice.name == special

    @property
    def targets(self) -> tuple[int, ...]:
        """What a special card was used on."""
        return self.choice.targets if isinstance(self.choice, UseSpecial) else ()

    @property
    def taken_by_choice(self) -> int | None:
        """The row that a card which fits nowhere takes, if that was the choice."""
        return self.choice.row if isinstance(self.choice, TakeRow) else None

    @property
    def shut_out(self) -> int | None:
        """The card for which a row must be named next, if there is one."""
        asks = self.after.asks
        return int(asks[0].about[0]) if asks and asks[0].kind == "choose_row" else None

    @property
    def first_play(self) -> Any:
        """The card that is placed first in a trick that was just revealed, if there is one."""
        return next((revealed.plays[0] for revealed in self.all(Revealed)), None)

    @property
    def window(self) -> Any:
        """The position, if the choice was made in a window of the team or before a placement; else None."""
        return self.before if self.ask.kind in ("team_window", "use_special") else None

    def held(self, special: str) -> bool:
        """Return whether that special card could be thought of now: it lies face up, or the seat has it."""
        if self.window is None:
            return False
        return special in (
            self.before.face_up if self.rules.id == "buffalo" else self.before.specials[self.ask.seats[0]]
        )


def ends(position: Position) -> list[int]:
    """Return the ends of the rows that have one."""
    return [row[-1] for row in position.rows if row]


def marked(position: Any, marker: str) -> list[int]:
    """Return the rows that a special card lies at."""
    return [row for row, names in enumerate(position.markers) if marker in names]


def take_then_placement(moment: Moment) -> bool:
    """Whether a marker moved after a take, and a card of the same trick was placed after that."""
    kinds = [
        type(event) for event in moment.events if isinstance(event, Took | MarkerMoved | Placed | RowsStarted)
    ]
    return any(kinds[at : at + 4] == [Took, Placed, MarkerMoved, Placed] for at in range(len(kinds)))


def restarted_row_gets_marker(moment: Moment) -> bool:
    """Whether the marker went to the row that was just taken."""
    events = [event for event in moment.events if isinstance(event, Took | MarkerMoved)]
    return any(
        isinstance(took, Took) and isinstance(moved, MarkerMoved) and took.row == moved.place
        for took, moved in pairwise(events)
    )


def lower_row_without_marker(moment: Moment) -> bool:
    """Whether a card was placed, nothing taken, and the marked row is not the lowest."""
    quiet = moment.all(Placed) and not moment.all(Took) and not moment.all(RowsStarted)
    return bool(quiet) and min(ends(moment.after)) != moment.after.rows[moment.after.marked][-1]


def mountain_tie(moment: Moment) -> bool:
    """Whether the first card of a trick is as far from the marked end as from another."""
    play, before = moment.first_play, moment.before
    if play is None:
        return False
    down = before.rows[before.marked][-1] - play.value
    return down > 0 and any(play.value - end == down for end in ends(before))


def first_take(moment: Moment) -> Took | None:
    """Return the first take that a choice brought about."""
    return next(iter(moment.all(Took)), None)


def full_take_of(moment: Moment, row: int) -> bool:
    """Whether the first take was of that row, because it was full."""
    took = first_take(moment)
    return took is not None and (took.row, took.why) == (row, "full")


def flipped(moment: Moment) -> Iterator[Any]:
    """Give the plays of a revealed trick that were flipped, as far as it shows."""
    return (play for event in moment.all(Revealed) for play in event.plays if play.value != play.card)


def flipped_meets_equal(moment: Moment) -> bool:
    """Whether the first card of a trick is a flipped one, and a row ends with its value."""
    play = moment.first_play
    return play is not None and play.value != play.card and play.value in ends(moment.before)


def flip_tie(moment: Moment) -> bool:
    """Whether a flipped and another card have the same value."""
    values = [play.value for event in moment.all(Revealed) for play in event.plays]
    return len(set(values)) < len(values)


def flipped_restarts(moment: Moment) -> bool:
    """Whether a flipped card became the first card of a row."""
    cards = {play.card for play in flipped(moment)}
    return any(placed.card in cards and placed.place == 0 for placed in moment.all(Placed))


def ascends(row: list[int]) -> bool:
    """Whether every card of a row is higher than the one before."""
    return row == sorted(row)


def buffalo_takes_low(moment: Moment) -> bool:
    """Whether the buffalo took a row with a card that fits nowhere."""
    return any(took.seat == BUFFALO and took.why == "low" for took in moment.all(Took))


def kept_out_by_lock(moment: Moment) -> bool:
    """Whether a row has to be taken though the card is above the end of a locked one."""
    card, locked = moment.shut_out, marked(moment.after, STOP)
    return card is not None and any(moment.after.rows[row][-1] < card for row in locked)


def own_stop_shuts_out(moment: Moment) -> bool:
    """Whether a seat's own Stop left its card without a row."""
    card, before = moment.shut_out, moment.before
    return moment.uses("stop") and card is not None and moment.rules.row_for(before, card) is not None


def next_is_buffalos(moment: Moment) -> bool:
    """Whether the card to be placed next is the buffalo's."""
    return moment.window is not None and moment.before.table[0].seat == BUFFALO


def falling(moment: Moment, marker: str) -> bool:
    """Whether a special card of that name left its row because of a take."""
    return any(gone.marker == marker and gone.why == "take" for gone in moment.all(MarkerGone))


def small_share(moment: Moment) -> bool:
    """Whether the second deal had fewer than three special cards for everybody."""
    dealt = moment.after.round == 2 and bool(moment.all(RowsStarted))
    return dealt and any(len(drawn.names) < 3 for drawn in moment.all(SpecialsDrawn))


def would_take(moment: Moment) -> bool:
    """Whether the card to be placed takes a row if nothing is done about it."""
    return bool(moment.rules.would_take(moment.before, moment.before.table[0]))


def seven_elsewhere(moment: Moment) -> bool:
    """Whether a 7 nimmt! went to another row than the card."""
    row = moment.rules.row_for(moment.before, moment.before.table[0].value) if moment.uses("seven") else None
    return row is not None and moment.targets != (row + 1,)


Case = Callable[[Moment], Any]

CASES: dict[str, Case] = {
    # Even/Odd
    "EVEN-1": lambda m: m.shut_out is not None and m.shut_out > min(ends(m.after)),
    "EVEN-2": lambda m: (
        m.taken_by_choice == m.before.marked and m.rules.parity(m.ask.about[0]) != m.before.side
    ),
    "EVEN-3": take_then_placement,
    "EVEN-4": restarted_row_gets_marker,
    "EVEN-7": lower_row_without_marker,
    "EVEN-10": lambda m: full_take_of(m, m.before.marked),
    # Mountain Climbing
    "MTN-1": mountain_tie,
    "MTN-3": lambda m: any(moved.place == 0 for moved in m.all(MarkerMoved)),
    "MTN-4": take_then_placement,
    "MTN-5": lambda m: any(not ascends(row) and not ascends(row[::-1]) for row in m.after.rows),
    "MTN-8": lambda m: m.taken_by_choice == m.before.marked,
    "MTN-10": lambda m: len(m.all(Took)) > 1,
    # The Jumping Cow
    "COW-1": lambda m: any(placed.row == m.before.cow and placed.place for placed in m.all(Placed)[:1]),
    "COW-4": lambda m: m.all(MarkerMoved) and len(m.after.rows[m.after.cow]) == 4,
    "COW-5": lambda m: m.taken_by_choice not in (None, m.before.cow),
    "COW-6": lambda m: m.taken_by_choice == m.before.cow,
    # Flippin' Digits
    "FLIP-1": lambda m: any(used.targets[0] < 10 for used in m.all(Used)),
    "FLIP-3": flipped_meets_equal,
    "FLIP-4": flip_tie,
    "FLIP-7": flipped_restarts,
    "FLIP-8": lambda m: not all(map(ascends, m.after.rows)),
    "FLIP-9": lambda m: m.after.round > m.before.round and not all(m.before.has_flip),
    "FLIP-10": lambda m: (
        isinstance(m.choice, PlayCard) and m.choice.flipped and m.after.asks == m.before.asks
    ),
    # Beat the Buffalo
    "BUF-1": lambda m: m.window and len(m.ask.seats) > 1,
    "BUF-2": lambda m: m.window and m.before.placed,
    "BUF-3": buffalo_takes_low,
    "BUF-4": lambda m: buffalo_takes_low(m) and marked(m.before, STOP),
    "BUF-5": lambda m: m.window and m.all(SpecialsShown),
    "BUF-8": lambda m: m.uses(TAKE_7) and m.targets[0] - 1 in marked(m.before, STOP),
    "BUF-9": kept_out_by_lock,
    "BUF-11": lambda m: len(marked(m.after, STOP)) == 2,
    "BUF-12": lambda m: m.uses("insert") and min(ends(m.before)) < m.before.table[0].card,
    "BUF-14": lambda m: m.held("insert") and next_is_buffalos(m),
    "BUF-15": lambda m: m.uses("push") and next_is_buffalos(m),
    "BUF-18": lambda m: m.window and m.before.must_fill and m.before.face_up,
    "BUF-20": lambda m: m.held("push") and marked(m.before, STOP),
    "BUF-21": lambda m: m.held(TAKE_7) and marked(m.before, TAKE_7),
    "BUF-23": lambda m: m.held("replace") and next_is_buffalos(m),
    "BUF-24": lambda m: m.held("replace") and not next_is_buffalos(m) and not any(m.before.hands),
    "BUF-28": lambda m: m.uses("last-card") and m.before.lasts,
    "BUF-29": lambda m: m.uses("sort") and (m.before.firsts or m.before.lasts),
    "BUF-30": lambda m: m.after.result and m.rules.players <= 2,
    "BUF-37": lambda m: m.uses("first-card") and m.targets == (m.before.table[0].card,),
    # Anniversary
    "ANN-1": lambda m: m.window and m.all(Used) and m.all(Took) and m.after.specials[m.ask.seats[0]],
    "ANN-2": lambda m: m.uses("fifth-row") and not would_take(m),
    "ANN-5": lambda m: m.taken_by_choice is not None and len(m.before.rows) == 5,
    "ANN-6": seven_elsewhere,
    "ANN-7": lambda m: m.held("seven") and marked(m.before, "seven"),
    "ANN-8": lambda m: m.taken_by_choice is not None and m.taken_by_choice in marked(m.before, "seven"),
    "ANN-10": lambda m: m.held("insert") and marked(m.before, STOP),
    "ANN-11": lambda m: m.held("stop") and len(marked(m.before, STOP)) == 2,
    "ANN-12": lambda m: falling(m, STOP),
    "ANN-13": own_stop_shuts_out,
    "ANN-14": kept_out_by_lock,
    "ANN-15": lambda m: m.held("shift") and marked(m.before, STOP),
    "ANN-19": lambda m: m.held("replace") and not m.before.hands[m.ask.seats[0]],
    "ANN-21": lambda m: m.ask.kind == "np_card" and len(m.before.rows) == 5,
    "ANN-22": small_share,
    "ANN-23": lambda m: m.ask.kind == "swap_special" and m.all(SpecialsDrawn) and not m.before.special_deck,
    "ANN-24": lambda m: m.all(Cancelled) and falling(m, STOP),
    "ANN-28": lambda m: m.window and len(m.before.table) > 1 and all(m.before.specials),
    "ANN-29": lambda m: m.uses("seven") and m.shut_out is not None,
    "ANN-30": lambda m: m.all(RowRemoved) and falling(m, STOP) and falling(m, "seven"),
}

"""Windows of Beat the Buffalo, looked through lightly: the margin at the end of the trick after an option."""

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bullpen.bots.heuristics.light_trick import (
    LightRow,
    LightTrick,
    Moves,
    Plays,
    all_but,
    light_row,
    with_card,
    with_room,
)
from bullpen.engine import HEADS, Card, Seat, UseSpecial
from bullpen.rulesets.buffalo import LIFT, Buffalo
from bullpen.rulesets.buffalo_cards import (
    BUFFALO,
    STOP,
    TAKE_7,
    FirstCard,
    Insert,
    LastCard,
    Push,
    Replace,
    Sort,
)

TEAM: Seat = 0
"""Any member: all take for the team."""


def team_weight(rules: Any) -> int:
    """Return how often the team's bullheads count: twice for one or two players."""
    return 2 if rules.players <= 2 else 1


class BuffaloTrick(LightTrick):
    """What the buffalo takes is won, and what the team takes is lost; emptied rows are filled first."""

    def __init__(self, rows: Iterable[LightRow], emptied: Sequence[LightRow], weight: int) -> None:
        self.rows, self._emptied, self._weight = sorted(rows), emptied, weight
        self.won = 0
        """The bullheads of the buffalo less those of the team."""

    def place(self, plays: Plays) -> None:
        """The first cards go to emptied rows, whatever their numbers."""
        if self._emptied:
            for row, (card, _) in zip(self._emptied, plays, strict=False):
                insort(self.rows, with_card(row, card))
            plays, self._emptied = plays[len(self._emptied) :], ()
        super().place(plays)

    def low_choice(self, seat: Seat) -> int:
        """The buffalo has its habit: the fewest bullheads, among equals the highest end."""
        if seat != BUFFALO:
            return super().low_choice(seat)
        costs = [(heads, -end) for end, _, heads, _, _ in self.rows]
        return costs.index(min(costs))

    def clear(self, place: int, heads: int, last: Card, seat: Seat) -> None:
        """The last card starts the row afresh, without Take 7!."""
        heads -= HEADS[last]
        self.won += heads if seat == BUFFALO else -heads * self._weight
        insort(self.rows, (last, 1, HEADS[last], Buffalo.row_limit, place))


class BuffaloWindow:
    """The margin after each option, if the team uses no further special card in this trick."""

    def __init__(self, rules: Any, position: Any, margin: float) -> None:
        self._position, self._margin, self._weight = position, margin, team_weight(rules)
        self._plays: Plays = [(played.card, played.seat) for played in position.table]
        rows = {
            place: light_row(cards, rules.limit(position, place), place)
            for place, cards in enumerate(position.rows)
        }
        self._emptied = tuple([rows.pop(place) for place in position.must_fill])
        self._stopped = {
            place: rows.pop(place) for place, names in enumerate(position.markers) if STOP in names
        }
        self._rows = rows
        self._last_cards = all(len(hand) == 1 for hand in position.hands)
        self._uses: dict[str, Callable[..., float]] = {
            TAKE_7: self._make_room,
            STOP: self._stop,
            LIFT: self._lift,
            Replace.name: self._replace,
            Insert.name: self._insert,
            Push.name: Moves(rows, position.rows, self._after_push).after,
            FirstCard.name: self._put_first,
            LastCard.name: self._put_last,
            Sort.name: self._sort,
        }

    # The answers to each question.

    def after_going_on(self) -> float:
        """Return the margin after the team has gone on."""
        return self._end(self._trick(self._rows.values()), self._plays)

    def after_using(self, option: UseSpecial) -> float:
        """Return the margin after the team has used a special card or lifted a Stop!."""
        return self._uses[option.name](*option.targets)

    def after_taking(self, row: int) -> float:
        """Return the margin after the owner of a low card has taken a row."""
        trick, (card, seat) = self._trick(self._rows.values()), self._plays[0]
        trick.take(trick.rows.index(self._rows[row]), card, seat)
        return self._end(trick, self._plays[1:])

    def after_replacing(self, card: Card, owner: Seat) -> float:
        """Return the margin after a member has placed another card instead of the one taken back."""
        # Whoever has a choice keeps two cards at least, so these are never the last ones.
        return self._end(self._trick(self._rows.values()), [(card, owner), *self._plays])

    def after_picking(self, card: Card, place: int, used: str = "") -> float:
        """Return the margin after a card was put at a place of the order, the others as they lie."""
        plays = [play for play in self._plays if play[0] != card]
        plays[place:place] = [play for play in self._plays if play[0] == card]
        return self._end(self._trick(self._rows.values()), plays, used)

    # Special cards.

    def _make_room(self, number: int) -> float:
        rows = {**self._rows}
        # BUF-8: a Take 7! may lie beside a locked row, where it does nothing yet.
        if number - 1 in rows:
            rows[number - 1] = with_room(rows[number - 1])
        return self._end(self._trick(rows.values()), self._plays, TAKE_7)

    def _stop(self, number: int) -> float:
        return self._end(self._trick(all_but(self._rows, number - 1)), self._plays, STOP)

    def _lift(self, number: int) -> float:
        rows = [*self._rows.values(), self._stopped[number - 1]]
        return self._end(self._trick(rows), self._plays, LIFT)

    def _replace(self, card: Card) -> float:
        ((_, owner),) = [play for play in self._plays if play[0] == card]
        others, hand = [play for play in self._plays if play[0] != card], self._position.hands[owner]
        if not others and len(hand) > 1:
            # The trick is looked at only as long as cards lie on the table, and now there is none.
            return self._margin
        return max(
            self._end(self._trick(self._rows.values()), [(new, owner), *others], Replace.name, (card, owner))
            for new in hand
        )

    def _insert(self, number: int) -> float:
        trick, (card, seat) = self._trick(all_but(self._rows, number - 1)), self._plays[0]
        trick.lay(with_card(self._rows[number - 1], card), seat)
        return self._end(trick, self._plays[1:], Insert.name)

    def _after_push(self, source: LightRow, goal: LightRow) -> float:
        """Play on with the row that a card has left and the one that it went to."""
        _, count, _, _, home = source
        rows, emptied = {**self._rows, home: source}, self._emptied
        del rows[goal[-1]]
        if not count:
            # BUF-19: rows are filled in the order in which they were emptied.
            emptied = (*emptied, rows.pop(home))
        trick = self._trick(rows.values(), emptied)
        trick.lay(goal, TEAM)
        return self._end(trick, self._plays, Push.name)

    def _put_first(self, card: Card) -> float:
        place = sum(other != card for other in self._position.firsts)
        return self.after_picking(card, place, FirstCard.name)

    def _put_last(self, card: Card, behind: int = 0) -> float:
        later = 0 if behind else sum(other != card for other in self._position.lasts)
        return self.after_picking(card, len(self._plays) - 1 - later, LastCard.name)

    def _sort(self) -> float:
        return max(self.after_picking(card, 0, Sort.name) for card, _ in self._plays)

    # The trick.

    def _trick(self, rows: Iterable[LightRow], emptied: Sequence[LightRow] | None = None) -> BuffaloTrick:
        """Return the trick with these rows and, if not told otherwise, those to be filled already."""
        return BuffaloTrick(rows, self._emptied if emptied is None else emptied, self._weight)

    def _end(
        self, trick: BuffaloTrick, plays: Plays, used: str = "", back: tuple[Card, Seat] | None = None
    ) -> float:
        """Place what is left; `back` is a card that went back to a hand."""
        trick.place(plays)
        if self._last_cards:
            self._place_last_cards(trick, used, back)
        return self._margin + trick.won

    def _place_last_cards(self, trick: BuffaloTrick, used: str, back: tuple[Card, Seat] | None) -> None:
        """Last cards play themselves, until the team has a window or a member a low card."""
        face_up = self._face_up_after(used)
        stops = len(self._stopped) + (used == STOP) - (used == LIFT)
        if stops or face_up - {Replace.name, Insert.name}:
            return
        plays = [(card, seat) for seat, (card,) in enumerate(self._position.hands)]
        if back is not None:
            plays[back[1]] = back
        for card, seat in sorted([(self._position.herd[0], BUFFALO), *plays]):
            # Replace needs another card in hand, and Insert a row with a higher end.
            insertable = Insert.name in face_up and card < trick.rows[-1][0]
            if seat != BUFFALO and (insertable or trick.is_low(card)):
                return
            trick.place([(card, seat)])

    def _face_up_after(self, used: str) -> set[str]:
        """Return the special cards that the team can use after one was used, or none."""
        face_up, deck = self._position.face_up[:], self._position.special_deck
        if used in face_up:
            face_up.remove(used)
            face_up += deck[: Buffalo.display_size - len(face_up)]
        return set(face_up)

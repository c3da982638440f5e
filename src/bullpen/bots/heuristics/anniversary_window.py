"""Windows of Anniversary, looked through lightly: what the trick costs a seat after a special card."""

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bullpen.bots.heuristics.heuristic import ahead_of_others
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
from bullpen.engine import HEADS, Card, Choice, Seat, UseSpecial
from bullpen.rulesets.anniversary import Anniversary
from bullpen.rulesets.anniversary_cards import FifthRow, Insert, Replace, Seven, Shift, Stop


class AnniversaryTrick(LightTrick):
    """Every take opens the stopped rows, and of five rows the one that is taken disappears."""

    def __init__(self, rows: Iterable[LightRow], stopped: Sequence[LightRow], players: int) -> None:
        self.rows, self._stopped = sorted(rows), stopped
        self.charged = [0] * players
        """What the trick has cost each seat."""
        self.taker: Seat | None = None
        """Who was the latest to take a row."""

    def clear(self, place: int, heads: int, last: Card, seat: Seat) -> None:
        """The last card starts the row afresh, without 7 nimmt!; of five rows it goes along."""
        rows = self.rows
        if len(rows) + len(self._stopped) < Anniversary.row_count:
            heads -= HEADS[last]
            insort(rows, (last, 1, HEADS[last], Anniversary.row_limit, place))
        self.charged[seat] += heads
        self.taker = seat
        if self._stopped:
            rows += self._stopped
            rows.sort()
            self._stopped = ()


class AnniversaryWindow:
    """What each option loses, if nobody uses a further special card in this trick.

    `by_rules` says it of what is not known here: Negative = Positive looks into rows and piles.
    """

    def __init__(self, rules: Any, position: Any, by_rules: Callable[[Choice], float]) -> None:
        self._position, self._by_rules = position, by_rules
        self._plays: Plays = [(played.card, played.seat) for played in position.table]
        self._card, self._seat = self._plays[0]
        rows = {
            place: light_row(cards, rules.row_limit + (Seven.name in position.markers[place]), place)
            for place, cards in enumerate(position.rows)
        }
        self._rows = {place: rows.pop(place) for place in rules.open_rows(position)}
        self._stopped = tuple(rows.values())
        self._last_cards = all(len(hand) == 1 for hand in position.hands)
        self._uses: dict[str, Callable[..., float]] = {
            FifthRow.name: self._start_fifth_row,
            Seven.name: self._lay_seven,
            Insert.name: self._insert,
            Replace.name: self._replace,
            Shift.name: Moves(self._rows, position.rows, self._after_shift).after,
            Stop.name: self._stop,
        }

    def loss(self, option: Choice) -> float:
        """Return what the trick costs the seat after an option, less a part of what it costs the others."""
        if not isinstance(option, UseSpecial):
            return self._end(self._trick(self._rows.values()), self._plays, used=False)
        use = self._uses.get(option.name)
        return self._by_rules(option) if use is None else use(*option.targets)

    # Special cards.

    def _start_fifth_row(self) -> float:
        row = light_row([self._card], Anniversary.row_limit, Anniversary.row_count)
        return self._end(self._trick([*self._rows.values(), row]), self._plays[1:])

    def _lay_seven(self, number: int) -> float:
        row = with_room(self._rows[number - 1])
        return self._end(self._trick([*all_but(self._rows, number - 1), row]), self._plays)

    def _insert(self, number: int) -> float:
        trick = self._trick(all_but(self._rows, number - 1))
        trick.lay(with_card(self._rows[number - 1], self._card), self._seat)
        return self._end(trick, self._plays[1:])

    def _replace(self, card: Card) -> float:
        plays = [(card, self._seat), *self._plays[1:]]
        return self._end(self._trick(self._rows.values()), plays, back=self._card)

    def _after_shift(self, source: LightRow, goal: LightRow) -> float:
        """Play on with the row that a card has left and the one that it went to."""
        _, count, _, _, home = source
        # ANN-17: the played card starts an emptied row.
        rows = {**self._rows, home: source if count else with_card(source, self._card)}
        del rows[goal[-1]]
        trick = self._trick(rows.values())
        trick.lay(goal, self._seat)
        return self._end(trick, self._plays if count else self._plays[1:])

    def _stop(self, number: int) -> float:
        stopped = (*self._stopped, self._rows[number - 1])
        return self._end(self._trick(all_but(self._rows, number - 1), stopped), self._plays)

    # The trick.

    def _trick(self, rows: Iterable[LightRow], stopped: Sequence[LightRow] | None = None) -> AnniversaryTrick:
        """Return the trick with these rows and, if not told otherwise, the Stops that lie already."""
        return AnniversaryTrick(rows, self._stopped if stopped is None else stopped, self._position.players)

    def _end(self, trick: AnniversaryTrick, plays: Plays, used: bool = True, back: Card = 0) -> float:
        """Place what is left; `back` is a card that went back to the hand."""
        if self._last_cards:
            self._place_last_cards(trick, plays, used, back)
        else:
            trick.place(plays)
        return ahead_of_others(trick.charged, self._seat)

    def _place_last_cards(self, trick: AnniversaryTrick, plays: Plays, used: bool, back: Card) -> None:
        """Last cards play themselves, until somebody is asked about a special card, a swap or a row."""
        held = [len(names) for names in self._position.specials]
        held[self._seat] -= used
        trick.place(plays[:-1])
        if plays:
            trick.taker = None
            trick.place(plays[-1:])
        # Swaps are asked for in between too, but only this one is looked at no further: the table is empty.
        if trick.taker is not None and held[trick.taker]:
            return
        hands = [card for (card,) in self._position.hands]
        hands[self._seat] = back or hands[self._seat]
        for card, seat in sorted((card, seat) for seat, card in enumerate(hands)):
            if held[seat] or trick.is_low(card):
                return
            trick.place([(card, seat)])

"""Double: two of every card; twins lie on each other and count as one."""

from bullpen.engine import Card, Choice, Furniture, Option, Played, Position, Seat, TakeRow
from bullpen.engine.events import Placed, RowsStarted, Shared
from bullpen.rulesets.base import END, PILES, PLACE_NEXT, Base

DECK = Option("double.deck", 208, "Two whole decks, or one and the twins 11, 22 … 99.", (208, 113))
CHOOSER = Option(
    "double.lowChooser", "lowerTotal",
    "For a low pair: the lower total at the start of the round, the lower seat, or nobody chooses.",
    ("lowerTotal", "seat", "cheapestRow"),
)  # fmt: skip


class Double(Base[Position]):
    """A row holds five positions, each a card or two twins, which are neighbours in the list of the row."""

    id = "double"
    number = 9
    name = "Double"
    source = "Take 6! with eight variants (R6), variant 8"
    summary = "Two decks: equal cards lie on each other, count as one, and share what they take."
    player_range = range(2, 11)  # DBL-11
    offers = (*END, PILES, DECK, CHOOSER)
    furniture = Furniture(twins=True)

    def deck(self) -> list[Card]:
        """Two decks, or one with the twins of the multiples of eleven (DBL-10)."""
        second = range(1, 105) if self.options[DECK.key] == 208 else range(11, 100, 11)
        return [*range(1, 105), *second]

    def start_rows(self, position: Position) -> None:
        """A start card equal to one that lies there is laid on it; go on until four rows exist (DBL-8)."""
        rows: dict[Card, list[Card]] = {}
        while len(rows) < self.row_count:
            card = position.deck.pop(0)
            rows.setdefault(card, []).append(card)
        position.rows = list(rows.values())
        position.happened(RowsStarted(tuple(tuple(row) for row in position.rows)))

    def positions(self, row: list[Card]) -> list[list[Card]]:
        """A row as its positions.

        >>> Double(2).positions([7, 20, 20, 31])
        [[7], [20, 20], [31]]
        """
        return [[card] * row.count(card) for card in dict.fromkeys(row)]

    def is_full(self, position: Position, row: int) -> bool:
        """Five positions, however many cards (DBL-2)."""
        return len(set(position.rows[row])) >= self.row_limit

    def table_size(self) -> tuple[int, int]:
        """Every card of a row can have its twin."""
        return self.row_count, 2 * self.row_limit

    def options_commit(self, position: Position, seat: Seat) -> tuple[Choice, ...]:
        """Any number of the hand: of twins in one hand, one is played now and one later (DBL-12)."""
        return tuple(dict.fromkeys(super().options_commit(position, seat)))

    def waits(self, position: Position, kind: str, seat: Seat) -> bool:
        """A hand of twins alone has no choice, but going on at once would tell what else is in it."""
        return kind == "commit" and len(position.hands[seat]) > 1

    # A unit: the twins of one trick are placed together (DBL-1).

    def unit(self, position: Position) -> list[Played]:
        """The card to be placed, with its twin if both were played."""
        return [played for played in position.table[:2] if played.card == position.table[0].card]

    def place_next(self, position: Position) -> None:
        """On top of an equal end, whatever the length of the row (DBL-4, DBL-9); else as ever."""
        ends = [row[-1] for row in position.rows]
        if position.table and position.table[0].card in ends:
            position.next(PLACE_NEXT)
            self.put(position, ends.index(position.table[0].card))
        else:
            # DBL-6: a twin inside a row attracts nothing.
            super().place_next(position)

    def put(self, position: Position, row: int) -> None:
        """Lay the whole unit into one position (DBL-13)."""
        cards = position.rows[row]
        for played in self.unit(position):
            cards.append(played.card)
            position.table.pop(0)
            position.happened(Placed(played.seat, played.card, row, len(set(cards)) - 1))

    def take(self, position: Position, row: int, why: str) -> None:
        """Two owners take together: each is charged half the bullheads, rounded up (DBL-3)."""
        seats = tuple(sorted(played.seat for played in self.unit(position)))
        if len(seats) == 1:
            super().take(position, row, why)
            return
        cards = position.rows[row]
        heads = self.bullheads(cards)
        charged = (heads + 1) // 2
        for seat in seats:
            position.points[seat] += charged
        # DBL-7: scores are numbers; the cards of a shared row belong to nobody.
        position.aside += cards
        position.happened(Shared(seats, row, tuple(cards), heads, charged, why))
        position.rows[row] = []
        self.put(position, row)

    def choose_row(self, position: Position, played: Played) -> None:
        """For a low pair one owner chooses for both (DBL-5)."""
        owners = [twin.seat for twin in self.unit(position)]
        super().choose_row(position, Played(played.card, self.chooser(position, owners), played.value))

    def chooser(self, position: Position, owners: list[Seat]) -> Seat:
        """The owner with the lower total before the round, on equality the lower seat; or simply that one."""
        by_total = self.options[CHOOSER.key] == "lowerTotal"
        return min(owners, key=lambda seat: (position.scores[seat] if by_total else 0, seat))

    def options_choose_row(self, position: Position, seat: Seat, card: Card) -> tuple[Choice, ...]:
        """Any row; but a low pair may be bound to the cheapest one (DBL-5)."""
        if len(self.unit(position)) == 2 and self.options[CHOOSER.key] == "cheapestRow":
            costs = [self.bullheads(row) for row in position.rows]
            return (TakeRow(costs.index(min(costs))),)
        return super().options_choose_row(position, seat, card)

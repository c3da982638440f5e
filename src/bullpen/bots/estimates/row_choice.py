"""Which row to take, or to join, without search: the cheapest now, or nearly."""

from bullpen.engine import Choice, JoinRow, TakeRow, View, bullheads


def cheapest_row(view: View, choices: tuple[Choice, ...]) -> Choice:
    """Return the choice that costs the fewest bullheads now, the topmost row of equals."""

    def price(choice: Choice) -> tuple[int, int]:
        assert isinstance(choice, (TakeRow, JoinRow))
        cards = view.rows[choice.row]
        taken = isinstance(choice, TakeRow) or len(cards) >= 5
        return bullheads(*cards) if taken else 0, choice.row

    return min(choices, key=price)


def handy_row(view: View, choices: tuple[Choice, ...]) -> Choice:
    """Return a cheapest row; of rows that differ little, the fuller one, since the others can use it less."""

    def price(choice: Choice) -> tuple[float, int]:
        assert isinstance(choice, (TakeRow, JoinRow))
        cards = view.rows[choice.row]
        if isinstance(choice, JoinRow):
            full = len(cards) >= 5
            return (bullheads(*cards) if full else 0.3 * len(cards)), choice.row
        return bullheads(*cards) - FULLER * len(cards), choice.row

    return min(choices, key=price)


FULLER = 0.25
"""What it is worth, in bullheads, to clear one more card off the table."""

"""What a decision is called, how exact a player was, and reasons in English."""

from bullpen.analysis.shapes import Reason, Word

BEST, GOOD, INACCURACY, MISTAKE = 0.1, 0.5, 1.2, 2.5
"""Up to how many bullheads a decision may cost to be called that; beyond the last it is a blunder.

In other games these are multiplied by how much more results spread there (`rounds.scale`).
"""
HALVED = 1.5
"""How many bullheads given away halve a decision's accuracy."""


def word_for(cost: float, scale: float = 1.0) -> Word:
    """Return what a decision of that cost is called.

    >>> [word_for(cost) for cost in (0, 0.3, 1, 2, 3)]
    ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
    """
    words: tuple[tuple[float, Word], ...] = (
        (BEST, "best"),
        (GOOD, "good"),
        (INACCURACY, "inaccuracy"),
        (MISTAKE, "mistake"),
    )
    return next((word for limit, word in words if cost <= limit * scale), "blunder")


def accuracy_of(cost: float, scale: float = 1.0) -> float:
    """Return how exact a decision of that cost is, from 0 to 100.

    >>> accuracy_of(0), accuracy_of(1.5), accuracy_of(3)
    (100.0, 50.0, 25.0)
    """
    return float(100 * 2 ** (-cost / (HALVED * scale)))


SENTENCES = {
    "room": "row {row} has room for {room}",
    "full": "row {row} is full: {bullheads} bullheads",
    "between": "{count} unseen cards lie between {end} and {card}",
    "lowest": "{card} fits no row; the cheapest costs {bullheads}",
    "taking": "takes with {chance:.0%}, about {bullheads:.1f} bullheads",
    "costs": "row {row}: {bullheads} bullheads, {cards} cards",
    "goes": "{card} goes to row {row}",
    "scores": "{card} goes to row {row}: {points:+} points",
    "takes": "{card} goes to row {row} and takes {bullheads} bullheads",
    "winning": "best of the round with {chance:.0%}",
    "behind": "{amount:.2f} worse than the best",
    "ahead": "{amount:.2f} better than the next",
}


def sentence(reason: Reason) -> str:
    """Return a reason in English; one of a kind that is not known here is told by its name.

    >>> sentence(Reason("room", {"row": 3, "room": 2}))
    'row 3 has room for 2'
    """
    return SENTENCES.get(reason.kind, reason.kind).format(**reason.numbers)

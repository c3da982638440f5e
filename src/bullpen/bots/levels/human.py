"""`human`: habits that beginners are thought to have, for an analysis to play against.

All of it is assumption, and nothing was fitted to games of people (docs/bots-thinking.md). People look at
the rows and not at what others may hold, trust a small gap, keep away from a row whose next card takes
it, save their lowest and highest cards, and the more cards they hold the less carefully they compare
them.
"""

from math import log
from random import Random

from bullpen.bots.estimates.catchment import catchment, rooms
from bullpen.bots.estimates.risk import swapped
from bullpen.bots.registry import Mind
from bullpen.engine import Choice, PlayCard, View, bullheads

STEP = 0.06
"""What a step between the row's end and the card is feared to cost in a row of one card, in bullheads."""
NEARLY_FULL = 1.0
"""What it is feared to cost to lay the fifth card, after which the next one takes the row."""
TREASURED = 0.1
"""The share of the deck, at its lower and at its upper end, whose cards are saved for later."""
SAVED = 1.5
"""How much dearer such a card seems with ten cards in hand, in bullheads."""
HASTE = 0.8
"""How many bullheads two cards may differ by and still be nearly alike to somebody with ten cards in hand."""
CARDS = 104
TINY = 1e-12


def best_card(view: View, choices: tuple[Choice, ...], mind: Mind) -> Choice:
    """Play what looks cheapest at a glance."""
    catch, _ = catchment(view)
    room = rooms(view)
    heads = [bullheads(*cards) for cards in view.rows]
    left = len(view.hand) / 10

    def fear(choice: Choice) -> float:
        assert isinstance(choice, PlayCard)
        value = swapped(view, choice.card) if choice.flipped else choice.card
        edge = min(value, CARDS + 1 - value) <= TREASURED * CARDS
        cost = SAVED * left * edge + choice.flipped
        for row, mask in enumerate(catch):
            if mask >> value & 1:
                if room[row] <= 0:
                    return cost + heads[row]
                steps = abs(value - view.rows[row][-1])
                return cost + STEP * steps * (5 - room[row]) + NEARLY_FULL * (room[row] == 1)
        return cost + min(heads)

    return hasty_choice(choices, [fear(choice) for choice in choices], HASTE * left, mind.rng)


def hasty_choice(choices: tuple[Choice, ...], costs: list[float], haste: float, rng: Random) -> Choice:
    """Return a choice that costs little: of those that differ by little compared with `haste`, any.

    The least of costs with this noise (Gumbel's) is drawn with the chances of a softmax.
    """
    felt = [cost + haste * log(-log(rng.random() + TINY) + TINY) for cost in costs]
    return choices[felt.index(min(felt))]

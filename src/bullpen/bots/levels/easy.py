"""`easy`: a careful beginner, who looks at the rows and not at the cards that others may hold."""

from bullpen.bots.estimates.catchment import catchment, rooms
from bullpen.bots.estimates.risk import swapped
from bullpen.bots.registry import Mind
from bullpen.engine import Choice, PlayCard, View, bullheads

SLIP = 0.12
"""How often a beginner plays any card, having overlooked something."""
NEARNESS = 0.06
"""What a step between the row's end and the card is feared to cost, in bullheads."""


def best_card(view: View, choices: tuple[Choice, ...], mind: Mind) -> Choice:
    """Play close to a row that has room; a full row or a card too low counts at its full price."""
    if mind.rng.random() < SLIP:
        return mind.rng.choice(choices)
    catch, _ = catchment(view)
    room = rooms(view)
    heads = [bullheads(*cards) for cards in view.rows]

    def fear(choice: Choice) -> float:
        assert isinstance(choice, PlayCard)
        value = swapped(view, choice.card) if choice.flipped else choice.card
        for row, mask in enumerate(catch):
            if mask >> value & 1:
                if room[row] <= 0:
                    return heads[row]
                steps = abs(value - view.rows[row][-1])
                return min(heads[row], NEARNESS * steps * (5 - room[row])) + choice.flipped
        return min(heads)

    return min(choices, key=fear)

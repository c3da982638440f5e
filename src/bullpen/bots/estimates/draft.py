"""Picking cards in Logic without search."""

from bullpen.engine import Choice, Draft, View


def spread_pick(view: View, choices: tuple[Choice, ...]) -> Choice:
    """Pick the card farthest from those in hand: hands that reach everywhere have an answer to most rows."""
    top = 10 * view.players + 4
    hand = [*view.hand, 0, top + 1] if view.hand else [0, top + 1]

    def distance(choice: Choice) -> tuple[int, int]:
        assert isinstance(choice, Draft)
        return min(abs(choice.card - card) for card in hand), choice.card

    return max(choices, key=distance)

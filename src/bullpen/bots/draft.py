"""Picking cards in Logic: plain, by what a card is worth, and by what the network makes of the whole hand."""

import random
from importlib import import_module

from bullpen.bots.registry import Mind
from bullpen.engine import Choice, Draft, View

COMPLETIONS = 24
"""How often the rest of the draft is imagined for every pick."""
CANDIDATES = 14
"""How many cards are looked at closely; with more on display, evenly spread ones."""


def spread_pick(view: View, choices: tuple[Choice, ...]) -> Choice:
    """Pick the card farthest from those in hand: hands that reach everywhere have an answer to most rows."""
    top = 10 * view.players + 4
    hand = [*view.hand, 0, top + 1] if view.hand else [0, top + 1]

    def distance(choice: Choice) -> tuple[int, int]:
        assert isinstance(choice, Draft)
        return min(abs(choice.card - card) for card in hand), choice.card

    return max(choices, key=distance)


def imagined_deals(view: View, pick: int, rng: random.Random) -> tuple[list[int], list[int]]:
    """Return a hand and start rows as they could come about after a pick, everybody picking at random."""
    left = [card for card in _display(view) if card != pick]
    rng.shuffle(left)
    missing = 10 - len(view.hand) - 1
    return [*view.hand, pick, *left[4 : 4 + missing]], sorted(left[:4])


def _display(view: View) -> list[int]:
    assert view.ask is not None
    return [choice.card for choice in view.ask.options if isinstance(choice, Draft)]


def shortlist(choices: tuple[Choice, ...]) -> list[Choice]:
    """Return some of the choices, evenly spread."""
    step = max(1, len(choices) / CANDIDATES)
    return [choices[int(i * step)] for i in range(min(len(choices), CANDIDATES))]


def valued_pick(view: View, choices: tuple[Choice, ...], mind: Mind) -> Choice:
    """Pick what the network thinks leads to the cheapest round, whatever the rest of the draft brings."""
    picks = shortlist(choices)
    deals = []
    for choice in picks:
        assert isinstance(choice, Draft)
        # The same imagined drafts for every candidate, so that only the pick makes the difference.
        rng = random.Random(mind.seed)
        deals += [imagined_deals(view, choice.card, rng) for _ in range(COMPLETIONS)]
    openings = import_module("bullpen.bots.openings")
    values = openings.opening_values(view.players, deals)
    means = [sum(values[i * COMPLETIONS : (i + 1) * COMPLETIONS]) for i in range(len(picks))]
    return picks[means.index(min(means))]

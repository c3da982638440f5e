"""Picking cards in Logic by what the network makes of the whole hand, before the first card is played."""

import random
from collections.abc import Sequence

import numpy as np

from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for, value_at_root
from bullpen.bots.search.decision import decision_after_deal
from bullpen.bots.search.trial import new_desk
from bullpen.engine import Choice, Draft, View
from bullpen.fast.games import plan_for

COMPLETIONS = 24
"""How often the rest of the draft is imagined for every pick."""
CANDIDATES = 14
"""How many cards are looked at closely; with more on display, evenly spread ones."""


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
    values = opening_values(view.players, deals)
    means = [sum(values[i * COMPLETIONS : (i + 1) * COMPLETIONS]) for i in range(len(picks))]
    return picks[means.index(min(means))]


def opening_values(players: int, deals: Sequence[tuple[list[int], list[int]]]) -> list[float]:
    """Return what a round is expected to cost a seat with each hand and start rows."""
    plan = plan_for("logic", players, {"logic.maxPlayers": 10})
    brain, desk = brain_for("logic", players), new_desk(players)
    values = []
    for hand, rows in deals:
        decision = decision_after_deal(plan, np.array(hand, np.uint8), rows)
        values.append(value_at_root(plan, decision, desk, brain))
    return values

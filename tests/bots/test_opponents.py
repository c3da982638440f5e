"""How the expert's search lets the others choose: any card, by habit, as the network would."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from bullpen import bots
from bullpen.bots.compiled import piece
from bullpen.bots.network.features import WILD, describe
from bullpen.bots.network.network import plain_worth
from bullpen.bots.search.brain import brain_for
from bullpen.bots.search.decision import ROOT, question
from bullpen.bots.search.regret import HEAT, draw_choice, new_regrets
from bullpen.bots.search.trial import hand_of, imagine_hands, list_options, new_desk
from bullpen.engine import Seeded, View, new_game, submit, view
from bullpen.fast.chance import U, stream
from bullpen.fast.convert import number_of
from bullpen.rulesets import make
from tests.bots.tables import one_round

DRAWS = 2000
OTHER = 1
"""The opponent that is looked at; its hand is shown to the search, so that its choice can be known."""


# Compiled anew in every run: a cache would not notice that what is called here has changed.
@piece
def draw_often(plan: Any, decision: Any, desk: Any, brain: Any, regrets: Any, found: Any) -> int:
    for i in range(found.size):
        desk.states[0] = stream(U(7), U(i))
        imagine_hands(plan, decision, desk)
        list_options(plan, decision, desk, brain.eyes, OTHER)
        draw_choice(plan, decision, desk, brain, regrets, OTHER)
        found[i] = desk.chosen[OTHER]
    return describe(
        plan.code, decision.table, ROOT, brain.eyes, hand_of(plan, decision, desk, OTHER), brain.layers.inputs
    )


def drawn(mine: View, theirs: View, wild: float, habitual: float) -> tuple[Counter[int], Any, int]:
    """Return how often an opponent with a known hand chose what, the brain, and how many plays it saw."""
    assert mine.ask is not None
    asked = question(mine, mine.ask.options)
    decision = asked.decision._replace(
        wild=np.where(np.arange(mine.players) == OTHER, wild, 0.0),
        habitual=habitual,
        known=asked.decision.known | (np.arange(mine.players) == OTHER),
    )
    decision.hands[OTHER, : len(theirs.hand)] = theirs.hand
    found, brain = np.zeros(DRAWS, np.int64), brain_for(mine.game, mine.players)
    size = draw_often(asked.plan, decision, new_desk(mine.players), brain, new_regrets(), found)
    return Counter(found.tolist()), brain, size


def moments(seed: int, game: str = "base") -> list[tuple[View, View]]:
    """Return what seat 0 and the other see whenever all choose cards, in a round played at random."""
    rules, chance, rng = make(game, 4, one_round(game)), Seeded(seed), random.Random(seed)
    position, _ = new_game(rules, chance)
    found = []
    while position.asks:
        ask = position.open_asks[0]
        if ask.seats[0] == 0 and ask.kind == "commit" and len(ask.options) > 1:
            found.append((view(rules, position, 0), view(rules, position, OTHER)))
        position, _ = submit(rules, position, ask.seats[0], rng.choice(ask.options), chance)
    return found


def test_a_wild_opponent_plays_any_card_alike() -> None:
    mine, theirs = moments(1)[0]
    counts, _, _ = drawn(mine, theirs, wild=1.0, habitual=1.0)
    assert set(counts) == set(theirs.hand)
    expected = DRAWS / len(theirs.hand)
    assert (
        sum((count - expected) ** 2 / expected for count in counts.values()) < 27.9
    )  # 0.1 % of chi-squared, 9


def chances(net: Any, inputs: Any, size: int) -> Any:
    """Return how often each play should be drawn: a softmax of what the network says they cost."""
    _, costs = plain_worth(net, inputs.plays[:size], inputs.scene)
    powers = np.exp(-(costs - costs.min()) / HEAT)
    return powers / powers.sum()


def test_an_opponent_of_habits_plays_as_often_as_its_network_says() -> None:
    for mine, theirs in moments(2)[:6]:
        counts, brain, size = drawn(mine, theirs, wild=0.0, habitual=1.0)
        brain.layers.inputs.scene[WILD] = 0.0
        expected = chances(brain.habits, brain.layers.inputs, size)
        found = np.array([counts[int(card)] for card in brain.eyes.cards[:size]]) / DRAWS
        assert np.abs(found - expected).max() < 4 * (0.25 / DRAWS) ** 0.5


def test_habits_are_what_the_levels_play_more_often_than_chance_would() -> None:
    hits = fair = 0.0
    for mine, theirs in [pair for seed in range(4) for pair in moments(seed)]:
        assert theirs.ask is not None
        counts, _, _ = drawn(mine, theirs, wild=0.0, habitual=1.0)
        hits += counts[number_of(bots.player("hard", 1).choose(theirs, theirs.ask))] / DRAWS
        fair += 1 / len(theirs.hand)
    assert hits > 1.5 * fair


def test_others_play_what_the_network_finds_best_more_often_than_anything_else() -> None:
    for mine, theirs in moments(3)[:6]:
        counts, brain, size = drawn(mine, theirs, wild=0.0, habitual=0.0)
        _, costs = plain_worth(brain.net, brain.layers.inputs.plays[:size], brain.layers.inputs.scene)
        best = int(brain.eyes.cards[int(np.argmin(costs))])
        assert counts.most_common(1)[0][1] == pytest.approx(counts[best], abs=0.1 * DRAWS)
        # Half of the time regrets decide, of which there are none yet: any card alike.
        assert min(counts[card] for card in theirs.hand) > 0.25 * DRAWS / len(theirs.hand)

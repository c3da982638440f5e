"""`expert` in games with special cards: number cards are searched as cards of the base game.

A special card bends the placement of one card; what a hand of number cards costs is mostly what it would
cost in the base game. So the rows that are open are laid out as rows of that game, with as much room and
as many bullheads, and its network and its search do the rest. A row that is stopped is not there; of five
the one that fewest cards go to is left out.
"""

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from bullpen.bots.heuristics import Heuristic
from bullpen.bots.heuristics.card_cost import Row, bits, count_between
from bullpen.bots.levels import expert
from bullpen.bots.registry import Mind
from bullpen.bots.search.any_game import rules_for, weigh
from bullpen.bots.search.decision import ROOT, Question, decision_with
from bullpen.engine import Ask, Card, Choice, View, imagine
from bullpen.fast.convert import number_of
from bullpen.fast.errors import NotCovered
from bullpen.fast.games import plan_for
from bullpen.fast.rollout import MOST
from bullpen.fast.rules import Table

GAME = "base"
ROWS, FULL = 4, 5
BEYOND, PRICELESS = 105, 30
"""The end of a row that is not there, behind which no card goes, and its price, which nobody pays."""


def best_card(
    view: View, ask: Ask, mind: Mind, heuristic: Heuristic, say: float = 0.0, wild: int = 0
) -> Choice:
    """Return the card that costs least by the base game's search and, as far as it has a say, the heuristic.

    The last `wild` of those who play a card with us play any.
    """
    asked = question_in_base(view, ask.options, mind.rng, heuristic, wild)
    costs = expert.costs_with_opinion(asked, GAME, expert.search(asked, GAME, mind, expert.VALUES))
    for number, cost in zip(asked.options, weigh(view, ask, mind, heuristic), strict=True):
        costs[number] += say * cost
    return asked.options[min(costs, key=lambda number: (costs[number], number))]


def question_in_base(
    view: View, options: Sequence[Choice], rng: random.Random, heuristic: Heuristic, wild: int
) -> Question:
    """Return the choice of a number card as one of the base game, if all hands can be as large as ours."""
    assert view.seat is not None
    rules = rules_for(view)
    position: Any = imagine(rules, view, rng)
    unseen = heuristic.unseen(rules, position, view.seat)
    plan = plan_for(GAME, 1 + heuristic.others(rules))
    pool = [card for card in range(1, plan.size + 1) if unseen >> card & 1]
    if len(view.hand) > MOST or len(pool) < len(view.hand) * (plan.players - 1):
        raise NotCovered("Hands that no deal can have brought are not searched as those of the base game.")
    decision = decision_with(plan, np.array(view.hand, np.uint8), pool)
    decision.wild[plan.players - wild :] = 1.0
    rows = nearest_rows(heuristic.rows(rules, position), view.hand, unseen)
    lay_rows(decision.table, rows, {cards[-1]: cards[0] for cards in position.rows if cards})
    return Question(plan, decision, {number_of(choice): choice for choice in options})


def nearest_rows(rows: Sequence[Row], hand: Sequence[Card], unseen: int) -> list[Row]:
    """Return the rows, of five those that most cards go to; cards of the own hand count three times.

    >>> five = [Row(end, room=3, heads=4) for end in (10, 20, 21, 60, 80)]
    >>> [row.end for row in nearest_rows(five, hand=[15], unseen=bits([22, 61, 90]))]
    [10, 21, 60, 80]
    """
    kept, own = list(rows), bits(hand)
    while len(kept) > ROWS:
        ends = [*(row.end for row in kept), BEYOND]
        caught = [3 * count_between(own, *gap) + count_between(unseen, *gap) for gap in pairwise(ends)]
        del kept[caught.index(min(caught))]
    return kept


def lay_rows(table: Table, rows: Sequence[Row], firsts: Mapping[Card, Card]) -> None:
    """Lay rows out on the root table, and in place of those that are stopped some that nobody can use."""
    missing = [Row(BEYOND, 0, PRICELESS)] * (ROWS - len(rows))
    for place, row in enumerate([*rows, *missing]):
        table.rows[ROOT, place, 0] = firsts.get(row.end, row.end)
        table.ends[ROOT, place] = row.end
        table.counts[ROOT, place] = FULL - row.room
        table.heads[ROOT, place] = row.heads

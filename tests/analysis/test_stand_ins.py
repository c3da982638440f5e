"""In playouts `medium` and `human` choose as those bots do; compiled, they are tried on real views."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import bullpen
from bullpen.analysis.compiled.foresight import foreseen_cost, foresight_for, look_at_rows
from bullpen.analysis.compiled.playouts import tempting
from bullpen.bots import player
from bullpen.bots.compiled import kernel
from bullpen.bots.estimates.compiled_view import catch_rows, list_plays, new_eyes
from bullpen.bots.estimates.foresight import foresee
from bullpen.bots.search.decision import ROOT, question
from bullpen.bots.search.trial import hand_of, imagine_hands, new_desk
from bullpen.engine import PlayCard, View


@kernel
def foreseen_costs(plan: Any, decision: Any, desk: Any, eyes: Any, told: Any, costs: Any) -> None:
    imagine_hands(plan, decision, desk)
    me = hand_of(plan, decision, desk, decision.seat)
    look_at_rows(told, decision.table, ROOT)
    size = list_plays(eyes, me)
    for i in range(size):
        costs[eyes.cards[i]] = foreseen_cost(told, eyes, me, size, i)


@kernel
def tempted(plan: Any, decision: Any, desk: Any, eyes: Any, times: Any) -> None:
    imagine_hands(plan, decision, desk)
    me = hand_of(plan, decision, desk, decision.seat)
    catch_rows(plan.code, decision.table, ROOT, eyes.catch)
    for k in range(times.size):
        times[k] = eyes.cards[tempting(plan.code, decision.table, ROOT, eyes, me, desk.states)]


def views(players: int, count: int) -> Iterator[View]:
    """Yield views of seats that choose a card, from a game of `medium`."""
    running, bot = bullpen.new_game("base", players=players, seed=players), player("medium", 1)
    while count and not running.over:
        ask = running.asks[0]
        seen = running.view(ask.seats[0])
        if ask.kind == "commit" and len(ask.options) > 1:
            count -= 1
            yield seen
        running.choose(ask.seats[0], bot.choose(seen, ask))


@pytest.mark.parametrize("players", [2, 4, 10])
def test_medium_foresees_in_playouts_what_it_does_at_a_table(players: int) -> None:
    for seen in views(players, 60):
        assert seen.ask is not None
        asked, costs = question(seen, seen.ask.options), np.zeros(128)
        told = foresight_for(seen, len(seen.hand))
        foreseen_costs(asked.plan, asked.decision, new_desk(players), new_eyes(), told, costs)
        cards = [option.card for option in seen.ask.options if isinstance(option, PlayCard)]
        assert costs[cards] == pytest.approx(foresee(seen, seen.ask.options), abs=1e-9)


def test_where_medium_does_not_foresee_playouts_do_not_either() -> None:
    assert foresight_for(bullpen.new_game("tactics", players=3, seed=1).view(0), 10).bias.size == 0


def test_people_are_tempted_in_playouts_by_what_tempts_them_at_a_table() -> None:
    tries = 2_000
    for seen in list(views(4, 40))[::13]:
        assert seen.ask is not None
        asked, times = question(seen, seen.ask.options), np.zeros(tries, np.int64)
        tempted(asked.plan, asked.decision, new_desk(4), new_eyes(), times)
        real = Counter(player("human", seed).choose(seen, seen.ask).notation for seed in range(tries))
        compiled = Counter(str(card) for card in times.tolist())
        for notation in {*real, *compiled}:
            assert real[notation] / tries == pytest.approx(compiled[notation] / tries, abs=0.06)

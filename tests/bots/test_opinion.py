"""What `expert` makes of a search in the end: what came out of it, and the network's own opinion."""

import numpy as np
import pytest

from bullpen.bots.levels import expert, hard
from bullpen.bots.network.network import plain_worth
from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for, opinion_of_plays
from bullpen.bots.search.decision import Question, question
from bullpen.bots.search.regret import Regrets, Span, new_regrets
from bullpen.engine import PlayCard, View
from tests.bots.situations import views


def seen_in(game: str) -> View:
    """Return what seat 0 sees before the fourth trick of a round that was played at random so far."""
    return views(game, 4, seed=6)[3]


def asked_of(seen: View) -> Question:
    """Return the question that a seat is asked."""
    assert seen.ask is not None
    return question(seen, seen.ask.options)


def searched(asked: Question, costs: dict[int, float], iterations: int = 200) -> Regrets:
    """Return what a search learned that found these costs, and chose every option alike."""
    learned = new_regrets()
    weight = iterations * (iterations + 1) / 2
    for number in asked.options:
        learned.chosen[number] = weight / len(asked.options)
        learned.costs[number] = weight * costs[number]
    return learned


@pytest.mark.parametrize("game", ["base", "flippin-digits"])
def test_an_opinion_is_what_the_network_says_of_each_play(game: str) -> None:
    asked = asked_of(seen_in(game))
    brain = brain_for(game, 4)
    told = opinion_of_plays(asked, brain)
    inputs = brain.layers.inputs
    _, plays = plain_worth(brain.net, inputs.plays[: len(told)], inputs.scene)
    assert set(told) == set(asked.options)
    assert list(told.values()) == pytest.approx(plays.tolist(), abs=1e-3)


def test_if_a_search_finds_all_alike_the_network_decides() -> None:
    asked = asked_of(seen_in("base"))
    told = opinion_of_plays(asked, brain_for("base", 4))
    best = min(told, key=lambda number: (told[number], number))
    alike = searched(asked, dict.fromkeys(told, 5.0))
    assert expert.conclude(asked, "base", alike) == PlayCard(best)


def test_the_opinion_counts_for_some_iterations_and_no_more() -> None:
    asked = asked_of(seen_in("base"))
    told = opinion_of_plays(asked, brain_for("base", 4))
    worst = max(told, key=lambda number: told[number])
    gap = told[worst] - min(told.values())
    share = expert.OPINION / 200
    for by, wins in ((1.1 * share * gap, True), (0.4 * share * gap, False)):
        costs = {number: 5.0 - by * (number == worst) for number in told}
        assert (expert.conclude(asked, "base", searched(asked, costs)) == PlayCard(worst)) is wins


@pytest.mark.parametrize(("game", "players"), [("professional", 4), ("two-halves", 6)])
def test_where_the_network_has_no_say_the_choice_is_what_was_chosen_most(game: str, players: int) -> None:
    asked = asked_of(views(game, players, seed=6)[3])
    learned = new_regrets()
    first, last = min(asked.options), max(asked.options)
    learned.chosen[last] = 3.0
    learned.chosen[first] = 2.0
    assert expert.conclude(asked, game, learned) == asked.options[last]


@pytest.mark.parametrize("players", [7, 10])
def test_at_crowded_tables_of_two_halves_the_network_has_a_say(players: int) -> None:
    asked = asked_of(views("two-halves", players, seed=6)[1])
    told = opinion_of_plays(asked, brain_for("two-halves", players))
    best = min(told, key=lambda number: (told[number], number))
    assert len(told) > 1
    alike = searched(asked, dict.fromkeys(told, 5.0))
    assert expert.conclude(asked, "two-halves", alike) == PlayCard(best)


def test_iterations_come_in_parts_without_a_gap() -> None:
    seen = seen_in("base")
    assert seen.ask is not None
    parts: list[Span] = []
    expert.go_through(40, Mind(1, seen, seen.ask), parts.append)
    assert [(part.first, part.last) for part in parts] == [(0, 16), (16, 32), (32, 40)]
    assert len({np.uint64(part.seed) for part in parts}) == 1


def test_thinking_ends_with_the_part_in_which_it_is_told_to() -> None:
    seen = seen_in("base")
    assert seen.ask is not None
    parts: list[Span] = []
    expert.go_through(400, Mind(1, seen, seen.ask, stop=lambda: len(parts) == 2), parts.append)
    assert len(parts) == 2


def test_with_three_players_hard_asks_the_small_network_too() -> None:
    seen = views("base", 3, seed=6)[3]
    asked = asked_of(seen)
    told = hard.opinions(asked, 0.5)
    said = opinion_of_plays(asked, brain_for(hard.ADVISER, 3))
    assert told == pytest.approx({card: 0.5 * said[card] for card in asked.options})
    assert set(hard.opinions(asked, 0.0).values()) == {0.0}
    assert [table for table, effort in hard.EFFORTS.items() if effort.opinion] == [("base", 3)]


def test_what_the_small_network_says_is_weighed_against_the_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = views("base", 3, seed=6)[3]
    assert seen.ask is not None
    options, mind = seen.ask.options, Mind(1, seen, seen.ask)
    for card in seen.hand[:3]:

        def certain(asked: Question, _weight: float, dear: int = card) -> dict[int, float]:
            return {choice: 0.0 if choice == dear else 1000.0 for choice in asked.options}

        monkeypatch.setattr(hard, "opinions", certain)
        assert hard.best_card(seen, options, mind) == PlayCard(card)

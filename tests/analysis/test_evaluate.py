"""What evaluate says, and from what."""

import random
from typing import Any

import pytest

import bullpen
from bullpen.analysis import AnalysisError, evaluate
from bullpen.analysis.reasons import Facts
from bullpen.analysis.words import sentence
from bullpen.bots import player
from bullpen.engine import Foreseen, Seeded, new_game, view
from bullpen.rulesets import make


def test_every_option_is_valued_in_the_order_of_the_question() -> None:
    view = bullpen.new_game("base", players=4, seed=7).view(0)
    found = evaluate(view, "quick", against="medium")
    assert view.ask is not None
    assert [option.choice for option in found.options] == [each.notation for each in view.ask.options]
    assert found.best.cost == 0
    assert all(option.cost >= 0 for option in found.options)


def test_differences_of_options_are_known_better_than_their_means() -> None:
    found = evaluate(bullpen.new_game("base", players=4, seed=7).view(0), "quick", against="medium")
    assert found.best.cost_error == 0
    second = found.ranked[1]
    assert 0 < second.cost_error < found.best.error + second.error


def test_the_same_seed_gives_the_same_answer_and_another_one_does_not() -> None:
    view = bullpen.new_game("base", players=4, seed=7).view(0)
    assert evaluate(view, "quick", seed=3) == evaluate(view, "quick", seed=3)
    assert evaluate(view, "quick", seed=3).options != evaluate(view, "quick", seed=4).options


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"effort": "heroic"}, "no effort 'heroic'"),
        ({"against": "nobody"}, "against cannot be 'nobody'"),
        ({"against": ["medium"]}, "against names 1 seats, but 4 play"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(wrong: dict[str, Any], says: str) -> None:
    view = bullpen.new_game("base", players=4, seed=7).view(0)
    with pytest.raises(AnalysisError, match=says):
        evaluate(view, **wrong)


def test_a_spectator_and_a_seat_that_is_not_asked_are_refused() -> None:
    game = bullpen.new_game("base", players=4, seed=7)
    with pytest.raises(AnalysisError, match="spectator"):
        evaluate(game.view(None))
    game.choose(0, game.asks[0].options[0])
    with pytest.raises(AnalysisError, match="Nothing is asked"):
        evaluate(game.view(0))


def test_it_can_be_cancelled_and_says_how_far_it_is() -> None:
    view = bullpen.new_game("base", players=4, seed=7).view(0)
    told: list[float] = []
    found = evaluate(view, "deep", progress=told.append, cancelled=lambda: bool(told))
    assert not found.complete
    assert len(found.options) == 10
    assert told == sorted(told)


@pytest.mark.parametrize("game", bullpen.games())
def test_every_question_of_every_game_can_be_evaluated(game: str) -> None:
    rules = bullpen.games()[game]
    running = bullpen.new_game(game, players=max(2, rules.player_range[0]), seed=3)
    rng, bot, asked = random.Random(1), player("random", 1), set[str]()
    for _ in range(60):
        if running.over:
            break
        ask = rng.choice(running.asks)
        view = running.view(ask.seats[0])
        if ask.kind not in asked:
            asked.add(ask.kind)
            found = evaluate(view, "quick", against="medium")
            assert [option.choice for option in found.options] == [each.notation for each in ask.options]
            told = [reason for option in found.options for reason in option.reasons]
            assert all(sentence(reason) != reason.kind for reason in told)
        running.choose(ask.seats[0], bot.choose(view, ask))
    assert asked


def test_a_row_without_cards_is_no_riddle() -> None:
    rules = make("buffalo", 3)
    position, _ = new_game(rules, Seeded(1))
    facts = Facts(view(rules, position, 0))
    # A card is replaced after its row was taken, before anything lies there.
    facts.seen.position.rows[1] = []
    (reason,) = facts._of_placement(Foreseen(card=15, row=1))
    assert (reason.kind, reason.numbers) == ("room", {"row": 2, "room": 5})

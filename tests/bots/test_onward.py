"""Rounds that are played on: by the rules, with the same chance for every card, and on a budget."""

import random
from typing import Any

import numpy as np
import pytest

from bullpen.bots.compiled import piece
from bullpen.bots.levels import deep
from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for
from bullpen.bots.search.decision import ROOT, TRIAL
from bullpen.bots.search.memory import EXPERT, Guesses, guess_hands, new_guesses, past_of
from bullpen.bots.search.onward import Rest, choose_later, new_rest, play_on, put_out
from bullpen.bots.search.regret import Span
from bullpen.bots.search.trial import copy_table, new_desk
from bullpen.engine import Choice, PlayCard, Position, Seeded, View, apply, bullheads, new_game, view
from bullpen.fast.chance import U
from bullpen.fast.convert import as_set
from bullpen.rulesets import make
from tests.bots.tables import one_round
from tests.bots.test_memory import asked_of, cards_in, views_of_a_round

OTHER = 1


# Compiled anew in every run: a cache would not notice that what is called here has changed.
@piece
def choose_often(plan: Any, decision: Any, desk: Any, brain: Any, rest: Any, seat: int, found: Any) -> None:
    copy_table(decision.table, ROOT, TRIAL)
    for i in range(found.size):
        found[i] = choose_later(plan, decision, desk, brain, rest, (seat, EXPERT))


@piece
def take_out(plan: Any, desk: Any, rest: Any) -> None:
    put_out(plan, desk, rest)


def answer(position: Position, plays: list[int]) -> Choice:
    """Play the cards that are given; a low card takes the topmost of the cheapest rows."""
    ask = position.open_asks[0]
    if ask.kind == "commit":
        return PlayCard(plays[ask.seats[0]])
    return min(ask.options, key=lambda option: bullheads(*position.rows[option.row]))  # type: ignore[attr-defined]


def two_cards_left(players: int, seed: int) -> tuple[Any, Position]:
    """Return a round in which cards were played at random until everybody has two."""
    rules, chance, rng = make("base", players, one_round("base")), Seeded(seed), random.Random(seed)
    position, _ = new_game(rules, chance)
    while any(len(hand) > 2 for hand in position.hands) or position.table:
        ask = position.open_asks[0]
        apply(rules, position, ask, ask.seats[0], rng.choice(ask.options), chance)
    return rules, position


def memory_of(seen: View, guessed: int = 40) -> tuple[Any, Any, Any, Guesses]:
    """Return a question with working memory, networks and guesses."""
    asked, desk, brain = asked_of(seen), new_desk(seen.players), brain_for("base", seen.players)
    guesses = new_guesses(seen.players, guessed)
    past = past_of(seen, asked.decision.hidden)
    guess_hands(asked.plan, asked.decision, past, desk, brain, guesses, U(1))
    return asked, desk, brain, guesses


def played_on(seen: View, cards: list[int], *spans: tuple[int, int]) -> list[float]:
    """Return what cards cost in worlds from here to there."""
    asked, desk, brain, guesses = memory_of(seen)
    rest = new_rest(seen.players, cards)
    for first, last in spans:
        play_on(asked.plan, asked.decision, desk, brain, rest, guesses, Span(first, last, 0, U(9)))
    costs: list[float] = rest.costs.tolist()
    return costs


@pytest.mark.parametrize("players", [2, 4, 7])
@pytest.mark.parametrize("seed", range(6))
def test_the_last_tricks_cost_what_the_engine_says(players: int, seed: int) -> None:
    rules, position = two_cards_left(players, seed)
    seen = view(rules, position, 0)
    asked, desk, brain, guesses = memory_of(seen)
    for seat, hand in enumerate(position.hands):
        asked.decision.hands[seat, :2] = hand
    asked.decision.known[:] = True
    for card in position.hands[0]:
        rest = new_rest(players, [card])
        play_on(asked.plan, asked.decision, desk, brain, rest, guesses, Span(0, 1, 0, U(seed)))
        played = position.copy()
        while played.result is None:
            ask = played.open_asks[0]
            apply(rules, played, ask, ask.seats[0], answer(played, rest.chosen.tolist()), Seeded(0))
        assert played.score_sheet[-1][0] - position.points[0] == rest.costs[0]


def test_worlds_are_the_same_in_parts_and_for_every_card() -> None:
    seen = views_of_a_round(4, seed=6)[5]
    some = seen.hand[:3]
    whole = played_on(seen, some, (0, 24))
    assert played_on(seen, some, (0, 7), (7, 24)) == whole
    assert [played_on(seen, [card], (0, 24))[0] for card in some] == whole
    assert played_on(seen, some, (24, 48)) != whole


def test_a_round_that_is_played_on_ends_with_empty_hands() -> None:
    seen = views_of_a_round(3, seed=4)[2]
    asked, desk, brain, guesses = memory_of(seen)
    rest = new_rest(3, list(seen.hand))
    play_on(asked.plan, asked.decision, desk, brain, rest, guesses, Span(0, 3, 0, U(2)))
    assert not rest.hands.any()
    # Of the cards that nobody has seen the deck is left: what was not dealt.
    assert len(cards_in(*rest.hidden)) == 104 - 30 - 4
    assert (rest.costs >= 0).all()


def later(seen: View, hands: list[list[int]]) -> Rest:
    """Return the rest of a round with these hands."""
    rest = new_rest(seen.players, [])
    for seat, hand in enumerate(hands):
        rest.hands[seat] = as_set(hand)
    rest.hidden[:] = asked_of(seen).decision.hidden
    return rest


def test_cards_that_were_played_are_seen_by_all() -> None:
    seen = views_of_a_round(2, seed=4)[3]
    pool = asked_of(seen).decision.pool.tolist()
    rest, desk = later(seen, [seen.hand, pool[:7]]), new_desk(2)
    before = cards_in(*rest.hidden)
    desk.chosen[:] = seen.hand[0], pool[3]
    take_out(asked_of(seen).plan, desk, rest)
    assert [cards_in(*hand) for hand in rest.hands] == [set(seen.hand[1:]), set(pool[:7]) - {pool[3]}]
    assert cards_in(*rest.hidden) == before - {seen.hand[0], pool[3]}


def test_the_seat_plays_its_best_later_and_others_by_chance() -> None:
    seen = views_of_a_round(2, seed=4)[3]
    asked, brain, found = asked_of(seen), brain_for("base", 2), np.zeros(300, np.int64)
    rest = later(seen, [seen.hand, asked.decision.pool.tolist()[:7]])
    choose_often(asked.plan, asked.decision, new_desk(2), brain, rest, 0, found)
    assert len(set(found.tolist())) == 1
    choose_often(asked.plan, asked.decision, new_desk(2), brain, rest, OTHER, found)
    assert len(set(found.tolist())) > 1
    assert set(found.tolist()) <= cards_in(*rest.hands[OTHER])


@pytest.mark.parametrize(("number", "rounds"), [(0, 121), (4, 235), (7, 800), (8, 1000)])
def test_more_rounds_are_played_on_the_fewer_cards_are_left(number: int, rounds: int) -> None:
    seen = views_of_a_round(4, seed=2)[number]
    ask = seen.ask
    assert ask is not None
    assert deep.Thought(seen, ask.options, Mind(1, seen, ask)).rounds(4) == rounds


def test_what_rounds_show_counts_more_than_what_was_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = views_of_a_round(4, seed=2)[6]
    ask = seen.ask
    assert ask is not None
    tried: list[int] = []

    def shown(self: deep.Thought, cards: list[int]) -> tuple[dict[int, float], int]:
        tried.extend(cards)
        return {card: 0.0 if card == cards[-1] else 50.0 for card in cards}, 300

    monkeypatch.setattr(deep.Thought, "play_on", shown)
    assert deep.best_card(seen, ask.options, Mind(1, seen, ask)) == PlayCard(tried[-1])
    assert len(tried) == min(4, len(seen.hand))

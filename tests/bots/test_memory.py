"""What `deep` makes of the past of a round: hands that explain it, and worlds made of them."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from bullpen import bots
from bullpen.bots.compiled import piece
from bullpen.bots.estimates.compiled_view import Hand
from bullpen.bots.network.features import WILD, describe
from bullpen.bots.network.network import plain_worth
from bullpen.bots.search.brain import brain_for, opinion_of_plays
from bullpen.bots.search.decision import DOUBT, question
from bullpen.bots.search.memory import (
    EXPERT,
    HEATS,
    LEVELS,
    ODDS,
    add_up,
    choose_in_manner,
    explains,
    find_guess,
    guess_hands,
    new_guesses,
    past_of,
    remember_hands,
)
from bullpen.bots.search.trial import imagine_hands, new_desk
from bullpen.engine import Seeded, Trick, View, apply, imagine, new_game, view
from bullpen.fast.chance import U, stream
from bullpen.fast.convert import as_set
from bullpen.fast.errors import NotCovered
from bullpen.rulesets import make
from tests.bots.tables import one_round

WORLDS = 300
OTHER = 1


def views_of_a_round(players: int, seed: int, seat: int = 0, level: str = "random") -> list[View]:
    """Return what a seat sees whenever all choose cards, in a round played by a level."""
    rules, chance = make("base", players, one_round("base")), Seeded(seed)
    position, _ = new_game(rules, chance)
    everybody = [bots.player(level, f"{seed}/{number}") for number in range(players)]
    found = []
    while position.asks:
        ask = position.open_asks[0]
        asked = ask.seats[0]
        if asked == 0 and ask.kind == "commit":
            found.append(view(rules, position, seat))
        choice = everybody[asked].choose(view(rules, position, asked), ask)
        apply(rules, position, ask, asked, choice, chance)
    return found


def cards_in(low: Any, high: Any) -> set[int]:
    """Return the cards of a set."""
    both = int(low) | int(high) << 64
    return {card for card in range(1, 105) if both >> card & 1}


def asked_of(seen: View) -> Any:
    assert seen.ask is not None
    return question(seen, seen.ask.options)


def test_the_past_is_as_it_was_seen() -> None:
    views = views_of_a_round(4, seed=3)
    past = past_of(views[7], asked_of(views[7]).decision.hidden)
    assert past.cards.shape == (7, 4)
    for number, then in enumerate(views[:7]):
        laid = [[card for card in row if card] for row in past.tables.rows[number].tolist()]
        assert laid == then.rows
        assert past.tables.ends[number].tolist() == [row[-1] for row in then.rows]
        assert past.tables.counts[number].tolist() == [len(row) for row in then.rows]
        assert cards_in(*past.hidden[number]) == cards_in(*asked_of(then).decision.hidden)
        assert past.cards[number, 0] in then.hand


def test_nothing_is_remembered_of_an_earlier_round() -> None:
    rules, chance, rng = make("base", 3, {"end.kind": "rounds", "end.value": 2}), Seeded(1), random.Random(1)
    position, _ = new_game(rules, chance)
    while position.round < 2:
        ask = position.open_asks[0]
        apply(rules, position, ask, ask.seats[0], rng.choice(ask.options), chance)
    assert position.past == []


# Compiled anew in every run: a cache would not notice that what is called here has changed.
@piece
def weigh_one(plan: Any, past: Any, desk: Any, brain: Any, seat: int, manner: int) -> float:
    return explains(plan, past, desk, brain, seat, manner)


@piece
def describe_then(plan: Any, past: Any, at: int, brain: Any, me: Any) -> int:
    return describe(plan.code, past.tables, at, brain.eyes, me, brain.layers.inputs)


@pytest.mark.parametrize("manner", [LEVELS, EXPERT])
def test_a_hand_counts_as_much_as_it_explains_what_was_played(manner: int) -> None:
    seat_views = {seat: views_of_a_round(4, seed=5, seat=seat) for seat in (0, OTHER)}
    now, theirs = seat_views[0][4], seat_views[OTHER]
    asked = asked_of(now)
    past, brain, desk = past_of(now, asked.decision.hidden), brain_for("base", 4), new_desk(4)
    desk.sets[OTHER] = as_set(theirs[4].hand)
    found = weigh_one(asked.plan, past, desk, brain, OTHER, manner)
    expected = 0.0
    for number in range(4):
        then = theirs[number]
        rest = set(range(1, 105)) - set(then.hand)
        rest -= {card for row in then.rows for card in row} | {card for pile in then.piles for card in pile}
        hand, unseen = as_set(then.hand), as_set(sorted(rest))
        me = Hand(hand[0], hand[1], unseen[0], unseen[1], 4, False, 0, 0, asked.plan.digits, 0.0)
        size = describe_then(asked.plan, past, number, brain, me)
        scene = brain.layers.inputs.scene.copy()
        scene[WILD] = DOUBT if manner == EXPERT else 0.0
        net = brain.net if manner == EXPERT else brain.habits
        costs = plain_worth(net, brain.layers.inputs.plays[:size].astype(float), scene)[1]
        powers = np.exp((costs.min() - costs) / HEATS[manner])
        place = brain.eyes.cards[:size].tolist().index(past.cards[number, OTHER])
        expected += np.log((1 - ODDS[manner]) * powers[place] / powers.sum() + ODDS[manner] / size)
    assert found == pytest.approx(expected, abs=1e-3)


@piece
def imagine_often(plan: Any, decision: Any, desk: Any, guesses: Any, found: Any) -> None:
    for i in range(found.shape[0]):
        desk.states[0] = stream(U(3), U(i))
        remember_hands(plan, decision, desk, guesses)
        for p in range(plan.players):
            found[i, p, 0] = desk.sets[p, 0]
            found[i, p, 1] = desk.sets[p, 1]


@pytest.mark.parametrize("players", [2, 4, 10])
def test_worlds_are_possible_ones(players: int) -> None:
    seen = views_of_a_round(players, seed=players)[6]
    asked, desk, brain = asked_of(seen), new_desk(players), brain_for("base", players)
    guesses = new_guesses(players, 50)
    past = past_of(seen, asked.decision.hidden)
    guess_hands(asked.plan, asked.decision, past, desk, brain, guesses, np.uint64(1))
    assert guesses.reach[:, 1:, -1] == pytest.approx(1.0)
    assert (np.diff(guesses.reach[:, 1:]) >= 0).all()
    found = np.zeros((WORLDS, players, 2), np.uint64)
    imagine_often(asked.plan, asked.decision, desk, guesses, found)
    pool, different = set(asked.decision.pool.tolist()), set()
    for world in found:
        hands = [cards_in(*one) for one in world]
        assert hands[0] == set(seen.hand)
        assert all(len(hand) == len(seen.hand) for hand in hands)
        assert all(hand <= pool for hand in hands[1:])
        assert sum(map(len, hands)) == len(set().union(*hands))
        different.add(tuple(map(frozenset, hands)))
    assert len(different) > 10


@piece
def add_up_here(reach: Any, trust: float) -> float:
    return add_up(reach, trust)


@pytest.mark.parametrize("trust", [0.5, 1.0])
def test_chances_are_added_up_as_far_as_they_are_trusted(trust: float) -> None:
    chances = np.array([0.2, 0.05, 0.4])
    reach = np.log(chances)
    assert add_up_here(reach, trust) == pytest.approx(np.log(chances.mean()))
    trusted = chances**trust
    assert reach.tolist() == pytest.approx((np.cumsum(trusted) / trusted.sum()).tolist())


@pytest.mark.parametrize(("level", "skilled"), [("expert", True), ("mcs", False)])
def test_who_plays_as_expert_does_is_told_from_others(level: str, skilled: bool) -> None:
    found = []
    for seed in range(3):
        seen = views_of_a_round(4, seed=seed, level=level)[7]
        asked, guesses = asked_of(seen), new_guesses(4, 60)
        past = past_of(seen, asked.decision.hidden)
        guess_hands(asked.plan, asked.decision, past, new_desk(4), brain_for("base", 4), guesses, U(1))
        found += guesses.skilled[1:].tolist()
    assert (np.mean(found) > 0.7) if skilled else (np.mean(found) < 0.3)


def test_before_the_first_trick_nobody_is_known() -> None:
    seen = views_of_a_round(3, seed=1)[0]
    asked, guesses = asked_of(seen), new_guesses(3, 20)
    past = past_of(seen, asked.decision.hidden)
    guess_hands(asked.plan, asked.decision, past, new_desk(3), brain_for("base", 3), guesses, U(1))
    assert guesses.skilled[1:].tolist() == [0.5, 0.5]
    assert guesses.reach[:, 1:] == pytest.approx(np.tile(np.arange(1, 21) / 20, (2, 2, 1)))


@piece
def choose_often(plan: Any, decision: Any, desk: Any, brain: Any, manner: int, found: Any) -> None:
    for i in range(found.size):
        desk.states[0] = stream(U(5), U(i))
        imagine_hands(plan, decision, desk)
        choose_in_manner(plan, decision, desk, brain, OTHER, manner)
        found[i] = desk.chosen[OTHER]


@pytest.mark.parametrize("manner", [LEVELS, EXPERT])
def test_in_a_manner_plays_are_drawn_by_what_its_network_says(manner: int) -> None:
    draws = 2000
    for number in (0, 4, 7):
        mine, theirs = (views_of_a_round(4, seed=2, seat=seat)[number] for seat in (0, OTHER))
        asked, brain, found = asked_of(mine), brain_for("base", 4), np.zeros(draws, np.int64)
        asked.decision.hands[OTHER, : len(theirs.hand)] = theirs.hand
        asked.decision.known[OTHER] = True
        choose_often(asked.plan, asked.decision, new_desk(4), brain, manner, found)
        own = asked_of(theirs)
        if manner == LEVELS:
            own.decision.wild[:] = 0.0
            brain = brain._replace(net=brain.habits, layers=brain.habit_layers)
        told = opinion_of_plays(own, brain)
        powers = {card: np.exp((min(told.values()) - cost) / HEATS[manner]) for card, cost in told.items()}
        for card, power in powers.items():
            chance = (1 - ODDS[manner]) * power / sum(powers.values()) + ODDS[manner] / len(powers)
            assert abs(np.mean(found == card) - chance) < 4 * (0.25 / draws) ** 0.5


def test_guesses_are_found_as_often_as_they_are_likely() -> None:
    reach = np.array([0.1, 0.1, 0.7, 1.0])
    assert [find_guess(reach, at) for at in (0.0, 0.05, 0.1, 0.11, 0.69, 0.71, 0.999)] == [
        0,
        0,
        0,
        2,
        2,
        3,
        3,
    ]


def test_deep_answers_from_what_it_sees() -> None:
    seen = views_of_a_round(3, seed=8)[5]
    ask = seen.ask
    assert ask is not None
    first = bots.player("deep", "s").choose(seen, ask)
    assert first in ask.options
    # Another game that looks the same to the seat gets the same answer.
    rules = make("base", 3, one_round("base"))
    other = view(rules, imagine(rules, seen, random.Random(4)), 0)
    assert other.ask is not None
    assert bots.player("deep", "s").choose(other, other.ask) == first


def test_deep_stops_when_it_is_told_to() -> None:
    seen = views_of_a_round(4, seed=2)[3]
    assert seen.ask is not None
    calls: list[int] = []

    def stop() -> bool:
        calls.append(1)
        return True

    assert bots.player("deep", 1, stop).choose(seen, seen.ask) in seen.ask.options
    # Once in the search, and once in the rounds that are played on.
    assert len(calls) == 2


def test_deep_plays_where_nothing_is_remembered() -> None:
    seen = views_of_a_round(4, seed=2)[3]
    seen.position.past.clear()
    assert seen.ask is not None
    assert bots.player("deep", 1).choose(seen, seen.ask) in seen.ask.options


def test_deep_is_found_by_its_name_only() -> None:
    assert "deep" not in bots.levels_for("base")
    with pytest.raises(bots.UnknownLevel, match="There is no bot 'deep' for mountain"):
        bots.find("deep", "mountain")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda trick: Trick(trick.rows[:3], trick.plays),
        lambda trick: Trick((trick.rows[0] * 6, *trick.rows[1:]), trick.plays),
        lambda trick: Trick(trick.rows, trick.plays[1:]),
        lambda trick: Trick(trick.rows, (replace(trick.plays[0], card=105), *trick.plays[1:])),
        lambda trick: Trick(trick.rows, (replace(trick.plays[0], seat=-1), *trick.plays[1:])),
        lambda trick: Trick(((), *trick.rows[1:]), trick.plays),
    ],
)
def test_a_past_that_cannot_have_been_is_refused(spoil: Callable[[Trick], Trick]) -> None:
    seen = views_of_a_round(4, seed=2)[3]
    seen.position.past[1] = spoil(seen.position.past[1])
    assert seen.ask is not None
    with pytest.raises(NotCovered, match="Trick 2 of those remembered cannot have been played"):
        bots.player("deep", 1).choose(seen, seen.ask)

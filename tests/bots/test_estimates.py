"""The plain estimates, the compiled ones and the network agree with each other and with the rules."""

import random
from typing import Any

import numpy as np
import pytest

from bullpen.bots.compiled import piece
from bullpen.bots.estimates.catchment import catchment, rooms, unseen
from bullpen.bots.estimates.compiled_risk import risk_of
from bullpen.bots.estimates.compiled_view import catch_rows, list_plays, new_eyes
from bullpen.bots.estimates.risk import risks, size_of, weights
from bullpen.bots.network.features import describe
from bullpen.bots.network.network import judge_plays, load, new_layers, plain_worth, worth
from bullpen.bots.search.decision import ROOT, question
from bullpen.bots.search.trial import hand_of, imagine_hands, new_desk
from bullpen.engine import PlayCard, Seeded, View, new_game, submit, view
from bullpen.rulesets import make
from tests.bots.tables import TWIN_GAMES, one_round


# Compiled anew in every run: a cache would not notice that what is called here has changed.
@piece
def risks_of_all(plan: Any, decision: Any, desk: Any, eyes: Any, th: Any, out: Any) -> int:
    imagine_hands(plan, decision, desk)
    me = hand_of(plan, decision, desk, decision.seat)
    catch_rows(plan.code, decision.table, ROOT, eyes.catch)
    size = list_plays(eyes, me)
    for i in range(size):
        out[i] = risk_of(plan, decision.table, ROOT, eyes, me, i, th)
    return size


@piece
def look(plan: Any, decision: Any, desk: Any, eyes: Any, net: Any, layers: Any) -> tuple[int, float]:
    imagine_hands(plan, decision, desk)
    me = hand_of(plan, decision, desk, decision.seat)
    size = describe(plan.code, decision.table, ROOT, eyes, me, layers.inputs)
    judge_plays(net, size, layers, desk.costs)
    return size, worth(net, size, layers)


def views(game: str, players: int, seed: int) -> list[View]:
    """Views of seat 0 whenever it is to play a card, in a round played at random."""
    rules = make(game, players, one_round(game))
    chance, rng = Seeded(seed), random.Random(seed)
    position, _ = new_game(rules, chance)
    found = []
    while position.asks:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        seen = view(rules, position, seat)
        if seat == 0 and ask.kind == "commit":
            found.append(seen)
        assert seen.ask is not None
        position, _ = submit(rules, position, seat, rng.choice(seen.ask.options), chance)
    return found


@pytest.mark.parametrize("game", TWIN_GAMES)
def test_the_catchment_is_what_the_rules_say(game: str) -> None:
    for seed in range(6):
        for seen in views(game, 4, seed):
            rules: Any = make(game, 4, one_round(game))
            masks, low = catchment(seen)
            for card in range(1, 105):
                if any(card in row for row in seen.rows):
                    continue
                row = rules.row_for(seen.position, card)
                assert (low >> card & 1) == (row is None)
                if row is not None:
                    assert masks[row] >> card & 1


@pytest.mark.parametrize("game", TWIN_GAMES)
def test_unseen_cards_are_those_that_nobody_showed(game: str) -> None:
    for seen in views(game, 3, 1):
        rules = make(game, 3, one_round(game))
        cards = set(rules.universe("numbers"))
        cards -= {card for row in seen.rows for card in row} | set(seen.hand)
        cards -= {card for pile in seen.piles for card in pile}
        assert unseen(seen, size_of(seen)) == sum(1 << card for card in cards)
        assert min(rooms(seen)) >= 0


@pytest.mark.parametrize("game", TWIN_GAMES)
def test_the_compiled_risk_estimate_is_the_plain_one(game: str) -> None:
    eyes, out = new_eyes(), np.zeros(50)
    for players in (2, 5):
        for seen in views(game, players, 2):
            assert seen.ask is not None
            asked = question(seen, seen.ask.options)
            desk, th = new_desk(players), np.array(weights(game, players))
            size = risks_of_all(asked.plan, asked.decision, desk, eyes, th, out)
            plain = dict(zip(asked.options, risks(seen, seen.ask.options), strict=True))
            for i in range(size):
                number = int(eyes.cards[i]) + 128 * int(eyes.values[i] != eyes.cards[i])
                assert out[i] == pytest.approx(plain[number], abs=1e-9)


def test_a_card_is_as_high_as_its_deck_makes_it() -> None:
    # The highest of 34 cards fears nobody's higher one, and costs what its height does, like that of 104.
    high = {}
    for game, top in (("tactics", 34), ("base", 104)):
        seen = next(each for seed in range(99) for each in views(game, 3, seed) if top in each.hand)
        seen.position.hands[0][:] = [top]
        seen.position.rows = [[top - 1], [1], [2], [3]]
        high[game] = risks(seen, (PlayCard(top),))
    assert high["tactics"] == pytest.approx(high["base"])


@pytest.mark.parametrize("game", TWIN_GAMES)
def test_the_network_computes_what_a_plain_forward_pass_does(game: str) -> None:
    net = load(game)
    eyes, layers = new_eyes(), new_layers(net)
    for seen in views(game, 4, 3):
        assert seen.ask is not None
        asked = question(seen, seen.ask.options)
        desk = new_desk(4)
        size, value = look(asked.plan, asked.decision, desk, eyes, net, layers)
        plain, plays = plain_worth(net, layers.inputs.plays[:size], layers.inputs.scene)
        assert value == pytest.approx(plain, abs=1e-3)
        assert desk.costs[:size] == pytest.approx(plays, abs=1e-3)


def test_the_weights_fit_the_package() -> None:
    from importlib.resources import files

    sizes = [
        len(file.read_bytes())
        for package in ("bullpen.bots.network", "bullpen.analysis")
        for file in files(package).joinpath("weights").iterdir()
        if file.is_file()
    ]
    assert sum(sizes) <= 5_000_000

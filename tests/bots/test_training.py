"""What a network is told in training is what it is told in play: `training.features` against our own."""

import random
from typing import Any

import numpy as np
import pytest

from bullpen.bots.compiled import piece
from bullpen.bots.estimates.compiled_view import new_eyes
from bullpen.bots.network.features import PLAY, SCENE, describe
from bullpen.bots.network.network import new_layers
from bullpen.bots.search.decision import ROOT, question
from bullpen.bots.search.trial import hand_of, imagine_hands, new_desk
from bullpen.engine import Seeded, View, new_game, submit, view
from bullpen.rulesets import make
from tests.bots.tables import one_round

torch = pytest.importorskip("torch", reason="PyTorch is needed to train only")

GAMES = ("base", "two-halves", "flippin-digits", "professional", "even-odd", "mountain", "jumping-cow")


# Compiled anew in every run: a cache would not notice that what is called here has changed.
@piece
def look(plan: Any, decision: Any, desk: Any, eyes: Any, told: Any) -> tuple[int, Any]:
    imagine_hands(plan, decision, desk)
    me = hand_of(plan, decision, desk, decision.seat)
    return describe(plan.code, decision.table, ROOT, eyes, me, told), me


def views(game: str, players: int, seed: int) -> list[View]:
    """Views of seat 0 whenever it is to play a card, in a round played at random."""
    rules = make(game, players, one_round(game))
    chance, rng = Seeded(seed), random.Random(seed)
    position, _ = new_game(rules, chance)
    found = []
    while position.asks:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        if seat == 0 and ask.kind == "commit":
            found.append(view(rules, position, seat))
        position, _ = submit(rules, position, seat, rng.choice(ask.options), chance)
    return found


def as_cards(low: int, high: int) -> list[int]:
    """The cards of a set of two words."""
    whole = int(low) | int(high) << 64
    return [card for card in range(1, 105) if whole >> card & 1]


def told_in_training(game: str, decision: Any, me: Any, eyes: Any, size: int) -> tuple[Any, Any]:
    """What the other features say of the same table: the plays and the scene."""
    from training.features import Sight, binomials, describe
    from training.tables import GAMES, Tables

    t, cpu = decision.table, torch.device("cpu")
    rows = (t.ends, t.rows[:, :, 0], t.counts, t.heads, t.mark)
    parts = [torch.from_numpy(part[ROOT : ROOT + 1].astype(np.int32)) for part in rows]
    unseen = torch.zeros((1, 105), dtype=torch.bool)
    unseen[0, as_cards(me.unseen_low, me.unseen_high)] = True
    sight = Sight(
        tables=Tables(GAMES[game], *parts),
        players=int(me.players),
        hand=torch.tensor([as_cards(me.low, me.high)]),
        unseen=unseen,
        own_flip=torch.tensor([bool(me.flip)]),
        other_flips=torch.tensor([int(me.others_flips)], dtype=torch.int32),
        later=int(me.later),
        wild=torch.tensor([float(me.wild)]),
    )
    cards, values = (
        torch.from_numpy(part[:size].astype(np.int64))[None] for part in (eyes.cards, eyes.values)
    )
    found = describe(sight, cards, values, torch.ones((1, size), dtype=torch.bool), binomials(cpu))
    return found.items[0].numpy(), found.scene[0].numpy()


@pytest.mark.parametrize("game", GAMES)
def test_the_network_is_told_the_same_in_training_and_in_play(game: str) -> None:
    eyes, layers = new_eyes(), new_layers()
    for players in (2, 4):
        for seen in views(game, players, seed=players):
            assert seen.ask is not None
            asked = question(seen, seen.ask.options)
            size, me = look(asked.plan, asked.decision, new_desk(players), eyes, layers.inputs)
            plays, scene = told_in_training(game, asked.decision, me, eyes, size)
            assert plays.shape == (size, PLAY)
            assert scene.shape == (SCENE,)
            assert layers.inputs.plays[:size] == pytest.approx(plays, abs=1e-5)
            assert layers.inputs.scene == pytest.approx(scene, abs=1e-5)

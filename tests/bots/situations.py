"""Situations in which a network is asked, of every game that has one.

`python -m tests.bots.situations tests/bots/told.npz` collects them anew; `python -m training.golden` with the
same file, for which PyTorch is needed, then adds what a network is told of them.
"""

import random
import sys
from typing import Any

import numpy as np

from bullpen.bots.search.decision import ROOT, question
from bullpen.engine import Seeded, View, new_game, submit, view
from bullpen.rulesets import make
from tests.bots.tables import one_round

GAMES = ("base", "two-halves", "flippin-digits", "professional", "even-odd", "mountain", "jumping-cow")
PLAYERS = (2, 4, 7)
MOST = 50


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


def situation(seen: View) -> dict[str, Any]:
    """What a network may be told of a view, in plain numbers."""
    assert seen.ask is not None
    asked = question(seen, seen.ask.options)
    decision, table = asked.decision, asked.decision.table
    hand, hidden = np.zeros(105, bool), np.zeros(105, bool)
    hand[list(seen.hand)] = True
    hidden[[card for card in range(1, 105) if decision.hidden[card >> 6] >> np.uint64(card & 63) & 1]] = True
    others = [seat for seat in range(seen.players) if seat != decision.seat]
    plays = [(number & 127, number >= 128) for number in asked.options]
    turned = [(card, card % 10 * 10 + card // 10) for card, flipped in plays if flipped]
    pairs = [(card, card) for card, flipped in plays if not flipped] + [
        pair for pair in turned if pair[0] != pair[1]
    ]
    cards, values = np.zeros(MOST, np.uint8), np.zeros(MOST, np.uint8)
    cards[: len(pairs)], values[: len(pairs)] = zip(*pairs, strict=True)
    return {
        "game": seen.game,
        "players": seen.players,
        "ends": table.ends[ROOT].copy(),
        "firsts": table.rows[ROOT, :, 0].copy(),
        "counts": table.counts[ROOT].copy(),
        "heads": table.heads[ROOT].copy(),
        "mark": table.mark[ROOT].copy(),
        "hand": hand,
        "unseen": hidden & ~hand,
        "own_flip": bool(decision.flips[decision.seat]),
        "other_flips": int(decision.flips[others].sum()),
        "later": decision.later,
        "wild": float(decision.wild[others].mean()),
        "cards": cards,
        "values": values,
        "plays_there": len(pairs),
    }


def collect() -> dict[str, Any]:
    """Some situations of every game at three numbers of players, from the first trick to the last."""
    found = [
        situation(seen)
        for game in GAMES
        for players in PLAYERS
        for seen in views(game, players, players)[players % 3 :: 3]
    ]
    return {name: np.array([one[name] for one in found]) for name in found[0]}


if __name__ == "__main__":
    np.savez_compressed(sys.argv[1], **collect())

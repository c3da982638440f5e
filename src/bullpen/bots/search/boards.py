"""What a search of the board games goes by: the heuristic in compiled code, and how a seat stands."""

from typing import Any

import numpy as np

from bullpen.bots.compiled import Array, piece, real
from bullpen.bots.heuristics.boards import ACTION, LUCKY, TILE
from bullpen.bots.heuristics.compiled_boards import (
    Eyes,
    answer_of,
    choice_gain,
    new_eyes,
    note_hidden,
    weigh_tiles,
)
from bullpen.bots.search.worlds import GUIDES, Effort, Guide
from bullpen.fast.compiled import Int
from bullpen.fast.twins.board_state import LUCK, PLUS_FIVE, POSITIVE_OX, BoardPlan
from bullpen.fast.twins.state import CARD, OVER

EFFORT = Effort(candidates=12, playouts=3000, ahead=5, stray=0.15, prior=3.0)


@piece
def held_worth(s: Any, seat: Int, fewest: Int) -> float:
    """Return what the cards and tiles of a seat are worth while the game lasts."""
    actions = np.int64(0)
    for card in range(LUCK):
        actions += s.cards[0, seat, card]
    luck = np.int64(s.cards[0, seat, PLUS_FIVE]) + np.int64(s.cards[0, seat, POSITIVE_OX])
    return real(ACTION * actions + LUCKY * luck + TILE * (np.int64(s.held[0, seat]) - fewest))


@piece
def worth(plan: Any, s: Any, seat: Int, rivals: float) -> float:
    """Return how a seat stands: its score, less what the others' count."""
    fewest = np.int64(127)
    for other in range(plan.players):
        fewest = min(fewest, np.int64(s.held[0, other]))
    total = 0.0
    for other in range(plan.players):
        has = np.float64(s.scores[0, other])
        if s.kind[0] != OVER:
            has += held_worth(s, other, fewest)
        total += has if other == seat else -has / rivals
    return total


@piece
def weigh(plan: Any, s: Any, seat: Int, eyes: Eyes, options: Array, gains: Array) -> None:
    """Note what each option brings by the heuristic alone."""
    if s.kind[0] != CARD:
        for i in range(options.size):
            gains[i] = choice_gain(plan, s, seat, np.int64(options[i]))
        return
    note_hidden(plan, s, eyes)
    weigh_tiles(plan, s, seat, eyes)
    for i in range(options.size):
        low, high = np.int64(options[i]) >> 7, np.int64(options[i]) & 127
        gains[i] = 0.0
        for k in range(np.int64(s.held[0, seat])):
            if s.hands[0, seat, k] in (low, high):
                gains[i] += eyes.gains[k]


GUIDES[BoardPlan] = Guide(new_eyes, note_hidden, answer_of, weigh, worth)

"""What a search of the board games goes by: two networks, the compiled heuristic, and how a seat stands.

One network says what the tiles bring that the seat may choose now, the other how likely others are to choose
theirs. Later tricks go by the heuristic, which is quicker.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, piece, real, whole
from bullpen.bots.heuristics import compiled_boards
from bullpen.bots.heuristics.boards import ACTION, LUCKY, TILE
from bullpen.bots.heuristics.compiled_boards import (
    any_answer,
    any_tiles,
    best_answer,
    choice_gain,
    pick_tiles,
    weigh_tiles,
)
from bullpen.bots.network.board_network import Page, Weights, judge_tiles, load, new_page
from bullpen.bots.search.worlds import GUIDES, Effort, Guide
from bullpen.engine import Ask
from bullpen.fast.chance import GAMMA, U, mixed
from bullpen.fast.compiled import Int
from bullpen.fast.twins.board_state import LUCK, PLUS_FIVE, POSITIVE_OX, BoardPlan
from bullpen.fast.twins.starts import TwinStart
from bullpen.fast.twins.state import CARD, OVER

EFFORT = Effort(candidates=12, playouts=3000, ahead=5, stray=0.15, prior=3.0)
TILE_EFFORT = EFFORT._replace(prior=30.0)
"""The same for the tiles of a trick, of which the network knows more than the heuristic does of cards."""
HABITUAL = 0.85
"""How many of those who do not stray choose by habit; the rest choose what brings most by the heuristic."""


def effort_for(ask: Ask) -> Effort:
    """Return how hard to think about a question."""
    return TILE_EFFORT if ask.kind == "commit" else EFFORT


class Eyes(NamedTuple):
    """What the seats look things up in, and note down."""

    own: compiled_boards.Eyes
    gains: Weights
    """What a tile brings."""
    habits: Weights
    """How likely a tile is to be chosen, as the logarithm of its chance but for a constant."""
    page: Page
    trick: int
    """The trick of the question: in later ones everybody goes by the heuristic."""


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
def note_hidden(plan: Any, s: Any, eyes: Eyes) -> None:
    """Note which tiles lie in hands and in the deck."""
    compiled_boards.note_hidden(plan, s, eyes.own)


@piece
def draw_by_habit(plan: Any, s: Any, seat: Int, eyes: Eyes, word: Int) -> None:
    """Note marks for the tiles of a hand, of which the highest belongs to each as often as it is chosen.

    Of two tiles the second is drawn like the first from what is left.
    """
    judge_tiles(plan, s, seat, eyes.own, eyes.habits, eyes.page)
    for i in range(whole(s.held[0, seat])):
        u = (real(mixed(word + GAMMA * U(i + 1)) >> U(40)) + 0.5) / 16777216.0
        eyes.own.gains[i] -= math.log(-math.log(u))


@piece
def answer_of(plan: Any, s: Any, seat: Int, eyes: Eyes, options: Array, stray: float, word: Int) -> Int:
    """Return what a seat answers: by habit or what brings most, or now and then anything."""
    share = real(word & U(0xFFFFFF)) / 16777216.0
    if s.kind[0] != CARD:
        strays = share < stray
        return any_answer(plan, s, seat, options, word) if strays else best_answer(plan, s, seat, options)
    if share < stray:
        return any_tiles(s, seat, word)
    if s.trick[0] == eyes.trick and share < stray + HABITUAL * (1.0 - stray):
        draw_by_habit(plan, s, seat, eyes, word)
    else:
        weigh_tiles(plan, s, seat, eyes.own)
    return pick_tiles(s, seat, eyes.own)


@piece
def weigh(plan: Any, s: Any, seat: Int, eyes: Eyes, options: Array, gains: Array) -> None:
    """Note what each option brings: tiles by the network, all else by the heuristic."""
    if s.kind[0] != CARD:
        for i in range(options.size):
            gains[i] = choice_gain(plan, s, seat, whole(options[i]))
        return
    note_hidden(plan, s, eyes)
    if s.trick[0] == eyes.trick:
        judge_tiles(plan, s, seat, eyes.own, eyes.gains, eyes.page)
    else:
        weigh_tiles(plan, s, seat, eyes.own)
    for i in range(options.size):
        low, high = whole(options[i]) >> 7, whole(options[i]) & 127
        gains[i] = 0.0
        for k in range(whole(s.held[0, seat])):
            if s.hands[0, seat, k] in (low, high):
                gains[i] += eyes.own.gains[k]


def guide_with(networks: Callable[[], tuple[Weights, Weights]]) -> Guide:
    """Return a guide to the board games with networks for gains and habits, loaded when they are needed."""

    def new_eyes(start: TwinStart) -> Eyes:
        return Eyes(compiled_boards.new_eyes(), *networks(), new_page(), int(start.state.trick[0]))

    return Guide(new_eyes, note_hidden, answer_of, weigh, worth)


GUIDES[BoardPlan] = guide_with(load)

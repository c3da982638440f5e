"""Compiled playouts for Double: the unseen cards dealt anew, everybody choosing by risk.

The rules of placing are those of `bullpen.rulesets.double`, told once more for speed: a test plays both on
the same cards.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, piece, slow_kernel
from bullpen.bots.heuristics.card_cost import STEPS, USUAL, exactly, price
from bullpen.engine import HEADS, Card, View
from bullpen.fast.chance import GAMMA, U, deal, high_draw, mixed, stream
from bullpen.fast.compiled import Int

ROWS, LIMIT, HIGHEST = 4, 5, 104
SAFE_TWIN = 0.4
"""What it costs to play a card that lies safely on its twin: it could have waited for a bad moment."""


class Scene(NamedTuple):
    """A decision: the rows, the cards, and who asks."""

    rows: Array
    """int64 [3, ROWS]: the ends, the positions taken, the bullheads."""
    hand: Array
    """int64 [h]: the seat's own cards."""
    pool: Array
    """int64 [u]: the cards that may be in other hands."""
    heads: Array
    """int64 [105]: the bullheads of the cards."""
    exactly: Array
    """float64 [m + 1, STEPS + 1]: see `card_cost.exactly`."""
    players: int
    seat: int
    full: int
    """How many cards a hand has at the beginning of a round."""


class Paper(NamedTuple):
    """Working memory."""

    rows: Array
    deck: Array
    hands: Array
    """int64 [n, h]: the imagined hands."""
    left: Array
    """int64 [n, h]: the same, as they are emptied from the back."""
    below: Array
    """int64 [106]: how many unseen cards are below a card."""
    unseen: Array
    """int64 [106]: how many of a card are unseen, now and (second line) at the start of the playout."""
    plays: Array
    """int64 [n]: the cards of a trick."""
    first: Array
    points: Array
    order: Array


def new_scene(
    rows: Sequence[Sequence[Card]], hand: Sequence[Card], pool: Sequence[Card], shape: tuple[int, ...]
) -> Scene:
    """Return a decision as arrays; `shape`: the number of players, the seat, the size of a full hand."""
    players, seat, full = shape
    table = [[row[-1] for row in rows], [len(set(row)) for row in rows], [price(row) for row in rows]]
    chances = np.zeros((max(players, LIMIT + 1), STEPS + 1))
    chances[:players] = exactly(players - 1)
    return Scene(
        np.array(table, np.int64), np.array(hand, np.int64), np.array(pool, np.int64),
        np.array(HEADS, np.int64), chances, players, seat, full,
    )  # fmt: skip


def new_paper(scene: Scene) -> Paper:
    """Return working memory for a decision."""
    players, size = scene.players, scene.hand.size
    return Paper(
        np.zeros((3, ROWS), np.int64),
        np.zeros(scene.pool.size, np.int64),
        np.zeros((players, size), np.int64),
        np.zeros((players, size), np.int64),
        np.zeros(HIGHEST + 2, np.int64),
        np.zeros((2, HIGHEST + 2), np.int64),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
    )


@piece
def count_below(paper: Paper) -> None:
    """Add the unseen cards up."""
    total = 0
    for card in range(HIGHEST + 2):
        paper.below[card] = total
        total += paper.unseen[0, card]


@piece
def own_between(hand: Array, size: int, low: int, high: int) -> int:
    """Return how many cards of a hand lie strictly between two numbers."""
    found = 0
    for i in range(size):
        found += low < hand[i] < high
    return found


@piece
def target(rows: Array, card: int) -> int:
    """Return the row that a card goes to, -1 for a low card; an equal end is the nearest there is."""
    best, nearest = -1, 0
    for r in range(ROWS):
        if nearest < rows[0, r] <= card:
            best, nearest = r, rows[0, r]
    return best


@piece
def cheapest(rows: Array) -> int:
    """Return the row with the fewest bullheads."""
    best = 0
    for r in range(1, ROWS):
        if rows[2, r] < rows[2, best]:
            best = r
    return best


@piece
def risk(scene: Scene, paper: Paper, rows: Array, hand: Array, size: int, card: int) -> float:
    """Return what a card is expected to cost: as `card_cost`, with two copies of most cards about."""
    row = target(rows, card)
    if row >= 0 and rows[0, row] == card:
        return SAFE_TWIN
    cost = -USUAL.outer * size / scene.full * abs(card / 52 - 1)
    total = max(1, paper.below[HIGHEST + 1] - size)
    low = rows[0, row] if row >= 0 else 0
    between = paper.below[card] - paper.below[low + 1] - own_between(hand, size, low, card)
    step = min(STEPS, int(between / total * STEPS + 0.5))
    if row < 0:
        lowest = scene.exactly[0, step]
        return float(cost + rows[2, cheapest(rows)] * lowest + USUAL.undercut * (1 - lowest))
    room = LIMIT - rows[1, row]
    sixth = scene.exactly[room, step]
    return float(cost + sixth * (rows[2, row] + USUAL.joined * room) + USUAL.crowd * between / total)


@piece
def choose(
    scene: Scene, paper: Paper, rows: Array, hand: Array, size: int, word: np.uint64, stray: float
) -> Int:
    """Return the place of the card to play: the least risky one, or now and then any."""
    if np.float64(word & U(0xFFFFFFFF)) < stray * 4294967296.0:
        return np.int64(high_draw(word, U(size)))
    best, least = 0, 1e9
    for i in range(size):
        cost = risk(scene, paper, rows, hand, size, hand[i])
        if cost < least:
            best, least = i, cost
    return best


@piece
def place_trick(scene: Scene, paper: Paper, rows: Array) -> None:
    """Place the cards of a trick, lowest first, twins together (DBL-1 to DBL-9)."""
    n = scene.players
    for i in range(n):
        paper.order[i] = i
        j = i
        while j > 0 and paper.plays[paper.order[j - 1]] > paper.plays[i]:
            paper.order[j] = paper.order[j - 1]
            j -= 1
        paper.order[j] = i
    i = 0
    while i < n:
        one = paper.order[i]
        card = paper.plays[one]
        twin = i + 1 < n and paper.plays[paper.order[i + 1]] == card
        heads = scene.heads[card] * (2 if twin else 1)
        row = target(rows, card)
        if row >= 0 and rows[0, row] == card:
            rows[2, row] += heads
        elif row >= 0 and rows[1, row] < LIMIT:
            rows[0, row], rows[1, row] = card, rows[1, row] + 1
            rows[2, row] += heads
        else:
            row = cheapest(rows) if row < 0 else row
            if twin:
                paper.points[one] += (rows[2, row] + 1) // 2
                paper.points[paper.order[i + 1]] += (rows[2, row] + 1) // 2
            else:
                paper.points[one] += rows[2, row]
            rows[0, row], rows[1, row], rows[2, row] = card, 1, heads
        i += 2 if twin else 1


@piece
def imagine_hands(scene: Scene, paper: Paper, state: np.uint64) -> np.uint64:
    """Deal the unseen cards to the others and note what nobody has seen face up."""
    size, n = scene.hand.size, scene.players
    for i in range(scene.pool.size):
        paper.deck[i] = scene.pool[i]
    state = deal(paper.deck, U(scene.pool.size), paper.deck, U(size * (n - 1)), state)
    dealt = 0
    for p in range(n):
        for i in range(size):
            paper.hands[p, i] = scene.hand[i] if p == scene.seat else paper.deck[dealt + i]
        dealt += 0 if p == scene.seat else size
    for card in range(HIGHEST + 2):
        paper.unseen[1, card] = 0
    for i in range(scene.pool.size):
        paper.unseen[1, paper.deck[i]] += 1
    for i in range(size):
        paper.unseen[1, scene.hand[i]] += 1
    return state


@piece
def drop(hand: Array, size: int, place: int) -> Int:
    """Take a card out of a hand; the last one fills the gap."""
    card = hand[place]
    hand[place] = hand[size - 1]
    return card


@piece
def set_up(scene: Scene, paper: Paper) -> None:
    """Lay rows and hands out as they are before the first trick."""
    for r in range(ROWS):
        for k in range(3):
            paper.rows[k, r] = scene.rows[k, r]
    for card in range(HIGHEST + 2):
        paper.unseen[0, card] = paper.unseen[1, card]
    for p in range(scene.players):
        paper.points[p] = 0
        for i in range(scene.hand.size):
            paper.left[p, i] = paper.hands[p, i]


@piece
def play_out(scene: Scene, paper: Paper, candidate: int, state: np.uint64, stray: float) -> None:
    """Play the round to its end; the first trick is given."""
    size, n = scene.hand.size, scene.players
    set_up(scene, paper)
    for trick in range(size):
        now = size - trick
        if trick:
            count_below(paper)
        for p in range(n):
            if trick == 0:
                place = candidate if p == scene.seat else paper.first[p]
            else:
                state += GAMMA
                place = choose(scene, paper, paper.rows, paper.left[p], now, mixed(state), stray)
            paper.plays[p] = drop(paper.left[p], now, place)
        for p in range(n):
            paper.unseen[0, paper.plays[p]] -= 1
        place_trick(scene, paper, paper.rows)


@slow_kernel(3)
def roll(
    scene: Scene,
    paper: Paper,
    candidates: Array,
    span: tuple[int, int],
    seed: np.uint64,
    stray: float,
    sums: Array,
) -> None:
    """Play worlds span[0] to span[1] - 1 out for every candidate (a place in the hand), all else alike."""
    n = scene.players
    for world in range(span[0], span[1]):
        state = imagine_hands(scene, paper, stream(seed, U(world)))
        for card in range(HIGHEST + 2):
            paper.unseen[0, card] = paper.unseen[1, card]
        count_below(paper)
        for p in range(n):
            if p != scene.seat:
                state += GAMMA
                paper.first[p] = choose(
                    scene, paper, scene.rows, paper.hands[p], scene.hand.size, mixed(state), stray
                )
        for c in range(candidates.size):
            play_out(scene, paper, candidates[c], state, stray)
            others = 0
            for p in range(n):
                others += paper.points[p] if p != scene.seat else 0
            sums[c] += paper.points[scene.seat] - others / (n - 1) ** 1.5


class Roller:
    """Plays a choice of card in Double out again and again."""

    def __init__(self, view: View, deck: Sequence[Card], full: int, seed: int) -> None:
        assert view.seat is not None
        seen = Counter(view.hand)
        for cards in (*view.rows, *view.piles, view.position.aside):
            seen.update(cards)
        pool = sorted((Counter(deck) - seen).elements())
        self.scene = new_scene(view.rows, view.hand, pool, (view.players, view.seat, full))
        self._paper = new_paper(self.scene)
        self._seed = np.uint64(seed)

    def costs(self, places: Sequence[int], worlds: range, stray: float) -> list[float]:
        """Return what playing the cards at these places of the hand costs in all of these worlds together."""
        sums = np.zeros(len(places))
        roll(
            self.scene, self._paper, np.array(places, np.int64), (worlds.start, worlds.stop), self._seed,
            stray, sums,
        )  # fmt: skip
        return [float(cost) for cost in sums]


def halve(roller: Roller, places: Sequence[int], playouts: int, stray: float) -> int:
    """Return the best place, dropping the worse half of the candidates again and again."""
    alive, done = list(places), 0
    sums = dict.fromkeys(alive, 0.0)
    stages = max(1, (len(alive) - 1).bit_length())
    for _ in range(stages):
        worlds = max(1, playouts // (stages * len(alive)))
        costs = roller.costs(alive, range(done, done + worlds), stray)
        done += worlds
        for place, cost in zip(alive, costs, strict=True):
            sums[place] += cost
        alive = sorted(alive, key=sums.__getitem__)[: (len(alive) + 1) // 2]
    return alive[0]

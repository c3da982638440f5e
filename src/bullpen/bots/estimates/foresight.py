"""The foresight of `medium` in the base game: what a card risks, and what the rest of the hand does then.

Every card is described by 26 numbers: what it risks in this trick, and how the other cards of the hand would
lie on the rows as it leaves them. A small network, one for each of some numbers of players, makes a cost of
them. It learned from the costs that `expert` finds for all cards of a decision (`training/foresight.py`), and
is small enough for plain Python.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from operator import mul
from typing import NamedTuple

from msgspec import Struct

from bullpen.bots.estimates.catchment import BELOW, unseen
from bullpen.bots.estimates.risk import EXACT, GRID
from bullpen.engine import HEADS, Choice, PlayCard, View

CARDS = 104
NUMBERS = 26
"""How many numbers describe a card."""
A_CARD = 2.0
"""Bullheads that a card still to come is reckoned to bring along."""


class Small(Struct, frozen=True):
    """A network of one hidden layer, beside which the numbers also count directly.

    Every weight of a number has a part that grows with the share of cards that are left in hand.
    """

    hidden: list[list[float]]
    hidden_left: list[list[float]]
    bias: list[float]
    out: list[float]
    skip: list[float]
    skip_left: list[float]


@cache
def network(players: int) -> Small:
    """Return the network for a number of players, or for the next smaller one; 8 and 9 play as 10 do."""
    trained = _trained()
    return trained[10 if players >= 8 else max(count for count in trained if count <= players)]


@cache
def _trained() -> dict[int, Small]:
    text = files("bullpen.bots.estimates").joinpath("foresight.json").read_text()
    return {int(count): Small(**weights) for count, weights in json.loads(text)["players"].items()}


class Scene(NamedTuple):
    """The rows, and what nobody has seen."""

    ends: list[int]
    rooms: list[int]
    heads: list[int]
    hidden: int
    """The unseen cards as a set of bits."""
    others: int

    def row_for(self, card: int) -> int:
        """Return the row that a card goes to, -1 if there is none."""
        row, best = -1, 0
        for place, end in enumerate(self.ends):
            if best < end < card:
                row, best = place, end
        return row

    def share(self, card: int, above: int) -> float:
        """Return the share of unseen cards that lie between a row's end and a card."""
        between = self.hidden & BELOW[card] & ~BELOW[above + 1]
        return between.bit_count() / (self.hidden.bit_count() or 1)

    def alone(self, card: int) -> float:
        """Return the chance that nobody plays lower."""
        size = self.hidden.bit_count() or 1
        return EXACT[self.others][0][(self.hidden & BELOW[card]).bit_count() * GRID // size]

    def hit(self, row: int, share: float) -> float:
        """Return the chance that exactly as many play between as the row has room for."""
        return EXACT[self.others][self.rooms[row]][min(int(share * GRID), GRID)]

    def after(self, card: int, row: int) -> "Scene":
        """Return the rows with the card laid, nobody else having played; too low, it takes the cheapest."""
        ends, rooms, heads = list(self.ends), list(self.rooms), list(self.heads)
        if row < 0 or rooms[row] == 0:
            row = heads.index(min(heads)) if row < 0 else row
            rooms[row], heads[row] = 4, HEADS[card]
        else:
            rooms[row], heads[row] = rooms[row] - 1, heads[row] + HEADS[card]
        ends[row] = card
        return Scene(ends, rooms, heads, self.hidden, self.others)


def scene_of(rows: Sequence[Sequence[int]], hidden: int, players: int) -> Scene:
    """Return the rows as they are needed here."""
    return Scene(
        [row[-1] for row in rows],
        [5 - len(row) for row in rows],
        [sum([HEADS[card] for card in row]) for row in rows],
        hidden,
        players - 1,
    )


def describe(scene: Scene, hand: Sequence[int], card: int) -> list[float]:
    """Return the numbers of a card."""
    row = scene.row_for(card)
    after = scene.after(card, row)
    height = card / CARDS
    cheapest, room, heads = min(after.heads), sum(after.rooms), sum(after.heads)
    return [
        *_now(scene, card, row),
        height, abs(2 * height - 1), height * height,
        *_rest(after, [other for other in hand if other != card]),
        cheapest * 0.2, room * 0.05, heads * 0.02,
    ]  # fmt: skip


def _now(scene: Scene, card: int, row: int) -> list[float]:
    """Return what a card risks in this trick."""
    worth = HEADS[card] * 0.2
    if row < 0:
        alone = scene.alone(card)
        return [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, alone * min(scene.heads), alone, 1 - alone, 0.0, 0.0, worth]
    gap = scene.share(card, scene.ends[row])
    room, hit = scene.rooms[row], scene.hit(row, gap)
    filled = (5 - room) / 5
    return [
        hit * scene.heads[row], hit * room, hit, gap, filled, gap * filled,
        0.0, 0.0, 0.0, float(room == 0), gap * gap, worth,
    ]  # fmt: skip


def _rest(scene: Scene, hand: Sequence[int]) -> list[float]:
    """Return how the other cards lie: means of what they risk, and the least that any of them does."""
    if not hand:
        return [0.0] * 8
    risk = gaps = filled = crowded = full = low = lows = 0.0
    least, to_come = 99.0, scene.others * len(hand) / 2
    cheapest = min(scene.heads)
    for card in hand:
        row = scene.row_for(card)
        if row < 0:
            alone = scene.alone(card)
            cost = alone * cheapest + 1 - alone
            low += cost
            lows += 1
        else:
            gap, room = scene.share(card, scene.ends[row]), scene.rooms[row]
            cost = scene.hit(row, gap) * (scene.heads[row] + room * A_CARD)
            risk += cost
            gaps += gap
            filled += (5 - room) / 5
            crowded += max(0.0, gap * to_come - room)
            full += room == 0
        least = min(least, cost)
    return [total / len(hand) for total in (risk, gaps, filled, crowded, full, low, lows)] + [least]


def foresee(view: View, choices: tuple[Choice, ...]) -> list[float]:
    """Return what each playable card is likely to cost, in bullheads or something like them."""
    net = network(view.players)
    layer, skip = _weights(view.players, len(view.hand))
    scene = scene_of(view.rows, unseen(view, CARDS), view.players)
    costs = []
    for choice in choices:
        assert isinstance(choice, PlayCard)
        numbers = describe(scene, view.hand, choice.card)
        cost = sum(map(mul, skip, numbers))
        for row, bias, out in zip(layer, net.bias, net.out, strict=True):
            cost += out * max(0.0, bias + sum(map(mul, row, numbers)))
        costs.append(cost)
    return costs


@cache
def _weights(players: int, cards: int) -> tuple[list[list[float]], list[float]]:
    """Return the weights of the hidden layer, and those beside it, with so many cards left in hand."""
    net, left = network(players), cards / 10
    layer = [_at(left, now, more) for now, more in zip(net.hidden, net.hidden_left, strict=True)]
    return layer, _at(left, net.skip, net.skip_left)


def _at(left: float, weights: Sequence[float], more: Sequence[float]) -> list[float]:
    return [weight + left * grown for weight, grown in zip(weights, more, strict=True)]

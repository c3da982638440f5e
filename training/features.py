"""What the network is told of a position: the same numbers as `bullpen.bots.network.features`, in torch."""

from dataclasses import dataclass
from math import comb

import torch
from torch import Tensor

from training.tables import EVEN_ODD, MOUNTAIN, NOWHERE, PROFESSIONAL, Tables, heads_of_cards

ITEM, SCENE = 24, 63
"""Numbers that describe a possible play, and the scene around them."""
WILD = 62
"""The place in the scene of the share of others that is thought to play any card alike."""
GRID = 256


def binomials(device: torch.device) -> tuple[Tensor, Tensor]:
    """Return [10, 6, GRID + 1]: P(exactly s of m) and P(more than s of m) by s and the chance q / GRID."""
    exact = torch.zeros((10, 6, GRID + 1), dtype=torch.float64)
    over = torch.zeros_like(exact)
    q = torch.arange(GRID + 1, dtype=torch.float64) / GRID
    for m in range(10):
        for s in range(6):
            for k in range(m + 1):
                chance = comb(m, k) * q**k * (1 - q) ** (m - k)
                if k == s:
                    exact[m, s] = chance
                elif k > s:
                    over[m, s] += chance
    return exact.float().to(device), over.float().to(device)


@dataclass
class Sight:
    """What S seats see; the seat's own cards stand in slots, 0 where there is none."""

    tables: Tables
    players: int
    hand: Tensor
    """int64 [S, H]."""
    unseen: Tensor
    """bool [S, 105]: cards that may be in other hands."""
    own_flip: Tensor
    """bool [S]."""
    other_flips: Tensor
    """int32 [S]: how many others hold a flip card."""
    later: int
    """Cards that every seat will be dealt at half-time."""
    wild: Tensor
    """[S]: the share of the others that is thought to play any card alike."""


@dataclass
class Described:
    """The network's input, and what a rule of thumb needs besides."""

    items: Tensor
    """[S, I, ITEM]."""
    scene: Tensor
    """[S, SCENE]."""
    valid: Tensor
    """bool [S, I]."""
    same: Tensor
    """[S, I]: unseen lower cards for the same row."""
    unseen: Tensor
    """[S]."""


@dataclass
class Tally:
    """How many unseen cards (0) and own cards (1) go to each row, in all and below each value."""

    marks: Tensor
    """[S, 2, 5, 105]: 1 where such a card of this row is."""
    below: Tensor
    """[S, 2, 5, 105]: how many of them have a lower number."""
    totals: Tensor
    """int64 [S, 2, 5]."""

    @classmethod
    def of(cls, row_of: Tensor, unseen: Tensor, own: Tensor) -> "Tally":
        """Count; a product with a triangle of ones is the quickest way to sum up from below."""
        rows = torch.arange(5, device=row_of.device, dtype=row_of.dtype)
        goes = row_of[:, None] == rows[None, :, None]
        # Half precision is exact for counts; without a GPU it is slow.
        kind = torch.float16 if row_of.is_cuda else torch.float32
        marks = torch.stack([goes & unseen[:, None], goes & own[:, None]], 1).to(kind)
        triangle = torch.ones((105, 105), device=row_of.device, dtype=kind).triu(1)
        below = marks @ triangle
        totals = below[:, :, :, 104] + marks[:, :, :, 104]
        return cls(marks, below, totals.long())

    def split(self, whose: int, rows: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Return [S, I]: the cards of these rows below, and above, these values."""
        at = rows.long() * 105 + values
        size = len(values)
        below = self.below[:, whose].reshape(size, -1).gather(1, at).long()
        equal = self.marks[:, whose].reshape(size, -1).gather(1, at).long()
        return below, self.totals[:, whose].gather(1, rows.long()) - below - equal

    def lower(self, values: Tensor) -> Tensor:
        """Return [S, I]: the unseen cards below these values, wherever they go."""
        return self.below[:, 0].sum(1).gather(1, values).long()


def _pick(table: Tensor, rows: Tensor) -> Tensor:
    """Return table[s, rows[s, i]] for rows below NOWHERE, 0 for NOWHERE."""
    padded = torch.cat([table, torch.zeros_like(table[:, :1])], 1)
    return padded.gather(1, rows.long())


def describe(
    sight: Sight, cards: Tensor, values: Tensor, valid: Tensor, odds: tuple[Tensor, Tensor]
) -> Described:
    """Describe every possible play (cards and values [S, I]) and the scene."""
    t, m = sight.tables, sight.players - 1
    exact, over = odds
    device = cards.device
    grid = torch.arange(105, device=device, dtype=torch.int32)
    row_of = t.row_for(grid.expand(len(cards), 105))
    rows = row_of.gather(1, values)
    nowhere = rows == NOWHERE
    own = torch.zeros_like(sight.unseen).scatter_(1, sight.hand, True)
    own[:, 0] = False
    count = sight.unseen.sum(1)
    u = count.clamp(min=1)[:, None]
    tally = Tally.of(row_of, sight.unseen, own)
    same, above = tally.split(0, rows, values)
    lower = tally.lower(values)
    own_below, own_above = tally.split(1, rows, values)
    itself = row_of.gather(1, cards) == rows
    own_below = own_below - (itself & (cards < values)).int()
    own_above = own_above - (itself & (cards > values)).int()
    room_of, marked_of = t.room(), t.is_marked()
    cheapest = t.heads.amin(1, keepdim=True)
    room = _pick(room_of, rows)
    heads = torch.where(nowhere, cheapest, _pick(t.heads, rows)).float()
    q = (same * GRID) // u
    hit = exact[m][room.long(), q]
    worth = heads_table(device)[cards]
    kinds = torch.where(nowhere, 0, room + 1)
    items = [
        values / 104.0,
        worth / 7.0,
        *[(kinds == kind).float() for kind in range(6)],
        heads / 10.0,
        same / u,
        above / u,
        hit,
        over[m][room.long(), q],
        hit * (heads + 1.7 * room) / 10.0,
        own_below / 4.0,
        own_above / 4.0,
        _pick(marked_of.int(), rows),
        (_pick(t.firsts, rows) > values) & ~nowhere & (t.code == PROFESSIONAL),
        values & 1,
        values != cards,
        torch.where(nowhere, 0, (values - _pick(t.ends, rows)).abs()) / 104.0,
        lower / u,
        exact[m][0][(lower * GRID) // u],
        nowhere * cheapest / 10.0,
    ]
    described = torch.stack([item.float() for item in items], 2) * valid[:, :, None]
    scene = _scene(sight, tally, own, u, count)
    return Described(described, scene, valid, same, count)


_HEADS: dict[torch.device, Tensor] = {}


def heads_table(device: torch.device) -> Tensor:
    """Return the bullheads by card on this device, made once."""
    if device not in _HEADS:
        _HEADS[device] = heads_of_cards(device)
    return _HEADS[device]


def _scene(sight: Sight, tally: Tally, own: Tensor, u: Tensor, count: Tensor) -> Tensor:
    t, m = sight.tables, sight.players - 1
    size = own.sum(1)
    scene = torch.zeros((len(own), SCENE), device=own.device)
    scene.scatter_(1, size.clamp(max=10)[:, None], 1.0)
    scene[:, 11 + sight.players - 2] = 1
    scene[:, 20] = count / 100.0
    scene[:, 21] = m * size / u[:, 0]
    scene[:, 22] = t.heads.amin(1) / 10.0
    scene[:, 23] = tally.totals[:, 0, NOWHERE] / u[:, 0]
    scene[:, 24] = tally.totals[:, 1, NOWHERE] / 4.0
    if t.code in (EVEN_ODD, MOUNTAIN):
        scene[:, 25] = t.mark[:, 1]
    scene[:, 26] = sight.own_flip.float()
    scene[:, 27] = sight.other_flips / m
    scene[:, 28] = sight.later / 10.0
    scene[:, 29] = size / 10.0
    order = t.ends.argsort(1)
    parts = [
        t.ends / 104.0,
        t.room() == 0,
        t.room() / 5.0,
        t.heads / 10.0,
        t.is_marked(),
        tally.totals[:, 0, :4] / u,
        tally.totals[:, 1, :4] / 4.0,
        t.firsts / 104.0,
    ]
    stacked = torch.stack([part.float().gather(1, order) for part in parts], 2)
    scene[:, 30:WILD] = stacked.reshape(len(own), 32)
    scene[:, WILD] = sight.wild
    return scene


__all__ = ["GRID", "ITEM", "SCENE", "WILD", "Described", "Sight", "binomials", "describe", "heads_table"]

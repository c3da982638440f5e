"""What the network is told about a position: the same numbers as `bullpen.bots.features`, in torch."""

from dataclasses import dataclass
from math import comb

import torch
from torch import Tensor

from training.tables import EVEN_ODD, MOUNTAIN, NOWHERE, PROFESSIONAL, Tables, heads_of_cards

ITEM, SCENE = 24, 62
"""Numbers that describe a possible play, and the scene around them."""
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


def _pick(table: Tensor, rows: Tensor) -> Tensor:
    """Return table[s, rows[s, i]] for rows below NOWHERE, 0 for NOWHERE."""
    padded = torch.cat([table, torch.zeros_like(table[:, :1])], 1)
    return padded.gather(1, rows.long())


def describe(sight: Sight, cards: Tensor, values: Tensor, valid: Tensor, odds: tuple[Tensor, Tensor]) -> Described:
    """Describe every possible play (cards and values [S, I]) and the scene."""
    t, m = sight.tables, sight.players - 1
    exact, over = odds
    device = cards.device
    grid = torch.arange(105, device=device, dtype=torch.int32)
    row_of = t.row_for(grid.expand(len(cards), 105))
    rows = row_of.gather(1, values)
    nowhere = rows == NOWHERE
    unseen = sight.unseen
    count = unseen.sum(1)
    u = count.clamp(min=1)[:, None]
    alike = (row_of[:, None] == rows[:, :, None]) & unseen[:, None]
    under = grid[None, None] < values[:, :, None]
    same = (alike & under).sum(2)
    above = (alike & (grid[None, None] > values[:, :, None])).sum(2)
    lower = (unseen[:, None] & under).sum(2)
    own = torch.zeros_like(unseen).scatter_(1, sight.hand, True)
    own[:, 0] = False
    others = own[:, None] & (row_of[:, None] == rows[:, :, None]) & (grid[None, None] != cards[:, :, None])
    own_below = (others & under).sum(2)
    own_above = (others & (grid[None, None] > values[:, :, None])).sum(2)
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
    scene = _scene(sight, row_of, own, u, count)
    return Described(described, scene, valid, same, count)


_HEADS: dict[torch.device, Tensor] = {}


def heads_table(device: torch.device) -> Tensor:
    """Return the bullheads by card on this device, made once."""
    if device not in _HEADS:
        _HEADS[device] = heads_of_cards(device)
    return _HEADS[device]


def _scene(sight: Sight, row_of: Tensor, own: Tensor, u: Tensor, count: Tensor) -> Tensor:
    t, m = sight.tables, sight.players - 1
    size = own.sum(1)
    scene = torch.zeros((len(own), SCENE), device=own.device)
    scene.scatter_(1, size.clamp(max=10)[:, None], 1.0)
    scene[:, 11 + sight.players - 2] = 1
    scene[:, 20] = count / 100.0
    scene[:, 21] = m * size / u[:, 0]
    scene[:, 22] = t.heads.amin(1) / 10.0
    out = row_of == NOWHERE
    scene[:, 23] = (out & sight.unseen).sum(1) / u[:, 0]
    scene[:, 24] = (out & own).sum(1) / 4.0
    if t.code in (EVEN_ODD, MOUNTAIN):
        scene[:, 25] = t.mark[:, 1]
    scene[:, 26] = sight.own_flip.float()
    scene[:, 27] = sight.other_flips / m
    scene[:, 28] = sight.later / 10.0
    scene[:, 29] = size / 10.0
    order = t.ends.argsort(1)
    rows = torch.arange(4, device=own.device)
    to_row = row_of[:, None] == rows[None, :, None]
    parts = [
        t.ends / 104.0,
        t.room() == 0,
        t.room() / 5.0,
        t.heads / 10.0,
        t.is_marked(),
        (to_row & sight.unseen[:, None]).sum(2) / u,
        (to_row & own[:, None]).sum(2) / 4.0,
        t.firsts / 104.0,
    ]
    stacked = torch.stack([part.float().gather(1, order) for part in parts], 2)
    scene[:, 30:] = stacked.reshape(len(own), 32)
    return scene


__all__ = ["GRID", "ITEM", "SCENE", "Described", "Sight", "binomials", "describe", "heads_table"]

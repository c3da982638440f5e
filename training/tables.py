"""Many tables at once as tensors: the placement rules of the fast twin's games, for any torch device.

`python -m training.check` holds this against the compiled twin, choice by choice.
"""

import runpy
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

BASE, PROFESSIONAL, EVEN_ODD, MOUNTAIN, JUMPING_COW = range(5)
CARDS = Path(__file__).parent.parent / "src/bullpen/engine/cards.py"
"""Run by itself, since training needs no other part of bullpen, and nothing that it depends on."""
NOWHERE = 4
FAR = 1 << 20

GAMES = {
    "base": BASE,
    "two-halves": BASE,
    "flippin-digits": BASE,
    "professional": PROFESSIONAL,
    "even-odd": EVEN_ODD,
    "mountain": MOUNTAIN,
    "jumping-cow": JUMPING_COW,
}
"""The games that get a network, and their placement rule; base serves tactics and logic too."""


def heads_of_cards(device: torch.device) -> Tensor:
    """Return the bullheads by card number."""
    return torch.tensor(runpy.run_path(str(CARDS))["HEADS"], dtype=torch.int32, device=device)


@dataclass
class Tables:
    """What lies on S tables; each tensor is int32 [S, 4] but the mark, which is [S, 2]."""

    code: int
    ends: Tensor
    firsts: Tensor
    counts: Tensor
    heads: Tensor
    mark: Tensor

    @classmethod
    def start(cls, code: int, cards: Tensor, worth: Tensor) -> "Tables":
        """Start the rows with these cards [S, 4] and put the marker there."""
        cards = cards.int()
        mark = torch.zeros((len(cards), 2), dtype=torch.int32, device=cards.device)
        if code == MOUNTAIN:
            mark[:, 0], mark[:, 1] = 3, -1
        else:
            lowest = cards.argmin(1)
            mark[:, 0] = lowest.int()
            mark[:, 1] = cards.gather(1, lowest[:, None])[:, 0] & 1
        return cls(code, cards.clone(), cards.clone(), torch.ones_like(cards), worth[cards.long()], mark)

    def repeat(self, times: int) -> "Tables":
        """Return a copy in which every table stands `times` times in a row."""
        parts = (self.ends, self.firsts, self.counts, self.heads, self.mark)
        return Tables(self.code, *[part.repeat_interleave(times, 0) for part in parts])

    def is_marked(self) -> Tensor:
        """Return [S, 4]: the marked row; none in games without a marker."""
        rows = torch.arange(4, device=self.ends.device, dtype=torch.int32)
        if self.code in (BASE, PROFESSIONAL):
            return torch.zeros_like(self.ends, dtype=torch.bool)
        return rows[None] == self.mark[:, :1]

    def room(self) -> Tensor:
        """Return [S, 4]: how many cards a row takes before it is full; the Cow counts as one."""
        room = 5 - self.counts
        return room - self.is_marked().int() if self.code == JUMPING_COW else room

    def row_for(self, values: Tensor) -> Tensor:
        """Return the row [S, K] of each value [S, K], NOWHERE if it fits none."""
        v, ends = values[:, :, None].int(), self.ends[:, None]
        rows = torch.arange(4, device=v.device, dtype=torch.int32)
        gap = v - ends
        later = rows.expand_as(gap)
        if self.code == EVEN_ODD:
            shut = self.is_marked()[:, None] & ((v & 1) != self.mark[:, 1:, None])
            gap = gap.masked_fill(shut, 0)
        elif self.code == MOUNTAIN:
            marked = self.is_marked()[:, None]
            gap = torch.where(marked, -gap, gap)
            later = torch.where(marked, rows, rows + 4)
        elif self.code == PROFESSIONAL:
            gap = torch.where(gap > 0, gap, self.firsts[:, None] - v)
            # Equally near left and right: what costs less now, then the topmost.
            cost = torch.where(self.counts == 5, self.heads, 0)
            later = rows + 4 * cost[:, None]
        key = torch.where(gap > 0, gap * 256 + later, FAR).amin(2)
        return torch.where(key == FAR, NOWHERE, key & 3)

    def place(self, cards: Tensor, values: Tensor, worth: Tensor) -> Tensor:
        """Place a card on every table and return what it cost its owner; low cards take the cheapest row."""
        rows = torch.arange(4, device=cards.device, dtype=torch.int32)
        row = self.row_for(values[:, None])[:, 0]
        low = row == NOWHERE
        cheapest = (self.heads * 4 + rows).amin(1) & 3
        row = torch.where(low, cheapest, row)
        here = rows[None] == row[:, None]
        full = (self.room() <= 0) & here
        taken = (full.any(1) | low)[:, None] & here
        cost = (self.heads * taken).sum(1)
        card = cards[:, None].int()
        mine = worth[cards.long()][:, None]
        left = here & ~taken & (values[:, None] < self.firsts) if self.code == PROFESSIONAL else None
        self.counts = torch.where(taken, 1, self.counts + here.int())
        self.heads = torch.where(taken, mine, self.heads + here * mine)
        if left is None:
            self.firsts = torch.where(taken, card, self.firsts)
            self.ends = torch.where(here, card, self.ends)
        else:
            self.firsts = torch.where(taken | left, card, self.firsts)
            self.ends = torch.where(here & ~left, card, self.ends)
        return cost + self._move_marker(taken.any(1), row, worth)

    def _move_marker(self, taken: Tensor, row: Tensor, worth: Tensor) -> Tensor:
        """Move the marker after a placement; return what a jumping Cow costs on top."""
        extra = torch.zeros_like(row)
        if self.code == EVEN_ODD:
            lowest = self._lowest_other()
            parity = self.ends.gather(1, lowest[:, None].long())[:, 0] & 1
            self.mark = torch.where(taken[:, None], torch.stack([lowest, parity], 1), self.mark)
        elif self.code == MOUNTAIN:
            at = self.mark[:, 0] + self.mark[:, 1]
            arrow = torch.where(at == 0, 1, torch.where(at == 3, -1, self.mark[:, 1]))
            self.mark = torch.where(taken[:, None], torch.stack([at, arrow], 1), self.mark)
        elif self.code == JUMPING_COW:
            jumps = row == self.mark[:, 0]
            for _ in range(3):
                jumps, cost = self._jump(jumps, worth)
                extra = extra + cost
        return extra

    def _jump(self, jumps: Tensor, worth: Tensor) -> tuple[Tensor, Tensor]:
        """Let the Cow jump where it must; return where it goes on, and what landing on five cards costs."""
        rows = torch.arange(4, device=jumps.device, dtype=torch.int32)
        lowest = self._lowest_other()
        self.mark = torch.where(jumps[:, None], torch.stack([lowest, self.mark[:, 1]], 1), self.mark)
        crushed = (rows[None] == lowest[:, None]) & (self.counts >= 5) & jumps[:, None]
        last = worth[self.ends.long()]
        cost = ((self.heads - last) * crushed).sum(1)
        self.heads = torch.where(crushed, last, self.heads)
        self.counts = torch.where(crushed, 1, self.counts)
        self.firsts = torch.where(crushed, self.ends, self.firsts)
        return crushed.any(1), cost

    def _lowest_other(self) -> Tensor:
        rows = torch.arange(4, device=self.ends.device, dtype=torch.int32)
        other = torch.where(rows[None] == self.mark[:, :1], FAR, self.ends * 4 + rows)
        return other.amin(1) & 3


def swapped(cards: Tensor) -> Tensor:
    """Return the cards with their digits swapped, a 5 read as 05."""
    return (cards % 10) * 10 + cards // 10


def play_trick(tables: Tables, cards: Tensor, values: Tensor, worth: Tensor) -> Tensor:
    """Place the cards [S, n] of a trick in order; return what it cost each seat."""
    n = cards.shape[1]
    flipped = values != cards
    seats = torch.arange(n, device=cards.device)
    order = (values.long() << 12 | (~flipped).long() << 11 | cards.long() << 4 | seats).sort(1).values & 15
    costs = torch.zeros_like(cards, dtype=torch.int32)
    for k in range(n):
        seat = order[:, k : k + 1]
        cost = tables.place(cards.gather(1, seat)[:, 0], values.gather(1, seat)[:, 0], worth)
        costs.scatter_(1, seat, cost[:, None].int())
    return costs

"""Whom the network learns against: itself, the risk estimate of `medium`, Monte Carlo as it guesses, chance."""

import json
from pathlib import Path

import torch
from torch import Tensor

from training.features import GRID, Described

WEIGHTS = Path(__file__).parent.parent / "src/bullpen/bots/weights"
NEVER = 1e9
SELF, MEDIUM, GUESSER, CHANCE = range(4)


def risk_weights(players: int) -> list[float]:
    """Return the weights of the risk estimate for a number of players, between the tuned ones in proportion."""
    tuned = {int(n): w for n, w in json.loads((WEIGHTS / "risk.json").read_text())["players"].items()}
    below = max(n for n in tuned if n <= players)
    above = min(n for n in tuned if n >= players)
    share = (players - below) / (above - below) if above > below else 0.0
    return [(1 - share) * a + share * b for a, b in zip(tuned[below], tuned[above], strict=True)]


def risk(d: Described, players: int, values: Tensor, exact: Tensor) -> Tensor:
    """Return `medium`'s estimate [S, I] of what each play costs (see `bullpen.bots.risk`)."""
    th = risk_weights(players)
    m = players - 1
    nowhere = d.items[:, :, 2] > 0.5
    room = (d.items[:, :, 3:8] * torch.arange(5.0, device=values.device)).sum(2)
    heads = d.items[:, :, 8] * 10
    u = d.unseen.clamp(min=1)[:, None]
    gap = d.same / u
    left = d.scene[:, 29:30]
    height = values / 104.0
    cost = th[5] * height + th[7] * height * left + th[9] * (2 * height - 1).abs() * left
    p0 = exact[m][0][(gap * GRID).long().clamp(max=GRID)]
    low = th[2] * heads * p0 + th[3] * (1 - p0) + th[8] * left
    q = (gap * th[0] * GRID).long().clamp(max=GRID)
    hit = exact[m][room.long(), q]
    fits = hit * (heads + room * th[1]) + th[4] * gap + th[6] * (5 - room) * 0.2
    return (cost + torch.where(nowhere, low, fits)).masked_fill(~d.valid, NEVER)


def softened(costs: Tensor, valid: Tensor, heat: float, stray: float) -> Tensor:
    """Return the chance of each play: mostly the cheapest ones, and a little of everything."""
    chances = torch.softmax((-costs / heat).masked_fill(~valid, -NEVER), 1)
    return (1 - stray) * chances + stray * valid / valid.sum(1, keepdim=True)


def draw(chances: Tensor) -> Tensor:
    """Draw an index for every row of chances."""
    noise = torch.empty_like(chances).exponential_().clamp(min=1e-12)
    return (chances / noise).argmax(1)


def cheapest(costs: Tensor, valid: Tensor, noise: float) -> Tensor:
    """Return the play of the lowest cost, as seen through noise."""
    blurred = costs + noise * torch.randn_like(costs)
    return blurred.masked_fill(~valid, NEVER).argmin(1)

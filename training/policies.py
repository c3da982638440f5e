"""Whom the network learns against: itself, `medium`, Monte Carlo as it guesses, chance."""

import json
from pathlib import Path

import torch
from torch import Tensor

from training.features import GRID, Described

ESTIMATES = Path(__file__).parent.parent / "src/bullpen/bots/estimates"
NEVER = 1e9
SELF, MEDIUM, GUESSER, CHANCE = range(4)
FLIP_COST = 0.8
HABIT_HEAT = 0.3
"""How many bullheads two plays may differ by and still be nearly alike to who plays by habit."""


def risk_weights(game: str, players: int) -> list[float]:
    """Return the weights of the risk estimate, between the tuned numbers of players in proportion."""
    games = json.loads((ESTIMATES / "risk.json").read_text())["games"]
    tuned = {int(n): w for n, w in games.get(game, games["base"]).items()}
    return between(tuned, players)


def between(tuned: dict[int, list[float]], players: int) -> list[float]:
    """Return weights for a number of players from those for some numbers."""
    below = max(n for n in tuned if n <= players)
    above = min(n for n in tuned if n >= players)
    share = (players - below) / (above - below) if above > below else 0.0
    return [(1 - share) * a + share * b for a, b in zip(tuned[below], tuned[above], strict=True)]


def risk(d: Described, players: int, cards: Tensor, values: Tensor, exact: Tensor, weights: Tensor) -> Tensor:
    """Return `medium`'s estimate [S, I] of what each play costs (see `bullpen.bots.estimates.risk`).

    `weights` are twelve numbers, or [S, 12] for seats that weigh differently.
    """
    th = (weights.expand(len(values), 12) if weights.dim() == 1 else weights).T[:, :, None]
    m = players - 1
    nowhere = d.items[:, :, 2] > 0.5
    room = (d.items[:, :, 3:8] * torch.arange(5.0, device=values.device)).sum(2)
    heads = d.items[:, :, 8] * 10
    gap = d.items[:, :, 9]
    left = d.scene[:, 29:30]
    height = values / 104.0
    cost = th[5] * height + th[7] * height * left + th[9] * (2 * height - 1).abs() * left
    cost = (
        cost + th[10] * d.items[:, :, 14] + th[11] * d.items[:, :, 15] + (values != cards) * FLIP_COST * left
    )
    p0 = exact[m][0][(gap * GRID).long().clamp(max=GRID)]
    low = th[2] * heads * p0 + th[3] * (1 - p0) + th[8] * left
    q = (gap * th[0] * GRID).long().clamp(min=0, max=GRID)
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

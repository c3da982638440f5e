"""Teach the network of the board games what a search finds of each tile.

    python -m training.boards boards.npz DECISIONS.npz ...

It learns by how much the options of gathered decisions (`training.board_decisions`) differ. Needs PyTorch; a
CPU is enough, some seconds a turn.
"""

import argparse
import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bullpen.bots.network.board_features import FIVE, GAIN, INPUTS
from bullpen.bots.network.board_network import DEEP, WIDE, Weights
from training.board_decisions import Decisions, together

RATE, BATCH, WORST = 2e-3, 256, 8.0
ASIDE = 15
"""One decision of so many is not learned from but measured on."""


class TileNetwork(nn.Module):
    """Two layers lead from what is told of a tile to what it brings."""

    def __init__(self) -> None:
        super().__init__()
        self.wide = nn.Linear(INPUTS, WIDE)
        self.deep = nn.Linear(WIDE, DEEP)
        self.gain = nn.Linear(DEEP, 1, bias=False)

    def forward(self, told: Tensor) -> Tensor:
        """Return what options [..., 2, INPUTS] bring: as much as both tiles, if there is a second one."""
        gains = self.gain(torch.relu(self.deep(torch.relu(self.wide(told)))))[..., 0]
        return (gains * told.any(-1)).sum(-1)


def load(files: list[Path]) -> Decisions:
    """Return all decisions of some files, in an order by chance."""
    parts = []
    for file in files:
        with np.load(file) as arrays:
            parts.append(Decisions(**arrays))
    found = together(parts)
    starts = np.cumsum(found.sizes) - found.sizes
    order = np.random.default_rng(1).permutation(len(found.sizes))
    options = np.concatenate([np.arange(starts[k], starts[k] + found.sizes[k]) for k in order])
    return Decisions(found.tiles[options], found.sizes[order], found.values[options])


def some(every: Decisions, first: int, last: int) -> Decisions:
    """Return the decisions from one to another."""
    start, end = every.sizes[:first].sum(), every.sizes[:last].sum()
    return Decisions(every.tiles[start:end], every.sizes[first:last], every.values[start:end])


def within(sizes: NDArray[Any], numbers: NDArray[Any]) -> NDArray[Any]:
    """Return numbers of options less the mean of their decision."""
    means = np.add.reduceat(numbers, np.cumsum(sizes) - sizes) / sizes
    found: NDArray[Any] = numbers - np.repeat(means, sizes)
    return found


def measure(part: Decisions, gains: NDArray[Any], word: str) -> tuple[float, float]:
    """Return which share of the differences is explained, and how far above the mean the chosen ones lie."""
    values, starts = within(part.sizes, part.values), np.cumsum(part.sizes) - part.sizes
    left = within(part.sizes, gains) - values
    best = [
        start + int(gains[start : start + size].argmax())
        for start, size in zip(starts, part.sizes, strict=True)
    ]
    explained, chosen = 1 - float((left**2).sum() / (values**2).sum()), float(values[best].mean())
    print(f"{word}: {explained:.4f} explained, {chosen:.3f} points chosen", flush=True)
    return explained, chosen


def learn(network: TileNetwork, optimizer: torch.optim.Optimizer, part: Decisions) -> None:
    """Take a step on some decisions."""
    sizes = torch.from_numpy(part.sizes).long()
    number = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
    off = network(torch.from_numpy(part.tiles).float()) - torch.from_numpy(part.values)
    off = off - (torch.zeros(len(sizes)).index_add(0, number, off) / sizes)[number]
    loss = nn.functional.huber_loss(off, torch.zeros_like(off), delta=WORST)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()


def save(network: TileNetwork, path: Path) -> None:
    """Write the weights as plain arrays of half precision, inputs first."""
    arrays = Weights(
        network.wide.weight.T, network.wide.bias, network.deep.weight.T, network.deep.bias,
        network.gain.weight.T,
    )  # fmt: skip
    halves = {name: part.detach().half().numpy() for name, part in arrays._asdict().items()}
    np.savez_compressed(path, **halves)


def fit(out: Path, files: list[Path], turns: int) -> None:
    """Learn from all decisions but those kept aside; write the weights and the learning curve."""
    torch.manual_seed(1)
    every = load(files)
    aside, rest = (
        some(every, 0, len(every.sizes) // ASIDE),
        some(every, len(every.sizes) // ASIDE, len(every.sizes)),
    )
    parts = [some(rest, first, first + BATCH) for first in range(0, len(rest.sizes), BATCH)]
    network = TileNetwork()
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.01)
    by_heuristic = FIVE * aside.tiles[..., GAIN].astype(np.float32).sum(-1)
    curve = [(0, *measure(aside, by_heuristic, f"{len(rest.sizes)} decisions, the heuristic"))]
    for turn in range(turns):
        optimizer.param_groups[0]["lr"] = RATE * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * turn / turns)))
        for place in np.random.default_rng(turn).permutation(len(parts)):
            learn(network, optimizer, parts[place])
        with torch.no_grad():
            gains = network(torch.from_numpy(aside.tiles).float()).numpy()
        curve.append((turn + 1, *measure(aside, gains, f"turn {turn + 1}")))
    save(network, out)
    with out.with_suffix(".csv").open("w", newline="") as file:
        csv.writer(file).writerows([("turn", "explained", "chosen"), *curve])


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--turns", type=int, default=10, help="how often every decision is learned from")
    given = parser.parse_args()
    fit(given.out, given.files, given.turns)


if __name__ == "__main__":
    main()

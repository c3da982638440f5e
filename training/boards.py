"""Teach the networks of the board games: how the levels choose tiles, then what a search finds of each.

    python -m training.boards trained --minutes 8

Half of the time the levels play, and the first network learns their habits. Then the search plays, in
whose worlds the others go by those habits, and the second network learns by how much options differ. Until
they have learned both say what the heuristic does. Needs bullpen with its bots, PyTorch, and no GPU.
"""

import argparse
import csv
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from bullpen.bots.network.board_features import INPUTS
from bullpen.bots.network.board_network import DEEP, WIDE, Weights, read, untaught
from training.board_decisions import Decisions, gather

RATE, BATCH, WORST = 2e-3, 256, 8.0
ASIDE = 15
"""One decision of so many is not learned from but measured on."""


class TileNetwork(nn.Module):
    """Two layers lead from what is told of a tile to its mark."""

    def __init__(self) -> None:
        super().__init__()
        self.wide = nn.Linear(INPUTS, WIDE)
        self.deep = nn.Linear(WIDE, DEEP)
        self.mark = nn.Linear(DEEP, 1, bias=False)

    def forward(self, told: Tensor) -> Tensor:
        """Return the marks of options [..., 2, INPUTS]: those of both tiles, if there is a second one."""
        marks = self.mark(torch.relu(self.deep(torch.relu(self.wide(told)))))[..., 0]
        return (marks * told.any(-1)).sum(-1)


class Batch(NamedTuple):
    """Some decisions: which one each option belongs to, and its value."""

    number: Tensor
    sizes: Tensor
    values: Tensor

    def sums(self, marks: Tensor) -> Tensor:
        """Return the sum of the marks of each decision, for each of its options."""
        return torch.zeros(len(self.sizes)).index_add(0, self.number, marks)[self.number]

    def means(self, marks: Tensor) -> Tensor:
        """Return the mean of the marks of each decision, for each of its options."""
        return self.sums(marks) / self.sizes[self.number]

    def best(self, marks: Tensor) -> Tensor:
        """Return the value of the option with the highest mark, decision by decision."""
        ends = self.sizes.cumsum(0)
        parts = zip((ends - self.sizes).tolist(), ends.tolist(), strict=True)
        return self.values[torch.tensor([first + int(marks[first:end].argmax()) for first, end in parts])]


def surprise(batch: Batch, marks: Tensor) -> Tensor:
    """Return minus the logarithm of the chance that was given to what was chosen, on average."""
    high = torch.full((len(batch.sizes),), -1e9).scatter_reduce(0, batch.number, marks, "amax")[batch.number]
    off = marks - high
    chances = off - batch.sums(off.exp()).log()
    return -(chances * batch.values).sum() / len(batch.sizes)


def distance(batch: Batch, marks: Tensor) -> Tensor:
    """Return how far the differences within decisions are from those that were found."""
    off = marks - batch.values
    off = off - batch.means(off)
    return nn.functional.huber_loss(off, torch.zeros_like(off), delta=WORST)


def tell_habits(batch: Batch, marks: Tensor) -> tuple[float, float]:
    """Return the surprise, and how often the likeliest option was chosen."""
    return surprise(batch, marks).item(), batch.best(marks).mean().item()


def tell_gains(batch: Batch, marks: Tensor) -> tuple[float, float]:
    """Return the share of the differences that is explained, and by how much the best is above the mean."""
    values = batch.values - batch.means(batch.values)
    left = marks - batch.means(marks) - values
    best = batch._replace(values=values).best(marks)
    return 1 - (left.square().sum() / values.square().sum()).item(), best.mean().item()


class Lesson(NamedTuple):
    """What a network learns: the loss, and the two figures that say how well."""

    name: str
    loss: Callable[[Batch, Tensor], Tensor]
    tell: Callable[[Batch, Tensor], tuple[float, float]]
    figures: tuple[str, str]
    turns: int


HABITS = Lesson("boards.habits", surprise, tell_habits, ("surprise", "likeliest chosen"), 20)
GAINS = Lesson("boards", distance, tell_gains, ("explained", "points chosen"), 16)


def shuffled(every: Decisions) -> Decisions:
    """Return decisions in an order by chance."""
    starts = np.cumsum(every.sizes) - every.sizes
    order = np.random.default_rng(1).permutation(len(every.sizes))
    options = np.concatenate([np.arange(starts[k], starts[k] + every.sizes[k]) for k in order])
    return Decisions(every.tiles[options], every.sizes[order], every.values[options])


def some(every: Decisions, ends: NDArray[Any], first: int, last: int) -> tuple[Batch, Tensor]:
    """Return the decisions from one to another, and what is told of their options."""
    start, end = (ends[place - 1] if place else 0 for place in (first, last))
    sizes = torch.from_numpy(every.sizes[first:last]).long()
    number = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
    tiles = torch.from_numpy(every.tiles[start:end]).float()
    return Batch(number, sizes, torch.from_numpy(every.values[start:end])), tiles


def save(network: TileNetwork, path: Path) -> Weights:
    """Write the weights as plain arrays of half precision, inputs first; return them as they are read."""
    arrays = Weights(
        network.wide.weight.T, network.wide.bias, network.deep.weight.T, network.deep.bias,
        network.mark.weight.T,
    )  # fmt: skip
    halves = {name: part.detach().half().numpy() for name, part in arrays._asdict().items()}
    np.savez_compressed(path, **halves)
    with path.open("rb") as file:
        return read(file)


def fit(lesson: Lesson, every: Decisions, out: Path) -> Weights:
    """Learn from all decisions but those kept aside; write the weights and the learning curve."""
    torch.manual_seed(1)
    every = shuffled(every)
    ends, count = np.cumsum(every.sizes), len(every.sizes)
    aside, told = some(every, ends, 0, count // ASIDE)
    places = np.arange(count // ASIDE, count, BATCH)
    network = TileNetwork()
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.01)
    print(f"{lesson.name}: {count} decisions, {len(every.values)} options", flush=True)
    curve = []
    for turn in range(lesson.turns):
        fall = 0.5 * (1 + math.cos(math.pi * turn / lesson.turns))
        optimizer.param_groups[0]["lr"] = RATE * (0.01 + 0.99 * fall)
        for place in np.random.default_rng(turn).permutation(places).tolist():
            batch, tiles = some(every, ends, place, min(place + BATCH, count))
            optimizer.zero_grad(set_to_none=True)
            lesson.loss(batch, network(tiles)).backward()
            optimizer.step()
        with torch.no_grad():
            curve.append((turn + 1, *lesson.tell(aside, network(told))))
        print("turn {}: {:.4f}, {:.4f}".format(*curve[-1]), flush=True)
    with (out / f"{lesson.name}.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("turn", *lesson.figures), *curve])
    return save(network, out / f"{lesson.name}.npz")


def main() -> None:
    """Read the command line, play and learn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the folder for weights and learning curves")
    parser.add_argument("--minutes", type=float, default=8.0, help="how long is played")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    half, nothing = given.minutes * 30, untaught()
    played = gather(True, half, (nothing, nothing), given.processes, f"levels-{given.seed}")
    habits = fit(HABITS, played, given.out)
    found = gather(False, half, (nothing, habits), given.processes, f"search-{given.seed}")
    fit(GAINS, found, given.out)


if __name__ == "__main__":
    main()

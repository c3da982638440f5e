"""Train the network of a game with a course of its own: `python -m training.courses double --minutes 2`.

Whole rounds are played on the device by the compiled twin (`DeviceBatch`). Every seat answers by the network,
with some chance, and the network learns what its answers have cost to the end of the round.
"""

import argparse
import csv
import importlib
import math
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from bullpen.bots.compiled import whole
from bullpen.bots.network.course_features import (
    NUMBERS,
    OPTION,
    SCENE,
    Told,
    count_unseen,
    describe_option,
    describe_scene,
)
from bullpen.bots.network.course_network import DEEP, SCALE, WIDE
from bullpen.fast import Batch
from bullpen.rulesets import find

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba-cuda still asks for it

on_device: Any = importlib.import_module("bullpen.fast.cuda")
cuda: Any = on_device.cuda

GAMES = ("open", "nifty", "hand", "double")
OPTIONS = {"hand": {"hand.maxRounds": 20}}
WORKERS = 64
RATE = 1.5e-3
STEPS, BATCH = 32, 16384
SAMPLES = 1 << 18
"""Decisions kept of a batch of rounds."""
RECENT = 4
"""Batches of rounds that samples are drawn from."""
CHANCE = 0.12
"""How many seats play any card, at every other table."""
ANSWERS = 1 << 21
"""Answers described at a time."""


class CourseNetwork(nn.Module):
    """Scene and answer are added up in one layer; two more lead to what the answer will cost."""

    def __init__(self) -> None:
        super().__init__()
        self.scene = nn.Linear(SCENE, WIDE)
        self.option = nn.Linear(OPTION, WIDE, bias=False)
        self.card = nn.Embedding(NUMBERS, WIDE, padding_idx=0)
        nn.init.normal_(self.card.weight, std=0.05)
        with torch.no_grad():
            self.card.weight[0] = 0
        self.deep = nn.Linear(WIDE, DEEP)
        self.cost = nn.Linear(DEEP, 1)

    def forward(self, scene: Tensor, options: Tensor, cards: Tensor) -> Tensor:
        """Return what answers [..., OPTION] in scenes [..., SCENE] will cost, in tens of points."""
        wide = torch.relu(self.scene(scene) + self.option(options) + self.card(cards).sum(-2))
        return self.cost(torch.relu(self.deep(wide)))[..., 0]


@cuda.jit
def describe_asked(plan: Any, s: Any, asked: Any, lists: Any, told: Any) -> None:
    """Describe what every asked seat sees, and all its answers."""
    games, seats = asked
    numbers, counts = lists
    i = cuda.grid(1)
    if i < games.size:
        b, seat = games[i], seats[i]
        scene = told.scene[i]
        count_unseen(plan, s, b, seat, scene)
        describe_scene(plan, s, b, seat, scene)
        for k in range(counts[b, seat]):
            option = whole(numbers[b, seat, k])
            describe_option(s, b, scene, option, told.options[i, k], told.cards[i, k])


class Course:
    """Rounds of a game for one number of players."""

    def __init__(self, game: str, players: int, size: int, seed: int) -> None:
        self.batch = on_device.DeviceBatch(Batch(game, players, size, seed=seed, options=OPTIONS.get(game)))
        self.players, self.size = players, size
        # Torch does not index numbers of sixteen bits without a sign.
        self.choices = torch.zeros((size, players), dtype=torch.int16, device="cuda")
        numbers, counts = self.batch.options()
        self.numbers = torch.as_tensor(numbers, device="cuda").view(torch.int16)
        self.counts = torch.as_tensor(counts, device="cuda")
        self.points = torch.as_tensor(self.batch.state.points, device="cuda")[:size]

    def asked(self) -> tuple[Tensor, Tensor, int]:
        """Return the games and seats that are asked, and the most answers that one of them has."""
        self.batch.options()
        games, seats = self.counts.nonzero(as_tuple=True)
        return games, seats, int(self.counts.max()) if len(games) else 0

    def describe(self, games: Tensor, seats: Tensor, most: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return scenes, answers and their cards, and which answers exist."""
        scenes = torch.zeros((len(games), SCENE), device="cuda")
        options = torch.zeros((len(games), most, OPTION), device="cuda")
        cards = torch.zeros((len(games), most, 2), dtype=torch.int64, device="cuda")
        asked = cuda.as_cuda_array(games), cuda.as_cuda_array(seats)
        told = Told(*(cuda.as_cuda_array(part) for part in (scenes, options, cards)))
        lists = cuda.as_cuda_array(self.numbers), cuda.as_cuda_array(self.counts)
        blocks = -(-len(games) // WORKERS)
        describe_asked[blocks, WORKERS](self.batch.plan, self.batch.state, asked, lists, told)
        exists = torch.arange(most, device="cuda") < self.counts[games, seats][:, None]
        return scenes, options, cards, exists

    @torch.no_grad()
    def play(
        self, network: CourseNetwork, wild: Tensor, heat: float, share: float
    ) -> tuple[list[Any], Tensor]:
        """Play rounds; return some decisions of seats that are not wild, and what the rounds cost all."""
        self.batch.reset()
        kept = []
        while True:
            games, seats, most = self.asked()
            if not most:
                break
            for part in torch.arange(len(games), device="cuda").split(max(1, ANSWERS // most)):
                g, p = games[part], seats[part]
                scenes, options, cards, exists = self.describe(g, p, most)
                with torch.autocast("cuda", torch.bfloat16):
                    costs = network(scenes[:, None], options, cards).float() * SCALE
                costs = costs.masked_fill(~exists, torch.inf)
                free = wild[g, p]
                noise = -torch.log(-torch.log(torch.rand_like(costs).clamp(1e-9, 1 - 1e-7)))
                by_chance = noise.masked_fill(~exists, -torch.inf)
                place = torch.where(free[:, None], by_chance, noise * heat - costs).argmax(1)
                self.choices[g, p] = self.numbers[g, p, place]
                if share:
                    keep = ((torch.rand(len(g), device="cuda") < share) & ~free).nonzero()[:, 0]
                    at = place[keep]
                    kept.append(
                        (
                            scenes[keep].bfloat16(),
                            options[keep, at].bfloat16(),
                            cards[keep, at],
                            g[keep],
                            p[keep],
                            self.points[g[keep], p[keep]].float(),
                        )
                    )
            self.batch.step(self.choices, check=False)
        final = self.points.float().clone()
        return [(s, o, c, (final[g, p] - before) / SCALE) for s, o, c, g, p, before in kept], final


def wild_seats(size: int, players: int) -> Tensor:
    """Draw which seats play anything: at every other table some."""
    wild = torch.rand((size, players), device="cuda") < CHANCE
    return wild & (torch.rand((size, 1), device="cuda") < 0.5)


def measure(course: Course, network: CourseNetwork) -> float:
    """Return by how much a round costs the network less than each of the others, who play anything."""
    wild = torch.ones((course.size, course.players), dtype=torch.bool, device="cuda")
    wild[:, 0] = False
    _, final = course.play(network, wild, 1e-6, 0.0)
    return float(final[:, 1:].mean() - final[:, 0].mean())


def learn(network: CourseNetwork, optimizer: torch.optim.Optimizer, pool: list[Tensor]) -> float:
    """Take steps on batches drawn from the pool; return the mean error."""
    total = torch.zeros((), device="cuda")
    for _ in range(STEPS):
        part = torch.randint(0, len(pool[3]), (BATCH,), device="cuda")
        with torch.autocast("cuda", torch.bfloat16):
            cost = network(pool[0][part], pool[1][part], pool[2][part])
        loss = ((cost.float() - pool[3][part]) ** 2).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return float(total / STEPS)


def save(network: CourseNetwork, path: Path) -> None:
    """Write the weights as plain arrays of half precision, inputs first."""
    arrays = {
        "scene_weight": network.scene.weight.T,
        "scene_bias": network.scene.bias,
        "option_weight": network.option.weight.T,
        "card_weight": network.card.weight,
        "deep_weight": network.deep.weight.T,
        "deep_bias": network.deep.bias,
        "cost_weight": network.cost.weight.T,
        "cost_bias": network.cost.bias,
    }
    halves = {name: part.detach().half().cpu().numpy() for name, part in arrays.items()}
    np.savez_compressed(path, **halves)


def load(path: Path) -> CourseNetwork:
    """Read weights that `save` wrote, to go on from them."""
    network = CourseNetwork()
    with np.load(path) as arrays, torch.no_grad():
        for name, part in arrays.items():
            layer, kind = name.split("_")
            weights = torch.from_numpy(part.astype(np.float32))
            turned = kind == "weight" and layer != "card"
            getattr(getattr(network, layer), kind).copy_(weights.T if turned else weights)
    return network


def train(game: str, seconds: float, out: Path, seed: int, origin: Path | None) -> None:
    """Train for that long; write the weights and the learning curve."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    out.mkdir(parents=True, exist_ok=True)
    counts = find(game).player_counts(OPTIONS.get(game, {}))
    size = 4096 if game == "nifty" else 8192
    courses = {n: Course(game, n, max(1024, size * 4 // n), seed + n) for n in counts}
    network = (load(origin) if origin else CourseNetwork()).to("cuda")
    optimizer = torch.optim.Adam(network.parameters(), RATE, fused=True)
    slow = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.95)
    )
    begin, rounds, measured, curve = time.monotonic(), 0, 0.0, []
    recent: list[list[Tensor]] = []
    while (spent := time.monotonic() - begin) < seconds:
        progress = spent / seconds
        course = courses[4 if rng.random() < 0.3 else rng.choice(counts)]
        wild = wild_seats(course.size, course.players)
        if progress < 0.03 and origin is None:
            wild[:, 1:] |= torch.rand_like(wild[:, 1:], dtype=torch.float32) < 0.5
        decisions = course.size * course.players * (30 if game == "hand" else 11)
        share = min(1.0, SAMPLES / decisions)
        kept, _ = course.play(slow.module, wild, 0.6 - 0.5 * progress, share)
        rounds += course.size
        recent = [*recent[1 - RECENT :], [torch.cat(part) for part in zip(*kept, strict=True)]]
        pool = [torch.cat(part) for part in zip(*recent, strict=True)]
        for group in optimizer.param_groups:
            group["lr"] = RATE * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
        error = learn(network, optimizer, pool)
        slow.update_parameters(network)
        if spent - measured > seconds / 10:
            measured = spent
            curve.append([round(spent, 1), rounds, error, measure(courses[4], slow.module)])
            print(game, *[f"{number:.4g}" for number in curve[-1]], flush=True)
    curve.append([round(seconds, 1), rounds, error, measure(courses[4], slow.module)])
    print(game, "final", *[f"{number:.4g}" for number in curve[-1]], flush=True)
    save(slow.module, out / f"{game}.npz")
    with (out / f"{game}.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["seconds", "rounds", "error", "ahead_of_chance"])
        writer.writerows(curve)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--out", type=Path, default=Path("trained"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--origin", type=Path, help="weights to go on from")
    given = parser.parse_args()
    train(given.game, given.minutes * 60, given.out, given.seed, given.origin)


if __name__ == "__main__":
    main()
